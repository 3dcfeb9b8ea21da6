"""Files of columns, Parquet and Arrow, which polars reads."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from truegain.errors import InputError
from truegain.notes import Note
from truegain.readers.compression import ENDINGS
from truegain.readers.field_columns import ColumnBuilder
from truegain.readers.file_bytes import ByteStream
from truegain.readers.formats import File, Format, Layout
from truegain.readers.plain import LINES_LIMIT, SIZE_LIMIT, Lines, read_bytes
from truegain.readers.score_values import check_header
from truegain.readers.scores import ScoreTable, scores_of_table
from truegain.readers.tabular import Table, check_column_names, column_builders, table_text

if TYPE_CHECKING:
    import polars as pl

_BEGINNINGS = {b"PAR1": "Parquet", b"ARROW1": "Arrow", b"\xff\xff\xff\xff": "a stream of Arrow"}
_ROWS = 1 << 18  # of a column that are read at once
_FIELDS = 1 << 12  # of these that are Python's at once
_WHOLE = "is it what its ending says, and was it written to its end?"


def _table(file: File) -> Table:
    """Read a table, column by column; a field of a structure is a column ``task.id``."""
    try:
        import polars as pl
    except ImportError:
        raise InputError(
            "tables in Parquet and Arrow need polars, which is not installed",
            path=file.name,
            hint="pip install 'truegain[frames]'",
        ) from None
    kind = _kind(file)
    at_hand = Path(file.path).is_file() and Path(file.path).suffix.lower() not in ENDINGS
    before = _state(file.path) if at_hand else None
    try:
        source = str(Path(file.path).absolute()) if at_hand else io.BytesIO(read_bytes(file.path))
        table = _Reading(file, _frame(kind, source)).table()
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        said = " ".join(str(error).split())[:200]
        raise InputError(f"this cannot be read as {kind} ({said})", path=file.name, hint=_WHOLE) from error
    if at_hand and _state(file.path) != before:
        raise InputError(
            "it changed while it was read", path=file.name, hint="is it still being written? Wait for its end"
        )
    return table


def _kind(file: File) -> str:
    """Tell the format by the first bytes: files of all of them end in ``.arrow``."""
    begin = next(iter(ByteStream(file.path, 64, limit=SIZE_LIMIT)), b"")
    if not begin:
        raise InputError("the file is empty", path=file.name, hint="is this the right file?")
    found = next((kind for mark, kind in _BEGINNINGS.items() if begin.startswith(mark)), None)
    if found is None:
        raise InputError("by its first bytes it is neither Parquet nor Arrow", path=file.name, hint=_WHOLE)
    return found


def _state(path: str) -> tuple[int, int]:
    found = os.stat(path)  # noqa: PTH116 - a name that no file can have was refused before
    return found.st_size, found.st_mtime_ns


def _frame(kind: str, source: str | io.BytesIO) -> pl.LazyFrame:
    import polars as pl

    if kind == "Parquet":
        return pl.scan_parquet(source, glob=False, hive_partitioning=False)
    if kind == "Arrow":
        return pl.scan_ipc(source, glob=False, hive_partitioning=False)
    return pl.read_ipc_stream(source).lazy()


class _Reading:
    """Columns of a frame as fields of text."""

    def __init__(self, file: File, frame: pl.LazyFrame) -> None:
        import polars as pl

        self._file = file
        self._frame = frame
        self._rows: int = frame.select(pl.len()).collect().item()
        self._size = 0  # of all texts
        self._odd: dict[str, tuple[int, object]] = {}
        if self._rows > LINES_LIMIT:
            raise InputError(f"it has {self._rows:,} rows; the limit is {LINES_LIMIT:,}", path=file.name)
        if not self._rows:
            raise InputError("there are no rows", path=file.name)

    def table(self) -> Table:
        """Read all columns but those of bytes."""
        import polars as pl

        found = [
            leaf
            for name, kind in self._frame.collect_schema().items()
            for leaf in _leaves(name.strip(), kind, pl.col(name))
        ]
        check_column_names([name for name, _, _ in found], self._file.name, None)
        columns = {name: (kind, field) for name, kind, field in found if not isinstance(kind, pl.Binary | pl.Object)}
        passed = [name for name, _, _ in found if name not in columns]
        if not columns:
            raise InputError("it has no columns of texts or numbers", path=self._file.name)
        builders = column_builders(columns, self._file.scores)
        for name, builder in builders.items():
            self._read(name, *columns[name], builder)
        s, were = ("s", "were") if len(passed) > 1 else ("", "was")
        said = f"Column{s} {', '.join(map(repr, passed))} of bytes {were} skipped"
        notes = (Note("columns", said, file=self._file.name),) if passed else ()
        held = {name: builder.column() for name, builder in builders.items()}
        return Table(self._file.name, held, notes, self._odd)

    def _read(self, name: str, kind: pl.DataType, field: pl.Expr, builder: ColumnBuilder) -> None:
        for first in range(0, self._rows, _ROWS):
            if builder.dropped:
                builder.pass_over(self._rows - first)
                return
            series = self._frame.select(field.alias("field")).slice(first, _ROWS).collect().to_series()
            if kind.is_nested():
                self._note_odd(name, series, first)
            else:
                series = self._texts(name, series, first)
            for start in range(0, len(series), _FIELDS):
                fields = series[start : start + _FIELDS].to_list()
                if kind.is_nested():
                    fields = [_listed(one) for one in fields]
                    self._count(sum(len(one) for one in fields if one is not None))
                builder.add(fields)

    def _texts(self, name: str, series: pl.Series, first: int) -> pl.Series:
        """Return values as texts; those of numbers are exact."""
        import polars as pl

        texts = (series.cast(pl.Float64) if series.dtype.is_float() else series).cast(pl.String)
        if series.dtype.is_numeric() or series.dtype == pl.Boolean:
            return texts
        self._count(int(texts.str.len_bytes().sum() or 0))
        zero = texts.str.contains("\0", literal=True).fill_null(value=False)
        if zero.any():
            raise InputError(
                f"row {first + int(zero.arg_true()[0]) + 1:,}: the column {name!r} has a NUL (0x00), which text does "
                "not have",
                path=self._file.name,
            )
        return texts

    def _count(self, size: int) -> None:
        """Refuse more text than a file of text may hold: a few bytes of Parquet can stand for any number."""
        self._size += size
        if self._size > SIZE_LIMIT:
            raise InputError(
                f"it holds more than {SIZE_LIMIT:,} bytes of text", path=self._file.name, hint="is this the right file?"
            )

    def _note_odd(self, name: str, series: pl.Series, first: int) -> None:
        """Keep the first list of a column, which is no text."""
        there = series.is_not_null()
        if name not in self._odd and there.any():
            row = int(there.arg_true()[0])
            self._odd[name] = (first + row + 1, json.loads(_listed(series[row : row + 1].to_list()[0]) or "null"))


def _leaves(name: str, kind: pl.DataType, field: pl.Expr) -> Iterator[tuple[str, pl.DataType, pl.Expr]]:
    """Yield a column, or those inside a structure."""
    import polars as pl

    if not isinstance(kind, pl.Struct):
        yield name, kind, field
        return
    for own in kind.fields:
        inner = own.dtype() if isinstance(own.dtype, type) else own.dtype
        yield from _leaves(f"{name}.{own.name}", inner, field.struct.field(own.name))


def _listed(value: Any) -> str | None:
    """Return a list as a field of a table."""
    return None if value is None else json.dumps(value, ensure_ascii=False, default=str)


def _text(file: File, layout: Layout) -> Lines:
    return table_text(_table(file), layout.id_column, layout.text_column, layout.first_names)


def _scores(file: File, id_column: str | None) -> list[ScoreTable]:
    table = _table(file)
    check_header(list(table.columns), table.name)
    return [scores_of_table(table, id_column)]


FORMAT = Format("a table in Parquet or Arrow", text=_text, table=_table, scores=_scores, binary=True)
