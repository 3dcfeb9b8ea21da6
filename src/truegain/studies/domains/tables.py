"""The tables of a study of several test sets: shares of the same sign by p, from set to set and on draws."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate

from truegain.inference.results import MetricInfo
from truegain.report.model import Cell, Column, Table, decimal
from truegain.studies.domains.parts import Pooled, Population, Share, Transfer, listed
from truegain.studies.domains.result import DomainsResult
from truegain.studies.shared_view import heading_of, interval_cell, level_words, name_cell

_SCORED = 12  # more systems than these have no table of scores
_SETS = 4  # more sets than these have one table of all, and bins in the data


def percent(share: float) -> str:
    """Write ``93.1 %``; ``100 %`` if it is all, and ``> 99.9 %`` if it is nearly all."""
    if 0.9995 <= share < 1.0:
        return "> 99.9 %"
    if 0.0 < share < 0.0005:
        return "< 0.1 %"
    return f"{100 * share:.1f}".removesuffix(".0") + " %"


def bin_text(share: Share) -> str:
    """Write ``≤ 0.001``, ``0.001 – 0.01``, ``> 0.25``."""
    if share.low == 0.0:
        return f"≤ {share.high:g}"
    return f"> {share.low:g}" if share.high == 1.0 else f"{share.low:g} – {share.high:g}"


def tables(result: DomainsResult, metric: MetricInfo, decimals: int | None) -> list[Table]:
    """Return what there is to show of a metric; bins without cases are left out, and so are tables without any."""
    found = []
    if len(result.systems) <= _SCORED and len(result.sets) <= _SETS:
        found.append(_score_table(result, metric, decimals))
    names = [one.name for one in result.sets]
    if len(names) > 2:
        found.append(_matrix(result, metric))
    found += [_pooled_table(result, metric, one) for one in result.pooled if one.metric == metric.key]
    if 1 < len(names) <= _SETS:
        found += [
            _transfer_table(result, metric, [one for one in result.transfers if _is(one, metric, name)])
            for name in names
        ]
    populations = [one for one in result.populations if one.metric == metric.key]
    if populations:
        found.append(_population_table(result, metric, populations))
    found.append(_threshold_table(result, metric, places_for(result, metric, decimals)))
    return [table for table in found if table.rows]


def places_for(result: DomainsResult, metric: MetricInfo, decimals: int | None) -> int:
    """Return the decimals of scores and gains, unless they are given."""
    largest = max(abs(one.score) for one in result.scores if one.metric == metric.key)
    return decimals if decimals is not None else 4 if largest < 2 else 3 if largest < 20 else 2


def is_shown(result: DomainsResult, one: Transfer | Pooled | Population) -> bool:
    """Return whether there is a table of its bins."""
    return not isinstance(one, Transfer) or len(result.sets) <= _SETS


def _is(one: Transfer, metric: MetricInfo, source: str) -> bool:
    return (one.metric, one.source) == (metric.key, source)


_Cells = tuple[Cell, ...]


def _filled(
    parts: Sequence[Transfer | Pooled | Population], cells: Callable[..., _Cells]
) -> tuple[tuple[_Cells, ...], tuple[int, ...]]:
    """Return a row for each bin that has cases, and where parts begin but the first."""
    rows = [[cells(one, share) for share in listed(one) if share.cases] for one in parts]
    kept = [own for own in rows if own]
    return tuple(row for own in kept for row in own), tuple(accumulate(map(len, kept[:-1])))


def _score_table(result: DomainsResult, metric: MetricInfo, decimals: int | None) -> Table:
    mine = [one for one in result.scores if one.metric == metric.key]
    places = places_for(result, metric, decimals)
    by_place = {(one.set, one.system): one for one in mine}
    columns = (Column(heading_of(metric), "left"), *(Column(one.name) for one in result.sets))
    rows = []
    for name in result.systems:
        own = [by_place[one.name, name] for one in result.sets]
        runs = own[0].runs if len({one.runs for one in own}) == 1 else 1
        cells = [Cell(decimal(one.score, places), value=one.score) for one in own]
        rows.append((name_cell(name, runs), *cells))
    return Table(columns, tuple(rows), f"{metric.label} of {len(rows)} systems on every set")


def _share_cells(share: Share) -> tuple[Cell, Cell]:
    if share.share is None or share.ci is None:
        return Cell("–"), Cell("")
    low, high = share.ci
    return (
        Cell(percent(share.share), "bad" if high < 0.5 else "plain", share.share),
        interval_cell(low, share.share, high, percent),
    )


def _optional(share: float | None) -> Cell:
    return Cell("–") if share is None else Cell(percent(share), "quiet", share)


def _of_pairs(count: int | None, share: Share) -> Cell:
    if not share.cases or count is None:
        return Cell("–")
    return Cell(percent(count / share.cases), value=count / share.cases)


def _matrix(result: DomainsResult, metric: MetricInfo) -> Table:
    names = [one.name for one in result.sets]
    columns = (Column(f"{metric.label}: from, p ≤ {result.alpha:g}", "left"), *(Column(f"to {name}") for name in names))
    rows = []
    for source in names:
        cells = []
        for target in names:
            if source == target:
                cells.append(Cell(""))
                continue
            share = result[metric.key, source, target].significant
            cells.append(_share_cells(share)[0])
        rows.append((Cell(source), *cells))
    caption = (
        f"Of the pairs with p ≤ {result.alpha:g} on one set, those with the same sign on another, by {metric.label}"
    )
    return Table(columns, tuple(rows), caption)


def _share_columns(result: DomainsResult) -> tuple[Column, ...]:
    return (
        Column("same sign"),
        Column(f"{level_words(result.alpha)} CI"),
        Column("one domain"),
        Column("sig. too"),
        Column("sig. opposite"),
    )


def _bin_cells(share: Share, count: int) -> tuple[Cell, Cell]:
    return Cell(bin_text(share), value=share.high), Cell(f"{count:,}", value=count)


def _transferred(share: Share) -> _Cells:
    return (
        *_share_cells(share),
        _optional(share.expected),
        _of_pairs(share.shown, share),
        _of_pairs(share.opposite, share),
    )


def _pooled_table(result: DomainsResult, metric: MetricInfo, pooled: Pooled) -> Table:
    columns = (Column(f"{metric.label}: p on one set", "left"), Column("cases"), *_share_columns(result))
    rows, breaks = _filled([pooled], lambda one, share: (*_bin_cells(share, share.cases), *_transferred(share)))
    notes = (
        f"cases: pairs, in all {pooled.transfers} transfers from one set to another; they are not independent. "
        f"{_meaning(result)}",
    )
    caption = f"All transfers pooled: p on one set, and the same sign on another, by {metric.label}"
    return Table(columns, rows, caption, notes if metric == result.metrics[0] else (), breaks)


def _meaning(result: DomainsResult) -> str:
    return (
        "same sign: the system that is better on the first set is better on the other, too. one domain: what to expect "
        "if both sets were of one domain. sig. too: significant on the other set as well, in the same direction, "
        f"p ≤ {result.alpha:g}; sig. opposite: in the other direction."
    )


def _transfer_table(result: DomainsResult, metric: MetricInfo, transfers: list[Transfer]) -> Table:
    source = transfers[0].source
    columns = (
        Column(f"{metric.label}: to", "left"),
        Column(f"p on {source}"),
        Column("pairs"),
        *_share_columns(result),
    )
    rows, breaks = _filled(
        transfers, lambda one, share: (Cell(one.target), *_bin_cells(share, share.pairs), *_transferred(share))
    )
    first = metric == result.metrics[0] and source == result.sets[0].name
    return Table(
        columns,
        rows,
        f"From {source}: p there, and the same sign elsewhere, by {metric.label}",
        (_meaning(result),) if first and not result.pooled else (),
        breaks,
    )


def _population_table(result: DomainsResult, metric: MetricInfo, populations: list[Population]) -> Table:
    columns = (
        Column(f"{metric.label}: from", "left"),
        Column("units"),
        Column("p on the draw"),
        Column("cases"),
        Column("right sign"),
        Column(f"{level_words(result.alpha)} CI"),
        Column("1 − p"),
    )
    rows, breaks = _filled(
        populations,
        lambda one, share: (
            Cell(one.set),
            Cell(f"{one.units:,}", value=one.units),
            *_bin_cells(share, share.cases),
            *_share_cells(share),
            _optional(share.expected),
        ),
    )
    notes = (
        "units: of each draw. right sign: that of the set the draw is from, which is taken for the population. cases: "
        "pairs, draw by draw. "
        "1 − p: its mean; see the remarks for when the two should be alike.",
    )
    return Table(
        columns,
        rows,
        f"Test sets drawn from a set, and its sign, by {metric.label}",
        notes if metric == result.metrics[0] else (),
        breaks,
    )


def _threshold_table(result: DomainsResult, metric: MetricInfo, decimals: int) -> Table:
    mine = [one for one in result.thresholds if one.metric == metric.key]
    units = {one.name: one.unit for one in result.sets}
    segments = any(units[one.set] != "segment" for one in mine)
    level = level_words(result.alpha)

    def interval(low: float | None, middle: float, high: float | None, places: int) -> Cell:
        if low is None or high is None:
            return Cell("–", "quiet")
        return interval_cell(low, middle, high, lambda value: f"{value:.{places}f}")

    rows = tuple(
        (
            Cell(one.set),
            Cell(f"{one.units:,}", value=one.units),
            *([Cell(f"{one.segments:,.0f}", value=one.segments)] if segments else []),
            Cell(f"{one.gain:.{decimals}f}", "strong", one.gain),
            interval(one.low, one.gain, one.high, decimals),
            Cell(f"{one.ratio:.2f}", value=one.ratio),
            interval(one.ratio_low, one.ratio, one.ratio_high, 2),
        )
        for one in mine
    )
    columns = (
        Column(f"{metric.label}: on", "left"),
        Column("units"),
        *([Column("segments")] if segments else []),
        Column("threshold"),
        Column(f"{level} CI"),
        Column("ratio"),
        Column(f"{level} CI"),
    )
    note = (
        f"threshold: the gain at which 95 % of the pairs would have p ≤ {result.alpha:g} on test sets of this size. "
        "ratio: to the mean of the sets."
    )
    sets = len(result.sets)
    return Table(
        columns,
        rows,
        f"The gain in {metric.label} that is usually significant on test sets of one size",
        (note,) if metric == result.metrics[0] else (),
        tuple(range(sets, len(rows), sets)),
    )
