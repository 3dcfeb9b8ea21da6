"""Intervals drawn inside tables, all of a column on one scale, section by section: as SVG, or with characters."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple, TypeGuard

from truegain.report.model import Cell, Column, Span, Table

Rows = Sequence[tuple[Cell, ...]]

_WIDTH, _HEIGHT, _MARGIN = 104, 18, 5
# The line at zero reaches over the edges, to meet that of the next row; a page shows it, a notebook cuts it off.
_OVER = 9
# Zero is brought into the picture where it is no farther from the intervals than this share of their range.
_NEAR = 0.25
# Fewer intervals than these have no outliers; else ends farther from the quartiles of all than so many times their
# distance do not stretch the range.
_FEW, _FAR = 4, 3.0
# Of a strip of characters: its width, and how many intervals are worth it.
_CELLS, _LEAST = 17, 3


class Scale(NamedTuple):
    """The range that a column's intervals are drawn in; if zero lies in it, it is marked."""

    low: float
    high: float

    def share(self, value: float) -> float:
        """Return how far from low to high a value lies, 0 or 1 if it is beyond."""
        return min(max((value - self.low) / (self.high - self.low), 0.0), 1.0)

    def holds(self, value: float) -> bool:
        """Return whether a value lies in the range."""
        return self.low <= value <= self.high


def scales(table: Table) -> list[dict[int, Scale]]:
    """Return for each section the scale of each column that has an interval to be drawn, by the column's number.

    A section without an interval in such a column has the scale of all, so that its figures stand under the others.
    """
    of_all = _scales_of(table.rows)
    return [of_all | _scales_of(rows) for _, rows in sections_of(table)]


def sections_of(table: Table) -> list[tuple[str, Rows]]:
    """Return the sections of a table, each with its heading: that of the first, or of all, stands above the columns."""
    starts = [start for start, _ in table.sections] or [0]
    headings = ["", *(heading for _, heading in table.sections[1:])]
    ends = [*starts[1:], len(table.rows)]
    return [(heading, table.rows[a:b]) for heading, a, b in zip(headings, starts, ends, strict=True)]


def _scales_of(rows: Rows) -> dict[int, Scale]:
    columns = {}
    for number, cells in enumerate(zip(*rows, strict=True)):
        spans = [(cell.span.low, cell.span.middle, cell.span.high) for cell in cells if _is_drawn(cell.span)]
        if spans:
            low, high = robust_range(spans)
            room = (high - low) * _NEAR
            low, high = min(low, 0.0) if low <= room else low, max(high, 0.0) if high >= -room else high
            more = (abs(low) / 2 or 1.0) * (low == high)
            columns[number] = Scale(low - more, high + more)
    return columns


def robust_range(spans: Sequence[tuple[float, float, float]]) -> tuple[float, float]:
    """Return the range that intervals are drawn in, given as low, middle and high: few outliers do not stretch it."""
    ends = sorted(end for span in spans for end in span if math.isfinite(end))
    if len(spans) < _FEW or not ends:
        return (ends[0], ends[-1]) if ends else (0.0, 0.0)
    first, third = ends[len(ends) // 4], ends[-1 - len(ends) // 4]
    reach = _FAR * (third - first)
    near = [end for end in ends if first - reach <= end <= third + reach]
    return near[0], near[-1]


def _is_drawn(span: Span | None) -> TypeGuard[Span]:
    return span is not None and math.isfinite(span.middle) and not (math.isnan(span.low) or math.isnan(span.high))


def drawn(span: Span | None, scale: Scale) -> str:
    """Draw an interval as SVG, the same size for all; without one, the line at zero alone.

    The figures stand next to it in the cell, so it is hidden from those who do not see it. An end that is not in the
    range has no mark, and a middle that is not is an arrow at the edge.
    """
    parts = [
        f'<svg class="whisker" width="{_WIDTH}" height="{_HEIGHT}" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        'fill="none" stroke="currentColor" aria-hidden="true" focusable="false">'
    ]

    def place(value: float) -> float:
        return round(_MARGIN + scale.share(value) * (_WIDTH - 2 * _MARGIN), 1)

    if scale.holds(0.0):
        line = f"M{place(0.0)} {-_OVER}V{_HEIGHT + _OVER}"
        parts.append(f'<path d="{line}" stroke-opacity="0.35" stroke-dasharray="2 2"/>')
    if _is_drawn(span):
        y, middle = _HEIGHT // 2, place(span.middle)
        marks = [f"M{place(end)} {y - 3}v6" for end in (span.low, span.high) if scale.holds(end)]
        parts.append(f'<path d="M{place(span.low)} {y}H{place(span.high)}{"".join(marks)}"/>')
        shape = f'circle cx="{middle}" cy="{y}" r="3"'
        if not scale.holds(span.middle):
            tip = math.copysign(_MARGIN, span.middle - scale.low)
            shape = f'path d="M{middle + tip} {y}L{middle} {y - 4}v8z"'
        parts.append(f'<{shape} fill="currentColor" stroke="none"/>')
    return "".join(parts) + "</svg>"


def with_strips(table: Table, room: int) -> Table:
    """Return the table with its last intervals drawn behind it, if a section has three of them and there is room."""
    columns = [i for i in range(len(table.columns)) if any(row[i].span for row in table.rows)]
    if not columns or room < _CELLS:
        return table
    strips: list[str] = []
    for (_, rows), on_scale in zip(sections_of(table), scales(table), strict=True):
        spans = [row[columns[-1]].span for row in rows]
        enough = sum(map(_is_drawn, spans)) >= _LEAST
        strips += [_strip(span, on_scale[columns[-1]]) if enough else "" for span in spans]
    if not any(strips):
        return table
    rows = tuple((*row, Cell(strip)) for row, strip in zip(table.rows, strips, strict=True))
    return replace(table, columns=(*table.columns, Column("", "left")), rows=rows)


def _strip(span: Span | None, scale: Scale) -> str:
    """Draw an interval with characters; zero is a dotted line through all."""
    if not _is_drawn(span):
        return ""
    low, zero, middle, high = (
        round(scale.share(value) * (_CELLS - 1)) for value in (span.low, 0.0, span.middle, span.high)
    )
    cells = [" "] * _CELLS
    if scale.holds(0.0):
        cells[zero] = "·"
    cells[low : high + 1] = "─" * (high + 1 - low)
    cells[middle] = "●" if scale.holds(span.middle) else "<" if span.middle < scale.low else ">"
    return "".join(cells).rstrip()
