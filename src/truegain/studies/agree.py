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
from truegain.errors import InputError, Setting, one_of, some
from truegain.executors.processors import one_blas_thread
from truegain.experiment import check_options
from truegain.inference.distributions import student_quantile
from truegain.inference.intervals import Alpha, Ends, Interval, IntervalKind, Level
from truegain.inference.multiplicity import MAXT
from truegain.inference.pvalues import clopper_pearson
from truegain.inference.ranking import rank_systems
from truegain.inference.results import Adjustment, MetricInfo
from truegain.inputs import Inputs
from truegain.notes import Finding, Note, Tone
from truegain.report.model import Table
from truegain.results import Result, no_entry
from truegain.rows import Count, NonNegative, Proportion, Row, Seed, field, record
from truegain.settings.agree import AgreeOptions
from truegain.settings.function import takes
from truegain.studies.agree_sets import RatedSet, digest, read_test_sets
from truegain.view import Digits, interval_text, slots_of, stacked, table
from truegain.words import ADJUSTED_BY, Sentence, after_words, level_words, listing, p_words, whole

#: What measures are called.
LABELS = {name: measure.label for name, measure in MEASURES.items()}

_SUMMARY = ("spa", "accuracy", "acc23")  # where there are more measures than a screen holds
_MOST_SHOWN = 4  # measures
_MOST_NAMED = 3  # metrics
_PLACES = 3

ALONE = Sentence("The agreement of {metric} with people is {value} in {measure} ({level} CI {interval}).")
TIED = Sentence("{tied} agree best with people in {measure} ({value} each).")
BEST = Sentence(
    "{metric} agrees best with people in {measure} ({value}); every other metric is shown to be worse (next {next}, "
    "{next_value}, {next_p})."
)
NONE_WORSE = Sentence(
    "{metric} agrees best with people in {measure} ({value}), but with {sample} no metric is shown to be worse, not "
    "even {last} ({last_value}, {last_p})."
)
RIVALS = Sentence("{metric} agrees best with people in {measure} ({value}); not shown to be worse: {rivals}.")
FEW_SYSTEMS = Sentence("with {systems} systems nothing can be claimed of new systems: that takes {least}")
LEFT_OUT = Sentence("{reason}: left out")
ABOUT = Sentence("{metrics} · {systems} · {segments}")
ENDING = Sentence("{systems}, {units} · {result.test} ({draws}), {result.adjust}, seed {result.seed}")
MARKED = Sentence("▸ shown to be better than all others in this measure.")
RANKS = Sentence(
    "Ranks leave the places that the shown differences allow, p ≤ {result.alpha:g}{after}; metrics that share a letter "
    "are not shown to differ."
)
COMPARED = Sentence(
    "The scores of {metrics} were compared with people's scores of {systems} on {segments}, by {measures}."
)
NAMES = {
    "accuracy": "pairwise accuracy (Kocmi et al. 2021)",
    "spa": "soft pairwise accuracy (SPA, Thompson et al. 2024)",
    "system-pearson": "Pearson's correlation of systems",
    "acc23": "pairwise accuracy of translations with tie calibration (acc-eq, Deutsch et al. 2023)",
    "kendall": "Kendall's tau-b per segment",
    "pearson": "Pearson's correlation of translations",
}
POOLED = Sentence("Measures are means of the test sets {names}; pairwise accuracy counts all pairs of their systems.")
TESTED = {
    "documents": Sentence("Metrics were compared by a t-test over {units}."),
    "perm-sys": Sentence(
        "Metrics were compared by swaps of a system's standardised scores (PERM-SYS, Deutsch et al. 2021; {swaps}) and "
        "by Student's t over {units} and systems; the larger p-value counts."
    ),
    "perm-both": Sentence("Metrics were compared by swaps of scores (PERM-BOTH, Deutsch et al. 2021; {swaps})."),
    "pair-swaps": Sentence("Metrics were compared by swaps of pairs of scores (as mt-metrics-eval; {swaps})."),
}
ADJUSTED = Sentence("P-values are adjusted for all pairs of metrics ({adjustment}).")
INTERVALS = Sentence(
    "Intervals are Student's, for {result.claim_words} (truegain {result.version}, seed {result.seed})."
)

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
        field("The smallest tie threshold with the highest accuracy, of acc23 on one test set; else none."),
    ]
    best: Annotated[Count, field("The best place consistent with the significant differences.", "rank", "range worst")]
    worst: Annotated[Count, field("The worst place consistent with the significant differences.")]
    cluster: Annotated[Count, field("From 1: every metric is significantly better than those of later clusters.")]
    letters: Annotated[str, field("Metrics that share a letter do not differ significantly; others do.", show="text")]


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
    agreement: Annotated[tuple[AgreedMetric, ...], field("By measure, the highest agreement first.", min_length=1)]
    pairs: Annotated[tuple[AgreedPair, ...], field("Every two metrics, measure by measure.")]
    test: Annotated[str, field("The test of pairs.")]
    adjust: Adjustment
    claim: Annotated[Literal["these systems", "new systems"], field("What intervals and the test extend to.")]
    alpha: Alpha
    unit: Annotated[Literal["segment", "document"], field("What variances are over, beside systems.")]
    n_units: Annotated[Count, field("The number of units.")]
    resamples: Annotated[Count, field("The number of swaps.")]
    exhaustive: Annotated[bool, field("Whether these are all swaps.")]
    seed: Annotated[Seed, field("The seed.")]
    inputs: Annotated[Inputs, field("What was read.")]
    fingerprint: Annotated[str, field("A digest of all scores.")]
    computed: Annotated[tuple[MetricInfo, ...], field("The metrics computed from outputs, as they were used.")] = ()

    def __getitem__(self, key: tuple[str, str]) -> AgreedMetric:
        known = {(row.measure, row.metric): row for row in self.agreement}
        if key not in known:
            raise no_entry(key, self._keys())
        return known[key]

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
        """Yield the measures of all metrics, then rankings by each measure."""
        digits = _Shares(_PLACES if decimals is None else decimals)
        yield _summary(self, digits)
        columns = "metric best value ci chance letters"
        caption, slots = "Metrics by each measure", _slots(self)
        rankings = []
        for measure in self.measures:
            rows, headings = self.placed(measure), {"metric": LABELS[measure]}
            ranking = table(rows, columns, digits, caption=caption, headings=headings, slots=slots, breaks="cluster")
            rankings.append(dataclasses.replace(ranking, notes=(RANKS(**slots),)))
        yield dataclasses.replace(stacked(rankings), kind="further")


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
    >>> result = agree(people, {"close": close}, measures=["acc23"])
    >>> [(row.metric, row.value) for row in result]
    [('close', 0.75)]
    """
    check_options(options)
    sets = read_test_sets(options)
    judged = [rated.judged for rated in sets]
    options, notes = _with_test(options, min(len(scores.human) for scores in judged))
    with one_blas_thread():
        agreement, pairs = _measured(judged, sets[0].scores.metrics, options, notes)
    resamples, exhaustive = options.resamples, False
    if options.test == "perm-sys" and len(sets) == 1:
        masks, exhaustive = system_masks(len(judged[0].human), options.resamples, options.seed)
        resamples = len(masks) + exhaustive
    measures = tuple(dict.fromkeys(row.measure for row in agreement))
    unit: Literal["segment", "document"] = "segment" if sets[0].scores.documents is None else "document"
    of_sets = [(rated.name, note) for rated in sets for note in (*rated.scores.notes, *rated.doubts())]
    result = AgreeResult(
        systems=tuple(dict.fromkeys(name for rated in sets for name in rated.scores.systems)),
        metrics=sets[0].scores.metrics,
        measures=measures,
        segments=sum(scores.human.shape[1] for scores in judged),
        test_sets=tuple(map(_set_row, sets)),
        agreement=tuple(agreement),
        pairs=tuple(pairs),
        test=options.test,
        adjust=options.adjust,
        claim="new systems" if options.test == "perm-sys" else "these systems",
        alpha=options.alpha,
        unit=unit,
        n_units=sum(scores.sizes.size for scores in judged),
        resamples=resamples,
        exhaustive=exhaustive,
        seed=options.seed,
        inputs=Inputs.together(rated.scores.inputs for rated in sets),
        fingerprint=digest(sets),
        computed=sets[0].computed,
        signature=f"agree:{','.join(measures)}|test:{options.test}|adjust:{options.adjust}|unit:{unit}"
        f"|R:{'all' if exhaustive else resamples}|seed:{options.seed}",
        notes=(*(note if len(sets) == 1 else note.about(name) for name, note in of_sets), *notes),
    )
    return _in_words(result)


def _with_test(options: AgreeOptions, systems: int) -> tuple[AgreeOptions, list[Note]]:
    """Return the options with the test and the adjustment chosen, and what to know of the choice."""
    notes = []
    if options.test == "auto" and systems < LEAST_SYSTEMS:
        options = options.changed(test="documents")
        notes = [Note("few-systems", FEW_SYSTEMS(systems=systems, least=LEAST_SYSTEMS))]
    elif options.test == "auto":
        options = options.changed(test="perm-sys")
    elif options.test == "perm-sys" and systems < LEAST_SYSTEMS:
        raise InputError(
            f"perm-sys needs {LEAST_SYSTEMS} systems or more; there are {systems}",
            hint=("compare on these systems: ", Setting("test", "documents")),
        )
    if options.test == "documents" and options.adjust == MAXT:
        raise InputError("maxt needs a test by swaps", hint=("choose ", Setting("adjust", "holm")))
    if options.adjust == "auto":
        options = options.changed(adjust={"documents": "holm"}.get(options.test, MAXT))
    return options, notes


def _measured(
    judged: Sequence[Judged], metrics: Sequence[str], options: AgreeOptions, notes: list[Note]
) -> tuple[list[AgreedMetric], list[AgreedPair]]:
    """Measure all metrics; measures that are not defined are left out, with a note, unless they were asked for."""
    able = measures_of(options.test)
    for name in options.measures:
        if name not in MEASURES:
            raise one_of("measures", name, list(MEASURES))
        if name not in able:
            raise InputError(
                f"the test {options.test} compares metrics by {', '.join(able)}, not by {name}",
                hint=("leave ", Setting("measures"), " out, or choose another test"),
            )
    measures = list(dict.fromkeys(options.measures)) or able
    agreement: list[AgreedMetric] = []
    pairs: list[AgreedPair] = []
    for name in measures:
        try:
            assessment = Assessment(name, judged, resamples=options.resamples, seed=options.seed)
            of_measure = list(_pairs(assessment, metrics, options))
            agreement += _agreement(assessment, metrics, of_measure, options)
            pairs += of_measure
        except UndefinedError as error:
            if options.measures:
                raise
            notes.append(Note("no-measure", LEFT_OUT(reason=error.said), scope=LABELS[name]))
        if options.progress is not None:
            options.progress("measures", 1, len(measures))
    if not agreement:
        raise InputError("no measure is defined for these scores", hint="are there too few segments, or only ties?")
    return agreement, pairs


def _pairs(assessment: Assessment, metrics: Sequence[str], options: AgreeOptions) -> Iterator[AgreedPair]:
    """Yield every two metrics by one measure."""
    test, alpha = options.test, options.alpha
    spreads = assessment.delta_spreads(new_systems=test == "perm-sys")
    tested = zip(*assessment.tested(test, options.adjust), strict=True)
    rows = zip(assessment.metric_pairs, assessment.deltas, spreads, tested, strict=True)
    for (a, b), delta, spread, (p, adjusted) in rows:
        interval = _interval(delta, spread, alpha, (-2.0, 2.0))
        if p > alpha and test in ("documents", "perm-sys"):  # whose p is never below Student's, as intervals are
            interval = replace(interval, low=min(interval.low, 0.0), high=max(interval.high, 0.0))
        yield AgreedPair(
            measure=assessment.measure.name,
            baseline=metrics[a],
            metric=metrics[b],
            delta=delta,
            **interval.fields,
            standard_error=float(np.sqrt(spread.variance)),
            p=p,
            p_adjusted=adjusted,
            better=delta > 0.0 if adjusted <= alpha and delta != 0.0 else None,
        )


def _agreement(
    assessment: Assessment, metrics: Sequence[str], pairs: Sequence[AgreedPair], options: AgreeOptions
) -> Iterator[AgreedMetric]:
    """Yield the metrics by one measure, the highest agreement first."""
    measure, new_systems = assessment.measure, options.test == "perm-sys"
    better = np.zeros((len(metrics), len(metrics)), bool)
    for (a, b), pair in zip(assessment.metric_pairs, pairs, strict=True):
        better[b, a], better[a, b] = pair.better is True, pair.better is False
    ranking = rank_systems(np.round(assessment.values, 9), better)
    spreads = assessment.spreads(new_systems=new_systems)
    chance, thresholds = assessment.chance(), assessment.thresholds()
    least = -1.0 if measure.name in ("kendall", "pearson", "system-pearson") else 0.0
    for place in ranking.order:
        value, spread = float(assessment.values[place]), spreads[place]
        interval = _interval(value, spread, options.alpha, (least, 1.0))
        if new_systems and not measure.smooth:
            # Pairs that share systems tell no more than independent ones: all right here is no certainty.
            count = assessment.system_pairs
            low, high = clopper_pearson(round(value * count), count, 1.0 - options.alpha)
            interval = replace(interval, low=min(low, interval.low), high=max(high, interval.high))
        yield AgreedMetric(
            measure=measure.name,
            metric=metrics[place],
            value=min(max(value, least), 1.0),
            **interval.fields,
            standard_error=float(np.sqrt(spread.variance)),
            chance=float(chance[place]),
            threshold=thresholds[place],
            best=ranking.ranks[place][0],
            worst=ranking.ranks[place][1],
            cluster=ranking.clusters[place],
            letters=ranking.letters[place],
        )


def _interval(middle: float, spread: Spread, alpha: float, limits: tuple[float, float]) -> Interval:
    """Return ``middle`` ± t(1 − α/2; ν) √V, within the range of the measure."""
    half = student_quantile(1.0 - alpha / 2.0, spread.freedom) * float(np.sqrt(spread.variance))
    return Interval(max(limits[0], middle - half), min(limits[1], middle + half), 1.0 - alpha, "t")


def _set_row(rated: RatedSet) -> AgreedSet:
    return AgreedSet(
        name=rated.name,
        systems=rated.scores.systems,
        segments=rated.judged.human.shape[1],
        n_units=rated.judged.sizes.size,
        human=tuple(rated.scores.human_systems.tolist()),
        scores=tuple(map(tuple, rated.scores.metric_systems.tolist())),
    )


# ---- Words


def _in_words(result: AgreeResult) -> AgreeResult:
    """Return the result with its answer, its methods and its last line."""
    slots, shown = _slots(result), _shown(result)
    origins = [note for note in result.notes if note.kind == "system-scores" and not (note.file or note.warning)]
    methods = [COMPARED(**slots, measures=listing([NAMES[measure] for measure in result.measures]))]
    if len(result.test_sets) > 1:
        methods.append(POOLED(**slots))
    if result.pairs:
        methods.append(TESTED[result.test](**slots))
    if result.pairs and result.adjust != "none":
        methods.append(ADJUSTED(**slots))
    told = [measure for measure in shown if measure != "accuracy" or "spa" not in shown]
    return replace(
        result,
        about=ABOUT(**slots),
        findings=tuple(_finding(result, measure, slots) for measure in told),
        notes=tuple(note for note in result.notes if note not in origins),
        ending=ENDING(**slots),
        methods=" ".join([*methods, INTERVALS(**slots), *(f"{note}." for note in origins)]),
    )


def _slots(result: AgreeResult) -> dict[str, Any]:
    """Return what sentences are filled with."""
    systems = whole(sum(len(rated.systems) for rated in result.test_sets), "system")
    units = whole(result.n_units, result.unit)
    swaps = "all swaps" if result.exhaustive else f"{result.resamples:,} swaps"
    return slots_of(result) | {
        "metrics": whole(len(result.metrics), "metric"),
        "systems": systems,
        "segments": whole(result.segments, "rated segment"),
        "units": units,
        "names": listing([rated.name for rated in result.test_sets]),
        "sample": {"new systems": systems, "these systems": units}[result.claim],
        "swaps": swaps,
        "draws": {"documents": "Student's t"}.get(result.test, swaps),
        "adjustment": ADJUSTED_BY.get(result.adjust),
        "after": after_words(result.adjust),
    }


def _shown(result: AgreeResult) -> list[str]:
    """Return the measures of the summary, SPA first: all if they are few."""
    if len(result.measures) > _MOST_SHOWN:
        return [measure for measure in _SUMMARY if measure in result.measures]
    return sorted(result.measures, key=lambda measure: measure != "spa")


def _finding(result: AgreeResult, measure: str, slots: dict[str, Any]) -> Finding:
    """Say which metric agrees best with people, and which are not shown to be worse."""
    write = _Shares(_PLACES).score
    first, *others = result.placed(measure)
    slots = slots | {"metric": first.metric, "measure": LABELS[measure], "value": write(first.value)}
    if not others:
        return Finding(ALONE(**slots, interval=interval_text(first.interval.low, first.interval.high, write)))
    pairs = [result.pair(measure, *sorted((first.metric, row.metric), key=result.metrics.index)) for row in others]
    rivals = [row.metric for row, pair in zip(others, pairs, strict=True) if pair.better is None]
    tied = [first.metric, *(row.metric for row in others if round(first.value - row.value, 9) == 0.0)]
    for name, row, pair in (("next", others[0], pairs[0]), ("last", others[-1], pairs[-1])):
        slots |= {name: row.metric, f"{name}_value": write(row.value), f"{name}_p": f"p {p_words(pair.p_adjusted)}"}
    if len(tied) > 1:
        return Finding(TIED(**slots, tied=some(tied, _MOST_NAMED, " and ")), "undecided")
    if not rivals:
        return Finding(BEST(**slots), "good")
    if len(rivals) == len(others):
        return Finding(NONE_WORSE(**slots), "undecided")
    return Finding(RIVALS(**slots, rivals=some(rivals, _MOST_NAMED)))


def _summary(result: AgreeResult, digits: Digits) -> Table:
    """Return the measures of all metrics, with the interval of the first; ▸ marks what is better than all others."""
    lead, *others = _shown(result)
    columns = {"value": lead} | {f"{measure}.value": measure for measure in others}
    headings = {column: LABELS[measure] for column, measure in columns.items()}
    headings["ci"] = f"{level_words(result.alpha)} CI of {LABELS[lead]}"
    tones = {column: partial(_tone_of_best, measure) for column, measure in columns.items() if result.pairs}
    joined = [{measure: result[measure, row.metric] for measure in (lead, *others)} for row in result.placed(lead)]
    rows_of_metrics = [{"": row[lead]} | row for row in joined]
    names = " ".join(["metric value ci", *list(columns)[1:]])
    caption = "Agreement with people"
    summary = table(rows_of_metrics, names, digits, headings=headings, caption=caption, tones=tones)
    rows = [
        [dataclasses.replace(cell, text="▸ " * (cell.tone == "strong") + cell.text, span=None) for cell in row]
        for row in summary.rows
    ]
    marked = any(cell.tone == "strong" for row in rows for cell in row)
    return dataclasses.replace(summary, rows=tuple(map(tuple, rows)), notes=(MARKED(),) * marked)


def _tone_of_best(measure: str, row: Mapping[str, AgreedMetric]) -> Tone:
    """Return the tone of a metric's measure: strong if it is shown to be better than all others."""
    return "strong" if row[measure].worst == 1 else "plain"
