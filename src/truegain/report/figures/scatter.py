"""Figure of systems: the scores of each metric against people's."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from truegain.report.figures.names import clean, fitted, in_key
from truegain.report.figures.sheet import Key, Look, Sheet
from truegain.report.figures.style import COLOURS, COLUMN, PAGE, SMALL, Columns
from truegain.report.model import listing, whole

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

    def draw(self) -> Sheet:
        """See :class:`truegain.report.figures.Drawing`."""
        columns = self.columns or (1 if len(self.panels) <= _ACROSS[1] else 2)
        width = COLUMN if columns == 1 else PAGE
        across = min(_ACROSS[columns], len(self.panels))
        each = width / across
        beside = min(2 * columns, len(self.names))
        key = 0.15 * math.ceil(len(self.names) / beside)
        down = math.ceil(len(self.panels) / across)
        sheet = Sheet(width, 0.95 * each * down + 0.2 + key, across=across, x="people", y="metric")
        for panel in self.panels:
            shown = sheet.panel()
            for place, (name, points) in enumerate(zip(self.names, panel.points, strict=True)):
                colour, mark = COLOURS[place % len(COLOURS)], _MARKS[place % len(_MARKS)]
                label = in_key(fitted(name, width / beside - _BESIDE, SMALL))
                shown.line(points, Look(colour, mark=mark, size=3.0, opacity=0.7), label)
            for axis in (shown.x, shown.y):
                axis.size, axis.thick, axis.length, axis.margin = SMALL, 0.6, 2.5, 0.08
            shown.y.most = 4
            shown.title, shown.title_size = fitted(panel.title, each - _BESIDE, _TITLE), _TITLE
        if len(self.names) > 1:
            sheet.key = Key(sheet.panels[0].entries(), "above", across=beside)
        return sheet
