"""Figures of points: gains against confidence, signs elsewhere by p, intervals by method, systems by two scores."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

from truegain.report.figures.names import fitted, in_key
from truegain.report.figures.style import (
    BLUE,
    COLOURS,
    COLUMN,
    DASHES,
    GUIDE,
    MARKS,
    Columns,
    Drawing,
    in_style,
    logarithmic,
    mark,
    panels,
)
from truegain.words import listing, whole

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_FARTHEST = 3.0  # times the largest threshold: beyond it all is sure
_LEAST = 0.5  # confidence at the foot of the axis, unless a pair has less
_TITLE, _KEY = 16, 16  # letters of a metric's name, and of names in keys
_SPREAD, _STEP = 0.64, 0.24  # of a bin's width: what all series take at most, and one

_Point = tuple[float, float]


class PairsOf(NamedTuple):
    """Pairs of one group: gain and confidence of each, and the gain that usually suffices, with its interval."""

    label: str
    points: Sequence[_Point]
    threshold: float
    low: float | None
    high: float | None


class ConfidencePanel(NamedTuple):
    """The groups of one metric, and the decimals of gains."""

    title: str
    groups: Sequence[PairsOf]
    decimals: int


@in_style
def confidence(shown: Sequence[ConfidencePanel], alpha: float, columns: Columns | None = None) -> Drawing:
    """Draw every pair's gain against its confidence, 1 − p, and the gain that usually suffices for 1 − alpha."""
    figure, axes_of = panels(len(shown), 0.78 * COLUMN, columns)
    for axes, panel in zip(axes_of, shown, strict=True):
        _confidence(axes, panel, alpha)
    return Drawing(figure, " ".join(_confidence_alt(panel, alpha) for panel in shown))


def _confidence(axes: Axes, panel: ConfidencePanel, alpha: float) -> None:
    largest = max(max(group.threshold, group.high or 0.0) for group in panel.groups)
    points = [point for group in panel.groups for point in group.points]
    farthest = max((gain for gain, _ in points), default=0.0)
    right = min(max(farthest, 1.1 * largest), _FARTHEST * largest) if len(points) > 1 else 1.2 * max(largest, farthest)
    lowest = min(_LEAST, *(sure for _, sure in points))
    axes.axhline(1.0 - alpha, **(GUIDE | {"linestyle": ":"}))
    for number, group in enumerate(panel.groups):
        colour = COLOURS[number % len(COLOURS)]
        if group.low is not None and group.high is not None:
            axes.axvspan(group.low, group.high, color=colour, alpha=0.15, linewidth=0.0)
        axes.axvline(group.threshold, color=colour, linestyle=DASHES[number % len(DASHES)])
        name = f"{in_key(group.label, _KEY)}: " if len(panel.groups) > 1 else "threshold "
        label = f"{name}{group.threshold:.{panel.decimals}f}"
        look: dict[str, Any] = {"color": colour, "marker": MARKS[number % len(MARKS)], "markersize": 3.0}
        look |= {"fillstyle": "none", "markeredgewidth": 0.7} if number else {"markeredgewidth": 0.0}
        near = [(gain, sure) for gain, sure in group.points if gain <= right]
        mark(axes, near, label=label, alpha=0.75, clip_on=False, **look)
    margin = 0.02 * (1.0 - lowest)
    axes.set(xlim=(0.0, right or 1.0), ylim=(lowest - margin, 1.0 + margin))
    axes.set(xlabel=f"gain in {fitted(panel.title, 28)}", ylabel="confidence, 1 − p")
    beyond = sum(gain > right for gain, _ in points)
    title = f"{whole(beyond, 'pair')} beyond, to {farthest:.{panel.decimals}f}" if beyond else None
    axes.legend(loc="lower right", title=title, handlelength=1.2)


def _confidence_alt(panel: ConfidencePanel, alpha: float) -> str:
    """Say how many pairs are sure, and the thresholds."""
    sentences = []
    for group in panel.groups:
        sure = sum(confidence >= 1.0 - alpha - 1e-12 for _, confidence in group.points)
        name = f"{group.label}: " if len(panel.groups) > 1 else ""
        sentences.append(
            f"{name}{sure:,} of {whole(len(group.points), 'pair')} with a confidence of {1 - alpha:g} or more, the "
            f"threshold {group.threshold:.{panel.decimals}f}"
        )
    return f"Gain in {panel.title} against confidence; {'; '.join(sentences)}."


class Series(NamedTuple):
    """Shares by bins of p (rows with ``share``, ``ci`` and ``expected``); ``within``: of draws from the target."""

    label: str
    shares: Sequence[Any]
    within: bool = False

    @property
    def known(self) -> list[tuple[int, Any]]:
        """The bins in which there is something."""
        rows = enumerate(self.shares)
        return [(place, row) for place, row in rows if None not in (row.share, row.ci, row.expected)]


class AgreementPanel(NamedTuple):
    """Series under a title, and what their p is of."""

    title: str
    axis: str
    series: Sequence[Series]


@in_style
def agreement(
    shown: Sequence[AgreementPanel], ends: Sequence[tuple[float, float]], columns: Columns | None = None
) -> Drawing:
    """Draw how often a small p means the same sign elsewhere: shares by bins of p, with 1 − p; ``ends`` are the bins'.

    Hollow marks are of test sets drawn from the target.
    """
    from matplotlib.ticker import PercentFormatter

    most = max(len(panel.series) for panel in shown)
    figure, axes_of = panels(len(shown), 0.78 * COLUMN + 0.14 * (most + 2), columns, sharey=True)
    low = min((row.ci[0] for panel in shown for series in panel.series for _, row in series.known), default=0.5)
    for axes, panel in zip(axes_of, shown, strict=True):
        _agreement(axes, panel, ends)
        axes.set_ylim(max(0.0, min(0.45, low - 0.03)), 1.04)
        axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    for axes in axes_of[:: 1 if columns == 1 or len(shown) == 1 else 2]:
        axes.set_ylabel("same sign")
    ranges = "; ".join(map(_agreement_alt, shown))
    return Drawing(figure, f"Share of pairs with the same sign elsewhere, by p. {ranges}.")


def _agreement(axes: Axes, panel: AgreementPanel, ends: Sequence[tuple[float, float]]) -> None:
    for place, (low, high) in enumerate(ends):
        span = (place - 0.45, place + 0.45)
        label = "1 − p" if place == 0 else None
        axes.fill_between(span, 1.0 - min(high, 0.5), 1.0 - low, color="0.82", linewidth=0.0, label=label)
    axes.axhline(0.5, **(GUIDE | {"linestyle": ":"}))
    count, expected = len(panel.series), []
    for number, series in enumerate(panel.series):
        shift = 0.0 if count == 1 else min(_SPREAD, _STEP * (count - 1)) * (number / (count - 1) - 0.5)
        colour = COLOURS[number % len(COLOURS)]
        if series.known:
            spans = [(place + shift, *row.ci) for place, row in series.known]
            axes.vlines(*zip(*spans, strict=True), color=colour, linewidth=1.0)
        look = {"color": colour, "marker": MARKS[number % len(MARKS)], "markersize": 3.6}
        look |= {"markerfacecolor": "white"} if series.within else {}
        shares = [(place + shift, row.share) for place, row in series.known]
        mark(axes, shares, label=in_key(series.label, 36), **look)
        if not series.within:
            expected += [(row.expected, place + shift - 0.11, place + shift + 0.11) for place, row in series.known]
    if expected:
        axes.hlines(*zip(*expected, strict=True), color="0.1", linewidth=1.2, label="expected of one domain")
    bins = [_bin(pair) for pair in ends]
    axes.set_xlim(-0.5, len(ends) - 0.5)
    if max(map(len, bins)) * len(bins) <= 40:  # letters that have room side by side
        axes.set_xticks(range(len(bins)), bins)
        axes.tick_params(axis="x", length=0.0)
    else:
        axes.set_xticks([place + 0.5 for place in range(len(ends) - 1)], [_short(high) for _, high in ends[:-1]])
    axes.tick_params(axis="x", labelsize=6.5)
    axes.set(title=fitted(panel.title, 34), xlabel=fitted(panel.axis, 34))
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, 0.0), borderaxespad=4.5)


def _agreement_alt(panel: AgreementPanel) -> str:
    """Say the range of the shares."""
    shares = [100.0 * row.share for series in panel.series for _, row in series.known]
    return f"{panel.title}: {f'from {min(shares):.0f} to {max(shares):.0f} %' if shares else 'none'}"


def _bin(ends: tuple[float, float]) -> str:
    low, high = ends
    if low == 0.0:
        return f"≤ {_short(high)}"
    return f"> {_short(low)}" if high == 1.0 else f"{_short(low)}–{_short(high)}"


def _short(number: float) -> str:
    return f"{number:g}".removeprefix("0")


class Method(NamedTuple):
    """A method's points (gain, p), those of its other test, and a curve through such places."""

    label: str
    points: Sequence[_Point]
    hollow: Sequence[_Point]
    curve: Sequence[_Point]


class IntervalsPanel(NamedTuple):
    """Intervals (rows with ``system``, ``score`` and ``interval``) by the label of their method, and p by gain."""

    title: str
    intervals: Mapping[str, Sequence[Any]]
    methods: Sequence[Method]


@in_style
def intervals(shown: Sequence[IntervalsPanel], alpha: float, columns: Columns | None = None) -> Drawing:
    """Draw, for each metric, intervals of the systems' scores by method, and p against the size of the gain.

    After Fu et al. P-values are on a logarithmic axis, because the small ones decide; gains so large that every p is
    the smallest there is are left out.
    """
    from matplotlib.lines import Line2D

    most = max(len(rows) for panel in shown for rows in panel.intervals.values())
    names = list(dict.fromkeys(method.label for panel in shown for method in panel.methods))
    looks: dict[str, dict[str, Any]] = {
        name: {"color": COLOURS[number % len(COLOURS)], "marker": MARKS[number % len(MARKS)], "markersize": 3.5}
        for number, name in enumerate(names)
    }
    figure, axes_of = panels(2 * len(shown), max(0.7 * COLUMN, 0.075 * len(names) * most + 0.6), columns)
    for left, right, panel in zip(axes_of[::2], axes_of[1::2], shown, strict=True):
        _whiskers(left, panel, looks)
        _gains_and_p(right, panel, looks, alpha)
    key = [Line2D([], [], label=name, linewidth=1.5, **look) for name, look in looks.items()]
    figure.legend(handles=key, loc="outside upper center", ncols=3 if columns != 1 else 2)
    grey: dict[str, Any] = {"color": "0.4", "marker": "o", "markersize": 3.5, "linestyle": "none"}
    fills = [
        Line2D([], [], label="randomization, crossed", **grey),
        Line2D([], [], label="bootstrap", markerfacecolor="white", **grey),
    ]
    axes_of[1].legend(handles=fills, loc="upper right", handlelength=1.0)
    return Drawing(figure, " ".join(_intervals_alt(panel, alpha) for panel in shown))


def _whiskers(axes: Axes, panel: IntervalsPanel, looks: Mapping[str, dict[str, Any]]) -> None:
    systems = list(dict.fromkeys(row.system for rows in panel.intervals.values() for row in rows))
    for number, (name, look) in enumerate(looks.items()):
        rows = panel.intervals.get(name, ())
        places = [systems.index(row.system) + 0.18 * (number - (len(looks) - 1) / 2) for row in rows]
        lows, highs = [row.interval.low for row in rows], [row.interval.high for row in rows]
        axes.hlines(places, lows, highs, color=look["color"], linewidth=1.2)
        mark(axes, zip([row.score for row in rows], places, strict=True), **(look | {"markersize": 2.5}))
    axes.set_yticks(range(len(systems)), [fitted(system, _KEY) for system in systems])
    axes.set(ylim=(len(systems) - 0.5, -0.5), xlabel=fitted(panel.title, _TITLE))
    axes.tick_params(axis="y", length=0.0)


def _gains_and_p(axes: Axes, panel: IntervalsPanel, looks: Mapping[str, dict[str, Any]], alpha: float) -> None:
    points = [point for method in panel.methods for point in (*method.points, *method.hollow)]
    lowest = min((p for _, p in points if p > 0.0), default=alpha)  # there is no place for 0 on the axis of p
    axes.axhline(alpha, **GUIDE)
    for method in panel.methods:
        look = looks[method.label]
        mark(axes, method.points, **look)
        mark(axes, method.hollow, markerfacecolor="white", **look)
        if method.curve:
            axes.plot(*zip(*method.curve, strict=True), color=look["color"], linewidth=0.7, alpha=0.6, zorder=1.0)
    telling = [gain for gain, p in points if p > lowest]
    axes.set_xlim(0.0, 1.2 * max(telling, default=0.0) or None)
    axes.set(xlabel=f"difference in {fitted(panel.title, _TITLE)}", ylabel="p")
    logarithmic(axes, "y", min(lowest, alpha) / 1.5, 1.25)


def _intervals_alt(panel: IntervalsPanel, alpha: float) -> str:
    """Say by method how wide intervals are, and how many differences are significant."""
    sentences = []
    for method in panel.methods:
        widths = [row.interval.high - row.interval.low for row in panel.intervals[method.label]]
        small = sum(p <= alpha for _, p in method.points)
        sentences.append(
            f"{method.label}, {median(widths):.3g} wide (median), {small} of {len(method.points)} differences with p "
            f"up to {alpha:g}"
        )
    return f"{panel.title}, intervals by what is drawn: {'; '.join(sentences)}."


@in_style
def scatter(
    shown: Mapping[str, Sequence[Sequence[_Point]]], names: Sequence[str], columns: Columns | None = None
) -> Drawing:
    """Draw systems by people's scores and by a metric's: a panel for each metric, the test sets apart by name."""
    columns = columns or (1 if len(shown) <= 2 else 2)
    beside = 2 * columns
    across = min(beside, len(shown))
    height = 0.95 * columns * COLUMN / across + 0.15 * math.ceil(len(names) / beside)
    figure, axes_of = panels(len(shown), height, columns, across)
    for axes, (title, sets) in zip(axes_of, shown.items(), strict=True):
        for number, (name, points) in enumerate(zip(names, sets, strict=True)):
            look = {"color": COLOURS[number % len(COLOURS)], "marker": MARKS[number % len(MARKS)]}
            mark(axes, points, label=in_key(name, 20), markersize=3.0, alpha=0.7, **look)
        axes.margins(0.08)
        axes.locator_params(nbins=4)
        axes.set_title(fitted(title, 18), fontsize=6.5)
    figure.supxlabel("people", fontsize=8.0)
    figure.supylabel("metric", fontsize=8.0)
    if len(names) > 1:
        key = axes_of[0].get_legend_handles_labels()[0]
        figure.legend(handles=key, loc="outside upper center", ncols=min(beside, len(names)), handlelength=1.0)
    count = sum(map(len, next(iter(shown.values()))))
    return Drawing(figure, f"Scores of {whole(count, 'system')} against people's, by {listing(list(shown))}.")


@in_style
def tuned(metric: str, shown: Mapping[str, Sequence[_Point]], columns: Columns | None = None) -> Drawing:
    """Draw runs by their score on the development set and by that on a test set, a panel for each of these."""
    figure, axes_of = panels(len(shown), 0.72 * COLUMN, columns)
    sentences = []
    for axes, (name, points) in zip(axes_of, shown.items(), strict=True):
        dev, test = zip(*points, strict=True)
        mark(axes, points, color=BLUE, marker="o", alpha=0.7)
        axes.set(xlabel=f"{fitted(metric, _TITLE)} on dev", ylabel=f"{fitted(metric, _TITLE)} on {fitted(name, 20)}")
        sentences.append(
            f"{metric} of {whole(len(points), 'run')}: from {min(dev):.4g} to {max(dev):.4g} on dev and from "
            f"{min(test):.4g} to {max(test):.4g} on {name}."
        )
    return Drawing(figure, " ".join(sentences))
