"""Figures of systems and pairs: values with their intervals as a forest, all differences as a heat map."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from truegain.report.figures.style import (
    BLUE,
    COLUMN,
    GREEN,
    GUIDE,
    ORANGE,
    PAGE,
    Columns,
    Drawing,
    fitted,
    in_style,
    panels,
    width_of,
)
from truegain.report.whiskers import robust_range
from truegain.words import decimal, signed, whole

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_NAMES = {1: 22, 2: 40}  # letters of names, by columns of a paper
_LISTED = 6  # more rows than these are told of together
_PITCH = 0.17  # inches from row to row
#: Of scores, then of gains by their outcome: any one of colour, shape and filling is enough to tell these apart.
_LOOKS: dict[str, dict[str, Any]] = {
    "": {"color": BLUE, "marker": "s", "markersize": 3.5},
    "better": {"color": GREEN, "marker": "^"},
    "worse": {"color": ORANGE, "marker": "v"},
    "differs": {"color": "black", "marker": "D", "markersize": 3.2},
    "p too small": {"color": "0.35", "marker": "s", "markersize": 3.6, "markerfacecolor": "white"},
    "not significant": {"color": "0.35", "marker": "o", "markerfacecolor": "white"},
}
# Of a heat map: letters of names, systems that a column of a paper has room for, and that squares have a mark for.
_LETTERS, _ONE_COLUMN, _MARKED = 20, 16, 40


class Row(NamedTuple):
    """A value, the ends of its interval (NaN if it has none), and the outcome, if it is a gain."""

    value: float
    low: float = math.nan
    high: float = math.nan
    outcome: str = ""


class RowPanel(NamedTuple):
    """Values under a metric, one for each name, their decimals, and where there is a line."""

    title: str
    rows: Sequence[Row]
    decimals: int
    line: float | None = None


def outcome_of(comparison: Any) -> str:
    """Return what a comparison shows."""
    if not comparison.significant:
        return "not significant"
    if comparison.caveats:
        return "p too small"
    return {True: "better", False: "worse", None: "differs"}[comparison.better]


@in_style
def forest(
    names: Sequence[str],
    shown: Sequence[RowPanel],
    opening: str,
    *,
    rules: Sequence[int] = (),
    columns: Columns | None = None,
) -> Drawing:
    """Draw scores or gains with their intervals, a panel for each metric; gains that are significant are filled.

    ``opening`` says in the alternative text what the values are; before ``rules``, rows by number, there is a line.
    """
    from matplotlib.lines import Line2D

    columns = columns or (1 if len(shown) == 1 and max(map(width_of, names)) <= _NAMES[1] else 2)
    figure, axes_of = panels(len(shown), max(len(names), 2) * _PITCH + 0.62, columns, 3, sharey=True)
    for axes, panel in zip(axes_of, shown, strict=True):
        axes.set_yticks(range(len(names)), [fitted(name, _NAMES[columns]) for name in names])
        axes.set_ylim(max(len(names) - 0.5, 1.0), min(-0.5, len(names) - 2.0))
        for rule in rules:
            axes.axhline(rule - 0.5, **(GUIDE | {"color": "0.4"}))
        _draw(axes, panel)
    outcomes = {row.outcome for panel in shown for row in panel.rows}
    key = [Line2D([], [], linestyle="none", label=one, **_LOOKS[one]) for one in _LOOKS if one and one in outcomes]
    if key:
        figure.legend(handles=key, loc="outside lower center", ncols=3 * columns, handletextpad=0.2)
    return Drawing(figure, " ".join([opening, *(f"{panel.title}: {_alt(names, panel)}." for panel in shown)]))


def _draw(axes: Axes, panel: RowPanel) -> None:
    """Draw a panel; values beyond its axis are arrows at the edge."""
    ends = robust_range([(row.low, row.value, row.high) for row in panel.rows])
    if panel.line is not None:
        ends = min(panel.line, ends[0]), max(panel.line, ends[1])
        axes.axvline(panel.line, **(GUIDE | {"color": "0.4", "linestyle": ":"}))
    margin = 0.05 * (ends[1] - ends[0]) or 0.05 * abs(ends[1]) or 1.0
    low, high = ends[0] - margin, ends[1] + margin
    for place, row in enumerate(panel.rows):
        look = dict(_LOOKS[row.outcome])
        axes.hlines(place, max(row.low, low), min(row.high, high), color=look["color"])
        if not low <= row.value <= high:
            look["marker"] = "<" if row.value < low else ">"
        axes.plot(min(max(row.value, low + margin / 2), high - margin / 2), place, **look)
        text, beside = f"  {_text(panel, row.value)}", axes.get_yaxis_transform()
        axes.text(1.0, place, text, transform=beside, va="center_baseline", fontsize=6.5)
    axes.set(xlim=(low, high), xlabel=fitted(panel.title, 30))
    axes.locator_params(axis="x", nbins=4)
    axes.tick_params(axis="y", length=0.0)
    axes.spines["left"].set_visible(False)
    axes.grid(axis="y")


def _text(panel: RowPanel, value: float) -> str:
    """Write a value: gains with their sign."""
    return (signed if panel.rows[0].outcome else decimal)(value, panel.decimals)


def _alt(names: Sequence[str], panel: RowPanel) -> str:
    """Say every value with its interval; of many, how many there are of each kind, the lowest and the highest."""
    values = []
    for name, row in zip(names, panel.rows, strict=True):
        interval = "" if math.isnan(row.low) else f" ({_text(panel, row.low)} to {_text(panel, row.high)})"
        values.append(", ".join(filter(None, (f"{name} {_text(panel, row.value)}{interval}", row.outcome))))
    if len(values) <= _LISTED:
        return "; ".join(values)
    order = sorted(range(len(values)), key=lambda place: panel.rows[place].value)
    counts = Counter(row.outcome for row in panel.rows if row.outcome)
    parts = [f"{count} {outcome}" for outcome, count in counts.items()]
    return f"of {len(values)}, {'; '.join([*parts, f'from {values[order[0]]} to {values[order[-1]]}'])}"


@in_style
def heatmap(
    names: Sequence[str],
    title: str,
    deltas: Sequence[Sequence[float]],
    shown: Sequence[Sequence[bool]],
    clusters: Sequence[int],
    *,
    decimals: int = 2,
    columns: Columns | None = None,
) -> Drawing:
    """Draw every two systems: the difference as a colour, faded and marked with a ring if it is not shown.

    ``deltas`` say by how much the system of a row is better than that of a column, ``shown`` whether it is significant;
    systems stand from the best to the worst, each in one of the ``clusters``.
    """
    from matplotlib.colors import LinearSegmentedColormap

    count = len(names)
    columns = columns or (1 if count <= _ONE_COLUMN else 2)
    labels = [fitted(name, _LETTERS) for name in names]
    side = 0.6 * (COLUMN if columns == 1 else PAGE)
    figure, (axes,) = panels(1, side + 0.06 * max(map(width_of, labels)) + 0.1, columns)
    differences, significant = np.array(deltas), np.array(shown)
    largest = np.abs(differences).max()
    reach = largest or 1.0
    np.fill_diagonal(differences, np.nan)
    colours = LinearSegmentedColormap.from_list("gain", (ORANGE, "white", GREEN)).with_extremes(bad="0.5")
    faded = np.where(significant, 1.0, 0.25)
    picture = axes.imshow(differences, colours, vmin=-reach, vmax=reach, alpha=faded, interpolation="nearest")
    if count <= _MARKED:
        rows, marked = np.nonzero(~significant & ~np.eye(count, dtype=bool))
        size = min(16.0 * side / count, 4.0)
        axes.plot(marked, rows, "o", color="0.45", markersize=size, markeredgewidth=0.5, fillstyle="none")
    for place in range(1, count):
        if clusters[place] != clusters[place - 1]:
            axes.axhline(place - 0.5, color="black", linewidth=0.9)
            axes.axvline(place - 0.5, color="black", linewidth=0.9)
    step = math.ceil(0.115 * count / side)  # where there is too little space, every second, third, … name
    axes.set_xticks(range(0, count, step), labels[::step], rotation=90, fontsize=6.5)
    axes.set_yticks(range(0, count, step), labels[::step], fontsize=6.5)
    axes.tick_params(length=min(2.0, step - 1.0))
    bar = figure.colorbar(picture, ax=axes, shrink=0.8, aspect=25, ticks=[-reach, 0.0, reach])
    bar.ax.set_yticklabels([signed(value, decimals) for value in (-reach, 0.0, reach)], fontsize=6.5)
    bar.ax.set_title(fitted(f"Δ {title}", 14), fontsize=7.0, loc="left")
    return Drawing(
        figure,
        f"Differences in {title} between every two of {count} systems: {significant.sum() // 2:,} of "
        f"{whole(count * (count - 1) // 2, 'pair')} significant, the largest {signed(largest, decimals)}; "
        f"{whole(len(set(clusters)), 'cluster')}.",
    )
