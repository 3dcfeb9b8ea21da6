"""Segment scores made elsewhere: numbers, tables, JSON lines, the JSON of ``comet-score --to_json``, sample logs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truegain.errors import InputError
from truegain.readers.harness import Placed, Question, at_place, is_sample_log, questions_of, samples_by_document
from truegain.readers.plain import Lines, read_lines
from truegain.readers.score_values import (
    Kind,
    check_header,
    column_kind,
    is_header,
    json_kind,
    required_json,
    required_score,
    text_kind,
)
from truegain.readers.strict_json import parse_json_lines
from truegain.readers.tabular import ID_NAMES, columns_of, json_object

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
    ids : tuple of str, optional
        The ids of the segments, where the file has a column of them: each once.
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

    The kind is told by the content: ``{`` or ``[`` opens JSON or JSON lines, a tab or a name in the first line a table
    with a header, anything else one number a line. JSON lines with a ``doc_id`` and ``filtered_resps`` are a sample log
    of the LM Evaluation Harness. True and false are 1 and 0.
    """
    source = read_lines(path)
    if source.lines[0].strip().startswith(("{", "[")):
        document = parse_json_lines(source.lines, source.name)
        if isinstance(document, dict) and document and all(isinstance(rows, list) for rows in document.values()):
            return [
                _score_table(list(_json_records(rows, source, system)), source, system)
                for system, rows in document.items()
            ]
        if isinstance(document, list):
            return [_json_table(list(_json_records(document, source)), source)]
        return [_json_table(list(_json_lines(source)), source)]
    if is_header(source.lines[0]):
        return [_score_table(list(_table_records(source)), source, text=True)]
    records: list[Placed] = [(number, {SCORE: line}) for number, line in enumerate(source.lines, 1)]
    return [_score_table(records, source, text=True)]


def _json_lines(source: Lines) -> Iterable[Placed]:
    for number, line in enumerate(source.lines, 1):
        yield number, json_object(line, source.name, number)


def _json_records(rows: list[Any], source: Lines, system: str | None = None) -> Iterable[Placed]:
    of = "" if system is None else f" of {system!r}"
    for number, row in enumerate(rows, 1):
        record = row if isinstance(row, dict) else {SCORE: row}
        if json_kind(row) == "text" and record is not row:
            raise InputError(f"segment {number:,}{of} is neither a number nor an object", path=source.name)
        yield f"segment {number:,}{of}", record


def _json_table(rows: list[Placed], source: Lines) -> ScoreTable:
    """Read one table; the records of a sample log are brought together by document first."""
    if not rows or not is_sample_log(rows[0][1]):
        return _score_table(rows, source)
    samples, notes = samples_by_document(rows, source.name)
    table = _score_table(samples, replace(source, notes=(*source.notes, *notes)))
    return replace(table, questions=questions_of(rows))


def _table_records(source: Lines) -> Iterable[Placed]:
    check_header(source.lines[0].split("\t"), source.name)
    columns = columns_of(source)
    for number, row in enumerate(zip(*columns.values(), strict=True), 2):
        yield number, dict(zip(columns, row, strict=True))


def _score_table(
    records: Sequence[Placed], source: Lines, system: str | None = None, *, text: bool = False
) -> ScoreTable:
    """Keep the columns of numbers and of truth values; every record must have them.

    Parameters
    ----------
    records : sequence of (place, record)
    source : Lines
    system : str, optional
    text : bool
        The values are fields of a table, not JSON.
    """
    if not records:
        raise InputError("there are no segments in it", path=source.name)
    keys = dict.fromkeys(key for _, record in records for key in record)
    key_of_ids = next((key for key in keys if key.lower() in ID_NAMES), None)
    kind_of: Callable[[Any], Kind] = text_kind if text else json_kind
    kinds = {key: column_kind((record.get(key) for _, record in records), kind_of) for key in keys if key != key_of_ids}
    columns = {
        key: np.array([_value(key, record.get(key), kind, place, source.name, text=text) for place, record in records])
        for key, kind in kinds.items()
        if kind in ("number", "truth")
    }
    if not columns:
        place, record = records[0]
        found = ", ".join(record) or "nothing there"
        raise at_place(f"nothing is a number in the first segment ({found})", place, source.name)
    ids = None if key_of_ids is None else _ids(key_of_ids, records, source.name)
    return ScoreTable(source.name, system, columns, source.notes, ids)


def _value(key: str, value: Any, kind: Kind, place: int | str, name: str, *, text: bool) -> float:
    if text:
        return required_score(value, kind, name, int(place))
    try:
        return required_json(key, value, kind)
    except InputError as error:
        raise at_place(error.message, place, name, error.hint) from None


def _ids(key: str, records: Sequence[Placed], name: str) -> tuple[str, ...]:
    for place, record in records:
        if record.get(key) in (None, ""):
            raise at_place(f"there is no {key!r}", place, name)
    return tuple(str(record[key]) for _, record in records)
