"""What a study of runs found."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from truegain.inference.results import MetricInfo, SystemScore, TestSet, Variability
from truegain.studies.codec import OneOf, Shape, Shapes
from truegain.studies.result import Result
from truegain.studies.shapes import ALPHA, COUNT, METRICS, SCORES, SHARE, TEST, UNIT, names_fit
from truegain.version import __version__

__all__ = ["Check", "Drawn", "Needed", "Picked", "ReplicateResult", "Spread"]


@dataclass(frozen=True)
class Spread:
    """The middle 95 % of values, and their median."""

    low: float
    median: float
    high: float


@dataclass(frozen=True)
class Picked:
    """One run of each system, chosen by its score: of the system ``new``, of the baseline ``old``."""

    metric: str
    new: str
    old: str
    delta: float
    p: float


@dataclass(frozen=True)
class Drawn:
    """Runs drawn at random: where the gain and p lie, and how often the gain, or its contrary, is significant."""

    metric: str
    test: str
    count: int
    delta: Spread
    p: Spread
    shown: float
    other_way: float


@dataclass(frozen=True)
class Check:
    """The power with so many runs, and how a prediction of it fares.

    Attributes
    ----------
    planned : float
        The power to show the gain planned for, with new runs on new units.
    predicted, found : float
        For the observed gain, where runs and units are drawn from these: what the theory says, and the share of draws
        that were significant. What runs differ by on these very units is all their own then, so there is less power.
    draws : int
    """

    runs: int
    planned: float
    predicted: float
    found: float
    draws: int


@dataclass(frozen=True)
class Needed:
    """How many runs of each system show a gain.

    Attributes
    ----------
    runs : int or None
        None where no number of runs is enough on a test set of this size.
    limit : float
        The power with a thousand runs of each.
    observed : float
        The gain of all runs.
    checks : tuple of Check
        With runs drawn from the pool, up to half of it, and units, with replacement, from the test set.
    """

    metric: str
    gain: float
    power: float
    runs: int | None
    limit: float
    observed: float
    checks: tuple[Check, ...]


def _faults(result: ReplicateResult) -> Iterator[tuple[str, str]]:
    yield from names_fit(result)
    if (found := len({one.name for one in result.scores})) != 2:
        yield "systems", f"two systems were expected; found {found}"


_WAY = Annotated[str, OneOf(("high", "median", "low"))]


@dataclass(frozen=True, repr=False)
class ReplicateResult(Result):
    """How the conclusion depends on the runs."""

    title = "How much do runs vary?"
    study: ClassVar[str] = "replicate"
    shape: ClassVar[Shape] = Shape(
        names={"scores": "systems"},
        types={"metrics": METRICS, "scores": SCORES, "alpha": ALPHA, "unit": UNIT},
        first=("alpha", "testset"),
        faults=_faults,
    )
    parts: ClassVar[Shapes] = {
        Picked: Shape(types={"new": _WAY, "old": _WAY, "p": SHARE}),
        Drawn: Shape(types={"test": TEST, "shown": SHARE, "other_way": SHARE}),
        Check: Shape(types={"planned": SHARE, "predicted": SHARE, "found": SHARE, "draws": COUNT}),
    }

    testset: TestSet
    metrics: tuple[MetricInfo, ...]
    scores: tuple[SystemScore, ...]
    variability: tuple[Variability, ...]
    picked: tuple[Picked, ...]
    drawn: tuple[Drawn, ...]
    needed: tuple[Needed, ...]
    alpha: float
    repetitions: int
    replacement: bool
    resamples: int
    unit: str
    n_units: int
    signature: str
    notes: tuple[str, ...] = ()
    command: str = ""
    version: str = __version__

    def to_records(self) -> list[dict[str, Any]]:
        """One record for each metric, test and number of runs."""
        return [
            {
                "metric": one.metric,
                "test": one.test,
                "runs": one.count,
                "delta_low": one.delta.low,
                "delta_median": one.delta.median,
                "delta_high": one.delta.high,
                "p_low": one.p.low,
                "p_median": one.p.median,
                "p_high": one.p.high,
                "shown": one.shown,
                "other_way": one.other_way,
            }
            for one in self.drawn
        ]
