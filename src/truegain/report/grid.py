"""Tables that fit a screen: which columns give way, and how, so that no figure is cut."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.text import Text

from truegain.report.model import Cell, Table, Tone

if TYPE_CHECKING:
    from rich.table import Table as RichTable

__all__ = ["pieces", "wrapped"]

_GAP = 2
_NAME_WIDTH = 12  # longer words of names are broken before a table is
# Rules under the headings and at breaks, and nothing else.
_RULES = "    \n    \n ── \n    \n ── \n    \n    \n    \n"


def pieces(table: Table, width: int, styles: dict[Tone, str]) -> Iterator[RichTable]:
    """Yield the table in as many parts as it takes, each with the first column.

    Headings are broken first, then names between words, then names within words.
    """
    columns = [_Width(table, number) for number in range(len(table.columns))]
    left = list(range(1, len(columns)))
    while True:
        count = len(left)
        while count > 1 and not _fits([columns[0].narrow, *(columns[i].narrow for i in left[:count])], width):
            count -= 1
        # A column without a heading belongs to the one before it.
        while count > 1 and count < len(left) and not table.columns[left[count]].heading:
            count -= 1
        shown = [0, *left[:count]]
        yield _grid(table, shown, _fitted([columns[i] for i in shown], width), styles)
        left = left[count:]
        if not left:
            return


class _Width:
    """Width of a column: what it would like, and what it can do with."""

    def __init__(self, table: Table, number: int) -> None:
        column = table.columns[number]
        cells = [row[number] for row in table.rows]
        self.figure = max((cell_len(cell.text) for cell in cells), default=0)
        self.spread = max((cell_len(_after(cell.spread)) for cell in cells), default=0)
        self.mark = max((cell_len(_after(cell.mark)) for cell in cells), default=0)
        body = self.figure + self.spread + self.mark
        # Headings stand over the figures, not over the marks.
        heading = max(map(cell_len, column.heading.split(" "))) + self.mark
        self.natural = max(body, cell_len(column.heading) + self.mark)
        self.tight = self.word = self.narrow = max(body, heading)
        if column.align == "left":
            words = (cell_len(word) for cell in cells for word in cell.text.split(" "))
            self.word = max(heading, *words, 0)
            self.narrow = min(self.word, _NAME_WIDTH)


def _fits(widths: Sequence[int], width: int) -> bool:
    return sum(widths) + _GAP * (len(widths) - 1) <= width


def _fitted(columns: Sequence[_Width], width: int) -> list[int]:
    """Return widths that fit, if there are any: the column with most to spare gives first."""
    steps: tuple[Callable[[_Width], int], ...] = (
        lambda one: one.natural,
        lambda one: one.tight,
        lambda one: one.word,
        lambda one: one.narrow,
    )
    widths = [one.natural for one in columns]
    for step in steps:
        least = [step(one) for one in columns]
        while not _fits(widths, width):
            spare = [now - low for now, low in zip(widths, least, strict=True)]
            if max(spare) <= 0:
                break
            widths[spare.index(max(spare))] -= 1
    return widths


def _grid(table: Table, shown: Sequence[int], widths: Sequence[int], styles: dict[Tone, str]) -> RichTable:
    from rich.box import Box
    from rich.table import Table as RichTable

    box = Box(_RULES) if table.breaks else None
    grid = RichTable(
        box=box,
        show_edge=False,
        pad_edge=False,
        padding=(0, _GAP - (box is not None), 0, 0),
        header_style="bold",
    )
    parts = [_Width(table, i) for i in shown]
    headings = [
        wrapped(table.columns[i].heading, width - part.mark)
        for i, width, part in zip(shown, widths, parts, strict=True)
    ]
    tallest = max(map(len, headings))
    for i, width, lines, part in zip(shown, widths, headings, parts, strict=True):
        left = table.columns[i].align == "left"
        lines = [line if left else " " * (width - part.mark - cell_len(line)) + line for line in lines]
        grid.add_column(
            Text("\n".join([""] * (tallest - len(lines)) + lines), overflow="fold"),
            justify="left" if left or part.spread or part.mark else "right",
            width=width,
            no_wrap=not left,
            overflow="fold" if left else "ellipsis",
        )
    for number, row in enumerate(table.rows):
        if number and number in table.breaks:
            grid.add_section()
        cells = (_cell(row[i], part, w, styles) for i, part, w in zip(shown, parts, widths, strict=True))
        grid.add_row(*cells)
    return grid


def _cell(cell: Cell, column: _Width, width: int, styles: dict[Tone, str]) -> Text:
    """Return a figure, its spread and its mark, each under those of the other rows."""
    text = Text(cell.text, style=styles[cell.tone])
    if not column.spread and not column.mark:
        return text
    text = Text.assemble(" " * (width - column.mark - column.spread - cell_len(cell.text)), text)
    for tail, room in ((cell.spread, column.spread), (cell.mark, column.mark)):
        text.append(_after(tail) + " " * (room - cell_len(_after(tail))))
    return text


def _after(tail: str) -> str:
    return f" {tail}" if tail else ""


# Spaces within "95 %", "0.1 – 0.2", "p < 0.001": what belongs together stays in one line.
_GLUE = r"(?<=\d) (?=%)|(?<=\d) (?=– )|(?<=\d –) (?=[+−\d])|(?<=\bp) (?=[<=≤] )|(?<=p [<=≤]) (?=\d)"
_BREAKS = re.compile(rf"(?:{_GLUE})|( )")


def wrapped(text: str, width: int, breaks: re.Pattern[str] = _BREAKS) -> list[str]:
    """Return lines of at most ``width`` cells, if there are places to break: the groups of ``breaks``."""
    places = [match.end() for match in breaks.finditer(text) if match.group(1)]
    words = [text[a:b] for a, b in zip([0, *places], [*places, len(text)], strict=True)]
    lines = [""]
    for word in words:
        if lines[-1] and cell_len(lines[-1] + word.rstrip(" ")) > width:
            lines[-1] = lines[-1].rstrip(" ")
            lines.append("")
        lines[-1] += word
    return lines
