"""Figure of the gain that is usually significant against the size of the test set; both axes logarithmic."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from truegain.report.figures.names import clean, fitted
from truegain.report.figures.power import logarithmic
from truegain.report.figures.style import BLUE, COLUMN, SMALL, Columns, arrangement, panel_axes, sheet
from truegain.report.model import decimal

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["SizesPanel", "SizesPlot"]

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

    def draw(self) -> Figure:
        """See :class:`truegain.report.model.Drawing`."""
        width, across, down = arrangement(len(self.panels), self.columns)
        with sheet(width, 0.72 * COLUMN * down) as figure:
            axes = panel_axes(figure, len(self.panels), across)
            for axis, panel in zip(axes, self.panels, strict=True):
                _panel(axis, panel, self.noun)
        return figure


def _panel(axis: Axes, panel: SizesPanel, noun: str) -> None:
    from matplotlib.ticker import NullLocator

    sizes = [one[0] for one in panel.points]
    gains = [one[1] for one in panel.points]
    ends = (sizes[0] / _BESIDE, sizes[-1] * _BESIDE)
    law = [panel.c / math.sqrt(end) for end in ends]
    axis.plot(ends, law, color="0.2", linewidth=0.9, linestyle=":", label=f"{panel.c:.3g}/√n")
    for size, _, low, high in panel.points:
        if low is not None and high is not None:
            axis.plot((size, size), (low, high), color=BLUE, linewidth=1.0, solid_capstyle="butt")
    axis.plot(sizes, gains, "o-", color=BLUE, linewidth=1.0, markersize=3.5, label=f"n^−{panel.exponent:.2f}")
    axis.set(xlabel=noun, ylabel=f"threshold in {fitted(panel.title, 0.35 * COLUMN, 8.0)}")
    logarithmic(axis, *ends)
    axis.set_yscale("log")
    reached = [*law, *(value for one in panel.points for value in one[1:] if value is not None)]
    axis.set_ylim(min(reached) / 1.05, max(reached) * 1.05)
    places = _round_numbers(*axis.get_ylim())
    axis.set_yticks(places, [f"{place:g}" for place in places])
    axis.yaxis.set_minor_locator(NullLocator())
    axis.legend(fontsize=SMALL, loc="upper right", handlelength=2.2, borderpad=0.1)


def _round_numbers(low: float, high: float) -> list[float]:
    """Return a few round numbers from low to high, about evenly on a logarithmic axis."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    for steps in ((1.0,), (1.0, 3.0), (1.0, 2.0, 5.0), (1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0)):
        found = [round(step * 10.0**power, 12) for power in powers for step in steps]
        found = [place for place in found if low <= place <= high]
        if len(found) >= 3:
            return found
    step = (high - low) / 4.0
    digits = max(0, 1 - math.floor(math.log10(step)))
    return sorted({place for i in range(1, 4) if low <= (place := round(low + i * step, digits)) <= high})
