"""Result of an inspection."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Annotated, Any, ClassVar

from truegain.changed_segments import ChangedPair, ChangedSegment
from truegain.fields import Baseline, Field, Form, Shape, System, documented
from truegain.inference.results import Metrics, Scores, TestSet
from truegain.notes import Notes
from truegain.settings.inspect import Records
from truegain.studies import view_of
from truegain.studies.consistency import names_fit, segments_fit
from truegain.studies.inspect.findings import AllSegments, GroupGain, Movement, NgramUse, WordBucket
from truegain.studies.keys import no_entry
from truegain.studies.result import Command, Result, Signature, Version
from truegain.version import __version__


def _faults(result: InspectResult) -> Iterator[tuple[str, str]]:
    yield from names_fit(result)
    keys = [metric.key for metric in result.metrics]
    for name in ("movements", "changed_segments"):
        if [one.metric for one in getattr(result, name)] != keys:
            yield name, "one per metric was expected, in the order of the metrics"
    if result.everything and list(result.everything) != keys:
        yield "segments", "the segments of every metric were expected, in the order of the metrics"
    for i, (pair, movement) in enumerate(zip(result.changed_segments, result.movements, strict=False)):
        if (pair.up_count, pair.down_count) != (movement.up, movement.down):
            yield (
                f"changed_segments[{i}].up_count",
                f"{movement.up:,} and {movement.down:,} were expected, as in movements",
            )
        for side in ("up", "down"):
            yield from segments_fit(f"changed_segments[{i}].{side}", getattr(pair, side), result.testset)
    for i, listed in enumerate(result.everything.values()):
        yield from segments_fit(f"segments[{i}].segments", listed, result.testset)
        numbers = [segment.number for segment in listed]
        if len(numbers) != result.testset.segments or numbers != list(range(1, len(numbers) + 1)):
            yield f"segments[{i}].segments", f"segments 1 to {result.testset.segments:,} were expected, in their order"


_BY_METRIC = Form(
    {"segments": Annotated[tuple[AllSegments, ...], Field("All segments in their order, metric by metric.")]},
    lambda held: (tuple(AllSegments(metric, segments) for metric, segments in held.items()),),
    lambda listed: {one.metric: one.segments for one in listed},
)


@documented
@dataclass(frozen=True, repr=False)
class InspectResult(Result):
    """Segments, documents, lengths, words and n-grams that made the difference between two systems."""

    study: ClassVar[str] = "inspect"
    shape: ClassVar[Shape] = Shape(
        first=("testset", "baseline", "system", "metrics", "systems", "count", "tokenize", "frequencies"),
        faults=_faults,
    )

    testset: Annotated[TestSet, Field("The test set.")]
    metrics: Metrics
    scores: Annotated[Scores, Field("The scores of the two systems, over all their runs.")]
    baseline: Baseline
    system: System
    movements: Annotated[tuple[Movement, ...], Field("The gain between the median runs, one per metric.")]
    changed_segments: Annotated[tuple[ChangedPair, ...], Field("The segments that changed most, one list per metric.")]
    documents: Annotated[
        tuple[GroupGain, ...],
        Field("All documents under every metric, those that changed most first; empty if they are not known."),
    ]
    lengths: Annotated[
        tuple[GroupGain, ...],
        Field("Segments by the length of their reference in words, under every metric; empty without texts."),
    ]
    words: Annotated[
        tuple[WordBucket, ...],
        Field("Words by frequency, of the median runs under the first metric; empty without texts."),
    ]
    ngrams: Annotated[tuple[NgramUse, ...], Field("The n-grams that differ most, of the same runs.")]
    count: Annotated[int, Field("The number of segments and documents that are listed each way.")]
    tokenize: Annotated[str, Field("How texts were split for lengths, words and n-grams.")]
    frequencies: Annotated[
        str | None, Field("The text whose counts are the frequencies of words; none for the references.")
    ]
    signature: Signature
    notes: Notes = ()
    everything: Annotated[
        Mapping[str, tuple[ChangedSegment, ...]],
        _BY_METRIC,
        Field("By metric, all segments in their order, if they were asked for.", optional=True),
    ] = field(default_factory=dict)
    records: Annotated[Records, Field("What flat records are made of.")] = "segments"
    command: Command = ""
    version: Version = __version__

    title = "Which segments made the difference?"

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
        return list(view_of(self.study).remarks(self, decimals))

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
        return [
            _segment_record(pair.metric, one, self.testset.references)
            for pair in self.changed_segments
            for one in (self.everything[pair.metric] if self.everything else (*pair.up, *pair.down))
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
    return {(name if key == "label" else key): value for key, value in asdict(one).items()}


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
