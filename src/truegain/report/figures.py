"""Figures: data in, vector graphics out; made for two-column papers, and for eyes that see colours differently."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from truegain.errors import one_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["FIGURE_ENDINGS", "Curve", "check_ending", "quantile_plot", "save"]

FIGURE_ENDINGS = (".svg", ".pdf", ".png")

# Okabe and Ito's palette: told apart with any kind of colour vision; the order puts the most different first.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_DASHES = ("-", "--", "-.", ":")
_COLUMN = 3.35  # inches: a column of a two-column paper
_STYLE: dict[Any, Any] = {
    "font.size": 8.0,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
    "svg.fonttype": "none",
    "svg.hashsalt": "truegain",
    "pdf.fonttype": 42,
}


@dataclass(frozen=True)
class Curve:
    """A name and values at equal steps."""

    label: str
    values: Sequence[float]


def quantile_plot(panels: Mapping[str, Sequence[Curve]]) -> Figure:
    """Quantiles of p-values against those of a uniform variable, a panel for each metric.

    Under a true null hypothesis an exact test follows the diagonal; a curve below it rejects too often. Both axes are
    logarithmic, because the small p-values are what decisions are made of.

    Parameters
    ----------
    panels : mapping of str to curves
        Titles, and quantiles from 0 to 1 at equal steps.
    """
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(_STYLE):
        figure = Figure(figsize=(_COLUMN * len(panels), _COLUMN * 0.95), layout="constrained")
        axes = figure.subplots(1, len(panels), squeeze=False, sharey=True)[0]
        for axis, (title, curves) in zip(axes, panels.items(), strict=True):
            axis.plot([1e-3, 1], [1e-3, 1], color="0.6", linewidth=0.8, zorder=0)
            for number, curve in enumerate(curves):
                places = np.linspace(0.0, 1.0, len(curve.values))
                axis.plot(
                    places[1:],
                    np.asarray(curve.values)[1:],
                    label=curve.label,
                    color=_COLOURS[number % len(_COLOURS)],
                    linestyle=_DASHES[number // len(_COLOURS) % len(_DASHES)],
                    linewidth=1.1,
                )
            axis.set(xscale="log", yscale="log", xlim=(0.009, 1.05), ylim=(0.0009, 1.1), title=title)
            axis.set_xlabel("expected p under the null hypothesis")
            for side in (axis.xaxis, axis.yaxis):
                side.set_major_formatter("{x:g}")
            axis.axvline(0.05, color="0.85", linewidth=0.6, zorder=0)
            axis.axhline(0.05, color="0.85", linewidth=0.6, zorder=0)
        axes[0].set_ylabel("p of the test (below the line: too small)")
        axes[0].legend(fontsize=7.0)
    return figure


def check_ending(path: str | Path) -> Path:
    """Refuse a file whose ending names no format of figures."""
    path = Path(path)
    if path.suffix not in FIGURE_ENDINGS:
        raise one_of("the ending of a figure", path.suffix, list(FIGURE_ENDINGS))
    return path


def save(figure: Figure, path: str | Path) -> None:
    """Write a figure in the format of the file's ending, the same bytes for the same figure."""
    import io

    import matplotlib

    from truegain.report.files import write_atomically

    path = check_ending(path)
    metadata: dict[str, Any] = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(path.suffix, {})
    held = io.BytesIO()
    with matplotlib.rc_context(_STYLE):
        figure.savefig(held, format=path.suffix[1:], dpi=300, metadata=metadata)
    write_atomically(path, held.getvalue())
