"""Figures of points and curves: panels of series, by two values."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from truegain.report.figures.style import (
    COLOURS,
    COLUMN,
    DASHES,
    GUIDE,
    MARKS,
    Columns,
    Drawing,
    fitted,
    in_style,
    panels,
)
from truegain.words import listing

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LEVEL = 0.05


class Series(NamedTuple):
    """Points by two values, joined by a line or ``hollow``, under a name; ``bars`` are a place and two ends each.

    ``at`` is a first value that matters, and the ends of its interval, if it has one.
    """

    label: str
    points: Sequence[tuple[float, float]]
    bars: Sequence[tuple[float, float, float]] = ()
    line: bool = False
    hollow: bool = False
    at: tuple[float, float | None, float | None] | None = None


class Panel(NamedTuple):
    """Series, and what their two values are; ``log`` names axes, ``level`` is a second value with a line of its own.

    First values 0, 1, … may be called by ``ticks``.
    """

    x: str
    y: str
    series: Sequence[Series]
    title: str = ""
    level: float | None = None
    log: str = ""
    xlim: tuple[float, float] | None = None
    ylim: tuple[float | None, float | None] | None = None
    ticks: Sequence[str] = ()


@in_style
def plot(shown: Sequence[Panel], opening: str = "", columns: Columns | None = None) -> Drawing:
    """Draw panels of series, each with its key below; ``opening`` begins what is said of them in words."""
    most = max(len(panel.series) for panel in shown)
    figure, axes_of = panels(len(shown), 0.72 * COLUMN + 0.14 * most, columns)
    sentences = [opening] if opening else []
    for axes, panel in zip(axes_of, shown, strict=True):
        for number, series in enumerate(panel.series):
            _draw(axes, series, number, 0.12 * (number + 0.5 - len(panel.series) / 2) * bool(panel.ticks))
        if panel.level is not None:
            axes.axhline(panel.level, **GUIDE)
        axes.set(xlabel=fitted(panel.x, 34), ylabel=fitted(panel.y, 26), title=fitted(panel.title, 34))
        for name, ends in (("xlim", panel.xlim), ("ylim", panel.ylim)):
            if ends is not None:
                axes.set(**{name: ends})
        for name in panel.log:
            _make_logarithmic(axes, name)
        if panel.ticks:
            axes.set_xticks(range(len(panel.ticks)), panel.ticks, fontsize=6.5)
            axes.set_xlim(-0.5, len(panel.ticks) - 0.5)
        if any(series.label for series in panel.series):
            axes.legend(loc="upper center", bbox_to_anchor=(0.5, 0.0), borderaxespad=4.5)
        sentences.append(_alt(panel))
    return Drawing(figure, " ".join(sentences))


def _draw(axes: Axes, series: Series, number: int, shift: float) -> None:
    """Draw a series beside others; any one of colour, mark and dash is enough to tell it from the next."""
    colour = COLOURS[number % len(COLOURS)]
    look: dict[str, Any] = {"color": colour, "marker": MARKS[number % len(MARKS)], "linestyle": "none"}
    if series.line:
        look |= {"marker": "o" * bool(series.bars), "linestyle": DASHES[number % len(DASHES)]}
    if series.hollow:
        look |= {"markerfacecolor": "white"}
    if series.at is not None:
        value, low, high = series.at
        axes.axvline(value, color=colour, linestyle=DASHES[number % len(DASHES)])
        if low is not None and high is not None:
            axes.axvspan(low, high, color=colour, alpha=0.15, linewidth=0.0)
    for place, low, high in series.bars:
        axes.vlines(place + shift, low, high, color=colour, linewidth=1.0)
    places, values = [place + shift for place, _ in series.points], [value for _, value in series.points]
    label = f" {fitted(series.label, 40)}".rstrip()  # matplotlib hides names that begin with an underscore
    axes.plot(places, values, label=label, markersize=3.2, alpha=0.85, **look)


def _make_logarithmic(axes: Axes, name: str) -> None:
    """Make an axis logarithmic, with a few round numbers written out."""
    from matplotlib.ticker import MaxNLocator, NullFormatter

    axes.set(**{f"{name}scale": "log"})
    axis = axes.xaxis if name == "x" else axes.yaxis
    low, high = getattr(axes, f"get_{name}lim")()
    places: list[float] = []
    for steps in ((1.0,), (1.0, 3.0), (1.0, 2.0, 5.0)):
        if len(places) < 3:
            powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)))
            places = [step * 10.0**power for power in powers for step in steps if low <= step * 10.0**power <= high]
    if len(places) < 3:
        places = [float(place) for place in MaxNLocator(4).tick_values(low, high) if low <= place <= high]
    places = places[:: math.ceil(len(places) / 7)]
    axis.set_ticks(places, [f"{place:,.10g}" for place in places])
    axis.set_minor_formatter(NullFormatter())


def _alt(panel: Panel) -> str:
    """Say where each series begins and ends."""
    parts = []
    for series in panel.series:
        ends = [
            f"{value:.3g} at {panel.ticks[round(place)] if panel.ticks else f'{place:,.4g}'}"
            for place, value in sorted(series.points)
        ]
        if ends:
            parts.append(f"{series.label} from {ends[0]} to {ends[-1]}".strip())
    title = f"{panel.title}, " * bool(panel.title)
    return f"{title}{panel.y} by {panel.x}: {'; '.join(parts)}."


def quantiles(shown: Mapping[str, Mapping[str, Sequence[float]]], columns: Columns | None = None) -> Drawing:
    """Draw quantiles of p-values against those of a uniform variable: a panel for each title, a curve for each test.

    Under a true null hypothesis an exact test follows the diagonal; a curve below it rejects too often. Both axes are
    logarithmic, because the small p-values are what decisions are made of.
    """
    of_panels, sentences = [], []
    for title, curves in shown.items():
        series, shares = [], []
        for label, values in curves.items():
            steps = np.linspace(0.0, 1.0, len(values))
            series.append(Series(label, list(zip(steps[1:].tolist(), values[1:], strict=True)), line=True))
            shares.append(f"{label} {100 * np.interp(_LEVEL, values, steps, left=0.0, right=1.0):.0f} %")
        series.append(Series("exact", [(1e-3, 1e-3), (1.0, 1.0)], line=True))
        x, y = "expected p", "p of the test"
        of_panels.append(Panel(x, y, series, title, _LEVEL, "xy", (0.009, 1.05), (0.0009, 1.1)))
        sentences.append(f"{title}: {listing(shares)}")
    opening = (
        "Quantiles of p-values without a difference against those of a uniform variable. Share of p-values up to "
        f"{_LEVEL:g}, which should be {100 * _LEVEL:g} %. {'; '.join(sentences)}."
    )
    return plot(of_panels, opening, columns)
