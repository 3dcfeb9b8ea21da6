"""Heat map of differences: every pair of systems as a square, with lines between clusters."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from truegain.report.figures.names import fitted, width_of
from truegain.report.figures.style import COLUMN, GREEN, ORANGE, PAGE, Columns, Drawing, in_style, mark, panels
from truegain.words import signed, whole

_NAMES = {1: 16, 2: 24}  # letters of names, by columns of a paper
_LETTER = 0.056  # inches of a letter
_BAR = 0.75  # inches beside the map, for its key
_FADED = 0.25  # of the colour that is left where a difference is not shown
_ONE_COLUMN = 16  # systems that a column of a paper has room for
_MARKED = 40  # more systems than these have squares too small for a mark
_PITCH = 0.115  # inches that a name needs


@in_style
def heatmap(
    names: Sequence[str],
    title: str,
    deltas: Sequence[Sequence[float]],
    shown: Sequence[Sequence[bool]],
    clusters: Sequence[int],
    *,
    decimals: int = 2,
    columns: Columns | None = None,
) -> Drawing:
    """Draw every two systems: the difference as a colour, faded and marked with a ring if it is not shown.

    Parameters
    ----------
    names : sequence of str
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
    columns : 1 or 2, optional
    """
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import LinearSegmentedColormap, Normalize
    from matplotlib.ticker import MaxNLocator

    count = len(names)
    columns = columns or (1 if count <= _ONE_COLUMN else 2)
    labels = [fitted(name, _NAMES[columns]) for name in names]
    beside = _LETTER * max(map(width_of, labels)) + 0.1
    side = (COLUMN if columns == 1 else PAGE) - beside - _BAR
    figure, (axes,) = panels(1, side + beside, columns)
    # Colours are more or less see-through, so that the map is as pale as its page is, or as dark.
    ends = (0.0, ORANGE), (0.5, f"{ORANGE}00"), (0.5, f"{GREEN}00"), (1.0, GREEN)
    reach = max(abs(delta) for row in deltas for delta in row) or 1.0
    scale = ScalarMappable(Normalize(-reach, reach), LinearSegmentedColormap.from_list("gain", ends))
    significant = np.array(shown)
    colours = scale.to_rgba(np.array(deltas))
    colours[..., 3] *= np.where(significant, 1.0, _FADED)
    np.einsum("iij->ij", colours)[:] = (0.0, 0.0, 0.0, 0.12)
    axes.imshow(colours, interpolation="nearest")
    if count <= _MARKED:
        rows, marked = np.nonzero(~significant & ~np.eye(count, dtype=bool))
        size = min(72.0 * side / count * 0.22, 4.0)
        look = {"markersize": size, "markeredgewidth": 0.5, "fillstyle": "none"}
        mark(axes, zip(marked, rows, strict=True), color="0.45", marker="o", **look)
    for place in range(1, count):
        if clusters[place] != clusters[place - 1]:
            axes.axhline(place - 0.5, color="black", linewidth=0.9)
            axes.axvline(place - 0.5, color="black", linewidth=0.9)
    step = max(1, math.ceil(count * _PITCH / side))  # where there is too little space, every second, third, … name
    ticks = range(0, count, step)
    axes.set_xticks(ticks, labels[::step], rotation=90, fontsize=6.5)
    axes.set_yticks(ticks, labels[::step], fontsize=6.5)
    axes.tick_params(length=0.0 if step == 1 else 2.0)
    axes.spines[:].set_visible(False)
    bar = figure.colorbar(scale, ax=axes, shrink=0.8, aspect=25, ticks=MaxNLocator(5))
    bar.ax.tick_params(labelsize=6.5)
    bar.ax.set_title(fitted(f"Δ {title}", 14), fontsize=7.0, loc="left")
    largest, pairs = signed(max(max(row) for row in deltas), decimals), whole(count * (count - 1) // 2, "pair")
    return Drawing(
        figure,
        f"Differences in {title} between every two of {count} systems: {significant.sum() // 2:,} of {pairs} "
        f"significant, the largest {largest}; {whole(len(set(clusters)), 'cluster')}.",
    )
