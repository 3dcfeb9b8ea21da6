"""The tables of a threshold: by groups of pairs, and by the size of the test set."""

from __future__ import annotations

from truegain.inference.results import MetricInfo
from truegain.inference.thresholds import BAND, FEWEST_IN_BAND
from truegain.report.model import Cell, Column, Table
from truegain.studies.shared_view import interval_cell
from truegain.studies.threshold.parts import Threshold, ThresholdAtSize
from truegain.studies.threshold.result import ThresholdResult

_LABEL_WORDS = {"same": "same label", "different": "different labels"}
_NONE = Cell("–", "quiet")


def group_words(result: ThresholdResult, group: str) -> str:
    """Return what the pairs of a group are called."""
    return _LABEL_WORDS.get(group, group) if result.labels else group


def band_text(alpha: float) -> str:
    """Write ``0.04 to 0.06``."""
    low, high = (f"{round(share * alpha, 6):g}" for share in BAND)
    return f"{low} to {high}"


def units_noun(unit: str) -> str:
    """Return the noun for several units."""
    return {"block": "segments", "testset": "test sets"}.get(unit, f"{unit}s")


def thresholds_table(result: ThresholdResult, metric: MetricInfo, decimals: int) -> Table:
    """Return one row per group of pairs: the gain that usually suffices, by standard errors and by the band."""
    by_segment = result.over_segments(metric.key) is not None
    columns = [
        Column(f"{metric.label}: pairs", "left"),
        Column("number"),
        Column("threshold"),
        Column("95 % CI"),
        *([Column("by segment")] if by_segment else []),
        Column("in band"),
        Column("band"),
    ]
    rows = []
    for one in result.groups(metric.key):
        cells = [
            Cell(group_words(result, one.group)),
            Cell(f"{one.pairs:,}", value=one.pairs),
            Cell(f"{one.gain:.{decimals}f}", "strong", one.gain),
            _interval(one, decimals),
        ]
        if by_segment:
            other = result.over_segments(metric.key, one.group)
            cells.append(_NONE if other is None else Cell(f"{other.gain:.{decimals}f}", "quiet", other.gain))
        cells.append(Cell(f"{one.in_band:,}", value=one.in_band))
        band = one.band_gain
        cells.append(_NONE if band is None else Cell(f"{band:.{decimals}f}", value=band))
        rows.append(tuple(cells))
    note = (
        f"threshold: the gain at which 95 % of the pairs would have p ≤ {result.alpha:g}, one-sided. in band: pairs "
        f"with p from {band_text(result.alpha)}; band: the 95th percentile of their gains, where there are "
        f"{FEWEST_IN_BAND} or more."
    )
    first = metric == result.metrics[0]
    caption = f"The gain in {metric.label} that is usually significant"
    return Table(tuple(columns), tuple(rows), caption, (note,) if first else ())


def sizes_table(result: ThresholdResult, metric: MetricInfo, decimals: int) -> Table:
    """Return the threshold on parts of the test set, next to the law."""
    mine = [one for one in result.sizes if one.metric == metric.key]
    noun = units_noun(result.unit)
    segments = result.unit != "segment"
    columns = [
        Column(f"{metric.label}: {noun}", "left"),
        *([Column("segments")] if segments else []),
        Column("threshold"),
        Column("95 % CI"),
        Column("c/√n"),
        Column("covered", "left"),
    ]
    rows = []
    for one in mine:
        cells = [Cell(f"{one.units:,}", value=one.units)]
        if segments:
            cells.append(Cell(f"{one.segments:,.0f}", value=one.segments))
        cells += [
            Cell(f"{one.gain:.{decimals}f}", value=one.gain),
            _interval(one, decimals),
            Cell(f"{one.law:.{decimals}f}", value=one.law),
            _NONE if one.covered is None else Cell("yes" if one.covered else "no", "plain" if one.covered else "bad"),
        ]
        rows.append(tuple(cells))
    return Table(tuple(columns), tuple(rows), f"The threshold in {metric.label} by the size of the test set")


def _interval(one: Threshold | ThresholdAtSize, decimals: int) -> Cell:
    if one.low is None or one.high is None:
        return _NONE
    return interval_cell(one.low, one.gain, one.high, lambda x: f"{x:.{decimals}f}")
