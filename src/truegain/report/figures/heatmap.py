"""Heat map of differences: every pair of systems as a square, with lines between clusters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from truegain.report.figures.names import clean, fitted, width_of
from truegain.report.figures.style import COLUMN, GREEN, ORANGE, PAGE, SMALL, Columns, sheet
from truegain.report.model import listing, signed, whole

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["HeatMap"]

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

    def draw(self) -> Figure:
        """See :class:`truegain.report.model.Drawing`."""
        from matplotlib.cm import ScalarMappable
        from matplotlib.colors import LinearSegmentedColormap, Normalize

        count = len(self.labels)
        deltas, shown = np.array(self.deltas), np.array(self.shown)
        columns = self.columns or (1 if count <= _ONE_COLUMN else 2)
        width = COLUMN if columns == 1 else PAGE
        names = [fitted(label, min(_NAMES, 0.3 * width), SMALL) for label in self.labels]
        taken = max(width_of(name, SMALL) for name in names)
        beside = taken + 2 * _GAP
        side = width - beside - _BAR
        height = side + beside + _TOP
        with sheet(width, height) as figure:
            figure.set_layout_engine("none")
            axis = figure.add_axes((beside / width, beside / height, side / width, side / height))
            key = figure.add_axes(
                ((width - _BAR + 2 * _GAP) / width, (beside + 0.1 * side) / height, 0.1 / width, 0.8 * side / height),
                label="<colorbar>",
            )
            reach = float(np.abs(deltas).max()) or 1.0
            colours = LinearSegmentedColormap.from_list("truegain", [ORANGE, "#FFFFFF", GREEN])
            norm = Normalize(-reach, reach)
            painted = colours(norm(deltas))[..., :3]
            faded = np.where(shown[..., None], painted, 1.0 - _FADED * (1.0 - painted))
            faded[np.arange(count), np.arange(count)] = 0.88
            axis.imshow(faded, interpolation="nearest", aspect="equal")
            if count <= _MARKED:
                rows, marked = np.nonzero(~shown & ~np.eye(count, dtype=bool))
                points = min(72.0 * side / count * 0.22, 4.0)
                axis.plot(marked, rows, "o", color="0.45", markersize=points, fillstyle="none", markeredgewidth=0.5)
            for place in range(1, count):
                if self.clusters[place] != self.clusters[place - 1]:
                    axis.axhline(place - 0.5, color="black", linewidth=0.9)
                    axis.axvline(place - 0.5, color="black", linewidth=0.9)
            _label(axis, names, side)
            bar = figure.colorbar(ScalarMappable(norm, colours), cax=key)
            key.tick_params(labelsize=SMALL - 0.5, width=0.6, length=2.5)
            key.locator_params(axis="y", nbins=5)
            bar.outline.set_linewidth(0.6)
            key.set_title(fitted(f"Δ {self.title}", _BAR - 3 * _GAP, SMALL), fontsize=SMALL, loc="left", pad=4)
        return figure


def _label(axis: Axes, names: Sequence[str], side: float) -> None:
    """Write names at the left and below; if there is too little space, every second, third, … of them."""
    count = len(names)
    step = max(1, int(np.ceil(count * _PITCH / side)))
    places = list(range(0, count, step))
    shown = [names[place] for place in places]
    axis.set_yticks(places, shown, fontsize=SMALL - 0.5)
    axis.set_xticks(places, shown, fontsize=SMALL - 0.5, rotation=90)
    axis.tick_params(length=0 if step == 1 else 2.0, width=0.5, pad=3)
    for spine in axis.spines.values():
        spine.set_visible(False)
