"""Sheets that figures are drawn on: panels with axes, and a few kinds of things in them, in the order of drawing.

A sheet is data. Two modules show it, as alike as can be: :mod:`truegain.report.svg` inside of a page,
:mod:`truegain.report.figures.printed` with matplotlib for files. Where panels stand and which ticks they have
is worked out once for both (:mod:`truegain.report.figures.layout`).

Colours are ``"black"``, a grey as a share of white (``"0.6"``), or ``"#rrggbb"``; lengths are in points unless said.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from truegain.report.figures.ticks import Ticks

Side = Literal["left", "center", "right"]
Corner = Literal["upper left", "upper right", "lower right", "below"]


@dataclass(frozen=True)
class Look:
    """Looks of a line and its marks.

    Attributes
    ----------
    width : float
        Of the line; 0 for marks alone.
    dash : "-", "--", "-." or ":"
    mark : str
        ``o s ^ v < > D P X |``, as matplotlib names them; empty for a line alone.
    size, edge : float
        Of marks, and of the line around them.
    hollow : bool
        Whether marks are but their edges.
    """

    colour: str
    width: float = 0.0
    dash: str = "-"
    mark: str = ""
    size: float = 4.0
    edge: float = 1.0
    hollow: bool = False
    opacity: float = 1.0


@dataclass(frozen=True)
class Line:
    """Points joined by a line, marked, or both; ``inside`` cuts off what reaches over the panel's edges."""

    points: Sequence[tuple[float, float]]
    look: Look
    label: str = ""
    inside: bool = True


@dataclass(frozen=True)
class Rule:
    """A line through the whole panel, at one value of an axis."""

    axis: Literal["x", "y"]
    at: float
    look: Look


@dataclass(frozen=True)
class Segments:
    """Lines that are not joined: both ends of each."""

    ends: Sequence[tuple[tuple[float, float], tuple[float, float]]]
    look: Look


@dataclass(frozen=True)
class Area:
    """An area between two heights: (x, low, high) from left to right."""

    points: Sequence[tuple[float, float, float]]
    colour: str
    opacity: float = 1.0
    label: str = ""


@dataclass(frozen=True)
class Stairs:
    """The area under bars without gaps, by their heights and the edges between them."""

    heights: Sequence[float]
    edges: Sequence[float]
    colour: str
    opacity: float = 1.0
    label: str = ""


@dataclass(frozen=True)
class Box:
    """A rectangle by its ends; one without ``bottom`` and ``top`` is as high as the panel."""

    left: float
    right: float
    bottom: float | None
    top: float | None
    colour: str
    opacity: float = 1.0


@dataclass(frozen=True)
class Cells:
    """Rows of squares, each with a colour (shares of red, green and blue), from the top; they fill the panel."""

    rows: Sequence[Sequence[tuple[float, float, float]]]


@dataclass(frozen=True)
class Words:
    """A line of text at a place in the panel, moved by ``shift``.

    Attributes
    ----------
    x, y : float
        In the units of the axes; where ``of_panel`` names an axis, as a share of the panel's width or height (from
        its foot).
    side : "left", "center" or "right"
        The side of the text that is at the place.
    top : bool
        Whether its top is, instead of its middle.
    """

    x: float
    y: float
    text: str
    size: float
    of_panel: Literal["x", "y"]
    side: Side = "left"
    top: bool = False
    shift: tuple[float, float] = (0.0, 0.0)


Item = Line | Rule | Segments | Area | Stairs | Box | Cells | Words


@dataclass(frozen=True)
class Entry:
    """A name in a key, and what it explains: a look, or the colour of an area."""

    label: str
    look: Look | None = None
    colour: str = ""
    opacity: float = 1.0


@dataclass(frozen=True)
class Key:
    """A key to marks and lines; ``handle`` is how wide their samples are, in sizes of letters."""

    entries: Sequence[Entry]
    place: Corner | Literal["above"]
    across: int = 1
    title: str = ""
    size: float = 7.0
    handle: float = 2.0
    gap: float = 0.8


@dataclass
class Axis:
    """One axis of a panel.

    Attributes
    ----------
    low, high : float or None
        Its ends; the first is at the left or at the foot, even if it is larger. None: as the data have it.
    ticks : ticks or None
        None: round numbers, at most ``most``, on a logarithmic axis powers of ten.
    written : callable, optional
        Write a number beside its tick; without it, with as many decimals as all need.
    whole : bool
        Whether round numbers are whole ones.
    size, length, thick : float
        Of the ticks' labels, and of the ticks.
    named : bool
        Whether ticks have labels.
    line : bool
        Whether there is a line from end to end.
    upright : bool
        Whether labels stand on end.
    opposite : bool
        Whether ticks are at the right; of an upright axis alone.
    grid : bool
        Whether faint lines go through the panel at its ticks.
    margin : float
        Share of the data's range that is added at ends that are None.
    """

    label: str = ""
    label_size: float = 8.0
    low: float | None = None
    high: float | None = None
    log: bool = False
    ticks: Ticks | None = None
    most: int = 9
    written: Callable[[float], str] | None = None
    whole: bool = False
    size: float = 8.0
    length: float = 3.5
    thick: float = 0.8
    named: bool = True
    line: bool = True
    upright: bool = False
    opposite: bool = False
    grid: bool = False
    margin: float = 0.05

    def limit(self, low: float, high: float) -> None:
        """Set both ends."""
        self.low, self.high = low, high


@dataclass
class Panel:
    """A pair of axes, and what is drawn there; each thing over those before it."""

    x: Axis = field(default_factory=Axis)
    y: Axis = field(default_factory=Axis)
    title: str = ""
    title_size: float = 9.6
    key: Key | None = None
    items: list[Item] = field(default_factory=list)
    #: Inches from the left and from the top, width and height, where the layout has no say.
    place: tuple[float, float, float, float] | None = None
    #: Whether it explains the colours of another panel.
    explains: bool = False

    def line(self, points: Sequence[tuple[float, float]], look: Look, label: str = "", *, inside: bool = True) -> None:
        """Draw a line, marks, or both."""
        self.items.append(Line([(float(x), float(y)) for x, y in points], look, label, inside))

    def rule(self, axis: Literal["x", "y"], at: float, colour: str, width: float, dash: str = "-") -> None:
        """Draw a line through the panel at one value of an axis."""
        self.items.append(Rule(axis, at, Look(colour, width, dash)))

    def add(self, item: Item) -> None:
        """Draw anything else."""
        self.items.append(item)

    def entries(self) -> list[Entry]:
        """Return what has a label, for a key."""
        found = []
        for item in self.items:
            if isinstance(item, Line) and item.label:
                found.append(Entry(item.label, item.look))
            elif isinstance(item, Area | Stairs) and item.label:
                found.append(Entry(item.label, colour=item.colour, opacity=item.opacity))
        return found

    def ends(self, axis: Literal["x", "y"]) -> tuple[float, float]:
        """Return the ends of an axis: those that were set, else so that all that is drawn is inside."""
        own = self.x if axis == "x" else self.y
        low, high = own.low, own.high
        if low is None or high is None or low == high:
            reached = [value for item in self.items for value in _reach(item, axis) if math.isfinite(value)]
            low = min(reached, default=0.0) if low is None else low
            high = max(reached, default=1.0) if high is None else high
            margin = own.margin * (high - low) or 0.05 * abs(high) or 1.0
            equal = own.low == own.high
            low, high = low - margin * (own.low is None or equal), high + margin * (own.high is None or equal)
        return low, high


def _reach(item: Item, axis: Literal["x", "y"]) -> Sequence[float]:
    """Return values that an axis must reach for a thing to be seen."""
    across = axis == "x"
    if isinstance(item, Line):
        return [x if across else y for x, y in item.points]
    if isinstance(item, Rule):
        return [item.at] if item.axis == axis else []
    if isinstance(item, Segments):
        return [end[0 if across else 1] for both in item.ends for end in both]
    if isinstance(item, Area):
        return [value for x, low, high in item.points for value in ((x,) if across else (low, high))]
    if isinstance(item, Stairs):
        return item.edges if across else (0.0, *item.heights)
    if isinstance(item, Box):
        return (item.left, item.right) if across else [end for end in (item.bottom, item.top) if end is not None]
    return []


@dataclass
class Sheet:
    """A figure: panels in rows of ``across``, filled from the left; the last row may have fewer.

    Attributes
    ----------
    width, height : float
        In inches.
    key : Key, optional
        Above all panels, or below them.
    x, y : str
        Labels of the axes of all panels.
    """

    width: float
    height: float
    panels: list[Panel] = field(default_factory=list)
    across: int = 1
    key: Key | None = None
    x: str = ""
    y: str = ""

    def panel(self) -> Panel:
        """Add a panel."""
        self.panels.append(Panel())
        return self.panels[-1]
