"""Names in a figure, whatever characters they hold and however long they are."""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Between the names of a pair.
MINUS = " − "
#: Comes with matplotlib, so figures are the same everywhere.
FONT = "DejaVu Sans"
# Where that lacks a character, the first of these that is installed and has it; in SVG the reader's program chooses.
_OTHERS = (
    *("Noto Sans CJK SC", "Noto Sans CJK JP", "Noto Sans SC", "Noto Sans JP", "Noto Sans KR", "Source Han Sans SC"),
    *("WenQuanYi Micro Hei", "WenQuanYi Zen Hei", "PingFang SC", "Hiragino Sans", "Apple SD Gothic Neo"),
    *("Microsoft YaHei", "Yu Gothic", "Malgun Gothic", "Noto Sans Devanagari", "Noto Sans Bengali", "Noto Sans Tamil"),
    *("Noto Sans Thai", "Nirmala UI", "Leelawadee UI", "Arial Unicode MS", "FreeSans", "Noto Sans Symbols2"),
)
_JOINERS = "\u200c\u200d"  # they shape the letters beside them


def clean(text: str) -> str:
    """Return a name on one line, without what cannot be seen: line ends and tabs become spaces, odd bytes a mark."""
    characters = []
    for character in text:
        kind = unicodedata.category(character)
        if kind[0] == "Z" or kind == "Cc":
            characters.append(" ")
        elif kind in ("Cs", "Co", "Cn"):
            characters.append("\N{REPLACEMENT CHARACTER}")
        elif kind != "Cf" or character in _JOINERS:
            characters.append(character)
    visible = " ".join("".join(characters).split())
    return visible or "\N{REPLACEMENT CHARACTER}" * bool(text)


def width_of(text: str) -> int:
    """Return how many letters wide a text is; a letter of East Asia is as wide as two others."""
    return sum(
        1 + (unicodedata.east_asian_width(character) in "WF") - (unicodedata.combining(character) > 0)
        for character in text
    )


def fitted(text: str, most: int) -> str:
    """Clean a name, and shorten it to the width of ``most`` letters, with … for its middle: systems differ at the ends.

    Of a pair both names are shortened.
    """
    text = clean(text)
    if width_of(text) <= most:
        return text
    if text.count(MINUS) == 1 and most > 2 * len(MINUS):
        return MINUS.join(fitted(name, (most - len(MINUS)) // 2) for name in text.split(MINUS))
    head, tail = text[: len(text) // 2], text[len(text) // 2 :]
    while width_of(head) + width_of(tail) >= most and (head or tail):
        head, tail = (head[:-1], tail) if width_of(head) > width_of(tail) else (head, tail[1:])
    return f"{head.rstrip()}…{tail.lstrip()}"


def in_key(text: str, most: int) -> str:
    """Return a name for a key: matplotlib hides names that begin with an underscore."""
    text = fitted(text, most)
    return f" {text}" if text.startswith("_") else text


def find_fonts(figure: Figure) -> None:
    """Give every text of a figure fonts that have its characters, as far as there are any."""
    from matplotlib.text import Text

    for text in figure.findobj(Text):
        if isinstance(text, Text) and len(families := _families(text.get_text())) > 1:
            text.set_fontfamily(families)


def _families(text: str) -> list[str]:
    families = [FONT]
    if text.isascii():
        return families
    missing = {ord(character) for character in text} - _characters(FONT) - {ord(character) for character in _JOINERS}
    for family in _OTHERS:
        if present := missing & _characters(family):
            families.append(family)
            missing -= present
    return families


@cache
def _characters(family: str) -> frozenset[int]:
    """Return the characters that a font has, if it is installed."""
    from matplotlib.font_manager import FontProperties, fontManager, get_font

    if family not in {font.name for font in fontManager.ttflist}:
        return frozenset()
    return frozenset(get_font(fontManager.findfont(FontProperties(family=family))).get_charmap())
