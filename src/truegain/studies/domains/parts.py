"""What a study of several test sets is made of: the sets, pairs of systems on each, and how often signs agree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated

from truegain.inputs import Inputs
from truegain.studies.codec import Filled, OneOf, Ordered, Shape, Shapes, Within
from truegain.studies.shapes import COUNT, SHARE

__all__ = ["PARTS", "Population", "SetPair", "SetScore", "Share", "TestedSet", "Transfer"]


@dataclass(frozen=True)
class TestedSet:
    """A test set, or a domain of one.

    Attributes
    ----------
    unit : str
        What was resampled.
    fingerprint : str
        A short hash of references, outputs and scores.
    inputs : Inputs
        What was read; for a domain, that of the whole test set.
    """

    __test__ = False  # not a test class for pytest

    name: str
    segments: int
    documents: int | None
    references: int
    unit: str
    n_units: int
    fingerprint: str
    inputs: Inputs = field(default_factory=Inputs)


@dataclass(frozen=True)
class SetScore:
    """The score of a system on a set: the mean over its runs there."""

    metric: str
    set: str
    system: str
    score: float
    runs: int


@dataclass(frozen=True)
class SetPair:
    """Two systems under a metric, on each of the sets, in their order.

    Attributes
    ----------
    deltas : tuple of float
        Differences of scores, positive where the system is better than the baseline.
    p : tuple of float
        One-sided: that the one with the better score there is no better.
    """

    metric: str
    baseline: str
    system: str
    deltas: tuple[float, ...]
    p: tuple[float, ...]


@dataclass(frozen=True)
class Share:
    """How often the sign is the same, among pairs whose p lies in a bin.

    Attributes
    ----------
    low, high : float
        Where the bin of p begins and ends; the end belongs to it, the beginning does not.
    pairs : int
        Different pairs of systems in the bin.
    cases : int
        As often as these were there: once, or once for each draw.
    same : float
        Cases with the same sign; where there is no difference on the target, a half.
    ties : int
        Cases without a difference on the target.
    share : float or None
        Of all cases; None where there are none.
    ci : (float, float) or None
        Its interval, for other systems like these.
    expected : float or None
        What the share would be: on another test set of the same domain (transfers), or the mean of 1 − p (draws).
    shown, opposite : int or None
        Cases significant on the target, in the same and in the opposite direction; None where the target is a
        population, whose differences are what they are.
    """

    low: float
    high: float
    pairs: int
    cases: int
    same: float
    ties: int
    share: float | None
    ci: tuple[float, float] | None
    expected: float | None
    shown: int | None = None
    opposite: int | None = None


@dataclass(frozen=True)
class Transfer:
    """From one set to another: p on the source, and whether the sign is the same on the target.

    Attributes
    ----------
    undirected : int
        Pairs without a difference on the source: there is no sign to be the same, so they are in no bin.
    bins : tuple of Share
    significant : Share
        All pairs with p up to alpha.
    """

    metric: str
    source: str
    target: str
    undirected: int
    bins: tuple[Share, ...]
    significant: Share


@dataclass(frozen=True)
class Population:
    """A set as the population: test sets drawn from it, and whether their signs are those of the whole.

    Attributes
    ----------
    units : int
        Drawn each time, with replacement.
    draws : int
        How often.
    undirected : int
        Cases without a difference on the draw.
    bins : tuple of Share
    significant : Share
        All cases with p up to alpha.
    band : Share
        Those with p around .05.
    wrong : float
        Of all pairs and draws, the share with p up to alpha in favour of a system that is not better in the population.
    """

    metric: str
    set: str
    units: int
    draws: int
    undirected: int
    bins: tuple[Share, ...]
    significant: Share
    band: Share
    wrong: float


def _share_faults(one: Share) -> Iterator[tuple[str, str]]:
    if not one.low < one.high:
        yield "high", f"a number above low, {one.low:g}, was expected; found {one.high:g}"
    if (one.share is None, one.ci is None, one.expected is None) != (one.cases == 0,) * 3:
        yield "share", "a share, its interval and what is expected go with cases, and null with none"
    if one.same > one.cases or one.ties > one.cases or one.pairs > one.cases:
        yield "cases", f"there are fewer cases, {one.cases:,}, than are said to be of a kind"
    if (one.shown is None) != (one.opposite is None):
        yield "opposite", "shown and opposite are null together or not at all"


_NUMBER = Annotated[int, Within(0)]
_SHARES = Annotated[tuple[Share, ...], Filled()]

#: Where their data differ from their fields.
PARTS: Shapes = {
    TestedSet: Shape(
        types={"segments": COUNT, "n_units": COUNT, "unit": Annotated[str, OneOf(("segment", "document"))]}
    ),
    SetScore: Shape(types={"runs": COUNT}),
    SetPair: Shape(types={"p": tuple[SHARE, ...]}),
    Share: Shape(
        types={
            "low": SHARE,
            "high": SHARE,
            "pairs": _NUMBER,
            "cases": _NUMBER,
            "same": Annotated[float, Within(0.0)],
            "ties": _NUMBER,
            "share": SHARE | None,
            "ci": Annotated[tuple[SHARE, SHARE], Ordered()] | None,
            "expected": SHARE | None,
            "shown": _NUMBER | None,
            "opposite": _NUMBER | None,
        },
        faults=_share_faults,
    ),
    Transfer: Shape(types={"undirected": _NUMBER, "bins": _SHARES}),
    Population: Shape(types={"units": COUNT, "draws": COUNT, "undirected": _NUMBER, "bins": _SHARES, "wrong": SHARE}),
}
