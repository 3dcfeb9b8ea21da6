"""What would other runs have said? Run scores, and the gain as the number of runs grows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from truegain.report.figures.style import COLOURS, COLUMN, styled
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

    @property
    def alt(self) -> str:
        """The ranges of scores, and those of the gain with the fewest and the most runs."""
        told = []
        for panel in self.panels:
            scores = [
                f"{strip.label} from {min(strip.values):.4g} to {max(strip.values):.4g}" for strip in panel.strips
            ]
            text = f"{panel.title} of runs: {listing(scores)}."
            ends = {band.place: band for band in (*panel.bands[:1], *panel.bands[-1:])}
            gains = [
                f"from {band.low:.3g} to {band.high:.3g} with {whole(int(band.place), 'run')} of each"
                for band in ends.values()
            ]
            told.append(text + (f" The gain is {listing(gains)}." if gains else ""))
        return " ".join(told)

    def draw(self) -> Figure:
        """See :class:`truegain.report.model.Drawing`."""
        from matplotlib.figure import Figure

        with styled():
            figure = Figure(figsize=(2 * COLUMN, 0.62 * COLUMN * len(self.panels) + 0.2), layout="constrained")
            rows = figure.subplots(len(self.panels), 2, squeeze=False)
            for (left, right), panel in zip(rows, self.panels, strict=True):
                everything = np.concatenate([np.asarray(strip.values) for strip in panel.strips])
                edges = np.linspace(everything.min(), everything.max(), 16) if np.ptp(everything) else 5
                for number, strip in enumerate(panel.strips):
                    colour = COLOURS[number % len(COLOURS)]
                    left.hist(strip.values, bins=edges, color=colour, alpha=0.55, label=strip.label)
                    places = np.full(len(strip.values), -0.3 - 0.35 * number)
                    left.plot(strip.values, places, "|", color=colour, markersize=5)
                left.set(xlabel=panel.title, ylabel="runs")
                left.yaxis.get_major_locator().set_params(integer=True)
                left.legend(fontsize=7.0)
                counts = [band.place for band in panel.bands]
                lows, highs = [band.low for band in panel.bands], [band.high for band in panel.bands]
                right.axhline(0.0, color="0.6", linewidth=0.8, zorder=0)
                right.fill_between(counts, lows, highs, color=COLOURS[0], alpha=0.25)
                medians = [band.median for band in panel.bands]
                right.plot(counts, medians, "o-", color=COLOURS[0], markersize=3, linewidth=1.1)
                right.set(xlabel="runs of each system", ylabel=f"Δ {panel.title}")
                right.set_xticks(counts)
        return figure
