"""A ranking as tables and sentences."""

from __future__ import annotations

from truegain.inference.results import MetricInfo
from truegain.report.model import Cell, Column, Document, P, Paragraph, Symbol, Table, Words, decimal, remark, signed
from truegain.studies.group_scores import GroupScores
from truegain.studies.rank import sentences
from truegain.studies.rank.parts import Placed, RankedGroups
from truegain.studies.rank.result import RankResult
from truegain.studies.rank.sentences import disagreements, methods
from truegain.studies.shared_view import (
    after_words,
    decimals_for,
    describe_testset,
    error_columns,
    heading_of,
    level_words,
    name_cell,
    score_cells,
    signatures,
    standard_errors_notes,
)

__all__ = ["document", "methods", "prose", "verdicts"]

_MATRIX = 12  # more systems have no matrix: a map shows them


def document(result: RankResult, decimals: int | None) -> Document:
    """Return a table for each metric, the differences of few systems, verdicts, what to know, and the methods."""
    items: list[Table | Paragraph] = [Paragraph(describe_testset(result.testset, result.scores), "title")]
    for metric in result.metrics:
        places = decimals_for(metric, result.scores, decimals)
        items.append(_ranking_table(result, metric, places))
        if 2 < len(result.placed(metric.key)) <= _MATRIX:
            items.append(_matrix_table(result, metric, places))
        if result.groups is not None:
            items.extend(_group_tables(result, result.groups, metric, places))
    said = (*verdicts(result), *disagreements(result), *sentences.groups(result))
    items.extend(Paragraph(text, "verdict") for text in said)
    items.extend(remark(text) for text in sentences.remarks(result))
    items.extend(signatures(result))
    items.append(Paragraph(methods(result), "methods"))
    return Document(tuple(items))


def verdicts(result: RankResult) -> list[str]:
    """Say who is on top, and how far the systems differ significantly, metric by metric."""
    return [text for metric in result.metrics for text in sentences.verdicts(result, metric)]


def prose(result: RankResult) -> dict[str, str | list[str]]:
    """Return the sentences of the JSON."""
    return {"verdicts": verdicts(result), "disagreements": disagreements(result), "methods": methods(result)}


def _ranks_text(one: Placed) -> str:
    """Write ``1``, or ``1–3``."""
    return f"{one.best}" if one.best == one.worst else f"{one.best}–{one.worst}"


def _ranking_table(result: RankResult, metric: MetricInfo, decimals: int) -> Table:
    """Return the ranks of each system as shared tasks have them, with rules between clusters."""
    placed = result.placed(metric.key)
    scores = {one.name: one for one in result.scores if one.metric == metric.key}
    counted = len({one.runs for one in scores.values()}) > 1
    columns = (
        Column("rank"),
        Column("cluster"),
        Column(heading_of(metric), "left"),
        Column("score"),
        *error_columns(result.standard_errors),
        Column(f"{level_words(result.alpha)} CI"),
        Column("letters", "left"),
        Column("better than"),
    )
    rows = []
    for one in placed:
        score = scores[one.system]
        beaten = len(placed) - one.worst
        rows.append(
            (
                Cell(_ranks_text(one), "strong" if one.cluster == 1 else "plain", one.best),
                Cell(f"{one.cluster}", value=one.cluster),
                name_cell(one.system, score.runs if counted else 1),
                *score_cells(score, decimals, errors=result.standard_errors),
                Cell(one.letters),
                Cell(f"{beaten}", value=beaten),
            )
        )
    breaks = tuple(i for i in range(1, len(placed)) if placed[i].cluster != placed[i - 1].cluster)
    notes = (
        Words(
            "rank: the range of places consistent with the significant differences. letters: systems that share one "
            "are not shown to differ. better than: the number of systems, ",
            P,
            f" ≤ {result.alpha:g}{after_words(result.adjust)}.",
        ),
        *standard_errors_notes(result),
    )
    explained = notes if metric == result.metrics[0] else ()
    return Table(columns, tuple(rows), f"Ranks of {len(placed)} systems by {metric.label}", explained, breaks)


def _group_tables(
    result: RankResult, groups: RankedGroups, metric: MetricInfo, decimals: int
) -> list[Table | Paragraph]:
    """Return scores with ranks in every group, beside those over all."""
    from truegain.studies.group_scores_view import scores_matrix

    placed = {one.system: one for one in result.placed(metric.key)}
    of_groups = {one.group: one.placed(metric.key) for one in groups.groups}

    def whole(system: str) -> Cell:
        score = result.score(metric.key, system).score
        return Cell(f"{decimal(score, decimals)} ({_ranks_text(placed[system])})", value=score)

    def beside(group: GroupScores, system: str) -> str:
        own = of_groups[group.group].get(system)
        return "" if own is None else f" ({_ranks_text(own)})"

    return scores_matrix(groups.by, groups.groups, metric, decimals, list(placed), whole, beside)


def _matrix_table(result: RankResult, metric: MetricInfo, decimals: int) -> Table:
    """Return by how much the system of each row is better than that of each column."""
    names = [one.system for one in result.placed(metric.key)]
    deltas = {}
    for one in result.pairs:
        if one.metric == metric.key:
            deltas[one.baseline, one.system] = (one.delta, one.better)
            deltas[one.system, one.baseline] = (-one.delta, None if one.better is None else not one.better)
    columns = (
        Column(f"Δ {metric.label} over", "left"),
        *(Column(f"{place}") for place in range(2, len(names) + 1)),
    )
    rows = []
    for i, name in enumerate(names[:-1]):
        cells = []
        for j in range(1, len(names)):
            if j <= i:
                cells.append(Cell(""))
                continue
            delta, better = deltas[names[j], name]
            shown = better is not None
            cells.append(
                Cell(signed(delta, decimals), "good" if shown else "quiet", delta, spread="*" if shown else "")
            )
        rows.append((Cell(f"{i + 1} {name}"), *cells))
    level = Words(P, f" ≤ {result.alpha:g}{after_words(result.adjust)}")
    note = Words("Columns are systems by place; ", Symbol("*"), " ", level, ".")
    return Table(
        columns,
        tuple(rows),
        f"Differences in {metric.label} between all systems",
        (note,) if metric == result.metrics[0] else (),
    )
