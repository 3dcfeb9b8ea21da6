"""Figure of scores: one row per system, with the interval of its score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from truegain.report.figures.names import clean
from truegain.report.figures.rows import draw_intervals, row_panels, set_range
from truegain.report.figures.sheet import Look, Sheet
from truegain.report.figures.style import BLUE, Columns
from truegain.report.model import decimal

_TOLD = 6  # more systems than these are told of together


@dataclass(frozen=True)
class Score:
    """A score, and its interval if there is one."""

    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class ScoresPanel:
    """Scores under a metric, one per row, and the decimals they are written with; a dotted line at ``mark``."""

    title: str
    scores: Sequence[Score]
    decimals: int
    mark: float | None = None


@dataclass(frozen=True)
class ScoresPlot:
    """Scores with their intervals, a panel for each metric.

    Attributes
    ----------
    labels : sequence of str
        Of the rows.
    panels : sequence of ScoresPanel
        With a score for each row.
    level : float
        Of the intervals.
    numbers : bool
        Whether the scores stand at the right, too.
    rows : str
        What they are of.
    rules : sequence of int
        Rows before which there is a line.
    """

    labels: Sequence[str]
    panels: Sequence[ScoresPanel]
    level: float
    numbers: bool = True
    columns: Columns | None = None
    rows: str = "systems"
    rules: Sequence[int] = ()

    @property
    def alt(self) -> str:
        """Every score with its interval; of many, the lowest and the highest."""
        told = []
        for panel in self.panels:
            named = list(zip(map(clean, self.labels), panel.scores, strict=True))
            if len(named) > _TOLD:
                named = [end(named, key=lambda one: one[1].value) for end in (min, max)]
                opening = f"{panel.title} of {len(self.labels)} {self.rows}, from the lowest to the highest"
            else:
                opening = panel.title
            told.append(f"{opening}: {'; '.join(_words(name, score, panel.decimals) for name, score in named)}.")
        return f"Scores with {100 * self.level:g} % intervals. {' '.join(told)}"

    def draw(self) -> Sheet:
        """See :class:`truegain.report.figures.Drawing`."""
        shown = [[f"{score.value:.{panel.decimals}f}" for score in panel.scores] for panel in self.panels]
        sheet = row_panels(
            self.labels,
            [panel.title for panel in self.panels],
            numbers=shown if self.numbers else (),
            columns=self.columns,
        )
        for row, panel in zip(sheet.panels, self.panels, strict=True):
            parts = [
                (place, score.low, score.high)
                for place, score in enumerate(panel.scores)
                if score.low is not None and score.high is not None
            ]
            values = [score.value for score in panel.scores]
            marks = [] if panel.mark is None else [panel.mark]
            set_range(row, [*values, *marks, *(end for _, *ends in parts for end in ends)])
            for mark in marks:
                row.rule("x", mark, "0.4", 0.8, ":")
            for rule in self.rules:
                row.rule("y", rule - 0.5, "0.5", 0.6)
            row.line([(value, place) for place, value in enumerate(values)], Look(BLUE, mark="s", size=3.5))
            draw_intervals(row, parts, BLUE)
        return sheet


def _words(name: str, score: Score, decimals: int) -> str:
    text = f"{name} {decimal(score.value, decimals)}"
    if score.low is None or score.high is None:
        return text
    return f"{text} ({score.low:.{decimals}f} to {score.high:.{decimals}f})"
