"""Documents in Markdown, with tables as GitHub writes them."""

from __future__ import annotations

import re

from truegain.errors import printable
from truegain.report.model import Document, Passages, Table

_MARKED = ("good", "bad", "strong")  # tones of pieces of a line


def text(document: Document) -> str:
    """Render a document."""
    parts = []
    for item in document.items:
        if isinstance(item, Table):
            parts.append(_table(item))
        elif isinstance(item, Passages):
            parts.extend(_passages(item))
        elif item.kind == "title":
            parts.append(f"**{_escape(item.text)}**")
        elif item.kind == "signature":
            parts.append(f"`{item.text.replace('`', chr(39))}`")
        else:
            parts.append(_paragraph(item.text))
    return printable("\n\n".join(parts)) + "\n"


def _table(table: Table) -> str:
    lines = [
        _row([_escape(column.heading) for column in table.columns]),
        _row([":--" if column.align == "left" else "--:" for column in table.columns]),
    ]
    sections = dict(table.sections[1:])
    for place, row in enumerate(table.rows):
        if place in sections:
            lines.append(_row([f"**{_escape(sections[place])}**", *[""] * (len(row) - 1)]))
        cells = [(_strong(cell.text, cell.tone == "strong"), _escape(cell.spread), _escape(cell.mark)) for cell in row]
        lines.append(_row([" ".join(filter(None, parts)) for parts in cells]))
    if table.notes:  # a table with notes is made to stand alone
        caption = [f"{table.caption.removesuffix('.')}."] if table.caption else []
        lines += ["", _paragraph(" ".join([*caption, *table.notes]))]
    return "\n".join(lines)


def _passages(passages: Passages) -> list[str]:
    parts = [f"**{_escape(passages.caption)}**"]
    for passage in passages.entries:
        lines = []
        for line in passage.lines:
            label = f"{_escape(line.label)}: " if line.label else ""
            lines.append(f"- {label}{''.join(_strong(piece.text, piece.tone in _MARKED) for piece in line.pieces)}")
        parts += [_paragraph(passage.heading), "\n".join(lines)]
    return parts


def _strong(text: str, is_strong: bool) -> str:
    return f"**{_escape(text)}**" if is_strong else _escape(text)


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _paragraph(text: str) -> str:
    """Escape a paragraph that begins like an item of a list."""
    return re.sub(r"^(\s*)(\d+)?([.)+-])(?=\s|$)", r"\1\2\\\3", _escape(text))


def _escape(text: str) -> str:
    """Keep what users named their systems from being read as markup, and in one line."""
    return re.sub(r"([\\`*_{}\[\]<>|#~$&])", r"\\\1", " ".join(text.splitlines()))
