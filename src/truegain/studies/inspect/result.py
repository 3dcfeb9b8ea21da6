"""Result of an inspection."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from truegain.changed_segments import ChangedPair, ChangedSegment
from truegain.inference.results import Metrics, Scores, TestSet
from truegain.results import Result, no_entry
from truegain.rows import Baseline, Number, System, field
from truegain.settings.inspect import Records
from truegain.studies.inspect.findings import AllSegments, GroupGain, Movement, NgramUse, WordBucket


class InspectResult(Result, tag="inspect", kw_only=True, rename={"scores": "systems", "every_segment": "segments"}):
    """Segments, documents, lengths, words and n-grams that made the difference between two systems."""

    study: ClassVar[str] = "inspect"

    testset: Annotated[TestSet, field("The test set.")]
    metrics: Metrics
    scores: Annotated[Scores, field("The scores of the two systems, over all their runs.")]
    baseline: Baseline
    system: System
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

    title = "Which segments made the difference?"

    @property
    def everything(self) -> dict[str, tuple[ChangedSegment, ...]]:
        """By metric, all segments in their order, if they were asked for."""
        return {one.metric: one.segments for one in self.every_segment}

    def __getitem__(self, metric: str) -> ChangedPair:
        for one in self.changed_segments:
            if one.metric == metric:
                return one
        raise no_entry(metric, (one.metric for one in self.changed_segments))

    def _keys(self) -> list[tuple[str, ...]]:
        return [(one.metric,) for one in self.changed_segments]

    def movement(self, metric: str) -> Movement:
        """Return the gain between the median runs under a metric."""
        for one in self.movements:
            if one.metric == metric:
                return one
        raise KeyError(metric)

    def remarks(self, decimals: int | None = None) -> list[str]:
        """Say how to read the result, and what to know about it."""
        return list(self._view.remarks(self, decimals))

    def to_records(self) -> list[dict[str, Any]]:
        """Return one record for each segment that is listed, or for all if they were asked for.

        Or for the documents, lengths, words or n-grams, if ``records`` says so.
        """
        if self.records == "documents":
            return [_group_record(one, "document") for one in self.documents]
        if self.records == "lengths":
            return [_group_record(one, "length") for one in self.lengths]
        if self.records == "words":
            return [_word_record(one) for one in self.words]
        if self.records == "ngrams":
            return [_ngram_record(one) for one in self.ngrams]
        everything = self.everything
        return [
            _segment_record(pair.metric, one, self.testset.references)
            for pair in self.changed_segments
            for one in (everything[pair.metric] if everything else (*pair.up, *pair.down))
        ]


def _segment_record(metric: str, one: ChangedSegment, references: int) -> dict[str, Any]:
    """Return a segment as a flat record, with one column per reference."""
    names = ["reference"] if references == 1 else [f"reference_{i + 1}" for i in range(references)]
    texts = [*one.references, *[None] * (references - len(one.references))]
    return {
        "metric": metric,
        "segment": one.number,
        "document": one.document,
        "contribution": one.contribution,
        "share": one.share,
        "baseline_score": one.baseline_score,
        "system_score": one.system_score,
        **dict(zip(names, texts, strict=True)),
        "baseline_output": one.baseline_output,
        "system_output": one.system_output,
    }


def _group_record(one: GroupGain, name: str) -> dict[str, Any]:
    """Return a group of segments as a flat record; its label stands under ``name``."""
    return {(name if key == "label" else key): value for key, value in one.columns().items()}


def _word_record(one: WordBucket) -> dict[str, Any]:
    """Return a range of frequencies as a flat record."""
    record: dict[str, Any] = {"frequency": one.label, "types": one.types, "reference": one.wanted}
    for place, name in enumerate(("baseline", "system")):
        record |= {
            f"{name}_produced": one.produced[place],
            f"{name}_matched": one.matched[place],
            f"{name}_precision": one.precision[place],
            f"{name}_recall": one.recall[place],
            f"{name}_f1": one.f1[place],
        }
    return record | {"delta_f1": one.delta}


def _ngram_record(one: NgramUse) -> dict[str, Any]:
    """Return an n-gram as a flat record."""
    return {
        "use": one.use,
        "more": one.more,
        "ngram": " ".join(one.words),
        "order": len(one.words),
        "difference": one.difference,
        "reference": one.reference,
        "baseline_produced": one.produced[0],
        "system_produced": one.produced[1],
        "baseline_matched": one.matched[0],
        "system_matched": one.matched[1],
    }
