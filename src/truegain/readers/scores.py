"""Segment scores made elsewhere: numbers, tables, JSON lines, and the JSON of ``comet-score --to_json``."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truegain.errors import InputError
from truegain.readers.plain import read_lines

__all__ = ["SCORE", "ScoreTable", "read_scores"]

#: The name of the column in files that hold one number a line.
SCORE = "score"


@dataclass(frozen=True)
class ScoreTable:
    """Columns of numbers for one run.

    Attributes
    ----------
    name : str
        The file.
    system : str or None
        The system the file itself names, where it does.
    columns : mapping of str to array
    """

    name: str
    system: str | None
    columns: Mapping[str, NDArray[np.float64]]
    notes: tuple[str, ...] = ()


def read_scores(path: str) -> list[ScoreTable]:
    """Read a file of segment scores; the JSON of COMET holds one table for each system.

    The kind is told by the content: ``{`` or ``[`` opens JSON or JSON lines, a tab or a word in the first line a table
    with a header, anything else one number a line.
    """
    source = read_lines(path)
    first = source.lines[0].strip()
    notes = source.notes
    if first.startswith(("{", "[")):
        document = _whole_json(source.lines)
        if document is None:
            return [
                ScoreTable(source.name, None, _from_records(_json_lines(source.lines, source.name), source.name), notes)
            ]
        if isinstance(document, dict) and all(isinstance(value, list) for value in document.values()) and document:
            return [
                ScoreTable(
                    source.name, system, _from_records(_plain_records(rows, source.name, system), source.name), notes
                )
                for system, rows in document.items()
            ]
        if isinstance(document, list):
            rows = _plain_records(document, source.name, None)
            return [ScoreTable(source.name, None, _from_records(rows, source.name), notes)]
        if isinstance(document, dict):
            return [ScoreTable(source.name, None, _from_records([(1, document)], source.name), notes)]
        raise InputError("this JSON holds no list of segments", path=source.name)
    if "\t" in first or _number(first) is None:
        return [ScoreTable(source.name, None, _from_table(source.lines, source.name), notes)]
    values = [_required(line.strip(), source.name, number) for number, line in enumerate(source.lines, 1)]
    return [ScoreTable(source.name, None, {SCORE: np.array(values)}, notes)]


def _whole_json(lines: list[str]) -> Any:
    try:
        return json.loads("\n".join(lines))
    except json.JSONDecodeError:
        return None


def _json_lines(lines: list[str], name: str) -> Iterable[tuple[int, Mapping[str, Any]]]:
    for number, line in enumerate(lines, 1):
        try:
            record = json.loads(line)
        except json.JSONDecodeError as error:
            raise InputError(f"not JSON: {error.msg} (column {error.colno})", path=name, line=number) from error
        if not isinstance(record, dict):
            raise InputError("each line must be a JSON object", path=name, line=number)
        yield number, record


def _plain_records(rows: list[Any], name: str, system: str | None) -> Iterable[tuple[int, Mapping[str, Any]]]:
    of = "" if system is None else f" of {system!r}"
    for number, row in enumerate(rows, 1):
        if isinstance(row, int | float) and not isinstance(row, bool):
            row = {SCORE: row}
        if not isinstance(row, dict):
            raise InputError(f"segment {number:,}{of} is neither a number nor an object", path=name)
        yield number, row


def _from_records(records: Iterable[tuple[int, Mapping[str, Any]]], name: str) -> dict[str, NDArray[np.float64]]:
    """Keep the keys that are numbers in the first record; every record must have them."""
    columns: dict[str, list[float]] = {}
    count = 0
    for number, record in records:
        if count == 0:
            columns = {key: [] for key, value in record.items() if _is_number(value)}
            if not columns:
                raise InputError("no key of the first segment is a number", path=name, line=number)
        count += 1
        for key, values in columns.items():
            value = record.get(key)
            if not _is_number(value):
                raise InputError(f"{key!r} is {value!r}; a number was expected", path=name, line=number)
            values.append(_finite(float(value), name, number))  # type: ignore[arg-type]
    if count == 0:
        raise InputError("there are no segments in it", path=name)
    return {key: np.array(values) for key, values in columns.items()}


def _from_table(lines: list[str], name: str) -> dict[str, NDArray[np.float64]]:
    """A table with a header; columns whose first value is not a number (ids, texts) are passed over."""
    header = lines[0].split("\t")
    if any(_number(field) is not None for field in header):
        raise InputError(
            "the first line of a table must name its columns",
            path=name,
            line=1,
            hint="add a header, or keep one number a line",
        )
    if len(set(header)) != len(header):
        raise InputError("two columns have the same name", path=name, line=1)
    rows = [line.split("\t") for line in lines[1:]]
    if not rows:
        raise InputError("there are no segments under the header", path=name)
    for number, row in enumerate(rows, 2):
        if len(row) != len(header):
            raise InputError(f"{len(row)} fields where the header has {len(header)}", path=name, line=number)
    columns = {
        column: np.array([_required(row[i], name, number) for number, row in enumerate(rows, 2)])
        for i, column in enumerate(header)
        if _number(rows[0][i]) is not None
    }
    if not columns:
        raise InputError("no column of the table holds numbers", path=name, line=2)
    return columns


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _required(text: str, name: str, line: int) -> float:
    value = _number(text)
    if value is None:
        raise InputError(f"{text[:40]!r} is not a number", path=name, line=line)
    return _finite(value, name, line)


def _finite(value: float, name: str, line: int) -> float:
    if not math.isfinite(value):
        raise InputError(
            f"the score is {value}",
            path=name,
            line=line,
            hint="scores must be finite; leave the segment out of all files",
        )
    return value
