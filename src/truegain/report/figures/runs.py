"""Figure of run scores, and of the gain as the number of runs grows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from truegain.report.figures.names import clean, fitted, in_key
from truegain.report.figures.sheet import Area, Key, Look, Panel, Sheet, Stairs
from truegain.report.figures.style import BLUE, COLOURS, COLUMN, PAGE, SMALL, Columns
from truegain.report.model import listing, whole


@dataclass(frozen=True)
class Strip:
    """A name and single values."""

    label: str
    values: Sequence[float]


@dataclass(frozen=True)
class Band:
    """A range of values and its middle at one place."""

    place: float
    low: float
    median: float
    high: float


@dataclass(frozen=True)
class RunsPanel:
    """The run scores of systems under a metric, and their gain by the number of runs."""

    title: str
    strips: Sequence[Strip]
    bands: Sequence[Band]


@dataclass(frozen=True)
class RunsPlot:
    """For each metric, a row: the scores of each system's runs, and the gain as the number of runs grows.

    After figures 1 and 2 of Clark et al. (2011).
    """

    panels: Sequence[RunsPanel]
    columns: Columns | None = None

    @property
    def alt(self) -> str:
        """The ranges of scores, and those of the gain with the fewest and the most runs."""
        told = []
        for panel in self.panels:
            scores = [
                f"{clean(strip.label)} from {min(strip.values):.4g} to {max(strip.values):.4g}"
                for strip in panel.strips
            ]
            text = f"{clean(panel.title)} of runs: {listing(scores)}."
            ends = {band.place: band for band in (*panel.bands[:1], *panel.bands[-1:])}
            gains = [
                f"from {_number(band.low)} to {_number(band.high)} with {whole(int(band.place), 'run')} of each"
                for band in ends.values()
            ]
            told.append(text + (f" The gain is {listing(gains)}." if gains else ""))
        return " ".join(told)

    def draw(self) -> Sheet:
        """See :class:`truegain.report.figures.Drawing`."""
        across = self.columns or 2
        down = 2 * len(self.panels) // across
        lines = 1 if across == 2 else 2
        sheet = Sheet(PAGE if across == 2 else COLUMN, 0.62 * COLUMN * down + 0.2 * lines, across=across)
        for panel in self.panels:
            title = fitted(panel.title, 0.5 * COLUMN, 8.0)
            _scores(sheet.panel(), panel, title)
            right = sheet.panel()
            right.rule("y", 0.0, "0.6", 0.8)
            right.add(Area([(band.place, band.low, band.high) for band in panel.bands], BLUE, 0.25))
            right.line([(band.place, band.median) for band in panel.bands], Look(BLUE, 1.1, mark="o", size=3.0))
            right.x.label, right.y.label = "runs of each system", f"Δ {title}"
            right.x.ticks = [(float(band.place), f"{band.place:g}") for band in panel.bands]
        sheet.key = Key(sheet.panels[0].entries(), "above", across=across)
        return sheet


def _scores(shown: Panel, panel: RunsPanel, title: str) -> None:
    """Draw how many runs have which scores, and each run as a mark below."""
    everything = np.concatenate([np.asarray(strip.values) for strip in panel.strips])
    low, high = float(everything.min()), float(everything.max())
    edges = np.linspace(low, high, 16) if low < high else np.linspace(low - 0.5, high + 0.5, 6)
    for number, strip in enumerate(panel.strips):
        colour, label = COLOURS[number % len(COLOURS)], in_key(fitted(strip.label, 0.8 * COLUMN, SMALL))
        counts = np.histogram(strip.values, edges)[0].tolist()
        shown.add(Stairs(counts, edges.tolist(), colour, 0.55, label))
        shown.line([(value, -0.3 - 0.35 * number) for value in strip.values], Look(colour, mark="|", size=5.0))
    shown.x.label, shown.y.label, shown.y.whole = title, "runs", True


def _number(value: float) -> str:
    return f"{value:.3g}".replace("-", "−")
