"""Rows of systems with names at the left, and next to them one panel per metric."""

from __future__ import annotations

import math
from collections.abc import Sequence

from truegain.report.figures.names import clean, fitted, shortened
from truegain.report.figures.sheet import Entry, Key, Look, Panel, Segments, Sheet, Words
from truegain.report.figures.style import COLUMN, PAGE, SMALL, Columns
from truegain.report.figures.widths import width_of

_NUMBERS = 6.5  # points
_SIDE_BY_SIDE = 3
_NAMES_SHARE = 0.4  # of the width, at most


def row_panels(
    labels: Sequence[str],
    titles: Sequence[str],
    *,
    numbers: Sequence[Sequence[str]] = (),
    columns: Columns | None = None,
    pitch: float = 0.17,
    key: bool = False,
) -> Sheet:
    """Make the panels: all of one height, rows from the top, up to three side by side with the names at the left.

    One panel takes a column of a paper if the names leave enough space, else two.

    Parameters
    ----------
    labels : sequence of str
        Of the rows; any text.
    titles : sequence of str
        Of the panels, under their axes.
    numbers : sequence of sequences of str
        To stand at the right of each panel, row by row.
    columns : 1 or 2, optional
    pitch : float
        Inches from row to row.
    key : bool
        Whether there must be room for one line below.
    """
    names = [shortened(clean(label)) for label in labels]
    natural = max((width_of(name, SMALL) for name in names), default=0.0)
    if columns is None:
        columns = 1 if len(titles) == 1 and natural <= _NAMES_SHARE * COLUMN else 2
    width = COLUMN if columns == 1 else PAGE
    across = 1 if columns == 1 else math.ceil(len(titles) / math.ceil(len(titles) / _SIDE_BY_SIDE))
    down = math.ceil(len(titles) / across)
    names = [fitted(label, _NAMES_SHARE * width, SMALL) for label in labels]
    taken = max((width_of(name, SMALL) for name in names), default=0.0)
    sheet = Sheet(width, down * (max(len(labels), 2) * pitch + 0.5) + (0.2 if key else 0.0), across=across)
    room = (width - taken - 0.1) / across - 0.2
    for number, title in enumerate(titles):
        shown = sheet.panel()
        x, y = shown.x, shown.y
        y.ticks = [(float(place), name) for place, name in enumerate(names)]
        y.named = number % across == 0
        y.limit(max(len(labels), 2) - 0.5 if len(labels) > 1 else 1.0, -0.5 if len(labels) > 1 else -1.0)
        y.size, y.length, y.line, y.grid = SMALL, 0.0, False, True
        x.size, x.thick, x.length = SMALL, 0.6, 2.5
        x.label = fitted(title, room, 8.0)
        for place, text in enumerate(numbers[number] if numbers else ()):
            shown.add(Words(1.0, place, text, _NUMBERS, "x", shift=(4.0, 0.0)))
    return sheet


def set_range(shown: Panel, values: Sequence[float]) -> None:
    """Let a panel show all of these values, as far as they are finite."""
    finite = [value for value in values if math.isfinite(value)]
    low, high = min(finite, default=0.0), max(finite, default=0.0)
    margin = 0.05 * (high - low) or 0.05 * abs(high) or 1.0
    shown.x.limit(low - margin, high + margin)


def draw_intervals(shown: Panel, parts: Sequence[tuple[int, float, float]], colour: str) -> None:
    """Draw intervals as lines, given by row, low and high; one without an end reaches that of the axis."""
    left, right = shown.ends("x")
    ends = [
        ((low if math.isfinite(low) else left, float(place)), (high if math.isfinite(high) else right, float(place)))
        for place, low, high in parts
    ]
    shown.add(Segments(ends, Look(colour, 1.2)))


def key_below(sheet: Sheet, entries: Sequence[Entry]) -> None:
    """Explain the marks, in a line under everything."""
    sheet.key = Key(entries, "below", across=len(entries), gap=0.4)
