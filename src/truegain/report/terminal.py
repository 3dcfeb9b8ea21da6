"""Documents in a terminal, by rich."""

from __future__ import annotations

from typing import TYPE_CHECKING

from truegain.report.model import Document, Paragraph, Passages, Table, Tone

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["renderable", "text"]

_NAME_WIDTH = 12  # in a narrow terminal numbers give way before names do
_STYLES: dict[Tone, str] = {"plain": "", "good": "green", "bad": "red", "quiet": "dim", "strong": "bold"}


def renderable(document: Document) -> RenderableType:
    """What rich can print."""
    from rich.console import Group
    from rich.padding import Padding
    from rich.text import Text

    parts: list[RenderableType] = []
    previous: Table | Paragraph | Passages | None = None
    for item in document.items:
        if previous is not None and not _runs_on(previous, item):
            parts.append(Text(""))
        if isinstance(item, Table):
            parts.append(Padding(_table(item), (0, 0)))
        elif isinstance(item, Passages):
            parts.append(_passages(item))
        else:
            style = "bold" if item.kind == "title" else "dim" if item.kind == "signature" else _STYLES[item.tone]
            parts.append(Text(item.text, style=style))
        previous = item
    return Group(*parts)


def _runs_on(previous: Table | Paragraph | Passages, item: Table | Paragraph | Passages) -> bool:
    """Sentences of one kind stand together, without a blank line between them."""
    return isinstance(previous, Paragraph) and isinstance(item, Paragraph) and previous.kind == item.kind


def _table(table: Table) -> RenderableType:
    from rich.table import Table as RichTable
    from rich.text import Text

    grid = RichTable(box=None, show_edge=False, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for i, column in enumerate(table.columns):
        left = column.align == "left"
        grid.add_column(
            Text(column.heading),
            justify="left" if left else "right",
            no_wrap=not left,
            overflow="fold" if left else "ellipsis",
            min_width=min(_NAME_WIDTH, _widest(table, i)) if left else None,
        )
    for row in table.rows:
        grid.add_row(*(Text(cell.text, style=_STYLES[cell.tone]) for cell in row))
    return grid


def _passages(passages: Passages) -> RenderableType:
    from rich.console import Group
    from rich.padding import Padding
    from rich.table import Table as RichTable
    from rich.text import Text

    parts: list[RenderableType] = [Text(passages.caption, style="bold")]
    for passage in passages.entries:
        grid = RichTable.grid(padding=(0, 1, 0, 0))
        grid.add_column(style="dim", no_wrap=True)
        grid.add_column(overflow="fold")
        for line in passage.lines:
            words = Text.assemble(*((piece.text, _STYLES[piece.tone]) for piece in line.pieces))
            grid.add_row(Text(line.label), words)
        parts += [Text(""), Text(passage.heading), Padding(grid, (0, 0, 0, 2))]
    return Group(*parts)


def _widest(table: Table, column: int) -> int:
    return max((len(row[column].text) for row in table.rows), default=0)


def text(document: Document, width: int = 100) -> str:
    """The same without colours, for files and pipes."""
    from io import StringIO

    from rich.console import Console

    stream = StringIO()
    Console(file=stream, width=width, no_color=True, highlight=False, force_terminal=False).print(renderable(document))
    return "\n".join(line.rstrip() for line in stream.getvalue().removesuffix("\n").split("\n")) + "\n"
