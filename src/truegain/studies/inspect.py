"""Inspection of the segments, documents, lengths, words and n-grams that made the difference between two systems."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from truegain.cautions import size_note
from truegain.changed_segments import ChangedPair, ChangedSegment
from truegain.corpus import Corpus
from truegain.errors import InputError, Setting, printable
from truegain.executors.processors import available_jobs
from truegain.experiment import Experiment, TwoRuns, check_options, median_runs, with_development
from truegain.experiment.contributions import RunNumber, changed_pair, most_changed
from truegain.inference.results import MetricInfo, Metrics, Scores, TestSet
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
    GroupGain,
    NgramUse,
    WordBucket,
    group_gains,
    length_labels,
    ngram_uses,
    word_buckets,
)
from truegain.text.usage import SideBySide
from truegain.version import __version__
from truegain.view import Digits, digits_of, segments_item, stacked, table
from truegain.words import Sentence, contribution_digits, decimal, describe_testset, gain_heading, heading_of, whole

if TYPE_CHECKING:
    from truegain.report.page import Section

_Runs = tuple[RunNumber, RunNumber]

_ORDER = 4  # of the longest n-grams
_ADDS_UP = 0.02  # of the gain: how far the sum of contributions may be from it without a word
_LONGEST = 1_000  # characters of a line that are shown
_LABEL = 12  # characters of a system's name before its output
_LINK = re.compile(r"[0-9]+[-p?][0-9]+")  # of an alignment
_BLANKS = re.compile(r"\s+|\S+")

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
_USE_HEADINGS = {"right": "more often right in", "over": "more overused by", "under": "more underused by"}

MOVED = Sentence(
    "{heading} {old} → {new} ({delta}): {moved.up:,} of {items} favour {result.system} ({sum_up}), {moved.down:,} "
    "{result.baseline} ({sum_down})."
)
RAISED = Sentence(
    "{heading} {old} → {new} ({delta}): {moved.up:,} of {items} raise it ({sum_up}), {moved.down:,} lower it "
    "({sum_down})."
)
FAVOURING = (
    Sentence("Most in favour of {result.system} ({metric.label})"),
    Sentence("Most in favour of {result.baseline} ({metric.label})"),
)
RAISING = (Sentence("Raising {metric.label} most"), Sentence("Lowering {metric.label} most"))

NOT_TESTED = Sentence(
    "What is listed was chosen because it differs: this describes the test set, and compare tests the gain"
)
NOT_ADDITIVE = Sentence(
    "Contributions to {metric.label} add up to {total}, not to {delta}, which happens to BLEU if only one output is "
    "shorter than the references: go by their order, not by their shares"
)
MEDIAN_RUNS = Sentence(
    "The outputs are those of the median runs, {moved.baseline_run} and {moved.system_run}; between the means over "
    "runs, Δ is {of_means}"
)
NO_TEXTS = Sentence("Without plain texts there is nothing to say of lengths, words and n-grams")

CONTRIBUTIONS = Sentence(
    "A contribution is half of what Δ loses if the two outputs of a segment, or of a group of segments, are swapped, "
    "as approximate randomization swaps them at random. Contributions of both signs offset each other, so the share of "
    "one may be large, or negative."
)
WORDS_COUNTED = Sentence(
    "Words and n-grams are those of {runs.baseline_run} and {runs.system_run}, and frequencies those in {source}. In "
    "each segment a word or n-gram is right as often as a reference has it; of several, the one that has most of it "
    "counts, as in BLEU."
)


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
    documents: Annotated[tuple[GroupGain, ...], field("All documents, metric by metric, the most changed first.")]
    lengths: Annotated[tuple[GroupGain, ...], field("Segments by the words of their reference, metric by metric.")] = ()
    words: Annotated[tuple[WordBucket, ...], field("Words by frequency, of the first metric's median runs.")] = ()
    ngrams: Annotated[tuple[NgramUse, ...], field("The n-grams that differ most, of the same runs.")] = ()
    count: Annotated[Number, field("The number of segments and documents that are listed each way.")]
    tokenize: Annotated[str, field("How texts were split for lengths, words and n-grams.")]
    frequencies: Annotated[str | None, field("The text of the words' frequencies; none for the references.")] = None
    every_segment: Annotated[tuple[AllSegments, ...], field("All segments, metric by metric, if asked for.")] = ()
    records: Annotated[Records, field("What flat records are made of.")] = "segments"

    def __getitem__(self, metric: str) -> ChangedPair:
        for pair in self.changed_segments:
            if pair.metric == metric:
                return pair
        raise no_entry(metric, (pair.metric for pair in self.changed_segments))

    def _keys(self) -> list[tuple[str, ...]]:
        return [(pair.metric,) for pair in self.changed_segments]

    def tables(self, decimals: int | None) -> Iterator[Table | Passages]:
        """Yield the segments that changed most, then documents, lengths, words and n-grams."""
        for metric, pair in zip(self.metrics, self.changed_segments, strict=True):
            yield from _passages(self, metric, pair, decimals)
        yield from _group_tables(self, "document", self.documents, decimals)
        yield from _group_tables(self, "length", self.lengths, decimals)
        words = [bucket for bucket in self.words if bucket.wanted or (bucket.low and any(bucket.produced))]
        if words:
            caption = "Words by their frequency: baseline → system, in percent"
            yield table(words, "frequency wanted precision recall f1 delta", Digits(2), caption=caption)
        if self.ngrams:
            yield _ngram_table(self)

    def appendix(self, *, decimals: int | None = None) -> tuple[Section, ...]:
        """Return the segments that changed most, to look through."""
        if not any(pair.up or pair.down for pair in self.changed_segments):
            return ()
        from truegain.report.page import Section

        return (Section("Segments that changed most", (segments_item(self, self.changed_segments, decimals),)),)

    def to_records(self) -> list[dict[str, Any]]:
        """Return a record for each segment that is listed, or for all if asked for, or of what ``records`` says."""
        others = {
            "documents": (f"metric document=label {_GROUP}", self.documents),
            "lengths": (f"metric length=label {_GROUP}", self.lengths),
            "words": (_WORD, self.words),
        }
        if self.records in others:
            columns, rows = others[self.records]
            return [record(columns, row) for row in rows]
        if self.records == "ngrams":
            return [record(_NGRAM, ngram, {"order": len(ngram.words)}) for ngram in self.ngrams]
        listed = [(pair.metric, (*pair.up, *pair.down)) for pair in self.changed_segments]
        if self.every_segment:
            listed = [(every.metric, every.segments) for every in self.every_segment]
        return [_segment_record(metric, segment, self.testset.references) for metric, own in listed for segment in own]


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
    >>> systems = {"base": ["the cat sits", "a dog ran", "it was late"], "new": ["the cat sat", "a dog", "it is late"]}
    >>> moved = inspect(["the cat sat", "a dog ran off", "it was late"], systems, metrics=["chrf"])["chrf"]
    >>> [one.number for one in moved.up], [one.number for one in moved.down]
    ([1], [3, 2])
    """
    check_options(options)
    labels = length_labels(options.length_buckets)
    if min(options.count, options.ngrams) < 0:
        raise InputError(f"count and ngrams must be at least 0; got {options.count} and {options.ngrams}")
    experiment, development = _prepared(options)
    corpus, infos = experiment.corpus, experiment.metric_infos()
    runs: list[_Runs] = [((0, old), (1, new)) for old, new in median_runs(experiment, development)]
    pairs = {info.key: TwoRuns.of(experiment, m, *runs[m]) for m, info in enumerate(infos)}
    changed = [changed_pair(experiment, m, *runs[m], two, options.count) for m, two in enumerate(pairs.values())]
    all_segments = np.arange(corpus.segments)
    every = [
        AllSegments(key, most_changed(experiment, *both, two, all_segments))
        for both, (key, two) in zip(runs, pairs.items(), strict=True)
        if options.everything
    ]
    testset, scores = experiment.testset(development), experiment.system_results(None, 0.95, "percentile")
    counted = _counted(options, experiment, runs[0], pairs, labels)
    source, edges = counted.get("frequencies"), ",".join(map(str, options.length_buckets))
    settings = f"tok:{options.tokenize}|lengths:{edges}|frequencies:{source or 'references'}"
    result = InspectResult(
        testset=testset,
        metrics=infos,
        scores=scores,
        baseline=corpus.systems[0].name,
        system=corpus.systems[1].name,
        movements=tuple(map(_movement, changed, pairs.values(), experiment.scores)),
        changed_segments=tuple(changed),
        documents=tuple(_documents(corpus, pairs)),
        **counted,
        count=options.count,
        tokenize=options.tokenize,
        about=describe_testset(testset, scores, corpus.item_noun),
        signature=f"contribution:swap|{settings}|version:{__version__}",
        every_segment=tuple(every),
        records=options.records,
    )
    size = size_note(corpus, experiment.units, runs=[len(system.runs) for system in corpus.systems])
    methods = [CONTRIBUTIONS()]
    if counted:
        methods.append(WORDS_COUNTED(runs=result.movements[0], source=source or "the references"))
    findings, notes = _answer(result, corpus.item_noun)
    notes = [size, *notes, *experiment.notes]
    return structs.replace(result, findings=tuple(findings), notes=tuple(notes), methods=" ".join(methods))


def _prepared(options: InspectOptions) -> tuple[Experiment, Corpus | None]:
    """Return the two systems under all metrics, and their development set."""
    corpus, development = corpus_of(options), development_of(options)
    names = _two_systems([system.name for system in corpus.systems], options.baseline, options.system)
    corpus = replace(corpus, systems=tuple(map(corpus.system, names)))
    if development is not None:
        development = replace(development, systems=tuple(one for one in development.systems if one.name in names))
    corpus, development = with_development(corpus, development)
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


def _two_systems(names: Sequence[str], baseline: str | None, system: str | None) -> tuple[str, str]:
    """Return the baseline and the system, if there can be no doubt which they are."""
    if len(names) < 2:
        alone = f"there is only one system, {names[0]!r}; a difference needs two"
        raise InputError(alone, hint="give the baseline first")
    check_pair(names, baseline, system)
    baseline = baseline or next(name for name in names if name != system)
    others = [name for name in names if name != baseline]
    if system is None and len(others) > 1:
        raise InputError(
            f"there are {len(names)} systems, and two can be inspected: {', '.join(names)}",
            hint=("choose them: ", Setting("baseline", baseline), " ", Setting("system", others[0])),
        )
    return baseline, system or others[0]


def _movement(pair: ChangedPair, two: TwoRuns, means: NDArray[np.float64]) -> Movement:
    """Add up the contributions of segments; ``means`` are those of each system's runs."""
    contributions = two.contributions
    up, down = contributions[contributions > 0.0], contributions[contributions < 0.0]
    return Movement(
        metric=pair.metric,
        baseline_run=pair.baseline_run,
        system_run=pair.system_run,
        baseline_score=two.scores[0],
        system_score=two.scores[1],
        delta=two.delta,
        delta_of_means=float(two.gain(means[0], means[1])),
        up=up.size,
        down=down.size,
        still=contributions.size - up.size - down.size,
        sum_up=float(up.sum()),
        sum_down=float(down.sum()),
    )


def _documents(corpus: Corpus, pairs: Mapping[str, TwoRuns]) -> Iterator[GroupGain]:
    """Yield all documents, those that changed most first."""
    if corpus.documents is None:
        return
    numbers: dict[str, int] = {}
    groups = np.array([numbers.setdefault(name, len(numbers)) for name in corpus.documents], np.intp)
    for key, two in pairs.items():
        yield from sorted(group_gains(key, two, groups, tuple(numbers)), key=lambda group: -abs(group.contribution))


def _counted(
    options: InspectOptions, experiment: Experiment, runs: _Runs, pairs: Mapping[str, TwoRuns], labels: Sequence[str]
) -> dict[str, Any]:
    """Return gains by length, words and n-grams; nothing without texts, or of trees, links and tags."""
    corpus, frequencies = experiment.corpus, options.frequencies
    structures = {getattr(block.metric, "structure", None) for block in experiment.statistics.blocks}
    outputs = [side for s, run in runs if (side := corpus.systems[s].runs[run].outputs) is not None]
    if not corpus.references or len(outputs) < 2 or structures & {"dependencies", "brackets", "tags", "links"}:
        return {}
    source: str | None = None
    training: Any = None
    if isinstance(frequencies, str | os.PathLike):
        source = os.fspath(frequencies)
        training = read_pieces(source)
    elif frequencies is not None:
        source, training = "the text given", [frequencies]
    texts = SideBySide(corpus.references, outputs, options.tokenize)
    buckets: NDArray[np.intp] = np.searchsorted(options.length_buckets, texts.reference_lengths, side="right")
    usages = list(texts.usages(_ORDER))
    return {
        "lengths": tuple(gain for key, two in pairs.items() for gain in group_gains(key, two, buckets, labels)),
        "words": word_buckets(texts, usages[0], training),
        "ngrams": ngram_uses(texts, usages, options.ngrams),
        "frequencies": source,
    }


# ---- Words


def _answer(result: InspectResult, noun: str) -> tuple[list[Finding], list[Note]]:
    """Say how large each gain is, how many segments favour either system, and what limits the answer."""
    findings, notes = [], [Note("not-tested", NOT_TESTED())]
    if not result.words:
        notes.append(Note("no-texts", NO_TEXTS()))
    items, several = whole(result.testset.segments, noun), any(score.runs > 1 for score in result.scores)
    for metric, moved in zip(result.metrics, result.movements, strict=True):
        digits, total = digits_of(result, metric), moved.sum_up + moved.sum_down
        gains = {"delta": moved.delta, "of_means": moved.delta_of_means, "total": total}
        gains |= {"sum_up": moved.sum_up, "sum_down": moved.sum_down}
        slots: dict[str, Any] = {name: digits.gain(gain) for name, gain in gains.items()}
        slots |= {"old": digits.score(moved.baseline_score), "new": digits.score(moved.system_score)}
        slots |= {"result": result, "moved": moved, "metric": metric, "heading": heading_of(metric), "items": items}
        sentence = RAISED if metric.higher_is_better is None else MOVED
        findings.append(Finding(sentence(**slots)))
        if several:
            notes.append(Note("median-runs", MEDIAN_RUNS(**slots), scope=metric.label))
        smallest = 0.5 * 10.0**-digits.places / digits.shown(1.0)
        if abs(total - moved.delta) > max(_ADDS_UP * abs(moved.delta), smallest):
            notes.append(Note("not-additive", NOT_ADDITIVE(**slots)))
    return findings, notes


# ---- Tables and passages


def _group_tables(
    result: InspectResult, what: str, groups: Sequence[GroupGain], decimals: int | None
) -> Iterator[Table]:
    """Yield scores on groups of segments, and what these contribute: of documents those that changed a gain most."""
    names = {"baseline_score": result.baseline, "system_score": result.system, "delta": gain_heading(result.metrics)}
    columns = "label segments baseline_score system_score delta contribution share"
    tables = []
    for metric in result.metrics:
        rows = [group for group in groups if group.metric == metric.key and group.segments]
        if what == "document":
            up, down = ([group for group in rows if sign * group.contribution > 0.0] for sign in (1, -1))
            rows = up[: result.count] + down[: result.count]
        if rows:
            headings = names | {"label": f"{heading_of(metric)} by {what}"}
            digits = digits_of(result, metric, decimals)
            tables.append(table(rows, columns, digits, headings=headings, caption=f"Gains by {what}"))
    if tables:
        yield stacked(tables)


def _ngram_table(result: InspectResult) -> Table:
    """Return the n-grams that one output has right, too often or too rarely more often than the other."""
    names = {"system": result.system, "baseline": result.baseline}
    caption = "N-grams that one output has right, overuses or underuses more than the other: baseline → system"
    columns = "ngram difference reference produced matched"
    tables = []
    for (use, more), rows in groupby(result.ngrams, attrgetter("use", "more")):
        headings = {"ngram": f"{_USE_HEADINGS[use]} {names[more]}"}
        tables.append(table(list(rows), columns, Digits(0), headings=headings, caption=caption))
    return stacked(tables)


def _passages(result: InspectResult, metric: MetricInfo, pair: ChangedPair, decimals: int | None) -> Iterator[Passages]:
    """Yield the segments that changed most, to be read."""
    digits = digits_of(result, metric, decimals)
    contributions = [digits.shown(segment.contribution) for segment in (*pair.up, *pair.down)]
    finer = digits._replace(places=contribution_digits(contributions, digits.places))
    captions = RAISING if metric.higher_is_better is None else FAVOURING
    for caption, segments in zip(captions, (pair.up, pair.down), strict=True):
        if segments:
            heading = visible(caption(result=result, metric=metric))
            yield Passages(heading, tuple(_passage(pair, one, metric.label, digits, finer) for one in segments))


def _passage(pair: ChangedPair, segment: ChangedSegment, label: str, digits: Digits, finer: Digits) -> Passage:
    """Return a segment: what it contributes, its references, and both outputs one under the other."""
    heading = [finer.gain(segment.contribution)]
    if segment.share is not None:
        heading.append(f"{decimal(100.0 * segment.share, 1)} % of Δ")
    if segment.baseline_score is not None and segment.system_score is not None:
        heading.append(f"{label} {digits.score(segment.baseline_score)} → {digits.score(segment.system_score)}")
    heading.append(f"segment {segment.number:,}")
    if segment.id is not None:
        heading.append(f"id {visible(segment.id)}")
    if segment.document is not None:
        heading.append(visible(segment.document))
    lines = [_line("", text, [Stretch(text[:_LONGEST], "same")]) for text in segment.references]
    lines[:1] = [replace(line, label="ref") for line in lines[:1]]
    names = (visible(pair.baseline), visible(pair.system))
    if max(map(len, names)) > _LABEL:
        names = ("baseline", "system")
    if segment.baseline_output is not None and segment.system_output is not None:
        lines += marked(segment.baseline_output, segment.system_output, names)
    return Passage(" · ".join(heading), tuple(lines))


def marked(old: str, new: str, names: tuple[str, str]) -> list[Line]:
    """Return both texts, with ``[-what the new one lacks-]`` and ``{+what the old one lacks+}``."""
    texts = old[:_LONGEST], new[:_LONGEST]
    words = " ".join(texts).split()
    if words and all(map(_LINK.fullmatch, words)):
        both = compared(*texts, cut=_BLANKS.findall, ordered=False)
    else:
        both = compared(*texts)
        if not any(stretch.kind == "changed" for side in both for stretch in side):
            both = compared(*texts, cut=_BLANKS.findall)  # only blanks differ, which some metrics see
    return [_line(names[0], old, both[0], "bad", "[-{}-]"), _line(names[1], new, both[1], "good", "{{+{}+}}")]


def _line(label: str, text: str, stretches: Sequence[Stretch], tone: Tone = "plain", mark: str = "") -> Line:
    """Return the stretches of a text, marked where they changed."""
    pieces = []
    for stretch in stretches:
        shown = visible(stretch.text)
        pieces.append(Piece(mark.format(shown), tone) if stretch.kind == "changed" else Piece(shown))
    if len(text) > _LONGEST:
        pieces.append(Piece(f" … ({len(text):,} characters)", "quiet"))
    return Line(label, tuple(pieces))


def visible(text: str) -> str:
    """Return a text in one line, without anything that a terminal would obey."""
    return printable(re.sub(r"\s", " ", text))
