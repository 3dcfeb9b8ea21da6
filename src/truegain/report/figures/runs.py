"""Figure of run scores, and of the gain as the number of runs grows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from truegain.report.figures.names import clean, fitted, in_key
from truegain.report.figures.style import BLUE, COLOURS, COLUMN, PAGE, SMALL, Columns, sheet
from truegain.report.model import listing, whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Band", "RunsPanel", "RunsPlot", "Strip"]


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

    def draw(self) -> Figure:
        """See :class:`truegain.report.model.Drawing`."""
        across = self.columns or 2
        down = 2 * len(self.panels) // across
        lines = 1 if across == 2 else 2
        with sheet(PAGE if across == 2 else COLUMN, 0.62 * COLUMN * down + 0.2 * lines) as figure:
            rows = figure.subplots(down, across, squeeze=False).reshape(-1, 2)
            for (left, right), panel in zip(rows, self.panels, strict=True):
                title = fitted(panel.title, 0.5 * COLUMN, 8.0)
                everything = np.concatenate([np.asarray(strip.values) for strip in panel.strips])
                edges = np.linspace(everything.min(), everything.max(), 16) if np.ptp(everything) else 5
                for number, strip in enumerate(panel.strips):
                    colour = COLOURS[number % len(COLOURS)]
                    left.hist(
                        strip.values,
                        bins=edges,
                        color=colour,
                        alpha=0.55,
                        label=in_key(fitted(strip.label, 0.8 * COLUMN, SMALL)),
                    )
                    places = np.full(len(strip.values), -0.3 - 0.35 * number)
                    left.plot(strip.values, places, "|", color=colour, markersize=5)
                left.set(xlabel=title, ylabel="runs")
                left.yaxis.get_major_locator().set_params(integer=True)
                counts = [band.place for band in panel.bands]
                lows, highs = [band.low for band in panel.bands], [band.high for band in panel.bands]
                right.axhline(0.0, color="0.6", linewidth=0.8, zorder=0)
                right.fill_between(counts, lows, highs, color=BLUE, alpha=0.25)
                medians = [band.median for band in panel.bands]
                right.plot(counts, medians, "o-", color=BLUE, markersize=3, linewidth=1.1)
                right.set(xlabel="runs of each system", ylabel=f"Δ {title}")
                right.set_xticks(counts)
            keys = rows[0, 0].get_legend_handles_labels()
            figure.legend(*keys, loc="outside upper center", ncols=across, fontsize=SMALL)
        return figure


def _number(value: float) -> str:
    return f"{value:.3g}".replace("-", "−")
