"""Result of a plan."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from msgspec import Meta

from truegain.inference.intervals import Alpha, Level
from truegain.inference.power import Plan
from truegain.inference.results import MetricInfo, Metrics, SystemScore, TestSet, Unit
from truegain.results import Result
from truegain.rows import Count, MetricKey, NonNegative, Number, Positive, Proportion, Row, field, record
from truegain.studies.plan.sampling import PredictedSamples, Sampling

_LARGE = 1e100  # squares of it are numbers still
_Variance = Annotated[float, Meta(ge=0.0, le=_LARGE)]
_Gain = Annotated[float, Meta(ge=1.0 / _LARGE, le=_LARGE)]
_Units = Annotated[int, field("The number of units.", ge=2, le=10**12)]
_Runs = Annotated[int, Meta(ge=1, le=10**6)]


class Assumptions(Row):
    """Assumptions in place of measurements."""

    sd: Annotated[tuple[float, float] | None, field("The standard deviation of segment scores, of either system.")] = (
        None
    )
    correlation: Annotated[float | None, field("The correlation of the two systems' scores.")] = None
    sd_difference: Annotated[
        float | None, field("The standard deviation of the differences; none if a pilot shows it.")
    ] = None
    design_effect: Annotated[float, field("The design effect.")] = 1.0
    run_sd: Annotated[tuple[float, float] | None, field("The standard deviation over runs, of either system.")] = None


class Size(Row):
    """Size of a test set."""

    units: _Units
    segments: Annotated[Count, field("The number of segments that these have.")]


class Basis(Row):
    """Basis of a plan under one metric."""

    metric: MetricKey
    observed: Annotated[
        float | None,
        field("The gain in the pilot, positive if the second system is better; none without a pilot."),
    ]
    standard_error: Annotated[
        float | None,
        field("Of the observed gain: over units, and over runs if both systems have several; none without a pilot."),
    ]
    gains: Annotated[tuple[_Gain, ...], field("The gains to plan for.")]
    common: Annotated[_Variance, field("The variance over units that all runs have in common.")]
    run_variances: Annotated[tuple[_Variance, _Variance], field("The variance over runs, of either system.")]
    interactions: Annotated[
        tuple[_Variance, _Variance], field("The variance of how a run does on single units, of either system.")
    ]
    effective_units: Annotated[float, field("The number of equal units that would vary as much.", ge=1e-6, le=1e12)]
    n_units: Annotated[
        _Units, field("The number of units that the variances were measured on, or are written down for.")
    ]
    sampling: Annotated[
        Sampling | None,
        field("What comes from samples of items; none if there is one of each, or nothing is known."),
    ] = None

    @property
    def plan(self) -> Plan:
        """The variances, to be asked for other numbers."""
        return Plan(self.common, self.run_variances, self.interactions, self.effective_units)

    @property
    def share(self) -> float:
        """Number of effective units per unit."""
        return self.effective_units / self.n_units


class Predicted(Row):
    """Prediction for a test set of some size, with some runs of each system."""

    metric: MetricKey
    units: Annotated[Count, field("The number of units.")]
    segments: Annotated[Number, field("The number of segments.")]
    runs: Annotated[Count, field("The number of runs of each system.")]
    standard_error: Annotated[NonNegative, field("Of the difference.")]
    detectable: Annotated[
        NonNegative, field("The minimum detectable gain: the least that is shown with the power asked for.")
    ]
    powers: Annotated[tuple[Proportion, ...], field("For each of the gains of the basis.")]


class UnitsNeeded(Row):
    """Fewest units that show a gain with these runs of each system."""

    metric: MetricKey
    gain: Annotated[float, field("The gain to show.")]
    runs: Annotated[Number, field("The number of runs of each system.")]
    units: Annotated[Number | None, field("The number of units; none if no number shows it.")]
    segments: Annotated[Number | None, field("The number of segments that these have; none if no number shows it.")]


class RunsNeeded(Row):
    """The fewest runs of each system that show a gain on a test set of that size."""

    metric: MetricKey
    gain: Annotated[float, field("The gain to show.")]
    units: Annotated[Number, field("The number of units.")]
    segments: Annotated[Number, field("The number of segments.")]
    runs: Annotated[Number | None, field("The number of runs of each system; none if no number shows it.")]


_COLUMNS = "metric units segments runs standard_error detectable power_asked gain power alpha one_sided unit"


class PlanResult(Result, tag="plan", kw_only=True, rename={"scores": "systems"}):
    """Probabilities that gains are shown, and what they take.

    ``result.basis("bleu")`` is what the plan for a metric rests on; ``result.predicted`` has a row for each metric,
    size and number of runs.
    """

    title = "How much does it take?"
    study: ClassVar[str] = "plan"

    testset: Annotated[TestSet | None, field("The pilot; none if all is assumed.")]
    assumptions: Annotated[Assumptions | None, field("What was assumed; none if a pilot shows all.")]
    metrics: Metrics
    scores: Annotated[
        tuple[SystemScore, ...],
        field("The scores of the two systems of the pilot; empty if all is assumed."),
    ]
    bases: Annotated[tuple[Basis, ...], field("What is planned from, metric by metric.", min_length=1)]
    pilot_runs: Annotated[
        tuple[Count, Count] | None, field("The runs of either system in the pilot; none without a pilot.")
    ]
    sizes: Annotated[tuple[Size, ...], field("The sizes of test sets to plan for.", min_length=1)]
    runs: Annotated[tuple[_Runs, ...], field("The numbers of runs of each system to plan for.", min_length=1)]
    power: Annotated[Level, field("The power with which a gain should be shown.")]
    alpha: Alpha
    one_sided: Annotated[bool, field("Whether the test is one-sided.")]
    unit: Annotated[Unit, field("What varies as a whole.")]
    segments_per_unit: Annotated[Positive, field("The mean number of segments of a unit.")]
    from_observed: Annotated[bool, field("Whether the gains to plan for are those that the pilot showed.")]
    predicted: Annotated[tuple[Predicted, ...], field("What to expect, for each metric, size and number of runs.")] = ()
    units_needed: Annotated[
        tuple[UnitsNeeded, ...], field("The units needed, for each metric, gain and number of runs.")
    ] = ()
    runs_needed: Annotated[
        tuple[RunsNeeded, ...],
        field("The runs needed, for each metric, size and gain; empty if runs are not planned for."),
    ] = ()
    predicted_samples: Annotated[
        tuple[PredictedSamples, ...],
        field("What to expect of more samples per item, for each metric, number of samples and size."),
    ] = ()

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
        return int(self._view.decimals_of(self, metric, decimals))

    def verdicts(self, decimals: int | None = None) -> list[str]:
        """Say a sentence or two for each metric."""
        return list(self._view.verdicts(self, decimals))

    def methods(self) -> str:
        """Describe the method in a sentence or two, to paste into a report."""
        return str(self._view.methods(self))

    def used(self) -> tuple[list[str], list[str]]:
        """See :meth:`truegain.results.Result.used`."""
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
