"""Figure of the gain that is usually significant against the size of the test set; both axes logarithmic."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from truegain.report.figures.names import clean, fitted
from truegain.report.figures.power import logarithmic
from truegain.report.figures.sheet import Key, Look, Panel, Sheet
from truegain.report.figures.style import BLUE, COLUMN, Columns, arrangement
from truegain.report.figures.ticks import round_numbers
from truegain.report.model import decimal

_BESIDE = 1.18  # from the outermost sizes to the ends of their axis


@dataclass(frozen=True)
class SizesPanel:
    """One metric: thresholds by size, with their intervals if they have any, and the law c/√size.

    Attributes
    ----------
    points : sequence of (size, gain, low, high)
    exponent : float
        Of the power of the size that the points follow.
    """

    title: str
    points: Sequence[tuple[int, float, float | None, float | None]]
    c: float
    exponent: float
    decimals: int = 2


@dataclass(frozen=True)
class SizesPlot:
    """Thresholds by size, a panel for each metric; ``noun`` is what sizes are counted in."""

    panels: Sequence[SizesPanel]
    noun: str
    columns: Columns | None = None

    @property
    def alt(self) -> str:
        """Range over which the thresholds fall."""
        told = []
        for panel in self.panels:
            first, last = panel.points[0], panel.points[-1]
            told.append(
                f"{clean(panel.title)}: the gain that is usually significant is {first[1]:.{panel.decimals}f} at "
                f"{first[0]:,} {self.noun} and {last[1]:.{panel.decimals}f} at {last[0]:,}; it follows the size to "
                f"the power of {decimal(-panel.exponent, 2)}, beside {panel.c:.3g}/√n."
            )
        return " ".join(told)

    def draw(self) -> Sheet:
        """See :class:`truegain.report.figures.Drawing`."""
        width, across, down = arrangement(len(self.panels), self.columns)
        sheet = Sheet(width, 0.72 * COLUMN * down, across=across)
        for panel in self.panels:
            _panel(sheet.panel(), panel, self.noun)
        return sheet


def _panel(shown: Panel, panel: SizesPanel, noun: str) -> None:
    ends = (panel.points[0][0] / _BESIDE, panel.points[-1][0] * _BESIDE)
    law = [panel.c / math.sqrt(end) for end in ends]
    shown.line(list(zip(ends, law, strict=True)), Look("0.2", 0.9, ":"), f"{panel.c:.3g}/√n")
    for size, _, low, high in panel.points:
        if low is not None and high is not None:
            shown.line([(size, low), (size, high)], Look(BLUE, 1.0))
    points = [(size, gain) for size, gain, _, _ in panel.points]
    shown.line(points, Look(BLUE, 1.0, mark="o", size=3.5), f"n^−{panel.exponent:.2f}")
    shown.x.label, shown.y.label = noun, f"threshold in {fitted(panel.title, 0.35 * COLUMN, 8.0)}"
    logarithmic(shown, *ends)
    reached = [*law, *(value for one in panel.points for value in one[1:] if value is not None)]
    seen = [value for value in reached if value > 0.0] or [1.0]  # there is no place for 0 on this axis
    low, high = min(seen) / 1.05, max(seen) * 1.05
    shown.y.log = True
    shown.y.limit(low, high)
    shown.y.ticks = [(place, f"{place:g}") for place in round_numbers(low, high)]
    shown.key = Key(shown.entries(), "upper right", handle=2.2)
