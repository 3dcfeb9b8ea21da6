"""Intervals drawn inside the cells of a table, all of a column on one scale."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeGuard

from truegain.report.model import Span, Table

__all__ = ["Scale", "drawn", "scales"]

_WIDTH, _HEIGHT, _MARGIN = 104, 18, 5
# The line at zero reaches over the edges, to meet that of the next row; a page shows it, a notebook cuts it off.
_OVER = 9
# Zero is brought into the picture where it is no farther from the intervals than this share of their range.
_NEAR = 0.25


@dataclass(frozen=True)
class Scale:
    """The range that a column's intervals are drawn in; whether zero lies in it is marked."""

    low: float
    high: float

    def place(self, value: float) -> str:
        """Return the place of a value, in the picture's own units."""
        share = (value - self.low) / (self.high - self.low)
        return f"{_MARGIN + share * (_WIDTH - 2 * _MARGIN):.1f}"

    @property
    def has_zero(self) -> bool:
        """Return whether zero can be shown."""
        return self.low <= 0.0 <= self.high


def scales(table: Table) -> dict[int, Scale]:
    """Return the scale of each column that has an interval to be drawn, by the number of the column."""
    found = {}
    for number in range(len(table.columns)):
        spans = [row[number].span for row in table.rows]
        ends = [
            end for span in spans if _is_drawn(span) for end in (span.low, span.middle, span.high) if math.isfinite(end)
        ]
        if ends:
            found[number] = _scale(min(ends), max(ends))
    return found


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
        # Without an end the line reaches the edge, and has no mark there.
        edges = [
            scale.place(end) if math.isfinite(end) else edge
            for end, edge in ((span.low, "0"), (span.high, f"{_WIDTH}"))
        ]
        marks = [
            f"M{at} {centre - 3:g}v6"
            for at, end in zip(edges, (span.low, span.high), strict=True)
            if math.isfinite(end)
        ]
        parts.append(f'<path d="M{edges[0]} {centre:g}H{edges[1]}{"".join(marks)}"/>')
        parts.append(
            f'<circle cx="{scale.place(span.middle)}" cy="{centre:g}" r="3" fill="currentColor" stroke="none"/>'
        )
    return "".join(parts) + "</svg>"


def _is_drawn(span: Span | None) -> TypeGuard[Span]:
    return span is not None and math.isfinite(span.middle) and not (math.isnan(span.low) or math.isnan(span.high))


def _scale(low: float, high: float) -> Scale:
    if low == high:
        room = abs(low) / 2 or 1.0
        return Scale(low - room, high + room)
    near = _NEAR * (high - low)
    return Scale(min(low, 0.0) if low <= near else low, max(high, 0.0) if high >= -near else high)
