"""The gain that is usually significant, as tables and sentences."""

from __future__ import annotations

from truegain.report.model import Document, Paragraph, Table, remark
from truegain.studies.shared_view import decimals_for, describe_testset, signatures
from truegain.studies.threshold import sentences
from truegain.studies.threshold.result import ThresholdResult
from truegain.studies.threshold.sentences import methods
from truegain.studies.threshold.tables import sizes_table, thresholds_table

__all__ = ["document", "methods", "prose", "verdicts"]


def document(result: ThresholdResult, decimals: int | None) -> Document:
    """Return a table or two for each metric, verdicts, what to know, and the methods."""
    items: list[Table | Paragraph] = [Paragraph(describe_testset(result.testset, result.scores), "title")]
    for metric in result.metrics:
        places = decimals_for(metric, result.scores, decimals)
        items.append(thresholds_table(result, metric, places))
        if result.law(metric.key) is not None:
            items.append(sizes_table(result, metric, places))
    items.extend(Paragraph(text, "verdict") for text in verdicts(result, decimals))
    items.extend(remark(text) for text in sentences.remarks(result))
    items.extend(signatures(result))
    items.append(Paragraph(methods(result), "methods"))
    return Document(tuple(items))


def verdicts(result: ThresholdResult, decimals: int | None = None) -> list[str]:
    """Return the gain that usually suffices, and how it falls with the size: a few sentences for each metric."""
    return [
        text
        for metric in result.metrics
        for text in sentences.verdicts(result, metric, decimals_for(metric, result.scores, decimals))
    ]


def prose(result: ThresholdResult) -> dict[str, str | list[str]]:
    """Return the sentences of the JSON."""
    return {"verdicts": verdicts(result), "methods": methods(result)}
