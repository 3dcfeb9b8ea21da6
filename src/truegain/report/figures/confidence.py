"""Figure of gains against confidence: every pair of systems as a point, and the gain that usually suffices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from truegain.report.figures.names import clean, fitted, in_key
from truegain.report.figures.style import (
    COLOURS,
    COLUMN,
    DASHES,
    SMALL,
    Columns,
    arrangement,
    panel_axes,
    sheet,
    space_ticks,
)
from truegain.report.model import whole

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["ConfidencePanel", "ConfidencePlot", "PairsOf", "Reach"]

_MARKS = ("o", "^", "s", "D", "v", "P", "X")
_FARTHEST = 3.0  # times the largest threshold: beyond it all is sure
_LEAST = 0.5  # confidence at the foot of the axis, unless a pair has less
_INCHES = 2.4  # of an axis
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

    def draw(self) -> Figure:
        """See :class:`truegain.report.model.Drawing`."""
        width, across, down = arrangement(len(self.panels), self.columns)
        with sheet(width, 0.78 * COLUMN * down) as figure:
            axes = panel_axes(figure, len(self.panels), across)
            for axis, panel in zip(axes, self.panels, strict=True):
                self._panel(axis, panel)
        return figure

    def _panel(self, axis: Axes, panel: ConfidencePanel) -> None:
        largest = max(max(group.threshold.gain, group.threshold.high or 0.0) for group in panel.groups)
        gains = [gain for group in panel.groups for gain, _ in group.points]
        right = min(max(*gains, 1.1 * largest), _FARTHEST * largest) if len(gains) > 1 else 1.2 * max(largest, *gains)
        beyond = sum(gain > right for gain in gains)
        lowest = min(_LEAST, *(confidence for group in panel.groups for _, confidence in group.points))
        axis.axhline(1.0 - self.alpha, color="0.6", linewidth=0.8, linestyle=":", zorder=0)
        for number, group in enumerate(panel.groups):
            colour = COLOURS[number % len(COLOURS)]
            reach = group.threshold
            if reach.low is not None and reach.high is not None:
                axis.axvspan(reach.low, reach.high, color=colour, alpha=0.15, linewidth=0.0, zorder=0)
            axis.axvline(reach.gain, color=colour, linewidth=1.2, linestyle=DASHES[number % len(DASHES)], zorder=1)
            shown = [(gain, confidence) for gain, confidence in group.points if gain <= right]
            label = f"{in_key(fitted(group.label, _KEY, SMALL))}: " if len(panel.groups) > 1 else "threshold "
            axis.plot(
                [gain for gain, _ in shown],
                [confidence for _, confidence in shown],
                _MARKS[number % len(_MARKS)],
                color=colour,
                markersize=3.0,
                fillstyle="none" if number else "full",
                markeredgewidth=0.7 if number else 0.0,
                alpha=0.75,
                clip_on=False,
                zorder=3,
                label=f"{label}{reach.gain:.{panel.decimals}f}",
            )
        axis.set_xlim(0.0, right)
        axis.set_ylim(lowest - 0.02 * (1.0 - lowest), 1.0 + 0.02 * (1.0 - lowest))
        axis.set_xlabel(f"gain in {fitted(panel.title, 0.4 * COLUMN, 8.0)}")
        axis.set_ylabel("confidence, 1 − p")
        axis.locator_params(axis="y", nbins=6)
        space_ticks(axis, _INCHES)
        title = f"{whole(beyond, 'pair')} beyond, to {max(gains):.{panel.decimals}f}" if beyond else None
        axis.legend(
            fontsize=SMALL, loc="lower right", title=title, title_fontsize=SMALL, handlelength=1.2, borderpad=0.1
        )
