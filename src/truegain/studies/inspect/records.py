"""Findings of an inspection as flat records."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from truegain.changed_segments import Moved
from truegain.studies.inspect.findings import GroupGain, NgramUse, WordBucket

__all__ = ["group_record", "ngram_record", "segment_record", "word_record"]


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
