"""Layout of sheets: the places of panels, their ticks and their keys, in points from the upper left."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from truegain.report.figures.sheet import Axis, Entry, Key, Panel, Sheet, Words
from truegain.report.figures.ticks import Ticks, log_ticks, nice_ticks, numbers, spaced_ticks
from truegain.report.figures.widths import width_of

#: Of letters' size: from one line of text to the next.
LINE = 1.2
#: From a tick to its label.
PAD = 3.0
_EDGE = 3.0  # around each panel and its labels
_LEAST = 1.0  # of the sides of a panel, whatever is written beside it
_LABEL = 3.5  # from the labels of ticks to that of the axis
_TITLE = 5.0  # from a panel to its title
_ROUNDED = 1.05  # letters are a little wider where their widths are whole pixels
_LETTERS = 2.0  # sizes of letters that a tick of an upright axis takes at least


@dataclass(frozen=True)
class Scale:
    """Places of the values of an axis: from ``start``, over ``length``, which is negative upwards."""

    low: float
    high: float
    log: bool
    start: float
    length: float
    ticks: Ticks
    minor: Sequence[float]

    def place(self, value: float) -> float:
        """Return the place of a value; one without end is at the end of the axis."""
        return self.start + self.share(value) * self.length

    def share(self, value: float) -> float:
        """Return how far along the axis a value is, from 0 to 1; what is far out, not farther than ten lengths."""
        low, high = self.low, self.high
        if math.isinf(value):
            return float((value > 0) == (high > low))
        if self.log:
            if value <= 0.0:
                return -10.0 if low < high else 10.0
            low, high, value = math.log(low), math.log(high), math.log(value)
        return min(max((value - low) / (high - low), -10.0), 10.0)

    def inside(self) -> Iterator[tuple[float, str]]:
        """Yield the ticks between the ends, each with its label."""
        for value, label in self.ticks:
            if -1e-9 <= self.share(value) <= 1.0 + 1e-9:
                yield value, label


@dataclass(frozen=True)
class Placed:
    """A panel, its place, and its scales."""

    panel: Panel
    left: float
    top: float
    width: float
    height: float
    x: Scale
    y: Scale

    @property
    def right(self) -> float:
        """Its right side."""
        return self.left + self.width

    @property
    def foot(self) -> float:
        """Its lower side."""
        return self.top + self.height

    @property
    def under(self) -> float:
        """Foot of the labels of its ticks, and of that of its axis."""
        return self.foot + _under(self.panel) - _below(self.panel)

    @property
    def before(self) -> float:
        """Left side of the label of its upright axis."""
        return self.left - _before(self.panel, self.y.ticks)


def layout(sheet: Sheet) -> list[Placed]:
    """Place the panels of a sheet: all of one size, with what each row and each column needs around them."""
    fixed = [panel for panel in sheet.panels if panel.place is not None]
    if fixed or not sheet.panels:
        return [_fixed(panel) for panel in fixed]
    across, down = sheet.across, math.ceil(len(sheet.panels) / sheet.across)
    rows = [sheet.panels[across * row : across * (row + 1)] for row in range(down)]
    columns = [sheet.panels[column::across] for column in range(across)]
    above = [max(map(_above, row)) for row in rows]
    below = [max(map(_under, row)) for row in rows]
    first, last = _around(sheet)
    height = max((72.0 * sheet.height - first - last - sum(above) - sum(below) - 2 * _EDGE * down) / down, _LEAST)
    upright = [_upright(panel, height) for panel in sheet.panels]
    beside = _EDGE + (LINE * 8.0 + _EDGE if sheet.y else 0.0)
    total = 72.0 * sheet.width - beside - _EDGE
    before = [
        max(_before(panel, upright[across * row + i]) for row, panel in enumerate(column))
        for i, column in enumerate(columns)
    ]
    after = [max(map(_after, column)) for column in columns]
    level: list[Ticks] = []
    for _ in range(2):  # labels at the ends of axes reach over them, which takes width, which takes labels
        width = max((total - sum(before) - sum(after) - 2 * _EDGE * (across - 1)) / across, _LEAST)
        level = [_level(panel, width) for panel in sheet.panels]
        reach = [_overhang(panel, ticks, width) for panel, ticks in zip(sheet.panels, level, strict=True)]
        before = [max(own, *(left for left, _ in reach[i::across])) for i, own in enumerate(before)]
        after = [max(own, *(right for _, right in reach[i::across])) for i, own in enumerate(after)]
    width = max((total - sum(before) - sum(after) - 2 * _EDGE * (across - 1)) / across, _LEAST)
    placed = []
    for number, panel in enumerate(sheet.panels):
        row, column = divmod(number, across)
        left = beside + sum(before[: column + 1]) + sum(after[:column]) + column * (width + 2 * _EDGE)
        top = first + _EDGE + sum(above[: row + 1]) + sum(below[:row]) + row * (height + 2 * _EDGE)
        placed.append(_placed(panel, (left, top, width, height), level[number], upright[number]))
    return placed


def _fixed(panel: Panel) -> Placed:
    left, top, width, height = (72.0 * inches for inches in panel.place or (0.0, 0.0, 0.0, 0.0))
    return _placed(panel, (left, top, width, height), _level(panel, width), _upright(panel, height))


def _placed(panel: Panel, box: tuple[float, float, float, float], level: Ticks, upright: Ticks) -> Placed:
    left, top, width, height = box
    (x_low, x_high), (y_low, y_high) = panel.ends("x"), panel.ends("y")
    x = Scale(x_low, x_high, panel.x.log, left, width, level, _minor(panel.x, x_low, x_high))
    y = Scale(y_low, y_high, panel.y.log, top + height, -height, upright, _minor(panel.y, y_low, y_high))
    return Placed(panel, left, top, width, height, x, y)


def _around(sheet: Sheet) -> tuple[float, float]:
    """Return what is above and below all panels."""
    first, last = 0.0, 0.0
    if sheet.key is not None and sheet.key.place == "above":
        first += key_height(sheet.key) + _EDGE
    elif sheet.key is not None:
        last += key_height(sheet.key) + _EDGE
    if sheet.x:
        last += LINE * 8.0 + _EDGE / 2.0
    return first, last


def _above(panel: Panel) -> float:
    half = 0.4 * panel.y.size if panel.y.named and panel.y.ticks is None else 0.0
    return max(half, len(panel.title.splitlines()) * LINE * panel.title_size + _TITLE if panel.title else 0.0)


def _under(panel: Panel) -> float:
    axis = panel.x
    found = 0.0 if axis.ticks is not None and not axis.ticks else axis.length + PAD + LINE * axis.size
    if axis.label:
        found += _LABEL + LINE * axis.label_size
    return found + _below(panel)


def _below(panel: Panel) -> float:
    return key_height(panel.key) + _EDGE if panel.key is not None and panel.key.place == "below" else 0.0


def _before(panel: Panel, ticks: Ticks) -> float:
    axis = panel.y
    found = 0.0
    if axis.named and ticks:
        found = axis.length + PAD + _ROUNDED * 72.0 * max(width_of(label, axis.size) for _, label in ticks)
    return found + (_LABEL + LINE * axis.label_size if axis.label else 0.0)


def _after(panel: Panel) -> float:
    texts = [item for item in panel.items if isinstance(item, Words) and item.of_panel == "x"]
    return max((item.shift[0] + _ROUNDED * 72.0 * width_of(item.text, item.size) for item in texts), default=0.0)


def _overhang(panel: Panel, ticks: Ticks, width: float) -> tuple[float, float]:
    """Return how far labels of the horizontal axis reach over its left and right end."""
    low, high = panel.ends("x")
    scale = Scale(low, high, panel.x.log, 0.0, width, ticks, ())
    halves = [(scale.place(value), 36.0 * width_of(label, panel.x.size)) for value, label in scale.inside()]
    left = max((half - place for place, half in halves), default=0.0)
    right = max((place + half - width for place, half in halves), default=0.0)
    return max(left, 0.0), max(right, 0.0)


def _level(panel: Panel, width: float) -> Ticks:
    axis = panel.x
    if axis.ticks is not None:
        return axis.ticks
    low, high = sorted(panel.ends("x"))
    return log_ticks(low, high)[0] if axis.log else spaced_ticks(low, high, width / 72.0, axis.size)


def _upright(panel: Panel, height: float) -> Ticks:
    axis = panel.y
    if axis.ticks is not None:
        return axis.ticks
    low, high = sorted(panel.ends("y"))
    if axis.log:
        return log_ticks(low, high)[0]
    most = max(1, min(axis.most, int(height / (_LETTERS * axis.size))))
    places = nice_ticks(low, high, most, whole=axis.whole)
    labels = numbers(places) if axis.written is None else [axis.written(place) for place in places]
    return list(zip(places, labels, strict=True))


def _minor(axis: Axis, low: float, high: float) -> Sequence[float]:
    return log_ticks(*sorted((low, high)))[1] if axis.log and axis.ticks is None else ()


def columns_of(key: Key) -> list[Sequence[Entry]]:
    """Return the entries of a key, column by column; the first columns are the longer ones."""
    across = max(1, min(key.across, len(key.entries)))
    each, longer = divmod(len(key.entries), across)
    found, start = [], 0
    for column in range(across):
        stop = start + each + (column < longer)
        found.append(key.entries[start:stop])
        start = stop
    return found


def key_height(key: Key) -> float:
    """Return how high a key is."""
    lines = max(map(len, columns_of(key))) + bool(key.title)
    return lines * LINE * key.size + (lines - 1) * spacing(key) + 2.0


def spacing(key: Key) -> float:
    """Return what is between the lines of a key."""
    return 0.25 * key.size


def key_width(column: Sequence[Entry], key: Key) -> float:
    """Return how wide a column of a key is."""
    return (key.handle + key.gap) * key.size + 72.0 * max(
        (width_of(one.label, key.size) for one in column), default=0.0
    )
