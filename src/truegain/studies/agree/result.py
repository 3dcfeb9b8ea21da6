"""Result of holding metrics against people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Literal

from truegain.inference.intervals import Alpha, Ends, Interval, IntervalKind, Level
from truegain.inference.results import Adjustment, MetricInfo
from truegain.inputs import Inputs
from truegain.results import Result, no_entry
from truegain.rows import Count, NonNegative, Proportion, Row, Seed, field

_MEASURES = ("accuracy", "spa", "system-pearson", "acc23", "kendall", "pearson")
_TESTS = ("documents", "perm-sys", "perm-both", "pair-swaps")
MeasureKey = Annotated[str, field("The measure.")]


class AgreedMetric(Row):
    """Agreement of a metric with people, by one measure."""

    measure: MeasureKey
    metric: Annotated[str, field("The metric.")]
    value: Annotated[float, field("The agreement.", ge=-1.0, le=1.0)]
    ci: Ends
    ci_level: Level
    ci_method: IntervalKind
    standard_error: Annotated[NonNegative, field("Its standard error, over what the claim extends to.")]
    chance: Annotated[float, field("What it would be by chance.", ge=-1.0, le=1.0)]
    threshold: Annotated[
        NonNegative | None,
        field(
            "The smallest tie threshold with the highest accuracy; none for other measures than acc23, and if each of "
            "several test sets has its own."
        ),
    ]
    best: Annotated[Count, field("The best place consistent with the significant differences.")]
    worst: Annotated[Count, field("The worst place consistent with the significant differences.")]
    cluster: Annotated[
        Count,
        field("From 1: every metric of a cluster is significantly better than every metric of the clusters after it."),
    ]
    letters: Annotated[str, field("Two metrics that share a letter do not differ significantly; others do.")]

    @property
    def interval(self) -> Interval:
        """The interval of the agreement."""
        return Interval.of(self.ci, self.ci_level, self.ci_method)


class AgreedPair(Row):
    """Two metrics by one measure."""

    measure: MeasureKey
    baseline: Annotated[str, field("The first metric.")]
    metric: Annotated[str, field("The second metric.")]
    delta: Annotated[float, field("The agreement of the second less that of the first.")]
    ci: Ends
    ci_level: Level
    ci_method: IntervalKind
    standard_error: Annotated[NonNegative, field("The standard error of delta.")]
    p: Annotated[Proportion, field("The p-value, two-sided, not adjusted.")]
    p_adjusted: Annotated[Proportion, field("Adjusted over all pairs of metrics by this measure.")]
    better: Annotated[bool | None, field("The sign of delta if p_adjusted <= alpha, else none.")]

    @property
    def interval(self) -> Interval:
        """The interval of delta."""
        return Interval.of(self.ci, self.ci_level, self.ci_method)


class AgreedSet(Row):
    """A test set on which metrics were held against people, such as a language pair."""

    name: Annotated[str, field("The first part of the name of people's file, or a number.")]
    systems: Annotated[tuple[str, ...], field("Its systems.", min_length=1)]
    segments: Annotated[Count, field("The number of segments that people rated for every system.")]
    n_units: Annotated[Count, field("The number of units.")]
    human: Annotated[tuple[float, ...], field("People's scores of the systems.", min_length=1)]
    scores: Annotated[tuple[tuple[float, ...], ...], field("Each metric's scores of the systems.", min_length=1)]


class AgreeResult(Result, tag="agree", kw_only=True):
    """Agreement of metrics with people, and which metrics agree better than which.

    ``result["spa", "COMET"]`` is a metric by a measure; :meth:`pair` finds two metrics.
    """

    title = "Which metrics agree with people?"
    study: ClassVar[str] = "agree"

    systems: Annotated[tuple[str, ...], field("The systems of all test sets.", min_length=1)]
    metrics: Annotated[tuple[str, ...], field("The metrics.", min_length=1)]
    measures: Annotated[tuple[MeasureKey, ...], field("The measures.", min_length=1)]
    segments: Annotated[Count, field("The number of segments that people rated for every system, of all test sets.")]
    test_sets: Annotated[tuple[AgreedSet, ...], field("The test sets.", min_length=1)]
    agreement: Annotated[
        tuple[AgreedMetric, ...], field("Measure by measure, the highest agreement first.", min_length=1)
    ]
    pairs: Annotated[tuple[AgreedPair, ...], field("Every two metrics, measure by measure.")]
    test: Annotated[str, field("The test of pairs.")]
    adjust: Adjustment
    claim: Annotated[
        Literal["these systems", "new systems"], field("The systems that intervals and the test extend to.")
    ]
    alpha: Alpha
    unit: Annotated[Literal["segment", "document"], field("What variances are over, beside systems.")]
    n_units: Annotated[Count, field("The number of units.")]
    resamples: Annotated[Count, field("The number of swaps.")]
    exhaustive: Annotated[bool, field("Whether these are all swaps.")]
    seed: Annotated[Seed, field("The seed.")]
    inputs: Annotated[Inputs, field("What was read.")]
    fingerprint: Annotated[str, field("A digest of all scores.")]
    computed: Annotated[
        tuple[MetricInfo, ...], field("The metrics that were computed from outputs, as they were used.")
    ] = ()

    def __getitem__(self, key: tuple[str, str]) -> AgreedMetric:
        for one in self.agreement:
            if (one.measure, one.metric) == key:
                return one
        raise no_entry(key, self._keys())

    @property
    def claim_words(self) -> str:
        """The claim in words: ``new systems on new documents``."""
        return f"{self.claim} on new {self.unit}s" if self.claim == "new systems" else self.claim

    def _keys(self) -> list[tuple[str, ...]]:
        return [(one.measure, one.metric) for one in self.agreement]

    def __iter__(self) -> Iterator[AgreedMetric]:
        return iter(self.agreement)

    def placed(self, measure: str) -> list[AgreedMetric]:
        """Return the metrics by a measure, the highest agreement first."""
        return [one for one in self.agreement if one.measure == measure]

    def pair(self, measure: str, baseline: str, metric: str) -> AgreedPair:
        """Return two metrics, in the order in which they were given."""
        for one in self.pairs:
            if (one.measure, one.baseline, one.metric) == (measure, baseline, metric):
                return one
        raise KeyError((measure, baseline, metric))

    def verdicts(self) -> list[str]:
        """Say which metrics agree best with people: a sentence for each measure."""
        return list(self._view.verdicts(self))

    def methods(self) -> str:
        """Describe the method in a few sentences, to paste into a paper."""
        return str(self._view.methods(self))

    def used(self) -> tuple[list[str], list[str]]:
        """See :meth:`truegain.results.Result.used`."""
        metrics = [one.key.partition(":")[0] for one in self.computed]
        return metrics, list(dict.fromkeys(["truegain", *self.measures, self.test, self.adjust]))

    def to_records(self) -> list[dict[str, Any]]:
        """Return one record for each metric by each measure."""
        return [
            {
                "measure": one.measure,
                "metric": one.metric,
                "value": one.value,
                "ci_low": one.interval.low,
                "ci_high": one.interval.high,
                "ci_level": one.interval.level,
                "standard_error": one.standard_error,
                "chance": one.chance,
                "threshold": one.threshold,
                "best": one.best,
                "worst": one.worst,
                "cluster": one.cluster,
                "letters": one.letters,
                "claim": self.claim,
                "test": self.test,
                "adjust": self.adjust,
            }
            for one in self.agreement
        ]
