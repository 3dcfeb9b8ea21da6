"""Results that several studies share: frozen, and enough to be printed, plotted and read again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated, ClassVar

from truegain.fields import Baseline, Field, MetricKey, Shape, System, documented
from truegain.inference.claims import Claim
from truegain.inference.dependence import Dependence
from truegain.inference.effects import Effect
from truegain.inference.intervals import INTERVAL, Interval
from truegain.inference.multiplicity import ADJUSTMENTS
from truegain.inference.pvalues import P_VALUE, PValue
from truegain.inputs import Inputs
from truegain.notes import Note, Notes
from truegain.registry import TESTS
from truegain.rules import Count, Filled, NonNegative, OneOf, Proportion, Seed, Within

#: Why a test may reject more often than its level says: the test itself, ties that it does not count, runs of which one
#: system's vary far more, too few units, units that depend on each other, losses or gains that few units have.
CAVEATS = ("size", "ties", "runs", "units", "dependence", "skewness")

#: The tests that have intervals of Student's kind.
STUDENT_TESTS = ("crossed", "raters", "run-permutation", "welch")

_MOST_REFERENCES = 1 << 16  # records have a column for each

TestName = Annotated[str, OneOf(tuple(TESTS)), Field("The test that was run.")]
_AnyTest = Annotated[str, OneOf(tuple(TESTS)), Field("The test that was run.")]
Unit = Annotated[str, OneOf(("segment", "document", "block", "domain", "testset")), Field("What was resampled.")]
TestedUnit = Annotated[
    str,
    OneOf(("segment", "document", "block", "domain", "test set", "run", "training sample")),
    Field("What was resampled."),
]
Units = Annotated[int, Field("The number of units.")]
Adjustment = Annotated[
    str, OneOf(ADJUSTMENTS), Field("The method by which p-values were adjusted for the number of comparisons.")
]


@documented
@dataclass(frozen=True)
class TestSet:
    """Test set of a study."""

    __test__ = False  # not a test class for pytest

    name: Annotated[str, Field("Its name.")]
    segments: Annotated[Count, Field("The number of segments.")]
    references: Annotated[int, Within(0, _MOST_REFERENCES), Field("The number of references per segment.")]
    documents: Annotated[int | None, Field("The number of documents; none if they are not known.")]
    domains: Annotated[int | None, Field("The number of domains; none if they are not known.")]
    fingerprint: Annotated[str, Field("A short hash of references, outputs and scores: the same for the same inputs.")]
    dependence: Annotated[
        tuple[Dependence, ...],
        Field(
            "The tests for dependence between neighbouring segments, of every gain or score; none if they are not the "
            "unit, if documents are known, or if there is too little to tell."
        ),
    ] = ()
    inputs: Annotated[Inputs, Field("What was read: files, rows, and how they were put together.")] = field(
        default_factory=Inputs
    )


@documented
@dataclass(frozen=True)
class MetricInfo:
    """A metric as it was used."""

    key: Annotated[str, Field("Its key: its name, with the settings that were asked for.", key="metric")]
    label: Annotated[str, Field("How tables call it.")]
    higher_is_better: Annotated[bool | None, Field("Whether a higher score is better; none if neither way is better.")]
    signature: Annotated[str, Field("Its version and settings.")]


def _score_faults(score: SystemScore) -> Iterator[tuple[str, str]]:
    if len(score.run_names) != len(score.run_scores):
        yield "run_names", f"{len(score.run_scores)} names were expected, one a score; found {len(score.run_names)}"


@documented
@dataclass(frozen=True)
class SystemScore:
    """Score of a system under a metric: the mean over its runs."""

    shape: ClassVar[Shape] = Shape(derived=("runs",), first=("name", "runs"), faults=_score_faults)

    name: Annotated[str, Field("The system.")]
    metric: MetricKey
    score: Annotated[float, Field("The mean over runs.")]
    run_names: Annotated[tuple[str, ...], Field("The files of the runs, or their names.")]
    run_scores: Annotated[tuple[float, ...], Filled(), Field("The score of each run.")]
    interval: Annotated[Interval | None, INTERVAL, Field("Of the score; None if there is too little data for one.")]
    standard_error: Annotated[
        NonNegative | None,
        Field(
            "The standard error of the score over the units that intervals draw, with the runs as they are; left out "
            "if there are too few units.",
            optional=True,
        ),
    ] = None

    @property
    def runs(self) -> Count:
        """The number of runs."""
        return len(self.run_scores)


StandardErrors = Annotated[bool, Field("Whether tables show standard errors.", optional=True)]
Metrics = Annotated[tuple[MetricInfo, ...], Filled(), Field("The metrics, as they were used.")]
Scores = Annotated[
    tuple[SystemScore, ...], Filled(), Field("The score of every system under every metric.", key="systems")
]


@documented
@dataclass(frozen=True)
class SampleVariability:
    """Variability of a system's score over training samples, as standard deviations, on this test set."""

    samples: Annotated[Count, Field("The number of training samples.")]
    s_sample: Annotated[float, Field("Of the scores of samples, each the mean of its runs.")]
    sample: Annotated[
        float | None,
        Field(
            "Of what a sample adds beyond its runs; 0 if its variance came out negative, none if every sample has one "
            "run: sample and run cannot be told apart then."
        ),
    ]
    run: Annotated[float | None, Field("Of runs of one sample, over all samples; none if every sample has one run.")]


@documented
@dataclass(frozen=True)
class Variability:
    """Variability of a system's score, as standard deviations (Clark et al. 2011, table 1)."""

    system: Annotated[str, Field("The system.")]
    metric: MetricKey
    runs: Annotated[Count, Field("The number of its runs.")]
    average: Annotated[float, Field("The mean score over runs.")]
    s_sel: Annotated[float, Field("Over test sets: the mean over runs of the bootstrap's standard deviation.")]
    s_dev: Annotated[
        float | None, Field("Over runs, on the development set; none if there is one run, or no such set.")
    ]
    s_test: Annotated[float | None, Field("Over runs, on the test set; none if there is one run.")]
    units: Annotated[float, Field("Of what all runs have in common, over test sets.")]
    run: Annotated[
        float | None,
        Field("Of the score that a run would have on infinitely many segments, over runs; none if there is one run."),
    ]
    interaction: Annotated[
        float | None, Field("Of how a run does on just these segments, beyond both; none if there is one run.")
    ]
    median_run: Annotated[
        str,
        Field(
            "The run to read by hand: the one in the middle on the development set, or on the test set if there is no "
            "development set."
        ),
    ]
    training: Annotated[
        SampleVariability | None, Field("Over training samples; none if the samples of runs are not known.")
    ] = None


@documented
@dataclass(frozen=True)
class Caveat(Note):
    """Reason that a p-value is too small: the test rejects more often than its level says."""

    kind: Annotated[str, OneOf(CAVEATS), Field("The kind of reason.")]
    text: Annotated[str, Field("The reason, as a clause.")]


@documented
@dataclass(frozen=True, slots=True)
class SystemPair:
    """Two systems under a metric, and the gain of one over the other: what all studies of pairs have in common."""

    metric: MetricKey
    baseline: Baseline
    system: System
    delta: Annotated[
        float,
        Field(
            "The gain: the difference of scores, positive if the system is better, whatever the metric's direction (or "
            "higher, if neither way is better)."
        ),
    ]


@documented
@dataclass(frozen=True, kw_only=True)
class TestedPair(SystemPair):
    """Pair of systems with the outcome of one test, and what its verdict extends to."""

    __test__ = False  # not a test class for pytest

    p_value: Annotated[PValue, P_VALUE, Field("Not adjusted, with its Monte-Carlo uncertainty.")]
    test: _AnyTest
    unit: TestedUnit
    n_units: Units
    alternative: Annotated[
        str,
        OneOf(("two-sided", "greater", "less", "observed")),
        Field('The alternative hypothesis; "observed" is one-sided, towards the better system.'),
    ]
    null: Annotated[str, Field("The null hypothesis in one sentence.")]
    claim: Annotated[Claim, Field("What the verdict extends to.")]
    notes: Notes = ()
    caveats: Annotated[
        tuple[Caveat, ...],
        Field("Why the test rejects more often than its level says; verdicts say so, and tables do not mark it."),
    ] = ()

    @property
    def p(self) -> float:
        """The p-value, not adjusted."""
        return self.p_value.p

    @property
    def p_mc(self) -> tuple[float, float]:
        """The Monte-Carlo interval of the p-value."""
        return self.p_value.interval

    @property
    def resamples(self) -> int:
        """The number of resamples behind the p-value."""
        return self.p_value.resamples


def _comparison_faults(one: Comparison) -> Iterator[tuple[str, str]]:
    if one.interval.method == "t" and one.test not in STUDENT_TESTS:
        yield "ci_method", f"the test {one.test!r} has no interval of this kind; found 't'"


@documented
@dataclass(frozen=True, kw_only=True)
class Comparison(TestedPair):
    """Comparison of a system with the baseline under a metric."""

    shape: ClassVar[Shape] = Shape(
        derived=("marked",),
        first=("metric", "baseline", "system", "delta", "ci", "ci_level", "ci_method"),
        faults=_comparison_faults,
    )

    interval: Annotated[Interval, INTERVAL, Field("Of the gain.")]
    p_adjusted: Annotated[
        Proportion, Field("Adjusted over the family: all comparisons by this test under this metric.")
    ]
    adjust: Adjustment
    asked: Annotated[
        _AnyTest, Field("The test that was asked for: an exact test may have to give way to random swaps.")
    ]
    seed: Annotated[Seed, Field("The seed of the resamples.")]
    significant: Annotated[
        bool,
        Field(
            "Whether p_adjusted <= alpha, and the test favours the system that scores better; with another gain than "
            "zero in the null hypothesis, the side of it on which delta lies."
        ),
    ]
    better: Annotated[
        bool | None,
        Field(
            "The sign of delta if it is significant, else none; always none for a metric of which neither way is "
            "better, and if only a gain is shown that is below a positive one, or above a negative one."
        ),
    ]
    design_effect: Annotated[
        NonNegative | None,
        Field(
            "The variance of delta with documents as units over that with segments as units; none if documents are not "
            "known."
        ),
    ] = None
    effect: Annotated[
        Effect | None,
        Field(
            "Wins, ties and losses over segments, and the standardised mean difference of segment scores; none if a "
            "segment has no score."
        ),
    ] = None
    overlap: Annotated[
        Proportion | None,
        Field("How much the intervals of the two scores overlap, from 0 to 1 (Fu et al.).", key="ci_overlap"),
    ] = None
    standard_error: Annotated[
        NonNegative | None,
        Field(
            "The standard error of delta over the units that intervals draw, with the runs as they are; if the claim "
            "extends to new runs or raters, over these as well, and over runs alone if it is about this test set. Left "
            "out if there are too few units.",
            optional=True,
        ),
    ] = None

    @property
    def marked(self) -> bool:
        """True if tables mark it: significant, by a test that keeps its level here."""
        return self.significant and not self.caveats
