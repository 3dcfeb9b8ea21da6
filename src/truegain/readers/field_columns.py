"""Columns of fields that take a few bytes per row, however many rows there are."""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from truegain.readers.score_values import Kind, column_kind, text_kind

Codes = NDArray[np.unsignedinteger[Any]]

_DISTINCT = 1 << 16  # different fields, up to which they are numbered
_CHARACTERS = 1 << 24  # of all different fields, likewise
_BLOCK = 1 << 14  # rows at once
_END = "\n"  # stands between two lines as a field of its own, which no field can be
_SHARE = 4  # rows per different field, from which on they are numbered in any case


def field_kind(value: str | None) -> Kind:
    """Tell what a field of a table is."""
    return "missing" if value is None else text_kind(value)


def smallest(codes: NDArray[Any], count: int) -> Codes:
    """Return numbers below ``count`` in as few bytes as hold them."""
    return codes.astype(np.min_scalar_type(max(count - 1, 0)), copy=False)


class FieldColumn(Sequence[str | None]):
    """The fields of a column in the order of the rows; None if a row has none."""

    @abstractmethod
    def blocks(self) -> Iterator[list[str | None]]:
        """Yield the fields, a block of rows at a time."""

    def distinct(self) -> Iterator[str | None]:
        """Yield all different fields, in the order in which they first occur; some may come again."""
        return iter(self)

    def coded(self) -> CodedColumn:
        """Return the same fields, each different one held once."""
        return coded(self)

    @property
    def kept(self) -> bool:
        """Return whether fields are held: see :class:`ColumnBuilder`."""
        return True

    def __iter__(self) -> Iterator[str | None]:
        return (value for block in self.blocks() for value in block)

    @overload
    def __getitem__(self, place: int) -> str | None: ...

    @overload
    def __getitem__(self, place: slice) -> list[str | None]: ...

    def __getitem__(self, place: int | slice) -> str | list[str | None] | None:
        if isinstance(place, slice):
            return list(self)[place]
        return self._at(range(len(self))[place])

    def _at(self, row: int) -> str | None:
        return next(islice(self, row, None))


class CodedColumn(FieldColumn):
    """Fields of which each different one is held once, and has a number.

    Attributes
    ----------
    codes : array of int
        The number of the field in each row.
    values : list
        The different fields, in the order in which they first occur.
    """

    def __init__(self, codes: Codes, values: list[Any]) -> None:
        self.codes = codes
        self.values = values

    def __len__(self) -> int:
        return len(self.codes)

    def _at(self, row: int) -> str | None:
        return self.values[self.codes[row]]  # type: ignore[no-any-return]

    def blocks(self) -> Iterator[list[str | None]]:
        """Yield the fields, a block of rows at a time."""
        for first in range(0, len(self.codes), _BLOCK):
            yield list(map(self.values.__getitem__, self.codes[first : first + _BLOCK].tolist()))

    def distinct(self) -> Iterator[str | None]:
        """Yield each different field once."""
        return iter(self.values)

    def coded(self) -> CodedColumn:
        """Return the column itself."""
        return self

    def first_row(self, code: int) -> int:
        """Return the first row of a field."""
        return int(np.argmax(self.codes == code))


def _as_bytes(fields: Sequence[str | None]) -> bytes:
    """Pack fields as lines, each after a line feed, or as JSON if one is missing or holds a line feed."""
    try:
        text = "".join([_END + field for field in fields])  # type: ignore[operator]
    except TypeError:
        text = ""
    if not text or text.count(_END) != len(fields):
        text = json.dumps(list(fields), ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "surrogatepass")


def _unpacked(block: bytes) -> list[str | None]:
    text = block.decode("utf-8", "surrogatepass")
    if text.startswith(_END):
        return list(text[1:].split(_END))
    found: list[str | None] = json.loads(text)
    return found


class _PackedColumn(FieldColumn):
    """Fields of which most differ: blocks of rows as bytes."""

    def __init__(self, packed: Sequence[bytes], sizes: Sequence[int]) -> None:
        self._packed = packed
        self._ends = np.cumsum(sizes)

    def __len__(self) -> int:
        return int(self._ends[-1])

    def _at(self, row: int) -> str | None:
        block = int(np.searchsorted(self._ends, row, side="right"))
        from_its_end = row - int(self._ends[block])
        return _unpacked(self._packed[block])[from_its_end]

    def blocks(self) -> Iterator[list[str | None]]:
        """Yield the fields, a block of rows at a time."""
        return map(_unpacked, self._packed)


class _DroppedColumn(FieldColumn):
    """Texts that are not held, since no score and no group is among them."""

    def __init__(self, rows: int) -> None:
        self._rows = rows

    def __len__(self) -> int:
        return self._rows

    @property
    def kept(self) -> bool:
        """Return that nothing is held."""
        return False

    def blocks(self) -> Iterator[list[str | None]]:
        """Refuse: whoever needs fields asks first whether they are held."""
        raise AssertionError("the fields of this column are not held")


class _Numbers(dict[str | None, int]):
    """The number of each field, a new one for each that comes first."""

    characters = 0

    def __missing__(self, field: str | None) -> int:
        self[field] = number = len(self)
        self.characters += len(field or "")
        return number


class ColumnBuilder:
    """A column that is read a block of rows at a time.

    Different fields are numbered. If they become many, texts of rows are packed instead.

    Parameters
    ----------
    labels : bool
        Fields name something, a system or an item, and are numbered however many there are.
    droppable : bool
        Texts are not held if they become many, more than can be groups: only numbers are.

    Attributes
    ----------
    dropped : bool
        The fields are not held, and need not be read.
    """

    def __init__(self, *, labels: bool = False, droppable: bool = False) -> None:
        self._numbers = _Numbers()
        self._codes: list[Codes] = []
        self._packed: list[bytes] | None = None
        self._sizes: list[int] = []
        self._labels = labels
        self._droppable = droppable
        self.dropped = False

    def keep(self) -> None:
        """Hold texts, however many they become."""
        self._droppable = False

    def pass_over(self, rows: int) -> None:
        """Add rows to a column that is dropped."""
        self._sizes.append(rows)

    def add(self, fields: Sequence[str | None]) -> None:
        """Add a block of rows."""
        self._sizes.append(len(fields))
        if self.dropped:
            return
        if self._packed is not None:
            self._packed.append(_as_bytes(fields))
            return
        codes = np.fromiter(map(self._numbers.__getitem__, fields), np.uint32, len(fields))
        self._codes.append(smallest(codes, len(self._numbers)))
        if len(self._numbers) > _DISTINCT or self._numbers.characters > _CHARACTERS:
            self._shrink()

    def _shrink(self) -> None:
        if self._droppable and not self._labels and column_kind(self._numbers, field_kind) == "text":
            self.dropped = True
        elif not self._labels and _SHARE * len(self._numbers) > sum(self._sizes):
            fields = list(self._numbers)
            self._packed = [_as_bytes([fields[code] for code in block.tolist()]) for block in self._codes]
        else:
            return
        self._numbers, self._codes = _Numbers(), []

    def column(self) -> FieldColumn:
        """Return what was added."""
        if self.dropped:
            return _DroppedColumn(sum(self._sizes))
        if self._packed is not None:
            return _PackedColumn(self._packed, self._sizes)
        codes = np.concatenate(self._codes) if self._codes else np.empty(0, np.uint8)
        return CodedColumn(codes, list(self._numbers))


def coded(values: Sequence[Any]) -> CodedColumn:
    """Give each different value of a column a number.

    Raises
    ------
    TypeError
        If a value is a list, or holds one.
    """
    if isinstance(values, CodedColumn):
        return values
    numbers = _Values()
    codes = np.fromiter(map(numbers.__getitem__, values), np.uint32, len(values))
    return CodedColumn(smallest(codes, len(numbers)), list(numbers))


class _Values(dict[Any, int]):
    def __missing__(self, value: Any) -> int:
        self[value] = number = len(self)
        return number


def joined(columns: Sequence[FieldColumn]) -> FieldColumn:
    """Put the rows of columns below each other."""
    if len(columns) == 1:
        return columns[0]
    if not all(one.kept for one in columns):
        return _DroppedColumn(sum(map(len, columns)))
    if all(isinstance(one, CodedColumn) for one in columns):
        numbers, codes = _Values(), []
        for one in map(coded, columns):
            own = np.fromiter(map(numbers.__getitem__, one.values), np.uint32, len(one.values))
            codes.append(own[one.codes])
        return CodedColumn(smallest(np.concatenate(codes), len(numbers)), list(numbers))
    packed, sizes = [], []
    for block in (block for one in columns for block in one.blocks()):
        packed.append(_as_bytes(block))
        sizes.append(len(block))
    return _PackedColumn(packed, sizes)


def joined_lines(lines: Sequence[str], separator: str) -> str:
    """Return lines as one text for :func:`split_columns`."""
    return f"{separator}{_END}{separator}".join(lines)


def split_columns(text: str, separator: str, rows: int, width: int) -> list[list[str]] | None:
    """Cut joined lines into fields, without a step per line; return None if a line has another number of them.

    Parameters
    ----------
    text : str
    separator : str
    rows : int
        How many lines were joined.
    width : int
        How many fields each should have.
    """
    fields = text.split(separator)
    step = width + 1
    if len(fields) != rows * step - 1 or fields[width::step] != [_END] * (rows - 1):
        return None
    return [fields[place::step] for place in range(width)]
