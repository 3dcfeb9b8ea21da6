"""The tables of a ranking: places, clusters and letters; the differences of every two systems."""

from __future__ import annotations

from typing import TYPE_CHECKING

from truegain.inference.results import MetricInfo
from truegain.report.model import Cell, Column, Span, Table, signed
from truegain.studies.shared_view import ADJUSTED_BY, heading_of, interval_text, name_cell

if TYPE_CHECKING:
    from truegain.studies.rank.parts import Placed
    from truegain.studies.rank.result import RankResult

__all__ = ["MATRIX", "matrix_table", "ranking_table", "ranks_text"]

#: More systems than these have no matrix: a map shows them.
MATRIX = 12


def ranks_text(one: Placed) -> str:
    """``1``, or ``1–3``."""
    return f"{one.best}" if one.best == one.worst else f"{one.best}–{one.worst}"


def ranking_table(result: RankResult, metric: MetricInfo, decimals: int) -> Table:
    """As shared tasks have it: the possible ranks of each system, with rules between clusters."""
    placed = result.placed(metric.key)
    scores = {one.name: one for one in result.scores if one.metric == metric.key}
    counted = len({one.runs for one in scores.values()}) > 1
    columns = (
        Column("rank"),
        Column("cluster"),
        Column(heading_of(metric), "left"),
        Column("score"),
        Column(f"{100 * (1 - result.alpha):g} % CI"),
        Column("letters", "left"),
        Column("better than"),
    )
    rows = []
    for one in placed:
        score = scores[one.system]
        interval = score.interval
        ends = Cell("")
        if interval is not None:
            text = interval_text(interval.low, interval.high, lambda x: f"{x:.{decimals}f}")
            ends = Cell(text, value=interval.low, span=Span(interval.low, score.score, interval.high))
        beaten = len(placed) - one.worst
        rows.append(
            (
                Cell(ranks_text(one), "strong" if one.cluster == 1 else "plain", one.best),
                Cell(f"{one.cluster}", value=one.cluster),
                name_cell(one.system, score.runs if counted else 1),
                Cell(f"{score.score:.{decimals}f}", value=score.score),
                ends,
                Cell(one.letters),
                Cell(f"{beaten}", value=beaten),
            )
        )
    breaks = tuple(i for i in range(1, len(placed)) if placed[i].cluster != placed[i - 1].cluster)
    notes = (
        "rank: the places that the shown differences leave a system. letters: systems that share one are not shown to "
        f"differ. better than: so many systems, p ≤ {result.alpha:g}{_after(result)}.",
    )
    explained = notes if metric == result.metrics[0] else ()
    return Table(columns, tuple(rows), f"Ranks of {len(placed)} systems by {metric.label}", explained, breaks)


def matrix_table(result: RankResult, metric: MetricInfo, decimals: int) -> Table:
    """By how much the system of each row is better than that of each column."""
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
    note = f"Columns are systems by place; * p ≤ {result.alpha:g}{_after(result)}."
    return Table(
        columns,
        tuple(rows),
        f"Differences in {metric.label} between all systems",
        (note,) if metric == result.metrics[0] else (),
    )


def _after(result: RankResult) -> str:
    return "" if result.adjustment == "none" else f" after {ADJUSTED_BY[result.adjustment]}"
