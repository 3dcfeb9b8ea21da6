"""Figure of how often a small p means the same sign elsewhere: shares by bins of p, with 1 − p."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from truegain.report.figures.names import clean, fitted, in_key, width_of
from truegain.report.figures.style import COLOURS, COLUMN, SMALL, Columns, arrangement, panel_axes, sheet
from truegain.report.model import listing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["AgreementPanel", "AgreementPlot", "Shares"]

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

    def draw(self) -> Figure:
        """See :class:`truegain.report.model.Drawing`."""
        width, across, down = arrangement(len(self.panels), self.columns)
        most = max(len(panel.series) for panel in self.panels)
        with sheet(width, (0.78 * COLUMN + 0.14 * (most + 2)) * down) as figure:
            axes = panel_axes(figure, len(self.panels), across, sharey=True)
            for axis, panel in zip(axes, self.panels, strict=True):
                self._panel(axis, panel, width / across)
            low = min((p[1] for panel in self.panels for one in panel.series for p in one.points if p), default=0.5)
            axes[0].set_ylim(max(0.0, min(0.45, low - 0.03)), 1.02)
            for axis in axes[::across]:
                axis.set_ylabel("same sign")
        return figure

    def _panel(self, axis: Axes, panel: AgreementPanel, width: float) -> None:
        from matplotlib.ticker import PercentFormatter

        for place, (low, high) in enumerate(self.ends):
            axis.fill_between(
                [place - 0.45, place + 0.45],
                1.0 - min(high, 0.5),
                1.0 - low,
                color="0.82",
                linewidth=0,
                zorder=0,
                label="1 − p" if place == 0 else None,
            )
        axis.axhline(0.5, color="0.6", linewidth=0.8, linestyle=":", zorder=1)
        count = len(panel.series)
        expected = False
        for number, one in enumerate(panel.series):
            shift = 0.0 if count == 1 else min(_SPREAD, _STEP * (count - 1)) * (number / (count - 1) - 0.5)
            colour = COLOURS[number % len(COLOURS)]
            there = [(place + shift, point) for place, point in enumerate(one.points) if point is not None]
            axis.errorbar(
                [x for x, _ in there],
                [point[0] for _, point in there],
                yerr=[[p[0] - p[1] for _, p in there], [p[2] - p[0] for _, p in there]] if there else None,
                fmt=_MARKS[number % len(_MARKS)],
                color=colour,
                markerfacecolor="none" if one.within else colour,
                markersize=3.6,
                elinewidth=1.0,
                label=in_key(fitted(one.label, width - 0.9, SMALL)),
                zorder=3,
            )
            for x, point in there if not one.within else []:
                name = None if expected else "expected of one domain"
                axis.plot([x - _TICK, x + _TICK], [point[3]] * 2, color="0.1", linewidth=1.2, label=name, zorder=4)
                expected = True
        axis.set_xlim(-0.5, len(self.ends) - 0.5)
        self._name_bins(axis, width - _BESIDE)
        axis.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
        axis.set_xlabel(fitted(panel.axis, width - 0.6, 8.0))
        axis.set_title(fitted(panel.title, width - 0.6, 9.6))
        axis.legend(fontsize=SMALL, loc="upper center", bbox_to_anchor=(0.5, -0.2), ncols=1, borderpad=0.1)

    def _name_bins(self, axis: Axes, inches: float) -> None:
        """Write each bin under its middle; if the bins are too narrow for that, their ends where they meet."""
        each = inches / len(self.ends)
        places, labels, length = [float(place) for place in range(len(self.ends))], list(map(_label, self.ends)), 0.0
        if max(width_of(label, SMALL) for label in labels) > each:
            ends = [_short(high) for _, high in self.ends[:-1]]
            step = math.ceil((max(width_of(end, SMALL) for end in ends) + _APART) / each)
            places, labels, length = [0.5 + place for place in range(len(ends))][::step], ends[::step], 3.0
        axis.set_xticks(places, labels)
        axis.tick_params(axis="x", labelsize=SMALL, length=length)


def _label(ends: tuple[float, float]) -> str:
    low, high = ends
    if low == 0.0:
        return f"≤ {_short(high)}"
    return f"> {_short(low)}" if high == 1.0 else f"{_short(low)}–{_short(high)}"


def _short(number: float) -> str:
    return f"{number:g}".removeprefix("0")
