"""Tables separated by tabs, with a header."""

from __future__ import annotations

from truegain.errors import InputError
from truegain.readers.formats import File, Format, Layout
from truegain.readers.plain import Lines
from truegain.readers.score_values import check_header, is_header
from truegain.readers.scores import Placed, ScoreTable, score_table
from truegain.readers.tabular import Table, check_column_names, table_text

__all__ = ["FORMAT"]


def _text(file: File, layout: Layout) -> Lines | None:
    """Read a text if columns are named: without them, tabs are text."""
    return table_text(_table(file), layout.id_column, layout.text_column) if layout.tables else None


def _table(file: File) -> Table:
    columns = _columns(file.lines)
    return Table(file.lines.name, columns, file.lines.notes, lines=range(2, len(file.lines.lines) + 1))


def _columns(source: Lines) -> dict[str, list[str | None]]:
    """Return the columns by the names in the first line."""
    header = source.lines[0].split("\t")
    check_column_names(header, source.name)
    if len(source.lines) == 1:
        raise InputError("there are no rows under the header", path=source.name)
    columns: dict[str, list[str | None]] = {name: [] for name in header}
    for number, line in enumerate(source.lines[1:], 2):
        fields = line.split("\t")
        if len(fields) != len(header):
            raise InputError(
                f"{len(fields)} field{'s' if len(fields) != 1 else ''} where the header has {len(header)}",
                path=source.name,
                line=number,
            )
        for name, value in zip(header, fields, strict=True):
            columns[name].append(value)
    return columns


def _scores(file: File, id_column: str | None) -> list[ScoreTable] | None:
    source = file.lines
    if not is_header(source.lines[0]):
        return None
    check_header(source.lines[0].split("\t"), source.name)
    columns = _columns(source)
    rows = enumerate(zip(*columns.values(), strict=True), 2)
    records: list[Placed] = [(number, dict(zip(columns, row, strict=True))) for number, row in rows]
    return [score_table(records, source, id_column, text=True)]


FORMAT = Format("a table separated by tabs, with a header", text=_text, table=_table, scores=_scores)
