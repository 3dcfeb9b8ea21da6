"""Documents in a terminal: lines of our own, which rich colours on a screen."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from rich.cells import cell_len

from truegain.printable import printable_parts
from truegain.report.grid import STYLES, Line, flat, folded, grid_lines, wrapped
from truegain.report.model import Document, Paragraph, Passages, Table

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType, RenderResult

_SIGNATURE_BREAKS = re.compile(r"([ |])")
_STYLES = {"title": "bold", "signature": "dim", "ending": "dim"}
_INDENT = 2


#: Kinds of items that a screen leaves out unless they are asked for.
METHODS, FURTHER = frozenset(("methods", "inputs", "signature")), frozenset(("further",))


_LEFT_OUT = METHODS | FURTHER | {"title"}


def renderable(document: Document, also: Collection[str] = ()) -> RenderableType:
    """Return what rich can print, as wide as its console; ``also`` kinds of items that screens leave out."""
    return _Screen(document, also)


class _Screen:
    def __init__(self, document: Document, also: Collection[str]) -> None:
        self.document = document
        self.also = also

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from rich.text import Text

        for line in _lines(self.document, options.max_width, self.also):
            # What is too wide for a very narrow screen goes on in the next line: rich would cut it off.
            shown = Text.assemble(*line, overflow="fold")
            shown.rstrip()
            yield shown


def text(document: Document, width: int = 100, also: Collection[str] = ()) -> str:
    """Render without colours, for files and pipes; ``also`` kinds of items that screens leave out."""
    return "".join("".join(part for part, _ in line).rstrip() + "\n" for line in _lines(document, width, also))


def _lines(document: Document, width: int, also: Collection[str]) -> Iterator[Line]:
    previous: Table | Paragraph | Passages | None = None
    for item in printable_parts(document.items):
        if item_kind(item) in _LEFT_OUT.difference(also):
            continue
        if previous is not None and not _runs_on(previous, item):
            yield []
        if isinstance(item, Table):
            yield from grid_lines(item, width)
            if item.notes:
                yield []
            for note in item.notes:
                yield from _prose(note, "dim", width)
        elif isinstance(item, Passages):
            yield from _passages(item, width)
        else:
            style = _STYLES.get(item.kind, STYLES[item.tone])
            places = {"breaks": _SIGNATURE_BREAKS} if item.kind == "signature" else {}
            yield from _prose(item.text, style, width, **places)
        previous = item


def _runs_on(previous: Table | Paragraph | Passages, item: Table | Paragraph | Passages) -> bool:
    """Return whether sentences are of one kind and stand together, without a blank line between them."""
    kinds = item_kind(previous), item_kind(item)
    return isinstance(previous, Paragraph) and (kinds[0] == kinds[1] or kinds == ("remark", "ending"))


def item_kind(item: Table | Paragraph | Passages) -> str:
    """Return what a paragraph is for; of a table what it is."""
    return getattr(item, "kind", "")


def _prose(text: str, style: str, width: int, **places: re.Pattern[str]) -> Iterator[Line]:
    """Yield sentences, broken between phrases."""
    for part in text.expandtabs().split("\n"):
        for line in wrapped(part, width, **places):
            yield from folded([(line, style)], width)


def _passages(passages: Passages, width: int) -> Iterator[Line]:
    yield from folded([(flat(passages.caption), "bold")], width)
    for passage in passages.entries:
        yield []
        yield from folded([(flat(passage.heading), "")], width)
        room = max((cell_len(flat(line.label)) for line in passage.lines), default=0) + 1
        for line in passage.lines:
            pieces = [(flat(piece.text), STYLES[piece.tone]) for piece in line.pieces]
            label = flat(line.label)
            for words in folded(pieces, max(width - _INDENT - room, 1)):
                yield [(" " * _INDENT, ""), (label + " " * (room - cell_len(label)), "dim"), *words]
                label = ""
