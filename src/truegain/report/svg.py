"""Figures as SVG inside a page: no styles of their own, ink that follows the page's, names that meet no others."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["NARROW", "inline", "pixels"]

_STYLE: dict[Any, Any] = {"svg.fonttype": "none", "svg.hashsalt": "truegain"}
# Drawn for a printed column; on a screen, a point is this many pixels, which makes small print as large as the page's.
_PIXELS = 5 / 3
#: Pixels of a page: figures no wider than these fit on a narrow screen.
NARROW = 560
_PROPERTIES = re.compile(
    "clip-(path|rule)|dominant-baseline|fill(-opacity|-rule)?|font-(size|style|weight)|image-rendering|opacity|"
    "stop-(color|opacity)|stroke(-[a-z]+)?|text-anchor|visibility"
)
_ATTRIBUTES = re.compile(
    "c?[xy]|[xy][12]|d|r[xy]?|height|href|offset|points|preserveAspectRatio|transform|width|"
    "(gradient|pattern)(Units|Transform)"
)
_DROPPED = frozenset(("metadata", "style", "title", "desc", "script"))
_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_HEX = re.compile(r"#([0-9a-f]{2})\1\1\Z", re.IGNORECASE)
_LINK = re.compile(r"url\(#([^)]+)\)")
_SHORTHAND = re.compile(r"((?:[\w-]+\s+)*)([\d.]+px)")


def pixels(figure: Figure) -> float:
    """Return the width of a figure on a page."""
    return float(figure.get_figwidth()) * 72.0 * _PIXELS


def inline(figure: Figure, prefix: str, alt: str) -> str:
    """Render a figure for the inside of a page.

    Styles become attributes, which a page may have whose policy forbids inline styles. Black and grey become the page's
    ink, more or less of it, and white becomes its paper, so that the figure can be read on a dark page as on a light
    one; what is drawn or written upon a heat map keeps its colour, as the map does.

    Parameters
    ----------
    figure : matplotlib Figure
    prefix : str
        Put before every id, so that no two figures of a page share one.
    alt : str
        What the figure shows, for those who do not see it.
    """
    root = _parsed(figure)
    *_, width, height = (float(number) for number in root.get("viewBox", "").split())
    used = {name for element in root.iter() for name in _links(element)}
    size = f'width="{width * _PIXELS:.0f}" height="{height * _PIXELS:.0f}" viewBox="0 0 {width:g} {height:g}"'
    kept = frozenset(_upon_maps(root))
    inside = "".join(_written(child, prefix, used, kept) for child in root)
    wide = " wide" if width * _PIXELS > NARROW else ""
    return (
        f'<svg class="drawing{wide}" role="img" aria-label="{escape(alt)}" {size} fill="currentColor" '
        f'stroke-linejoin="round" stroke-linecap="butt">{inside}</svg>'
    )


def _parsed(figure: Figure) -> ElementTree.Element:
    import matplotlib

    held = io.StringIO()
    with matplotlib.rc_context(), warnings.catch_warnings():
        matplotlib.rcdefaults()  # whatever the user's own settings are
        matplotlib.rcParams.update(_STYLE)
        # The reader's browser has other fonts than the one that the layout is made with.
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        figure.savefig(held, format="svg", metadata={"Date": None})
    # A name may hold characters that XML does not have.
    return ElementTree.fromstring(_NOT_IN_XML.sub("\ufffd", held.getvalue()))


def _written(element: ElementTree.Element, prefix: str, used: set[str], kept: frozenset[ElementTree.Element]) -> str:
    tag = _local(element.tag)
    if tag in _DROPPED:
        return ""
    attributes = _attributes(element, is_kept=element in kept)
    name = element.get("id")
    if name in used:
        attributes = {"id": name, **attributes}
    said = "".join(f' {key}="{escape(_prefixed(key, value, prefix))}"' for key, value in attributes.items())
    inside = "".join(_written(child, prefix, used, kept) + _ink(child.tail) for child in element)
    text = _ink(element.text) if tag in ("text", "tspan") else ""
    if tag == "g" and not said:
        return inside
    if tag in ("g", "defs") and not inside:
        return ""
    return f"<{tag}{said}>{text}{inside}</{tag}>" if text or inside else f"<{tag}{said}/>"


def _ink(text: str | None) -> str:
    return escape(text) if text is not None and text.strip() else ""


def _attributes(element: ElementTree.Element, *, is_kept: bool) -> dict[str, str]:
    tag = _local(element.tag)
    found = {}
    for name, value in element.attrib.items():
        key = _local(name)
        if _ATTRIBUTES.fullmatch(key) or _PROPERTIES.fullmatch(key):
            found[key] = _short(value) if key in ("d", "x", "y") else value
    if "href" in found:
        found["href"] = "".join(found["href"].split())
    if found.get("transform", "").startswith("rotate(-0 "):
        del found["transform"]
    for key, value in _declarations(element.get("style", "")):
        if _PROPERTIES.fullmatch(key):
            found[key] = value
    if is_kept:
        if tag == "text":
            found.setdefault("fill", "#000000")
        return found
    for paint in ("fill", "stroke"):
        grey = _HEX.match(found.get(paint, ""))
        if grey is None:
            continue
        share = 1 - int(grey[1], 16) / 255
        if share > 0:
            found[paint] = "currentColor"
            opacity = share * float(found.get(f"{paint}-opacity", "1"))
            if opacity < 1:
                found[f"{paint}-opacity"] = f"{opacity:.3g}"
        elif tag not in ("text", "tspan"):  # light words stand on a dark shape, whatever the page
            found[paint] = "var(--paper)"
    return found


def _declarations(style: str) -> Iterator[tuple[str, str]]:
    """Yield properties and values; of the shorthand for fonts, everything except the family, which is the page's."""
    for declaration in style.split(";"):
        key, colon, value = declaration.partition(":")
        key, value = key.strip(), value.strip()
        if key == "font" and (parts := _SHORTHAND.match(value)):
            yield "font-size", parts[2]
            for word in parts[1].split():
                if word in ("italic", "oblique"):
                    yield "font-style", word
                elif word != "normal":
                    yield "font-weight", word
        elif colon:
            yield key, value


def _upon_maps(root: ElementTree.Element) -> Iterator[ElementTree.Element]:
    """Yield what is drawn or written inside the frame of a heat map, and the map's own cells."""
    for axes in root.iter():
        if not axes.get("id", "").startswith("axes_"):
            continue
        maps = [one for one in axes.iter() if _local(one.tag) == "image" or one.get("id", "").startswith("QuadMesh")]
        frame = next((one.get("d", "") for one in axes.iter() if _local(one.tag) == "path"), "")
        corners = [float(number) for number in re.findall(r"-?[\d.]+", frame)]
        if not maps or len(corners) < 4:
            continue
        across, down = corners[::2], corners[1::2]
        lines = [one for one in axes if one.get("id", "").startswith("line2d_")]  # those of its axes are deeper inside
        for one in (*maps, *lines):
            yield from one.iter()
        for text in (one for group in axes if group.get("id", "").startswith("text_") for one in group.iter()):
            place = [text.get("x", ""), text.get("y", "")]
            if not place[0]:
                place = re.findall(r"-?[\d.]+", text.get("transform", ""))[:2]
            if len(place) < 2:
                continue
            if min(across) <= float(place[0]) <= max(across) and min(down) <= float(place[1]) <= max(down):
                yield from text.iter()


def _links(element: ElementTree.Element) -> Iterator[str]:
    for name, value in element.attrib.items():
        if _local(name) == "href" and value.startswith("#"):
            yield value[1:]
        yield from _LINK.findall(value)


def _prefixed(key: str, value: str, prefix: str) -> str:
    if key == "id":
        return f"{prefix}-{value}"
    if key == "href":
        return f"#{prefix}-{value[1:]}" if value.startswith("#") else value
    return _LINK.sub(lambda link: f"url(#{prefix}-{link[1]})", value)


def _short(value: str) -> str:
    """Round coordinates to a hundredth of a point, in one line."""
    return " ".join(re.sub(r"-?\d+\.\d{3,}", lambda number: f"{float(number[0]):.2f}", value).split())


def _local(name: str) -> str:
    return name.rpartition("}")[2]
