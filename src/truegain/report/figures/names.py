"""Names in a figure, whatever characters they hold and however long they are."""

from __future__ import annotations

import re
import unicodedata
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

from truegain.report.figures.widths import width_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Characters: longer names lose their middle.
LONGEST = 40
#: Between the names of a pair.
MINUS = " − "

_OWN = "DejaVu Sans"  # comes with matplotlib, so figures are the same everywhere
# Where that lacks a character, the first of these that is installed and has it; in SVG the reader's program chooses.
_OTHERS = (
    "Noto Sans CJK SC",
    "Noto Sans CJK JP",
    "Noto Sans SC",
    "Noto Sans JP",
    "Noto Sans KR",
    "Source Han Sans SC",
    "WenQuanYi Micro Hei",
    "WenQuanYi Zen Hei",
    "PingFang SC",
    "Hiragino Sans",
    "Apple SD Gothic Neo",
    "Microsoft YaHei",
    "Yu Gothic",
    "Malgun Gothic",
    "Noto Sans Devanagari",
    "Noto Sans Bengali",
    "Noto Sans Tamil",
    "Noto Sans Thai",
    "Nirmala UI",
    "Leelawadee UI",
    "Arial Unicode MS",
    "FreeSans",
    "Noto Sans Symbols2",
)
_JOINERS = "\u200c\u200d"  # they shape the letters beside them


def clean(text: str) -> str:
    """Return a name on one line, without what cannot be seen: line ends and tabs become spaces, odd bytes a mark."""
    characters = []
    for one in text:
        kind = unicodedata.category(one)
        if kind[0] == "Z" or kind == "Cc":
            characters.append(" ")
        elif kind in ("Cs", "Co", "Cn"):
            characters.append("\N{REPLACEMENT CHARACTER}")
        elif kind != "Cf" or one in _JOINERS:
            characters.append(one)
    seen = " ".join("".join(characters).split())
    return seen or "\N{REPLACEMENT CHARACTER}" * bool(text)


def shortened(text: str, most: int = LONGEST) -> str:
    """Shorten a name to at most ``most`` characters, with … for its middle: systems often differ at the ends.

    Of a pair both names are shortened, the longer one first.
    """
    if len(text) <= most:
        return text
    if text.count(MINUS) == 1 and most >= len(MINUS) + 2:
        first, second = text.split(MINUS)
        room = most - len(MINUS)
        half = room // 2
        left = min(len(first), max(room - half, room - len(second)))
        return f"{shortened(first, left)}{MINUS}{shortened(second, room - left)}"
    kept = most - 1
    tail = kept // 2
    return f"{text[: kept - tail].rstrip()}…{text[len(text) - tail :].lstrip()}"


def fitted(text: str, inches: float, size: float) -> str:
    """Shorten a cleaned name until it takes at most ``inches`` in letters of that size (points)."""
    text = clean(text)
    low, high = 1, min(len(text), LONGEST)
    if width_of(shortened(text, high), size) <= inches:
        return shortened(text, high)
    while low < high - 1:
        middle = (low + high) // 2
        if width_of(shortened(text, middle), size) <= inches:
            low = middle
        else:
            high = middle
    return shortened(text, low)


def in_key(text: str) -> str:
    """Return a name for a key: matplotlib hides names that begin with an underscore."""
    return f" {text}" if text.startswith("_") else text


def find_fonts(figure: Figure) -> None:
    """Give every text of a figure fonts that have its characters, as far as there are any."""
    from matplotlib.text import Text

    for text in figure.findobj(Text):
        if isinstance(text, Text) and len(families := _families(text.get_text())) > 1:
            text.set_fontfamily(families)


@contextmanager
def quiet_about_glyphs() -> Iterator[None]:
    """Suppress warnings of characters that no font has: they are drawn as boxes."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", re.escape("Glyph ") + ".* missing from font", UserWarning)
        yield


def _families(text: str) -> list[str]:
    families = [_OWN]
    if text.isascii():
        return families
    missing = {ord(one) for one in text} - _characters(_OWN) - {ord(one) for one in _JOINERS}
    for family in _OTHERS:
        if found := missing & _characters(family):
            families.append(family)
            missing -= found
    return families


@cache
def _characters(family: str) -> frozenset[int]:
    """Return the characters that a font has, if it is installed."""
    from matplotlib.font_manager import FontProperties, fontManager, get_font

    if family not in {font.name for font in fontManager.ttflist}:
        return frozenset()
    return frozenset(get_font(fontManager.findfont(FontProperties(family=family))).get_charmap())
