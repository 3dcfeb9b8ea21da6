"""Figure of gains against confidence: every pair of systems as a point, and the gain that usually suffices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from truegain.report.figures.names import clean, fitted, in_key
from truegain.report.figures.sheet import Box, Key, Look, Panel, Sheet
from truegain.report.figures.style import COLOURS, COLUMN, DASHES, SMALL, Columns, arrangement
from truegain.report.model import whole

_MARKS = ("o", "^", "s", "D", "v", "P", "X")
_FARTHEST = 3.0  # times the largest threshold: beyond it all is sure
_LEAST = 0.5  # confidence at the foot of the axis, unless a pair has less
_KEY = 1.4  # inches that the name of a group takes at most


@dataclass(frozen=True)
class Reach:
    """A gain and its interval, if it has one."""

    gain: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class PairsOf:
    """Pairs of one group: (gain, confidence) of each, and the gain that usually suffices."""

    label: str
    points: Sequence[tuple[float, float]]
    threshold: Reach


@dataclass(frozen=True)
class ConfidencePanel:
    """The groups of one metric."""

    title: str
    groups: Sequence[PairsOf]
    decimals: int = 2


@dataclass(frozen=True)
class ConfidencePlot:
    """Gain against confidence, a panel for each metric.

    Attributes
    ----------
    alpha : float
        The level: confidence of 1 − alpha is drawn.
    """

    panels: Sequence[ConfidencePanel]
    alpha: float
    columns: Columns | None = None

    @property
    def alt(self) -> str:
        """Number of pairs that are sure, and the thresholds."""
        told = []
        for panel in self.panels:
            said = []
            for group in panel.groups:
                sure = sum(confidence >= 1.0 - self.alpha - 1e-12 for _, confidence in group.points)
                named = f"{clean(group.label)}: " if len(panel.groups) > 1 else ""
                said.append(
                    f"{named}{sure:,} of {whole(len(group.points), 'pair')} with a confidence of {1 - self.alpha:g} or "
                    f"more, the threshold {group.threshold.gain:.{panel.decimals}f}"
                )
            told.append(f"Gain in {clean(panel.title)} against confidence; {'; '.join(said)}.")
        return " ".join(told)

    def draw(self) -> Sheet:
        """See :class:`truegain.report.figures.Drawing`."""
        width, across, down = arrangement(len(self.panels), self.columns)
        sheet = Sheet(width, 0.78 * COLUMN * down, across=across)
        for panel in self.panels:
            self._panel(sheet.panel(), panel)
        return sheet

    def _panel(self, shown: Panel, panel: ConfidencePanel) -> None:
        largest = max(max(group.threshold.gain, group.threshold.high or 0.0) for group in panel.groups)
        gains = [gain for group in panel.groups for gain, _ in group.points]
        right = min(max(*gains, 1.1 * largest), _FARTHEST * largest) if len(gains) > 1 else 1.2 * max(largest, *gains)
        beyond = sum(gain > right for gain in gains)
        lowest = min(_LEAST, *(confidence for group in panel.groups for _, confidence in group.points))
        for number, group in enumerate(panel.groups):
            reach = group.threshold
            if reach.low is not None and reach.high is not None:
                shown.add(Box(reach.low, reach.high, None, None, COLOURS[number % len(COLOURS)], 0.15))
        shown.rule("y", 1.0 - self.alpha, "0.6", 0.8, ":")
        for number, group in enumerate(panel.groups):
            shown.rule("x", group.threshold.gain, COLOURS[number % len(COLOURS)], 1.2, DASHES[number % len(DASHES)])
        for number, group in enumerate(panel.groups):
            near = [(gain, confidence) for gain, confidence in group.points if gain <= right]
            look = Look(
                COLOURS[number % len(COLOURS)],
                mark=_MARKS[number % len(_MARKS)],
                size=3.0,
                edge=0.7 if number else 0.0,
                hollow=number > 0,
                opacity=0.75,
            )
            label = f"{in_key(fitted(group.label, _KEY, SMALL))}: " if len(panel.groups) > 1 else "threshold "
            shown.line(near, look, f"{label}{group.threshold.gain:.{panel.decimals}f}", inside=False)
        shown.x.limit(0.0, right)
        shown.y.limit(lowest - 0.02 * (1.0 - lowest), 1.0 + 0.02 * (1.0 - lowest))
        shown.x.label = f"gain in {fitted(panel.title, 0.4 * COLUMN, 8.0)}"
        shown.y.label = "confidence, 1 − p"
        shown.y.most = 6
        title = f"{whole(beyond, 'pair')} beyond, to {max(gains):.{panel.decimals}f}" if beyond else ""
        shown.key = Key(shown.entries(), "lower right", title=title, handle=1.2)
