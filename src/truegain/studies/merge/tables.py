"""The table of a merge: scores, gains, and the p-values of both tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from truegain.inference.results import MetricInfo, SystemScore
from truegain.report.model import Cell, Column, Span, Table, decimal, p_text, signed
from truegain.studies.shared_view import TONES, heading_of, interval_text, name_cell

if TYPE_CHECKING:
    from truegain.studies.merge.result import MergeResult

__all__ = ["merged_table"]

_HEADINGS = {"ar": "p AR", "poisson-bootstrap": "p boot."}


def merged_table(result: MergeResult, metric: MetricInfo, decimals: int) -> Table:
    """Scores with intervals; gains over the baseline, where there is one, by the test that decides and by the other."""
    level = f"{100 * (1 - result.alpha):g} % CI"
    family = {one.system: one for one in result.of(metric.key)}
    mine = [one for one in result.scores if one.metric == metric.key]
    mine.sort(key=lambda one: one.name != result.baseline)
    counted = len({one.runs for one in mine}) > 1
    columns = [Column(heading_of(metric), "left"), Column("score"), Column(level)]
    adjusts = len(family) > 1 and result.adjustment != "none"
    tests = sorted(_HEADINGS, key=lambda test: test != result.test)
    if family:
        columns += [Column("Δ"), Column(f"{level} of Δ")]
        columns += [Column(_HEADINGS[test] + (" adj." if adjusts else "")) for test in tests]
        columns.append(Column("", "left"))
    rows: list[tuple[Cell, ...]] = []
    for score in mine:
        cells = [name_cell(score.name, score.runs if counted else 1), *_score_cells(score, decimals)]
        if score.name in family:
            one = family[score.name]
            tone = TONES[one.better]
            cells += [
                Cell(signed(one.delta, decimals), tone, one.delta),
                Cell(
                    interval_text(one.interval.low, one.interval.high, lambda x: signed(x, decimals)),
                    value=one.interval.low,
                    span=Span(one.interval.low, one.delta, one.interval.high),
                ),
            ]
            cells += [_p_cell(one.p_adjusted(test)) for test in tests]
            cells.append(Cell("*" if one.significant else "", tone))
        elif family:
            cells += [Cell(""), Cell("baseline", "quiet"), Cell(""), Cell(""), Cell("")]
        rows.append(tuple(cells))
    caption = (
        f"{metric.label} of each system and its gain over {result.baseline}"
        if family
        else f"{metric.label} of the system"
    )
    return Table(tuple(columns), tuple(rows), caption)


def _score_cells(score: SystemScore, decimals: int) -> tuple[Cell, Cell]:
    shown = Cell(decimal(score.score, decimals), value=score.score)
    interval = score.interval
    if interval is None:
        return shown, Cell("")
    ends = interval_text(interval.low, interval.high, lambda x: decimal(x, decimals))
    return shown, Cell(ends, value=interval.low, span=Span(interval.low, score.score, interval.high))


def _p_cell(p: float | None) -> Cell:
    return Cell("–") if p is None else Cell(p_text(p), value=p)
