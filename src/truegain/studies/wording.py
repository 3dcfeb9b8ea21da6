"""What tests, units, adjustments and test sets are called, in the sentences of all studies."""

from __future__ import annotations

from collections.abc import Sequence

from truegain.inference.results import SystemScore, TestSet
from truegain.registry import TESTS
from truegain.report.model import whole

__all__ = [
    "ADJUSTED_BY",
    "describe_testset",
    "label_of",
    "units_words",
    "where",
]

#: Whose methods they are.
ADJUSTED_BY = {
    "bonferroni": "Bonferroni",
    "holm": "Holm",
    "hochberg": "Hochberg",
    "bh": "Benjamini and Hochberg",
    "by": "Benjamini and Yekutieli",
    "maxt": "Westfall and Young",
}


def label_of(test: str) -> str:
    """What a test is called in a sentence."""
    label = TESTS[test].label
    return f"the {label}" if label.endswith("test") and "'s" not in label else label


def units_words(unit: str, count: int) -> str:
    """What is drawn or swapped, for the methods sentence."""
    if unit == "block":
        return f"blocks of the {count:,} segments"
    return f"{count:,} {'test set' if unit == 'testset' else unit}s"


def describe_testset(testset: TestSet, scores: Sequence[SystemScore]) -> str:
    """One line on what was tested on."""
    parts = [whole(testset.segments, "segment")]
    if testset.documents is not None:
        parts.append(whole(testset.documents, "document"))
    if testset.domains is not None:
        parts.append(whole(testset.domains, "domain"))
    if testset.references:
        parts.append(whole(testset.references, "reference"))
    runs = list({score.name: score.runs for score in scores}.values())
    if max(runs) > 1:
        parts.append(" + ".join(str(count) for count in runs) + " runs")
    return f"{testset.name}  {' · '.join(parts)}"


def where(testset: TestSet) -> str:
    """The test set and its size, for captions."""
    name = "the test set" if testset.name == "test set" else testset.name
    return f"{name} ({whole(testset.segments, 'segment')})"
