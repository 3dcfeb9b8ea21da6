"""The tables of a comparison: gains, several tests side by side, scores alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from truegain.inference.results import Comparison, MetricInfo, SystemScore
from truegain.registry import TESTS
from truegain.report.model import Cell, Column, Span, Table, decimal, listing, p_text, signed
from truegain.studies.compare.caveats import unmarked_note
from truegain.studies.shared_view import MANY, heading_of, interval_text, name_cell, tone_of

__all__ = ["gains_table", "scores_table", "tests_table"]

_SHORT = {"bonferroni": "Bonf.", "holm": "Holm", "hochberg": "Hochb.", "bh": "BH", "by": "BY", "maxt": "maxT"}


def gains_table(
    metric: MetricInfo,
    family: Sequence[Comparison],
    scores: Sequence[SystemScore],
    baseline: str | None,
    *,
    alpha: float,
    decimals: int,
) -> Table:
    """Scores and gains over the baseline; gains alone where there is none."""
    level = f"{100 * (1 - alpha):g} % CI"
    mine = {score.name: score for score in scores if score.metric == metric.key}
    # With the number of runs, unless all systems have as many: the title names them then.
    counted = len({score.runs for score in mine.values()}) > 1
    columns = [Column(heading_of(metric), "left")]
    columns += [Column("score"), Column(level)] if baseline is not None else []
    columns += [Column("Δ"), Column(f"{level} of Δ"), Column("p")]
    adjusts = len(family) > 1 and family[0].adjustment != "none"
    if adjusts:
        columns.append(Column(f"p {_SHORT[family[0].adjustment]}"))
    columns.append(Column("", "left"))

    def scored(name: str) -> tuple[Cell, ...]:
        score = mine[name]
        return name_cell(name, score.runs if counted else 1), *_score_cells(score, decimals)

    rows: list[tuple[Cell, ...]] = []
    if baseline is not None:
        blank = [Cell("")] * (len(columns) - 5)
        rows.append((*scored(baseline), Cell(""), Cell("baseline", "quiet"), *blank))
    for one in family:
        tone = tone_of(one)
        cells = [
            *(scored(one.system) if baseline is not None else (Cell(f"{one.system} − {one.baseline}"),)),
            Cell(signed(one.delta, decimals), tone, one.delta),
            Cell(
                interval_text(one.interval.low, one.interval.high, lambda x: signed(x, decimals)),
                value=one.interval.low,
                span=Span(one.interval.low, one.delta, one.interval.high),
            ),
            Cell(p_text(one.p), value=one.p),
        ]
        if adjusts:
            cells.append(Cell(p_text(one.p_adjusted), value=one.p_adjusted))
        rows.append((*cells, Cell("*" if one.marked else "", tone)))
    caption = (
        f"Differences in {metric.label} between all systems"
        if baseline is None
        else f"{metric.label} of each system and its gain over {baseline}"
    )
    return Table(tuple(columns), tuple(rows), caption, tuple(unmarked_note(family, baseline, alpha)))


def tests_table(
    metric: MetricInfo,
    family: Sequence[Comparison],
    others: Mapping[str, Mapping[tuple[str, str], Comparison]],
    baseline: str | None,
) -> Table:
    """Several tests side by side: the p-values of each, not adjusted, and what it claims."""
    by_test: dict[str, dict[tuple[str, str], Comparison]] = {}
    for one in family:
        by_test.setdefault(one.asked, {})[one.baseline, one.system] = one
    for test, found in others.items():
        by_test[test] = {**by_test.get(test, {}), **found}
    pairs = [(one.baseline, one.system) for one in family]
    names = [system if baseline is not None else f"{system} − {other}" for other, system in pairs]
    rows: list[tuple[Cell, ...]] = []
    if len(pairs) > MANY:
        columns = [Column(f"{metric.label}, p of", "left"), *(Column(TESTS[test].short or test) for test in by_test)]
        for name, pair in zip(names, pairs, strict=True):
            rows.append((Cell(name), *(_p_cell(found.get(pair)) for found in by_test.values())))
    else:
        columns = [
            Column(f"{metric.label} by", "left"),
            Column("for", "left"),
            *(Column(f"p {name}") for name in names),
        ]
        for test, found in by_test.items():
            claims = listing(list(dict.fromkeys(one.claim for one in found.values())))
            rows.append((Cell(test), Cell(claims), *(_p_cell(found.get(pair)) for pair in pairs)))
    return Table(tuple(columns), tuple(rows), f"P-values of {metric.label} by test")


def scores_table(metric: MetricInfo, scores: Sequence[SystemScore], *, alpha: float, decimals: int) -> Table:
    """The scores alone, the best first, where the other table is of pairs."""
    mine = sorted((one for one in scores if one.metric == metric.key), key=lambda one: -one.score)
    if metric.higher_is_better is False:
        mine.reverse()
    rows = tuple((name_cell(one.name, one.runs), *_score_cells(one, decimals)) for one in mine)
    columns = (Column(heading_of(metric), "left"), Column("score"), Column(f"{100 * (1 - alpha):g} % CI"))
    return Table(columns, rows, f"{metric.label} of each system")


def _score_cells(score: SystemScore, decimals: int) -> tuple[Cell, Cell]:
    interval = score.interval
    shown = Cell(decimal(score.score, decimals), value=score.score)
    if interval is None:
        return shown, Cell("")
    ends = interval_text(interval.low, interval.high, lambda x: decimal(x, decimals))
    return shown, Cell(ends, value=interval.low, span=Span(interval.low, score.score, interval.high))


def _p_cell(one: Comparison | None) -> Cell:
    return Cell("") if one is None else Cell(p_text(one.p), value=one.p)
