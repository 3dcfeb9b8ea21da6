"""Figure of run scores: each run, their mean, and the bootstrap's spread around it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from truegain.report.figures.names import clean
from truegain.report.figures.rows import key_below, row_panels, set_range
from truegain.report.figures.style import BLUE, SKY, Columns, sheet
from truegain.report.model import decimal, whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["RunStrips", "StripPanel", "SystemStrip"]

_GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0
_FEW = 12  # rows with room between them
_TOLD = 6  # more systems than these are told of together


@dataclass(frozen=True)
class SystemStrip:
    """The scores of a system's runs.

    Attributes
    ----------
    spread : float or None
        The standard deviation over test sets, by the bootstrap (s_sel).
    """

    scores: Sequence[float]
    mean: float
    spread: float | None


@dataclass(frozen=True)
class StripPanel:
    """The runs under a metric, a row for each system, and with how many decimals scores are written."""

    title: str
    systems: Sequence[SystemStrip]
    decimals: int


@dataclass(frozen=True)
class RunStrips:
    """Run scores as dots, their mean as a line, and mean ± s_sel as a band: two kinds of spread side by side.

    Figure 1 of Clark et al. (2011) shows the first kind alone.

    Attributes
    ----------
    labels : sequence of str
        Of the rows: systems.
    panels : sequence of StripPanel
        With the runs of each system.
    """

    labels: Sequence[str]
    panels: Sequence[StripPanel]
    columns: Columns | None = None

    @property
    def alt(self) -> str:
        """The range of every system's runs, and its spread over test sets; of many, the widest."""
        told = []
        for panel in self.panels:
            named = list(zip(map(clean, self.labels), panel.systems, strict=True))
            opening = panel.title
            if len(named) > _TOLD:
                named = [max(named, key=lambda one: max(one[1].scores) - min(one[1].scores))]
                opening = f"{panel.title} of {len(self.labels)} systems, the one whose runs differ most"
            told.append(f"{opening}: {'; '.join(_words(name, one, panel.decimals) for name, one in named)}.")
        return f"Run scores by system, and the spread over test sets around their mean. {' '.join(told)}"

    def draw(self) -> Figure:
        """See :class:`truegain.report.model.Drawing`."""
        from matplotlib.lines import Line2D
        from matplotlib.patches import Patch

        with sheet() as figure:
            axes, room = row_panels(
                figure,
                self.labels,
                [panel.title for panel in self.panels],
                columns=self.columns,
                pitch=0.3 if len(self.labels) <= _FEW else 0.2,
                key=True,
            )
            banded = any(system.spread for panel in self.panels for system in panel.systems)
            for axis, panel in zip(axes, self.panels, strict=True):
                ends = [
                    (place, system.mean - system.spread, system.mean + system.spread)
                    for place, system in enumerate(panel.systems)
                    if system.spread
                ]
                dots = [
                    (score, place + 0.5 * (_GOLDEN * number % 1.0 - 0.5))
                    for place, system in enumerate(panel.systems)
                    for number, score in enumerate(system.scores, 1)
                ]
                rows = range(len(panel.systems))
                for place, low, high in ends:
                    axis.barh(place, high - low, 0.76, left=low, color=SKY, alpha=0.4, linewidth=0)
                means = [system.mean for system in panel.systems]
                axis.vlines(means, [row - 0.38 for row in rows], [row + 0.38 for row in rows], BLUE, linewidth=1.5)
                scores, places = zip(*dots, strict=True)
                axis.plot(scores, places, "o", color="black", markersize=3.0, markeredgewidth=0.0, alpha=0.75)
                set_range(axis, [*scores, *(end for _, *both in ends for end in both)], room)
            handles = [
                Line2D([], [], marker="o", linestyle="none", color="black", markersize=3.0, alpha=0.75, label="run"),
                Line2D(
                    [],
                    [],
                    marker="|",
                    linestyle="none",
                    color=BLUE,
                    markersize=7.0,
                    markeredgewidth=1.5,
                    label="mean",
                ),
                *([Patch(color=SKY, alpha=0.4, linewidth=0, label="mean ± s_sel, over test sets")] if banded else []),
            ]
            key_below(figure, handles)
        return figure


def _words(name: str, system: SystemStrip, decimals: int) -> str:
    low, high = (decimal(end(system.scores), decimals) for end in (min, max))
    runs = whole(len(system.scores), "run")
    text = f"{name}, {runs} from {low} to {high}" if len(system.scores) > 1 else f"{name}, {runs} at {low}"
    spread = "" if system.spread is None else f", s_sel {system.spread:.{decimals + 1}f}"
    return f"{text}, mean {system.mean:.{decimals}f}{spread}"
