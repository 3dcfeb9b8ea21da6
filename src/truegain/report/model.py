"""A document as data: tables and paragraphs that every renderer understands."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from truegain.notes import Note, Tone

Kind = Literal["title", "headline", "remark", "warning", "ending", "methods", "inputs", "signature"]


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
    """

    text: str
    tone: Tone = "plain"
    value: float | None = None
    span: Span | None = None
    spread: str = ""
    mark: str = ""


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
    sections : tuple of (int, str)
        The first row of each section and its heading, that of the first in place of the first column's.
    kind : str
        "further" if screens leave it out unless it is asked for.
    """

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    caption: str = ""
    notes: tuple[str, ...] = ()
    breaks: tuple[int, ...] = ()
    sections: tuple[tuple[int, str], ...] = ()
    kind: Literal["table", "further"] = "table"


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
    """Tables, paragraphs and passages in the order to be read; warnings come first, behind the answer."""

    items: tuple[Table | Paragraph | Passages, ...] = field(default_factory=tuple)

    def __post_init__(self) -> None:
        warnings = [item for item in self.items if getattr(item, "kind", "") == "warning"]
        if warnings:
            others = [item for item in self.items if item not in warnings]
            before = [place for place, item in enumerate(others, 1) if getattr(item, "kind", "") in _FIRST]
            place = max(before, default=0)
            lifted = [Paragraph(item.text, "headline", "warning") for item in warnings if isinstance(item, Paragraph)]
            object.__setattr__(self, "items", (*others[:place], *lifted, *others[place:]))


_FIRST = ("title", "headline")


def remark(said: Note | str) -> Paragraph:
    """Return a note, or a sentence without its full stop, as a paragraph."""
    return Paragraph(f"{said}.", "warning" if isinstance(said, Note) and said.warning else "remark")
