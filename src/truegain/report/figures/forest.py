"""Forest plot of gains: one row per comparison, with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from truegain.report.figures.layout import layout
from truegain.report.figures.names import clean
from truegain.report.figures.rows import draw_intervals, key_below, row_panels, set_range
from truegain.report.figures.sheet import Entry, Look, Panel, Sheet
from truegain.report.figures.style import GREEN, ORANGE, Columns
from truegain.report.model import listing, signed
from truegain.report.whiskers import robust_range

_SIZE, _EDGE = 4.0, 0.9  # points, of the marks and of the lines around them
_TOLD = 6  # more rows than these are told of together

# What a gain is called, and how it looks: by colour, shape and filling, so that any one of them is enough.
_LOOKS = {
    "better": Look(GREEN, mark="^", size=_SIZE, edge=_EDGE),
    "worse": Look(ORANGE, mark="v", size=_SIZE, edge=_EDGE),
    "differs": Look("black", mark="D", size=0.8 * _SIZE, edge=_EDGE),
    "p too small": Look("0.35", mark="s", size=0.9 * _SIZE, edge=_EDGE, hollow=True),
    "not significant": Look("0.35", mark="o", size=_SIZE, edge=_EDGE, hollow=True),
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

    def draw(self) -> Sheet:
        """See :class:`truegain.report.figures.Drawing`."""
        shown = [[signed(gain.delta, panel.decimals) for gain in panel.gains] for panel in self.panels]
        sheet = row_panels(
            self.labels,
            [f"Δ {panel.title}" for panel in self.panels],
            numbers=shown if self.numbers else (),
            columns=self.columns,
            key=True,
        )
        found = {gain.outcome for panel in self.panels for gain in panel.gains}
        outcomes = [outcome for outcome in _LOOKS if outcome in found]
        beyond = False
        for row, panel in zip(sheet.panels, self.panels, strict=True):
            set_range(row, [0.0, *robust_range([(one.low, one.delta, one.high) for one in panel.gains])])
            row.rule("x", 0.0, "0.4", 0.8)
            for rule in self.rules:
                row.rule("y", rule - 0.5, "0.4", 0.6)
            left, right = row.ends("x")
            for outcome in outcomes:
                mine = [(gain.delta, place) for place, gain in enumerate(panel.gains) if gain.outcome == outcome]
                row.line([(x, y) for x, y in mine if left <= x <= right], _LOOKS[outcome])
                for x, y in mine:
                    if not left <= x <= right:
                        beyond = True
                        share, mark = (0.02, "<") if x < left else (0.98, ">")
                        row.line([(left + share * (right - left), y)], _arrow(outcome, mark))
        key = [Entry(outcome, _LOOKS[outcome]) for outcome in outcomes]
        if beyond:
            key.append(Entry("beyond the axis", _arrow("not significant", ">")))
        key_below(sheet, key)
        for placed, panel in zip(layout(sheet), self.panels, strict=True):  # the lines go by the panels' widths
            for outcome in outcomes:
                _intervals(placed.panel, panel, outcome, placed.width)
        return sheet


def _arrow(outcome: str, mark: str) -> Look:
    """Return the look of a mark at the edge: the gain is beyond it."""
    return replace(_LOOKS[outcome], mark=mark, hollow=False)


def _intervals(row: Panel, panel: ForestPanel, outcome: str, points: float) -> None:
    """Draw intervals as lines that stay out of hollow marks: one filled with white would show on another ground."""
    left, right = row.ends("x")
    gap = (_SIZE + _EDGE) / 2.0 * (right - left) / points
    parts: list[tuple[int, float, float]] = []
    for place, gain in enumerate(panel.gains):
        if gain.outcome == outcome:
            hollow = ((gain.low, gain.delta - gap), (gain.delta + gap, gain.high))
            cut = hollow if _LOOKS[outcome].hollow else ((gain.low, gain.high),)
            parts.extend((place, low, high) for low, high in cut if low < high)
    draw_intervals(row, parts, _LOOKS[outcome].colour)


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
