"""What a calibration found: how often did each test reject, and what does that show of its level?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal

import numpy as np

from truegain.inference.intervals import quantiles
from truegain.inference.pvalues import clopper_pearson
from truegain.inference.results import MetricInfo, TestSet
from truegain.studies.codec import Filled, OneOf, Shape, Shapes
from truegain.studies.result import Result
from truegain.studies.shapes import COUNT, METRICS, SHARE, TEST, UNIT, names_fit
from truegain.version import __version__

__all__ = ["LEVELS", "TOLERATED", "CalibrationResult", "Measured", "Power", "Rate", "Verdict"]

#: The levels at which rejections are counted.
LEVELS = (0.01, 0.05, 0.10)
#: A test keeps its level if a rate above this many times the level is excluded.
TOLERATED = 1.5
_QUANTILES = 101
_STEP = 100  # datasets: how finely the number needed is told

Verdict = Literal["keeps its level", "no excess found", "too often", "too rarely"]


@dataclass(frozen=True)
class Rate:
    """How often a test rejected at a level."""

    level: float
    rejections: int
    repetitions: int

    @property
    def rate(self) -> float:
        """The share of rejections."""
        return self.rejections / self.repetitions

    @cached_property
    def interval(self) -> tuple[float, float]:
        """Its 95 % Clopper–Pearson interval."""
        return clopper_pearson(self.rejections, self.repetitions)

    @property
    def verdict(self) -> Verdict:
        """What the interval shows: a rate above the level, below it, not materially above it, or none of these."""
        low, high = self.interval
        if low > self.level:
            return "too often"
        if high < self.level:
            return "too rarely"
        return "keeps its level" if high <= TOLERATED * self.level else "no excess found"

    @property
    def needed(self) -> int:
        """Return the number of datasets, in hundreds, at which this rate, and a rate at the level, would settle it.

        That is some thousands at most: no rate lies both near the level and near what is tolerated.
        """
        count = self.repetitions
        while True:
            count += _STEP - count % _STEP
            found = (Rate(self.level, round(rate * count), count).verdict for rate in (self.rate, self.level))
            if "no excess found" not in found:
                return count


def _rates(p: tuple[float, ...]) -> tuple[Rate, ...]:
    return tuple(Rate(level, sum(one <= level for one in p), len(p)) for level in LEVELS)


@dataclass(frozen=True)
class Measured:
    """P-values of a test on datasets without a difference."""

    metric: str
    test: str
    p: tuple[float, ...]

    @cached_property
    def rates(self) -> tuple[Rate, ...]:
        """Rejections at each of :data:`LEVELS`."""
        return _rates(self.p)

    @property
    def size(self) -> Rate:
        """Rejections at 5 %."""
        return self.rates[1]

    @property
    def verdict(self) -> Verdict:
        """What the rate at 5 % shows.

        At the other levels only what is beyond a 99.9 % interval counts: three looks would else be wrong too often.
        """
        beyond = (clopper_pearson(rate.rejections, rate.repetitions, 0.999)[0] > rate.level for rate in self.rates)
        return "too often" if any(beyond) else self.size.verdict

    @property
    def needed(self) -> int | None:
        """Return the number of datasets that would settle whether the level is kept; None if this one did."""
        return self.size.needed if self.verdict == "no excess found" else None

    @cached_property
    def quantiles(self) -> tuple[float, ...]:
        """Quantiles 0, .01, …, 1 of the p-values, for a plot against those of a uniform variable."""
        levels = tuple(np.linspace(0.0, 1.0, _QUANTILES).tolist())
        return tuple(quantiles(np.array(self.p), levels))


@dataclass(frozen=True)
class Power:
    """P-values of a test on datasets with a known gain: the one asked for, and the mean of what was made."""

    metric: str
    test: str
    gain: float
    reached: float
    p: tuple[float, ...]

    @cached_property
    def rates(self) -> tuple[Rate, ...]:
        """Rejections at each of :data:`LEVELS`."""
        return _rates(self.p)


def _rate_dict(rate: Rate) -> dict[str, Any]:
    return {
        "level": rate.level,
        "rejections": rate.rejections,
        "rate": rate.rate,
        "ci": list(rate.interval),
    }


_NULL_UNIT = Annotated[str, OneOf(("segment", "document", "block", "domain", "testset", "run"))]
_P_VALUES = Annotated[tuple[SHARE, ...], Filled()]


def _faults(result: CalibrationResult) -> Iterator[tuple[str, str]]:
    yield from names_fit(result)
    if (result.null_block_length is not None) != (result.null_unit == "block"):
        wanted = "a number" if result.null_unit == "block" else "null"
        yield "null_block_length", f"of the unit {result.null_unit!r}, {wanted} was expected"


@dataclass(frozen=True, repr=False)
class CalibrationResult(Result):
    """How often tests reject on data without a difference, and with a known one.

    ``result["bleu", "ar"]`` is what was measured of a test under a metric.

    Attributes
    ----------
    how : str
        How datasets without a difference were made.
    measured : tuple of Measured
    power : tuple of Power
        Empty where no gain was asked for.
    null_unit : str
        What was swapped as a whole to make datasets, or "run": what was dealt out.
    n_null_units : int
        The number of these that the data have.
    null_block_length : int, optional
        The number of segments of a block, if blocks were swapped.
    unit : str
        What tests resample whose unit can be chosen.
    n_units : int
        In one dataset.
    """

    title = "Can the test be trusted?"
    study: ClassVar[str] = "calibrate"
    shape: ClassVar[Shape] = Shape(
        types={
            "metrics": METRICS,
            "systems": Annotated[tuple[str, ...], Filled()],
            "measured": Annotated[tuple[Measured, ...], Filled()],
            "null_unit": _NULL_UNIT,
            "n_null_units": COUNT,
            "null_block_length": COUNT | None,
            "unit": UNIT,
            "alternative": Annotated[str, OneOf(("two-sided", "greater", "less"))],
        },
        first=(
            *("testset", "metrics", "systems", "how", "null_unit", "n_null_units", "null_block_length"),
            *("unit", "n_units", "repetitions", "resamples", "alternative"),
        ),
        derived={"about_new_runs": lambda one: one.about_new_runs},
        faults=_faults,
    )
    parts: ClassVar[Shapes] = {
        Measured: Shape(
            types={"test": TEST, "p": _P_VALUES},
            derived={
                "rates": lambda one: [_rate_dict(rate) for rate in one.rates],
                "verdict": lambda one: one.verdict,
                "needed": lambda one: one.needed,
                "quantiles": lambda one: one.quantiles,
            },
            first=("metric", "test", "rates", "verdict", "needed", "quantiles"),
        ),
        Power: Shape(
            types={"test": TEST, "p": _P_VALUES},
            derived={"rates": lambda one: [_rate_dict(rate) for rate in one.rates]},
            first=("metric", "test", "gain", "reached", "rates"),
        ),
    }

    testset: TestSet
    metrics: tuple[MetricInfo, ...]
    systems: tuple[str, ...]
    how: str
    measured: tuple[Measured, ...]
    power: tuple[Power, ...]
    null_unit: str
    n_null_units: int
    null_block_length: int | None
    unit: str
    n_units: int
    repetitions: int
    resamples: int
    alternative: str
    signature: str
    notes: tuple[str, ...] = ()
    command: str = ""
    version: str = __version__

    def __getitem__(self, key: tuple[str, str]) -> Measured:
        for one in self.measured:
            if (one.metric, one.test) == key:
                return one
        raise KeyError(key)

    def __iter__(self) -> Iterator[Measured]:
        return iter(self.measured)

    @property
    def about_new_runs(self) -> bool:
        """Whether the null hypothesis is about new runs."""
        return self.null_unit == "run"

    def to_records(self) -> list[dict[str, Any]]:
        """One record for each metric, test and level."""
        measured: list[Measured | Power] = [*self.measured, *self.power]
        return [
            {
                "metric": one.metric,
                "test": one.test,
                "gain": one.gain if isinstance(one, Power) else 0.0,
                "level": rate.level,
                "rejections": rate.rejections,
                "repetitions": rate.repetitions,
                "rate": rate.rate,
                "low": rate.interval[0],
                "high": rate.interval[1],
            }
            for one in measured
            for rate in one.rates
        ]
