"""Figure of the quantiles of p-values without a difference, against those of a uniform variable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from truegain.report.figures.names import clean, fitted, in_key
from truegain.report.figures.sheet import Key, Look, Sheet
from truegain.report.figures.style import COLOURS, COLUMN, DASHES, SMALL, Columns, arrangement
from truegain.report.model import listing

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

    def draw(self) -> Sheet:
        """See :class:`truegain.report.figures.Drawing`."""
        width, across, down = arrangement(len(self.panels), self.columns)
        sheet = Sheet(width, COLUMN * 0.95 * down, across=across)
        for place, panel in enumerate(self.panels):
            shown = sheet.panel()
            shown.line([(1e-3, 1e-3), (1.0, 1.0)], Look("0.6", 0.8))
            shown.rule("x", 0.05, "0.85", 0.6)
            shown.rule("y", 0.05, "0.85", 0.6)
            for number, curve in enumerate(panel.curves):
                dash = DASHES[number // len(COLOURS) % len(DASHES)]
                places = np.linspace(0.0, 1.0, len(curve.values)).tolist()
                shown.line(
                    list(zip(places, curve.values, strict=True))[1:],
                    Look(COLOURS[number % len(COLOURS)], 1.1, dash),
                    in_key(fitted(curve.label, 1.2, SMALL)),
                )
            shown.x.log = shown.y.log = True
            shown.x.limit(0.009, 1.05)
            shown.y.limit(0.0009, 1.1)
            shown.title = fitted(panel.title, width / across - 0.6, 9.6)
            shown.x.label = "expected p under the null hypothesis"
            shown.y.named = place % across == 0
            shown.y.label = "p of the test (below the line: too small)" if shown.y.named else ""
        sheet.panels[0].key = Key(sheet.panels[0].entries(), "upper left")
        return sheet


def _share(quantiles: Sequence[float]) -> float:
    """Return the share of values up to the level, from their quantiles at equal steps."""
    return float(np.interp(_LEVEL, quantiles, np.linspace(0.0, 1.0, len(quantiles)), left=0.0, right=1.0))
