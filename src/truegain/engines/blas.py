"""Totals on the processor: matrix products by BLAS, or sums over random subsets by table look-up; exact either way."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from truegain.engines.base import Reduce
from truegain.kernels import compiled, draws, run
from truegain.resampling.design import Design
from truegain.resampling.units import UnitTable

__all__ = ["BlasEngine", "available_jobs"]

_Part = TypeVar("_Part")

_EXACT_SINGLE = 2.0**24  # whole numbers below it, and sums of them, are exact in single precision
_WEIGHT_BYTES = 4 << 20
_TABLE_BYTES = 64 << 20
_WORDS = 4  # to a row of a subset table, see kernels/draws.py


@dataclass(frozen=True)
class BlasEngine:
    """Threads of its own, each with single-threaded BLAS inside.

    Parameters
    ----------
    jobs : int
        The number of threads.
    chunk : int, optional
        Resamples done at once; by default as many as the processor's cache holds.
    """

    jobs: int = 1
    chunk: int | None = None

    def resample(
        self,
        design: Design,
        table: UnitTable,
        resamples: int,
        reduce: Reduce,
        progress: Callable[[int], None] | None = None,
    ) -> NDArray[np.float64]:
        """See :class:`truegain.engines.base.Engine`."""
        from threadpoolctl import threadpool_limits

        distinct = _Distinct.of(table)
        method: _Method = _method(design, distinct)
        size = self.chunk or method.chunk
        result: NDArray[np.float64] | None = None

        def work(first: int) -> tuple[int, NDArray[np.float64]]:
            last = min(first + size, resamples)
            return first, reduce(distinct.spread(method.totals(first, last)))

        with threadpool_limits(limits=1, user_api="blas"):
            for first, part in _in_threads(work, range(0, resamples, size), self.jobs):
                if result is None:
                    result = np.empty((part.shape[0], resamples))
                result[:, first : first + part.shape[1]] = part
                if progress is not None:
                    progress(part.shape[1])
        if result is None:
            raise ValueError("at least one resample is needed")
        return result


def available_jobs(jobs: int | None) -> int:
    """As many threads as this process may use processors, unless told otherwise."""
    if jobs is not None:
        return jobs
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _in_threads(work: Callable[[int], _Part], items: range, jobs: int) -> Iterator[_Part]:
    """Do the work in order, a few items ahead: neither the queue nor the results grow with the number of items."""
    if jobs <= 1 or len(items) <= 1:
        yield from map(work, items)
        return
    pool = ThreadPoolExecutor(min(jobs, len(items)))
    try:
        waiting: deque[Future[_Part]] = deque()
        for item in items:
            waiting.append(pool.submit(work, item))
            if len(waiting) > 2 * jobs:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)


@dataclass(frozen=True)
class _Distinct:
    """The columns of a table without repetitions: lengths that two systems share are summed once."""

    values: NDArray[np.float64]
    column: NDArray[np.intp]
    scale: NDArray[np.float64]

    @classmethod
    def of(cls, table: UnitTable) -> _Distinct:
        by_column = np.ascontiguousarray(table.values.T)
        known: dict[bytes, int] = {}
        column = np.array([known.setdefault(one.tobytes(), len(known)) for one in by_column], np.intp)
        firsts = np.unique(column, return_index=True)[1]
        return cls(by_column[firsts], column, table.scale)

    def spread(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """From totals of distinct columns to totals of all, in the statistics' own scale."""
        spread = totals[self.column]
        if (self.scale != 1.0).any():
            spread *= self.scale[:, None]
        return spread


class _Method(Protocol):
    @property
    def chunk(self) -> int: ...
    def totals(self, first: int, last: int) -> NDArray[np.float64]: ...


def _method(design: Design, distinct: _Distinct) -> _Method:
    if design.scheme == "swap" and compiled():
        packing = _Packing.of(distinct.values)
        if packing.table_bytes <= _TABLE_BYTES:
            return _SubsetSums(design, packing)
    return _Product(design, distinct.values)


class _Product:
    """Weights times statistics; in single precision where that is exact."""

    def __init__(self, design: Design, values: NDArray[np.float64]) -> None:
        self._design = design
        largest = np.abs(values).max(initial=0.0)
        reach = design.units.count * largest if design.scheme == "bootstrap" else np.abs(values).sum(1).max(initial=0.0)
        kind = np.float32 if reach < _EXACT_SINGLE else np.float64
        self._values = np.ascontiguousarray(values, dtype=kind)
        self.chunk = int(np.clip(_WEIGHT_BYTES // (4 * max(1, design.units.count)), 32, 1024))

    def totals(self, first: int, last: int) -> NDArray[np.float64]:
        weights = self._design.weights(first, last).astype(self._values.dtype, copy=False)
        return np.asarray((self._values @ weights.T).astype(np.float64, copy=False))


@dataclass(frozen=True)
class _Field:
    """Where a column stands in the packed words: which word, from which bit, how many bits."""

    word: int
    shift: int
    bits: int
    offset: float  # what was added to make the column non-negative


@dataclass(frozen=True)
class _Packing:
    """Several columns in one 64-bit word, each with room for the largest sum it can reach."""

    words: NDArray[np.uint64]
    fields: tuple[_Field, ...]
    count_field: _Field | None

    @classmethod
    def of(cls, values: NDArray[np.float64]) -> _Packing:
        offsets = -np.minimum(values.min(1, initial=0.0), 0.0)
        columns = [one + offset for one, offset in zip(values, offsets, strict=True)]
        if offsets.any():
            columns.append(np.ones(values.shape[1]))  # how many units are in the sum, to take the offsets off again
        bits = [int(column.sum()).bit_length() for column in columns]
        used: list[int] = []
        fields: list[_Field] = []
        for column, width in enumerate(bits):
            word = next((i for i, taken in enumerate(used) if taken + width <= 64), len(used))
            if word == len(used):
                used.append(0)
            fields.append(_Field(word, used[word], width, float(offsets[column]) if column < len(offsets) else 0.0))
            used[word] += width
        size = -(-max(len(used), 1) // _WORDS) * _WORDS
        words = np.zeros((values.shape[1], size), np.uint64)
        for field, column in zip(fields, columns, strict=True):
            words[:, field.word] += column.astype(np.uint64) << np.uint64(field.shift)
        own = tuple(fields[: values.shape[0]])
        return cls(words, own, fields[-1] if offsets.any() else None)

    @property
    def groups(self) -> int:
        return -(-len(self.words) // 8)

    @property
    def table_bytes(self) -> int:
        return self.groups * 256 * int(self.words[:1].nbytes)

    def unpack(self, sums: NDArray[np.uint64]) -> NDArray[np.float64]:
        """From sums of words (words, resamples) to sums of columns (columns, resamples)."""
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
    """Sums over random halves of the units: the sums of all subsets of eight units are made once and looked up."""

    chunk = 2048

    def __init__(self, design: Design, packing: _Packing) -> None:
        self._design = design
        self._packing = packing
        self._tables = []
        for first in range(0, packing.words.shape[1], _WORDS):
            tables = np.empty((packing.groups, 256, _WORDS), np.uint64)
            run(draws.subset_sums, np.ascontiguousarray(packing.words[:, first : first + _WORDS]), tables)
            self._tables.append(tables)

    def totals(self, first: int, last: int) -> NDArray[np.float64]:
        keys = self._design.keys(first, last)
        parts = []
        for tables in self._tables:
            sums = np.empty((keys.size, _WORDS), np.uint64)
            run(draws.swap_sums, keys, tables, sums)
            parts.append(sums.T)
        return self._packing.unpack(np.concatenate(parts) if len(parts) > 1 else parts[0])
