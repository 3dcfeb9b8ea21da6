"""Tables separated by commas or semicolons, with a header: fields in double quotes may hold both, and line feeds."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from truegain.errors import InputError
from truegain.notes import Note
from truegain.readers.field_columns import FieldColumn, joined_lines, split_columns
from truegain.readers.formats import File, Format, Layout
from truegain.readers.plain import Lines, ending
from truegain.readers.score_values import check_header, is_header
from truegain.readers.scores import ScoreTable, scores_of_table
from truegain.readers.tabular import Table, check_column_names, column_builders, table_text

_ENDING = ".csv"  # of files that are tables whatever is done with them
_SEPARATORS = ",;"
_ROWS = 1 << 12  # of quoted fields that are turned into columns at once
_FIELD = 1 << 17  # characters of a field, above which the csv module refuses it
_UNCLOSED = "is a double quote not closed? One inside a field is written twice"


def _separator(lines: Sequence[str], name: str) -> str | None:
    """Return what separates the names in the first line; None if they are separated by tabs, or there is one name.

    Raises
    ------
    InputError
        If the line can be cut at commas, and at semicolons.
    """
    if "\t" in lines[0]:
        return None
    found = [mark for mark in _SEPARATORS if len(_fields(lines[0], mark)) > 1]
    if len(found) > 1:
        raise InputError(
            "are the columns separated by commas or by semicolons? Its header has both",
            path=name,
            line=1,
            hint="put names that hold one of the two into double quotes",
        )
    return found[0] if found else None


def _fields(line: str, separator: str) -> list[str]:
    import csv  # most files are no such table

    try:
        return next(csv.reader([line], delimiter=separator, strict=True), [])
    except csv.Error:
        return []


def _is_table(file: File) -> bool:
    """Return whether a file is separated so: one of another ending needs separators in its first two lines."""
    if ending(file.path) == _ENDING:
        return _separator(file.head, file.name) is not None
    if not is_header(file.head[0]):
        return False
    separator = _separator(file.head, file.name)
    return separator is not None and separator in "".join(file.head[1:2])


def _reader(lines: Iterable[str], separator: str) -> Any:
    import csv

    return csv.reader((f"{line}\n" for line in lines), delimiter=separator, strict=True)


def _say_wrong_row(file: File, separator: str) -> None:
    """Refuse the first row whose quotes are wrong, or that has another number of fields than the header."""
    import csv

    reader = _reader(chain.from_iterable(file.blocks()), separator)
    width, begins = 0, 1
    try:
        for row in reader:
            width = width or len(row)
            if len(row) != width:
                found = f"{len(row)} field{'s' if len(row) != 1 else ''}" if row else "an empty line"
                raise InputError(f"{found} where the header has {width}", path=file.name, line=begins)
            begins = reader.line_num + 1
    except csv.Error as error:
        raise InputError(
            f"this row cannot be read as CSV ({error})", path=file.name, line=begins, hint=_UNCLOSED
        ) from error


def _table(file: File) -> Table | None:
    """Read the columns by the names in the first row."""
    import csv

    if not _is_table(file):
        return None
    separator = _separator(file.head, file.name) or ","
    blocks = file.blocks()
    reading = _Reading(separator, file)
    try:
        reading.read(iter(blocks))
    except (csv.Error, ValueError):
        _say_wrong_row(file, separator)
        raise
    if not reading.rows:
        raise InputError("there are no rows under the header", path=file.name)
    # Lines of CSV may end in CR LF, of which nothing need be said.
    notes = tuple(note for note in blocks.said() if note.kind != "line-ends")
    columns = reading.columns()
    if separator == ";":
        notes += tuple(_dots_of_thousands(columns, file.name))
    return Table(file.name, columns, notes, lines=reading.lines())


def _dots_of_thousands(columns: Mapping[str, FieldColumn], name: str) -> Iterator[Note]:
    """Warn of columns such as 741 and 1.769: whole numbers of three digits, and others with three after a dot."""
    for column, fields in columns.items():
        found: dict[bool, str] = {}
        for field in chain.from_iterable(fields.blocks()) if fields.kept else ():
            head, *groups = (field or "").strip().split(".")
            three = [part.isdecimal() and len(part) == 3 for part in groups]
            if (
                not head.isdecimal()
                or head[0] == "0"
                or not (all(three) and len(head) <= 3 if groups else len(head) == 3)
            ):
                break
            found.setdefault(bool(groups), (field or "").strip())
        else:
            if len(found) == 2:
                text = (
                    f"the column {column!r} holds {found[False]} and {found[True]}: dots are read as decimal "
                    "points; if they separate thousands, write numbers without them"
                )
                yield Note("thousands", text, file=name, warning=True)


class _Reading:
    """A table that is read block by block: at once as long as no field is quoted, then row by row."""

    def __init__(self, separator: str, file: File) -> None:
        self.rows = 0
        self._separator = separator
        header = [name.strip() for name in _fields(file.head[0], separator)]
        check_column_names(header, file.name)
        self._builders = column_builders(header, file.scores)
        self._long = array("q")  # rows of several lines
        self._more = array("q", [0])  # how many more lines these are, with all before

    def read(self, blocks: Iterator[list[str]]) -> None:
        """Read all rows; raise ValueError or csv.Error if one is wrong."""
        first = next(blocks)
        for lines in chain([first[1:]], blocks):
            text = joined_lines(lines, self._separator)
            if '"' in text or "\r" in text or (len(text) > _FIELD and max(map(len, lines)) > _FIELD):
                self._quoted(chain(lines, chain.from_iterable(blocks)))
            elif lines:
                columns = split_columns(text, self._separator, len(lines), len(self._builders))
                if columns is None:
                    raise ValueError("rows of different lengths")
                self._add(columns)

    def _add(self, columns: Sequence[Sequence[str]]) -> None:
        for builder, fields in zip(self._builders.values(), columns, strict=True):
            builder.add(fields)
        self.rows += len(columns[0])

    def _quoted(self, lines: Iterable[str]) -> None:
        rows = _reader(lines, self._separator)
        before = 0
        while block := list(islice(rows, _ROWS)):
            if rows.line_num != before + len(block):
                for place, row in enumerate(block, self.rows):
                    if more := "".join(row).count("\n"):
                        self._long.append(place)
                        self._more.append(self._more[-1] + more)
            before = rows.line_num
            self._add(list(zip(*block, strict=True)))

    def columns(self) -> dict[str, FieldColumn]:
        """Return what was read."""
        return {name: builder.column() for name, builder in self._builders.items()}

    def lines(self) -> Sequence[int]:
        """Return the lines that rows begin on."""
        plain = range(2, self.rows + 2)
        return _RowLines(plain, np.array(self._long), np.array(self._more)) if self._long else plain


class _RowLines(Sequence[int]):
    """The lines that rows begin on, if some rows have several.

    Parameters
    ----------
    plain : range
        As if each had one.
    rows : array of int
        Those of several lines.
    more : array of int
        How many lines there are more, up to the first of these rows, up to the second, …
    """

    def __init__(self, plain: range, rows: NDArray[np.int64], more: NDArray[np.int64]) -> None:
        self._plain, self._rows, self._more = plain, rows, more

    def __len__(self) -> int:
        return len(self._plain)

    def __iter__(self) -> Iterator[int]:
        return iter(self[:])

    @overload
    def __getitem__(self, place: int) -> int: ...

    @overload
    def __getitem__(self, place: slice) -> list[int]: ...

    def __getitem__(self, place: int | slice) -> int | list[int]:
        row = np.arange(len(self))[place]
        line = self._plain[0] + row + self._more[np.searchsorted(self._rows, row)]
        found: int | list[int] = line.tolist()
        return found


def _text(file: File, layout: Layout) -> Lines | None:
    """Read a text if the ending says that this is a table, or columns are named."""
    table = _table(file) if layout.tables or ending(file.path) == _ENDING else None
    return None if table is None else table_text(table, layout.id_column, layout.text_column, layout.first_names)


def _scores(file: File, id_column: str | None) -> list[ScoreTable] | None:
    table = _table(file)
    if table is None:
        return None
    check_header(list(table.columns), table.name)
    return [scores_of_table(table, id_column)]


FORMAT = Format("a table separated by commas or semicolons, with a header", text=_text, table=_table, scores=_scores)
