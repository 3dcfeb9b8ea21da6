"""A plan as tables, sentences and a figure."""

from __future__ import annotations

from truegain.report.model import Document, Paragraph, Table, remark
from truegain.studies.plan.result import PlanResult
from truegain.studies.plan.sentences import basis_words, methods, remarks, verdict
from truegain.studies.plan.tables import decimals_of, tables
from truegain.studies.shared_view import describe_testset, signatures

__all__ = ["decimals_of", "document", "methods", "prose", "verdicts"]


def document(result: PlanResult, decimals: int | None) -> Document:
    """Return what the plan rests on; for each metric what to expect and what it takes; sentences and notes."""
    title = "assumptions" if result.testset is None else describe_testset(result.testset, result.scores)
    items: list[Table | Paragraph] = [Paragraph(title, "title")]
    items += [Paragraph(text) for metric in result.metrics for text in basis_words(result, metric, decimals)]
    for metric in result.metrics:
        items += tables(result, metric, decimals_of(result, metric, decimals))
    items += [Paragraph(text, "verdict") for text in verdicts(result, decimals)]
    items += [remark(note) for note in remarks(result)]
    if result.testset is not None:
        items += signatures(result)
    else:
        items.append(Paragraph(result.signature, "signature"))
    items.append(Paragraph(methods(result), "methods"))
    return Document(tuple(items))


def verdicts(result: PlanResult, decimals: int | None = None) -> list[str]:
    """Return a sentence or two for each metric."""
    return [verdict(result, metric, decimals) for metric in result.metrics]


def prose(result: PlanResult) -> dict[str, str | list[str]]:
    """Return the sentences of the JSON."""
    return {"verdicts": verdicts(result), "methods": methods(result)}
