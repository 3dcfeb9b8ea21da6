"""Inspection of the segments, documents, lengths, words and n-grams that made the difference between two systems."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from truegain.cautions import size_note
from truegain.changed_segments import ChangedPair, ChangedSegment
from truegain.corpus import Corpus, System
from truegain.errors import InputError, Setting
from truegain.executors.processors import available_jobs
from truegain.experiment import Experiment, TwoRuns, check_options, median_runs, with_development
from truegain.experiment.contributions import RunNumber, changed_pair, most_changed
from truegain.inference.results import MetricInfo, Metrics, Scores, TestSet
from truegain.metrics.base import Metric
from truegain.notes import Finding, Note, Tone
from truegain.readers.plain import read_pieces
from truegain.report.differences import Stretch, compared
from truegain.report.model import Line, Passage, Passages, Piece, Table
from truegain.results import Result, no_entry
from truegain.rows import Baseline, MetricKey, Number, Row, field, record
from truegain.rows import System as SystemName
from truegain.settings.function import takes
from truegain.settings.inspect import InspectOptions, Records
from truegain.studies.given import check_pair, corpus_of, development_of
from truegain.studies.inspect_words import (
    SIDES,
    USES,
    GroupGain,
    NgramUse,
    Side,
    Use,
    WordBucket,
    check_edges,
    group_gains,
    length_labels,
    ngram_uses,
    word_buckets,
)
from truegain.text.usage import SideBySide
from truegain.version import __version__
from truegain.view import Digits, digits_of, segments_item, stacked, table
from truegain.words import Sentence, contribution_digits, decimal, describe_testset, heading_of, listing, whole

if TYPE_CHECKING:
    from truegain.report.page import Section

_ORDER = 4  # of the longest n-grams
_ADDS_UP = 0.02  # of the gain: how far the sum of contributions may be from it without a word
_LONGEST = 1_000  # characters of a line that are shown
_LABEL = 12  # characters of a system's name before its output
_LINK = re.compile(r"[0-9]+[-p?][0-9]+")  # of an alignment
_BLANKS = re.compile(r"\s+|\S+")
# What would turn the text after it about.
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")

_GROUP = "segments baseline_score system_score delta contribution share"
_SEGMENT = "metric segment=number document contribution share baseline_score system_score"
_WORD = (
    "frequency types reference=wanted baseline_produced=produced_low baseline_matched=matched_low "
    "baseline_precision=precision_low baseline_recall=recall_low baseline_f1=f1_low system_produced=produced_high "
    "system_matched=matched_high system_precision=precision_high system_recall=recall_high system_f1=f1_high "
    "delta_f1=delta"
)
_NGRAM = (
    "use more ngram order difference reference baseline_produced=produced_low system_produced=produced_high "
    "baseline_matched=matched_low system_matched=matched_high"
)
#: The lists of n-grams in their order.
_LISTS = [(use, more) for use in USES for more in SIDES]
_USE_HEADINGS = {"right": "more often right in", "over": "more overused by", "under": "more underused by"}

MOVED = Sentence(
    "{metric} {old} → {new} ({delta}): {up:,} of {items} favour {system} ({sum_up}), {down:,} favour {baseline} "
    "({sum_down})."
)
MOVED_LOWER_IS_BETTER = Sentence(
    "{metric} {old} → {new} ({delta}, + is better): {up:,} of {items} favour {system} ({sum_up}), {down:,} favour "
    "{baseline} ({sum_down})."
)
MOVED_UNDIRECTED = Sentence(
    "{metric} {old} → {new} ({delta}): {up:,} of {items} raise it ({sum_up}), {down:,} lower it ({sum_down})."
)
#: By whether higher scores are better.
MOVEMENTS = {True: MOVED, False: MOVED_LOWER_IS_BETTER, None: MOVED_UNDIRECTED}
FAVOURING = Sentence("Most in favour of {system} ({metric})")
RAISING = Sentence("{metric} raised most")
LOWERING = Sentence("{metric} lowered most")
WORDS_CAPTION = Sentence("Words by their frequency in {source}: baseline → system, in percent")
WORDS_OF_NONE = Sentence("Of words that no reference has, {baseline} uses {old:,} and {system} {new:,}.")

NOT_TESTED = Sentence(
    "What is listed was chosen because it differs: this describes the test set, and compare tests the gain"
)
NOT_ADDITIVE = Sentence(
    "Contributions to {metric} add up to {total}, not to {delta}, which happens to BLEU if only one output is shorter "
    "than the references: go by their order, not by their shares"
)
MEDIAN_RUNS = Sentence("The outputs are those of the median runs under {metrics}: {old} and {new}")
OTHER_MEANS = Sentence("Between the means over runs, Δ {metric} is {delta}")
NO_TEXTS = Sentence("There are no texts, so there is nothing to say of lengths, words and n-grams")
STRUCTURES = Sentence("{metric} is not of texts, so there is nothing to say of lengths, words and n-grams")

CONTRIBUTIONS = Sentence(
    "A contribution is half of what Δ loses if the two outputs of a segment, or of a group of segments, are swapped, "
    "as approximate randomization swaps them at random. Contributions of both signs offset each other, so the share of "
    "one may be large, or negative."
)
WORDS_COUNTED = Sentence(
    "Words are counted in {source}; in each segment a word or n-gram is right as often as the reference has it."
)
SEVERAL_REFERENCES = Sentence("Of several references, the one that has most of it counts, as in BLEU.")
WORDS_OF_RUNS = Sentence("Words and n-grams are those of {old} and {new}, the median runs under {metric}.")


class Movement(Row):
    """The gain between the median runs under one metric, and how many segments favour the system and the baseline."""

    metric: MetricKey
    baseline_run: Annotated[str, field("The baseline's median run.")]
    system_run: Annotated[str, field("The system's median run.")]
    baseline_score: Annotated[float, field("The score of the baseline's median run.")]
    system_score: Annotated[float, field("The score of the system's median run.")]
    delta: Annotated[float, field("The gain between the two median runs; positive if the system is better.")]
    delta_of_means: Annotated[float, field("The gain between the means over all runs.")]
    up: Annotated[Number, field("The number of segments that contribute to the gain.")]
    down: Annotated[Number, field("The number of segments that contribute to its contrary.")]
    still: Annotated[Number, field("The number of segments that contribute nothing.")]
    sum_up: Annotated[float, field("The sum of the contributions to the gain.")]
    sum_down: Annotated[float, field("The sum of the contributions to its contrary.")]


class AllSegments(Row):
    """All segments under a metric."""

    metric: MetricKey
    segments: Annotated[tuple[ChangedSegment, ...], field("The segments in their order.")]


class InspectResult(Result, tag="inspect", kw_only=True, rename={"scores": "systems", "every_segment": "segments"}):
    """Segments, documents, lengths, words and n-grams that made the difference between two systems."""

    title = "Which segments made the difference?"
    study: ClassVar[str] = "inspect"

    testset: Annotated[TestSet, field("The test set.")]
    metrics: Metrics
    scores: Annotated[Scores, field("The scores of the two systems, over all their runs.")]
    baseline: Baseline
    system: SystemName
    movements: Annotated[tuple[Movement, ...], field("The gain between the median runs, one per metric.")]
    changed_segments: Annotated[tuple[ChangedPair, ...], field("The segments that changed most, one list per metric.")]
    documents: Annotated[
        tuple[GroupGain, ...],
        field("All documents under every metric, those that changed most first; empty if they are not known."),
    ]
    lengths: Annotated[
        tuple[GroupGain, ...],
        field("Segments by the length of their reference in words, under every metric; empty without texts."),
    ]
    words: Annotated[
        tuple[WordBucket, ...],
        field("Words by frequency, of the median runs under the first metric; empty without texts."),
    ]
    ngrams: Annotated[tuple[NgramUse, ...], field("The n-grams that differ most, of the same runs.")]
    count: Annotated[Number, field("The number of segments and documents that are listed each way.")]
    tokenize: Annotated[str, field("How texts were split for lengths, words and n-grams.")]
    frequencies: Annotated[
        str | None, field("The text whose counts are the frequencies of words; none for the references.")
    ]
    every_segment: Annotated[
        tuple[AllSegments, ...], field("All segments in their order, metric by metric, if they were asked for.")
    ] = ()
    records: Annotated[Records, field("What flat records are made of.")] = "segments"

    @property
    def everything(self) -> dict[str, tuple[ChangedSegment, ...]]:
        """By metric, all segments in their order, if they were asked for."""
        return {listed.metric: listed.segments for listed in self.every_segment}

    def __getitem__(self, metric: str) -> ChangedPair:
        for pair in self.changed_segments:
            if pair.metric == metric:
                return pair
        raise no_entry(metric, (pair.metric for pair in self.changed_segments))

    def _keys(self) -> list[tuple[str, ...]]:
        return [(pair.metric,) for pair in self.changed_segments]

    def movement(self, metric: str) -> Movement:
        """Return the gain between the median runs under a metric."""
        for movement in self.movements:
            if movement.metric == metric:
                return movement
        raise KeyError(metric)

    def tables(self, decimals: int | None) -> Iterator[Table | Passages]:
        """Yield the segments that changed most, then documents, lengths, words and n-grams."""
        for metric, pair in zip(self.metrics, self.changed_segments, strict=True):
            yield from _passages(self, metric, pair, decimals)
        lengths = [group for group in self.lengths if group.segments]
        for what, groups in (("document", _first_documents(self)), ("length", lengths)):
            own = [(metric, [group for group in groups if group.metric == metric.key]) for metric in self.metrics]
            tables = [_group_table(self, metric, rows, what, decimals) for metric, rows in own if rows]
            if tables:
                yield stacked(tables)
        yield from _word_tables(self)
        ngrams = [
            (use, more, [one for one in self.ngrams if (one.use, one.more) == (use, more)]) for use, more in _LISTS
        ]
        if self.ngrams:
            yield stacked([_ngram_table(self, use, more, rows) for use, more, rows in ngrams if rows])

    def appendix(self, *, decimals: int | None = None) -> tuple[Section, ...]:
        """Return the segments that changed most, to look through."""
        if not any(pair.up or pair.down for pair in self.changed_segments):
            return ()
        from truegain.report.page import Section

        return (Section("Segments that changed most", (segments_item(self, self.changed_segments, decimals),)),)

    def to_records(self) -> list[dict[str, Any]]:
        """Return one record for each segment that is listed, or for all if they were asked for.

        Or for the documents, lengths, words or n-grams, if ``records`` says so.
        """
        if self.records == "documents":
            return [record(f"metric document=label {_GROUP}", group) for group in self.documents]
        if self.records == "lengths":
            return [record(f"metric length=label {_GROUP}", group) for group in self.lengths]
        if self.records == "words":
            return [record(_WORD, bucket) for bucket in self.words]
        if self.records == "ngrams":
            return [record(_NGRAM, ngram, {"order": len(ngram.words)}) for ngram in self.ngrams]
        everything = self.everything
        return [
            _segment_record(pair.metric, segment, self.testset.references)
            for pair in self.changed_segments
            for segment in (everything[pair.metric] if everything else (*pair.up, *pair.down))
        ]


def _segment_record(metric: str, segment: ChangedSegment, references: int) -> dict[str, Any]:
    """Return a segment as a flat record, with one column per reference."""
    names = ["reference"] if references == 1 else [f"reference_{i + 1}" for i in range(references)]
    texts = [*segment.references, *[None] * (references - len(segment.references))]
    outputs = {"baseline_output": segment.baseline_output, "system_output": segment.system_output}
    return record(_SEGMENT, segment, {"metric": metric}) | dict(zip(names, texts, strict=True)) | outputs


@takes(InspectOptions)
def inspect(options: InspectOptions) -> InspectResult:
    """Find the segments, documents, lengths, words and n-grams that made the difference between two systems.

    Outputs are those of the median runs, metric by metric; words and n-grams are of the median runs under the first.

    Examples
    --------
    >>> import truegain as tg
    >>> result = tg.inspect(
    ...     ["the cat sat", "a dog ran off", "it was late"],
    ...     {
    ...         "base": ["the cat sits", "a dog ran", "it was late"],
    ...         "new": ["the cat sat", "a dog ran off", "it is late"],
    ...     },
    ...     metrics=["chrf"],
    ... )
    >>> moved = result["chrf"]
    >>> [one.number for one in moved.up], [one.number for one in moved.down]
    ([2, 1], [3])
    """
    edges = check_edges(options.length_buckets)
    check_options(options)
    _check_counts(options)
    experiment, development = _prepared(options)
    corpus = experiment.corpus
    medians = [_MedianRuns(experiment, m, runs) for m, runs in enumerate(median_runs(experiment, development))]
    structured = [block.metric.label for block in experiment.statistics.blocks if _of_structures(block.metric)]
    texts = None if structured else _texts(experiment, medians[0].runs, options.tokenize)
    counted = _counted(options, medians, edges, texts)
    testset = experiment.testset(development)
    scores = experiment.system_results(None, 0.95, "percentile")
    result = InspectResult(
        testset=testset,
        metrics=experiment.metric_infos(),
        scores=scores,
        baseline=corpus.systems[0].name,
        system=corpus.systems[1].name,
        movements=tuple(median.movement() for median in medians),
        changed_segments=tuple(median.changed(options.count) for median in medians),
        documents=_documents(corpus, medians),
        **counted,
        count=options.count,
        tokenize=options.tokenize,
        frequencies=_source(options.frequencies),
        about=describe_testset(testset, scores, corpus.item_noun),
        signature=_signature(options, edges, texts),
        every_segment=tuple(median.every_segment() for median in medians) if options.everything else (),
        records=options.records,
    )
    return structs.replace(
        result,
        findings=tuple(_findings(result, corpus.item_noun)),
        notes=(
            size_note(corpus, experiment.units, runs=[len(system.runs) for system in corpus.systems]),
            *_notes(result),
            *experiment.notes,
            *_text_notes(structured, texts),
        ),
        methods=_methods(result),
    )


class _MedianRuns:
    """The median runs of both systems under one metric."""

    def __init__(self, experiment: Experiment, m: int, medians: Sequence[int]) -> None:
        self.experiment = experiment
        self.m = m
        self.runs: tuple[RunNumber, RunNumber] = (0, medians[0]), (1, medians[1])
        self.two = TwoRuns.of(experiment, m, *self.runs)

    @property
    def key(self) -> str:
        return self.experiment.statistics.blocks[self.m].key

    def gains(self, groups: NDArray[np.intp], labels: Sequence[str]) -> tuple[GroupGain, ...]:
        return group_gains(self.key, self.two, groups, labels)

    def changed(self, count: int) -> ChangedPair:
        return changed_pair(self.experiment, self.m, *self.runs, self.two, count)

    def every_segment(self) -> AllSegments:
        places = np.arange(self.experiment.corpus.segments)
        return AllSegments(self.key, most_changed(self.experiment, *self.runs, self.two, places))

    def movement(self) -> Movement:
        names = [self.experiment.corpus.systems[s].runs[run].name for s, run in self.runs]
        old, new = self.two.scores
        contributions = self.two.contributions
        up, down = contributions[contributions > 0.0], contributions[contributions < 0.0]
        means = self.experiment.scores[self.m]
        return Movement(
            metric=self.key,
            baseline_run=names[0],
            system_run=names[1],
            baseline_score=old,
            system_score=new,
            delta=self.two.delta,
            delta_of_means=float(self.two.gain(means[0], means[1])),
            up=up.size,
            down=down.size,
            still=contributions.size - up.size - down.size,
            sum_up=float(up.sum()),
            sum_down=float(down.sum()),
        )


def _check_counts(options: InspectOptions) -> None:
    for what, number in (("count", options.count), ("ngrams", options.ngrams)):
        if number < 0:
            raise InputError(f"{what} must be at least 0; got {number!r}")


def _prepared(options: InspectOptions) -> tuple[Experiment, Corpus | None]:
    """Return the two systems under all metrics, and their development set."""
    corpus, development = corpus_of(options), development_of(options)
    old, new = _two_systems(corpus, options.baseline, options.system)
    if development is not None:
        development = replace(development, systems=tuple(_named(development, one.name) for one in (old, new)))
    corpus, development = with_development(replace(corpus, systems=(old, new)), development)
    experiment = Experiment.prepare(
        corpus,
        options.metrics,
        unit="segment",
        strata="none",
        seed=0,
        jobs=available_jobs(options.jobs),
        cache=options.cache,
        engine=options.engine,
        executor=options.executor,
        progress=options.progress,
        compared=(),
    )
    return experiment, development


def _two_systems(corpus: Corpus, baseline: str | None, system: str | None) -> tuple[System, System]:
    names = [one.name for one in corpus.systems]
    if len(names) < 2:
        raise InputError(
            f"there is only one system, {names[0]!r}; a difference needs two", hint="give the baseline first"
        )
    check_pair(names, baseline, system)
    if baseline is None:
        baseline = next(name for name in names if name != system)
    if system is None:
        others = [name for name in names if name != baseline]
        if len(others) > 1:
            raise InputError(
                f"there are {len(names)} systems, and two can be inspected: {', '.join(names)}",
                hint=("choose them: ", Setting("baseline", baseline), " ", Setting("system", others[0])),
            )
        system = others[0]
    return corpus.system(baseline), corpus.system(system)


def _named(development: Corpus, name: str) -> System:
    try:
        return development.system(name)
    except KeyError:
        there = ", ".join(one.name for one in development.systems)
        raise InputError(
            f"the development set has no system {name!r}; there are {there}",
            hint=(
                "give the outputs of every run, in the same order: ",
                Setting("development", {name: f"dev/{name}.*.txt"}),
            ),
        ) from None


def _of_structures(metric: Metric) -> bool:
    """Return whether segments are trees, links or tags, whose words and n-grams would mean nothing."""
    return getattr(metric, "structure", None) in ("dependencies", "brackets", "tags", "links")


def _texts(experiment: Experiment, runs: Sequence[RunNumber], tokenize: str) -> SideBySide | None:
    corpus = experiment.corpus
    outputs = [corpus.systems[s].runs[run].outputs for s, run in runs]
    sides = [side for side in outputs if side is not None]
    return SideBySide(corpus.references, sides, tokenize) if corpus.references and len(sides) == 2 else None


def _documents(corpus: Corpus, medians: Sequence[_MedianRuns]) -> tuple[GroupGain, ...]:
    """Return all documents, those that changed most first."""
    if corpus.documents is None:
        return ()
    numbers: dict[str, int] = {}
    groups = np.array([numbers.setdefault(name, len(numbers)) for name in corpus.documents], np.intp)
    gains = [median.gains(groups, tuple(numbers)) for median in medians]
    return tuple(gain for own in gains for gain in sorted(own, key=lambda one: -abs(one.contribution)))


def _counted(
    options: InspectOptions, medians: Sequence[_MedianRuns], edges: Sequence[int], texts: SideBySide | None
) -> dict[str, Any]:
    """Return gains by length, words by frequency, and n-grams; nothing of what are no texts."""
    if texts is None:
        return {"lengths": (), "words": (), "ngrams": ()}
    buckets = np.searchsorted(edges, texts.reference_lengths, side="right")
    usages = list(texts.usages(_ORDER))
    return {
        "lengths": tuple(gain for median in medians for gain in median.gains(buckets, length_labels(edges))),
        "words": word_buckets(texts, usages[0], _training(options.frequencies)),
        "ngrams": ngram_uses(texts, usages, options.ngrams),
    }


def _training(frequencies: str | os.PathLike[str] | Sequence[str] | None) -> Iterable[Sequence[str]] | None:
    if frequencies is None:
        return None
    if isinstance(frequencies, str | os.PathLike):
        return read_pieces(os.fspath(frequencies))
    return [frequencies]


def _source(frequencies: str | os.PathLike[str] | Sequence[str] | None) -> str | None:
    if frequencies is None or isinstance(frequencies, str | os.PathLike):
        return None if frequencies is None else os.fspath(frequencies)
    return "the text given"


def _signature(options: InspectOptions, edges: Sequence[int], texts: SideBySide | None) -> str:
    if texts is None:
        return f"contribution:swap|version:{__version__}"
    given = "references" if options.frequencies is None else "given"
    settings = f"tok:{options.tokenize}|lengths:{','.join(map(str, edges))}|frequencies:{given}"
    return f"contribution:swap|{settings}|version:{__version__}"


def _findings(result: InspectResult, noun: str) -> Iterator[Finding]:
    """Say how large each gain is, and how many segments favour either system."""
    for metric, movement in zip(result.metrics, result.movements, strict=True):
        digits = digits_of(result, metric)
        finer = _finer(digits, [movement.sum_up, movement.sum_down])
        text = MOVEMENTS[metric.higher_is_better](
            metric=metric.label,
            old=digits.score(movement.baseline_score),
            new=digits.score(movement.system_score),
            delta=digits.gain(movement.delta),
            items=whole(result.testset.segments, noun),
            up=movement.up,
            down=movement.down,
            system=result.system,
            baseline=result.baseline,
            sum_up=finer.gain(movement.sum_up),
            sum_down=finer.gain(movement.sum_down),
        )
        yield Finding(text)


def _notes(result: InspectResult) -> Iterator[Note]:
    """Yield what limits the answer."""
    yield Note("not-tested", NOT_TESTED())
    runs: dict[tuple[str, str], list[str]] = {}
    for metric, movement in zip(result.metrics, result.movements, strict=True):
        runs.setdefault((movement.baseline_run, movement.system_run), []).append(metric.label)
    if any(score.runs > 1 for score in result.scores):
        for (old, new), labels in runs.items():
            yield Note("median-runs", MEDIAN_RUNS(metrics=listing(labels), old=old, new=new))
    for metric, movement in zip(result.metrics, result.movements, strict=True):
        digits = digits_of(result, metric)
        delta, means = digits.gain(movement.delta), digits.gain(movement.delta_of_means)
        if delta != means:
            yield Note("means", OTHER_MEANS(metric=metric.label, delta=means))
        total = movement.sum_up + movement.sum_down
        smallest = 0.5 * 10.0**-digits.places / (100.0 if digits.percent else 1.0)
        if abs(total - movement.delta) > max(_ADDS_UP * abs(movement.delta), smallest):
            yield Note("not-additive", NOT_ADDITIVE(metric=metric.label, total=digits.gain(total), delta=delta))


def _text_notes(structured: Sequence[str], texts: SideBySide | None) -> list[Note]:
    if structured:
        return [Note("no-texts", STRUCTURES(metric=structured[0]))]
    return [Note("no-texts", NO_TEXTS())] if texts is None else []


def _methods(result: InspectResult) -> str:
    sentences: list[str] = [CONTRIBUTIONS]
    first = result.movements[0]
    if result.words:
        sentences.append(WORDS_COUNTED(source=_source_words(result)))
    if result.words and result.testset.references > 1:
        sentences.append(SEVERAL_REFERENCES)
    if result.words and len({(one.baseline_run, one.system_run) for one in result.movements}) > 1:
        labels = result.metrics[0].label
        sentences.append(WORDS_OF_RUNS(old=first.baseline_run, new=first.system_run, metric=labels))
    return " ".join(sentences)


def _source_words(result: InspectResult) -> str:
    return "the references" if result.frequencies is None else visible(result.frequencies)


def _finer(digits: Digits, contributions: Iterable[float]) -> Digits:
    """Return as many decimals as contributions need."""
    scale = 100.0 if digits.percent else 1.0
    return digits._replace(places=contribution_digits([scale * one for one in contributions], digits.places))


def _first_documents(result: InspectResult) -> list[GroupGain]:
    """Return the documents that changed each gain most, for the better and for the worse."""
    listed = []
    for metric in result.metrics:
        own = [group for group in result.documents if group.metric == metric.key]
        listed += [group for group in own if group.contribution > 0.0][: result.count]
        listed += [group for group in own if group.contribution < 0.0][: result.count]
    return listed


def _group_table(
    result: InspectResult, metric: MetricInfo, groups: Sequence[GroupGain], what: str, decimals: int | None
) -> Table:
    """Return scores on groups of segments, and what these contribute."""
    digits = digits_of(result, metric, decimals)
    headings = {
        "label": f"{heading_of(metric)} by {what}",
        "baseline_score": result.baseline,
        "system_score": result.system,
        "delta": "Δ (+ is better)" if any(one.higher_is_better is False for one in result.metrics) else "Δ",
    }
    columns = "label segments baseline_score system_score delta"
    scores = table(groups, columns, digits, headings=headings, caption=f"Gains by {what}")
    parts = table(groups, "contribution share", _finer(digits, [group.contribution for group in groups]))
    rows = tuple((*own, *other) for own, other in zip(scores.rows, parts.rows, strict=True))
    return replace(scores, columns=(*scores.columns, *parts.columns), rows=rows)


def _word_tables(result: InspectResult) -> Iterator[Table]:
    """Yield precision, recall and F1 of words by frequency."""
    shown = [one for one in result.words if one.wanted or (one.low and any(one.produced))]
    if not shown:
        return
    none = result.words[0]
    unknown = none.low == none.wanted == 0 and any(none.produced)
    yield table(
        shown,
        "frequency wanted precision recall f1 delta",
        Digits(2),
        caption=WORDS_CAPTION,
        notes=[WORDS_OF_NONE] if unknown else [],
        slots={
            "source": _source_words(result),
            "baseline": result.baseline,
            "system": result.system,
            "old": none.produced[0],
            "new": none.produced[1],
        },
    )


def _ngram_table(result: InspectResult, use: Use, more: Side, ngrams: Sequence[NgramUse]) -> Table:
    """Return n-grams that one output has right, too often or too rarely more often than the other."""
    name = result.system if more == "system" else result.baseline
    headings = {"ngram": f"{_USE_HEADINGS[use]} {name}"}
    return table(
        ngrams,
        "ngram difference reference produced matched",
        Digits(0),
        headings=headings,
        caption="N-grams that one output has right, overuses or underuses more than the other: baseline → system",
    )


def _passages(result: InspectResult, metric: MetricInfo, pair: ChangedPair, decimals: int | None) -> Iterator[Passages]:
    """Yield the segments that changed most, to be read."""
    digits = digits_of(result, metric, decimals)
    finer = _finer(digits, [segment.contribution for segment in (*pair.up, *pair.down)])
    captions = (
        FAVOURING(system=visible(result.system), metric=metric.label),
        FAVOURING(system=visible(result.baseline), metric=metric.label),
    )
    if metric.higher_is_better is None:
        captions = (RAISING(metric=metric.label), LOWERING(metric=metric.label))
    for caption, segments in zip(captions, (pair.up, pair.down), strict=True):
        if segments:
            yield Passages(caption, tuple(_passage(pair, one, metric.label, digits, finer) for one in segments))


def _passage(pair: ChangedPair, segment: ChangedSegment, label: str, digits: Digits, finer: Digits) -> Passage:
    """Return a segment: what it contributes, its references, and both outputs one under the other."""
    heading = [finer.gain(segment.contribution)]
    if segment.share is not None:
        heading.append(f"{share_text(segment.share)} of Δ")
    if segment.baseline_score is not None and segment.system_score is not None:
        heading.append(f"{label} {digits.score(segment.baseline_score)} → {digits.score(segment.system_score)}")
    heading.append(f"segment {segment.number:,}")
    if segment.id is not None:
        heading.append(f"id {visible(segment.id)}")
    if segment.document is not None:
        heading.append(visible(segment.document))
    names = [visible(name) for name in (pair.baseline, pair.system)]
    if max(map(len, names)) > _LABEL:
        names = ["baseline", "system"]
    labels = ["ref", *[""] * len(segment.references)]
    texts = [(Piece(visible(text[:_LONGEST])), *_rest(text)) for text in segment.references]
    lines = [Line(name, pieces) for name, pieces in zip(labels, texts, strict=False)]
    if segment.baseline_output is not None and segment.system_output is not None:
        both = marked(segment.baseline_output, segment.system_output)
        lines += [Line(name, pieces) for name, pieces in zip(names, both, strict=True)]
    counts = _counts(pair.statistic_names, segment.baseline_statistics, segment.system_statistics)
    if counts:
        lines.append(Line("", (Piece(counts, "quiet"),)))
    return Passage(" · ".join(heading), tuple(lines))


def share_text(share: float) -> str:
    """Write a share in percent, with a sign if it is against the gain."""
    return f"{decimal(100.0 * share, 1)} %"


def marked(old: str, new: str) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """Return both texts, with ``[-what the new one lacks-]`` and ``{+what the old one lacks+}``."""
    texts = old[:_LONGEST], new[:_LONGEST]
    words = " ".join(texts).split()
    if words and all(_LINK.fullmatch(word) for word in words):
        both = compared(*texts, cut=_BLANKS.findall, ordered=False)
    else:
        both = compared(*texts)
        if not any(stretch.kind == "changed" for side in both for stretch in side):
            both = compared(*texts, cut=_BLANKS.findall)  # only blanks differ, which some metrics see
    return (
        (*_pieces(both[0], "bad", "[-", "-]"), *_rest(old)),
        (*_pieces(both[1], "good", "{+", "+}"), *_rest(new)),
    )


def _pieces(stretches: Iterable[Stretch], tone: Tone, opening: str, closing: str) -> Iterator[Piece]:
    for stretch in stretches:
        text = visible(stretch.text)
        yield Piece(f"{opening}{text}{closing}", tone) if stretch.kind == "changed" else Piece(text)


def _rest(text: str) -> tuple[Piece, ...]:
    return (Piece(f" … ({len(text):,} characters)", "quiet"),) if len(text) > _LONGEST else ()


def visible(text: str) -> str:
    """Return a text in one line, without anything that a terminal would obey."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_visible, text))


def _visible(character: str) -> str:
    if character.isspace():
        return " "
    obeyed = character in _TURNING or unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp")
    return "\ufffd" if obeyed else character


def _counts(names: Sequence[str], old: Sequence[float], new: Sequence[float]) -> str:
    """Write the statistics in which two outputs differ; ``correct_1``, ``correct_2``, … side by side."""
    stems: dict[str, list[int]] = {}
    for place, name in enumerate(names):
        stems.setdefault(re.sub(r"_\d+$", "", name), []).append(place)
    written = []
    for stem, places in stems.items():
        before, after = ([f"{side[place]:.6g}" for place in places] for side in (old, new))
        if before != after:
            written.append(f"{stem} {' '.join(before)} → {' '.join(after)}")
    return " · ".join(written)
