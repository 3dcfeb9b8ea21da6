"""Metrics compared with people: how far they agree, and which agree better than which."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from msgspec.structs import replace

from truegain.agreement.assessment import Assessment, Spread, UndefinedError
from truegain.agreement.judged import LEAST_SYSTEMS, Judged
from truegain.agreement.lookup import MEASURES, measures_of
from truegain.agreement.swaps import system_masks
from truegain.errors import InputError, Setting, one_of
from truegain.executors.blas_threads import one_blas_thread
from truegain.experiment import check_alpha, check_count
from truegain.inference.distributions import student_quantile
from truegain.inference.intervals import Alpha, Ends, Interval, IntervalKind, Level
from truegain.inference.multiplicity import MAXT
from truegain.inference.pvalues import clopper_pearson
from truegain.inference.ranking import rank_systems
from truegain.inference.results import Adjustment, MetricInfo
from truegain.inputs import Inputs
from truegain.notes import Finding, Note, Tone
from truegain.report.model import Cell, Table
from truegain.resampling.design import check_seed
from truegain.results import Result, no_entry
from truegain.rows import Count, NonNegative, Proportion, Row, Seed, field, record
from truegain.settings.agree import AgreeOptions
from truegain.settings.function import takes
from truegain.studies.agree_sets import RatedSet, digest, read_test_sets
from truegain.version import __version__
from truegain.view import Digits, interval_text, slots_of, table
from truegain.words import ADJUSTED_BY, Sentence, after_words, level_words, listing, p_words, whole

#: What measures are called.
LABELS = {name: measure.label for name, measure in MEASURES.items()}

_SUMMARY = ("spa", "accuracy", "acc23")  # where there are more measures than a screen holds
_MOST_SHOWN = 4  # measures
_MOST_NAMED = 3  # metrics that are not shown to be worse
_PLACES = 3
_MARK = "▸"

ALONE = Sentence("The agreement of {metric} with people is {value} in {measure} ({level} CI {interval}).")
TWO_DIFFER = Sentence("{metric} agrees better with people than {last} in {measure}: {value} against {last_value}, {p}.")
TWO_UNDECIDED = Sentence(
    "With {sample}, {metric} and {last} are not shown to differ in {measure} ({value} and {last_value}, {p})."
)
TIED = Sentence("{tied} agree best with people in {measure} ({value} each).")
BEST = Sentence("{metric} agrees best with people in {measure} ({value}); every other metric is shown to be worse.")
NONE_WORSE = Sentence(
    "{metric} agrees best with people in {measure} ({value}), but with {sample} no metric is shown to be worse, not "
    "even {last} ({last_value})."
)
RIVALS = Sentence("{metric} agrees best with people in {measure} ({value}); not shown to be worse: {rivals}.")
SOME_WORSE = Sentence("{metric} agrees best with people in {measure} ({value}); shown to be worse: {worse}.")
MANY_WORSE = Sentence(
    "{metric} agrees best with people in {measure} ({value}); {worse} of {others} other metrics are shown to be worse."
)
FEW_SYSTEMS = Sentence("with {systems} systems nothing can be claimed of new systems: that takes {least}")
LEFT_OUT = Sentence("{reason}: left out")
ABOUT = Sentence("{metrics} · {systems} · {segments}")
ABOUT_DOCUMENTS = Sentence("{metrics} · {systems} · {segments} · {units}")
ENDING = Sentence("{systems}, {units} · {short_test}, {short_adjustment}, {swaps}, seed {seed}")
ENDING_OF_T = Sentence("{systems}, {units} · t, {short_adjustment}, seed {seed}")
MARKED = Sentence("{mark} shown to be better than all others in this measure.")
RANKS = Sentence(
    "Ranks leave the places that the shown differences allow, p ≤ {alpha:g}{after}; metrics that share a letter are "
    "not shown to differ."
)
COMPARED = Sentence("The scores of {metrics} were compared with people's scores of {systems} on {segments}.")
MEANINGS = {
    "accuracy": Sentence(
        "Pairwise accuracy is the share of pairs of systems ordered as by people (Kocmi et al. 2021)."
    ),
    "spa": Sentence("SPA is 1 minus the mean difference of one-sided p-values of systems (Thompson et al. 2024)."),
    "system-pearson": Sentence("Pearson of systems is the correlation of the scores of systems."),
    "acc23": Sentence(
        "acc-eq is the share of pairs of translations of a segment ordered as by people, or tied as by people, with "
        "the best tie threshold (Deutsch et al. 2023)."
    ),
    "kendall": Sentence("Kendall's tau-b is over the systems of each segment, averaged over segments."),
    "pearson": Sentence("Pearson of segments is the correlation of the scores of all translations."),
}
POOLED = Sentence("Measures are means of the test sets {names}.")
POOLED_ACCURACY = Sentence(
    "Of the test sets {names}, pairwise accuracy counts all pairs of systems, and other measures are means."
)
TESTED = {
    "documents": Sentence("Metrics were compared by a t-test over {units}."),
    "perm-sys": Sentence(
        "Metrics were compared by swaps of a system's standardised scores (PERM-SYS, Deutsch et al. 2021; {swaps}) and "
        "by Student's t over {units} and systems; the larger p-value counts."
    ),
    "perm-both": Sentence(
        "Metrics were compared by swaps of single standardised scores (PERM-BOTH, Deutsch et al. 2021; {swaps})."
    ),
    "pair-swaps": Sentence(
        "Metrics were compared by swaps of what they say of pairs of translations (as mt-metrics-eval; {swaps})."
    ),
}
ADJUSTED = Sentence("P-values are adjusted for all pairs of metrics ({adjustment}).")
EXTENT = Sentence("Intervals are for {claim}.")
INTERVALS = Sentence("Intervals are Student's, for {claim} (truegain {version}, seed {seed}).")

_SHORT_TESTS = {"perm-sys": "perm-sys with t"}
_SHORT_ADJUSTMENTS = ADJUSTED_BY | {"maxt": "max-T", "none": "not adjusted"}

MeasureKey = Annotated[str, field("The measure.")]


class _Estimate(Row):
    """A value by one measure, and its interval."""

    measure: MeasureKey
    metric: Annotated[str, field("The metric; of a pair the second.", show="text")]
    ci: Annotated[Ends, field("The lower and the upper end of the interval.", "{level} CI", "interval value")]
    ci_level: Level
    ci_method: IntervalKind
    standard_error: Annotated[NonNegative, field("The standard error, over what the claim extends to.")]

    @property
    def interval(self) -> Interval:
        """The interval."""
        return Interval.of(self.ci, self.ci_level, self.ci_method)


class AgreedMetric(_Estimate):
    """Agreement of a metric with people, by one measure."""

    value: Annotated[float, field("The agreement.", "agreement", "score", ge=-1.0, le=1.0)]
    chance: Annotated[float, field("What it would be by chance.", show="score", ge=-1.0, le=1.0)]
    threshold: Annotated[
        NonNegative | None,
        field(
            "The smallest tie threshold with the highest accuracy; none for other measures than acc23, and if each of "
            "several test sets has its own.",
            "tie threshold",
            "figures",
        ),
    ]
    best: Annotated[Count, field("The best place consistent with the significant differences.", "rank", "range worst")]
    worst: Annotated[Count, field("The worst place consistent with the significant differences.")]
    cluster: Annotated[
        Count,
        field("From 1: every metric of a cluster is significantly better than every metric of the clusters after it."),
    ]
    letters: Annotated[
        str, field("Two metrics that share a letter do not differ significantly; others do.", show="text")
    ]


class AgreedPair(_Estimate):
    """Two metrics by one measure."""

    baseline: Annotated[str, field("The first metric.")]
    delta: Annotated[float, field("The agreement of the second less that of the first.")]
    p: Annotated[Proportion, field("The p-value, two-sided, not adjusted.")]
    p_adjusted: Annotated[Proportion, field("Adjusted over all pairs of metrics by this measure.")]
    better: Annotated[bool | None, field("The sign of delta if p_adjusted <= alpha, else none.")]


class AgreedSet(Row):
    """A test set on which metrics were compared with people, such as a language pair."""

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
        for row in self.agreement:
            if (row.measure, row.metric) == key:
                return row
        raise no_entry(key, self._keys())

    def __iter__(self) -> Iterator[AgreedMetric]:
        return iter(self.agreement)

    def _keys(self) -> list[tuple[str, ...]]:
        return [(row.measure, row.metric) for row in self.agreement]

    @property
    def claim_words(self) -> str:
        """The claim in words: ``new systems on new documents``."""
        return f"{self.claim} on new {self.unit}s" if self.claim == "new systems" else self.claim

    def placed(self, measure: str) -> list[AgreedMetric]:
        """Return the metrics by a measure, the highest agreement first."""
        return [row for row in self.agreement if row.measure == measure]

    def pair(self, measure: str, baseline: str, metric: str) -> AgreedPair:
        """Return two metrics, in the order in which they were given."""
        for pair in self.pairs:
            if (pair.measure, pair.baseline, pair.metric) == (measure, baseline, metric):
                return pair
        raise KeyError((measure, baseline, metric))

    def used(self) -> tuple[list[str], list[str]]:
        """See :meth:`truegain.results.Result.used`."""
        metrics = [info.key.partition(":")[0] for info in self.computed]
        return metrics, list(dict.fromkeys(["truegain", *self.measures, self.test, self.adjust]))

    def to_records(self) -> list[dict[str, Any]]:
        """Return one record for each metric by each measure."""
        columns = "measure metric value ci_low ci_high ci_level standard_error chance threshold best worst cluster "
        return [record(columns + "letters claim test adjust", row, self) for row in self.agreement]

    def tables(self, decimals: int | None) -> Iterator[Table]:
        """Yield the measures of all metrics, then a ranking by each measure."""
        digits = _Shares(_PLACES if decimals is None else decimals)
        yield _summary(self, digits)
        explained: set[str] = set()
        for ranking in (_ranking(self, measure, digits) for measure in self.measures):
            yield dataclasses.replace(ranking, notes=tuple(note for note in ranking.notes if note not in explained))
            explained.update(ranking.notes)


class _Shares(Digits):
    """How measures are written: without the zero before the point."""

    def score(self, value: float) -> str:
        """Write a measure."""
        return super().score(value).replace("0.", ".", 1)


@takes(AgreeOptions)
def agree(options: AgreeOptions) -> AgreeResult:
    """Compare metrics with people: accuracy of pairs of systems, soft accuracy, accuracy with ties, correlations.

    Raises
    ------
    InputError
        If scores do not fit together, or an option does not fit the data.

    Examples
    --------
    >>> people = {"a": [1, 2, 3, 5], "b": [2, 2, 4, 5], "c": [3, 4, 4, 6]}
    >>> close = {"a": [1, 2, 3, 4], "b": [2, 2, 3, 5], "c": [3, 4, 5, 6]}
    >>> far = {"a": [3, 1, 2, 5], "b": [1, 5, 2, 2], "c": [4, 1, 3, 2]}
    >>> result = agree(people, {"close": close, "far": far}, measures=["acc23"])
    >>> [(row.metric, row.value) for row in result]
    [('close', 0.75), ('far', 0.25)]
    """
    check_count("resamples", options.resamples)
    check_seed(options.seed)
    check_alpha(options.alpha)
    sets = read_test_sets(options)
    judged = [rated.judged for rated in sets]
    test, notes = _test(options.test, min(len(scores.human) for scores in judged))
    adjustment = _adjustment(options.adjust, test)
    metrics = sets[0].scores.metrics
    with one_blas_thread():
        assessed = _assessments(judged, options, test, adjustment, notes)
        agreement = tuple(row for measured in assessed for row in measured.agreement(metrics))
        pairs = tuple(pair for measured in assessed for pair in measured.pairs(metrics))
    resamples, exhaustive = _swaps(test, judged, options)
    unit: Literal["segment", "document"] = "segment" if sets[0].scores.documents is None else "document"
    swaps = "all" if exhaustive else resamples
    measures = tuple(measured.measure.name for measured in assessed)
    result = AgreeResult(
        systems=tuple(dict.fromkeys(name for rated in sets for name in rated.scores.systems)),
        metrics=metrics,
        measures=measures,
        segments=sum(scores.human.shape[1] for scores in judged),
        test_sets=tuple(map(_set_row, sets)),
        agreement=agreement,
        pairs=pairs,
        test=test,
        adjust=adjustment,
        claim="new systems" if test == "perm-sys" else "these systems",
        alpha=options.alpha,
        unit=unit,
        n_units=sum(scores.sizes.size for scores in judged),
        resamples=resamples,
        exhaustive=exhaustive,
        seed=options.seed,
        inputs=Inputs.together(rated.scores.inputs for rated in sets),
        fingerprint=digest(sets),
        computed=sets[0].computed,
        signature=(
            f"agree:{','.join(measures)}|test:{test}|adjust:{adjustment}|unit:{unit}|R:{swaps}|seed:{options.seed}"
        ),
        notes=(*_notes_of_sets(sets), *notes),
    )
    return _in_words(result)


def _test(asked: str, systems: int) -> tuple[str, list[Note]]:
    if asked == "perm-sys" and systems < LEAST_SYSTEMS:
        raise InputError(
            f"perm-sys needs {LEAST_SYSTEMS} systems or more; there are {systems}",
            hint=("compare on these systems: ", Setting("test", "documents")),
        )
    if asked != "auto":
        return asked, []
    if systems >= LEAST_SYSTEMS:
        return "perm-sys", []
    return "documents", [Note("few-systems", FEW_SYSTEMS(systems=systems, least=LEAST_SYSTEMS))]


def _swaps(test: str, judged: Sequence[Judged], options: AgreeOptions) -> tuple[int, bool]:
    """Return the number of swaps, and whether these are all that there are."""
    if test != "perm-sys" or len(judged) > 1:
        return options.resamples, False
    masks, exhaustive = system_masks(len(judged[0].human), options.resamples, options.seed)
    return len(masks) + exhaustive, exhaustive


def _measures(asked: Sequence[str], test: str) -> list[str]:
    able = measures_of(test)
    for name in asked:
        if name not in MEASURES:
            raise one_of("measures", name, list(MEASURES))
        if name not in able:
            raise InputError(
                f"the test {test} compares metrics by {', '.join(able)}, not by {name}",
                hint=("leave ", Setting("measures"), " out, or choose another test"),
            )
    return list(dict.fromkeys(asked)) or able


def _adjustment(asked: str, test: str) -> str:
    if test == "documents" and asked == MAXT:
        raise InputError("maxt needs a test by swaps", hint=("choose ", Setting("adjust", "holm")))
    return asked if asked != "auto" else "holm" if test == "documents" else MAXT


def _assessments(
    judged: Sequence[Judged], options: AgreeOptions, test: str, adjustment: str, notes: list[Note]
) -> list[_Assessed]:
    """Measure all metrics; measures that are not defined are left out, with a note, unless they were asked for."""
    measures = _measures(options.measures, test)
    assessed = []
    for name in measures:
        try:
            assessed.append(_Assessed(name, judged, options, test, adjustment))
        except UndefinedError as error:
            if options.measures:
                raise
            notes.append(Note("no-measure", LEFT_OUT(reason=error.said), scope=LABELS[name]))
        if options.progress is not None:
            options.progress("measures", 1, len(measures))
    if not assessed:
        raise InputError("no measure is defined for these scores", hint="are there too few segments, or only ties?")
    return assessed


class _Assessed:
    """One measure of all metrics."""

    def __init__(self, name: str, judged: Sequence[Judged], options: AgreeOptions, test: str, adjustment: str) -> None:
        assessment = Assessment(name, judged, resamples=options.resamples, seed=options.seed)
        self.assessment, self.measure, self.alpha = assessment, assessment.measure, options.alpha
        self.new_systems = test == "perm-sys"
        self.spreads = assessment.spreads(new_systems=self.new_systems)
        self.delta_spreads = assessment.delta_spreads(new_systems=self.new_systems)
        self.p, self.adjusted = assessment.tested(test, adjustment)
        self.widened = test in ("documents", "perm-sys")  # whose p is never below Student's, as intervals are

    def _interval(self, middle: float, spread: Spread, least: float, most: float) -> Interval:
        """Return ``middle`` ± t(1 − α/2; ν) √V, within the range of the measure."""
        half = student_quantile(1.0 - self.alpha / 2.0, spread.freedom) * float(np.sqrt(spread.variance))
        return Interval(max(least, middle - half), min(most, middle + half), 1.0 - self.alpha, "t")

    def _no_narrower(self, interval: Interval, value: float) -> Interval:
        """Widen the interval of a share of pairs to that of independent ones: pairs that share systems tell no more.

        Otherwise a metric with all pairs right would be certain to have those of new systems right.
        """
        if self.measure.smooth or not self.new_systems:
            return interval
        pairs = self.assessment.system_pairs
        low, high = clopper_pearson(round(value * pairs), pairs, 1.0 - self.alpha)
        return replace(interval, low=min(low, interval.low), high=max(high, interval.high))

    def agreement(self, names: Sequence[str]) -> Iterator[AgreedMetric]:
        """Yield the metrics, the highest agreement first."""
        assessment = self.assessment
        better = np.zeros((len(names), len(names)), bool)
        for (a, b), delta, p in zip(assessment.metric_pairs, assessment.deltas, self.adjusted, strict=True):
            if p <= self.alpha and delta != 0.0:
                better[(b, a) if delta > 0.0 else (a, b)] = True
        ranking = rank_systems(np.round(assessment.values, 9), better)
        chance, thresholds = assessment.chance(), assessment.thresholds()
        least = -1.0 if self.measure.name in ("kendall", "pearson", "system-pearson") else 0.0
        for place in ranking.order:
            value, spread = float(assessment.values[place]), self.spreads[place]
            yield AgreedMetric(
                measure=self.measure.name,
                metric=names[place],
                value=min(max(value, least), 1.0),
                **self._no_narrower(self._interval(value, spread, least, 1.0), value).fields,
                standard_error=float(np.sqrt(spread.variance)),
                chance=float(chance[place]),
                threshold=thresholds[place],
                best=ranking.ranks[place][0],
                worst=ranking.ranks[place][1],
                cluster=ranking.clusters[place],
                letters=ranking.letters[place],
            )

    def pairs(self, names: Sequence[str]) -> Iterator[AgreedPair]:
        """Yield every two metrics."""
        for place, (a, b) in enumerate(self.assessment.metric_pairs):
            delta, spread, adjusted = self.assessment.deltas[place], self.delta_spreads[place], self.adjusted[place]
            interval = self._interval(delta, spread, -2.0, 2.0)
            if self.widened and self.p[place] > self.alpha:
                interval = replace(interval, low=min(interval.low, 0.0), high=max(interval.high, 0.0))
            shown = adjusted <= self.alpha and delta != 0.0
            yield AgreedPair(
                measure=self.measure.name,
                baseline=names[a],
                metric=names[b],
                delta=delta,
                **interval.fields,
                standard_error=float(np.sqrt(spread.variance)),
                p=self.p[place],
                p_adjusted=adjusted,
                better=delta > 0.0 if shown else None,
            )


def _set_row(rated: RatedSet) -> AgreedSet:
    return AgreedSet(
        name=rated.name,
        systems=rated.scores.systems,
        segments=rated.judged.human.shape[1],
        n_units=rated.judged.sizes.size,
        human=tuple(rated.scores.human_systems.tolist()),
        scores=tuple(tuple(scores) for scores in rated.scores.metric_systems.tolist()),
    )


def _notes_of_sets(sets: Sequence[RatedSet]) -> list[Note]:
    """Return what is to know of each test set, which is named if there are several."""
    notes = [(rated.name, note) for rated in sets for note in (*rated.scores.notes, *rated.doubts())]
    return [note if len(sets) == 1 else note.about(name) for name, note in notes]


# ---- Words


def _in_words(result: AgreeResult) -> AgreeResult:
    """Return the result with its answer, its methods and its last line."""
    slots = _slots(result)
    shown = _shown(result)
    origins = [note for note in result.notes if note.kind == "system-scores" and not (note.file or note.warning)]
    methods = [COMPARED(**slots), *(MEANINGS[measure]() for measure in result.measures), *_pooling(result, slots)]
    if result.pairs:
        methods.append(TESTED[result.test](**slots))
    if result.pairs and result.adjust != "none":
        methods.append(ADJUSTED(**slots))
    return replace(
        result,
        about=(ABOUT_DOCUMENTS if result.unit == "document" else ABOUT)(**slots),
        findings=tuple(
            _finding(result, measure, slots) for measure in shown if measure != "accuracy" or "spa" not in shown
        ),
        notes=tuple(note for note in result.notes if note not in origins),
        ending=(ENDING_OF_T if result.test == "documents" else ENDING)(**slots),
        methods=" ".join([*methods, INTERVALS(**slots), *(f"{note}." for note in origins)]),
    )


def _slots(result: AgreeResult) -> dict[str, Any]:
    """Return what sentences are filled with."""
    systems = whole(sum(len(rated.systems) for rated in result.test_sets), "system")
    units = whole(result.n_units, result.unit)
    return {
        "metrics": whole(len(result.metrics), "metric"),
        "systems": systems,
        "segments": whole(result.segments, "rated segment"),
        "units": units,
        "names": listing([rated.name for rated in result.test_sets]),
        "claim": result.claim_words,
        "sample": systems if result.claim == "new systems" else units,
        "swaps": "all swaps" if result.exhaustive else f"{result.resamples:,} swaps",
        "short_test": _SHORT_TESTS.get(result.test, result.test),
        "short_adjustment": _SHORT_ADJUSTMENTS[result.adjust],
        "adjustment": ADJUSTED_BY.get(result.adjust),
        "after": after_words(result.adjust),
        "alpha": result.alpha,
        "level": level_words(result.alpha),
        "seed": result.seed,
        "version": __version__,
    }


def _pooling(result: AgreeResult, slots: Mapping[str, Any]) -> list[str]:
    """Say how several test sets are put together."""
    if len(result.test_sets) == 1:
        return []
    sentence = POOLED_ACCURACY if "accuracy" in result.measures else POOLED
    return [sentence(**slots)]


def _shown(result: AgreeResult) -> list[str]:
    """Return the measures of the summary, SPA first: all if they are few."""
    if len(result.measures) > _MOST_SHOWN:
        return [measure for measure in _SUMMARY if measure in result.measures]
    return sorted(result.measures, key=lambda measure: measure != "spa")


def _finding(result: AgreeResult, measure: str, slots: dict[str, Any]) -> Finding:
    """Say which metric agrees best with people, and which are not shown to be worse."""
    digits = _Shares(_PLACES)
    first, *others = result.placed(measure)
    slots = slots | {"metric": first.metric, "measure": LABELS[measure], "value": digits.score(first.value)}
    if not others:
        interval = interval_text(first.interval.low, first.interval.high, digits.score)
        return Finding(ALONE(**slots, interval=interval))
    pairs = {pair.baseline: pair for pair in result.pairs if (pair.measure, pair.metric) == (measure, first.metric)}
    pairs |= {pair.metric: pair for pair in result.pairs if (pair.measure, pair.baseline) == (measure, first.metric)}
    rivals = [row.metric for row in others if pairs[row.metric].better is None]
    worse = [row.metric for row in others if row.metric not in rivals]
    tied = [row.metric for row in others if round(first.value - row.value, 9) == 0.0]
    last = others[-1]
    slots |= {"last": last.metric, "last_value": digits.score(last.value), "p": f"p {p_words(pairs[last.metric].p)}"}
    if len(others) == 1:
        return Finding(TWO_UNDECIDED(**slots), "undecided") if rivals else Finding(TWO_DIFFER(**slots), "good")
    if tied:
        leaders = [first.metric, *tied]
        if len(leaders) > _MOST_NAMED:
            leaders[_MOST_NAMED:] = [f"{len(leaders) - _MOST_NAMED} more"]
        return Finding(TIED(**slots, tied=listing(leaders)), "undecided")
    if not rivals:
        return Finding(BEST(**slots), "good")
    if not worse:
        return Finding(NONE_WORSE(**slots), "undecided")
    if len(rivals) <= _MOST_NAMED:
        return Finding(RIVALS(**slots, rivals=listing(rivals)))
    if len(worse) <= _MOST_NAMED:
        return Finding(SOME_WORSE(**slots, worse=listing(worse)))
    return Finding(MANY_WORSE(**slots, worse=len(worse), others=len(others)))


# ---- Tables


def _summary(result: AgreeResult, digits: Digits) -> Table:
    """Return the measures of all metrics, with the interval of the first; ▸ marks what is better than all others."""
    lead, *others = _shown(result)
    values = {"value": lead} | {f"{measure}.value": measure for measure in others}
    summary = table(
        [
            {lead: row, "": row} | {measure: result[measure, row.metric] for measure in others}
            for row in result.placed(lead)
        ],
        " ".join(["metric value ci", *list(values)[1:]]),
        digits,
        headings={column: LABELS[measure] for column, measure in values.items()}
        | {"ci": f"{level_words(result.alpha)} CI of {LABELS[lead]}"},
        caption="Agreement with people",
        slots=slots_of(result),
        tones={column: partial(_tone_of_best, measure) for column, measure in values.items() if result.pairs},
    )
    best = any(cell.tone == "strong" for row in summary.rows for cell in row)
    notes = [*([MARKED(mark=_MARK)] if best else []), *_pooling(result, _slots(result))]
    rows = tuple(tuple(map(_marked, row)) for row in summary.rows)
    return dataclasses.replace(summary, rows=rows, notes=tuple(notes))


def _marked(cell: Cell) -> Cell:
    """Mark what is best; intervals are drawn beside rankings, where they are of the last column."""
    return dataclasses.replace(cell, text=f"{_MARK} {cell.text}" if cell.tone == "strong" else cell.text, span=None)


def _tone_of_best(measure: str, row: Mapping[str, AgreedMetric]) -> Tone:
    """Return the tone of a metric's measure: strong if it is shown to be better than all others."""
    return "strong" if row[measure].worst == 1 else "plain"


def _ranking(result: AgreeResult, measure: str, digits: Digits) -> Table:
    """Return the metrics by a measure: ranks and letters if they differ, intervals, chance and tie thresholds."""
    placed = result.placed(measure)
    slots = _slots(result)
    differ = len({row.letters for row in placed}) > 1
    columns, notes = "metric value ci chance threshold?", [MEANINGS[measure]()]
    if differ:
        columns = f"best {columns} letters"
        notes.append(RANKS(**slots))
    ranking = table(
        placed,
        columns,
        digits,
        headings={"metric": LABELS[measure]},
        caption=f"Metrics by {LABELS[measure]}",
        notes=[*notes, EXTENT(**slots)],
        slots=slots_of(result),
        breaks="cluster",
        tones={"metric": lambda row: "strong" if differ and row.best == 1 else "plain"},
    )
    return dataclasses.replace(ranking, kind="further")
