"""Columns of values: of a data frame, or of one or several files that are one table."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from operator import add
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truegain.errors import InputError, Text, Written, one_of
from truegain.readers.column_names import column_key
from truegain.readers.decoding import check_characters
from truegain.readers.field_columns import CodedColumn, FieldColumn, coded, field_kind, joined, smallest
from truegain.readers.score_values import (
    Kind,
    column_kind,
    is_answers,
    json_kind,
    required_json,
    required_score,
    verdicts,
)
from truegain.readers.tabular import Table

_LEFT_OUT = "leave out the row if its item has other samples or ratings of the system, else the item, for all systems"


@dataclass(frozen=True)
class Cells:
    """Columns of values, and where their rows stand.

    Attributes
    ----------
    columns : mapping of str to sequence
    files : tuple of (Table, int)
        The tables of files and the row, from 0, that each begins at; none for a data frame.
    ratings : bool
        Rows of a data frame are ratings: a missing score is an item that was not rated.
    lone_letters : bool
        A column that has only one of Inspect's letters holds verdicts.
    by_option : bool
        Options name columns of files; else only their own names tell what they are.
    """

    columns: Mapping[str, Sequence[Any]]
    files: tuple[tuple[Table, int], ...] = ()
    ratings: bool = False
    lone_letters: bool = False
    by_option: bool = True

    @property
    def name(self) -> str:
        """The files, or the frame, as messages call it."""
        return ", ".join(table.name for table, _ in self.files) or "the frame"

    @property
    def path(self) -> str | None:
        """The files, for messages; None for a data frame."""
        return self.name if self.in_files else None

    @property
    def noun(self) -> str:
        """The kind of table, as messages call it."""
        return "the table" if self.in_files else "the frame"

    @property
    def in_files(self) -> bool:
        """Return whether values are fields of files, not those of a program."""
        return bool(self.files)

    @property
    def nameable(self) -> bool:
        """Return whether columns can be named by options, so that messages may say so."""
        return self.in_files and self.by_option

    @property
    def rated(self) -> bool:
        """Return whether rows are ratings, and a missing score is an item that was not rated."""
        return self.ratings or any(table.rated for table, _ in self.files)

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    def error(self, row: int, message: str, hint: Text | None = None) -> InputError:
        """Return an error about a row, counted from 0."""
        table, first = self._file(row)
        if table is None:
            return InputError(f"row {row + 1:,} of the frame: {message}", hint=hint)
        if table.lines is None:
            return InputError(f"row {row - first + 1:,}: {message}", path=table.name, hint=hint)
        return InputError(message, path=table.name, line=table.lines[row - first], hint=hint)

    def where(self, row: int) -> str:
        """Return the place of a row, counted from 0, beside which another is at fault: its file, if there are many."""
        table, first = self._file(row)
        if table is not None and len(self.files) > 1:
            return f"in {table.name}"
        lines = None if table is None else table.lines
        return f"in row {row + 1:,}" if lines is None else f"on line {lines[row - first]:,}"

    def _file(self, row: int) -> tuple[Table | None, int]:
        return next(((table, first) for table, first in reversed(self.files) if first <= row), (None, 0))

    def files_of(self, rows: NDArray[np.int64]) -> str:
        """Return the files that hold these rows; nothing for a data frame."""
        if not self.files:
            return ""
        numbers = np.unique(np.searchsorted([first for _, first in self.files], rows, side="right") - 1)
        return ", ".join(dict.fromkeys(self.files[number][0].name for number in numbers.tolist()))

    def file_numbers(self) -> NDArray[np.int64]:
        """Return the number of the file of each row."""
        return np.repeat(np.arange(len(self.files)), [len(table) for table, _ in self.files])

    def found(
        self, names: Sequence[str], asked: str | None, what: str, setting: Written, taken: Collection[str] = ()
    ) -> str | None:
        """Return the column that was asked for, or the one with a usual name that is not taken for something else.

        Raises
        ------
        InputError
            If there is no such column, or several have a usual name and do not say the same.
        """
        if asked is not None:
            if asked not in self.columns:
                raise one_of(f"{self.name}: the column of {what}", asked, list(self.columns))
            return asked
        within = {path.partition(".")[0] for path in taken}
        objects = {name for name in within if any(table.objects(name) is not None for table, _ in self.files)}
        by_name = {column_key(one): one for one in reversed(list(self.columns)) if one not in {*taken, *objects}}
        known = [by_name[name] for name in names if name in by_name]
        for other in known[1:]:
            one, two = (coded(own if self.in_files else list(map(str, own))) for own in map(self.at, (known[0], other)))
            pairs = np.unique(one.codes.astype(np.int64) * len(two.values) + two.codes).size
            if not pairs == len(one.values) == len(two.values):
                raise InputError(
                    f"which column holds the {what}, {known[0]!r} or {other!r}? They do not say the same",
                    path=self.path,
                    hint=("name it: ", setting) if self.nameable else "leave one of them out",
                )
        return known[0] if known else None

    def different(self, names: Sequence[str]) -> int:
        """Return how many rows differ in these columns."""
        found = np.zeros(len(self), np.int64)
        for name in names:
            own = coded(self.columns[name])
            found = np.unique(found * len(own.values) + own.codes, return_inverse=True)[1]
        return int(found.max(initial=-1)) + 1

    def at(self, name: str) -> Sequence[Any]:
        """Return a column of which single rows are asked for."""
        column = self.columns[name]
        if isinstance(column, CodedColumn) or not isinstance(column, FieldColumn):
            return column
        if name not in self._lists:
            self._lists[name] = list(column)
        return self._lists[name]

    @cached_property
    def _lists(self) -> dict[str, list[str | None]]:
        return {}

    def coded(self, name: str) -> CodedColumn:
        """Return a column with a number for each different value; refuse lists and the like."""
        values = self.columns[name]
        try:
            return coded(values)
        except TypeError:
            row, kind = next((row, type(one).__name__) for row, one in enumerate(values) if not _is_hashable(one))
            raise self.error(row, f"the column {name!r} has a {kind}; a text or a number was expected") from None

    def labels(self, name: str) -> CodedColumn:
        """Return a column of ids, systems, documents, … as texts, one in every row."""
        values = self.columns[name]
        if not self.in_files:
            self._check_no_mix(name, values)
        found = self.coded(name)
        empty = next((code for code, one in enumerate(found.values) if is_empty(one)), None)
        if empty is not None:
            raise self.error(found.first_row(empty), f"there is nothing in the column {name!r}")
        texts = coded(list(map(label_text, found.values)))
        return CodedColumn(texts.codes[found.codes], texts.values)

    def _check_no_mix(self, name: str, values: Sequence[Any]) -> None:
        """Refuse truth values among others: True would be the same as 1."""
        truths = [isinstance(one, bool | np.bool_) for one in values]
        if any(truths) and not all(truths):
            row = truths.index(True)
            raise self.error(row, f"the column {name!r} has {values[row]}, and other rows have numbers or texts")

    def codes(self, name: str, order: Mapping[str, int]) -> NDArray[np.unsignedinteger[Any]]:
        """Return the number that each label of a column has."""
        own = self.labels(name)
        return smallest(np.array([order[one] for one in own.values]), len(order))[own.codes]

    def kind(self, name: str) -> Kind:
        """Tell what a column holds; C and I, correct and incorrect are truth values."""
        return self._kinds[name]

    @cached_property
    def _kinds(self) -> dict[str, Kind]:
        return {name: self._kind(name) for name in self.columns}

    def _kind(self, name: str) -> Kind:
        kind_of = field_kind if self.in_files else json_kind
        if is_answers(name, self._distinct(name) or (), kind_of):
            return "text"
        values = self._distinct(name)
        if values is None or (self.in_files and not all(table.may_be_numbers(name) for table, _ in self.files)):
            kind: Kind = "text"
        else:
            kind = column_kind(values, kind_of)
        return "truth" if kind == "text" and self.verdicts(name) is not None else kind

    def _distinct(self, name: str) -> Iterable[Any] | None:
        """Return the values of a column, or only the different ones; None if they are not held."""
        column = self.columns[name]
        if not isinstance(column, FieldColumn):
            return column
        return column.distinct() if column.kept else None

    def verdicts(self, name: str) -> dict[Any, float] | None:
        """Return the numbers of the words of a column of verdicts; None if it is no such column."""
        values = self._distinct(name)
        return None if values is None else verdicts(values, lone_letters=self.lone_letters)

    def numbers(self, name: str) -> NDArray[np.float64]:
        """Return the scores of a column, one in every row; of ratings, NaN for an item that was not rated."""
        column = self.columns[name]
        if isinstance(column, CodedColumn):
            return self._numbers(name, column.values, column.first_row)[column.codes]
        found = np.empty(len(column))
        first = 0
        for block in column.blocks() if isinstance(column, FieldColumn) else [column]:
            found[first : first + len(block)] = self._numbers(name, block, partial(add, first))
            first += len(block)
        return found

    def _numbers(self, name: str, values: Sequence[Any], row_of: Callable[[int], int]) -> NDArray[np.float64]:
        """Return the scores that values are; ``row_of`` tells the first row of one, by its place."""
        if self.in_files and (fast := _plain_numbers(values)) is not None:
            return fast
        words, kind = self.verdicts(name) or {}, self.kind(name)
        found = np.empty(len(values))
        for place, value in enumerate(values):
            number = words.get(value) if words else None
            try:
                found[place] = self._number(name, value, kind) if number is None else number
            except InputError as error:
                raise self.error(row_of(place), error.message, error.hint) from None
        return found

    def _number(self, name: str, value: Any, kind: Kind) -> float:
        """Return the score that a value is; the error does not say where it stands."""
        if not self.in_files:
            if self.rated and is_missing(value):
                return np.nan
            try:
                return required_json(name, None if is_missing(value) else value, kind)
            except InputError as error:
                raise InputError(error.said, hint=_LEFT_OUT if is_missing(value) else error.advice) from None
        if field_kind(value) == "missing":
            if self.rated:
                return np.nan
            rows = sum(field_kind(one) == "missing" for one in self.columns[name])
            message = f"the column {name!r} has no score in {rows:,} row{'s' if rows > 1 else ''}"
            raise InputError(f"{message}, here {value!r}", hint=_LEFT_OUT)
        try:
            return required_score(value, kind, "", 0)
        except InputError as error:
            raise error.at(None, before=f"the column {name!r}: ") from None

    def text(self, name: str, row: int) -> str:
        """Return the text that must stand there."""
        value = self.at(name)[row]
        if not isinstance(value, str):
            found = "missing" if is_missing(value) else type(value).__name__
            raise self.error(row, f"the column {name!r} is {found}; a string was expected")
        check_characters(value, f"row {row + 1:,} of the column {name!r}")
        return value


def cells_of_files(tables: Sequence[Table], *, by_option: bool = True) -> Cells:
    """Put the rows of files below each other; columns may stand in any order.

    Parameters
    ----------
    tables : sequence of Table
    by_option : bool
        Whether there are options that name columns.

    Raises
    ------
    InputError
        If a file has other columns than the first, or is of another test set.
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
        if table.testset != first.testset and None not in (table.testset, first.testset):
            raise InputError(
                f"it is of the test set {table.testset!r} by its name, and {first.name} of {first.testset!r}",
                path=table.name,
                hint="compare on one test set at a time",
            )
    starts = np.cumsum([0, *(len(table) for table in tables[:-1])]).tolist()
    columns = {name: joined([table.columns[name] for table in tables]) for name in first.columns}
    return Cells(columns, tuple(zip(tables, starts, strict=True)), by_option=by_option)


def label_text(value: Any) -> str:
    """Return a value as a text: 7.0, which a frame has for 7 once a value was missing, is 7."""
    return str(int(value)) if isinstance(value, float | np.floating) and value.is_integer() else str(value)


def is_missing(value: Any) -> bool:
    """Return whether a value stands for none: None, NaN, or what pandas has for them."""
    return (
        value is None
        or type(value).__name__ in ("NAType", "NaTType")
        or (isinstance(value, float | np.floating) and bool(value != value))
    )


def is_empty(value: Any) -> bool:
    """Return whether a value is missing, or a text of white space."""
    return is_missing(value) or (isinstance(value, str) and not value.strip())


def _plain_numbers(values: Sequence[str | None]) -> NDArray[np.float64] | None:
    """Return the numbers of a column if all are, and finite; None if one must be looked at."""
    try:
        found = np.fromiter(map(float, values), np.float64, len(values))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None
    # What Python reads beyond this is no number: see score_values.number_in.
    plain = "".join(values)  # type: ignore[arg-type]
    return found if np.isfinite(found).all() and plain.isascii() and "_" not in plain else None


def _is_hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True
