"""Reports as a page of HTML in one file, and documents as a fragment for notebooks."""

from __future__ import annotations

import itertools
import math
import re
from base64 import b64encode
from collections.abc import Iterator, Sequence
from functools import cache
from hashlib import sha256
from html import escape
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from truegain.report.model import Cell, Document, Paragraph, Passages, Table
from truegain.report.page import Item, Picture, Report, Segments, script_json, segments_data
from truegain.report.whiskers import Scale, drawn, scales, sections_of

if TYPE_CHECKING:
    from jinja2 import Template

_NUMBER = re.compile(r"[<>≤≥]?\s?([+−-]?)((?:\d[\d,]*(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?)(?:\s?%)?", re.ASCII)
_P_VALUE = re.compile(r"\bp ([=<>≤≥]) (?=\.?\d)")
# What can stand side by side or in a list is gathered.
_GATHERED = ("headline", "remark", "ending", "inputs", "signature", "picture", "table")


def page(report: Report) -> str:
    """Render a report as one file that needs nothing else: no network, no other file.

    Its policy lets it run its own script and use its own style alone, so nothing in users' names and texts can become
    either; and these are escaped besides. The same report gives the same bytes.
    """
    template, style, script = _template()
    hashes = [b64encode(sha256(text.encode()).digest()).decode() for text in (script, style)]
    policy = (
        f"default-src 'none'; script-src 'sha256-{hashes[0]}'; style-src 'sha256-{hashes[1]}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    parts = list(_parts(report))
    return template.render(report=report, parts=parts, policy=policy, style=style, script=script)


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
    environment.filters.update(sort_key=_sort_key, drawing=_drawing, data=_data)
    environment.filters.update(breakable=_breakable, p_together=_p_together)
    environment.globals.update(scales=scales, sections_of=sections_of, tailed=_tailed, whisker=drawn)
    return environment.from_string(source), style, script


def _parts(report: Report) -> Iterator[SimpleNamespace]:
    """Yield the sections, each with the name of its place, and with runs of items that are shown in one way."""
    taken = {"content", "said"}  # ids of the page itself; all others of its own have a full stop in them
    numbers = itertools.count(1)
    for place, section in enumerate(report.sections, 1):
        anchor = "-".join(re.findall(r"\w+", section.heading.lower())) or "section"
        if anchor in taken:
            anchor += f"-{place}"
        taken.add(anchor)
        blocks = []
        for kind, alike in itertools.groupby(section.items, key=_kind):
            items = tuple(alike)
            groups = [items] if kind in _GATHERED else [(item,) for item in items]
            blocks += [SimpleNamespace(kind=kind, items=group, number=next(numbers)) for group in groups]
        yield SimpleNamespace(anchor=anchor, heading=section.heading, blocks=blocks, folded=section.folded)


def _kind(item: Item) -> str:
    return item.kind if isinstance(item, Paragraph) else type(item).__name__.lower()


def _sort_key(cell: Cell) -> str | None:
    """Return the number that a cell is sorted by: its value, or its text if that is just a number."""
    value = cell.value
    if value is None and (found := _NUMBER.fullmatch(cell.text.strip())):
        value = float(found[2].replace(",", "")) * (-1.0 if found[1] in ("−", "-") else 1.0)
    return None if value is None or math.isnan(value) else repr(float(value)).replace("inf", "Infinity")


def _tailed(table: Table) -> set[int]:
    """Return the columns in which something follows a figure; every row has space for it."""
    return {i for row in table.rows for i, cell in enumerate(row) if cell.spread or cell.mark}


def _p_together(text: str) -> str:
    """Keep a p-value on one line: no-break spaces within ``p = 0.867``."""
    return _P_VALUE.sub("p\N{NO-BREAK SPACE}\\1\N{NO-BREAK SPACE}", text)


def _breakable(signature: str) -> str:
    """Return a signature, escaped, that may be broken after its bars and colons."""
    return "<wbr>".join(escape(part) for part in re.split(r"(?<=[|:])(?=\S)", signature))


def _drawing(picture: Picture) -> dict[str, Any]:
    """Return a figure as an image in the page: a point is 5/3 pixels, so that small print can be read on a screen."""
    from truegain.report.figures.style import rendered

    drawing = picture.draw()
    width, height = (round(120 * inches) for inches in drawing.figure.get_size_inches())
    svg = b64encode(rendered(drawing.figure, "svg")).decode()
    return {"alt": drawing.alt, "width": width, "height": height, "svg": svg}


def _data(segments: Segments) -> str:
    return script_json(segments_data(segments))


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
        elif item.kind in ("methods", "inputs", "signature"):
            folded.append(f"<p>{escape(item.text)}</p>")
        else:
            parts.append(f"<p>{escape(item.text)}</p>")
    if folded:
        parts.append(f"<details><summary>Methods</summary>{''.join(folded)}</details>")
    return f'<div class="truegain">{"".join(parts)}</div>'


def _passages(passages: Passages) -> str:
    parts = [f"<p><strong>{escape(passages.caption)}</strong></p>"]
    for passage in passages.entries:
        lines = []
        for line in passage.lines:
            pieces = [_strong(piece.text, piece.tone in ("good", "bad", "strong")) for piece in line.pieces]
            lines.append(f"<dt>{escape(line.label)}</dt><dd>{''.join(pieces)}</dd>")
        parts.append(f"<p>{escape(passage.heading)}</p><dl>{''.join(lines)}</dl>")
    return "".join(parts)


def _strong(text: str, is_strong: bool) -> str:
    return f"<strong>{escape(text)}</strong>" if is_strong else escape(text)


def _table(table: Table) -> str:
    caption = f'<caption style="text-align:left">{escape(table.caption)}</caption>' if table.caption else ""
    head = "".join(f'<th style="text-align:{column.align}">{escape(column.heading)}</th>' for column in table.columns)
    bodies = []
    for (heading, rows), scale in zip(sections_of(table), scales(table), strict=True):
        lines = [f"<tr>{_row(table, row, scale)}</tr>" for row in rows]
        if heading:
            across = f'<th colspan="{len(table.columns)}" style="text-align:left">{escape(heading)}</th>'
            lines.insert(0, f"<tr>{across}</tr>")
        bodies.append(f"<tbody>{''.join(lines)}</tbody>")
    notes = "".join(f"<p><small>{escape(note)}</small></p>" for note in table.notes)
    return f"<table>{caption}<thead><tr>{head}</tr></thead>{''.join(bodies)}</table>{notes}"


def _row(table: Table, row: Sequence[Cell], on_scale: dict[int, Scale]) -> str:
    cells = []
    for number, (column, cell) in enumerate(zip(table.columns, row, strict=True)):
        parts = [_strong(cell.text, cell.tone == "strong"), escape(cell.spread), escape(cell.mark)]
        if number in on_scale:
            parts.append(drawn(cell.span, on_scale[number]))
        text = " ".join(filter(None, parts))
        cells.append(f'<td style="text-align:{column.align};white-space:nowrap">{text}</td>')
    return "".join(cells)
