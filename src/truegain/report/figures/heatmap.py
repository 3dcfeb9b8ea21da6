"""Heat map of differences: every pair of systems as a square, with lines between clusters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from truegain.report.figures.names import clean, fitted
from truegain.report.figures.sheet import Axis, Cells, Look, Panel, Sheet
from truegain.report.figures.style import COLUMN, GREEN, ORANGE, PAGE, SMALL, Columns
from truegain.report.figures.widths import width_of
from truegain.report.model import listing, signed, whole

_PITCH = 0.115  # inches a label needs
_NAMES = 1.1  # inches, at most
_GAP, _TOP, _BAR = 0.05, 0.08, 0.75  # inches: between things, above the map, beside it for its key
_FADED = 0.25  # of the colour that is left where a difference is not shown
_ONE_COLUMN = 16  # systems that a column of a paper has room for
_MARKED = 40  # more systems than these have squares too small for a mark
_TOLD = 6


@dataclass(frozen=True)
class HeatMap:
    """Every two systems: the difference as a colour, faded and marked with a ring if it is not shown.

    Attributes
    ----------
    labels : sequence of str
        The systems, the best first.
    title : str
        The metric.
    deltas : rows of float
        By how much the system of the row is better than that of the column.
    shown : rows of bool
        Whether the difference is significant.
    clusters : sequence of int
        The cluster of each system.
    decimals : int
        Of differences in words.
    """

    labels: Sequence[str]
    title: str
    deltas: Sequence[Sequence[float]]
    shown: Sequence[Sequence[bool]]
    clusters: Sequence[int]
    decimals: int = 2
    columns: Columns | None = None

    @property
    def alt(self) -> str:
        """The clusters, how many pairs differ, and the largest difference."""
        count = len(self.labels)
        pairs = count * (count - 1) // 2
        told = []
        for number in dict.fromkeys(self.clusters):
            names = [clean(one) for one, cluster in zip(self.labels, self.clusters, strict=True) if cluster == number]
            short = names if len(names) <= _TOLD else [*names[:3], f"{len(names) - 3} more"]
            told.append(f"{number}: {listing(short)}")
        if len(told) > 2 * _TOLD:
            told = [*told[:_TOLD], f"and {len(told) - _TOLD} further clusters"]
        largest = signed(max(max(row) for row in self.deltas), self.decimals)
        significant = sum(map(sum, self.shown)) // 2
        return (
            f"Differences in {self.title} between every two of {count} systems: {significant:,} of "
            f"{whole(pairs, 'pair')} significant, the largest {largest}. Clusters {'; '.join(told)}."
        )

    def draw(self) -> Sheet:
        """See :class:`truegain.report.figures.Drawing`."""
        count = len(self.labels)
        deltas, shown = np.array(self.deltas), np.array(self.shown)
        columns = self.columns or (1 if count <= _ONE_COLUMN else 2)
        width = COLUMN if columns == 1 else PAGE
        names = [fitted(label, min(_NAMES, 0.3 * width), SMALL) for label in self.labels]
        taken = max(width_of(name, SMALL) for name in names)
        beside = taken + 2 * _GAP
        side = width - beside - _BAR
        height = side + beside + _TOP
        sheet = Sheet(width, height, across=2)
        reach = float(np.abs(deltas).max()) or 1.0
        painted = _colours(deltas / reach)
        faded = np.where(shown[..., None], painted, 1.0 - _FADED * (1.0 - painted))
        faded[np.arange(count), np.arange(count)] = 0.88
        panel = sheet.panel()
        panel.place = (beside, _TOP, side, side)
        panel.add(Cells(_rows(faded)))
        if count <= _MARKED:
            rows, marked = np.nonzero(~shown & ~np.eye(count, dtype=bool))
            points = min(72.0 * side / count * 0.22, 4.0)
            ring = Look("0.45", mark="o", size=points, edge=0.5, hollow=True)
            panel.line(list(zip(marked.tolist(), rows.tolist(), strict=True)), ring)
        for place in range(1, count):
            if self.clusters[place] != self.clusters[place - 1]:
                panel.rule("y", place - 0.5, "black", 0.9)
                panel.rule("x", place - 0.5, "black", 0.9)
        _label(panel, names, side)
        key = sheet.panel()
        key.explains = True
        key.place = (width - _BAR + 2 * _GAP, _TOP + 0.1 * side, 0.1, 0.8 * side)
        key.add(Cells(_rows(_colours(np.linspace(1.0, -1.0, 256)[:, None]))))
        key.x = Axis(low=0.0, high=1.0, ticks=())
        key.y = Axis(low=-reach, high=reach, most=5, size=SMALL - 0.5, length=2.5, thick=0.6, opposite=True)
        key.title, key.title_size = fitted(f"Δ {self.title}", _BAR - 3 * _GAP, SMALL), SMALL
        return sheet


def _colours(shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the colours of differences, from −1 over white to 1."""
    ends = np.array([[int(colour[i : i + 2], 16) / 255.0 for i in (1, 3, 5)] for colour in (ORANGE, GREEN)])
    strength = np.abs(shares)[..., None]
    return np.asarray(1.0 - strength * (1.0 - np.where((shares < 0.0)[..., None], ends[0], ends[1])))


def _rows(colours: NDArray[np.float64]) -> list[list[tuple[float, float, float]]]:
    return [[(red, green, blue) for red, green, blue in row] for row in colours.tolist()]


def _label(panel: Panel, names: Sequence[str], side: float) -> None:
    """Write names at the left and below; if there is too little space, every second, third, … of them."""
    count = len(names)
    step = max(1, int(np.ceil(count * _PITCH / side)))
    ticks = [(float(place), names[place]) for place in range(0, count, step)]
    panel.x.limit(-0.5, count - 0.5)
    panel.y.limit(count - 0.5, -0.5)
    for axis in (panel.x, panel.y):
        axis.ticks, axis.size, axis.line = ticks, SMALL - 0.5, False
        axis.length, axis.thick = 0.0 if step == 1 else 2.0, 0.5
    panel.x.upright = True
