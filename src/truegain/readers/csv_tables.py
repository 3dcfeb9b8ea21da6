"""Tables separated by commas or semicolons, with a header: fields in double quotes may hold both, and line feeds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from truegain.errors import InputError
from truegain.notes import Note
from truegain.readers.formats import File, Format, Layout
from truegain.readers.plain import Lines, ending
from truegain.readers.score_values import check_header, is_header
from truegain.readers.scores import Placed, ScoreTable, score_table
from truegain.readers.tabular import Table, check_column_names, table_text

__all__ = ["FORMAT"]

_ENDING = ".csv"  # of files that are tables whatever is done with them
_SEPARATORS = ",;"
_ROWS = 1 << 14  # turned into columns at once
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
    lines = file.lines.lines
    if ending(file.path) == _ENDING:
        return _separator(lines, file.lines.name) is not None
    if not is_header(lines[0]):
        return False
    separator = _separator(lines, file.lines.name)
    return separator is not None and separator in "".join(lines[1:2])


def _reader(source: Lines) -> Any:
    import csv

    separator = _separator(source.lines, source.name) or ","
    return csv.reader((f"{line}\n" for line in source.lines), delimiter=separator, strict=True)


def _rows(source: Lines) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows, the header first, each with the line that it begins on.

    Raises
    ------
    InputError
        If the quotes of a row are wrong, or it has another number of fields than the header.
    """
    import csv

    reader = _reader(source)
    width, begins = 0, 1
    try:
        for row in reader:
            width = width or len(row)
            if len(row) != width:
                found = f"{len(row)} field{'s' if len(row) != 1 else ''}" if row else "an empty line"
                raise InputError(f"{found} where the header has {width}", path=source.name, line=begins)
            yield begins, row
            begins = reader.line_num + 1
    except csv.Error as error:
        raise InputError(
            f"this row cannot be read as CSV ({error})", path=source.name, line=begins, hint=_UNCLOSED
        ) from error


def _notes(source: Lines) -> tuple[Note, ...]:
    r"""Return what should be said of a file, except that lines end in ``\r\n``: those of CSV do."""
    return tuple(note for note in source.notes if note.kind != "line-ends")


def _columns(source: Lines) -> tuple[list[int], dict[str, list[str | None]]]:
    """Return the lines that rows begin on, and the columns by the names in the first row."""
    import csv

    rows = _reader(source)
    try:
        header = [name.strip() for name in next(rows)]
        check_column_names(header, source.name)
        columns: dict[str, list[str | None]] = {name: [] for name in header}
        lists = list(columns.values())
        known: dict[str, str] = {}  # what stands in many rows is held once
        lines: list[int] = []
        line = 2
        while block := list(islice(rows, _ROWS)):
            for values, own in zip(lists, zip(*block, strict=True), strict=True):
                values += map(known.setdefault, own, own)
            if any(len(row) != len(header) for row in block):
                raise ValueError("rows of different lengths")
            for row in block:
                lines.append(line)
                line += 1 + "".join(row).count("\n")
    except (csv.Error, ValueError):
        for _ in _rows(source):  # says which row is wrong
            pass
        raise
    if not lines:
        raise InputError("there are no rows under the header", path=source.name)
    return lines, columns


def _table(file: File) -> Table | None:
    if not _is_table(file):
        return None
    lines, columns = _columns(file.lines)
    return Table(file.lines.name, columns, _notes(file.lines), lines=lines)


def _text(file: File, layout: Layout) -> Lines | None:
    """Read a text if the ending says that this is a table, or columns are named."""
    table = _table(file) if layout.tables or ending(file.path) == _ENDING else None
    return None if table is None else table_text(table, layout.id_column, layout.text_column)


def _scores(file: File, id_column: str | None) -> list[ScoreTable] | None:
    if not _is_table(file):
        return None
    source = replace(file.lines, notes=_notes(file.lines))
    lines, columns = _columns(source)
    check_header(list(columns), source.name)
    rows = zip(lines, zip(*columns.values(), strict=True), strict=True)
    records: list[Placed] = [(line, dict(zip(columns, row, strict=True))) for line, row in rows]
    return [score_table(records, source, id_column, text=True)]


FORMAT = Format("a table separated by commas or semicolons, with a header", text=_text, table=_table, scores=_scores)
