"""Segment scores made elsewhere: numbers, tables, JSON lines, the JSON of ``comet-score --to_json``, sample logs."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truegain.errors import InputError
from truegain.readers.harness import Placed, Question, at_place, is_sample_log, questions_of, samples_by_document
from truegain.readers.plain import Lines, read_lines
from truegain.readers.tabular import ID_NAMES, columns_of, json_object

__all__ = ["SCORE", "ScoreTable", "number_in", "read_scores", "required_number"]

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
    ids : tuple of str, optional
        The ids of the segments, where the file has a column of them.
    questions : mapping of str to Question
        What a sample log says of its documents, by id.
    """

    name: str
    system: str | None
    columns: Mapping[str, NDArray[np.float64]]
    notes: tuple[str, ...] = ()
    ids: tuple[str, ...] | None = None
    questions: Mapping[str, Question] = field(default_factory=dict)


def read_scores(path: str) -> list[ScoreTable]:
    """Read a file of segment scores; the JSON of COMET holds one table for each system.

    The kind is told by the content: ``{`` or ``[`` opens JSON or JSON lines, a tab or a word in the first line a table
    with a header, anything else one number a line. JSON lines with a ``doc_id`` and ``filtered_resps`` are a sample log
    of the LM Evaluation Harness.
    """
    source = read_lines(path)
    first = source.lines[0].strip()
    if first.startswith(("{", "[")):
        document = _whole_json(source.lines)
        if isinstance(document, dict) and document and all(isinstance(rows, list) for rows in document.values()):
            return [
                _score_table(_json_records(rows, source, system), source, system) for system, rows in document.items()
            ]
        if isinstance(document, list):
            return [_json_table(_json_records(document, source), source)]
        return [_json_table(_json_lines(source), source)]
    if "\t" in first or number_in(first) is None:
        return [_score_table(_table_records(source), source)]
    values = [required_number(line.strip(), source.name, number) for number, line in enumerate(source.lines, 1)]
    return [ScoreTable(source.name, None, {SCORE: np.array(values)}, source.notes)]


def _whole_json(lines: list[str]) -> Any:
    try:
        return json.loads("\n".join(lines))
    except (ValueError, RecursionError):  # what is wrong is said line by line
        return None


def _json_lines(source: Lines) -> Iterable[Placed]:
    for number, line in enumerate(source.lines, 1):
        yield number, json_object(line, source.name, number)


def _json_records(rows: list[Any], source: Lines, system: str | None = None) -> Iterable[Placed]:
    of = "" if system is None else f" of {system!r}"
    for number, row in enumerate(rows, 1):
        record = {SCORE: row} if _is_number(row) else row
        if not isinstance(record, dict):
            raise InputError(f"segment {number:,}{of} is neither a number nor an object", path=source.name)
        yield f"segment {number:,}{of}", record


def _json_table(records: Iterable[Placed], source: Lines) -> ScoreTable:
    """One table; the records of a sample log are brought together by document first."""
    rows = list(records)
    if not rows or not is_sample_log(rows[0][1]):
        return _score_table(rows, source)
    samples, notes = samples_by_document(rows, source.name)
    table = _score_table(samples, replace(source, notes=(*source.notes, *notes)))
    return replace(table, questions=questions_of(rows))


def _table_records(source: Lines) -> Iterable[Placed]:
    """Rows of a table; columns whose first value is not a number (ids, texts) stay texts."""
    header = source.lines[0].split("\t")
    if any(number_in(field) is not None for field in header):
        raise InputError(
            "the first line of a table must name its columns",
            path=source.name,
            line=1,
            hint="add a header, or keep one number a line",
        )
    columns = columns_of(source)
    numbers = {
        name
        for name, values in columns.items()
        if name.lower() not in ID_NAMES and number_in(values[0] or "") is not None
    }
    for row, number in enumerate(range(2, len(source.lines) + 1)):
        yield (
            number,
            {
                name: required_number(values[row] or "", source.name, number) if name in numbers else values[row]
                for name, values in columns.items()
            },
        )


def _score_table(records: Iterable[Placed], source: Lines, system: str | None = None) -> ScoreTable:
    """Keep the keys that are numbers in the first record; every record must have them."""
    columns: dict[str, list[float]] = {}
    ids: list[str] = []
    key_of_ids: str | None = None
    count = 0
    for line, record in records:
        if count == 0:
            key_of_ids = next((key for key in record if key.lower() in ID_NAMES), None)
            columns = {key: [] for key, value in record.items() if _is_number(value) and key != key_of_ids}
            if not columns:
                found = ", ".join(record) or "nothing there"
                raise at_place(f"nothing is a number in the first segment ({found})", line, source.name)
        count += 1
        for key, values in columns.items():
            number = _as_float(record.get(key))
            if number is None:
                raise _unusable(key, record.get(key), line, source.name)
            values.append(number)
        if key_of_ids is not None:
            if record.get(key_of_ids) is None:
                raise at_place(f"there is no {key_of_ids!r}", line, source.name)
            ids.append(str(record[key_of_ids]))
    if count == 0:
        raise InputError("there are no segments in it", path=source.name)
    arrays = {key: np.array(values) for key, values in columns.items()}
    return ScoreTable(source.name, system, arrays, source.notes, tuple(ids) if key_of_ids is not None else None)


def _unusable(key: str, value: Any, place: int | str, name: str) -> InputError:
    hint = "a segment without a score must be left out of all files"
    if _is_number(value):
        size = value if isinstance(value, float) else "too large"
        return at_place(f"the score is {size}", place, name, hint)
    return at_place(f"{key!r} is {str(value)[:40]}; a number was expected", place, name, hint)


def _as_float(value: Any) -> float | None:
    """The number as a float; None where it is none, or not finite."""
    if not _is_number(value):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def number_in(text: str) -> float | None:
    """The number that a text is; None where it is none."""
    try:
        return None if "_" in text else float(text)  # Python would read 1_000
    except ValueError:
        return None


def required_number(text: str, name: str, line: int) -> float:
    """The finite number that must stand there."""
    value = number_in(text)
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
