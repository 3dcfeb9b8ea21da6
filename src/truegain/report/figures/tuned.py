"""Figure of runs: the score on the development set against that on a test set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from truegain.report.figures.names import clean, fitted
from truegain.report.figures.sheet import Look, Sheet
from truegain.report.figures.style import BLUE, COLUMN, Columns, arrangement
from truegain.report.model import whole


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

    def draw(self) -> Sheet:
        """See :class:`truegain.report.figures.Drawing`."""
        width, across, down = arrangement(len(self.panels), self.columns)
        sheet = Sheet(width, 0.72 * COLUMN * down, across=across)
        for panel in self.panels:
            shown = sheet.panel()
            shown.line(panel.points, Look(BLUE, mark="o", size=4.0, opacity=0.7))
            metric = fitted(panel.metric, 0.3 * COLUMN, 8.0)
            shown.x.label = f"{metric} on dev"
            shown.y.label = f"{metric} on {fitted(panel.name, 0.3 * COLUMN, 8.0)}"
        return sheet
