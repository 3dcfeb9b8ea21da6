"""What work of any size costs on so many workers: seconds and bytes, from constants that were measured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from benchmarks.runs import table

__all__ = ["Constants", "Cost", "cost_tables", "whole_table"]

_SYSTEMS = 2
#: Resamples, and the workers that make them.
_STUDIES = ((1_000, 16), (1_000_000, 1_000))
_ROOM = 64e9  # bytes of memory of a machine, for saying what no longer fits


@dataclass(frozen=True)
class Constants:
    """What was measured, on one thread.

    Attributes
    ----------
    extraction : mapping of str to float
        Seconds for a segment of a system, by metric.
    per_draw, per_column : float
        Seconds of the bootstrap for a segment in a resample, and for each column of it.
    per_swap : float
        Seconds of randomization for a segment in a resample, of two systems under BLEU.
    text_bytes : float
        Sent for a segment: its outputs, and its reference with each of them.
    statistics_bytes : float
        Sent back for a segment of a system, under BLEU.
    table_bytes : float
        Sent to every worker for a segment and column, before resampling.
    result_bytes : float
        Sent back for a resample and system.
    columns : int
        Of two systems under BLEU that differ.
    """

    extraction: Mapping[str, float]
    per_draw: float
    per_column: float
    per_swap: float
    text_bytes: float
    statistics_bytes: float
    table_bytes: float
    result_bytes: float
    columns: int


@dataclass(frozen=True)
class Cost:
    """Seconds on the clock and bytes that go over the network, of extraction and of resampling."""

    extraction_seconds: float
    resampling_seconds: float
    extraction_bytes: float
    resampling_bytes: float
    worker_bytes: float


def whole_table(constants: Constants, segments: float, resamples: int, workers: int) -> Cost:
    """By ``--engine``: each text goes to one worker; then all hold the table of all segments, and do some resamples."""
    wide = 10 * _SYSTEMS
    table_size = constants.table_bytes * segments * wide
    return Cost(
        segments * _SYSTEMS * constants.extraction["bleu"] / workers,
        segments * resamples * (constants.per_draw + constants.per_column * constants.columns) / workers,
        segments * (constants.text_bytes + _SYSTEMS * constants.statistics_bytes),
        table_size * workers + resamples * _SYSTEMS * constants.result_bytes,
        table_size,
    )


def cost_tables(constants: Constants) -> tuple[list[list[str]], str]:
    """Return the constants as a table for a file, and what follows from them as one for the page."""
    measured = [
        ["what", "on one thread"],
        *(
            [f"extraction, {name}", f"{1e6 * one:.2f} µs per segment and system"]
            for name, one in constants.extraction.items()
        ),
        [
            "bootstrap",
            f"{1e9 * constants.per_draw:.2f} ns per segment and resample, "
            f"{1e9 * constants.per_column:.3f} ns more for each column",
        ],
        ["randomization, two systems under BLEU", f"{1e9 * constants.per_swap:.2f} ns per segment and resample"],
        ["texts of two systems, and their reference for each", f"{constants.text_bytes:.0f} bytes per segment"],
        ["statistics under BLEU, back", f"{constants.statistics_bytes:.0f} bytes per segment and system"],
        ["table for resampling, to every worker", f"{constants.table_bytes:.1f} bytes per segment and column"],
        ["scores, back", f"{constants.result_bytes:.1f} bytes per resample and system"],
    ]
    rows = []
    for exponent in range(5, 11):
        row = [f"10^{exponent}"]
        for resamples, workers in _STUDIES:
            cost = whole_table(constants, 10.0**exponent, resamples, workers)
            moved = _bytes(cost.extraction_bytes + cost.resampling_bytes)
            row += [
                _seconds(cost.extraction_seconds),
                _seconds(cost.resampling_seconds),
                moved if cost.worker_bytes < _ROOM else "the table does not fit",
            ]
        rows.append(row)
    headings = ["segments"]
    for resamples, workers in _STUDIES:
        headings += [f"{workers:,} workers: extraction", f"bootstrap, R = {resamples:,}", "moved by `--engine`"]
    return measured, table(headings, rows, 1)


def _seconds(value: float) -> str:
    for limit, size, unit in ((120.0, 1.0, "s"), (7200.0, 60.0, "min"), (172_800.0, 3600.0, "h")):
        if value < limit:
            return f"{value / size:.{1 if value / size < 10 else 0}f} {unit}"
    return f"{value / 86_400:.1f} days"


def _bytes(value: float) -> str:
    for size, unit in ((1e12, "TB"), (1e9, "GB"), (1e6, "MB")):
        if value >= size:
            return f"{value / size:.{1 if value / size < 10 else 0}f} {unit}"
    return f"{value / 1e3:.0f} kB"
