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

    It is sorted by its ``value``, if it is a number. Spans of a column are drawn on one scale, if the format can.
    A ``spread`` such as ``± 0.1``, and a ``mark`` that the notes of the table explain, follow a figure; figures are
    aligned without them.
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
    """Rows of cells under headings, with a caption, and notes that say what its marks mean.

    There is a rule before the rows in ``breaks``. ``sections`` are the first row of each and its heading, that of the
    first in place of the first column's. Screens leave out what is "further" unless it is asked for.
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
        kinds = [getattr(item, "kind", "") for item in self.items]
        if "warning" in kinds:
            others = [item for item, kind in zip(self.items, kinds, strict=True) if kind != "warning"]
            lifted = [
                Paragraph(item.text, "headline", "warning")
                for item in self.items
                if isinstance(item, Paragraph) and item.kind == "warning"
            ]
            answer = [kind in ("title", "headline") for kind in kinds if kind != "warning"]
            place = max((place for place, is_answer in enumerate(answer, 1) if is_answer), default=0)
            object.__setattr__(self, "items", (*others[:place], *lifted, *others[place:]))


def remark(said: Note | str) -> Paragraph:
    """Return a note, or a sentence without its full stop, as a paragraph."""
    return Paragraph(f"{said}.", "warning" if isinstance(said, Note) and said.warning else "remark")
