"""Figure of power, and of the least gain that can be found, against the size of a test set."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from truegain.report.figures.names import clean, fitted, in_key, width_of
from truegain.report.figures.style import COLOURS, COLUMN, DASHES, PAGE, SMALL, Columns, sheet
from truegain.report.model import listing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["Curve", "PowerPanel", "PowerPlot", "logarithmic"]

_GREY = "0.6"
_AXIS = 2.4  # inches that a horizontal axis has at least
_BETWEEN = 0.12  # inches from one label to the next


@dataclass(frozen=True)
class Curve:
    """A name and points (size, value), by size."""

    label: str
    points: Sequence[tuple[float, float]]


@dataclass(frozen=True)
class PowerPanel:
    """For one metric: power, of what, and the least gain found.

    Attributes
    ----------
    of : str
        What the power is for, if all curves are for the same.
    law : Curve
        What the least gain would be if it fell as one over the root of the size.
    """

    title: str
    of: str
    powers: Sequence[Curve]
    gains: Sequence[Curve]
    law: Curve


@dataclass(frozen=True)
class PowerPlot:
    """For each metric, a row: power by the size of the test set, and the least gain that is found with some power.

    Attributes
    ----------
    noun : str
        What sizes are counted in.
    power : float
        That is asked for.
    """

    panels: Sequence[PowerPanel]
    noun: str
    power: float
    columns: Columns | None = None

    @property
    def alt(self) -> str:
        """Power and gains at the smallest and the largest size."""
        told = []
        for panel in self.panels:
            of = f" {panel.of}" if panel.of else ""
            powers = [
                f"{clean(one.label)} from {one.points[0][1]:.2f} to {one.points[-1][1]:.2f}" for one in panel.powers
            ]
            gains = [
                f"from {one.points[0][1]:.3g} to {one.points[-1][1]:.3g}{f' ({clean(one.label)})' if one.label else ''}"
                for one in panel.gains
            ]
            first, last = (round(panel.law.points[place][0]) for place in (0, -1))
            told.append(
                f"{clean(panel.title)}, from {first:,} to {last:,} {self.noun}: power{of}, {listing(powers)}; the "
                f"least gain found with a power of {self.power:g}, {listing(gains)}."
            )
        return " ".join(told)

    def draw(self) -> Figure:
        """See :class:`truegain.report.model.Drawing`."""
        across = self.columns or 2
        down = 2 * len(self.panels) // across
        with sheet(PAGE if across == 2 else COLUMN, 0.7 * COLUMN * down) as figure:
            rows = figure.subplots(down, across, squeeze=False).reshape(-1, 2)
            for (left, right), panel in zip(rows, self.panels, strict=True):
                title = fitted(panel.title, 0.28 * COLUMN, 8.0)
                left.axhline(self.power, color=_GREY, linewidth=0.8, linestyle=":", zorder=0)
                _lines(left, panel.powers)
                left.set(ylim=(0.0, 1.02), xlabel=self.noun, ylabel=f"power {panel.of}".strip())
                left.legend(
                    fontsize=SMALL,
                    loc="lower right",
                    title=title,
                    title_fontsize=SMALL,
                    handlelength=2.2,
                    borderpad=0.1,
                )
                sizes, gains = zip(*panel.law.points, strict=True)
                _lines(right, panel.gains)
                right.plot(sizes, gains, color="0.2", linewidth=0.8, linestyle=":", label=in_key(panel.law.label))
                right.set(xlabel=self.noun, ylabel=f"least Δ {title} found")
                right.set_ylim(bottom=0.0)
                right.legend(fontsize=SMALL, loc="upper right", handlelength=2.2, borderpad=0.1)
                for axis in (left, right):
                    logarithmic(axis, sizes[0], sizes[-1])
        return figure


def _lines(axis: Axes, curves: Sequence[Curve]) -> None:
    for number, curve in enumerate(curves):
        sizes, values = zip(*curve.points, strict=True)
        axis.plot(
            sizes,
            values,
            color=COLOURS[number % len(COLOURS)],
            linestyle=DASHES[number % len(DASHES)],
            linewidth=1.2,
            label=in_key(curve.label) if curve.label else None,
        )


def logarithmic(axis: Axes, low: float, high: float) -> None:
    """Make an axis logarithmic, with as many round numbers written out as fit."""
    from matplotlib.ticker import FixedFormatter, FixedLocator, NullLocator

    axis.set_xscale("log")
    axis.set_xlim(low, high)
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    inches = _AXIS / (math.log10(high) - math.log10(low))
    for steps in ((1, 2, 5), (1, 3), (1,)):
        places = [step * 10**power for power in powers for step in steps if low <= step * 10**power <= high]
        labels = [f"{place:,}" for place in places]
        room = [math.log10(b / a) * inches for a, b in itertools.pairwise(places)]
        if all(width_of(label, 8.0) + _BETWEEN <= one for label, one in zip(labels, room, strict=False)):
            break
    axis.xaxis.set_major_locator(FixedLocator([float(place) for place in places]))
    axis.xaxis.set_major_formatter(FixedFormatter(labels))
    axis.xaxis.set_minor_locator(NullLocator())
