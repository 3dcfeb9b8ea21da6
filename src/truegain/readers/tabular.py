"""Tables, a row per segment: columns by name."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from truegain.errors import InputError, Setting, excerpt, one_of
from truegain.notes import Note
from truegain.readers.column_names import (
    DOCUMENT_NAMES,
    DOMAIN_NAMES,
    ID_NAMES,
    REPEAT_NAMES,
    RUN_NAMES,
    SYSTEM_NAMES,
    TEXT_NAMES,
    Chosen,
    check_one_run,
    column_key,
    joined_id,
    parts_of,
)
from truegain.readers.decoding import check_characters
from truegain.readers.field_columns import CodedColumn, ColumnBuilder, FieldColumn, coded
from truegain.readers.orders import different_values
from truegain.readers.plain import LINE_LIMIT, Lines
from truegain.readers.strict_json import type_name

_LABEL_NAMES = {*(*ID_NAMES, *DOCUMENT_NAMES, *DOMAIN_NAMES), *(*SYSTEM_NAMES, *RUN_NAMES, *REPEAT_NAMES)}


def column_builders(header: Iterable[str], scores: Chosen | None) -> dict[str, ColumnBuilder]:
    """Return what the columns of a file are read into; see :class:`truegain.readers.formats.File` for ``scores``."""
    named = () if scores is None else scores.paths()
    return {
        name: ColumnBuilder(
            labels=scores is not None and (name in named or column_key(name) in _LABEL_NAMES),
            droppable=scores is not None,
        )
        for name in header
    }


@dataclass(frozen=True)
class Table:
    """Columns by name, as texts; None if a row has no value.

    Attributes
    ----------
    odd : mapping of str to (int, object)
        The first row of a column whose value in JSON is no text, and that value.
    lines : sequence of int, optional
        The line of each row, if rows stand on lines.
    typed : bool
        Values have the types of JSON: only those in ``odd`` are no texts, and objects stand in their column as JSON.
    rated : bool
        Rows are ratings: an item without a score, or a row, was not rated, and is no mistake.
    testset : str, optional
        The test set that the file is named after, if its name says so.
    """

    name: str
    columns: Mapping[str, FieldColumn]
    notes: tuple[Note, ...] = ()
    odd: Mapping[str, tuple[int, object]] = field(default_factory=dict)
    lines: Sequence[int] | None = None
    typed: bool = False
    rated: bool = False
    testset: str | None = None

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    def reaching(self, paths: Iterable[str | None]) -> Table:
        """Return the table with a column for each dotted path into its objects, ``meta.id``, that is no column.

        Columns with commas between them, ``document,segment``, are one column of ids as well.
        """
        columns, odd = dict(self.columns), dict(self.odd)
        for path in paths:
            parts = [] if path in columns else parts_of(path)
            if parts:
                there = self.reaching(parts).columns
                if all(part in there for part in parts):
                    columns[path or ""] = coded([joined_id(row) for row in zip(*map(there.get, parts), strict=True)])
                continue
            if path is None or path in columns or (objects := self.objects(path.partition(".")[0])) is None:
                continue
            values = [_at(one, path.partition(".")[2]) for one in objects.values]
            if any(value is not None for value in values):
                texts = coded([field_text(value) for value in values])
                columns[path] = CodedColumn(texts.codes[objects.codes], texts.values)
                other = [code for code, one in enumerate(values) if not isinstance(one, str | None)]
                if other:
                    row = int(np.argmax(np.isin(objects.codes, other)))
                    odd[path] = row + 1, values[objects.codes[row]]
        return replace(self, columns=columns, odd=odd)

    def objects(self, name: str) -> CodedColumn | None:
        """Return a column that holds objects, each as JSON; None if it holds none."""
        column = self.columns.get(name)
        if not self.typed or column is None or not column.kept or not isinstance(self.odd.get(name, (0, ""))[1], dict):
            return None
        return column.coded()

    def numbers_inside(self) -> list[str]:
        """Return the paths to numbers and truth values inside objects, ``scores.accuracy``, by the first of them."""
        return sorted(path for name, (_, value) in self.odd.items() for path in numbers_in(name, value))

    def may_be_numbers(self, name: str) -> bool:
        """Return whether a column may hold scores: in JSON, a text in quotes is none."""
        return not self.typed or name in self.odd

    def column(self, wanted: str, what: str) -> list[str | None]:
        """Return the fields of the column of that name."""
        if wanted not in self.columns:
            raise one_of(f"{self.name}: {what}", wanted, list(self.columns))
        return list(self.columns[wanted])

    def labels(self, wanted: str, what: str) -> list[str]:
        """Return a column of ids, documents or domains: texts, or numbers, in every row."""
        self.check_labels(wanted, what)
        return self._complete(wanted, self.column(wanted, what))

    def documents(self, taken: Collection[str]) -> tuple[tuple[str, ...] | None, list[Note]]:
        """Return the documents, from a column of a usual name, if not every row has another value, and what is said."""
        wanted = self.named(DOCUMENT_NAMES, taken)
        if wanted is None or isinstance(self.odd.get(wanted, (0, ""))[1], Mapping | list):
            return None, []
        values = self.columns[wanted]
        if len(set(values)) == len(self):  # it names items
            return None, []
        if any(one is None or not one.strip() for one in values):
            said = f"rows without a value in the column {wanted!r}: it was not taken for documents"
            return None, [Note("documents", said, file=self.name)]
        return tuple(one.strip() for one in self.labels(wanted, "the column of documents")), []

    def check_labels(self, wanted: str, what: str) -> None:
        """Refuse a column of ids, documents or domains that are neither texts nor numbers."""
        row, value = self.odd.get(wanted, (0, ""))
        if row and (not isinstance(value, int | float) or not math.isfinite(value)):
            raise self._unlike(wanted, what, row, value, "a text or a number")

    def texts(self, wanted: str, what: str) -> list[str]:
        """Return a column of texts, with one in every row."""
        return self._complete(wanted, self.some_texts(wanted, what))

    def some_texts(self, wanted: str, what: str) -> list[str | None]:
        """Return a column of texts, in which rows may lack one."""
        values = self.column(wanted, what)
        if wanted in self.odd:
            raise self._unlike(wanted, what, *self.odd[wanted], "a text")
        for number, text in enumerate(values, 1):
            if text is not None:
                check_characters(text, f"{wanted!r} in row {number:,}", self.name)
                if len(text) > LINE_LIMIT:
                    raise InputError(
                        f"{wanted!r} has {len(text):,} characters in row {number:,}; the limit is {LINE_LIMIT:,}",
                        path=self.name,
                    )
        return values

    def _unlike(self, wanted: str, what: str, row: int, value: object, expected: str) -> InputError:
        found = json.dumps(value, ensure_ascii=False)
        return InputError(
            f"{wanted!r} is {type_name(value)} in row {row:,} ({excerpt(found)}); {expected} was expected in {what}",
            path=self.name,
            hint=(
                'write a text as a string, "…"; other columns are named by ',
                Setting("text_column"),
                ", ",
                Setting("id_column"),
                ", … or SYSTEM",
            ),
        )

    def _complete(self, wanted: str, values: list[str | None]) -> list[str]:
        for number, value in enumerate(values):
            if value is None:
                raise InputError(f"row {number + 1:,} has no {wanted!r}", path=self.name)
        return values  # type: ignore[return-value]

    def named(self, choices: Sequence[str], taken: Collection[str] = ()) -> str | None:
        """Return the first of these names that the table has, spelled in any way, and that is not taken."""
        lower = {column_key(name): name for name in self.columns if name not in taken}
        return next((lower[one] for one in choices if one in lower), None)


def numbers_in(name: str, value: object) -> list[str]:
    """Return the paths to numbers and truth values inside the object that a column has; none if it is no object."""
    found: list[str] = []
    waiting: list[tuple[str, object]] = [(name, value)] if isinstance(value, Mapping) else []
    while waiting:
        path, one = waiting.pop()
        if isinstance(one, Mapping):
            waiting += [(f"{path}.{key}", own) for key, own in one.items()]
        elif isinstance(one, int | float):
            found.append(path)
    return found


def field_text(value: object) -> str | None:
    """Return a value in JSON as a field of a table."""
    if value is None or isinstance(value, str):
        return value
    if type(value) is int or (type(value) is float and math.isfinite(value)):  # most values, faster
        return repr(value)
    return json.dumps(value, ensure_ascii=False)


def _at(field: str | None, path: str) -> object:
    """Return what an object in JSON has at a path of keys with dots between them; None if there is nothing."""
    found: Any = json.loads(field) if field is not None and field.startswith("{") else None
    for key in path.split("."):
        found = found.get(key) if isinstance(found, Mapping) else None
    return found


def check_column_names(header: Sequence[str], name: str, line: int | None = 1) -> None:
    """Refuse two columns of one name, white space around names ignored; ``line`` is that of the names."""
    seen: set[str] = set()
    for column in (one.strip() for one in header):
        if column in seen:
            raise InputError(
                f"two columns have the same name, {column!r}", path=name, line=line, hint="give each a name of its own"
            )
        seen.add(column)


def label_columns(
    columns: Mapping[str, Sequence[str | None]], groups: Sequence[object] | None = None, *, any_number: bool = False
) -> dict[str, tuple[str | None, ...]]:
    """Return the columns that segments can be grouped by: those with at most half as many values as segments.

    Parameters
    ----------
    columns : mapping of str to sequence of str
        None, or an empty text, is no value.
    groups : sequence, optional
        The segment of each row, if there may be several rows per segment: columns that differ within one are left out.
    any_number : bool
        Those with more values, too.
    """
    found = {}
    for name, given in columns.items():
        known: dict[str, str] = {}  # one object for each value
        values = [known.setdefault(one, one) if one else None for one in (text and text.strip() for text in given)]
        if groups is not None:
            first: dict[object, str | None] = {}
            if any(first.setdefault(group, value) != value for group, value in zip(groups, values, strict=True)):
                continue
            values = list(first.values())
        if any_number or 2 * len(known) <= len(values):
            found[name] = tuple(values)
    return found


def table_text(
    table: Table, id_column: str | None = None, text_column: str | None = None, first_names: Sequence[str] = ()
) -> Lines:
    """Return one text of a table, a reference or the outputs of a run, with the ids and documents that it has.

    A column with one of the first names is taken before the one that is named for all files.
    """
    table = table.reaching([id_column])
    wanted = table.named(first_names) or text_column or table.named(TEXT_NAMES)
    if wanted is None:
        scored = ("; if it holds scores: ", Setting("metrics", ("scores",))) if table.named(SYSTEM_NAMES) else ()
        raise InputError(
            f"which column is the text? It has {', '.join(table.columns)}",
            path=table.name,
            hint=("name it: ", Setting("text_column"), *scored),
        )
    names = (*RUN_NAMES, *REPEAT_NAMES)
    check_one_run(table.columns, table.name, names, "give a file for each run: NAME=FILE1,FILE2")
    ids = id_column or table.named(ID_NAMES)
    others = {name: column for name, column in table.columns.items() if ids is None and name != wanted}
    documents, said = table.documents([one for one in (wanted, ids) if one is not None])
    return Lines(
        table.name,
        table.texts(wanted, "the column of texts"),
        (*table.notes, *said),
        None if ids is None else tuple(table.labels(ids, "the column of ids")),
        documents,
        column=wanted,
        id_column=ids,
        keys=different_values(others),
    )
