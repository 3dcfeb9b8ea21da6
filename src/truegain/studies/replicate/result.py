"""Result of a study of runs."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from truegain.inference.intervals import Alpha
from truegain.inference.results import Metrics, Scores, TestName, TestSet, Unit, Units, Variability
from truegain.results import Result
from truegain.rows import Count, MetricKey, Number, Proportion, Row, field, record

_Choice = Literal["high", "median", "low"]


class Spread(Row):
    """The middle 95 % of values, and their median."""

    low: Annotated[float, field("The 2.5th percentile.")]
    median: Annotated[float, field("The median.")]
    high: Annotated[float, field("The 97.5th percentile.")]


class Picked(Row):
    """One run of each system, chosen by its score."""

    metric: MetricKey
    new: Annotated[_Choice, field("The run of the system.")]
    old: Annotated[_Choice, field("The run of the baseline.")]
    delta: Annotated[float, field("The gain between the two.")]
    p: Annotated[Proportion, field("Its p-value.")]


class Drawn(Row):
    """Runs drawn at random, and what a test says of them."""

    metric: MetricKey
    test: TestName
    count: Annotated[Number, field("The number of runs of each system in a draw.")]
    delta: Annotated[Spread, field("The gain, over draws.")]
    p: Annotated[Spread, field("The p-value, over draws.")]
    shown: Annotated[Proportion, field("The share of draws in which the gain is significant.")]
    other_way: Annotated[Proportion, field("The share of draws in which its contrary is significant.")]


class Check(Row):
    """Power with some number of runs, and how a prediction of it fares."""

    runs: Annotated[Number, field("The number of runs of each system.")]
    planned: Annotated[Proportion, field("The power to show the gain planned for, with new runs on new units.")]
    predicted: Annotated[
        Proportion,
        field(
            "The power for the observed gain that theory predicts if runs and units are drawn from these. What runs "
            "differ by on these very units is all their own then, so there is less power."
        ),
    ]
    found: Annotated[Proportion, field("The share of draws that were significant.")]
    draws: Annotated[Count, field("The number of draws.")]


class Needed(Row):
    """The number of runs of each system that shows a gain."""

    metric: MetricKey
    gain: Annotated[float, field("The gain to show.")]
    power: Annotated[float, field("The power asked for.")]
    runs: Annotated[
        Number | None, field("The number of runs of each; none if no number is enough on a test set of this size.")
    ]
    limit: Annotated[float, field("The power with a thousand runs of each.")]
    observed: Annotated[float, field("The gain of all runs.")]
    checks: Annotated[
        tuple[Check, ...],
        field("With runs drawn from the pool, up to half of it, and units, with replacement, from the test set."),
    ]


_COLUMNS = "metric test runs=count delta_low delta_median delta_high p_low p_median p_high shown other_way"


class ReplicateResult(Result, tag="replicate", kw_only=True, rename={"scores": "systems"}):
    """Dependence of the conclusion on the runs."""

    title = "How much do runs vary?"
    study: ClassVar[str] = "replicate"

    testset: Annotated[TestSet, field("The test set.")]
    metrics: Metrics
    scores: Scores
    variability: Annotated[tuple[Variability, ...], field("How scores vary over runs and test sets.")]
    picked: Annotated[tuple[Picked, ...], field("Single runs chosen by their scores.")]
    drawn: Annotated[tuple[Drawn, ...], field("Runs drawn at random, for each metric, test and number of runs.")]
    needed: Annotated[tuple[Needed, ...], field("The number of runs that shows a gain, metric by metric.")]
    alpha: Alpha
    repetitions: Annotated[Number, field("The number of draws of runs.")]
    replacement: Annotated[bool, field("Whether runs are drawn with replacement.")]
    resamples: Annotated[Number, field("The number of resamples of each test.")]
    unit: Unit
    n_units: Units

    def to_records(self) -> list[dict[str, Any]]:
        """Return one record for each metric, test and number of runs."""
        return [record(_COLUMNS, one) for one in self.drawn]
