"""A document as data: tables and paragraphs that every renderer understands."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from truegain.notes import Note

if TYPE_CHECKING:
    pass

#: Undecided is a sentence about a difference that is not shown; plain is one that claims no difference.
Tone = Literal["plain", "good", "bad", "warning", "undecided", "quiet", "strong"]
Kind = Literal["title", "headline", "verdict", "remark", "warning", "signature", "methods"]


@dataclass(frozen=True)
class Symbol:
    """A variable: a letter and its index, which LaTeX sets as mathematics."""

    letter: str
    index: str = ""

    def __str__(self) -> str:
        """Return ``p``, or ``s_test``."""
        return f"{self.letter}_{self.index}" if self.index else self.letter


class Words(str):
    """A text with symbols in it: a plain text to all but LaTeX, which sets it part by part."""

    parts: tuple[str | Symbol, ...]

    def __new__(cls, *parts: str | Symbol) -> Words:
        """Join the parts; those of other words among them are kept apart."""
        words = super().__new__(cls, "".join(map(str, parts)))
        words.parts = tuple(part for one in parts for part in (one.parts if isinstance(one, Words) else (one,)))
        return words


P = Words(Symbol("p"))
S_SEL, S_DEV, S_TEST = (Words(Symbol("s", index)) for index in ("sel", "dev", "test"))


@dataclass(frozen=True)
class Span:
    """An interval and its middle, to be drawn next to its figures."""

    low: float
    middle: float
    high: float


@dataclass(frozen=True)
class Cell:
    """A text and how it should stand out.

    Attributes
    ----------
    value : float, optional
        What the cell is sorted by, if it is a number.
    span : Span, optional
        Drawn if the format can; all spans of a column are on one scale.
    spread : str
        What follows a figure, such as ``± 0.1``; figures are aligned without it.
    mark : str
        Explained in the notes of the table; it follows the figure too, and LaTeX raises it.
    anchor, link : str
        A page has a link from every cell to the row of the cell whose ``anchor`` is its ``link``.
    """

    text: str
    tone: Tone = "plain"
    value: float | None = None
    span: Span | None = None
    spread: str = ""
    mark: str = ""
    anchor: str = ""
    link: str = ""


@dataclass(frozen=True)
class Column:
    """A heading and the side that its cells lean to; a page on a narrow screen leaves out what is secondary."""

    heading: str
    align: Literal["left", "right"] = "right"
    secondary: bool = False


@dataclass(frozen=True)
class Table:
    """Rows of cells under headings.

    Attributes
    ----------
    caption : str
        What the table shows, in words.
    notes : tuple of str
        What its marks mean; they stand under the table.
    breaks : tuple of int
        Rows before which there is a rule.
    kind : str
        "headline" if it is the answer itself.
    """

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    caption: str = ""
    notes: tuple[str, ...] = ()
    breaks: tuple[int, ...] = ()
    kind: Literal["table", "headline"] = "table"


@dataclass(frozen=True)
class Paragraph:
    """A sentence or more, and what it is for."""

    text: str
    kind: Kind = "remark"
    tone: Tone = "plain"


@dataclass(frozen=True)
class Piece:
    """A part of a line, and how it should stand out; what is marked is marked in the text as well."""

    text: str
    tone: Tone = "plain"


@dataclass(frozen=True)
class Line:
    """A text in pieces next to its label."""

    label: str
    pieces: tuple[Piece, ...]


@dataclass(frozen=True)
class Passage:
    """Lines that belong together: a segment, its reference and its outputs."""

    heading: str
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Passages:
    """Passages to be read one after the other, under a caption."""

    caption: str
    entries: tuple[Passage, ...]


@dataclass(frozen=True)
class Document:
    """Tables, paragraphs and passages in the order to be read; warnings come first, behind the title."""

    items: tuple[Table | Paragraph | Passages, ...] = field(default_factory=tuple)

    def __post_init__(self) -> None:
        warnings = [item for item in self.items if isinstance(item, Paragraph) and item.kind == "warning"]
        if warnings:
            others = [item for item in self.items if item not in warnings]
            place = next((i for i, item in enumerate(others) if getattr(item, "kind", "") != "title"), len(others))
            kind: Kind = "headline" if any(getattr(item, "kind", "") == "headline" for item in others) else "verdict"
            lifted = [Paragraph(item.text, kind, "warning") for item in warnings]
            object.__setattr__(self, "items", (*others[:place], *lifted, *others[place:]))


def remark(said: Note | str) -> Paragraph:
    """Return a note, or a sentence without its full stop, as a paragraph."""
    return Paragraph(f"{said}.", "warning" if isinstance(said, Note) and said.warning else "remark")


def signed(value: float, decimals: int) -> str:
    """Write a number with its sign, a true minus included; what rounds to zero has none."""
    if math.isinf(value):
        return "−∞" if value < 0 else "+∞"
    text = f"{abs(value):.{decimals}f}"
    if float(text) == 0.0:
        return text
    return ("−" if value < 0 else "+") + text


def decimal(value: float, decimals: int) -> str:
    """Write a number with a true minus if it is below zero; what rounds to zero has none."""
    return signed(value, decimals).removeprefix("+")


def p_text(p: float) -> str:
    """Write a p-value to three decimals, or that it is smaller than that shows."""
    return "<0.001" if p < 0.001 else f"{p:.3f}"


def p_words(p: float) -> str:
    """Return ``= 0.012`` or ``< 0.001``."""
    return "< 0.001" if p < 0.001 else f"= {p:.3f}"


def listing(words: Sequence[str], joint: str = "and") -> Words:
    """Join words: ``one``, ``one and two``, ``one, two and three``."""
    *before, last = words
    commas = [part for one in before for part in (", ", one)]
    return Words(*commas[1:], *([f" {joint} "] if before else []), last)


def whole(count: int, noun: str) -> str:
    """Write a number of things: ``1 document``, ``1,234 documents``."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
