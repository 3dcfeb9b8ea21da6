"""Forest plot of gains: one row per comparison, with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from truegain.report.figures.names import clean
from truegain.report.figures.rows import draw_intervals, key_below, row_panels, set_range
from truegain.report.figures.style import GREEN, ORANGE, Columns, sheet
from truegain.report.model import listing, signed
from truegain.report.whiskers import robust_range

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["ForestPanel", "ForestPlot", "Gain"]

_SIZE = 4.0  # points, of the marks
_TOLD = 6  # more rows than these are told of together

# What a gain is called, and how it looks: by colour, shape and filling, so that any one of them is enough.
_LOOKS: dict[str, dict[str, Any]] = {
    "better": {"marker": "^", "color": GREEN},
    "worse": {"marker": "v", "color": ORANGE},
    "differs": {"marker": "D", "color": "black", "markersize": 0.8 * _SIZE},
    "p too small": {"marker": "s", "color": "0.35", "fillstyle": "none", "markersize": 0.9 * _SIZE},
    "not significant": {"marker": "o", "color": "0.35", "fillstyle": "none"},
}


@dataclass(frozen=True)
class Gain:
    """A difference with its interval.

    Attributes
    ----------
    better : bool or None
        Of a significant one; None if it is not, or if neither way is better.
    doubted : bool
        Whether it is significant by a p-value that is too small.
    """

    delta: float
    low: float
    high: float
    significant: bool
    better: bool | None
    doubted: bool = False

    @property
    def outcome(self) -> str:
        """Name of the outcome."""
        if not self.significant:
            return "not significant"
        if self.doubted:
            return "p too small"
        return {True: "better", False: "worse", None: "differs"}[self.better]


@dataclass(frozen=True)
class ForestPanel:
    """Gains under a metric, one per row, and the decimals they are written with."""

    title: str
    gains: Sequence[Gain]
    decimals: int


@dataclass(frozen=True)
class ForestPlot:
    """Gains with their intervals, a panel for each metric; the significant ones are filled.

    Attributes
    ----------
    labels : sequence of str
        Of the rows: systems, or pairs.
    panels : sequence of ForestPanel
        With a gain for each row.
    over : str, optional
        The baseline.
    level : float
        Of the intervals.
    numbers : bool
        Whether the gains stand at the right, too.
    rules : sequence of int
        Rows before which there is a line.
    """

    labels: Sequence[str]
    panels: Sequence[ForestPanel]
    over: str | None
    level: float
    numbers: bool = True
    columns: Columns | None = None
    rules: Sequence[int] = ()

    @property
    def alt(self) -> str:
        """Every gain with its interval; of many, how many there are of each kind, and the ends."""
        what = "Differences" if self.over is None else f"Gains over {clean(self.over)}"
        told = []
        for panel in self.panels:
            named = list(zip(map(clean, self.labels), panel.gains, strict=True))
            few = len(named) <= _TOLD
            told.append(f"{panel.title}: {_each(named, panel.decimals) if few else _together(named, panel.decimals)}.")
        return f"{what} with {100 * self.level:g} % intervals. {' '.join(told)}"

    def draw(self) -> Figure:
        """See :class:`truegain.report.model.Drawing`."""
        from matplotlib.lines import Line2D

        shown = [[signed(gain.delta, panel.decimals) for gain in panel.gains] for panel in self.panels]
        with sheet() as figure:
            axes, room = row_panels(
                figure,
                self.labels,
                [f"Δ {panel.title}" for panel in self.panels],
                numbers=shown if self.numbers else (),
                columns=self.columns,
                key=True,
            )
            found = {gain.outcome for panel in self.panels for gain in panel.gains}
            outcomes = [outcome for outcome in _LOOKS if outcome in found]
            beyond = False
            for axis, panel in zip(axes, self.panels, strict=True):
                set_range(axis, [0.0, *robust_range([(one.low, one.delta, one.high) for one in panel.gains])], room)
                axis.axvline(0.0, color="0.4", linewidth=0.8, zorder=1)
                for row in self.rules:
                    axis.axhline(row - 0.5, color="0.4", linewidth=0.6, zorder=1)
                left, right = axis.get_xlim()
                for outcome in outcomes:
                    mine = [(gain.delta, place) for place, gain in enumerate(panel.gains) if gain.outcome == outcome]
                    within = [(x, y) for x, y in mine if left <= x <= right]
                    axis.plot([x for x, _ in within], [y for _, y in within], **_look(outcome))
                    for x, y in mine:
                        if not left <= x <= right:
                            beyond = True
                            share, marker = (0.02, "<") if x < left else (0.98, ">")
                            axis.plot([left + share * (right - left)], [y], **_look(outcome) | _arrow(marker))
            key = [Line2D([], [], label=outcome, **_look(outcome)) for outcome in outcomes]
            if beyond:
                key.append(Line2D([], [], label="beyond the axis", **_look("not significant") | _arrow(">")))
            key_below(figure, key)
            figure.draw_without_rendering()  # the panels have their widths now, which the lines go by
            for axis, panel in zip(axes, self.panels, strict=True):
                for outcome in outcomes:
                    _intervals(axis, panel, outcome)
        return figure


def _look(outcome: str) -> dict[str, Any]:
    return {"linestyle": "none", "markersize": _SIZE, "markeredgewidth": 0.9} | _LOOKS[outcome]


def _arrow(marker: str) -> dict[str, Any]:
    """Return the look of a mark at the edge: the gain is beyond it."""
    return {"marker": marker, "fillstyle": "full"}


def _intervals(axis: Axes, panel: ForestPanel, outcome: str) -> None:
    """Draw intervals as lines that stay out of hollow marks: one filled with white would show on another ground."""
    left, right = axis.get_xlim()
    points = axis.get_window_extent().width / axis.figure.dpi * 72.0
    hollow = _LOOKS[outcome].get("fillstyle") == "none"
    gap = (_SIZE / 2.0 + 0.45) * (right - left) / points
    parts: list[tuple[int, float, float]] = []
    for place, gain in enumerate(panel.gains):
        if gain.outcome == outcome:
            cut = ((gain.low, gain.delta - gap), (gain.delta + gap, gain.high)) if hollow else ((gain.low, gain.high),)
            parts.extend((place, low, high) for low, high in cut if low < high)
    draw_intervals(axis, parts, _LOOKS[outcome]["color"])


def _each(named: Sequence[tuple[str, Gain]], decimals: int) -> str:
    return "; ".join(
        f"{name} {signed(gain.delta, decimals)} ({signed(gain.low, decimals)} to {signed(gain.high, decimals)}), "
        f"{gain.outcome}"
        for name, gain in named
    )


def _together(named: Sequence[tuple[str, Gain]], decimals: int) -> str:
    outcomes = [gain.outcome for _, gain in named]
    counts = [f"{outcomes.count(outcome)} {outcome}" for outcome in _LOOKS if outcome in outcomes]
    worst, best = (end(named, key=lambda one: one[1].delta) for end in (min, max))
    ends = [f"{signed(gain.delta, decimals)} ({name})" for name, gain in (worst, best)]
    return f"of {len(named)}, {listing(counts)}; from {ends[0]} to {ends[1]}"
