"""Figure of the quantiles of p-values without a difference, against those of a uniform variable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from truegain.report.figures.names import clean, fitted, in_key
from truegain.report.figures.style import COLOURS, COLUMN, DASHES, SMALL, Columns, arrangement, panel_axes, sheet
from truegain.report.model import listing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Curve", "QuantilePanel", "QuantilePlot"]

_LEVEL = 0.05


@dataclass(frozen=True)
class Curve:
    """A name, and quantiles from 0 to 1 at equal steps."""

    label: str
    values: Sequence[float]


@dataclass(frozen=True)
class QuantilePanel:
    """Curves under a title."""

    title: str
    curves: Sequence[Curve]


@dataclass(frozen=True)
class QuantilePlot:
    """Quantiles of p-values against those of a uniform variable, a panel for each metric.

    Under a true null hypothesis an exact test follows the diagonal; a curve below it rejects too often. Both axes are
    logarithmic, because the small p-values are what decisions are made of.
    """

    panels: Sequence[QuantilePanel]
    columns: Columns | None = None

    @property
    def alt(self) -> str:
        """Share that each test rejects at 5 %, in words."""
        told = []
        for panel in self.panels:
            shares = [f"{clean(curve.label)} {100 * _share(curve.values):.0f} %" for curve in panel.curves]
            told.append(f"{clean(panel.title)}: {listing(shares)}")
        return (
            "Quantiles of p-values without a difference against those of a uniform variable. Share of p-values up to "
            f"{_LEVEL:g}, which should be {100 * _LEVEL:g} %. {'; '.join(told)}."
        )

    def draw(self) -> Figure:
        """See :class:`truegain.report.model.Drawing`."""
        width, across, down = arrangement(len(self.panels), self.columns)
        with sheet(width, COLUMN * 0.95 * down) as figure:
            axes = panel_axes(figure, len(self.panels), across, sharey=True)
            for axis, panel in zip(axes, self.panels, strict=True):
                axis.plot([1e-3, 1], [1e-3, 1], color="0.6", linewidth=0.8, zorder=0)
                for number, curve in enumerate(panel.curves):
                    places = np.linspace(0.0, 1.0, len(curve.values))
                    axis.plot(
                        places[1:],
                        np.asarray(curve.values)[1:],
                        label=in_key(fitted(curve.label, 1.2, SMALL)),
                        color=COLOURS[number % len(COLOURS)],
                        linestyle=DASHES[number // len(COLOURS) % len(DASHES)],
                        linewidth=1.1,
                    )
                axis.set(xscale="log", yscale="log", xlim=(0.009, 1.05), ylim=(0.0009, 1.1))
                axis.set_title(fitted(panel.title, width / across - 0.6, 9.6))
                axis.set_xlabel("expected p under the null hypothesis")
                for side in (axis.xaxis, axis.yaxis):
                    side.set_major_formatter("{x:g}")
                    side.set_minor_formatter("")
                axis.axvline(0.05, color="0.85", linewidth=0.6, zorder=0)
                axis.axhline(0.05, color="0.85", linewidth=0.6, zorder=0)
            for axis in axes[::across]:
                axis.set_ylabel("p of the test (below the line: too small)")
            axes[0].legend(fontsize=SMALL)
        return figure


def _share(quantiles: Sequence[float]) -> float:
    """Return the share of values up to the level, from their quantiles at equal steps."""
    return float(np.interp(_LEVEL, quantiles, np.linspace(0.0, 1.0, len(quantiles)), left=0.0, right=1.0))
