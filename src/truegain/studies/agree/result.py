"""Result of holding metrics against people."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from truegain.fields import Field, Shape, documented
from truegain.inference.intervals import INTERVAL, Alpha, Interval
from truegain.inference.results import Adjustment, MetricInfo
from truegain.inputs import Inputs
from truegain.notes import Notes
from truegain.rules import Count, Filled, NonNegative, OneOf, Proportion, Seed, Within
from truegain.studies import view_of
from truegain.studies.keys import no_entry
from truegain.studies.result import METHODS, VERDICTS, Command, Result, Signature, Version
from truegain.version import __version__

_MEASURES = ("accuracy", "spa", "system-pearson", "acc23", "kendall", "pearson")
_TESTS = ("documents", "perm-sys", "perm-both", "pair-swaps")
MeasureKey = Annotated[str, OneOf(_MEASURES), Field("The measure.")]


@documented
@dataclass(frozen=True)
class AgreedMetric:
    """Agreement of a metric with people, by one measure."""

    measure: MeasureKey
    metric: Annotated[str, Field("The metric.")]
    value: Annotated[float, Within(-1.0, 1.0), Field("The agreement.")]
    interval: Annotated[Interval, INTERVAL, Field("Of the agreement.")]
    standard_error: Annotated[NonNegative, Field("Its standard error, over what the claim extends to.")]
    chance: Annotated[float, Within(-1.0, 1.0), Field("What it would be by chance.")]
    threshold: Annotated[
        NonNegative | None,
        Field(
            "The smallest tie threshold with the highest accuracy; none for other measures than acc23, and if each of "
            "several test sets has its own."
        ),
    ]
    best: Annotated[Count, Field("The best place consistent with the significant differences.")]
    worst: Annotated[Count, Field("The worst place consistent with the significant differences.")]
    cluster: Annotated[
        Count,
        Field("From 1: every metric of a cluster is significantly better than every metric of the clusters after it."),
    ]
    letters: Annotated[str, Field("Two metrics that share a letter do not differ significantly; others do.")]


@documented
@dataclass(frozen=True)
class AgreedPair:
    """Two metrics by one measure."""

    measure: MeasureKey
    baseline: Annotated[str, Field("The first metric.")]
    metric: Annotated[str, Field("The second metric.")]
    delta: Annotated[float, Field("The agreement of the second less that of the first.")]
    interval: Annotated[Interval, INTERVAL, Field("Of delta.")]
    standard_error: Annotated[NonNegative, Field("The standard error of delta.")]
    p: Annotated[Proportion, Field("The p-value, two-sided, not adjusted.")]
    p_adjusted: Annotated[Proportion, Field("Adjusted over all pairs of metrics by this measure.")]
    better: Annotated[bool | None, Field("The sign of delta if p_adjusted <= alpha, else none.")]


@documented
@dataclass(frozen=True)
class AgreedSet:
    """A test set on which metrics were held against people, such as a language pair."""

    name: Annotated[str, Field("The first part of the name of people's file, or a number.")]
    systems: Annotated[tuple[str, ...], Filled(), Field("Its systems.")]
    segments: Annotated[Count, Field("The number of segments that people rated for every system.")]
    n_units: Annotated[Count, Field("The number of units.")]
    human: Annotated[tuple[float, ...], Filled(), Field("People's scores of the systems.")]
    scores: Annotated[tuple[tuple[float, ...], ...], Filled(), Field("Each metric's scores of the systems.")]


def _faults(result: AgreeResult) -> Iterator[tuple[str, str]]:
    count = len(result.metrics)
    pairs = [(one, other) for place, one in enumerate(result.metrics) for other in result.metrics[place + 1 :]]
    for measure in result.measures:
        held = [one.metric for one in result.agreement if one.measure == measure]
        if sorted(held) != sorted(result.metrics):
            yield "agreement", f"every metric once was expected under {measure!r}"
        found = [(one.baseline, one.metric) for one in result.pairs if one.measure == measure]
        if found != pairs:
            yield "pairs", f"all {len(pairs)} pairs of metrics in their order were expected under {measure!r}"
    for place, own in enumerate(result.test_sets):
        if len(own.scores) != count or {len(scores) for scores in (own.human, *own.scores)} != {len(own.systems)}:
            yield f"test_sets[{place}].scores", f"scores of {len(own.systems)} systems by {count} metrics were expected"
    if len(set(result.metrics)) < count:
        yield "metrics", "different names were expected"
    for place, one in enumerate(result.agreement):
        if not 1 <= one.best <= one.worst <= count:
            yield f"agreement[{place}].worst", f"places from 1 to {count} were expected"
        if (one.threshold is None) == (one.measure == "acc23" and len(result.test_sets) == 1):
            yield f"agreement[{place}].threshold", "a threshold was expected exactly for acc23 on one test set"
        if one.measure not in result.measures:
            yield f"agreement[{place}].measure", f"one of {', '.join(result.measures)} was expected"
    for place, pair in enumerate(result.pairs):
        if pair.measure not in result.measures:
            yield f"pairs[{place}].measure", f"one of {', '.join(result.measures)} was expected"


@documented
@dataclass(frozen=True, repr=False)
class AgreeResult(Result):
    """Agreement of metrics with people, and which metrics agree better than which.

    ``result["spa", "COMET"]`` is a metric by a measure; :meth:`pair` finds two metrics.
    """

    title = "Which metrics agree with people?"
    study: ClassVar[str] = "agree"
    shape: ClassVar[Shape] = Shape(
        first=("test", "adjust", "claim", "alpha", "measures", "systems", "metrics"),
        prose={"verdicts": VERDICTS, "methods": METHODS},
        faults=_faults,
    )

    systems: Annotated[tuple[str, ...], Filled(), Field("The systems of all test sets.")]
    metrics: Annotated[tuple[str, ...], Filled(), Field("The metrics.")]
    measures: Annotated[tuple[MeasureKey, ...], Filled(), Field("The measures.")]
    segments: Annotated[Count, Field("The number of segments that people rated for every system, of all test sets.")]
    test_sets: Annotated[tuple[AgreedSet, ...], Filled(), Field("The test sets.")]
    agreement: Annotated[tuple[AgreedMetric, ...], Filled(), Field("Measure by measure, the highest agreement first.")]
    pairs: Annotated[tuple[AgreedPair, ...], Field("Every two metrics, measure by measure.")]
    test: Annotated[str, OneOf(_TESTS), Field("The test of pairs.")]
    adjust: Adjustment
    claim: Annotated[
        Literal["these systems", "new systems"], Field("The systems that intervals and the test extend to.")
    ]
    alpha: Alpha
    unit: Annotated[Literal["segment", "document"], Field("What variances are over, beside systems.")]
    n_units: Annotated[Count, Field("The number of units.")]
    resamples: Annotated[Count, Field("The number of swaps.")]
    exhaustive: Annotated[bool, Field("Whether these are all swaps.")]
    seed: Annotated[Seed, Field("The seed.")]
    inputs: Annotated[Inputs, Field("What was read.")]
    fingerprint: Annotated[str, Field("A digest of all scores.")]
    signature: Signature
    computed: Annotated[
        tuple[MetricInfo, ...], Field("The metrics that were computed from outputs, as they were used.", optional=True)
    ] = ()
    notes: Notes = ()
    command: Command = ""
    version: Version = __version__

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
        return list(view_of(self.study).verdicts(self))

    def methods(self) -> str:
        """Describe the method in a few sentences, to paste into a paper."""
        return str(view_of(self.study).methods(self))

    def used(self) -> tuple[list[str], list[str]]:
        """See :meth:`truegain.studies.result.Result.used`."""
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
