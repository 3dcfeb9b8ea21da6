"""Rows of systems with names at the left, and next to them one panel per metric."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from truegain.report.figures.names import clean, fitted, shortened, width_of
from truegain.report.figures.style import COLUMN, PAGE, SMALL, Columns, space_ticks

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["draw_intervals", "key_below", "row_panels", "set_range"]

_NUMBERS = 6.5  # points
_SIDE_BY_SIDE = 3
_NAMES_SHARE = 0.4  # of the width, at most


def row_panels(
    figure: Figure,
    labels: Sequence[str],
    titles: Sequence[str],
    *,
    numbers: Sequence[Sequence[str]] = (),
    columns: Columns | None = None,
    pitch: float = 0.17,
    key: bool = False,
) -> tuple[list[Axes], float]:
    """Make the panels: all of one height, rows from the top, up to three side by side with the names at the left.

    One panel takes a column of a paper if the names leave enough space, else two. Return the panels, and the
    width of each in inches.

    Parameters
    ----------
    figure : Figure
        Empty; it gets the size that it needs.
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
    beside = max((width_of(text, _NUMBERS) for column in numbers for text in column), default=0.0)
    room = (width - taken - 0.1) / across - beside - 0.2
    figure.set_size_inches(width, down * (max(len(labels), 2) * pitch + 0.5) + (0.2 if key else 0.0))
    grid = figure.subplots(down, across, squeeze=False)
    axes = list(grid.flat)
    for number, (axis, title) in enumerate(zip(axes, titles, strict=False)):
        first = number % across == 0
        axis.set_yticks(range(len(labels)), names if first else [""] * len(labels), fontsize=SMALL)
        axis.set_ylim(max(len(labels), 2) - 0.5 if len(labels) > 1 else 1.0, -0.5 if len(labels) > 1 else -1.0)
        axis.tick_params(axis="y", length=0)
        axis.tick_params(axis="x", labelsize=SMALL, width=0.6, length=2.5)
        axis.spines["left"].set_visible(False)
        axis.grid(axis="y", color="0.9", linewidth=0.5)
        axis.set_axisbelow(True)
        axis.set_xlabel(fitted(title, room + beside, 8.0))
        for place, text in enumerate(numbers[number] if numbers else ()):
            side = axis.get_yaxis_transform()
            axis.text(1.03, place, text, transform=side, va="center_baseline", ha="left", fontsize=_NUMBERS)
    for axis in axes[len(titles) :]:
        axis.remove()
    return axes[: len(titles)], room


def set_range(axis: Axes, values: Sequence[float], inches: float) -> None:
    """Let an axis of that width show all of these values, as far as they are finite."""
    finite = [value for value in values if math.isfinite(value)]
    low, high = min(finite, default=0.0), max(finite, default=0.0)
    margin = 0.05 * (high - low) or 0.05 * abs(high) or 1.0
    axis.set_xlim(low - margin, high + margin)
    space_ticks(axis, inches)


def draw_intervals(axis: Axes, parts: Sequence[tuple[int, float, float]], colour: str) -> None:
    """Draw intervals as lines, given by row, low and high; one without an end reaches that of the axis."""
    left, right = axis.get_xlim()
    places = [place for place, _, _ in parts]
    lows = [low if math.isfinite(low) else left for _, low, _ in parts]
    highs = [high if math.isfinite(high) else right for _, _, high in parts]
    axis.hlines(places, lows, highs, color=colour, linewidth=1.2)


def key_below(figure: Figure, handles: Sequence[Artist]) -> None:
    """Explain the marks, in a line under everything."""
    figure.legend(
        handles=list(handles),
        loc="outside lower center",
        ncols=len(handles),
        fontsize=SMALL,
        handletextpad=0.4,
        columnspacing=1.2,
        borderpad=0.1,
    )
