"""Figure of the null distribution, and the observed difference in it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from truegain.report.figures.names import clean, fitted
from truegain.report.figures.style import BLUE, COLUMN, PAGE, SMALL, Columns, panel_axes, sheet, space_ticks
from truegain.report.model import p_words, signed

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["MOST", "Density", "Histogram", "NullPanel", "NullPlot"]

#: Panels of a figure.
MOST = 9
_GREY = "0.8"
_POINTS = 401
_NORMAL = 1e6  # degrees of freedom from which on a Student is a normal to the eye


@dataclass(frozen=True)
class Histogram:
    """Counts of resampled differences in bins of one width, from low to high."""

    low: float
    high: float
    counts: Sequence[int]


@dataclass(frozen=True)
class Density:
    """Student's t, around the difference of the null hypothesis."""

    scale: float
    freedom: float

    def at(self, places: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the density."""
        squares = (places / self.scale) ** 2
        if self.freedom > _NORMAL:
            return np.asarray(np.exp(-squares / 2.0) / (self.scale * math.sqrt(2.0 * math.pi)))
        half = self.freedom / 2.0
        constant = math.lgamma(half + 0.5) - math.lgamma(half) - 0.5 * math.log(self.freedom * math.pi)
        logs = constant - math.log(self.scale) - (half + 0.5) * np.log1p(squares / self.freedom)
        return np.asarray(np.exp(logs))


@dataclass(frozen=True)
class NullPanel:
    """A comparison.

    Attributes
    ----------
    title, metric : str
        Who is compared, and by what.
    null : Histogram or Density
        Where differences would lie.
    delta, p : float
        The observed difference, and how rare one as far out is.
    p_adjusted : float or None
        Adjusted for the number of comparisons; None if p is not adjusted.
    alternative : "two-sided", "greater", "less" or "observed"
        What is as far out: on both sides, on the right, on the left, or on the side of the observed one.
    centre : float
        The difference of the null hypothesis.
    """

    title: str
    metric: str
    null: Histogram | Density
    delta: float
    p: float
    p_adjusted: float | None
    alternative: str
    decimals: int
    centre: float = 0.0

    @property
    def tails(self) -> tuple[float, float]:
        """Ends of the tails at least as far out: up to the first, and from the second."""
        reach = abs(self.delta - self.centre)
        right = self.alternative == "greater" or (self.alternative == "observed" and self.delta > self.centre)
        if self.alternative == "two-sided":
            return self.centre - reach, self.centre + reach
        return (-math.inf, self.delta) if right else (self.delta, math.inf)

    @property
    def verdict(self) -> str:
        """The p-value in words."""
        adjusted = "" if self.p_adjusted is None else f", adjusted {p_words(self.p_adjusted, equal='')}"
        return f"p {p_words(self.p)}{adjusted}"


@dataclass(frozen=True)
class NullPlot:
    """Null distributions, each with the observed difference and what is at least as far out; at most nine."""

    panels: Sequence[NullPanel]
    columns: Columns | None = None

    def __post_init__(self) -> None:
        if not 1 <= len(self.panels) <= MOST:
            raise ValueError(f"a figure has 1 to {MOST} panels, not {len(self.panels)}")

    @property
    def alt(self) -> str:
        """The observed differences and their p-values."""
        told = (
            f"{clean(one.title)}, observed Δ {one.metric} {signed(one.delta, one.decimals)}, {one.verdict}"
            for one in self.panels
        )
        return f"Distributions of the difference under the null hypothesis, and the observed one. {'; '.join(told)}."

    def draw(self) -> Figure:
        """See :class:`truegain.report.model.Drawing`."""
        count = len(self.panels)
        columns = self.columns or (1 if count == 1 else 2)
        most = min(count, 2 if columns == 1 else 3)
        across = math.ceil(count / math.ceil(count / most))
        down = math.ceil(count / across)
        width = COLUMN if columns == 1 else PAGE
        room = width / across - 0.15
        with sheet(width, (1.65 if across == 1 else 1.5) * down) as figure:
            for axis, panel in zip(panel_axes(figure, count, across), self.panels, strict=True):
                _distribution(axis, panel)
                _observed(axis, panel)
                axis.set_title(
                    f"{fitted(panel.title, room, SMALL)}\n{fitted(panel.verdict, room, SMALL)}", fontsize=SMALL
                )
                axis.set_xlabel(fitted(f"Δ {panel.metric}", room, SMALL), fontsize=SMALL)
                axis.tick_params(axis="x", labelsize=6.5, width=0.6, length=2.5)
                space_ticks(axis, room)
                axis.set_yticks([])
                axis.spines["left"].set_visible(False)
        return figure


def _distribution(axis: Axes, panel: NullPanel) -> None:
    """Draw the distribution in grey, and in colour what is at least as far out as the observed difference."""
    null, (left, right) = panel.null, panel.tails
    if isinstance(null, Histogram):
        edges = np.linspace(null.low, null.high, len(null.counts) + 1)
        counts = np.asarray(null.counts)
        low, high, top = null.low, null.high, float(counts.max())
        axis.stairs(counts, edges, fill=True, color=_GREY)
        for first, last in ((-math.inf, left), (right, math.inf)):
            # A bin may lie on both sides of the border.
            cut = np.clip(edges, first, last)
            if cut[0] < cut[-1]:
                axis.stairs(counts, cut, fill=True, color=BLUE)
    else:
        reach = max(4.0 * null.scale, 1.05 * abs(panel.delta - panel.centre))
        low, high, top = panel.centre - reach, panel.centre + reach, float(null.at(np.zeros(1))[0])
        places = np.union1d(np.linspace(low, high, _POINTS), np.clip([left, right], low, high))
        heights = null.at(places - panel.centre)
        axis.fill_between(places, heights, color=_GREY, linewidth=0)
        for inside in (places <= left, places >= right):
            axis.fill_between(places[inside], heights[inside], color=BLUE, linewidth=0)
        axis.plot(places, heights, color="0.4", linewidth=0.7)
    ends = min(low, panel.delta), max(high, panel.delta)
    margin = 0.04 * (ends[1] - ends[0])
    axis.set(xlim=(ends[0] - margin, ends[1] + margin), ylim=(0.0, 1.3 * top))


def _observed(axis: Axes, panel: NullPanel) -> None:
    """Draw a line at the observed difference, and its value on the side with more space."""
    axis.axvline(panel.delta, color="black", linewidth=1.0)
    left, right = axis.get_xlim()
    before = panel.delta > (left + right) / 2.0
    axis.annotate(
        signed(panel.delta, panel.decimals),
        (panel.delta, 1.0),
        xycoords=axis.get_xaxis_transform(),
        xytext=(-2.0 if before else 2.0, -1.0),
        textcoords="offset points",
        ha="right" if before else "left",
        va="top",
        fontsize=SMALL,
    )
