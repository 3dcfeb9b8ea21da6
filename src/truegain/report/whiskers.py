"""Intervals drawn inside the cells of a table, all of a column on one scale, section by section."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeGuard

from truegain.report.model import Cell, Span, Table

Rows = Sequence[tuple[Cell, ...]]

_WIDTH, _HEIGHT, _MARGIN = 104, 18, 5
# The line at zero reaches over the edges, to meet that of the next row; a page shows it, a notebook cuts it off.
_OVER = 9
# Zero is brought into the picture where it is no farther from the intervals than this share of their range.
_NEAR = 0.5
# Fewer intervals than these have no outliers; else ends farther from the quartiles of all than so many times their
# distance do not stretch the range.
_FEW, _FAR = 4, 3.0


@dataclass(frozen=True)
class Scale:
    """The range that a column's intervals are drawn in; whether zero lies in it is marked."""

    low: float
    high: float

    def holds(self, value: float) -> bool:
        """Return whether a value lies in the range."""
        return self.low <= value <= self.high

    def place(self, value: float) -> str:
        """Return the place of a value, in the picture's own units."""
        share = (value - self.low) / (self.high - self.low)
        return f"{_MARGIN + share * (_WIDTH - 2 * _MARGIN):.1f}"

    @property
    def has_zero(self) -> bool:
        """Return whether zero can be shown."""
        return self.low <= 0.0 <= self.high


def scales(table: Table) -> list[dict[int, Scale]]:
    """Return for each section the scale of each column that has an interval to be drawn, by the column's number.

    A section without an interval in such a column has the scale of all, so that its figures stand under the others.
    """
    of_all = _scales_of(table.rows)
    return [of_all | _scales_of(rows) for _, rows in sections_of(table)] if table.sections else [of_all]


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
            columns[number] = _scale(*robust_range(spans))
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


def drawn(span: Span | None, scale: Scale) -> str:
    """Draw an interval as SVG, the same size for all; without one, the line at zero alone.

    The figures stand next to it in the cell, so it is hidden from those who do not see it.
    """
    parts = [
        f'<svg class="whisker" width="{_WIDTH}" height="{_HEIGHT}" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        'fill="none" stroke="currentColor" aria-hidden="true" focusable="false">'
    ]
    if scale.has_zero:
        zero = scale.place(0.0)
        parts.append(f'<path d="M{zero} {-_OVER}V{_HEIGHT + _OVER}" stroke-opacity="0.35" stroke-dasharray="2 2"/>')
    if _is_drawn(span):
        centre = _HEIGHT / 2
        # An end that is not in the range, or not there, has no mark: the line reaches the edge.
        within = [scale.holds(end) for end in (span.low, span.high)]
        edges = [
            scale.place(end) if held else "0" if end < scale.low else f"{_WIDTH}"
            for end, held in zip((span.low, span.high), within, strict=True)
        ]
        marks = [f"M{at} {centre - 3:g}v6" for at, held in zip(edges, within, strict=True) if held]
        parts.append(f'<path d="M{edges[0]} {centre:g}H{edges[1]}{"".join(marks)}"/>')
        middle = f'<circle cx="{scale.place(span.middle)}" cy="{centre:g}" r="3"'
        if not scale.holds(span.middle):  # an arrow at the edge says that it is beyond
            tip, back = (0, 6) if span.middle < scale.low else (_WIDTH, _WIDTH - 6)
            middle = f'<path d="M{tip} {centre:g}L{back} {centre - 4:g}v8z"'
        parts.append(f'{middle} fill="currentColor" stroke="none"/>')
    return "".join(parts) + "</svg>"


def _is_drawn(span: Span | None) -> TypeGuard[Span]:
    return span is not None and math.isfinite(span.middle) and not (math.isnan(span.low) or math.isnan(span.high))


def _scale(low: float, high: float) -> Scale:
    if low == high:
        room = abs(low) / 2 or 1.0
        return Scale(low - room, high + room)
    near = _NEAR * (high - low)
    return Scale(min(low, 0.0) if low <= near else low, max(high, 0.0) if high >= -near else high)
