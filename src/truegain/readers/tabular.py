"""Tables: TSV with a header, or JSON lines; one row a segment."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from truegain.errors import InputError, excerpt, one_of
from truegain.readers.decoding import check_characters
from truegain.readers.harness import is_sample_log, metric_columns
from truegain.readers.plain import Lines, ending, read_lines
from truegain.readers.strict_json import parse_json, type_name

__all__ = [
    "DOCUMENT_NAMES",
    "DOMAIN_NAMES",
    "ID_NAMES",
    "TEXT_NAMES",
    "Table",
    "check_column_names",
    "columns_of",
    "is_json_lines",
    "json_object",
    "read_table",
    "read_table_text",
]

ID_NAMES = (
    *("id", "segid", "seg_id", "segment_id", "segment", "sid", "utt_id", "utterance_id", "sent_id", "sentence_id"),
    *(
        "item",
        "item_id",
        "itemid",
        "question_id",
        "questionid",
        "qid",
        "query_id",
        "prompt_id",
        "example_id",
        "task_id",
    ),
)
DOCUMENT_NAMES = ("docid", "doc_id", "doc", "document", "document_id")
DOMAIN_NAMES = ("domain", "genre", "origlang", "subset")
_EMPTY_FIELDS = 10_000_000  # the most fields of a table of which most are empty
TEXT_NAMES = ("text", "output", "hypothesis", "hyp", "mt", "translation", "prediction", "reference", "ref", "target")


@dataclass(frozen=True)
class Table:
    """Columns by name, as texts; None if a row has no value.

    Attributes
    ----------
    odd : mapping of str to (int, object)
        The first row of a column whose value in JSON is no text, and that value.
    """

    name: str
    columns: Mapping[str, list[str | None]]
    notes: tuple[str, ...] = ()
    odd: Mapping[str, tuple[int, object]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    def column(self, wanted: str, what: str) -> list[str | None]:
        """The column of that name."""
        if wanted not in self.columns:
            raise one_of(f"{self.name}: {what}", wanted, list(self.columns))
        return self.columns[wanted]

    def labels(self, wanted: str, what: str) -> list[str]:
        """Return a column of ids, documents or domains: texts, or numbers, in every row."""
        self.check_labels(wanted, what)
        return self._complete(wanted, what)

    def check_labels(self, wanted: str, what: str) -> None:
        """Refuse a column of ids, documents or domains that are neither texts nor numbers."""
        row, value = self.odd.get(wanted, (0, ""))
        if row and (not isinstance(value, int | float) or not math.isfinite(value)):
            raise self._unlike(wanted, what, row, value, "a text or a number")

    def texts(self, wanted: str, what: str) -> list[str]:
        """Return a column of texts, with one in every row."""
        self.some_texts(wanted, what)
        return self._complete(wanted, what)

    def some_texts(self, wanted: str, what: str) -> list[str | None]:
        """Return a column of texts, in which rows may lack one."""
        values = self.column(wanted, what)
        if wanted in self.odd:
            raise self._unlike(wanted, what, *self.odd[wanted], "a text")
        for number, text in enumerate(values, 1):
            if text is not None:
                check_characters(text, f"{wanted!r} in row {number:,}", self.name)
        return values

    def _unlike(self, wanted: str, what: str, row: int, value: object, expected: str) -> InputError:
        found = json.dumps(value, ensure_ascii=False)
        return InputError(
            f"{wanted!r} is {type_name(value)} in row {row:,} ({excerpt(found)}); {expected} was expected in {what}",
            path=self.name,
            hint='write a text as a string, "…"; other columns are named by --text-column, --id-column, … or SYSTEM',
        )

    def _complete(self, wanted: str, what: str) -> list[str]:
        values = self.column(wanted, what)
        for number, value in enumerate(values):
            if value is None:
                raise InputError(f"row {number + 1:,} has no {wanted!r}", path=self.name)
        return values  # type: ignore[return-value]

    def named(self, choices: Sequence[str]) -> str | None:
        """The first of these names that the table has, whatever its case."""
        lower = {name.lower(): name for name in self.columns}
        return next((lower[one] for one in choices if one in lower), None)


def is_json_lines(path: str) -> bool:
    """Whether the file's ending says that it holds JSON lines."""
    return ending(path) in {".jsonl", ".ndjson"}


def read_table(path: str) -> Table:
    """Read JSON lines where the file's ending says so, else a table separated by tabs with a header."""
    source = read_lines(path)
    return _from_json(source) if is_json_lines(path) else Table(source.name, columns_of(source), source.notes)


def columns_of(source: Lines) -> dict[str, list[str | None]]:
    """The columns of a table separated by tabs, by the names in its first line."""
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


def check_column_names(header: Sequence[str], name: str) -> None:
    """Refuse two columns of one name; white space around a name sets nothing apart."""
    seen: set[str] = set()
    for column in (one.strip() for one in header):
        if column in seen:
            raise InputError(
                f"two columns have the same name, {column!r}", path=name, line=1, hint="give each a name of its own"
            )
        seen.add(column)


def _from_json(source: Lines) -> Table:
    records = [json_object(line, source.name, number) for number, line in enumerate(source.lines, 1)]
    names = dict.fromkeys(name for record in records for name in record)
    # A key takes room in every row: a few thousand rows with keys of their own would fill any memory.
    given = sum(map(len, records))
    if len(names) * len(records) > max(_EMPTY_FIELDS, 10 * given):
        raise InputError(
            f"{len(names):,} different keys in {len(records):,} rows, and most rows lack most of them",
            path=source.name,
            hint="every row should have the same keys: one for each text, id, document, …",
        )
    odd: dict[str, tuple[int, object]] = {}
    for number, record in enumerate(records, 1):
        for name, value in record.items():
            if value is not None and not isinstance(value, str):
                odd.setdefault(name, (number, value))
    columns = {name: [_text(record.get(name)) for record in records] for name in names}
    return Table(source.name, columns, source.notes, odd)


def json_object(line: str, path: str, number: int) -> dict[str, Any]:
    """The JSON object that a line holds."""
    record = parse_json(line, path, number)
    if not isinstance(record, dict):
        raise InputError("each line must be a JSON object", path=path, line=number)
    return record


def _text(value: object) -> str | None:
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)


def read_table_text(path: str, id_column: str | None, text_column: str | None) -> Lines:
    """One text of a table: a reference or the outputs of a run, with the ids of its segments where it has them."""
    table = read_table(path)
    if text_column is None and is_sample_log(table.columns):
        metrics = metric_columns(table.columns)
        raise InputError(
            "this is a sample log of the LM Evaluation Harness: it holds scores",
            path=table.name,
            hint=f"compare the scores, without --ref: -m scores:column={metrics[0] if metrics else 'NAME'}",
        )
    wanted = text_column or table.named(TEXT_NAMES)
    if wanted is None:
        raise InputError(
            f"which column is the text? It has {', '.join(table.columns)}",
            path=table.name,
            hint="name it: --text-column",
        )
    ids = id_column or table.named(ID_NAMES)
    return Lines(
        table.name,
        table.texts(wanted, "the column of texts"),
        table.notes,
        None if ids is None else tuple(table.labels(ids, "the column of ids")),
        column=wanted,
        id_column=ids,
    )
