"""Figure of the null distribution, and the observed difference in it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from truegain.report.figures.names import clean, fitted
from truegain.report.figures.sheet import Area, Look, Panel, Sheet, Stairs, Words
from truegain.report.figures.style import BLUE, COLUMN, PAGE, SMALL, Columns
from truegain.report.model import p_words, signed

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

    def draw(self) -> Sheet:
        """See :class:`truegain.report.figures.Drawing`."""
        count = len(self.panels)
        columns = self.columns or (1 if count == 1 else 2)
        most = min(count, 2 if columns == 1 else 3)
        across = math.ceil(count / math.ceil(count / most))
        down = math.ceil(count / across)
        width = COLUMN if columns == 1 else PAGE
        room = width / across - 0.15
        sheet = Sheet(width, (1.65 if across == 1 else 1.5) * down, across=across)
        for panel in self.panels:
            shown = sheet.panel()
            _distribution(shown, panel)
            _observed(shown, panel)
            shown.title = f"{fitted(panel.title, room, SMALL)}\n{fitted(panel.verdict, room, SMALL)}"
            shown.title_size = shown.x.label_size = SMALL
            shown.x.label = fitted(f"Δ {panel.metric}", room, SMALL)
            shown.x.size, shown.x.thick, shown.x.length = 6.5, 0.6, 2.5
            shown.y.ticks, shown.y.line = (), False
        return sheet


def _distribution(shown: Panel, panel: NullPanel) -> None:
    """Draw the distribution in grey, and in colour what is at least as far out as the observed difference."""
    null, (left, right) = panel.null, panel.tails
    if isinstance(null, Histogram):
        edges = np.linspace(null.low, null.high, len(null.counts) + 1)
        low, high, top = null.low, null.high, float(max(null.counts))
        shown.add(Stairs(null.counts, edges.tolist(), _GREY))
        for first, last in ((-math.inf, left), (right, math.inf)):
            # A bin may lie on both sides of the border.
            cut = np.clip(edges, first, last).tolist()
            if cut[0] < cut[-1]:
                shown.add(Stairs(null.counts, cut, BLUE))
    else:
        reach = max(4.0 * null.scale, 1.05 * abs(panel.delta - panel.centre))
        low, high, top = panel.centre - reach, panel.centre + reach, float(null.at(np.zeros(1))[0])
        places = np.union1d(np.linspace(low, high, _POINTS), np.clip([left, right], low, high))
        heights = null.at(places - panel.centre)
        curve = list(zip(places.tolist(), heights.tolist(), strict=True))
        shown.add(Area([(x, 0.0, height) for x, height in curve], _GREY))
        for inside in (places <= left, places >= right):
            tail = zip(places[inside].tolist(), heights[inside].tolist(), strict=True)
            shown.add(Area([(x, 0.0, height) for x, height in tail], BLUE))
        shown.line(curve, Look("0.4", 0.7))
    ends = min(low, panel.delta), max(high, panel.delta)
    margin = 0.04 * (ends[1] - ends[0])
    shown.x.limit(ends[0] - margin, ends[1] + margin)
    shown.y.limit(0.0, 1.3 * top)


def _observed(shown: Panel, panel: NullPanel) -> None:
    """Draw a line at the observed difference, and its value on the side with more space."""
    shown.rule("x", panel.delta, "black", 1.0)
    before = panel.delta > sum(shown.ends("x")) / 2.0
    shown.add(
        Words(
            panel.delta,
            1.0,
            signed(panel.delta, panel.decimals),
            SMALL,
            "y",
            side="right" if before else "left",
            top=True,
            shift=(-2.0 if before else 2.0, -1.0),
        )
    )
