"""Result of a plan."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from truegain.fields import Field, MetricKey, Shape, documented
from truegain.inference.intervals import Alpha, Level
from truegain.inference.power import Plan
from truegain.inference.results import MetricInfo, Metrics, SystemScore, TestSet
from truegain.notes import Notes
from truegain.rules import Count, Filled, NonNegative, OneOf, Positive, Proportion, Within
from truegain.studies import view_of
from truegain.studies.consistency import names_fit
from truegain.studies.plan.sampling import PredictedSamples, Sampling
from truegain.studies.records import record
from truegain.studies.result import METHODS, VERDICTS, Command, Result, Signature, Version
from truegain.version import __version__

_LARGE = 1e100  # squares of it are numbers still
_Variance = Annotated[float, Within(0.0, _LARGE)]
_Gain = Annotated[float, Within(1.0 / _LARGE, _LARGE)]
_Units = Annotated[int, Within(2, 1e12), Field("The number of units.")]
_Runs = Annotated[int, Within(1, 1e6)]


@documented
@dataclass(frozen=True)
class Assumptions:
    """Assumptions in place of measurements."""

    sd: Annotated[tuple[float, float] | None, Field("The standard deviation of segment scores, of either system.")] = (
        None
    )
    correlation: Annotated[float | None, Field("The correlation of the two systems' scores.")] = None
    sd_difference: Annotated[
        float | None, Field("The standard deviation of the differences; none if a pilot shows it.")
    ] = None
    design_effect: Annotated[float, Field("The design effect.")] = 1.0
    run_sd: Annotated[tuple[float, float] | None, Field("The standard deviation over runs, of either system.")] = None


@documented
@dataclass(frozen=True)
class Size:
    """Size of a test set."""

    units: _Units
    segments: Annotated[Count, Field("The number of segments that these have.")]


@documented
@dataclass(frozen=True)
class Basis:
    """Basis of a plan under one metric."""

    metric: MetricKey
    observed: Annotated[
        float | None,
        Field("The gain in the pilot, positive if the second system is better; none without a pilot."),
    ]
    standard_error: Annotated[
        float | None,
        Field("Of the observed gain: over units, and over runs if both systems have several; none without a pilot."),
    ]
    gains: Annotated[tuple[_Gain, ...], Field("The gains to plan for.")]
    common: Annotated[_Variance, Field("The variance over units that all runs have in common.")]
    run_variances: Annotated[tuple[_Variance, _Variance], Field("The variance over runs, of either system.")]
    interactions: Annotated[
        tuple[_Variance, _Variance], Field("The variance of how a run does on single units, of either system.")
    ]
    effective_units: Annotated[float, Within(1e-6, 1e12), Field("The number of equal units that would vary as much.")]
    n_units: Annotated[
        _Units, Field("The number of units that the variances were measured on, or are written down for.")
    ]
    sampling: Annotated[
        Sampling | None,
        Field("What comes from samples of items; none if there is one of each, or nothing is known.", optional=True),
    ] = None

    @property
    def plan(self) -> Plan:
        """The variances, to be asked for other numbers."""
        return Plan(self.common, self.run_variances, self.interactions, self.effective_units)

    @property
    def share(self) -> float:
        """Number of effective units per unit."""
        return self.effective_units / self.n_units


@documented
@dataclass(frozen=True)
class Predicted:
    """Prediction for a test set of some size, with some runs of each system."""

    metric: MetricKey
    units: Annotated[Count, Field("The number of units.")]
    segments: Annotated[int, Field("The number of segments.")]
    runs: Annotated[Count, Field("The number of runs of each system.")]
    standard_error: Annotated[NonNegative, Field("Of the difference.")]
    detectable: Annotated[
        NonNegative, Field("The minimum detectable gain: the least that is shown with the power asked for.")
    ]
    powers: Annotated[tuple[Proportion, ...], Field("For each of the gains of the basis.")]


@documented
@dataclass(frozen=True)
class UnitsNeeded:
    """Fewest units that show a gain with these runs of each system."""

    metric: MetricKey
    gain: Annotated[float, Field("The gain to show.")]
    runs: Annotated[int, Field("The number of runs of each system.")]
    units: Annotated[int | None, Field("The number of units; none if no number shows it.")]
    segments: Annotated[int | None, Field("The number of segments that these have; none if no number shows it.")]


@documented
@dataclass(frozen=True)
class RunsNeeded:
    """The fewest runs of each system that show a gain on a test set of that size."""

    metric: MetricKey
    gain: Annotated[float, Field("The gain to show.")]
    units: Annotated[int, Field("The number of units.")]
    segments: Annotated[int, Field("The number of segments.")]
    runs: Annotated[int | None, Field("The number of runs of each system; none if no number shows it.")]


_COLUMNS = "metric units segments runs standard_error detectable power_asked gain power alpha one_sided unit"


def _faults(result: PlanResult) -> Iterator[tuple[str, str]]:
    yield from names_fit(result)
    if [one.metric for one in result.bases] != [metric.key for metric in result.metrics]:
        yield "bases", "one basis a metric was expected, in the order of the metrics"
        return
    yield from _faults_of_source(result)
    combinations = [(basis, size, runs) for basis in result.bases for size in result.sizes for runs in result.runs]
    expected = [(basis.metric, size, runs, len(basis.gains)) for basis, size, runs in combinations]
    if [(one.metric, Size(one.units, one.segments), one.runs, len(one.powers)) for one in result.predicted] != expected:
        yield "predicted", "a prediction for each metric, size and number of runs was expected, with a power a gain"
    gained = [(basis.metric, gain) for basis in result.bases for gain in basis.gains]
    if [(one.metric, one.gain, one.runs) for one in result.units_needed] != [
        (metric, gain, runs) for metric, gain in gained for runs in result.runs
    ]:
        yield "units_needed", "an answer for each metric, gain and number of runs was expected"
    if [(one.metric, Size(one.units, one.segments), one.gain) for one in result.runs_needed] != [
        (basis.metric, size, gain)
        for basis in result.bases
        for size in (result.sizes if result.plans_runs else ())
        for gain in basis.gains
    ]:
        yield "runs_needed", "an answer for each metric, size and gain was expected where runs are planned for"

    sampled = {one.samples: None for one in result.predicted_samples}
    if [(one.metric, one.samples, Size(one.units, one.segments)) for one in result.predicted_samples] != [
        (basis.metric, samples, size)
        for basis in result.bases
        if basis.sampling is not None
        for samples in sampled
        for size in result.sizes
    ]:
        yield "predicted_samples", "a prediction for each number of samples and size was expected"


def _faults_of_source(result: PlanResult) -> Iterator[tuple[str, str]]:
    """Yield faults of a plan that rests neither on a pilot, with all that belongs to it, nor on assumptions."""
    piloted = result.testset is not None
    given = result.assumptions
    if (result.pilot_runs is not None) != piloted:
        yield "pilot_runs", "null was expected without a test set, and a list of 2 with one"
    for place, basis in enumerate(result.bases):
        if (basis.observed is not None, basis.standard_error is not None) != (piloted, piloted):
            yield f"bases[{place}].observed", "null was expected without a test set, and a number with one"
        names = [score.name for score in result.scores if score.metric == basis.metric]
        if len(names) != (2 if piloted else 0):
            yield "systems", f"{'two systems' if piloted else 'none'} were expected; found {len(names)}"
    if len({score.name for score in result.scores}) > 2:
        yield "systems", "the same two systems were expected under every metric"
    if given is not None and (given.sd is None) != (given.correlation is None):
        yield "assumptions.correlation", "sd and correlation go together"
    if not piloted and (given is None or given.sd_difference is None):
        yield "assumptions", "a plan without a pilot rests on sd_difference, and there is none"


@documented
@dataclass(frozen=True, repr=False)
class PlanResult(Result):
    """Probabilities that gains are shown, and what they take.

    ``result.basis("bleu")`` is what the plan for a metric rests on; ``result.predicted`` has a row for each metric,
    size and number of runs.
    """

    title = "How much does it take?"
    study: ClassVar[str] = "plan"
    shape: ClassVar[Shape] = Shape(
        prose={"verdicts": VERDICTS, "methods": METHODS},
        first=("alpha", "power", "one_sided", "testset"),
        faults=_faults,
    )

    testset: Annotated[TestSet | None, Field("The pilot; none if all is assumed.")]
    assumptions: Annotated[Assumptions | None, Field("What was assumed; none if a pilot shows all.")]
    metrics: Metrics
    scores: Annotated[
        tuple[SystemScore, ...],
        Field("The scores of the two systems of the pilot; empty if all is assumed.", key="systems"),
    ]
    bases: Annotated[tuple[Basis, ...], Filled(), Field("What is planned from, metric by metric.")]
    pilot_runs: Annotated[
        tuple[Count, Count] | None, Field("The runs of either system in the pilot; none without a pilot.")
    ]
    sizes: Annotated[tuple[Size, ...], Filled(), Field("The sizes of test sets to plan for.")]
    runs: Annotated[tuple[_Runs, ...], Filled(), Field("The numbers of runs of each system to plan for.")]
    power: Annotated[Level, Field("The power with which a gain should be shown.")]
    alpha: Alpha
    one_sided: Annotated[bool, Field("Whether the test is one-sided.")]
    unit: Annotated[str, OneOf(("segment", "document", "domain", "testset")), Field("What varies as a whole.")]
    segments_per_unit: Annotated[Positive, Field("The mean number of segments of a unit.")]
    from_observed: Annotated[bool, Field("Whether the gains to plan for are those that the pilot showed.")]
    signature: Signature
    predicted: Annotated[tuple[Predicted, ...], Field("What to expect, for each metric, size and number of runs.")] = ()
    units_needed: Annotated[
        tuple[UnitsNeeded, ...], Field("The units needed, for each metric, gain and number of runs.")
    ] = ()
    runs_needed: Annotated[
        tuple[RunsNeeded, ...],
        Field("The runs needed, for each metric, size and gain; empty if runs are not planned for."),
    ] = ()
    predicted_samples: Annotated[
        tuple[PredictedSamples, ...],
        Field("What to expect of more samples per item, for each metric, number of samples and size.", optional=True),
    ] = ()
    notes: Notes = ()
    command: Command = ""
    version: Version = __version__

    @property
    def plans_runs(self) -> bool:
        """Return whether it is known, or assumed, how scores vary over runs."""
        return max(self.runs) > 1

    @property
    def usual_runs(self) -> int:
        """The runs of each system that sentences are about: the pilot's, if they are among those planned for."""
        several = [one for one in self.runs if one > 1] or list(self.runs)
        pilot = min(self.pilot_runs or (1, 1))
        return pilot if pilot in several else several[0]

    def basis(self, metric: str) -> Basis:
        """Return what the plan for a metric rests on."""
        return next(one for one in self.bases if one.metric == metric)

    def decimals(self, metric: MetricInfo, decimals: int | None = None) -> int:
        """Return how many decimals gains are shown with."""
        return int(view_of(self.study).decimals_of(self, metric, decimals))

    def verdicts(self, decimals: int | None = None) -> list[str]:
        """Say a sentence or two for each metric."""
        return list(view_of(self.study).verdicts(self, decimals))

    def methods(self) -> str:
        """Describe the method in a sentence or two, to paste into a report."""
        return str(view_of(self.study).methods(self))

    def used(self) -> tuple[list[str], list[str]]:
        """See :meth:`truegain.studies.result.Result.used`."""
        metrics = [] if self.testset is None else [metric.key.partition(":")[0] for metric in self.metrics]
        return metrics, ["truegain", "plan", *(["crossed", "runs"] if self.plans_runs else [])]

    def to_records(self) -> list[dict[str, Any]]:
        """Return one record for each metric, size, number of runs and gain."""
        records = []
        for one in self.predicted:
            gains = self.basis(one.metric).gains
            for gain, power in zip(gains, one.powers, strict=True) if gains else [(None, None)]:
                own = {"gain": gain, "power": power, "power_asked": self.power}
                records.append(record(_COLUMNS, own, one, self))
        return records
