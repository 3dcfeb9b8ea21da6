"""Do intervals overlap, and what is p? Intervals by method, and p against the size of the gain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Any

from truegain.report.figures.names import clean, fitted
from truegain.report.figures.style import COLOURS, COLUMN, PAGE, SMALL, Columns, sheet

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["Cloud", "IntervalsPanel", "IntervalsPlot", "Whisker"]


@dataclass(frozen=True)
class Whisker:
    """An interval and its middle: of what, and by which method."""

    label: str
    method: str
    low: float
    middle: float
    high: float


@dataclass(frozen=True)
class Cloud:
    """Points (gain, p) of a method, hollow ones of its other test, and a curve through such places."""

    method: str
    points: Sequence[tuple[float, float]]
    hollow: Sequence[tuple[float, float]]
    curve: Sequence[tuple[float, float]]


@dataclass(frozen=True)
class IntervalsPanel:
    """Intervals and p-values under a metric."""

    title: str
    whiskers: Sequence[Whisker]
    clouds: Sequence[Cloud]


@dataclass(frozen=True)
class IntervalsPlot:
    """For each metric, a row: intervals of the systems' scores by method, and p against the size of the gain.

    After Fu et al. P-values are on a logarithmic axis, because the small ones decide; gains so large that every p is
    the smallest there is are left out.
    """

    panels: Sequence[IntervalsPanel]
    alpha: float
    columns: Columns | None = None

    @property
    def alt(self) -> str:
        """By method, how wide intervals are, and how many differences are significant."""
        told = []
        for panel in self.panels:
            parts = []
            for cloud in panel.clouds:
                widths = [one.high - one.low for one in panel.whiskers if one.method == cloud.method]
                small = sum(p <= self.alpha for _, p in cloud.points)
                parts.append(
                    f"{cloud.method}, {median(widths):.3g} wide (median), {small} of {len(cloud.points)} differences "
                    f"with p up to {self.alpha:g}"
                )
            told.append(f"{clean(panel.title)}, intervals by what is drawn: {'; '.join(parts)}.")
        return " ".join(told)

    def draw(self) -> Figure:
        """See :class:`truegain.report.model.Drawing`."""
        from matplotlib.lines import Line2D

        methods = list(dict.fromkeys(cloud.method for panel in self.panels for cloud in panel.clouds))
        looks: dict[str, dict[str, Any]] = {
            method: {"color": COLOURS[number % len(COLOURS)], "marker": marker}
            for number, (method, marker) in enumerate(zip(methods, "osD^vP", strict=False))
        }
        most = max(len({whisker.label for whisker in panel.whiskers}) for panel in self.panels)
        height = max(0.7 * COLUMN, 0.15 * len(methods) * most / 2 + 0.6)
        across = self.columns or 2
        down = 2 * len(self.panels) // across
        with sheet(PAGE if across == 2 else COLUMN, height * down + 0.3 * (3 - across)) as figure:
            rows = figure.subplots(down, across, squeeze=False).reshape(-1, 2)
            for (left, right), panel in zip(rows, self.panels, strict=True):
                _whiskers(left, panel, looks)
                _clouds(right, panel, looks, self.alpha)
            keys = [Line2D([], [], markersize=3.5, label=method, **look) for method, look in looks.items()]
            figure.legend(handles=keys, loc="outside upper center", ncols=2 * across, fontsize=SMALL)
            grey: dict[str, Any] = {"color": "0.4", "linestyle": "none", "marker": "o", "markersize": 3.5}
            fills = [
                Line2D([], [], label="randomization, crossed", **grey),
                Line2D([], [], label="bootstrap", fillstyle="none", **grey),
            ]
            rows[0, 1].legend(handles=fills, loc="upper right", fontsize=SMALL)
        return figure


def _whiskers(axis: Axes, panel: IntervalsPanel, looks: dict[str, dict[str, Any]]) -> None:
    labels = list(dict.fromkeys(whisker.label for whisker in panel.whiskers))
    methods = list(looks)
    for whisker in panel.whiskers:
        place = labels.index(whisker.label) + 0.18 * (methods.index(whisker.method) - (len(methods) - 1) / 2)
        look = looks[whisker.method]
        axis.plot([whisker.low, whisker.high], [place, place], color=look["color"], linewidth=1.2)
        axis.plot([whisker.middle], [place], linestyle="none", markersize=2.5, **look)
    axis.set_yticks(range(len(labels)), [fitted(label, 0.4 * COLUMN, 8.0) for label in labels])
    axis.set(xlabel=fitted(panel.title, 0.5 * COLUMN, 8.0), ylim=(len(labels) - 0.5, -0.5))
    axis.tick_params(axis="y", length=0)


def _clouds(axis: Axes, panel: IntervalsPanel, looks: dict[str, dict[str, Any]], alpha: float) -> None:
    everything = [point for cloud in panel.clouds for point in (*cloud.points, *cloud.hollow)]
    lowest = min(p for _, p in everything)
    axis.axhline(alpha, color="0.6", linewidth=0.8, zorder=0)
    for cloud in panel.clouds:
        look = {**looks[cloud.method], "markersize": 3.5, "linestyle": "none", "markeredgewidth": 0.6}
        axis.plot(*_axes(cloud.points), **look)
        axis.plot(*_axes(cloud.hollow), fillstyle="none", **look)
        axis.plot(*_axes(cloud.curve), color=look["color"], linewidth=0.7, alpha=0.6, zorder=0)
    axis.set(yscale="log", ylim=(min(lowest, alpha) / 1.5, 1.25), ylabel="p")
    axis.set_xlabel(fitted(f"difference in {panel.title}", 0.8 * COLUMN, 8.0))
    telling = [x for x, p in everything if p > lowest]
    axis.set_xlim(0.0, 1.2 * max(telling, default=0.0) or None)
    axis.yaxis.set_major_formatter("{x:g}")
    axis.yaxis.set_minor_formatter("")


def _axes(points: Sequence[tuple[float, float]]) -> tuple[list[float], list[float]]:
    return [x for x, _ in points], [y for _, y in points]
