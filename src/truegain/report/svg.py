"""Figures as SVG inside a page: no styles of their own, ink that follows the page's, names that meet no others."""

from __future__ import annotations

import math
import re
import struct
import zlib
from base64 import b64encode
from collections.abc import Iterator, Sequence
from html import escape

from truegain.report.figures.layout import (
    LINE,
    PAD,
    Placed,
    columns_of,
    key_height,
    key_width,
    layout,
    spacing,
)
from truegain.report.figures.sheet import (
    Area,
    Box,
    Cells,
    Entry,
    Item,
    Key,
    Line,
    Look,
    Rule,
    Segments,
    Sheet,
    Stairs,
    Words,
)

# Drawn for a printed column; on a screen, a point is this many pixels, which makes small print as large as the page's.
_PIXELS = 5 / 3
#: Pixels of a page: figures no wider than these fit on a narrow screen.
NARROW = 560
_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_GREY = re.compile(r"#([0-9a-f]{2})\1\1\Z", re.IGNORECASE)
_ASCENT, _MIDDLE = 0.76, 0.36  # of letters' size: from the foot of a line to its top, and to the middle of its letters
_FRAME = 0.6  # points, of the lines of axes
_PNG = b"\x89PNG\r\n\x1a\n"
_FINE = 600  # pixels that a map has at least, so that squares are squares wherever it is shown
_DASHES = {"--": (3.7, 1.6), "-.": (6.4, 1.6, 1.0, 1.6), ":": (1.0, 1.65)}  # in widths of the line
_BETWEEN = 1.2  # sizes of letters: from one column of a key to the next
# Corners of marks around their middle, as shares of half their size, downwards.
_ARM, _DIAGONAL = 1 / 3, 2**0.5
_CORNERS = {
    "s": ((-1, -1), (1, -1), (1, 1), (-1, 1)),
    "^": ((0, -1), (1, 1), (-1, 1)),
    "v": ((0, 1), (-1, -1), (1, -1)),
    "<": ((-1, 0), (1, -1), (1, 1)),
    ">": ((1, 0), (-1, 1), (-1, -1)),
    "D": ((0, -_DIAGONAL), (_DIAGONAL, 0), (0, _DIAGONAL), (-_DIAGONAL, 0)),
    "P": (
        *((-_ARM, -1), (_ARM, -1), (_ARM, -_ARM), (1, -_ARM), (1, _ARM), (_ARM, _ARM)),
        *((_ARM, 1), (-_ARM, 1), (-_ARM, _ARM), (-1, _ARM), (-1, -_ARM), (-_ARM, -_ARM)),
    ),
    "X": (
        *((-0.5, -1), (0, -0.5), (0.5, -1), (1, -0.5), (0.5, 0), (1, 0.5)),
        *((0.5, 1), (0, 0.5), (-0.5, 1), (-1, 0.5), (-0.5, 0), (-1, -0.5)),
    ),
}


def pixels(sheet: Sheet) -> float:
    """Return the width of a figure on a page."""
    return sheet.width * 72.0 * _PIXELS


def inline(sheet: Sheet, prefix: str, alt: str) -> str:
    """Render a figure for the inside of a page.

    All looks are attributes, which a page may have whose policy forbids inline styles. Black and grey become the page's
    ink, more or less of it, and white becomes its paper, so that the figure can be read on a dark page as on a light
    one; what is drawn upon a heat map keeps its colour, as the map does.

    Parameters
    ----------
    sheet : Sheet
    prefix : str
        Put before every id, so that no two figures of a page share one.
    alt : str
        What the figure shows, for those who do not see it.
    """
    width, height = 72.0 * sheet.width, 72.0 * sheet.height
    parts: list[str] = []
    for number, placed in enumerate(layout(sheet), 1):
        parts.extend(_panel(placed, f"{prefix}-{number}"))
    if sheet.key is not None:
        top = 2.0 if sheet.key.place == "above" else height - key_height(sheet.key) - 1.0
        parts.extend(_key(sheet.key, width / 2.0 - _key_width(sheet.key) / 2.0, top))
    if sheet.x:
        parts.append(_text(sheet.x, width / 2.0, height - 4.0, 8.0, "middle"))
    if sheet.y:
        parts.append(_text(sheet.y, 9.0, height / 2.0, 8.0, "middle", turned=True))
    size = f'width="{width * _PIXELS:.0f}" height="{height * _PIXELS:.0f}" viewBox="0 0 {width:g} {height:g}"'
    wide = " wide" if width * _PIXELS > NARROW else ""
    return (
        f'<svg class="drawing{wide}" role="img" aria-label="{_escaped(alt)}" {size} fill="currentColor" '
        f'stroke-linejoin="round" stroke-linecap="butt">{"".join(parts)}</svg>'
    )


def _panel(placed: Placed, name: str) -> Iterator[str]:
    panel = placed.panel
    yield from _grid(placed)
    is_map = any(isinstance(item, Cells) for item in panel.items)
    drawn = "".join(_drawn(item, placed, is_map=is_map) for item in panel.items if _is_cut(item))
    if drawn:
        box = f'x="{_n(placed.left)}" y="{_n(placed.top)}" width="{_n(placed.width)}" height="{_n(placed.height)}"'
        yield f'<clipPath id="{_escaped(name)}"><rect {box}/></clipPath>'
        yield f'<g clip-path="url(#{_escaped(name)})">{drawn}</g>'
    yield from _axes(placed)
    for item in panel.items:
        if not _is_cut(item):
            yield _drawn(item, placed, is_map=is_map)
    lines = panel.title.splitlines()
    for number, line in enumerate(lines):
        foot = placed.top - 5.0 - 0.24 * panel.title_size - LINE * panel.title_size * (len(lines) - 1 - number)
        x, anchor = (placed.left, "start") if panel.explains else (placed.left + placed.width / 2.0, "middle")
        yield _text(line, x, foot, panel.title_size, anchor)
    if (key := panel.key) is not None:
        width, height, edge = _key_width(key), key_height(key), 0.5 * key.size
        left = placed.left + edge if key.place == "upper left" else placed.right - width - edge
        top = placed.foot - height - edge if key.place == "lower right" else placed.top + edge
        if key.place == "below":
            left, top = placed.left + placed.width / 2.0 - width / 2.0, placed.under + 3.0
        yield from _key(key, left, top)


def _is_cut(item: Item) -> bool:
    """Return whether what reaches over the panel's edges is not shown."""
    return item.inside if isinstance(item, Line) else not isinstance(item, Words)


def _grid(placed: Placed) -> Iterator[str]:
    lines = []
    if placed.panel.x.grid:
        lines += [f"M{_at(placed.x.place(at), placed.top)}V{_n(placed.foot)}" for at, _ in placed.x.inside()]
    if placed.panel.y.grid:
        lines += [f"M{_at(placed.left, placed.y.place(at))}H{_n(placed.right)}" for at, _ in placed.y.inside()]
    if lines:
        yield f'<path d="{"".join(lines)}" fill="none"{_stroke(Look("0.9", 0.5))}/>'


def _axes(placed: Placed) -> Iterator[str]:
    """Yield the lines, ticks and labels of both axes."""
    panel = placed.panel
    if panel.explains:
        box = f"M{_at(placed.left, placed.top)}H{_n(placed.right)}V{_n(placed.foot)}H{_n(placed.left)}Z"
        yield f'<path d="{box}" fill="none"{_stroke(Look("black", _FRAME))}/>'
    lines = f"M{_at(placed.left, placed.foot)}H{_n(placed.right)}" if panel.x.line else ""
    lines += f"M{_at(placed.left, placed.top)}V{_n(placed.foot)}" if panel.y.line else ""
    if lines:
        yield f'<path d="{lines}" fill="none"{_stroke(Look("black", _FRAME))}/>'
    yield from _level(placed)
    yield from _upright(placed)


def _level(placed: Placed) -> Iterator[str]:
    axis, foot = placed.panel.x, placed.foot
    ticks = [(placed.x.place(at), label) for at, label in placed.x.inside()]
    marks = "".join(f"M{_at(x, foot)}v{_n(axis.length)}" for x, _ in ticks)
    small = "".join(f"M{_at(placed.x.place(at), foot)}v{_n(0.57 * axis.length)}" for at in placed.x.minor)
    yield from _ticks(marks if axis.length else "", small, axis.thick)
    under = foot + axis.length + PAD
    for x, label in ticks if axis.named else ():
        if axis.upright:
            yield _text(label, x + _MIDDLE * axis.size, under, axis.size, "end", turned=True)
        else:
            yield _text(label, x, under + _ASCENT * axis.size, axis.size, "middle")
    if axis.label:
        middle = placed.left + placed.width / 2.0
        yield _text(axis.label, middle, placed.under - 0.3 * axis.label_size, axis.label_size, "middle")


def _upright(placed: Placed) -> Iterator[str]:
    axis = placed.panel.y
    ticks = [(placed.y.place(at), label) for at, label in placed.y.inside()]
    edge, way = (placed.right, 1.0) if axis.opposite else (placed.left, -1.0)
    marks = "".join(f"M{_at(edge, y)}h{_n(way * axis.length)}" for y, _ in ticks)
    small = "".join(f"M{_at(edge, placed.y.place(at))}h{_n(0.57 * way * axis.length)}" for at in placed.y.minor)
    yield from _ticks(marks if axis.length else "", small, axis.thick)
    beside = edge + way * (axis.length + PAD)
    for y, label in ticks if axis.named else ():
        anchor = "start" if axis.opposite else "end"
        yield _text(label, beside, y + _MIDDLE * axis.size, axis.size, anchor)
    if axis.label:
        middle = placed.top + placed.height / 2.0
        yield _text(axis.label, placed.before + 0.9 * axis.label_size, middle, axis.label_size, "middle", turned=True)


def _ticks(marks: str, small: str, thick: float) -> Iterator[str]:
    if marks:
        yield f'<path d="{marks}" fill="none"{_stroke(Look("black", thick))}/>'
    if small:
        yield f'<path d="{small}" fill="none"{_stroke(Look("black", 0.75 * thick))}/>'


def _drawn(item: Item, placed: Placed, *, is_map: bool) -> str:
    """Draw one thing in its panel."""
    x, y = placed.x.place, placed.y.place
    if isinstance(item, Line):
        points = [(x(a), y(b)) for a, b in item.points if _is_there(a, b)]
        return _line(points, item.look, is_map=is_map)
    if isinstance(item, Rule):
        if not _is_there(item.at):
            return ""
        if item.axis == "x":
            path = f"M{_at(x(item.at), placed.top)}V{_n(placed.foot)}"
        else:
            path = f"M{_at(placed.left, y(item.at))}H{_n(placed.right)}"
        return f'<path d="{path}" fill="none"{_stroke(item.look, is_map=is_map)}/>'
    if isinstance(item, Segments):
        path = "".join(f"M{_at(x(a), y(b))}L{_at(x(c), y(d))}" for (a, b), (c, d) in item.ends if _is_there(a, b, c, d))
        return f'<path d="{path}" fill="none"{_stroke(item.look)}/>' if path else ""
    if isinstance(item, Area):
        known = [point for point in item.points if _is_there(*point)]
        there = [(x(a), y(high)) for a, _, high in known]
        back = [(x(a), y(low)) for a, low, _ in reversed(known)]
        return _shape([*there, *back], item.colour, item.opacity)
    if isinstance(item, Stairs):
        outline = [(item.edges[0], 0.0)]
        for number, height in enumerate(item.heights):
            outline += [(item.edges[number], height), (item.edges[number + 1], height)]
        return _shape([(x(a), y(b)) for a, b in (*outline, (item.edges[-1], 0.0))], item.colour, item.opacity)
    if isinstance(item, Box):
        foot = placed.foot if item.bottom is None else y(item.bottom)
        top = placed.top if item.top is None else y(item.top)
        left, right = x(item.left), x(item.right)
        return _shape([(left, foot), (left, top), (right, top), (right, foot)], item.colour, item.opacity)
    if isinstance(item, Cells):
        box = f'x="{_n(placed.left)}" y="{_n(placed.top)}" width="{_n(placed.width)}" height="{_n(placed.height)}"'
        return f'<image {box} preserveAspectRatio="none" image-rendering="pixelated" href="{_image(item)}"/>'
    return _words(item, placed, is_map=is_map)


def _is_there(*values: float) -> bool:
    """Return whether no value is missing (NaN), for which there is no place."""
    return not any(map(math.isnan, values))


def _words(item: Words, placed: Placed, *, is_map: bool) -> str:
    if item.of_panel == "x":
        place = placed.left + item.x * placed.width, placed.y.place(item.y)
    else:
        place = placed.x.place(item.x), placed.foot - item.y * placed.height
    down = (_ASCENT if item.top else _MIDDLE) * item.size
    anchor = {"left": "start", "center": "middle", "right": "end"}[item.side]
    x, y = place[0] + item.shift[0], place[1] - item.shift[1]
    upon = is_map and placed.left <= x <= placed.right and placed.top <= y <= placed.foot
    return _text(item.text, x, y + down, item.size, anchor, ink="#000000" if upon else "")


def _line(points: Sequence[tuple[float, float]], look: Look, *, is_map: bool = False) -> str:
    """Draw a line through points on the sheet, and its marks."""
    made = ""
    if look.width and len(points) > 1:
        path = "M" + "L".join(_at(x, y) for x, y in points)
        made = f'<path d="{path}" fill="none"{_stroke(look, is_map=is_map)}/>'
    if not look.mark or not points:
        return made
    marks = [_mark(look, x, y) for x, y in points]
    edge = Look(look.colour, look.edge, opacity=look.opacity)
    fill = ' fill="none"' if look.hollow or look.mark == "|" else _fill(look.colour, look.opacity, is_map=is_map)
    stroke = _stroke(edge, is_map=is_map) if look.edge else ""
    if look.opacity == 1.0:  # else marks that lie on each other must add up
        marks = ["".join(marks)]
    inside = "".join(f'<path d="{mark}"/>' for mark in marks)
    return f"{made}<g{fill}{stroke}>{inside}</g>" if len(marks) > 1 else f'{made}<path d="{marks[0]}"{fill}{stroke}/>'


def _mark(look: Look, x: float, y: float) -> str:
    half = look.size / 2.0
    if look.mark == "o":
        return f"M{_at(x - half, y)}" + "".join(
            f"a{_n(half)} {_n(half)} 0 1 0 {_n(way)} 0" for way in (2 * half, -2 * half)
        )
    if look.mark == "|":
        return f"M{_at(x, y - half)}v{_n(look.size)}"
    return "M" + "L".join(_at(x + a * half, y + b * half) for a, b in _CORNERS[look.mark]) + "Z"


def _shape(corners: Sequence[tuple[float, float]], colour: str, opacity: float) -> str:
    if len(corners) < 3:
        return ""
    return f'<path d="M{"L".join(_at(x, y) for x, y in corners)}Z"{_fill(colour, opacity)}/>'


def _image(cells: Cells) -> str:
    """Return rows of colours as an image in PNG."""
    down, across = len(cells.rows), len(cells.rows[0])
    times = max(1, -(-_FINE // max(down, across)))
    wide = times if across > 1 else 1
    lines = []
    for row in cells.rows:
        line = b"".join(bytes(round(255.0 * share) for share in colour) * wide for colour in row)
        lines.append((b"\x00" + line) * times)
    header = struct.pack(">IIBBBBB", across * wide, down * times, 8, 2, 0, 0, 0)
    chunks = [(b"IHDR", header), (b"IDAT", zlib.compress(b"".join(lines), 6)), (b"IEND", b"")]
    made = b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )
    return f"data:image/png;base64,{b64encode(_PNG + made).decode()}"


def _key(key: Key, left: float, top: float) -> Iterator[str]:
    """Write a key, from its upper left corner on."""
    each = LINE * key.size + spacing(key)
    if key.title:
        yield _text(key.title, left + _key_width(key) / 2.0, top + _ASCENT * key.size, key.size, "middle")
        top += each
    for column in columns_of(key):
        for number, entry in enumerate(column):
            middle = top + number * each + 0.5 * LINE * key.size
            yield from _entry(entry, key, left, middle)
        left += key_width(column, key) + _BETWEEN * key.size


def _entry(entry: Entry, key: Key, left: float, middle: float) -> Iterator[str]:
    right = left + key.handle * key.size
    if entry.look is None:
        half = 0.35 * key.size
        corners = [(left, middle - half), (right, middle - half), (right, middle + half), (left, middle + half)]
        yield _shape(corners, entry.colour, entry.opacity)
    else:
        look = entry.look
        if look.width:
            yield f'<path d="M{_at(left, middle)}H{_n(right)}" fill="none"{_stroke(look)}/>'
        if look.mark:
            yield _line([((left + right) / 2.0, middle)], look)
    yield _text(entry.label, right + key.gap * key.size, middle + _MIDDLE * key.size, key.size, "start")


def _key_width(key: Key) -> float:
    columns = columns_of(key)
    return sum(key_width(column, key) for column in columns) + _BETWEEN * key.size * (len(columns) - 1)


def _text(words: str, x: float, y: float, size: float, anchor: str, *, turned: bool = False, ink: str = "") -> str:
    if not words.strip():
        return ""
    place = f'transform="translate({_n(x)} {_n(y)}) rotate(-90)"' if turned else f'x="{_n(x)}" y="{_n(y)}"'
    side = "" if anchor == "start" else f' text-anchor="{anchor}"'
    fill = f' fill="{ink}"' if ink else ""
    return f'<text {place} font-size="{size:g}px"{side}{fill}>{_escaped(words)}</text>'


def _stroke(look: Look, *, is_map: bool = False) -> str:
    made = f'{_paint("stroke", look.colour, look.opacity, is_map=is_map)} stroke-width="{look.width:g}"'
    if look.dash in _DASHES:
        made += f' stroke-dasharray="{" ".join(_n(part * look.width) for part in _DASHES[look.dash])}"'
    return made


def _fill(colour: str, opacity: float, *, is_map: bool = False) -> str:
    return _paint("fill", colour, opacity, is_map=is_map)


def _paint(kind: str, colour: str, opacity: float, *, is_map: bool = False) -> str:
    """Return attributes that paint in a colour: greys are shares of the page's ink, except upon a map."""
    if not colour.startswith("#"):
        level = round(255.0 * float({"black": "0", "white": "1"}.get(colour, colour)))
        colour = f"#{level:02x}{level:02x}{level:02x}"
    colour = colour.lower()
    if not is_map and (grey := _GREY.match(colour)):
        share = 1.0 - int(grey[1], 16) / 255.0
        colour, opacity = ("currentColor", opacity * share) if share else ("var(--paper)", opacity)
    seen = "" if opacity == 1.0 else f' {kind}-opacity="{opacity:.3g}"'
    return f' {kind}="{colour}"{seen}'


def _at(x: float, y: float) -> str:
    return f"{_n(x)} {_n(y)}"


def _n(number: float) -> str:
    """Write a coordinate, to a hundredth of a point."""
    return f"{number:.2f}".rstrip("0").rstrip(".")


def _escaped(text: str) -> str:
    """Return a text for the inside of a page; a name may hold characters that XML does not have."""
    return escape(_NOT_IN_XML.sub("\ufffd", text))
