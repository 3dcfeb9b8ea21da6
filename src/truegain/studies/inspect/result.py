"""What an inspection found, as segments to read, tables, sentences and data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from truegain.changed_segments import Moved, MovedPair
from truegain.inference.results import MetricInfo, SystemScore, TestSet
from truegain.report.model import Document, Paragraph, Passages, Section, Table, signed
from truegain.report.page_data import contribution_digits
from truegain.settings.inspect import Records
from truegain.studies.codec import Form, Shape, Shapes
from truegain.studies.inspect.findings import AllSegments, GroupGain, Movement, NgramUse, WordBucket
from truegain.studies.inspect.passages import passage
from truegain.studies.inspect.records import group_record, ngram_record, segment_record, word_record
from truegain.studies.inspect.tables import (
    caption_of,
    groups_table,
    listed_sentence,
    movement_sentences,
    ngrams_tables,
    sum_note,
    words_table,
)
from truegain.studies.result import Result
from truegain.studies.shapes import METRICS, SCORES, names_fit, segments_fit
from truegain.studies.shared_view import decimals_for, describe_testset, segments_item
from truegain.version import __version__

__all__ = ["InspectResult"]

_READING = (
    "A contribution is half of what Δ loses where the two outputs of a segment, or of a group of segments, are "
    "swapped, as approximate randomization swaps them at random. Δ is what is left of much that speaks for either "
    "system, so the share of a single segment may be large, or below zero. Arrows lead from the baseline to the system."
)
_NO_TESTS = (
    "These are descriptions of this test set, not tests: what is listed was chosen because it differs, and no p-value "
    "would mean anything for it. Whether the gain is real is what truegain compare answers."
)


def _faults(result: InspectResult) -> Iterator[tuple[str, str]]:
    yield from names_fit(result)
    keys = [metric.key for metric in result.metrics]
    for name in ("movements", "moved"):
        if [one.metric for one in getattr(result, name)] != keys:
            yield name, "one a metric was expected, in the order of the metrics"
    if result.everything and list(result.everything) != keys:
        yield "segments", "the segments of every metric were expected, in the order of the metrics"
    for i, (pair, movement) in enumerate(zip(result.moved, result.movements, strict=False)):
        if (pair.up_count, pair.down_count) != (movement.up, movement.down):
            yield f"moved[{i}].up_count", f"{movement.up:,} and {movement.down:,} were expected, as in movements"
        for side in ("up", "down"):
            yield from segments_fit(f"moved[{i}].{side}", getattr(pair, side), result.testset)
    for i, listed in enumerate(result.everything.values()):
        yield from segments_fit(f"segments[{i}].segments", listed, result.testset)
        if [segment.number for segment in listed] != list(range(1, result.testset.segments + 1)):
            yield f"segments[{i}].segments", f"segments 1 to {result.testset.segments:,} were expected, in their order"


@dataclass(frozen=True, repr=False)
class InspectResult(Result):
    """Which segments, documents, lengths, words and n-grams made the difference between two systems.

    Attributes
    ----------
    testset : TestSet
    metrics : tuple of MetricInfo
    scores : tuple of SystemScore
        Of the two systems, over all their runs.
    baseline, system : str
    movements : tuple of Movement
        The gain between the median runs, one a metric.
    moved : tuple of MovedPair
        The segments that moved most, one a metric.
    documents : tuple of GroupGain
        All documents under every metric, those that moved most first; empty where they are not known.
    lengths : tuple of GroupGain
        Segments by the length of their reference in words, under every metric; empty without texts.
    words : tuple of WordBucket
        Words by frequency; empty without texts. Those of the median runs under the first metric.
    ngrams : tuple of NgramUse
        The n-grams that differ most, of the same runs.
    count : int
        How many segments and documents are listed each way.
    tokenize : str
        How texts were split for lengths, words and n-grams.
    frequencies : str or None
        The text whose counts are the frequencies of words; None for the references.
    everything : mapping of str to tuple of Moved
        By metric, all segments in their order, where they were asked for.
    records : str
        What :meth:`to_records` gives.
    """

    study: ClassVar[str] = "inspect"
    shape: ClassVar[Shape] = Shape(
        names={"scores": "systems"},
        types={"metrics": METRICS, "scores": SCORES},
        forms={
            "everything": Form(
                {"segments": tuple[AllSegments, ...]},
                lambda held: (tuple(AllSegments(metric, segments) for metric, segments in held.items()),),
                lambda listed: {one.metric: one.segments for one in listed},
            )
        },
        first=("testset", "baseline", "system", "metrics", "systems", "count", "tokenize", "frequencies"),
        optional=("everything",),
        faults=_faults,
    )
    parts: ClassVar[Shapes] = {
        WordBucket: Shape(
            derived={
                "precision": lambda one: one.precision,
                "recall": lambda one: one.recall,
                "f1": lambda one: one.f1,
                "delta": lambda one: one.delta,
            }
        )
    }

    testset: TestSet
    metrics: tuple[MetricInfo, ...]
    scores: tuple[SystemScore, ...]
    baseline: str
    system: str
    movements: tuple[Movement, ...]
    moved: tuple[MovedPair, ...]
    documents: tuple[GroupGain, ...]
    lengths: tuple[GroupGain, ...]
    words: tuple[WordBucket, ...]
    ngrams: tuple[NgramUse, ...]
    count: int
    tokenize: str
    frequencies: str | None
    signature: str
    notes: tuple[str, ...] = ()
    everything: Mapping[str, tuple[Moved, ...]] = field(default_factory=dict)
    records: Records = "segments"
    command: str = ""
    version: str = __version__

    title = "Which segments made the difference?"

    def __getitem__(self, metric: str) -> MovedPair:
        for one in self.moved:
            if one.metric == metric:
                return one
        raise KeyError(metric)

    def movement(self, metric: str) -> Movement:
        """The gain between the median runs under a metric."""
        for one in self.movements:
            if one.metric == metric:
                return one
        raise KeyError(metric)

    def document(self, *, width: int | None = None) -> Document:
        """The gain, the segments that moved most, tables, and how all this is to be read."""
        items: list[Table | Paragraph | Passages] = [
            Paragraph(describe_testset(self.testset, self.scores), "title"),
        ]
        decimals = {metric.key: decimals_for(metric, self.scores, width) for metric in self.metrics}
        several = any(one.runs > 1 for one in self.scores)
        for metric, movement, pair in zip(self.metrics, self.movements, self.moved, strict=True):
            told = movement_sentences(
                metric, movement, self.baseline, self.system, decimals[metric.key], several=several
            )
            together = listed_sentence(pair, metric, decimals[metric.key])
            items.extend(Paragraph(text, "verdict") for text in [*told, *([together] if together else [])])
            items.extend(self._passages(metric, pair, decimals[metric.key]))
        for metric in self.metrics:
            items.extend(self._group_tables(metric, decimals[metric.key]))
        if self.words:
            items.append(words_table(self.words, self.frequencies))
        items.extend(ngrams_tables(self.ngrams, self.baseline, self.system))
        items.extend(Paragraph(text) for text in self.remarks(width))
        items.extend(Paragraph(f"{metric.label}: {metric.signature}", "signature") for metric in self.metrics)
        items.append(Paragraph(f"{self.signature} · inputs {self.testset.fingerprint}", "signature"))
        return Document(tuple(items))

    def appendix(self, *, width: int | None = None) -> tuple[Section, ...]:
        """The segments that moved most, to look through."""
        if not any(pair.up or pair.down for pair in self.moved):
            return ()
        return (Section("Segments that moved most", (segments_item(self, self.moved, width),)),)

    def remarks(self, width: int | None = None) -> list[str]:
        """How to read the result, and what to know about it."""
        told = [_READING]
        if self.words:
            told.append(self._on_words())
        for metric, movement in zip(self.metrics, self.movements, strict=True):
            decimals = decimals_for(metric, self.scores, width)
            note = sum_note(movement, metric, decimals)
            if note is not None:
                told.append(f"{note}.")
            if signed(movement.delta, decimals) != signed(movement.delta_of_means, decimals):
                told.append(
                    f"Δ between the median runs ({signed(movement.delta, decimals)} {metric.label}) is not that "
                    f"between the means over runs ({signed(movement.delta_of_means, decimals)})."
                )
        return [*told, _NO_TESTS, *(f"{note}." for note in self.notes)]

    def _on_words(self) -> str:
        where = "the references" if self.frequencies is None else self.frequencies
        told = [
            f"Words are counted in {where}; in each segment a word or n-gram is right as often as the reference has it."
        ]
        if self.testset.references > 1:
            told.append("Of several references, the one that has most of it counts, as in BLEU.")
        none = self.words[0]
        if none.wanted == 0 and none.low == 0 and any(none.produced):
            told.append(
                f"Of the words that no reference has, {self.baseline} uses {none.produced[0]:,} and {self.system} "
                f"{none.produced[1]:,}."
            )
        runs = {(one.baseline_run, one.system_run) for one in self.movements}
        if len(runs) > 1:
            first = self.movements[0]
            told.append(
                f"Words and n-grams are those of {first.baseline_run} and {first.system_run}, the median runs under "
                f"{self.metrics[0].label}."
            )
        return " ".join(told)

    def _passages(self, metric: MetricInfo, pair: MovedPair, decimals: int) -> list[Passages]:
        digits = contribution_digits([one.contribution for one in (*pair.up, *pair.down)], decimals)
        return [
            Passages(
                caption_of(metric, self.system, up),
                tuple(passage(pair, one, metric.label, decimals=decimals, digits=digits) for one in listed),
            )
            for up, listed in ((True, pair.up), (False, pair.down))
            if listed
        ]

    def _group_tables(self, metric: MetricInfo, decimals: int) -> list[Table]:
        tables = []
        documents = [one for one in self.documents if one.metric == metric.key]
        if documents:
            up = [one for one in documents if one.contribution > 0][: self.count]
            down = [one for one in documents if one.contribution < 0][: self.count]
            caption = f"Documents that moved {metric.label} most, of {len(documents):,}"
            breaks = (len(up),) if up and down else ()
            tables.append(groups_table(metric, [*up, *down], "document", caption, decimals, breaks))
        lengths = [one for one in self.lengths if one.metric == metric.key and one.segments]
        if lengths:
            caption = f"{metric.label} by the length of the reference in words"
            tables.append(groups_table(metric, lengths, "reference length", caption, decimals, ()))
        return [table for table in tables if table.rows]

    def to_records(self) -> list[dict[str, Any]]:
        """One record for each segment that is listed, or for each of all where they were asked for.

        Or of the documents, lengths, words or n-grams, where ``records`` says so.
        """
        if self.records in ("documents", "lengths"):
            groups = self.documents if self.records == "documents" else self.lengths
            name = self.records.removesuffix("s")
            return [group_record(one, name) for one in groups]
        if self.records == "words":
            return [word_record(one) for one in self.words]
        if self.records == "ngrams":
            return [ngram_record(one) for one in self.ngrams]
        return [
            segment_record(pair.metric, one, self.testset.references)
            for pair in self.moved
            for one in (self.everything[pair.metric] if self.everything else (*pair.up, *pair.down))
        ]
