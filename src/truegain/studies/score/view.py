"""Scores as tables."""

from __future__ import annotations

from truegain.inference.results import MetricInfo
from truegain.report.model import Cell, Column, Document, Paragraph, Table, decimal, remark
from truegain.studies.score.result import ScoreResult
from truegain.studies.shared_view import (
    decimals_for,
    describe_testset,
    scores_table,
    signatures,
    variability_tables,
)


def document(result: ScoreResult, decimals: int | None) -> Document:
    """Return a table of scores for each metric, and tables of segments if these were scored."""
    items: list[Table | Paragraph] = [Paragraph(describe_testset(result.testset, result.scores), "title")]
    items.extend(_segment_tables(result, decimals))
    for metric in result.metrics:
        places = decimals_for(metric, result.scores, decimals)
        items.append(_table(result, metric, places))
        if result.groups is not None:
            from truegain.studies.group_scores_view import intervals_table

            by, groups = result.groups.by, result.groups.groups
            items += intervals_table(by, groups, metric, places, alpha=result.alpha, errors=result.standard_errors)
        items.extend(variability_tables(metric, result.variability, places, result.unit))
    items.extend(remark(note) for note in result.notes)
    items.extend(signatures(result))
    return Document(tuple(items))


def arranged(result: ScoreResult, layout: str, decimals: int | None) -> Document:
    """Return one table instead of everything, in the layout paper or multeval."""
    from truegain.studies.layouts.arrange import arranged

    return arranged(result, layout, decimals)


def _table(result: ScoreResult, metric: MetricInfo, decimals: int) -> Table:
    return scores_table(result, metric, [one for one in result.scores if one.metric == metric.key], decimals)


def _segment_tables(result: ScoreResult, decimals: int | None) -> list[Table]:
    """Return a table for each run, so that any number of systems can be read."""
    places = {metric.key: decimals_for(metric, result.scores, decimals) for metric in result.metrics}
    tables = []
    for run in dict.fromkeys(run for _, run in result.segments):
        own = {metric.key: result.segments[metric.key, run] for metric in result.metrics}
        columns = (Column(run, "left"), *(Column(metric.label) for metric in result.metrics))
        rows = tuple(
            (Cell(f"{i + 1}"), *(Cell(decimal(values[i], places[key])) for key, values in own.items()))
            for i in range(result.testset.segments)
        )
        tables.append(Table(columns, rows, f"Scores of the segments of {run}"))
    return tables
