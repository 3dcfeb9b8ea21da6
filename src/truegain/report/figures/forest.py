"""Forest plot: a row for each system with its value and interval, a panel for each metric."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from truegain.report.figures.names import fitted, width_of
from truegain.report.figures.style import BLUE, GREEN, GUIDE, ORANGE, Columns, Drawing, in_style, panels
from truegain.report.whiskers import robust_range
from truegain.words import decimal, listing, signed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_NAMES = {1: 22, 2: 40}  # letters of names, by columns of a paper
_LISTED = 6  # more rows than these are told of together
_PITCH = 0.17  # inches from row to row
_SIDE_BY_SIDE = 3
#: Of scores, then of gains by their outcome: any one of colour, shape and filling is enough to tell these apart.
_LOOKS: dict[str, dict[str, Any]] = {
    "": {"color": BLUE, "marker": "s", "markersize": 3.5},
    "better": {"color": GREEN, "marker": "^"},
    "worse": {"color": ORANGE, "marker": "v"},
    "differs": {"color": "black", "marker": "D", "markersize": 3.2},
    "p too small": {"color": "0.35", "marker": "s", "markersize": 3.6, "markerfacecolor": "white"},
    "not significant": {"color": "0.35", "marker": "o", "markerfacecolor": "white"},
}


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


def gain(comparison: Any) -> Row:
    """Return the row of a comparison."""
    outcome = {True: "better", False: "worse", None: "differs"}[comparison.better]
    outcome = "p too small" if comparison.caveats else outcome
    outcome = outcome if comparison.significant else "not significant"
    return Row(comparison.delta, comparison.interval.low, comparison.interval.high, outcome)


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

    Parameters
    ----------
    names : sequence of str
        Of the rows: systems, or pairs.
    shown : sequence of RowPanel
    opening : str
        What the values are, for the alternative text.
    rules : sequence of int
        Rows before which there is a line.
    columns : 1 or 2, optional
    """
    from matplotlib.lines import Line2D

    if columns is None:
        columns = 1 if len(shown) == 1 and max(width_of(name) for name in names) <= _NAMES[1] else 2
    across = 1 if columns == 1 else math.ceil(len(shown) / math.ceil(len(shown) / _SIDE_BY_SIDE))
    figure, axes_of = panels(len(shown), max(len(names), 2) * _PITCH + 0.62, columns, across, sharey=True)
    beyond = False
    for axes, panel in zip(axes_of, shown, strict=True):
        axes.set_yticks(range(len(names)), [fitted(name, _NAMES[columns]) for name in names])
        axes.set_ylim(max(len(names) - 0.5, 1.0), min(-0.5, len(names) - 2.0))
        axes.locator_params(axis="x", nbins=3 if across == _SIDE_BY_SIDE else 3 + columns)
        for rule in rules:
            axes.axhline(rule - 0.5, **(GUIDE | {"color": "0.4"}))
        beyond |= _draw(axes, panel)
    outcomes = [
        outcome
        for outcome in _LOOKS
        if outcome and any(row.outcome == outcome for panel in shown for row in panel.rows)
    ]
    key = [Line2D([], [], linestyle="none", label=outcome, **_LOOKS[outcome]) for outcome in outcomes]
    key += [Line2D([], [], linestyle="none", color="0.35", marker=">", label="beyond the axis")] * beyond
    if key:
        figure.legend(handles=key, loc="outside lower center", ncols=3 * columns, handletextpad=0.2)
    sentences = " ".join(f"{panel.title}: {_alt(names, panel)}." for panel in shown)
    return Drawing(figure, f"{opening} {sentences}")


def _draw(axes: Axes, panel: RowPanel) -> bool:
    """Draw a panel; values beyond its axis are arrows at the edge. Return whether there are any."""
    spans = [(row.low, row.value, row.high) for row in panel.rows]
    lines = [] if panel.line is None else [panel.line]
    low, high = min([*lines, *(ends := robust_range(spans))]), max([*lines, *ends])
    margin = 0.05 * (high - low) or 0.05 * abs(high) or 1.0
    low, high = low - margin, high + margin
    axes.set(xlim=(low, high), xlabel=fitted(panel.title, 30))
    for line in lines:
        axes.axvline(line, **(GUIDE | {"color": "0.4", "linestyle": "-" if panel.rows[0].outcome else ":"}))
    for place, row in enumerate(panel.rows):
        look = _LOOKS[row.outcome]
        if not math.isnan(row.low):
            axes.hlines(place, max(row.low, low), min(row.high, high), color=look["color"])
        if low <= row.value <= high:
            axes.plot(row.value, place, **look)
        else:
            share, mark = (0.02, "<") if row.value < low else (0.98, ">")
            axes.plot(low + share * (high - low), place, color=look["color"], marker=mark)
    for place, text in enumerate(_written(panel)(row.value) for row in panel.rows):
        where: dict[str, Any] = {"xycoords": axes.get_yaxis_transform(), "textcoords": "offset points"}
        axes.annotate(text, (1.0, place), xytext=(4.0, 0.0), **where, va="center_baseline", fontsize=6.5)
    axes.tick_params(axis="y", length=0.0)
    axes.spines["left"].set_visible(False)
    axes.grid(axis="y")
    return not all(low <= row.value <= high for row in panel.rows)


def _written(panel: RowPanel) -> Callable[[float], str]:
    """Return how values are written: gains with their sign."""
    return lambda value: (signed if panel.rows[0].outcome else decimal)(value, panel.decimals)


def _alt(names: Sequence[str], panel: RowPanel) -> str:
    """Say every value with its interval; of many, how many there are of each kind, the lowest and the highest."""
    written = _written(panel)
    named = list(zip(names, panel.rows, strict=True))
    outcomes = [row.outcome for row in panel.rows]
    opening = ""
    if len(named) > _LISTED:
        counts = [f"{outcomes.count(outcome)} {outcome}" for outcome in _LOOKS if outcome and outcome in outcomes]
        opening = f"of {len(named)}, {f'{listing(counts)}; ' if counts else ''}from the lowest to the highest "
        named = [end(named, key=lambda pair: pair[1].value) for end in (min, max)]
    parts = []
    for name, row in named:
        interval = "" if math.isnan(row.low) else f" ({written(row.low)} to {written(row.high)})"
        parts.append(f"{name} {written(row.value)}{interval}{f', {row.outcome}' if row.outcome else ''}")
    return f"{opening}{'; '.join(parts)}"
