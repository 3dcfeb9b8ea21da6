"""Documents in a terminal: lines of our own, which rich colours on a screen, and tables that fit it."""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.cells import cell_len, chop_cells

from truegain.errors import printable_parts
from truegain.report.model import Document, Paragraph, Passages, Table

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType, RenderResult

#: Texts that follow one another in a line, each with its style.
Line = list[tuple[str, str]]

#: Styles of tones, by rich's names; others are plain.
_STYLES: dict[str, str] = {"good": "green", "bad": "red", "warning": "yellow", "quiet": "dim", "strong": "bold"}
_BLANKS = str.maketrans("\t\n\r", "   ")
_GAP = 2
_NAME_WIDTH = 12  # longer words of names are broken before a table is
_SIGNATURE_BREAKS = re.compile(r"([ |])")
_KINDS = {"title": "bold", "ending": "dim"}
_INDENT = 2

#: Kinds of items that a screen leaves out unless they are asked for.
METHODS, FURTHER = frozenset(("methods", "inputs", "signature")), frozenset(("further",))
_LEFT_OUT = METHODS | FURTHER | {"title"}


def renderable(document: Document, also: Collection[str] = ()) -> RenderableType:
    """Return what rich can print, as wide as its console; ``also`` kinds of items that screens leave out."""
    return _Screen(document, also)


@dataclass
class _Screen:
    document: Document
    also: Collection[str]

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
    previous = ""
    for item in printable_parts(document.items):
        kind = getattr(item, "kind", "passages")
        if kind in _LEFT_OUT.difference(also):
            continue
        # Sentences of one kind stand together, without a blank line between them.
        runs_on = isinstance(item, Paragraph) and (previous == kind or (previous, kind) == ("remark", "ending"))
        if previous and not runs_on:
            yield []
        if isinstance(item, Table):
            yield from _table(item, width)
            yield from [[]] * bool(item.notes)
            for note in item.notes:
                yield from _prose(note, "dim", width)
        elif isinstance(item, Passages):
            yield from _passages(item, width)
        elif kind == "signature":
            yield from _prose(item.text, "dim", width, breaks=_SIGNATURE_BREAKS)
        else:
            yield from _prose(item.text, _KINDS.get(kind, _STYLES.get(item.tone, "")), width)
        previous = kind


def _prose(text: str, style: str, width: int, **places: re.Pattern[str]) -> Iterator[Line]:
    """Yield sentences, broken between phrases."""
    for part in text.expandtabs().split("\n"):
        for line in wrapped(part, width, **places):
            yield from folded([(line, style)], width)


def _passages(passages: Passages, width: int) -> Iterator[Line]:
    yield from folded([(_flat(passages.caption), "bold")], width)
    for passage in passages.entries:
        yield []
        yield from folded([(_flat(passage.heading), "")], width)
        room = max((cell_len(_flat(line.label)) for line in passage.lines), default=0) + 1
        for line in passage.lines:
            pieces = [(_flat(piece.text), _STYLES.get(piece.tone, "")) for piece in line.pieces]
            label = _flat(line.label)
            for words in folded(pieces, max(width - _INDENT - room, 1)):
                yield [(" " * _INDENT, ""), (label + " " * (room - cell_len(label)), "dim"), *words]
                label = ""


def _flat(text: str) -> str:
    """Return a text with blanks for its tabs and line ends, which would break the columns."""
    return text.translate(_BLANKS)


def _table(table: Table, width: int) -> Iterator[Line]:
    """Yield the lines of a table, in as many parts as it takes, each with the first column.

    Headings are broken first, then names between words, then names within words.
    """
    used = sum(_Column(table, number).widths[0] + _GAP for number in range(len(table.columns)))
    if len(table.rows) > 2:
        from truegain.report.whiskers import with_strips

        table = with_strips(table, width - used)
    first, *left = [_Column(table, number) for number in range(len(table.columns))]
    while True:
        count = len(left)
        while count > 1 and not _fits([column.widths[-1] for column in (first, *left[:count])], width):
            count -= 1
        # A column without a heading belongs to the one before it.
        while count > 1 and count < len(left) and not left[count].heading:
            count -= 1
        yield from _part(table, [first, *left[:count]], width)
        left = left[count:]
        if not left:
            return
        yield []


class _Column:
    """A column: its texts without line ends, and its widths from what it would like to what it can do with."""

    def __init__(self, table: Table, number: int) -> None:
        column = table.columns[number]
        # Names within sections are indented.
        indent = "  " if table.sections and number == 0 else ""
        self.left = column.align == "left"
        self.heading = _flat(column.heading).rstrip()
        self.cells = [
            (indent + _flat(cell.text), _after(cell.spread), _after(cell.mark), _STYLES.get(cell.tone, ""))
            for cell in (row[number] for row in table.rows)
        ]
        figure, self.spread, self.mark = (max((cell_len(cell[i]) for cell in self.cells), default=0) for i in range(3))
        body = max(figure + self.spread + self.mark, 1)
        # Headings stand over the figures, not over the marks.
        heading = max(map(cell_len, self.heading.split(" "))) + self.mark
        word = max(body, heading)
        if self.left:
            word = max([heading, 1, *(cell_len(part) for text, *_ in self.cells for part in text.split(" "))])
        narrow = min(word, _NAME_WIDTH) if self.left else word
        self.widths = (max(body, cell_len(self.heading) + self.mark), max(body, heading), word, narrow)

    def heading_lines(self, width: int) -> list[Line]:
        room = width - self.mark
        lines = [line for text in wrapped(self.heading, room) for line in folded([(text, "bold")], width)]
        return lines if self.left else [[(" " * (room - _width(line)), ""), *line] for line in lines]

    def cell_lines(self, row: int, width: int) -> list[Line]:
        """Return a figure, its spread and its mark, each under those of the other rows."""
        text, spread, mark, style = self.cells[row]
        if self.left and not self.spread and not self.mark:
            return folded([(text, style)], width)
        before = " " * (width - self.mark - self.spread - cell_len(text))
        line: Line = [(before, ""), (text, style), (_padded(spread, self.spread), ""), (_padded(mark, self.mark), "")]
        return folded(line, width) if self.left else [line]


def _fits(widths: Sequence[int], width: int) -> bool:
    return sum(widths) + _GAP * (len(widths) - 1) <= width


def _fitted(columns: Sequence[_Column], width: int) -> list[int]:
    """Return widths that fit, if there are any: the column with most to spare gives first."""
    widths = [column.widths[0] for column in columns]
    for step in range(1, 4):
        while not _fits(widths, width):
            spare = [now - column.widths[step] for now, column in zip(widths, columns, strict=True)]
            if max(spare) <= 0:
                break
            widths[spare.index(max(spare))] -= 1
    return widths


def _part(table: Table, columns: Sequence[_Column], width: int) -> Iterator[Line]:
    """Yield the lines of some columns; rules stand under the headings and at breaks, if there are breaks."""
    widths = _fitted(columns, width)
    rule: Line = [("─" * (sum(widths) + _GAP * (len(widths) - 1)), "")]
    headings = [column.heading_lines(room) for column, room in zip(columns, widths, strict=True)]
    tallest = max(map(len, headings))
    yield from _side_by_side([[[]] * (tallest - len(lines)) + lines for lines in headings], widths)
    if table.breaks:
        yield rule
    sections = dict(table.sections[1:])
    for row in range(len(table.rows)):
        if row in sections:
            yield [(_flat(sections[row]), "bold")]
        elif row and row in table.breaks:
            yield rule
        cells = [column.cell_lines(row, room) for column, room in zip(columns, widths, strict=True)]
        yield from _side_by_side(cells, widths)


def _side_by_side(cells: Sequence[Sequence[Line]], widths: Sequence[int]) -> Iterator[Line]:
    """Yield the lines of a row, whose cells have one line or several."""
    for lines in itertools.zip_longest(*cells, fillvalue=[]):
        line: Line = []
        for part, width in zip(lines, widths, strict=True):
            line += [*part, (" " * (width - _width(part) + _GAP), "")]
        yield line


def _width(line: Line) -> int:
    return sum(cell_len(text) for text, _ in line)


def _after(tail: str) -> str:
    return f" {_flat(tail)}" if tail else ""


def _padded(text: str, width: int) -> str:
    return text + " " * (width - cell_len(text))


# Spaces within "95 %", "0.1 – 0.2", "p < 0.001": what belongs together stays in one line.
_GLUE = r"(?<=\d) (?=%)|(?<=\d) (?=– )|(?<=\d –) (?=[+−\d])|(?<=\bp) (?=[<=≤] )|(?<=p [<=≤]) (?=\d)"
_BREAKS = re.compile(rf"(?:{_GLUE})|( )")
_WORDS = re.compile(r"\s*\S+\s*|\s+")


def wrapped(text: str, width: int, breaks: re.Pattern[str] = _BREAKS) -> list[str]:
    """Return lines of at most ``width`` cells, if there are places to break: the groups of ``breaks``."""
    places = [match.end() for match in breaks.finditer(text) if match.group(1)]
    lines = [""]
    for start, end in itertools.pairwise([0, *places, len(text)]):
        word = text[start:end]
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
        place = match.start()
        for part in full:
            place += len(part)
            ends.append(place)
        used += cell_len(rest)
    return ends
