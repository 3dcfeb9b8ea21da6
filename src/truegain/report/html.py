"""Reports as a page of HTML in one file, and documents as a fragment for notebooks."""

from __future__ import annotations

import math
import re
from base64 import b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING, Any

from truegain.report.model import Cell, Document, Paragraph, Passages, Piece, Table
from truegain.report.page import Item, Picture, Quotation, Report, Segments
from truegain.report.whiskers import Scale, drawn, scales, sections_of

if TYPE_CHECKING:
    from jinja2 import Template
    from markupsafe import Markup

# A table with more rows than these, which a screen has no room for, can be searched.
_MANY_ROWS = 20
_NUMBER = re.compile(r"[<>≤≥]?\s?([+−-]?)((?:\d[\d,]*(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?)(?:\s?%)?", re.ASCII)


_P_VALUE = re.compile(r"\bp ([=<>≤≥]) (?=\.?\d)")


@dataclass(frozen=True)
class _Block:
    """A run of items that are shown in one way; ``number`` distinguishes blocks of a page."""

    kind: str
    items: tuple[Any, ...]
    number: int


@dataclass(frozen=True)
class _Part:
    """A section with the name of its place in the page."""

    anchor: str
    heading: str
    blocks: tuple[_Block, ...]
    folded: bool = False


def page(report: Report) -> str:
    """Render a report as one file that needs nothing else: no network, no other file.

    Its policy lets it run its own script and use its own style alone, so nothing in users' names and texts can become
    either; and these are escaped besides. The same report gives the same bytes.
    """
    from markupsafe import Markup

    template, style, script = _template()
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    return template.render(
        report=report,
        parts=list(_parts(report)),
        policy=policy,
        style=Markup(style),
        script=Markup(script),
        version=report.version,
    )


@cache
def _template() -> tuple[Template, str, str]:
    """Compile the template of pages; return it, their style and their script."""
    from importlib.resources import files

    from jinja2 import Environment, StrictUndefined

    folder = files("truegain.report") / "templates"
    source, style, script = (
        (folder / name).read_text(encoding="utf-8") for name in ("report.html.j2", "report.css", "report.js")
    )
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters.update(sort_key=_sort_key, drawing=_drawing, data=_data, whisker=_whisker)
    environment.filters.update(breakable=_breakable, p_together=_p_together)
    environment.globals.update(scales=scales, sections_of=sections_of, spreads=_spreads, marks=_marks)
    environment.globals.update(many_rows=_MANY_ROWS)
    return environment.from_string(source), style, script


def _parts(report: Report) -> Iterator[_Part]:
    taken = {"content", "said"}  # ids of the page itself; all others of its own have a full stop in them
    number = 0
    for section in report.sections:
        name = "-".join(re.findall(r"\w+", section.heading.lower())) or "section"
        anchor = next(one for one in _numbered(name) if one not in taken)
        taken.add(anchor)
        blocks = []
        for kind, alike in groupby(section.items, key=_kind):
            items = tuple(alike)
            # What can stand side by side or in a list is gathered.
            for group in [items] if kind in _GATHERED else [(item,) for item in items]:
                number += 1
                blocks.append(_Block(kind, group, number))
        yield _Part(anchor, section.heading, tuple(blocks), section.folded)


_GATHERED = ("headline", "remark", "ending", "inputs", "signature", "picture", "table")


def _kind(item: Item) -> str:
    if isinstance(item, Paragraph):
        return item.kind
    return {Table: "table", Picture: "picture", Quotation: "quotation", Segments: "segments"}[type(item)]


def _numbered(name: str) -> Iterator[str]:
    yield name
    number = 2
    while True:
        yield f"{name}-{number}"
        number += 1


def _hash(text: str) -> str:
    """Return a hash as a content security policy names an inline script or style."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _sort_key(cell: Cell) -> str | None:
    """Return the number that a cell is sorted by: its value, or its text if that is just a number."""
    value = cell.value
    if value is None and (found := _NUMBER.fullmatch(cell.text.strip())):
        value = float(found[2].replace(",", "")) * (-1.0 if found[1] in ("−", "-") else 1.0)
    return None if value is None or math.isnan(value) else repr(float(value)).replace("inf", "Infinity")


def _spreads(table: Table) -> set[int]:
    """Return the columns in which something follows a figure; every row has space for it."""
    return {i for row in table.rows for i, cell in enumerate(row) if cell.spread}


def _marks(table: Table) -> set[int]:
    """Return the columns in which a figure has a mark; every row has space for it."""
    return {i for row in table.rows for i, cell in enumerate(row) if cell.mark}


def _whisker(cell: Cell, scale: Scale) -> Markup:
    from markupsafe import Markup

    return Markup(drawn(cell.span, scale))


def _p_together(text: str) -> str:
    """Keep a p-value on one line: no-break spaces within ``p = 0.867``."""
    return _P_VALUE.sub("p\N{NO-BREAK SPACE}\\1\N{NO-BREAK SPACE}", text)


def _breakable(signature: str) -> Markup:
    """Return a signature that may be broken after its bars and colons."""
    from markupsafe import Markup, escape

    return Markup("<wbr>").join(escape(part) for part in re.split(r"(?<=[|:])(?=\S)", signature))


def _drawing(picture: Picture, prefix: str) -> Markup:
    from markupsafe import Markup

    from truegain.report.figures.inline import inline

    return Markup(inline(picture.draw(), prefix))


def _data(segments: Segments) -> Markup:
    from markupsafe import Markup

    from truegain.report.page_data import script_json, segments_data

    return Markup(script_json(segments_data(segments)))


def fragment(document: Document) -> str:
    """Render a document; everything is escaped, and methods are folded."""
    parts: list[str] = []
    folded: list[str] = []
    for item in document.items:
        if isinstance(item, Table):
            parts.append(_table(item))
        elif isinstance(item, Passages):
            parts.append(_passages(item))
        elif item.kind == "title":
            parts.append(f"<p><strong>{escape(item.text)}</strong></p>")
        elif item.kind == "signature":
            folded.append(f"<p><code>{escape(item.text)}</code></p>")
        elif item.kind in ("methods", "inputs"):
            folded.append(f"<p>{escape(item.text)}</p>")
        else:
            parts.append(f"<p>{escape(item.text)}</p>")
    if folded:
        parts.append(f"<details><summary>Methods</summary>{''.join(folded)}</details>")
    return '<div class="truegain">' + "".join(parts) + "</div>"


def _passages(passages: Passages) -> str:
    parts = [f"<p><strong>{escape(passages.caption)}</strong></p>"]
    for passage in passages.entries:
        lines = "".join(
            f"<dt>{escape(line.label)}</dt><dd>{''.join(_piece(piece) for piece in line.pieces)}</dd>"
            for line in passage.lines
        )
        parts.append(f"<p>{escape(passage.heading)}</p><dl>{lines}</dl>")
    return "".join(parts)


def _piece(piece: Piece) -> str:
    text = escape(piece.text)
    return f"<strong>{text}</strong>" if piece.tone in ("good", "bad", "strong") else text


def _table(table: Table) -> str:
    on_scale = scales(table)
    caption = f'<caption style="text-align:left">{escape(table.caption)}</caption>' if table.caption else ""
    head = "".join(f'<th style="text-align:{column.align}">{escape(column.heading)}</th>' for column in table.columns)
    bodies = ""
    for (heading, rows), own in zip(sections_of(table), on_scale, strict=True):
        first = f'<tr><th colspan="{len(table.columns)}" style="text-align:left">{escape(heading)}</th></tr>'
        body = "".join(f"<tr>{_row(table, row, own)}</tr>" for row in rows)
        bodies += f"<tbody>{first if heading else ''}{body}</tbody>"
    notes = "".join(f"<p><small>{escape(note)}</small></p>" for note in table.notes)
    return f"<table>{caption}<thead><tr>{head}</tr></thead>{bodies}</table>{notes}"


def _row(table: Table, row: Sequence[Cell], on_scale: dict[int, Scale]) -> str:
    cells = []
    for number, (column, cell) in enumerate(zip(table.columns, row, strict=True)):
        text = f"<strong>{escape(cell.text)}</strong>" if cell.tone == "strong" else escape(cell.text)
        text += "".join(f" {escape(tail)}" for tail in (cell.spread, cell.mark) if tail)
        picture = f" {drawn(cell.span, on_scale[number])}" if number in on_scale else ""
        cells.append(f'<td style="text-align:{column.align};white-space:nowrap">{text}{picture}</td>')
    return "".join(cells)
