"""Figure of runs: the score on the development set against that on a test set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from truegain.report.figures.names import clean, fitted
from truegain.report.figures.style import BLUE, COLUMN, Columns, arrangement, panel_axes, sheet
from truegain.report.model import whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["TunedPanel", "TunedPlot"]


@dataclass(frozen=True)
class TunedPanel:
    """Scores of the runs on the development set and on one test set."""

    metric: str
    name: str
    points: Sequence[tuple[float, float]]


@dataclass(frozen=True)
class TunedPlot:
    """Runs by both scores, a panel for each test set."""

    panels: Sequence[TunedPanel]
    columns: Columns | None = None

    @property
    def alt(self) -> str:
        """The ranges of both scores."""
        told = []
        for panel in self.panels:
            ends = [(min(own), max(own)) for own in zip(*panel.points, strict=True)]
            ranges = " and ".join(
                f"from {low:.4g} to {high:.4g} on {clean(name)}"
                for (low, high), name in zip(ends, ("dev", panel.name), strict=True)
            )
            told.append(f"{clean(panel.metric)} of {whole(len(panel.points), 'run')}: {ranges}.")
        return " ".join(told)

    def draw(self) -> Figure:
        """See :class:`truegain.report.model.Drawing`."""
        width, across, down = arrangement(len(self.panels), self.columns)
        with sheet(width, 0.72 * COLUMN * down) as figure:
            for axis, panel in zip(panel_axes(figure, len(self.panels), across), self.panels, strict=True):
                axis.plot(*zip(*panel.points, strict=True), "o", color=BLUE, markersize=4, alpha=0.7)
                metric = fitted(panel.metric, 0.3 * COLUMN, 8.0)
                axis.set(xlabel=f"{metric} on dev", ylabel=f"{metric} on {fitted(panel.name, 0.3 * COLUMN, 8.0)}")
        return figure
