"""Results that several studies share: frozen, and enough to be printed, plotted and read again."""

from __future__ import annotations

from typing import Annotated, Literal

from truegain.inference.claims import Claim
from truegain.inference.dependence import Dependence
from truegain.inference.effects import Effect
from truegain.inference.intervals import Ends, Interval, IntervalKind, Level
from truegain.inference.pvalues import Bounds, Exceedances, MonteCarlo, Probability, PValue, Resamples
from truegain.inputs import Inputs
from truegain.notes import Note, Notes
from truegain.resampling.units import UnitKind
from truegain.rows import Baseline, Count, MetricKey, NonNegative, Number, Proportion, Row, Seed, System, field

#: Why a test may reject more often than its level says: the test itself, ties that it does not count, runs of which one
#: system's vary far more, too few units, units that depend on each other, losses or gains that few units have.
CAVEATS = ("size", "ties", "runs", "units", "dependence", "skewness")

#: The tests that have intervals of Student's kind.
STUDENT_TESTS = ("crossed", "raters", "run-permutation", "welch")

_MOST_REFERENCES = 1 << 16  # records have a column for each

TestName = Annotated[str, field("The test that was run.")]
Unit = Annotated[UnitKind, field("What was resampled.")]
TestedUnit = Annotated[str, field("What was resampled.")]
Units = Annotated[Number, field("The number of units.")]
Adjustment = Annotated[str, field("The method by which p-values were adjusted for the number of comparisons.")]


class TestSet(Row):
    """Test set of a study."""

    __test__ = False  # not a test class for pytest

    name: Annotated[str, field("Its name.")]
    segments: Annotated[Count, field("The number of segments.")]
    references: Annotated[int, field("The number of references per segment.", ge=0, le=_MOST_REFERENCES)]
    documents: Annotated[Number | None, field("The number of documents; none if they are not known.")]
    domains: Annotated[Number | None, field("The number of domains; none if they are not known.")]
    fingerprint: Annotated[str, field("A short hash of references, outputs and scores: the same for the same inputs.")]
    dependence: Annotated[
        tuple[Dependence, ...],
        field(
            "The tests for dependence between neighbouring segments, of every gain or score; none if they are not the "
            "unit, if documents are known, or if there is too little to tell."
        ),
    ] = ()
    inputs: Annotated[Inputs, field("What was read: files, rows, and how they were put together.")] = Inputs()


class MetricInfo(Row, rename={"key": "metric"}):
    """A metric as it was used."""

    key: Annotated[str, field("Its key: its name, with the settings that were asked for.")]
    label: Annotated[str, field("How tables call it.")]
    higher_is_better: Annotated[bool | None, field("Whether a higher score is better; none if neither way is better.")]
    signature: Annotated[str, field("Its version and settings.")]
    percent: Annotated[bool, field("Whether scores are shares of items, which tables show in percent.")] = False


class SystemScore(Row):
    """Score of a system under a metric: the mean over its runs."""

    name: Annotated[str, field("The system.", show="name")]
    metric: MetricKey
    score: Annotated[float, field("The mean over runs.", show="score")]
    run_names: Annotated[tuple[str, ...], field("The files of the runs, or their names.")]
    run_scores: Annotated[tuple[float, ...], field("The score of each run.", min_length=1)]
    standard_error: Annotated[
        NonNegative | None,
        field(
            "The standard error of the score over the units that intervals draw, with the runs as they are; none "
            "if there are too few units.",
            "SE",
            "error",
        ),
    ] = None
    ci: Annotated[
        Ends | None,
        field(
            "The ends of the score's interval; none if there is too little data for one.",
            "{level} CI",
            "interval score",
        ),
    ] = None
    ci_level: Level | None = None
    ci_method: IntervalKind | None = None
    runs: Annotated[Count, field("The number of runs.")] = 1

    def __post_init__(self) -> None:
        self._derive(runs=len(self.run_scores))

    @property
    def interval(self) -> Interval | None:
        """The interval of the score; None if there is too little data for one."""
        if self.ci is None or self.ci_level is None or self.ci_method is None:
            return None
        return Interval.of(self.ci, self.ci_level, self.ci_method)


StandardErrors = Annotated[bool, field("Whether tables show standard errors.")]
Metrics = Annotated[tuple[MetricInfo, ...], field("The metrics, as they were used.", min_length=1)]
Scores = Annotated[tuple[SystemScore, ...], field("The score of every system under every metric.", min_length=1)]


class SampleVariability(Row):
    """Variability of a system's score over training samples, as standard deviations, on this test set."""

    samples: Annotated[Count, field("The number of training samples.")]
    s_sample: Annotated[float, field("Of the scores of samples, each the mean of its runs.", "s_sample", "error")]
    sample: Annotated[
        float | None,
        field(
            "Of what a sample adds beyond its runs; 0 if its variance came out negative, none if every sample has one "
            "run: sample and run cannot be told apart then.",
            show="error",
        ),
    ]
    run: Annotated[
        float | None,
        field("Of runs of one sample, over all samples; none if every sample has one run.", "run in sample", "error"),
    ]


class Variability(Row):
    """Variability of a system's score, as standard deviations (Clark et al. 2011, table 1)."""

    system: Annotated[str, field("The system.", show="text")]
    metric: MetricKey
    runs: Annotated[Count, field("The number of its runs.")]
    average: Annotated[float, field("The mean score over runs.", "avg", "score")]
    s_sel: Annotated[
        float, field("Over test sets: the mean over runs of the bootstrap's standard deviation.", "s_sel", "error")
    ]
    s_dev: Annotated[
        float | None,
        field("Over runs, on the development set; none if there is one run, or no such set.", "s_dev", "error"),
    ]
    s_test: Annotated[float | None, field("Over runs, on the test set; none if there is one run.", "s_test", "error")]
    units: Annotated[float, field("Of what all runs have in common, over test sets.", "{noun}", "error")]
    run: Annotated[
        float | None,
        field(
            "Of the score that a run would have on infinitely many segments, over runs; none if there is one run.",
            show="error",
        ),
    ]
    interaction: Annotated[
        float | None,
        field(
            "Of how a run does on just these segments, beyond both; none if there is one run.", "{noun} × run", "error"
        ),
    ]
    median_run: Annotated[
        str,
        field(
            "The run to read by hand: the one in the middle on the development set, or on the test set if there is no "
            "development set.",
            show="text",
        ),
    ]
    training: Annotated[
        SampleVariability | None, field("Over training samples; none if the samples of runs are not known.")
    ] = None


class Caveat(Note):
    """Reason that a p-value is too small: the test rejects more often than its level says."""

    kind: Annotated[str, field("The kind of reason.")]
    text: Annotated[str, field("The reason, as a clause.")]


class SystemPair(Row):
    """Two systems under a metric, and the gain of one over the other: what all studies of pairs have in common."""

    metric: MetricKey
    baseline: Baseline
    system: System
    delta: Annotated[
        float,
        field(
            "The gain: the difference of scores, positive if the system is better, whatever the metric's direction (or "
            "higher, if neither way is better).",
            "Δ",
            "gain",
        ),
    ]


class TestedPair(SystemPair, kw_only=True):
    """Pair of systems with the outcome of one test, and what its verdict extends to."""

    __test__ = False  # not a test class for pytest

    p: Annotated[Probability, field("The p-value, not adjusted.", show="p")]
    exceedances: Exceedances = 0
    resamples: Resamples = 0
    p_sequence: Bounds = None
    p_mc: MonteCarlo = (0.0, 1.0)
    test: TestName
    unit: TestedUnit
    n_units: Units
    alternative: Annotated[
        Literal["two-sided", "greater", "less", "observed"],
        field('The alternative hypothesis; "observed" is one-sided, towards the better system.'),
    ]
    null: Annotated[str, field("The null hypothesis in one sentence.")]
    claim: Annotated[Claim, field("What the verdict extends to.")]
    notes: Notes = ()
    caveats: Annotated[
        tuple[Caveat, ...],
        field("Why the test rejects more often than its level says; verdicts say so, and tables do not mark it."),
    ] = ()

    def __post_init__(self) -> None:
        self._derive(p_mc=self.p_value.interval)

    @property
    def p_value(self) -> PValue:
        """The p-value, not adjusted, with its Monte-Carlo uncertainty."""
        return PValue(self.p, self.exceedances, self.resamples, self.p_sequence)


class Comparison(TestedPair, kw_only=True, rename={"overlap": "ci_overlap"}):
    """Comparison of a system with the baseline under a metric."""

    ci: Annotated[
        Ends, field("The lower and the upper end; null if there is no bound.", "{level} CI of Δ", "gains delta")
    ]
    ci_level: Level
    ci_method: IntervalKind
    p_adjusted: Annotated[
        Proportion,
        field("Adjusted over the family: all comparisons by this test under this metric.", "p adjusted", "p"),
    ]
    adjust: Adjustment
    asked: Annotated[str, field("The test that was asked for: an exact test may have to give way to random swaps.")]
    seed: Annotated[Seed, field("The seed of the resamples.")]
    significant: Annotated[
        bool,
        field(
            "Whether p_adjusted <= alpha, and the test favours the system that scores better; with another gain than "
            "zero in the null hypothesis, the side of it on which delta lies."
        ),
    ]
    better: Annotated[
        bool | None,
        field(
            "The sign of delta if it is significant, else none; always none for a metric of which neither way is "
            "better, and if only a gain is shown that is below a positive one, or above a negative one."
        ),
    ]
    design_effect: Annotated[
        NonNegative | None,
        field(
            "The variance of delta with documents as units over that with segments as units; none if documents are not "
            "known."
        ),
    ] = None
    effect: Annotated[
        Effect | None,
        field(
            "Wins, ties and losses over segments, and the standardised mean difference of segment scores; none if a "
            "segment has no score."
        ),
    ] = None
    overlap: Annotated[
        Proportion | None, field("How much the intervals of the two scores overlap, from 0 to 1 (Fu et al.).")
    ] = None
    standard_error: Annotated[
        NonNegative | None,
        field(
            "The standard error of delta over the units that intervals draw, with the runs as they are; if the claim "
            "extends to new runs or raters, over these as well, and over runs alone if it is about this test set. None "
            "if there are too few units.",
            "SE of Δ",
            "error",
        ),
    ] = None

    marked: Annotated[bool, field("Whether tables mark it: significant, by a test that keeps its level here.")] = False

    def __post_init__(self) -> None:
        super().__post_init__()
        self._derive(marked=self.significant and not self.caveats)

    @property
    def interval(self) -> Interval:
        """The interval of the gain."""
        return Interval.of(self.ci, self.ci_level, self.ci_method)


class Drawn(Row, kw_only=True):
    """P-value of a test, with what it was counted from."""

    p: Probability
    exceedances: Exceedances
    resamples: Resamples
    p_sequence: Bounds
    p_mc: MonteCarlo = (0.0, 1.0)

    def __post_init__(self) -> None:
        self._derive(p_mc=self.p_value.interval)

    @property
    def p_value(self) -> PValue:
        """The p-value with its Monte-Carlo uncertainty."""
        return PValue(self.p, self.exceedances, self.resamples, self.p_sequence)


class Difference(Drawn, kw_only=True):
    """Test whether a gain differs between groups more than chance, with the runs as they are.

    p is the larger one of the bootstrap within groups and of permutations between them.
    """

    metric: MetricKey
    system: System
    groups: Annotated[tuple[str, ...], field("The groups tested: those with 10 units or more whose gain varies.")]
    q: Annotated[NonNegative, field("Squared deviations from the mean gain over their variances, summed.")]
