"""Figures of curves: quantiles of p-values, power, thresholds by size, and gains by the number of runs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from truegain.report.figures.names import fitted, in_key
from truegain.report.figures.style import (
    BLUE,
    COLOURS,
    COLUMN,
    DASHES,
    GUIDE,
    Columns,
    Drawing,
    in_style,
    logarithmic,
    panels,
)
from truegain.words import decimal, listing, whole

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LEVEL = 0.05
_BESIDE = 1.18  # from the outermost sizes to the ends of their axis
_TITLE, _KEY = 16, 28  # letters of a metric's name, and of names in keys


@in_style
def quantiles(shown: Mapping[str, Mapping[str, Sequence[float]]], columns: Columns | None = None) -> Drawing:
    """Draw quantiles of p-values against those of a uniform variable: a panel for each title, a curve for each test.

    Under a true null hypothesis an exact test follows the diagonal; a curve below it rejects too often. Both axes are
    logarithmic, because the small p-values are what decisions are made of.
    """
    figure, axes_of = panels(len(shown), 0.95 * COLUMN, columns, sharey=True)
    sentences = []
    for axes, (title, curves) in zip(axes_of, shown.items(), strict=True):
        axes.plot((1e-3, 1.0), (1e-3, 1.0), **GUIDE)
        axes.axvline(_LEVEL, **(GUIDE | {"color": "0.85"}))
        axes.axhline(_LEVEL, **(GUIDE | {"color": "0.85"}))
        for number, (label, values) in enumerate(curves.items()):
            look = _look(number, number // len(COLOURS))
            axes.plot(np.linspace(0.0, 1.0, len(values))[1:], values[1:], label=in_key(label, 20), **look)
        logarithmic(axes, "x", 0.009, 1.05)
        logarithmic(axes, "y", 0.0009, 1.1)
        axes.set_title(fitted(title, 34))
        axes.set_xlabel("expected p under the null hypothesis")
        shares = [f"{label} {100 * _share(values):.0f} %" for label, values in curves.items()]
        sentences.append(f"{title}: {listing(shares)}")
    axes_of[0].set_ylabel("p of the test (below the line: too small)")
    axes_of[0].legend(loc="upper left")
    return Drawing(
        figure,
        "Quantiles of p-values without a difference against those of a uniform variable. Share of p-values up to "
        f"{_LEVEL:g}, which should be {100 * _LEVEL:g} %. {'; '.join(sentences)}.",
    )


class PowerPanel(NamedTuple):
    """Power, of what if all curves are of one gain, and the least gain found, by the size of the test set."""

    title: str
    of: str
    sizes: Sequence[float]
    powers: Mapping[str, Sequence[float]]
    gains: Mapping[str, Sequence[float]]


@in_style
def power(shown: Sequence[PowerPanel], noun: str, wanted: float, columns: Columns | None = None) -> Drawing:
    """Draw, for each metric, power by the number of ``noun``, and the least gain that is found with a power."""
    figure, axes_of = panels(2 * len(shown), 0.7 * COLUMN, columns)
    sentences = []
    for left, right, panel in zip(axes_of[::2], axes_of[1::2], shown, strict=True):
        title, first = fitted(panel.title, _TITLE), next(iter(panel.gains.values()))[0]
        left.axhline(wanted, **(GUIDE | {"linestyle": ":"}))
        law = [first * math.sqrt(panel.sizes[0] / size) for size in panel.sizes]
        for axes, curves in ((left, panel.powers), (right, panel.gains)):
            for number, (label, values) in enumerate(curves.items()):
                axes.plot(panel.sizes, values, label=in_key(label, _KEY), **_look(number, number))
            logarithmic(axes, "x", panel.sizes[0], panel.sizes[-1])
            axes.set_xlabel(noun)
        right.plot(panel.sizes, law, color="0.2", linewidth=0.8, linestyle=":", label="as 1/√n")
        left.set(ylim=(0.0, 1.02), ylabel=f"power {panel.of}".strip())
        left.legend(loc="lower right", title=title)
        right.set_ylim(bottom=0.0)
        right.set_ylabel(f"least Δ {title} found")
        right.legend(loc="upper right")
        sentences.append(_power_alt(panel, noun, wanted))
    return Drawing(figure, " ".join(sentences))


def _power_alt(panel: PowerPanel, noun: str, wanted: float) -> str:
    of = f" {panel.of}" if panel.of else ""
    powers = [f"{label} from {values[0]:.2f} to {values[-1]:.2f}" for label, values in panel.powers.items()]
    several = len(panel.gains) > 1
    gains = [
        f"from {values[0]:.3g} to {values[-1]:.3g}{f' ({label})' if several else ''}"
        for label, values in panel.gains.items()
    ]
    first, last = round(panel.sizes[0]), round(panel.sizes[-1])
    return (
        f"{panel.title}, from {first:,} to {last:,} {noun}: power{of}, {listing(powers)}; the least gain found "
        f"with a power of {wanted:g}, {listing(gains)}."
    )


class SizesPanel(NamedTuple):
    """Thresholds by size (rows with ``units``, ``gain``, ``low`` and ``high``), the law c/√n, and the exponent."""

    title: str
    rows: Sequence[Any]
    c: float
    exponent: float
    decimals: int


@in_style
def sizes(shown: Sequence[SizesPanel], noun: str, columns: Columns | None = None) -> Drawing:
    """Draw the gain that is usually significant by the number of ``noun``, a panel for each metric."""
    figure, axes_of = panels(len(shown), 0.72 * COLUMN, columns)
    sentences = []
    for axes, panel in zip(axes_of, shown, strict=True):
        first, last = panel.rows[0], panel.rows[-1]
        ends = first.units / _BESIDE, last.units * _BESIDE
        law = [panel.c / math.sqrt(end) for end in ends]
        axes.plot(ends, law, color="0.2", linewidth=0.9, linestyle=":", label=f"{panel.c:.3g}/√n")
        bars = [(row.units, row.low, row.high) for row in panel.rows if None not in (row.low, row.high)]
        if bars:
            axes.vlines(*zip(*bars, strict=True), color=BLUE, linewidth=1.0)
        points = [(row.units, row.gain) for row in panel.rows]
        axes.plot(*zip(*points, strict=True), color=BLUE, marker="o", label=f"n^−{panel.exponent:.2f}")
        reached = [*law, *(gain for _, gain in points), *(end for _, *both in bars for end in both)]
        seen = [value for value in reached if value > 0.0] or [1.0]  # there is no place for 0 on this axis
        logarithmic(axes, "x", *ends)
        logarithmic(axes, "y", min(seen) / 1.05, max(seen) * 1.05)
        axes.set(xlabel=noun, ylabel=f"threshold in {fitted(panel.title, _TITLE)}")
        axes.legend(loc="upper right")
        sentences.append(
            f"{panel.title}: the gain that is usually significant is {first.gain:.{panel.decimals}f} at "
            f"{first.units:,} {noun} and {last.gain:.{panel.decimals}f} at {last.units:,}; it follows the size to the "
            f"power of {decimal(-panel.exponent, 2)}, beside {panel.c:.3g}/√n."
        )
    return Drawing(figure, " ".join(sentences))


class RunsPanel(NamedTuple):
    """Scores of each system's runs, and their gain: the number of runs, and the gain's lower end, median, upper end."""

    title: str
    scores: Mapping[str, Sequence[float]]
    gains: Sequence[tuple[int, float, float, float]]


@in_style
def runs(shown: Sequence[RunsPanel], columns: Columns | None = None) -> Drawing:
    """Draw, for each metric, the scores of each system's runs, and the gain as the number of runs grows.

    After figures 1 and 2 of Clark et al. (2011).
    """
    figure, axes_of = panels(2 * len(shown), 0.66 * COLUMN, columns)
    for left, right, panel in zip(axes_of[::2], axes_of[1::2], shown, strict=True):
        title = fitted(panel.title, _TITLE)
        _run_scores(left, panel.scores, 18 if columns == 1 else _KEY)
        left.set(xlabel=title, ylabel="runs")
        right.axhline(0.0, **GUIDE)
        if panel.gains:
            counts, lows, medians, highs = zip(*panel.gains, strict=True)
            right.fill_between(counts, lows, highs, color=BLUE, alpha=0.25, linewidth=0.0)
            right.plot(counts, medians, color=BLUE, marker="o", markersize=3.0)
            right.set_xticks(counts)
        right.set(xlabel="runs of each system", ylabel=f"Δ {title}")
    figure.legend(handles=axes_of[0].get_legend_handles_labels()[0], loc="outside upper center", ncols=2)
    return Drawing(figure, " ".join(map(_runs_alt, shown)))


def _run_scores(axes: Axes, scores: Mapping[str, Sequence[float]], letters: int) -> None:
    """Draw how many runs have which scores, and each run as a mark below."""
    from matplotlib.ticker import MaxNLocator

    low, high = min(map(min, scores.values())), max(map(max, scores.values()))
    edges = (np.linspace(low, high, 16) if low < high else np.linspace(low - 0.5, high + 0.5, 6)).tolist()
    for number, (name, values) in enumerate(scores.items()):
        colour = COLOURS[number % len(COLOURS)]
        axes.hist(values, edges, color=colour, alpha=0.55, label=in_key(name, letters))
        axes.plot(values, [-0.3 - 0.35 * number] * len(values), "|", color=colour, markersize=5.0)
    axes.yaxis.set_major_locator(MaxNLocator(5, integer=True))


def _runs_alt(panel: RunsPanel) -> str:
    """Say the ranges of scores, and those of the gain with the fewest and the most runs."""

    def number(value: float) -> str:
        return f"{value:.3g}".replace("-", "−")

    ranges = [f"{name} from {min(values):.4g} to {max(values):.4g}" for name, values in panel.scores.items()]
    ends = dict.fromkeys((*panel.gains[:1], *panel.gains[-1:]))
    gains = [f"from {number(low)} to {number(high)} with {whole(count, 'run')} of each" for count, low, _, high in ends]
    return f"{panel.title} of runs: {listing(ranges)}." + (f" The gain is {listing(gains)}." if gains else "")


def _look(colour: int, dash: int) -> dict[str, Any]:
    return {"color": COLOURS[colour % len(COLOURS)], "linestyle": DASHES[dash % len(DASHES)]}


def _share(values: Sequence[float]) -> float:
    """Return the share of p-values up to the level, from their quantiles at equal steps."""
    return float(np.interp(_LEVEL, values, np.linspace(0.0, 1.0, len(values)), left=0.0, right=1.0))
