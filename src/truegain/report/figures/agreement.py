"""Figure of how often a small p means the same sign elsewhere: shares by bins of p, with 1 − p."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from truegain.report.figures.names import clean, fitted, in_key
from truegain.report.figures.sheet import Area, Key, Look, Panel, Segments, Sheet
from truegain.report.figures.style import COLOURS, COLUMN, SMALL, Columns, arrangement
from truegain.report.figures.ticks import percent
from truegain.report.figures.widths import width_of
from truegain.report.model import listing

_MARKS = ("o", "s", "^", "D", "v", "P", "X")
_SPREAD, _STEP = 0.64, 0.24  # of a bin's width: what all series take at most, and one
_BESIDE, _APART = 0.5, 0.04  # inches: what is left of a panel's bins, and between the labels of their ends
_TICK = 0.11  # half the width of the mark of what is expected


@dataclass(frozen=True)
class Shares:
    """A series: for each bin of p a share, its interval and what is expected; None if there is nothing.

    Attributes
    ----------
    within : bool
        Whether the target is what the source was drawn from: those marks are hollow.
    """

    label: str
    points: Sequence[tuple[float, float, float, float] | None]
    within: bool = False


@dataclass(frozen=True)
class AgreementPanel:
    """Series under a title, that say by p on what."""

    title: str
    axis: str
    series: Sequence[Shares]


@dataclass(frozen=True)
class AgreementPlot:
    """Shares of the same sign by bins of p, a panel for each set that p is from.

    Attributes
    ----------
    ends : sequence of (float, float)
        The bins: their ends.
    """

    panels: Sequence[AgreementPanel]
    ends: Sequence[tuple[float, float]]
    columns: Columns | None = None

    @property
    def alt(self) -> str:
        """The shares in the first and the last bin that have one."""
        told = []
        for panel in self.panels:
            shares = []
            for one in panel.series:
                there = [(place, point) for place, point in enumerate(one.points) if point is not None]
                if there:
                    (first, low), (last, high) = there[0], there[-1]
                    shares.append(
                        f"{clean(one.label)} from {100 * low[0]:.0f} % at p {_label(self.ends[first])} to "
                        f"{100 * high[0]:.0f} % at p {_label(self.ends[last])}"
                    )
            told.append(f"{clean(panel.title)}: {listing(shares) if shares else 'none'}")
        return f"Share of pairs with the same sign elsewhere, by p. {'; '.join(told)}."

    def draw(self) -> Sheet:
        """See :class:`truegain.report.figures.Drawing`."""
        width, across, down = arrangement(len(self.panels), self.columns)
        most = max(len(panel.series) for panel in self.panels)
        sheet = Sheet(width, (0.78 * COLUMN + 0.14 * (most + 2)) * down, across=across)
        low = min((p[1] for panel in self.panels for one in panel.series for p in one.points if p), default=0.5)
        for number, panel in enumerate(self.panels):
            shown = sheet.panel()
            shown.y.limit(max(0.0, min(0.45, low - 0.03)), 1.02)
            self._panel(shown, panel, width / across)
            shown.y.named = number % across == 0
            shown.y.label = "same sign" if shown.y.named else ""
        return sheet

    def _panel(self, shown: Panel, panel: AgreementPanel, width: float) -> None:
        for place, (low, high) in enumerate(self.ends):
            bounds = 1.0 - min(high, 0.5), 1.0 - low
            points = [(end, *bounds) for end in (place - 0.45, place + 0.45)]
            shown.add(Area(points, "0.82", label="1 − p" if place == 0 else ""))
        shown.rule("y", 0.5, "0.6", 0.8, ":")
        count = len(panel.series)
        expected: list[tuple[tuple[float, float], tuple[float, float]]] = []
        for number, one in enumerate(panel.series):
            shift = 0.0 if count == 1 else min(_SPREAD, _STEP * (count - 1)) * (number / (count - 1) - 0.5)
            colour = COLOURS[number % len(COLOURS)]
            there = [(place + shift, point) for place, point in enumerate(one.points) if point is not None]
            shown.add(Segments([((x, p[1]), (x, p[2])) for x, p in there], Look(colour, 1.0)))
            mark = Look(colour, mark=_MARKS[number % len(_MARKS)], size=3.6, hollow=one.within)
            shown.line([(x, p[0]) for x, p in there], mark, in_key(fitted(one.label, width - 0.9, SMALL)))
            if not one.within:
                expected += [((x - _TICK, point[3]), (x + _TICK, point[3])) for x, point in there]
        for number, ends in enumerate(expected):
            shown.line(ends, Look("0.1", 1.2), "" if number else "expected of one domain")
        shown.x.limit(-0.5, len(self.ends) - 0.5)
        self._name_bins(shown, width - _BESIDE)
        shown.y.written = percent
        shown.x.label = fitted(panel.axis, width - 0.8, 8.0)
        shown.title = fitted(panel.title, width - 0.8, 9.6)
        shown.key = Key(shown.entries(), "below")

    def _name_bins(self, shown: Panel, inches: float) -> None:
        """Write each bin under its middle; if the bins are too narrow for that, their ends where they meet."""
        each = inches / len(self.ends)
        places, labels, length = [float(place) for place in range(len(self.ends))], list(map(_label, self.ends)), 0.0
        if max(width_of(label, SMALL) for label in labels) > each:
            ends = [_short(high) for _, high in self.ends[:-1]]
            step = math.ceil((max(width_of(end, SMALL) for end in ends) + _APART) / each)
            places, labels, length = [0.5 + place for place in range(len(ends))][::step], ends[::step], 3.0
        shown.x.ticks = list(zip(places, labels, strict=True))
        shown.x.size, shown.x.length = SMALL, length


def _label(ends: tuple[float, float]) -> str:
    low, high = ends
    if low == 0.0:
        return f"≤ {_short(high)}"
    return f"> {_short(low)}" if high == 1.0 else f"{_short(low)}–{_short(high)}"


def _short(number: float) -> str:
    return f"{number:g}".removeprefix("0")
