"""Documents in a terminal, by rich."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from truegain.printable import printable_parts
from truegain.report.model import Document, Paragraph, Passages, Table, Tone

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType, RenderResult

__all__ = ["renderable", "text"]

_STYLES: dict[Tone, str] = {"plain": "", "good": "green", "bad": "red", "quiet": "dim", "strong": "bold"}
_SIGNATURE_BREAKS = re.compile(r"([ |])")


def renderable(document: Document) -> RenderableType:
    """Return what rich can print."""
    from rich.console import Group
    from rich.text import Text

    parts: list[RenderableType] = []
    previous: Table | Paragraph | Passages | None = None
    for item in printable_parts(document.items):
        if previous is not None and not _runs_on(previous, item):
            parts.append(Text(""))
        if isinstance(item, Table):
            parts.append(_Grid(item))
            parts.extend([Text("")] if item.notes else [])
            parts.extend(_Prose(note, "dim") for note in item.notes)
        elif isinstance(item, Passages):
            parts.append(_passages(item))
        else:
            style = "bold" if item.kind == "title" else "dim" if item.kind == "signature" else _STYLES[item.tone]
            parts.append(_Prose(item.text, style, signature=item.kind == "signature"))
        previous = item
    return Group(*parts)


def _runs_on(previous: Table | Paragraph | Passages, item: Table | Paragraph | Passages) -> bool:
    """Return whether sentences are of one kind and stand together, without a blank line between them."""
    return isinstance(previous, Paragraph) and isinstance(item, Paragraph) and previous.kind == item.kind


class _Prose:
    """Sentences, broken between phrases."""

    def __init__(self, text: str, style: str, *, signature: bool = False) -> None:
        self.text, self.style, self.signature = text, style, signature

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from rich.text import Text

        from truegain.report.grid import wrapped

        places = {"breaks": _SIGNATURE_BREAKS} if self.signature else {}
        lines = [line for part in self.text.split("\n") for line in wrapped(part, options.max_width, **places)]
        yield Text("\n".join(lines), style=self.style, overflow="fold")


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


class _Grid:
    """Table that fits: in pieces, one under the other, if it is too wide for the screen."""

    def __init__(self, table: Table) -> None:
        self.table = table

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from rich.text import Text

        from truegain.report.grid import pieces

        for number, piece in enumerate(pieces(self.table, options.max_width, _STYLES)):
            if number:
                yield Text("")
            yield piece


def text(document: Document, width: int = 100) -> str:
    """Render without colours, for files and pipes."""
    from io import StringIO

    from rich.console import Console

    stream = StringIO()
    # In a notebook rich would show the text itself, and leave the stream empty.
    console = Console(
        file=stream, width=width, no_color=True, highlight=False, force_terminal=False, force_jupyter=False
    )
    console.print(renderable(document))
    return "\n".join(line.rstrip() for line in stream.getvalue().removesuffix("\n").split("\n")) + "\n"
