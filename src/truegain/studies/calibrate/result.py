"""Result of a calibration: how often each test rejected, and what that shows of its level."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal

import numpy as np

from truegain.fields import Field, MetricKey, Shape, documented
from truegain.inference.intervals import quantiles
from truegain.inference.pvalues import clopper_pearson
from truegain.inference.results import Metrics, TestName, TestSet, Unit
from truegain.notes import Notes
from truegain.registry import TESTS
from truegain.rules import Count, Filled, OneOf, Proportion
from truegain.studies.consistency import names_fit
from truegain.studies.keys import no_entry
from truegain.studies.records import record
from truegain.studies.result import Command, Result, Signature, Version
from truegain.version import __version__

#: The levels at which rejections are counted.
LEVELS = (0.01, 0.05, 0.10)
#: A test keeps its level if a rate above this many times the level is excluded.
TOLERATED = 1.5
_QUANTILES = 101
_STEP = 100  # datasets: how finely the number needed is told

#: Tests whose null is that outputs can be swapped.
_SWAPPING = ("ar", "exact", "riezler2005-ar", "clark2011")

Verdict = Literal["keeps its level", "no excess found", "too often", "too rarely"]


def keeps_level(test: str, unit: str, null_unit: str) -> bool:
    """Return whether a test swaps what the nulls swap, and so keeps its level on them by construction.

    Parameters
    ----------
    test : str
    unit : str
        What tests resample whose unit can be chosen.
    null_unit : str
        What was swapped as a whole to make the nulls.
    """
    return test in _SWAPPING and (unit if TESTS[test].unit == "as chosen" else "segment") == null_unit


@documented
@dataclass(frozen=True)
class Rate:
    """Rejections by a test at a level."""

    shape: ClassVar[Shape] = Shape(derived=("rate", "interval"))

    level: Annotated[float, Field("The level.")]
    rejections: Annotated[int, Field("The number of rejections.")]
    repetitions: Annotated[int, Field("The number of datasets.", key="")]

    @property
    def rate(self) -> Proportion:
        """The share of rejections."""
        return self.rejections / self.repetitions

    @cached_property
    def interval(self) -> Annotated[tuple[Proportion, Proportion], Field(key="ci")]:
        """The 95 % Clopper–Pearson interval of the rate."""
        return clopper_pearson(self.rejections, self.repetitions)

    @property
    def verdict(self) -> Verdict:
        """Verdict of the interval: a rate above the level, below it, not materially above it, or none of these."""
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


_PValues = Annotated[tuple[Proportion, ...], Filled(), Field("The p-value on each dataset.")]


@documented
@dataclass(frozen=True)
class Measured:
    """P-values of a test on datasets without a difference."""

    shape: ClassVar[Shape] = Shape(
        derived=("rates", "verdict", "needed", "quantiles"),
        first=("metric", "test", "rates", "verdict", "needed", "quantiles"),
    )

    metric: MetricKey
    test: TestName
    p: _PValues

    @cached_property
    def rates(self) -> tuple[Rate, ...]:
        """Rejections at the levels 0.01, 0.05 and 0.1."""
        return _rates(self.p)

    @property
    def size(self) -> Rate:
        """Rejections at 5 %."""
        return self.rates[1]

    @property
    def verdict(self) -> Verdict:
        """The verdict on the level, by the rate at 5 %.

        At the other levels only what is beyond a 99.9 % interval counts: three looks would else be wrong too often.
        """
        beyond = (clopper_pearson(rate.rejections, rate.repetitions, 0.999)[0] > rate.level for rate in self.rates)
        return "too often" if any(beyond) else self.size.verdict

    @property
    def needed(self) -> int | None:
        """The number of datasets that would settle whether the level is kept; none if these did."""
        return self.size.needed if self.verdict == "no excess found" else None

    @cached_property
    def quantiles(self) -> tuple[Proportion, ...]:
        """Quantiles 0, .01, …, 1 of the p-values, for a plot against those of a uniform variable."""
        levels = tuple(np.linspace(0.0, 1.0, _QUANTILES).tolist())
        return tuple(quantiles(np.array(self.p), levels))


@documented
@dataclass(frozen=True)
class Power:
    """P-values of a test on datasets with a known gain."""

    shape: ClassVar[Shape] = Shape(derived=("rates",), first=("metric", "test", "gain", "reached", "rates"))

    metric: MetricKey
    test: TestName
    gain: Annotated[float, Field("The gain asked for.")]
    reached: Annotated[float, Field("The mean gain of the datasets.")]
    p: _PValues

    @cached_property
    def rates(self) -> tuple[Rate, ...]:
        """Rejections at the levels 0.01, 0.05 and 0.1."""
        return _rates(self.p)


_COLUMNS = "metric test gain level rejections repetitions rate low=ci_low high=ci_high"


def _faults(result: CalibrationResult) -> Iterator[tuple[str, str]]:
    yield from names_fit(result)
    if (result.null_block_length is not None) != (result.null_unit == "block"):
        wanted = "a number" if result.null_unit == "block" else "null"
        yield "null_block_length", f"of the unit {result.null_unit!r}, {wanted} was expected"


@documented
@dataclass(frozen=True, repr=False)
class CalibrationResult(Result):
    """Rates at which tests reject on data without a difference, and with a known one.

    ``result["bleu", "ar"]`` is what was measured of a test under a metric.
    """

    title = "Can the test be trusted?"
    study: ClassVar[str] = "calibrate"
    shape: ClassVar[Shape] = Shape(
        first=(
            *("testset", "metrics", "systems", "how", "null_unit", "n_null_units", "null_block_length"),
            *("unit", "n_units", "repetitions", "resamples", "alternative"),
        ),
        derived=("about_new_runs",),
        faults=_faults,
    )

    testset: Annotated[TestSet, Field("The test set.")]
    metrics: Metrics
    systems: Annotated[tuple[str, ...], Filled(), Field("The systems.")]
    how: Annotated[str, Field("How datasets without a difference were made.")]
    measured: Annotated[tuple[Measured, ...], Filled(), Field("What was measured of each test under each metric.")]
    power: Annotated[tuple[Power, ...], Field("The same with a known gain; empty if no gain was asked for.")]
    null_unit: Annotated[
        str,
        OneOf(("segment", "document", "block", "domain", "testset", "run")),
        Field('What was swapped as a whole to make datasets, or "run": what was dealt out.'),
    ]
    n_null_units: Annotated[Count, Field("The number of these that the data have.")]
    null_block_length: Annotated[
        Count | None, Field("The number of segments of a block; none if blocks were not swapped.")
    ]
    unit: Annotated[Unit, Field("What tests resample whose unit can be chosen.")]
    n_units: Annotated[int, Field("The number of units in one dataset.")]
    repetitions: Annotated[int, Field("The number of datasets.")]
    resamples: Annotated[int, Field("The number of resamples of each test.")]
    alternative: Annotated[str, OneOf(("two-sided", "greater", "less")), Field("The alternative hypothesis.")]
    signature: Signature
    notes: Notes = ()
    command: Command = ""
    version: Version = __version__

    def __getitem__(self, key: tuple[str, str]) -> Measured:
        for one in self.measured:
            if (one.metric, one.test) == key:
                return one
        raise no_entry(key, self._keys())

    def _keys(self) -> list[tuple[str, ...]]:
        return [(one.metric, one.test) for one in self.measured]

    def __iter__(self) -> Iterator[Measured]:
        return iter(self.measured)

    @property
    def about_new_runs(self) -> bool:
        """True if the null hypothesis is about new runs."""
        return self.null_unit == "run"

    def to_records(self) -> list[dict[str, Any]]:
        """Return one record for each metric, test and level."""
        measured: list[Measured | Power] = [*self.measured, *self.power]
        return [record(_COLUMNS, rate, one, {"gain": 0.0}) for one in measured for rate in one.rates]
