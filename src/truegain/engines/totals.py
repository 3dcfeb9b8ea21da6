"""Totals on the processor: products by BLAS, sums over drawn units, by table look-up, of runs dealt out; all exact."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from truegain.executors.processors import BLAS_THREAD, need
from truegain.kernels import compiled, run, widest
from truegain.resampling.design import Design
from truegain.resampling.generator import deal_sums, resample_keys
from truegain.resampling.streams import Stream
from truegain.resampling.units import UnitTable
from truegain.scratch import stretches, table
from truegain.scratch import table as new_table

#: Whole numbers below it, and sums of them, are exact in single precision.
EXACT_SINGLE = 2.0**24

_TURNED = 512  # rows that become columns at once, which is three times as fast as all of them


def reach(design: Design, values: NDArray[np.float64]) -> float:
    """Return a bound of every sum of columns (columns, units) in any resample, and of every part of a sum."""
    if design.scheme == "bootstrap":
        return design.units.count * largest(values)
    return float(np.abs(values).sum(1).max(initial=0.0))


def largest(values: NDArray[np.floating[Any]]) -> float:
    """Return the size of the largest number."""
    return float(max(values.max(initial=0.0), -values.min(initial=0.0)))


class UniqueColumns(NamedTuple):
    """Columns of a table without repetitions: lengths that two systems share are summed once.

    If the weights of a resample have a known sum, a column that differs from another by a constant needs no sum of
    its own either: most n-gram counts are lengths less one, two or three.
    """

    values: NDArray[np.float64]
    column: NDArray[np.intp]
    addition: NDArray[np.float64]
    scale: NDArray[np.float64]

    @classmethod
    def of(cls, table: UnitTable, design: Design) -> UniqueColumns:
        """Return the unique columns of a table, kept with it: resamples are often made in pieces."""
        kind = f"distinct columns, {design.scheme}"
        found: UniqueColumns = table.kept.get(kind) or table.kept.setdefault(kind, cls._made(table, design))
        return found

    @classmethod
    def _made(cls, table: UnitTable, design: Design) -> UniqueColumns:
        units, columns = table.values.shape
        by_column = new_table(columns, units)
        for rows in stretches(units, _TURNED):
            by_column[:, rows] = table.values[rows].T
        total_weight = units if design.scheme == "bootstrap" else 0
        start = by_column[:, 0] if total_weight else np.zeros(columns)
        need(BLAS_THREAD)  # for the product
        # Columns with equal sums, plain and weighted, may be equal; only these are looked at closely.
        marks = np.zeros((columns, 2))
        for rows in stretches(units):
            weights = np.arange(rows.start, rows.stop) % 251.0
            both = np.stack([np.ones(weights.size), weights], 1)
            marks += by_column[:, rows] @ both - np.outer(start, both.sum(0))
        firsts: list[int] = []
        alike: dict[tuple[float, float], list[int]] = {}
        column = np.empty(columns, np.intp)
        for i, (total, weighted) in enumerate(marks.tolist()):
            others = alike.setdefault((total, weighted), [])
            same = (j for j in others if _same_shape(by_column, firsts[j], i, start))
            place = next(same, len(firsts))
            if place == len(firsts):
                firsts.append(i)
                others.append(place)
            column[i] = place
        values = by_column
        if len(firsts) < columns:
            values = new_table(len(firsts), units)
            for own, i in zip(values, firsts, strict=True):
                own[:] = by_column[i]
        addition = (by_column[:, 0] - values[column, 0]) * total_weight
        return cls(values, column, addition, table.scale)

    def spread(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Turn totals of unique columns into totals of all, in the statistics' own scale."""
        spread = totals.take(self.column, axis=0)
        if self.addition.any():
            spread += self.addition[:, None]
        if (self.scale != 1.0).any():
            spread *= self.scale[:, None]
        return spread


def _same_shape(columns: NDArray[np.float64], one: int, other: int, start: NDArray[np.float64]) -> bool:
    """Return whether two columns are equal, less what each starts with."""
    return bool((columns[one] - columns[other] == start[one] - start[other]).all())


_WEIGHT_BYTES = 4 << 20
_MOST_WEIGHTS = 128 << 20  # bytes, of units that are so many that they are done in stretches
_FEWEST_UNITS, _MANY_UNITS = 1 << 10, 1 << 16  # of a stretch
_WORDS = 2  # to a row of a subset table, see kernels/packed_sums.py
_ROW_BYTES = 1 << 20  # of all packed rows of units, which are looked up at random and should stay in the cache
_FEWEST_DRAWS = 64  # between two times that packed sums are taken apart


class Totals(Protocol):
    """A way to the totals of all columns of a table in resamples; it can be sent to other processes."""

    @property
    def chunk(self) -> int:
        """How many resamples to do at once: as many as the processor's cache holds."""
        ...

    @property
    def multiplies(self) -> bool:
        """Return whether BLAS may be asked for a product: to limit it takes milliseconds."""
        ...

    def __call__(self, first: int, end: int) -> NDArray[np.float64]:
        """Return exact totals of resamples ``first`` up to ``end``: (columns, resamples), or (resamples, runs, k)."""
        ...


def totals_of(units: UnitTable, design: Design) -> Totals:
    """Return the fastest way that is exact to the totals of a table, which sums its unique columns."""
    return _chosen(design, UniqueColumns.of(units, design))


def _chosen(design: Design, distinct: UniqueColumns) -> Totals:
    if design.scheme == "swap" and compiled():
        return _SubsetSums(design, distinct)
    if design.draws_alike and compiled() and (rows := _PackedRows.of(distinct.values)) is not None:
        return _DrawnSums(design, distinct, rows)
    return (_Product if design.units.count <= _MANY_UNITS else _ProductInStretches)(design, distinct)


class _Product:
    """Product of weights and statistics; in single precision if that is exact."""

    multiplies = True

    def __init__(self, design: Design, distinct: UniqueColumns) -> None:
        self._design = design
        self._distinct = distinct
        kind = np.float32 if reach(design, distinct.values) < EXACT_SINGLE else np.float64
        self._values = np.ascontiguousarray(distinct.values.T, dtype=kind)
        self.chunk = int(np.clip(_WEIGHT_BYTES // (4 * max(1, design.units.count)), 32, 1024))

    def __call__(self, first: int, end: int) -> NDArray[np.float64]:
        weights = self._design.weights(first, end).astype(self._values.dtype, copy=False)
        return self._distinct.spread(np.ascontiguousarray((weights @ self._values).T, dtype=np.float64))


class _ProductInStretches:
    """Product of weights and statistics, so many units at a time that single precision is exact, as it mostly can be.

    A few resamples are made at once: the weights of very many units take much memory.
    """

    multiplies = True

    def __init__(self, design: Design, distinct: UniqueColumns) -> None:
        self._design = design
        self._distinct = distinct._replace(values=distinct.values[:0])  # their own are enough to be sent elsewhere
        self._most = max(1.0, largest(distinct.values))
        columns, count = distinct.values.shape
        self._values = table(columns, count, np.float32 if self._most < EXACT_SINGLE else np.float64)
        for units in stretches(count):
            self._values[:, units] = distinct.values[:, units]
        self._stretch = int(np.clip(EXACT_SINGLE / (1.25 * self._most), _FEWEST_UNITS, _MANY_UNITS))
        self.chunk = int(np.clip(_MOST_WEIGHTS // (design.weights(0, 1).itemsize * count), 1, 32))

    def __call__(self, first: int, end: int) -> NDArray[np.float64]:
        weights = self._design.weights(first, end)
        sums = np.zeros((len(self._values), end - first))
        for units in stretches(self._design.units.count, self._stretch):
            own = weights[:, units]
            exact = self._most * float(own.sum(1, dtype=np.float64).max()) < EXACT_SINGLE
            kind = "f4" if exact else "f8"
            sums += self._values[:, units].astype(kind, copy=False) @ own.astype(kind, copy=False).T
        return self._distinct.spread(sums)


class _PackedRows(NamedTuple):
    """Statistics of units in 16 bits each, less the least value of their column: rows of 16, or of 32.

    Attributes
    ----------
    words : array of uint64
        Four statistics each, four or eight of them to a unit.
    width : int
        The number of words to a unit.
    least : array of float64
        The least value of each column.
    part : int
        How many draws can be added up before a column may pass 16 bits; an even number.
    """

    words: NDArray[np.uint64]
    width: int
    least: NDArray[np.float64]
    part: int

    @classmethod
    def of(cls, values: NDArray[np.float64]) -> _PackedRows | None:
        """Pack columns (columns, units); None if there are too many, or if sums would soon pass 16 bits."""
        columns, units = values.shape
        width = 4 if columns <= 16 else 8
        if not 0 < columns <= 4 * width or not 0 < 8 * width * units <= _ROW_BYTES:
            return None
        least = values.min(1)
        span = int((values.max(1) - least).max())
        part = min(0xFFFF // max(1, span), units + 1) // 2 * 2
        if part < min(_FEWEST_DRAWS, units):
            return None
        rows = np.zeros((units, 4 * width), "<u2")
        np.subtract(values.T, least, out=rows[:, :columns], casting="unsafe")
        return cls(rows.view("<u8").astype(np.uint64, copy=False).ravel(), width, least, part)


class _DrawnSums:
    """Sums over the units drawn, row by row: see :func:`truegain.kernels.packed_sums.draw_sums`."""

    multiplies = False
    chunk = 1024

    def __init__(self, design: Design, distinct: UniqueColumns, rows: _PackedRows) -> None:
        self._design = design
        self._distinct = distinct
        self._rows = rows

    def __call__(self, first: int, end: int) -> NDArray[np.float64]:
        rows, units = self._rows, self._design.units.count
        keys = self._design.keys(first, end)
        sums = np.empty((rows.least.size, keys.size), np.int64)
        run(widest("packed_sums").draw_sums, keys, units, rows.words, rows.part, np.empty(rows.width, np.uint64), sums)
        return self._distinct.spread(sums + (units * rows.least)[:, None])


class _Field(NamedTuple):
    """Place of a column in the packed words: which word, from which bit, how many bits."""

    word: int
    shift: int
    bits: int
    offset: float  # what was added to make the column non-negative


class _Packing(NamedTuple):
    """Several columns in one 64-bit word, each wide enough for the largest sum it can reach."""

    words: list[NDArray[np.uint64]]  # of all units, two words of each in an array
    fields: tuple[_Field, ...]
    count_field: _Field | None

    @classmethod
    def of(cls, values: NDArray[np.float64]) -> _Packing:
        offsets = -np.minimum(values.min(1, initial=0.0), 0.0)
        units = values.shape[1]
        bits = [int((one + offset).sum()).bit_length() for one, offset in zip(values, offsets, strict=True)]
        if offsets.any():
            bits.append(units.bit_length())  # of how many units are in the sum, to take the offsets off again
        used: list[int] = []
        fields: list[_Field] = []
        for column, width in enumerate(bits):
            word = next((i for i, taken in enumerate(used) if taken + width <= 64), len(used))
            if word == len(used):
                used.append(0)
            fields.append(_Field(word, used[word], width, float(offsets[column]) if column < len(offsets) else 0.0))
            used[word] += width
        words = [np.zeros(units * _WORDS, np.uint64) for _ in range(-(-max(len(used), 1) // _WORDS))]
        for column, field in enumerate(fields):
            numbers = (values[column] + offsets[column]).astype(np.uint64) if column < len(values) else np.uint64(1)
            words[field.word // _WORDS][field.word % _WORDS :: _WORDS] += numbers << np.uint64(field.shift)
        own = tuple(fields[: len(values)])
        return cls(words, own, fields[-1] if offsets.any() else None)

    def unpack(self, sums: NDArray[np.uint64]) -> NDArray[np.float64]:
        """Turn sums of words (words, resamples) into sums of columns (columns, resamples)."""
        result = np.empty((len(self.fields), sums.shape[1]))
        chosen = None if self.count_field is None else _extract(sums, self.count_field)
        for row, field in zip(result, self.fields, strict=True):
            row[:] = _extract(sums, field)
            if field.offset and chosen is not None:
                row -= field.offset * chosen
        return result


def _extract(sums: NDArray[np.uint64], field: _Field) -> NDArray[np.uint64]:
    return np.asarray((sums[field.word] >> np.uint64(field.shift)) & np.uint64((1 << field.bits) - 1))


class _SubsetSums:
    """Sums over random halves of the units, by table look-up: see :func:`truegain.kernels.packed_sums.swap_sums`."""

    multiplies = False
    chunk = 4096

    def __init__(self, design: Design, distinct: UniqueColumns) -> None:
        self._design = design
        self._distinct = distinct
        self._packing = _Packing.of(distinct.values)

    def __call__(self, first: int, end: int) -> NDArray[np.float64]:
        keys = self._design.keys(first, end)
        tables = np.empty(8 * 256 * _WORDS, np.uint64)
        sums = np.empty((len(self._packing.words), keys.size * _WORDS), np.uint64)
        for words, part in zip(self._packing.words, sums, strict=True):
            run(widest("packed_sums").swap_sums, keys, words, tables, part)
        by_word = sums.reshape(-1, keys.size, _WORDS).transpose(0, 2, 1).reshape(-1, keys.size)
        return self._distinct.spread(self._packing.unpack(by_word))


class DealtSums:
    """Sums of runs whose statistics (units, runs, k) are permuted in every unit."""

    multiplies = False
    chunk = 128

    def __init__(self, seed: int, values: NDArray[np.int64]) -> None:
        self._seed = seed
        self._values = values

    def __call__(self, first: int, end: int) -> NDArray[np.float64]:
        """See :class:`Totals`."""
        keys = resample_keys(self._seed, Stream.DEALS, first, end - first)
        return deal_sums(keys, self._values).astype(np.float64)
