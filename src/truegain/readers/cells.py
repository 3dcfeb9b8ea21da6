"""Columns of values: of a data frame, or of one or several files that are one table."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truegain.errors import InputError, Written, one_of
from truegain.readers.decoding import check_characters
from truegain.readers.score_values import (
    Kind,
    column_kind,
    json_kind,
    required_json,
    required_score,
    text_kind,
    verdicts,
)
from truegain.readers.tabular import Table

__all__ = ["Cells", "cells_of_files", "is_missing"]

_LEFT_OUT = "leave an item without a score out, for all systems"


@dataclass(frozen=True)
class Cells:
    """Columns of values, and where their rows stand.

    Attributes
    ----------
    columns : mapping of str to sequence
    files : tuple of (Table, int)
        The tables of files and the row, from 0, that each begins at; none for a data frame.
    """

    columns: Mapping[str, Sequence[Any]]
    files: tuple[tuple[Table, int], ...] = ()

    @property
    def name(self) -> str:
        """The files, or the frame, as messages call it."""
        return ", ".join(table.name for table, _ in self.files) or "the frame"

    @property
    def in_files(self) -> bool:
        """Return whether values are fields of files, not those of a program."""
        return bool(self.files)

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    def error(self, row: int, message: str, hint: str | None = None) -> InputError:
        """Return an error about a row, counted from 0."""
        table, first = self._file(row)
        if table is None:
            return InputError(f"row {row + 1:,} of the frame: {message}", hint=hint)
        if table.lines is None:
            return InputError(f"row {row - first + 1:,}: {message}", path=table.name, hint=hint)
        return InputError(message, path=table.name, line=table.lines[row - first], hint=hint)

    def _file(self, row: int) -> tuple[Table | None, int]:
        return next(((table, first) for table, first in reversed(self.files) if first <= row), (None, 0))

    def files_of(self, rows: Iterable[int]) -> str:
        """Return the files that hold these rows."""
        names = dict.fromkeys(table.name for row in rows if (table := self._file(row)[0]) is not None)
        return ", ".join(names)

    def file_numbers(self) -> NDArray[np.int64]:
        """Return the number of the file of each row."""
        return np.repeat(np.arange(len(self.files)), [len(table) for table, _ in self.files])

    def found(self, names: Sequence[str], asked: str | None, what: str, setting: Written) -> str | None:
        """Return the column that was asked for, or the one with a usual name.

        Raises
        ------
        InputError
            If there is no such column, or several have a usual name and do not say the same.
        """
        if asked is not None:
            if asked not in self.columns:
                raise one_of(f"{self.name}: the column of {what}", asked, list(self.columns))
            return asked
        by_name = {column.lower(): column for column in reversed(list(self.columns))}
        known = [by_name[name] for name in names if name in by_name]
        for other in known[1:]:
            pairs = set(zip(map(str, self.columns[known[0]]), map(str, self.columns[other]), strict=True))
            if not len(pairs) == len({one for one, _ in pairs}) == len({one for _, one in pairs}):
                raise InputError(
                    f"which column holds the {what}, {known[0]!r} or {other!r}? They do not say the same",
                    path=self.name if self.in_files else None,
                    hint=("name it: ", setting) if self.in_files else "leave one of them out",
                )
        return known[0] if known else None

    def labels(self, name: str) -> Sequence[str]:
        """Return a column of ids, systems, documents, … as texts, one in every row."""
        values = self.columns[name]
        try:
            distinct = dict.fromkeys(values)
        except TypeError:
            row = next(row for row, value in enumerate(values) if not isinstance(value, Hashable))
            raise self.error(row, f"the column {name!r} has a list; a text or a number was expected") from None
        if any(_is_empty(one) for one in distinct):
            row = next(row for row, value in enumerate(values) if _is_empty(value))
            raise self.error(row, f"there is nothing in the column {name!r}")
        if all(isinstance(one, str) for one in distinct):
            return values
        words = {one: str(one) for one in distinct}
        return [words[value] for value in values]

    def codes(self, name: str, order: Mapping[str, int]) -> NDArray[np.int64]:
        """Return the number that each label of a column has."""
        return np.fromiter(map(order.__getitem__, self.labels(name)), np.int64, len(self))

    def kind(self, name: str) -> Kind:
        """Tell what a column holds; C and I, correct and incorrect are truth values."""
        return self._kinds[name]

    @cached_property
    def _kinds(self) -> dict[str, Kind]:
        return {name: self._kind(name) for name in self.columns}

    def _kind(self, name: str) -> Kind:
        values = self.columns[name]
        if self.in_files and not all(table.may_be_numbers(name) for table, _ in self.files):
            kind: Kind = "text"
        else:
            kind = column_kind(values, _field_kind if self.in_files else json_kind)
        return "truth" if kind == "text" and verdicts(values) is not None else kind

    def numbers(self, name: str) -> NDArray[np.float64]:
        """Return the scores of a column, one in every row."""
        values = self.columns[name]
        words = verdicts(values)
        if words is None and self.in_files and (fast := _plain_numbers(values)) is not None:
            return fast
        found = np.empty(len(values))
        known: dict[Any, float] = {} if words is None else dict(words)
        kind = self.kind(name)
        for row, value in enumerate(values):
            number = known.get(value) if self.in_files or words is not None else None
            if number is None:
                number = self._number(name, row, kind)
                if self.in_files:
                    known[value] = number
            found[row] = number
        return found

    def _number(self, name: str, row: int, kind: Kind) -> float:
        value = self.columns[name][row]
        if not self.in_files:
            try:
                return required_json(name, None if is_missing(value) else value, kind)
            except InputError as error:
                raise self.error(row, error.message, error.hint) from None
        if _field_kind(value) == "missing":
            rows = sum(_field_kind(one) == "missing" for one in self.columns[name])
            message = f"the column {name!r} has no score in {rows:,} row{'s' if rows > 1 else ''}"
            raise self.error(row, f"{message}, here {value!r}", _LEFT_OUT)
        try:
            return required_score(value, kind, "", 0)
        except InputError as error:
            raise self.error(row, f"the column {name!r}: {error.message}", error.hint) from None

    def text(self, name: str, row: int) -> str:
        """Return the text that must stand there."""
        value = self.columns[name][row]
        if not isinstance(value, str):
            found = "missing" if is_missing(value) else type(value).__name__
            raise self.error(row, f"the column {name!r} is {found}; a string was expected")
        check_characters(value, f"row {row + 1:,} of the column {name!r}")
        return value


def cells_of_files(tables: Sequence[Table]) -> Cells:
    """Put the rows of files below each other; columns may stand in any order.

    Raises
    ------
    InputError
        If a file has other columns than the first.
    """
    first = tables[0]
    for table in tables[1:]:
        odd = sorted(set(table.columns) ^ set(first.columns))
        if odd:
            where = "only here" if odd[0] in table.columns else f"only in {first.name}"
            raise InputError(
                f"its columns are not those of {first.name}: {odd[0]!r} is {where}",
                path=table.name,
                hint="files that are parts of one table have the same columns",
            )
    starts = np.cumsum([0, *(len(table) for table in tables[:-1])]).tolist()
    columns = {
        name: first.columns[name] if len(tables) == 1 else [value for table in tables for value in table.columns[name]]
        for name in first.columns
    }
    return Cells(columns, tuple(zip(tables, starts, strict=True)))


def is_missing(value: Any) -> bool:
    """Return whether a value stands for none: None, NaN, or what pandas has for them."""
    return (
        value is None or type(value).__name__ in ("NAType", "NaTType") or (isinstance(value, float) and value != value)
    )


def _is_empty(value: Any) -> bool:
    return is_missing(value) or (isinstance(value, str) and not value.strip())


def _field_kind(value: str | None) -> Kind:
    return "missing" if value is None else text_kind(value)


def _plain_numbers(values: Sequence[str | None]) -> NDArray[np.float64] | None:
    """Return the numbers of a column if all are, and finite; None if one must be looked at."""
    try:
        found = np.fromiter(map(float, values), np.float64, len(values))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None
    # What Python reads beyond this is no number: see score_values.number_in.
    plain = "".join(values)  # type: ignore[arg-type]
    return found if np.isfinite(found).all() and plain.isascii() and "_" not in plain else None
