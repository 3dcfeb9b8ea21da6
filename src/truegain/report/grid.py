"""Tables that fit a screen: which columns give way, and how, so that no figure is cut."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from rich.cells import cell_len, chop_cells

from truegain.notes import Tone
from truegain.report.model import Cell, Table
from truegain.report.strips import with_strips

#: Texts that follow one another in a line, each with its style.
Line = list[tuple[str, str]]

#: Styles of tones, by rich's names.
STYLES: dict[Tone, str] = {
    "plain": "",
    "good": "green",
    "bad": "red",
    "warning": "yellow",
    "undecided": "",
    "quiet": "dim",
    "strong": "bold",
}

_BLANKS = str.maketrans("\t\n\r", "   ")
_GAP = 2
_NAME_WIDTH = 12  # longer words of names are broken before a table is


def grid_lines(table: Table, width: int) -> Iterator[Line]:
    """Yield the lines of a table, in as many parts as it takes, each with the first column.

    Headings are broken first, then names between words, then names within words.
    """
    table = _in_single_lines(table)
    used = sum(_Width(table, number).natural + _GAP for number in range(len(table.columns)))
    table = with_strips(table, width - used)
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
        yield from _part(table, shown, _fitted([columns[i] for i in shown], width))
        left = left[count:]
        if not left:
            return
        yield []


def flat(text: str) -> str:
    """Return a text with blanks for its tabs and line ends, which would break the columns."""
    return text.translate(_BLANKS)


def _in_single_lines(table: Table) -> Table:
    """Return a table whose cells have no line ends; names within sections are indented."""
    indents = ["  " if table.sections else "", *[""] * (len(table.columns) - 1)]
    return replace(
        table,
        columns=tuple(replace(column, heading=flat(column.heading)) for column in table.columns),
        rows=tuple(
            tuple(
                replace(cell, text=indent + flat(cell.text), spread=flat(cell.spread), mark=flat(cell.mark))
                for indent, cell in zip(indents, row, strict=True)
            )
            for row in table.rows
        ),
    )


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
        self.natural = max(body, cell_len(column.heading) + self.mark, 1)
        self.tight = self.word = self.narrow = max(body, heading, 1)
        if column.align == "left":
            words = (cell_len(word) for cell in cells for word in cell.text.split(" "))
            self.word = max(heading, *words, 1)
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


def _part(table: Table, shown: Sequence[int], widths: Sequence[int]) -> Iterator[Line]:
    """Yield the lines of some columns; rules stand under the headings and at breaks, if there are breaks."""
    parts = [_Width(table, i) for i in shown]
    rule: Line = [("─" * (sum(widths) + _GAP * (len(widths) - 1)), "")]
    headings = [_heading(table, i, part, width) for i, part, width in zip(shown, parts, widths, strict=True)]
    tallest = max(map(len, headings))
    yield from _side_by_side([[[]] * (tallest - len(lines)) + lines for lines in headings], widths)
    if table.breaks:
        yield rule
    sections = dict(table.sections[1:])
    for number, row in enumerate(table.rows):
        if number in sections:
            yield [(flat(sections[number]), "bold")]
        elif number and number in table.breaks:
            yield rule
        yield from _side_by_side(
            [
                _cell(row[i], part, width, left=table.columns[i].align == "left")
                for i, part, width in zip(shown, parts, widths, strict=True)
            ],
            widths,
        )


def _side_by_side(cells: Sequence[Sequence[Line]], widths: Sequence[int]) -> Iterator[Line]:
    """Yield the lines of a row, whose cells have one line or several."""
    for number in range(max(map(len, cells))):
        line: Line = []
        for lines, width in zip(cells, widths, strict=True):
            own = lines[number] if number < len(lines) else []
            line += [*own, (" " * (width - _width(own) + _GAP), "")]
        yield line


def _heading(table: Table, number: int, part: _Width, width: int) -> list[Line]:
    column, room = table.columns[number], width - part.mark
    words = column.heading.rstrip()
    lines = [line for text in wrapped(words, room) for line in folded([(text, "bold")], width)]
    if column.align == "left":
        return lines
    return [[(" " * (room - _width(line)), ""), *line] for line in lines]


def _cell(cell: Cell, column: _Width, width: int, *, left: bool) -> list[Line]:
    """Return a figure, its spread and its mark, each under those of the other rows."""
    tails = [
        (_after(tail) + " " * (room - cell_len(_after(tail))), "")
        for tail, room in ((cell.spread, column.spread), (cell.mark, column.mark))
    ]
    text = (cell.text, STYLES[cell.tone])
    if left and not column.spread and not column.mark:
        return folded([text], width)
    before = width - column.mark - column.spread - cell_len(text[0])
    line: Line = [(" " * before, ""), text, *tails]
    return folded(line, width) if left else [line]


def _width(line: Line) -> int:
    return sum(cell_len(text) for text, _ in line)


def _after(tail: str) -> str:
    return f" {tail}" if tail else ""


# Spaces within "95 %", "0.1 – 0.2", "p < 0.001": what belongs together stays in one line.
_GLUE = r"(?<=\d) (?=%)|(?<=\d) (?=– )|(?<=\d –) (?=[+−\d])|(?<=\bp) (?=[<=≤] )|(?<=p [<=≤]) (?=\d)"
_BREAKS = re.compile(rf"(?:{_GLUE})|( )")
_WORDS = re.compile(r"\s*\S+\s*|\s+")


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


def folded(pieces: Line, width: int) -> list[Line]:
    """Break texts between words, and words that are wider than a line within them; styles stay with their texts."""
    ends = _line_ends("".join(text for text, _ in pieces), width)
    lines: list[Line] = [[]]
    place = 0
    for text, style in pieces:
        begin, place = place, place + len(text)
        while ends and ends[0] < place:
            lines[-1].append((text[: ends[0] - begin], style))
            text, begin = text[ends[0] - begin :], ends.pop(0)
            lines.append([])
        lines[-1].append((text, style))
    return lines


def _line_ends(text: str, width: int) -> list[int]:
    """Return where lines end, but for the last one."""
    ends = []
    used = 0
    for match in _WORDS.finditer(text):
        word, room = match.group(), cell_len(match.group().rstrip())
        if used and used + room > width:
            ends.append(match.start())
            used = 0
        *full, rest = chop_cells(word, width) if room > width else [word]
        ends += itertools.accumulate(map(len, full[1:]), initial=match.start() + len(full[0])) if full else []
        used += cell_len(rest)
    return ends
