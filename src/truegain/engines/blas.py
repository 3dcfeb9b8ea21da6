"""Totals on the processor: matrix products by BLAS, or sums over random subsets by table look-up; exact either way."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from truegain.engines.base import Report, count_by_scores, side_by_side
from truegain.engines.pairs import PairCounts
from truegain.engines.unique_columns import EXACT_SINGLE, UniqueColumns, reach
from truegain.engines.work import Counting, Dealing, Resampling
from truegain.executors.threads import Threads, one_blas_thread
from truegain.kernels import compiled, draws, run
from truegain.memory_check import BLAS_THREAD, need
from truegain.resampling.design import DEAL_STREAM, Design
from truegain.resampling.generator import deal_sums, resample_keys

__all__ = ["BlasEngine"]

_WEIGHT_BYTES = 4 << 20
_TABLE_GROUPS = 64  # of eight units: half a megabyte, which stays in the cache
_DEALT = 128  # resamples dealt out at once
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

    @property
    def executor(self) -> Threads:
        """See :class:`truegain.engines.base.Engine`."""
        return Threads(self.jobs)

    def resample(
        self, work: Resampling, resamples: int, progress: Report | None = None, *, first: int = 0
    ) -> NDArray[np.float64]:
        """See :class:`truegain.engines.base.Engine`."""
        distinct = UniqueColumns.of(work.table, work.design)
        method: _Method = _method(work.design, distinct)
        size = self.chunk or method.chunk
        end = first + resamples
        if isinstance(method, _Product):
            _see_that_blas_has_room(min(self.jobs, -(-resamples // size)))

        def done(start: int) -> NDArray[np.float64]:
            return work.reduce(distinct.spread(method.totals(start, min(start + size, end))))

        with one_blas_thread():
            return side_by_side(self.executor.map(done, range(first, end, size)), resamples, progress)

    def deal(
        self, work: Dealing, resamples: int, progress: Report | None = None, *, first: int = 0
    ) -> NDArray[np.float64]:
        """See :class:`truegain.engines.base.Engine`."""
        size = self.chunk or _DEALT
        end = first + resamples

        def done(start: int) -> NDArray[np.float64]:
            keys = resample_keys(work.seed, DEAL_STREAM, start, min(size, end - start))
            return work.reduce(deal_sums(keys, work.values).astype(np.float64))

        return side_by_side(self.executor.map(done, range(first, end, size)), resamples, progress)

    def count(
        self, work: Counting, resamples: int, progress: Report | None = None, *, first: int = 0
    ) -> list[PairCounts]:
        """See :class:`truegain.engines.base.Engine`."""
        return count_by_scores(self, work, resamples, progress, first=first, jobs=self.jobs)


@cache
def _see_that_blas_has_room(threads: int) -> None:
    """Check once for a number of threads that memory suffices: BLAS keeps what it has."""
    need(BLAS_THREAD * threads)


class _Method(Protocol):
    @property
    def chunk(self) -> int: ...
    def totals(self, first: int, last: int) -> NDArray[np.float64]: ...


def _method(design: Design, distinct: UniqueColumns) -> _Method:
    if design.scheme == "swap" and compiled():
        return _SubsetSums(design, _Packing.of(distinct.values))
    return _Product(design, distinct.values)


class _Product:
    """Product of weights and statistics; in single precision if that is exact."""

    def __init__(self, design: Design, values: NDArray[np.float64]) -> None:
        self._design = design
        kind = np.float32 if reach(design, values) < EXACT_SINGLE else np.float64
        self._values = np.ascontiguousarray(values.T, dtype=kind)
        self.chunk = int(np.clip(_WEIGHT_BYTES // (4 * max(1, design.units.count)), 32, 1024))

    def totals(self, first: int, last: int) -> NDArray[np.float64]:
        weights = self._design.weights(first, last).astype(self._values.dtype, copy=False)
        return np.ascontiguousarray((weights @ self._values).T, dtype=np.float64)


@dataclass(frozen=True)
class _Field:
    """Place of a column in the packed words: which word, from which bit, how many bits."""

    word: int
    shift: int
    bits: int
    offset: float  # what was added to make the column non-negative


@dataclass(frozen=True)
class _Packing:
    """Several columns in one 64-bit word, each wide enough for the largest sum it can reach."""

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
    """Sums over random halves of the units, by table look-up: see :func:`truegain.kernels.draws.swap_sums`."""

    chunk = 4096

    def __init__(self, design: Design, packing: _Packing) -> None:
        self._design = design
        self._packing = packing
        self._words = [
            np.ascontiguousarray(packing.words[:, first : first + _WORDS])
            for first in range(0, packing.words.shape[1], _WORDS)
        ]

    def totals(self, first: int, last: int) -> NDArray[np.float64]:
        keys = self._design.keys(first, last)
        tables = np.empty((_TABLE_GROUPS, 256, _WORDS), np.uint64)
        sums = np.empty((len(self._words), keys.size, _WORDS), np.uint64)
        for words, part in zip(self._words, sums, strict=True):
            run(draws.swap_sums, keys, words, tables, part)
        return self._packing.unpack(sums.transpose(0, 2, 1).reshape(-1, keys.size))
