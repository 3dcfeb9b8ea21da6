"""JSON: an object per line, or one list; of scores also the lists by system of ``comet-score --to_json``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import Any

from truegain.errors import Blank, InputError, Setting
from truegain.readers.field_columns import ColumnBuilder
from truegain.readers.formats import File, Format, Layout
from truegain.readers.plain import Lines
from truegain.readers.score_values import json_kind
from truegain.readers.scores import SCORE, Placed, ScoreTable, score_table
from truegain.readers.strict_json import parse_json, strict_loads
from truegain.readers.tabular import Table, column_builders, field_text, numbers_in, table_text

_EMPTY_FIELDS = 10_000_000  # the most fields of a table of which most are empty
_ROWS = 1 << 10  # that are turned into columns at once
_SAME_KEYS = "every row should have the same keys: one for each text, id, document, …"
_MEANS = "results"  # lm_eval's key of the means of tasks
_SAMPLES = (
    "means over all segments cannot be paired; lm_eval writes the scores of each in samples_*.jsonl if it logs samples"
)
_HINT = (
    "rename it to FILE.jsonl, and name the key of the texts: ",
    Setting("text_column", Blank("KEY")),
    '. If the objects are the texts, write them as strings: {"text": "…"}',
)


def _text(file: File, layout: Layout) -> Lines:
    return table_text(json_table(file), layout.id_column, layout.text_column, layout.first_names)


def json_table(file: File) -> Table:
    """Return the columns of a list of objects, or of an object per line."""
    columns: dict[str, ColumnBuilder] = {}
    odd: dict[str, tuple[int, object]] = {}
    asked = {path.partition(".")[0] for path in (file.scores.paths() if file.scores else ()) if path is not None}
    rows = given = 0
    records = (record for _, record in json_records(file))
    while block := list(islice(records, _ROWS)):
        given += sum(map(len, block))
        names = dict.fromkeys(name for record in block for name in record if name not in columns)
        # A key takes room in every row: a few thousand rows with keys of their own would fill any memory.
        if (len(columns) + len(names)) * (rows + len(block)) > max(_EMPTY_FIELDS, 10 * given):
            raise InputError(
                f"{len(columns) + len(names):,} different keys in the first {rows + len(block):,} rows, and most lack "
                "most of them",
                path=file.name,
                hint=_SAME_KEYS,
            )
        for name, column in column_builders(names, file.scores).items():
            column.add([None] * rows)
            columns[name] = column
        for number, record in enumerate(block, rows + 1):
            for name, value in record.items():
                if value is not None and not isinstance(value, str) and name not in odd:
                    odd[name] = number, value
                    if isinstance(value, dict) and (name in asked or numbers_in(name, value)):
                        columns[name].keep()
        for name, column in columns.items():
            column.add([field_text(record.get(name)) for record in block])
        rows += len(block)
    if not columns:
        raise InputError("its objects have no keys", path=file.name, line=1, hint=_SAME_KEYS)
    lines = None if isinstance(file.json, list) else range(1, rows + 1)
    return Table(file.name, {name: one.column() for name, one in columns.items()}, file.notes, odd, lines, typed=True)


def _object(line: str, path: str, number: int) -> dict[str, Any]:
    """Return the JSON object that a line holds."""
    record = parse_json(line, path, number)
    if not isinstance(record, dict):
        raise InputError("each line must be a JSON object", path=path, line=number)
    return record


def by_system(file: File) -> bool:
    """Return whether the file is one object, with a list of segments for each system."""
    return isinstance(file.json, dict) and bool(file.json) and all(isinstance(one, list) for one in file.json.values())


def json_records(file: File) -> Iterator[Placed]:
    """Yield the records of one table: those of a list, or an object per line, of which a block is held at a time."""
    if isinstance(file.json, list):
        yield from _listed(file.json, file.name)
        return
    means = isinstance(file.json, dict) and isinstance(file.json.get(_MEANS), dict)
    if means or (isinstance(file.json, dict) and sum(map(bool, map(str.strip, file.head))) > 1):
        raise InputError(
            "the file is one JSON object; a list, or an object per line, was expected",
            path=file.name,
            hint=_SAMPLES if means else None,
        )
    for number, line in enumerate(chain.from_iterable(file.blocks()), 1):
        yield number, _object(line, file.name, number)


def _listed(rows: list[Any], path: str, system: str | None = None) -> Iterator[Placed]:
    of = "" if system is None else f" of {system!r}"
    for number, row in enumerate(rows, 1):
        record = row if isinstance(row, dict) else {SCORE: row}
        if json_kind(row) == "text" and record is not row:
            raise InputError(f"segment {number:,}{of} is neither a number nor an object", path=path)
        yield f"segment {number:,}{of}", record


def _scores(file: File, id_column: str | None) -> list[ScoreTable] | None:
    if not file.head[0].strip().startswith(("{", "[")):
        return None
    if by_system(file):
        return [
            score_table(list(_listed(rows, file.name, system)), file.lines, id_column, system)
            for system, rows in file.json.items()
        ]
    records = list(json_records(file))
    return [score_table(records, Lines(file.name, [], file.notes), id_column)]


def _check_text(lines: Sequence[str], name: str) -> None:
    first = lines[0].strip()
    if first[0] not in "{[":
        return
    if all(line.strip()[0] == "{" and _is_json(line, of_objects=False) for line in lines):
        raise InputError("every line is an object in JSON, and was given as plain text", path=name, line=1, hint=_HINT)
    if (len(lines) == 1 and _is_json(first, of_objects=True)) or (
        len(lines) > 1 and first in ("{", "[", "[{") and lines[1].strip()[0] in '"{['
    ):
        raise InputError(
            "this looks like a document in JSON, and was given as plain text",
            path=name,
            hint="write one text per line, or one object per line as FILE.jsonl",
        )


def _is_json(line: str, *, of_objects: bool) -> bool:
    """Return whether a line holds an object, or a list of objects, that is not empty."""
    try:
        found = strict_loads(line)
    except InputError:  # a key twice
        return True
    except (ValueError, RecursionError):
        return False
    if of_objects:
        return isinstance(found, list) and bool(found) and all(isinstance(one, dict) for one in found)
    return isinstance(found, dict) and bool(found)


FORMAT = Format(
    "JSON, an object per line or one list; of scores also lists by system",
    text=_text,
    table=json_table,
    scores=_scores,
    check_text=_check_text,
)
