"""Figure of power, and of the least gain that can be found, against the size of a test set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from truegain.report.figures.names import clean, fitted, in_key
from truegain.report.figures.sheet import Key, Look, Panel, Sheet
from truegain.report.figures.style import COLOURS, COLUMN, DASHES, PAGE, Columns
from truegain.report.figures.ticks import count_ticks
from truegain.report.model import listing

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

    def draw(self) -> Sheet:
        """See :class:`truegain.report.figures.Drawing`."""
        across = self.columns or 2
        down = 2 * len(self.panels) // across
        sheet = Sheet(PAGE if across == 2 else COLUMN, 0.7 * COLUMN * down, across=across)
        for panel in self.panels:
            title = fitted(panel.title, 0.28 * COLUMN, 8.0)
            left, right = sheet.panel(), sheet.panel()
            left.rule("y", self.power, _GREY, 0.8, ":")
            _lines(left, panel.powers)
            left.y.limit(0.0, 1.02)
            left.y.label = f"power {panel.of}".strip()
            left.key = Key(left.entries(), "lower right", title=title, handle=2.2)
            _lines(right, panel.gains)
            right.line(panel.law.points, Look("0.2", 0.8, ":"), in_key(panel.law.label))
            right.y.low, right.y.label = 0.0, f"least Δ {title} found"
            right.key = Key(right.entries(), "upper right", handle=2.2)
            for shown in (left, right):
                shown.x.label = self.noun
                logarithmic(shown, panel.law.points[0][0], panel.law.points[-1][0])
        return sheet


def _lines(shown: Panel, curves: Sequence[Curve]) -> None:
    for number, curve in enumerate(curves):
        look = Look(COLOURS[number % len(COLOURS)], 1.2, DASHES[number % len(DASHES)])
        shown.line(curve.points, look, in_key(curve.label))


def logarithmic(shown: Panel, low: float, high: float) -> None:
    """Make the horizontal axis logarithmic, with as many round numbers written out as fit."""
    shown.x.log = True
    shown.x.limit(low, high)
    shown.x.ticks = count_ticks(low, high, _AXIS, 8.0, between=_BETWEEN)
