"""A document as data: tables and paragraphs that every renderer understands."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

__all__ = ["Cell", "Column", "Document", "Paragraph", "Table", "listing", "p_text", "signed", "whole"]

Tone = Literal["plain", "good", "bad", "quiet", "strong"]
Kind = Literal["title", "verdict", "remark", "signature", "methods"]


@dataclass(frozen=True)
class Cell:
    """A text and how it should stand out."""

    text: str
    tone: Tone = "plain"


@dataclass(frozen=True)
class Column:
    """A heading and the side that its cells lean to."""

    heading: str
    align: Literal["left", "right"] = "right"


@dataclass(frozen=True)
class Table:
    """Rows of cells under headings; ``caption`` says in words what the table shows."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    caption: str = ""


@dataclass(frozen=True)
class Paragraph:
    """A sentence or more, and what it is for."""

    text: str
    kind: Kind = "remark"
    tone: Tone = "plain"


@dataclass(frozen=True)
class Document:
    """Tables and paragraphs in the order to be read."""

    items: tuple[Table | Paragraph, ...] = field(default_factory=tuple)


def signed(value: float, decimals: int) -> str:
    """A number with its sign, a true minus included; what rounds to zero has none."""
    text = f"{abs(value):.{decimals}f}"
    if float(text) == 0.0:
        return text
    return ("−" if value < 0 else "+") + text


def p_text(p: float) -> str:
    """A p-value to three decimals, or that it is smaller than that shows."""
    return "<0.001" if p < 0.001 else f"{p:.3f}"


def listing(words: list[str], joint: str = "and") -> str:
    """``one``, ``one and two``, ``one, two and three``."""
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + f" {joint} " + words[-1]


def whole(count: int, noun: str) -> str:
    """``1 document``, ``1,234 documents``."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
