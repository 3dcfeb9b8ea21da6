"""Result of a study of runs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from truegain.fields import Field, MetricKey, Shape, documented
from truegain.inference.intervals import Alpha
from truegain.inference.results import Metrics, Scores, TestName, TestSet, Unit, Units, Variability
from truegain.notes import Notes
from truegain.rules import Count, OneOf, Proportion
from truegain.studies.consistency import names_fit
from truegain.studies.records import record
from truegain.studies.result import Command, Result, Signature, Version
from truegain.version import __version__

_Choice = Annotated[str, OneOf(("high", "median", "low"))]


@documented
@dataclass(frozen=True)
class Spread:
    """The middle 95 % of values, and their median."""

    low: Annotated[float, Field("The 2.5th percentile.")]
    median: Annotated[float, Field("The median.")]
    high: Annotated[float, Field("The 97.5th percentile.")]


@documented
@dataclass(frozen=True)
class Picked:
    """One run of each system, chosen by its score."""

    metric: MetricKey
    new: Annotated[_Choice, Field("The run of the system.")]
    old: Annotated[_Choice, Field("The run of the baseline.")]
    delta: Annotated[float, Field("The gain between the two.")]
    p: Annotated[Proportion, Field("Its p-value.")]


@documented
@dataclass(frozen=True)
class Drawn:
    """Runs drawn at random, and what a test says of them."""

    metric: MetricKey
    test: TestName
    count: Annotated[int, Field("The number of runs of each system in a draw.")]
    delta: Annotated[Spread, Field("The gain, over draws.")]
    p: Annotated[Spread, Field("The p-value, over draws.")]
    shown: Annotated[Proportion, Field("The share of draws in which the gain is significant.")]
    other_way: Annotated[Proportion, Field("The share of draws in which its contrary is significant.")]


@documented
@dataclass(frozen=True)
class Check:
    """Power with some number of runs, and how a prediction of it fares."""

    runs: Annotated[int, Field("The number of runs of each system.")]
    planned: Annotated[Proportion, Field("The power to show the gain planned for, with new runs on new units.")]
    predicted: Annotated[
        Proportion,
        Field(
            "The power for the observed gain that theory predicts if runs and units are drawn from these. What runs "
            "differ by on these very units is all their own then, so there is less power."
        ),
    ]
    found: Annotated[Proportion, Field("The share of draws that were significant.")]
    draws: Annotated[Count, Field("The number of draws.")]


@documented
@dataclass(frozen=True)
class Needed:
    """The number of runs of each system that shows a gain."""

    metric: MetricKey
    gain: Annotated[float, Field("The gain to show.")]
    power: Annotated[float, Field("The power asked for.")]
    runs: Annotated[
        int | None, Field("The number of runs of each; none if no number is enough on a test set of this size.")
    ]
    limit: Annotated[float, Field("The power with a thousand runs of each.")]
    observed: Annotated[float, Field("The gain of all runs.")]
    checks: Annotated[
        tuple[Check, ...],
        Field("With runs drawn from the pool, up to half of it, and units, with replacement, from the test set."),
    ]


_COLUMNS = "metric test runs=count delta_low delta_median delta_high p_low p_median p_high shown other_way"


def _faults(result: ReplicateResult) -> Iterator[tuple[str, str]]:
    yield from names_fit(result)
    if (found := len({one.name for one in result.scores})) != 2:
        yield "systems", f"two systems were expected; found {found}"


@documented
@dataclass(frozen=True, repr=False)
class ReplicateResult(Result):
    """Dependence of the conclusion on the runs."""

    title = "How much do runs vary?"
    study: ClassVar[str] = "replicate"
    shape: ClassVar[Shape] = Shape(first=("alpha", "testset"), faults=_faults)

    testset: Annotated[TestSet, Field("The test set.")]
    metrics: Metrics
    scores: Scores
    variability: Annotated[tuple[Variability, ...], Field("How scores vary over runs and test sets.")]
    picked: Annotated[tuple[Picked, ...], Field("Single runs chosen by their scores.")]
    drawn: Annotated[tuple[Drawn, ...], Field("Runs drawn at random, for each metric, test and number of runs.")]
    needed: Annotated[tuple[Needed, ...], Field("The number of runs that shows a gain, metric by metric.")]
    alpha: Alpha
    repetitions: Annotated[int, Field("The number of draws of runs.")]
    replacement: Annotated[bool, Field("Whether runs are drawn with replacement.")]
    resamples: Annotated[int, Field("The number of resamples of each test.")]
    unit: Unit
    n_units: Units
    signature: Signature
    notes: Notes = ()
    command: Command = ""
    version: Version = __version__

    def to_records(self) -> list[dict[str, Any]]:
        """Return one record for each metric, test and number of runs."""
        return [record(_COLUMNS, one) for one in self.drawn]
