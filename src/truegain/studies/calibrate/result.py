"""Result of a calibration: how often each test rejected, and what that shows of its level."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Literal

import numpy as np

from truegain.inference.intervals import quantiles
from truegain.inference.pvalues import clopper_pearson
from truegain.inference.results import Metrics, TestName, TestSet, Unit
from truegain.registry import TESTS
from truegain.results import Result, no_entry
from truegain.rows import Count, MetricKey, Number, Proportion, Row, field, record

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


class Rate(Row, rename={"interval": "ci"}):
    """Rejections by a test at a level."""

    level: Annotated[float, field("The level.")]
    rejections: Annotated[Number, field("The number of rejections.")]
    repetitions: Annotated[Number, field("The number of datasets.")]
    rate: Annotated[Proportion, field("The share of rejections.")] = 0.0
    interval: Annotated[tuple[Proportion, Proportion], field("The 95 % Clopper–Pearson interval of the rate.")] = (
        0.0,
        1.0,
    )

    def __post_init__(self) -> None:
        self._derive(
            rate=self.rejections / self.repetitions, interval=clopper_pearson(self.rejections, self.repetitions)
        )

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


_Rates = Annotated[tuple[Rate, ...], field("Rejections at the levels 0.01, 0.05 and 0.1.")]
_PValues = Annotated[tuple[Proportion, ...], field("The p-value on each dataset.", min_length=1)]


class Measured(Row):
    """P-values of a test on datasets without a difference."""

    metric: MetricKey
    test: TestName
    p: _PValues
    rates: _Rates = ()
    verdict: Annotated[Verdict, field("The verdict on the level, by the rate at 5 %.")] = "no excess found"
    needed: Annotated[
        int | None, field("The number of datasets that would settle whether the level is kept; none if these did.")
    ] = None
    quantiles: Annotated[
        tuple[Proportion, ...],
        field("Quantiles 0, .01, …, 1 of the p-values, for a plot against those of a uniform variable."),
    ] = ()

    def __post_init__(self) -> None:
        self._derive(rates=_rates(self.p))
        # At the other levels only what is beyond a 99.9 % interval counts: three looks would else be wrong too often.
        beyond = (clopper_pearson(rate.rejections, rate.repetitions, 0.999)[0] > rate.level for rate in self.rates)
        verdict = "too often" if any(beyond) else self.size.verdict
        levels = tuple(np.linspace(0.0, 1.0, _QUANTILES).tolist())
        self._derive(
            verdict=verdict,
            needed=self.size.needed if verdict == "no excess found" else None,
            quantiles=tuple(quantiles(np.array(self.p), levels)),
        )

    @property
    def size(self) -> Rate:
        """Rejections at 5 %."""
        return self.rates[1]


class Power(Row):
    """P-values of a test on datasets with a known gain."""

    metric: MetricKey
    test: TestName
    gain: Annotated[float, field("The gain asked for.")]
    reached: Annotated[float, field("The mean gain of the datasets.")]
    p: _PValues
    rates: _Rates = ()

    def __post_init__(self) -> None:
        self._derive(rates=_rates(self.p))


_COLUMNS = "metric test gain level rejections repetitions rate low=ci_low high=ci_high"


class CalibrationResult(Result, tag="calibrate", kw_only=True):
    """Rates at which tests reject on data without a difference, and with a known one.

    ``result["bleu", "ar"]`` is what was measured of a test under a metric.
    """

    title = "Can the test be trusted?"
    study: ClassVar[str] = "calibrate"

    testset: Annotated[TestSet, field("The test set.")]
    metrics: Metrics
    systems: Annotated[tuple[str, ...], field("The systems.", min_length=1)]
    how: Annotated[str, field("How datasets without a difference were made.")]
    measured: Annotated[tuple[Measured, ...], field("What was measured of each test under each metric.", min_length=1)]
    power: Annotated[tuple[Power, ...], field("The same with a known gain; empty if no gain was asked for.")]
    null_unit: Annotated[
        str,
        field('What was swapped as a whole to make datasets, or "run": what was dealt out.'),
    ]
    n_null_units: Annotated[Count, field("The number of these that the data have.")]
    null_block_length: Annotated[
        Count | None, field("The number of segments of a block; none if blocks were not swapped.")
    ]
    unit: Annotated[Unit, field("What tests resample whose unit can be chosen.")]
    n_units: Annotated[Number, field("The number of units in one dataset.")]
    repetitions: Annotated[Number, field("The number of datasets.")]
    resamples: Annotated[Number, field("The number of resamples of each test.")]
    alternative: Annotated[Literal["two-sided", "greater", "less"], field("The alternative hypothesis.")]
    about_new_runs: Annotated[bool, field("Whether the null hypothesis is about new runs.")] = False

    def __post_init__(self) -> None:
        self._derive(about_new_runs=self.null_unit == "run")

    def __getitem__(self, key: tuple[str, str]) -> Measured:
        for one in self.measured:
            if (one.metric, one.test) == key:
                return one
        raise no_entry(key, self._keys())

    def _keys(self) -> list[tuple[str, ...]]:
        return [(one.metric, one.test) for one in self.measured]

    def __iter__(self) -> Iterator[Measured]:
        return iter(self.measured)

    def to_records(self) -> list[dict[str, Any]]:
        """Return one record for each metric, test and level."""
        measured: list[Measured | Power] = [*self.measured, *self.power]
        return [record(_COLUMNS, rate, one, {"gain": 0.0}) for one in measured for rate in one.rates]
