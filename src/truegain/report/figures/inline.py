"""Figures inside a page: no styles of their own, ink that follows the page's, names that meet no others."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from truegain.report.figures.style import Drawing, rendered

# Drawn for a printed column; on a screen, a point is this many pixels, which makes small print as large as the page's.
_PIXELS = 5 / 3
#: Pixels of a page: figures no wider than these fit on a narrow screen.
_NARROW = 560
_LEFT_OUT = {"metadata", "style"}
_GREY = re.compile(r"#(?!ffffff)([0-9a-f]{2})\1\1")
_REFERENCE = re.compile(r"#([mphi]\w+)")  # of markers, clips, hatches and images


def inline(drawing: Drawing, prefix: str) -> str:
    """Render a figure for the inside of a page.

    All looks are attributes, which a page may have whose policy forbids inline styles. Black and grey become the page's
    ink, more or less of it, so that the figure can be read on a dark page as on a light one.

    Parameters
    ----------
    drawing : Drawing
    prefix : str
        Put before every id, so that no two figures of a page share one.
    """
    root = ElementTree.fromstring(rendered(drawing.figure, "svg"))
    referred = {
        value for element in root.iter() for text in element.attrib.values() for value in _REFERENCE.findall(text)
    }
    _simplify(root, prefix, referred)
    width, height = (72.0 * _PIXELS * inches for inches in drawing.figure.get_size_inches())
    root.attrib = {
        "class": "drawing wide" if width > _NARROW else "drawing",
        "role": "img",
        "aria-label": drawing.alt,
        "width": f"{width:.0f}",
        "height": f"{height:.0f}",
        "viewBox": root.attrib["viewBox"],
        "fill": "currentColor",
        "stroke-linejoin": "round",
        "stroke-linecap": "butt",
    }
    return ElementTree.tostring(root, encoding="unicode")


def _simplify(element: ElementTree.Element, prefix: str, referred: set[str]) -> None:
    """Turn styles into attributes, and leave out namespaces, spaces and names that nothing refers to."""
    element.tag = element.tag.partition("}")[2]
    element.text, element.tail = element.text if element.tag == "text" else None, None
    looks = [part.partition(":") for part in element.attrib.pop("style", "").split(";") if part.strip()]
    attributes = {key.rpartition("}")[2]: value for key, value in element.attrib.items()}
    attributes |= {key.strip(): value.strip() for key, _, value in looks}
    attributes.pop("font-family", None)  # a page has its own
    if attributes.get("id") in referred:
        attributes["id"] = f"{prefix}-{attributes['id']}"
    else:
        attributes.pop("id", None)
    for key in ("clip-path", "fill", "href"):
        if key in attributes:
            attributes[key] = re.sub(r"(^|\()#(?=[mphi])", rf"\1#{prefix}-", attributes[key])
    for key in ("fill", "stroke"):
        if grey := _GREY.fullmatch(attributes.get(key, "")):
            share = (1.0 - int(grey[1], 16) / 255.0) * float(attributes.get(f"{key}-opacity", "1"))
            attributes[key] = "currentColor"
            attributes |= {f"{key}-opacity": f"{share:.2f}"} if share < 1.0 else {}
    element.attrib = attributes
    for child in list(element):
        if child.tag.partition("}")[2] in _LEFT_OUT:
            element.remove(child)
        else:
            _simplify(child, prefix, referred)
