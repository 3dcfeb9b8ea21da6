"""What a ranking is made of: pairs of systems, and each system's place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from truegain.studies.codec import Shape, Shapes
from truegain.studies.shapes import COUNT, SHARE

__all__ = ["PARTS", "Placed", "RankedPair"]


@dataclass(frozen=True)
class RankedPair:
    """Two systems under a metric.

    Attributes
    ----------
    delta : float
        The difference of scores, positive where the system is better than the baseline, whatever the metric's
        direction.
    p, p_adjusted : float
        Plain, and adjusted over all pairs under this metric.
    exceedances : int
        How many resamples were at least as far out; 0 where p follows from a known distribution.
    better : bool or None
        The sign of delta where p_adjusted <= alpha; else None.
    """

    metric: str
    baseline: str
    system: str
    delta: float
    p: float
    p_adjusted: float
    exceedances: int
    better: bool | None


@dataclass(frozen=True)
class Placed:
    """What is known of a system's place under a metric.

    Attributes
    ----------
    place : int
        By the score alone, from 1; of equal scores the first given.
    best, worst : int
        The places that the shown differences leave it: one more than the systems shown to be better, and as many as
        there are systems less those shown to be worse.
    cluster : int
        From 1: every system of a cluster was shown to be better than every system of the clusters after it.
    letters : str
        Two systems without a letter in common were shown to differ, and two with one were not.
    """

    metric: str
    system: str
    place: int
    best: int
    worst: int
    cluster: int
    letters: str


def _placed_faults(placed: Placed) -> Iterator[tuple[str, str]]:
    if not placed.best <= placed.worst:
        yield "worst", f"a place from {placed.best} on was expected, the best; found {placed.worst}"


#: Where their data differ from their fields.
PARTS: Shapes = {
    RankedPair: Shape(types={"p": SHARE, "p_adjusted": SHARE}),
    Placed: Shape(
        types={"place": COUNT, "best": COUNT, "worst": COUNT, "cluster": COUNT},
        faults=_placed_faults,
    ),
}
