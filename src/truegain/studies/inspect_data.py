"""Findings of an inspection as plain data and flat records, and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from truegain.report.model import Moved, MovedPair
from truegain.studies.inspect_findings import GroupGain, NgramUse, WordBucket

__all__ = [
    "group_record",
    "moved_pair",
    "moved_segments",
    "ngram_record",
    "ngram_use",
    "segment_record",
    "word_bucket",
    "word_dict",
    "word_record",
]


def segment_record(metric: str, one: Moved, references: int) -> dict[str, Any]:
    """A segment as a flat record, with a column for each of so many references."""
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


def group_record(one: GroupGain, name: str) -> dict[str, Any]:
    """A group of segments as a flat record; its label stands under a name."""
    return {(name if key == "label" else key): value for key, value in asdict(one).items()}


def word_dict(one: WordBucket) -> dict[str, Any]:
    """A range of frequencies as plain data, with what follows from its counts."""
    return {
        **asdict(one),
        "precision": list(one.precision),
        "recall": list(one.recall),
        "f1": list(one.f1),
        "delta": one.delta,
    }


def word_record(one: WordBucket) -> dict[str, Any]:
    """A range of frequencies as a flat record."""
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


def ngram_record(one: NgramUse) -> dict[str, Any]:
    """An n-gram as a flat record."""
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


def moved_segments(data: Sequence[Mapping[str, Any]]) -> tuple[Moved, ...]:
    """Segments from plain data."""
    return tuple(
        Moved(
            **{
                **one,
                "references": tuple(one["references"]),
                "baseline_statistics": tuple(one["baseline_statistics"]),
                "system_statistics": tuple(one["system_statistics"]),
            }
        )
        for one in data
    )


def _two(values: Sequence[int]) -> tuple[int, int]:
    first, second = values
    return first, second


def moved_pair(data: Mapping[str, Any]) -> MovedPair:
    """The segments that moved most, from plain data."""
    return MovedPair(
        **{
            **data,
            "statistic_names": tuple(data["statistic_names"]),
            "up": moved_segments(data["up"]),
            "down": moved_segments(data["down"]),
        }
    )


def word_bucket(data: Mapping[str, Any]) -> WordBucket:
    """A range of frequencies from plain data."""
    low, high, types, wanted = (data[key] for key in ("low", "high", "types", "wanted"))
    return WordBucket(low, high, types, wanted, _two(data["produced"]), _two(data["matched"]))


def ngram_use(data: Mapping[str, Any]) -> NgramUse:
    """An n-gram from plain data."""
    pairs = {key: _two(data[key]) for key in ("produced", "matched")}
    return NgramUse(**{**data, "words": tuple(data["words"]), **pairs})
