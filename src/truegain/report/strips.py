"""Intervals drawn with characters in a column of a terminal's table, section by section on a scale of its own."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from truegain.report.model import Cell, Column, Span, Table
from truegain.report.whiskers import robust_range

_CELLS = 17  # of a strip
_LEAST = 3  # intervals that are worth a picture


def with_strips(table: Table, room: int) -> Table:
    """Return the table with its last intervals drawn behind it, if there are three of them and room."""
    columns = [i for i in range(len(table.columns)) if any(row[i].span for row in table.rows)]
    if not columns or room < _CELLS:
        return table
    spans = [row[columns[-1]].span for row in table.rows]
    signed = any(row[columns[-1]].text.startswith(("+", "−")) for row in table.rows)
    starts = [start for start, _ in table.sections] or [0]
    ends = [*starts[1:], len(spans)]
    drawn: list[str] = []
    for start, end in zip(starts, ends, strict=True):
        drawn += _strips(spans[start:end], signed=signed)
    if not any(drawn):
        return table
    rows = tuple((*row, Cell(strip)) for row, strip in zip(table.rows, drawn, strict=True))
    return replace(table, columns=(*table.columns, Column("", "left")), rows=rows)


def _strips(spans: Sequence[Span | None], *, signed: bool) -> list[str]:
    """Draw intervals on one scale; of signed gains zero, if it is near, is a dotted line through all."""
    shown = [span for span in spans if span is not None and math.isfinite(span.low + span.middle + span.high)]
    if len(shown) < _LEAST:
        return [""] * len(spans)
    low, high = robust_range([(span.low, span.middle, span.high) for span in shown])
    if signed and low - (high - low) / 4 <= 0.0 <= high + (high - low) / 4:
        low, high = min(low, 0.0), max(high, 0.0)
    step = (high - low) / (_CELLS - 1) or 1.0

    def place(value: float) -> int:
        return min(max(round((value - low) / step), 0), _CELLS - 1)

    strips = []
    for span in spans:
        cells = [" "] * _CELLS
        if signed and low <= 0.0 <= high:
            cells[place(0.0)] = "·"
        if span is not None and span in shown:
            for cell in range(place(span.low), place(span.high) + 1):
                cells[cell] = "─"
            cells[place(span.middle)] = "●" if low <= span.middle <= high else "<" if span.middle < low else ">"
        strips.append("".join(cells).rstrip() if span is not None else "")
    return strips
