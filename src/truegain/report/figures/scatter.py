"""Figure of systems: the scores of each metric against people's."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from truegain.report.figures.names import clean, fitted, in_key
from truegain.report.figures.style import COLOURS, COLUMN, PAGE, SMALL, Columns, panel_axes, sheet, space_ticks
from truegain.report.model import listing, whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["ScatterPanel", "ScatterPlot"]

_MARKS = ("o", "^", "s", "D", "v", "P", "X")
_ACROSS = {1: 2, 2: 4}
_TITLE = 6.5  # points
_BESIDE = 0.48  # inches: a panel's labels, and the mark of a name in the key


@dataclass(frozen=True)
class ScatterPanel:
    """Points of one metric, test set by test set: people's score and the metric's."""

    title: str
    points: Sequence[Sequence[tuple[float, float]]]


@dataclass(frozen=True)
class ScatterPlot:
    """Systems by both scores, a panel for each metric.

    Attributes
    ----------
    names : sequence of str
        Of the test sets.
    """

    panels: Sequence[ScatterPanel]
    names: Sequence[str]
    columns: Columns | None = None

    @property
    def alt(self) -> str:
        """The metrics, and the number of systems."""
        count = sum(map(len, self.panels[0].points))
        titles = listing([clean(panel.title) for panel in self.panels])
        return f"Scores of {whole(count, 'system')} against people's, by {titles}."

    def draw(self) -> Figure:
        """See :class:`truegain.report.model.Drawing`."""
        columns = self.columns or (1 if len(self.panels) <= _ACROSS[1] else 2)
        width = COLUMN if columns == 1 else PAGE
        across = min(_ACROSS[columns], len(self.panels))
        each = width / across
        beside = min(2 * columns, len(self.names))
        key = 0.15 * math.ceil(len(self.names) / beside)
        with sheet(width, 0.95 * each * math.ceil(len(self.panels) / across) + 0.2 + key) as figure:
            axes = panel_axes(figure, len(self.panels), across)
            for axis, panel in zip(axes, self.panels, strict=True):
                for place, (name, points) in enumerate(zip(self.names, panel.points, strict=True)):
                    mark, colour = _MARKS[place % len(_MARKS)], COLOURS[place % len(COLOURS)]
                    label = in_key(fitted(name, width / beside - _BESIDE, SMALL))
                    axis.plot(*zip(*points, strict=True), mark, color=colour, markersize=3, alpha=0.7, label=label)
                axis.tick_params(labelsize=SMALL, width=0.6, length=2.5)
                axis.locator_params(axis="y", nbins=4)
                axis.margins(0.08)
                space_ticks(axis, 0.65 * each)
                axis.set_title(fitted(panel.title, each - _BESIDE, _TITLE), fontsize=_TITLE)
            figure.supxlabel("people", fontsize=8.0)
            figure.supylabel("metric", fontsize=8.0)
            if len(self.names) > 1:
                handles, labels = axes[0].get_legend_handles_labels()
                figure.legend(handles, labels, loc="outside upper center", ncols=beside, fontsize=SMALL)
        return figure
