"""Do intervals overlap, and what is p? Intervals by method, and p against the size of the gain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median

from truegain.report.figures.names import clean, fitted
from truegain.report.figures.sheet import Entry, Key, Look, Panel, Sheet
from truegain.report.figures.style import COLOURS, COLUMN, PAGE, Columns


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

    def draw(self) -> Sheet:
        """See :class:`truegain.report.figures.Drawing`."""
        methods = list(dict.fromkeys(cloud.method for panel in self.panels for cloud in panel.clouds))
        looks = {
            method: Look(COLOURS[number % len(COLOURS)], mark=mark, size=3.5, edge=0.6)
            for number, (method, mark) in enumerate(zip(methods, "osD^vP", strict=False))
        }
        most = max(len({whisker.label for whisker in panel.whiskers}) for panel in self.panels)
        height = max(0.7 * COLUMN, 0.15 * len(methods) * most / 2 + 0.6)
        across = self.columns or 2
        down = 2 * len(self.panels) // across
        sheet = Sheet(PAGE if across == 2 else COLUMN, height * down + 0.3 * (3 - across), across=across)
        for panel in self.panels:
            _whiskers(sheet.panel(), panel, looks)
            _clouds(sheet.panel(), panel, looks, self.alpha)
        keys = [Entry(method, replace(look, width=1.5)) for method, look in looks.items()]
        sheet.key = Key(keys, "above", across=2 * across)
        grey = Look("0.4", mark="o", size=3.5)
        fills = [Entry("randomization, crossed", grey), Entry("bootstrap", replace(grey, hollow=True))]
        sheet.panels[1].key = Key(fills, "upper right")
        return sheet


def _whiskers(shown: Panel, panel: IntervalsPanel, looks: dict[str, Look]) -> None:
    labels = list(dict.fromkeys(whisker.label for whisker in panel.whiskers))
    methods = list(looks)
    for whisker in panel.whiskers:
        place = labels.index(whisker.label) + 0.18 * (methods.index(whisker.method) - (len(methods) - 1) / 2)
        look = looks[whisker.method]
        shown.line([(whisker.low, place), (whisker.high, place)], Look(look.colour, 1.2))
        shown.line([(whisker.middle, place)], replace(look, size=2.5, edge=1.0))
    shown.y.ticks = [(float(place), fitted(label, 0.4 * COLUMN, 8.0)) for place, label in enumerate(labels)]
    shown.y.limit(len(labels) - 0.5, -0.5)
    shown.y.length = 0.0
    shown.x.label = fitted(panel.title, 0.5 * COLUMN, 8.0)


def _clouds(shown: Panel, panel: IntervalsPanel, looks: dict[str, Look], alpha: float) -> None:
    everything = [point for cloud in panel.clouds for point in (*cloud.points, *cloud.hollow)]
    lowest = min((p for _, p in everything if p > 0.0), default=alpha)  # there is no place for 0 on the axis of p
    shown.rule("y", alpha, "0.6", 0.8)
    for cloud in panel.clouds:
        shown.line(cloud.curve, Look(looks[cloud.method].colour, 0.7, opacity=0.6))
    for cloud in panel.clouds:
        shown.line(cloud.points, looks[cloud.method])
        shown.line(cloud.hollow, replace(looks[cloud.method], hollow=True))
    telling = [x for x, p in everything if p > lowest]
    shown.x.low, shown.x.high = 0.0, 1.2 * max(telling, default=0.0) or None
    shown.x.label = fitted(f"difference in {panel.title}", 0.8 * COLUMN, 8.0)
    shown.y.limit(min(lowest, alpha) / 1.5, 1.25)
    shown.y.log, shown.y.label = True, "p"
