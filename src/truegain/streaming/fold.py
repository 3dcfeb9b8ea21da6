"""Statistics of segments, a piece at a time, folded into sums of fixed size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truegain.engines.unique_columns import EXACT_SINGLE
from truegain.errors import InputError
from truegain.executors.threads import Threads, one_blas_thread
from truegain.memory_check import BLAS_THREAD, need
from truegain.notes import Note
from truegain.resampling.poisson import (
    LARGEST_WEIGHT,
    document_numbers,
    keys_of_documents,
    keys_of_segments,
    poisson,
    swaps,
)
from truegain.resampling.streams import Stream
from truegain.streaming.sums import FINE, Description, Integers, Range, Sums, check_reach

_ROWS = 1 << 13  # of the largest statistics there may be: their sums are below 2^63
_UNITS = 1024  # of which weights are held at once
_RESAMPLES = 1024
_EXACT_DOUBLE = 1 << 53  # whole numbers below it, and sums of them, are exact in double precision
_LARGEST = 1 << 49  # of a statistic, as a whole number: times the largest weight it is exact in double precision


class Fold:
    """Sums that grow with every piece; what they take of memory depends on resamples and columns alone.

    (If documents are the unit, also on the number of documents: sixteen bytes each.) A weight depends on the seed,
    the unit and the resample, and sums are of whole numbers: however the segments are cut into pieces and shards, and
    in whatever order these come, the sums are the same to the last bit.

    Parameters
    ----------
    description : Description
    jobs : int
        Threads, each with some of the resamples.
    """

    def __init__(self, description: Description, *, jobs: int = 1) -> None:
        self._description = description
        columns = description.kinds.size
        need(2 * 8 * (columns + 1) * description.resamples)
        self._jobs = jobs
        share = -(-description.resamples // jobs)
        step = min(_RESAMPLES, -(-share // 64) * 64)  # swaps take 64 bits of a word each
        self._slices = [
            slice(first, min(first + step, description.resamples)) for first in range(0, description.resamples, step)
        ]
        need(BLAS_THREAD * min(jobs, len(self._slices)))
        self._exponents = np.zeros(description.statistics, np.int64)
        self._totals, self._reach = np.zeros(columns, np.int64), np.zeros(columns, np.int64)
        self._poisson = np.zeros((description.resamples, columns), np.int64)
        self._swaps = np.zeros((description.resamples, columns), np.int64)
        self._drawn = np.zeros(description.resamples, np.int64)
        systems = len(description.systems)
        self._differing = np.zeros((len(description.metrics), systems, systems), np.int64)
        self._documents = np.zeros((2, 0), np.int64)
        self._ranges: list[Range] = []
        self._largest = np.zeros(description.statistics)

    def add(self, values: NDArray[np.float64], first: int, documents: Sequence[str] | None = None) -> None:
        """Fold the statistics of segments that follow each other.

        Parameters
        ----------
        values : array (segments, columns)
            In the order of :attr:`Description.kinds`.
        first : int
            The number of the first in the whole test set, from 0.
        documents : sequence of str, optional
            The document of each segment, if documents are the unit.
        """
        if (documents is not None) != (self._description.unit == "document"):
            raise ValueError("documents are given where they are the unit, and not else")
        for start in range(0, len(values), _ROWS):
            part = slice(start, start + _ROWS)
            self._add(values[part], first + start, None if documents is None else documents[part])

    def _add(self, values: NDArray[np.float64], first: int, documents: Sequence[str] | None) -> None:
        count = len(values)
        whole = self._whole(values)
        reach = np.abs(whole).sum(0)
        check_reach(self._description, self._reach, reach)
        self._reach += reach
        self._totals += whole.sum(0)
        self._count_differing(whole)
        seed = self._description.seed
        sizes = np.ones(count, np.int64)
        if documents is None:
            keys = [
                keys_of_segments(seed, stream, first, count) for stream in (Stream.POISSON_WEIGHTS, Stream.SWAP_WEIGHTS)
            ]
        else:
            numbers, whole, sizes = _by_document(document_numbers(documents), whole)
            keys = [
                keys_of_documents(seed, stream, numbers) for stream in (Stream.POISSON_WEIGHTS, Stream.SWAP_WEIGHTS)
            ]
            self._documents = _grown(self._documents, numbers, sizes)
        self._fold(np.column_stack([whole, sizes]), keys[0], keys[1])
        self._ranges.append((first, first + count))

    def sums(
        self,
        *,
        name: str,
        run_names: Sequence[str],
        fingerprint: int = 0,
        content: int | None = None,
        notes: Sequence[Note] = (),
        empty: Integers | None = None,
        copied: Integers | None = None,
        forms: Integers | None = None,
    ) -> Sums:
        """Return the sums so far; the pieces must have followed each other."""
        if not self._ranges:
            raise InputError("there are no segments: nothing was folded")
        ends = [self._ranges[0][0], *(last for _, last in self._ranges)]
        if [first for first, _ in self._ranges] != ends[:-1]:
            raise ValueError("pieces of a shard must follow each other")
        references, runs = self._description.references, sum(self._description.runs)
        return Sums(
            self._description,
            name,
            tuple(run_names),
            ((ends[0], ends[-1]),),
            (content,),
            fingerprint,
            tuple(sorted({*notes, *self._coarse()}, key=str)),
            self._exponents.copy(),
            self._totals.copy(),
            self._reach.copy(),
            self._poisson.copy(),
            self._swaps.copy(),
            self._drawn.copy(),
            self._differing.copy(),
            np.zeros(references + runs, np.int64) if empty is None else empty,
            np.zeros((references, runs), np.int64) if copied is None else copied,
            np.zeros((references, runs), np.int64) if forms is None else forms,
            self._documents.copy(),
        )

    def _whole(self, values: NDArray[np.float64]) -> Integers:
        """Return the statistics as whole numbers, of 1 or of 2^-FINE; make the sums so far finer if needed."""
        kinds = self._description.kinds
        np.maximum.at(self._largest, kinds, np.abs(values).max(0))
        broken = np.zeros(self._exponents.size, bool)
        np.logical_or.at(broken, kinds, (values != np.rint(values)).any(0))
        finer = broken & (self._exponents == 0)
        if finer.any():
            shift = np.where(finer, FINE, 0)[kinds]
            check_reach(self._description, self._reach, shift=shift)
            for held in (self._totals, self._reach, self._poisson, self._swaps):
                held <<= shift
            self._exponents[finer] = -FINE
        scaled = np.rint(values * np.exp2(-self._exponents[kinds].astype(np.float64)))
        if not (np.abs(scaled) <= _LARGEST).all():
            column = int(np.flatnonzero((~(np.abs(scaled) <= _LARGEST)).any(0))[0])
            raise InputError(
                f"a statistic of a segment is {values[np.abs(scaled[:, column]).argmax(), column]:g}, too large for "
                "exact sums",
                hint="divide the scores by 1,000, say: the verdict does not depend on their scale",
            )
        return scaled.astype(np.int64)

    def _count_differing(self, whole: Integers) -> None:
        description = self._description
        first = 0
        for m, metric in enumerate(description.metrics):
            width = len(metric.statistics)
            edges = first + width * np.cumsum((0, *description.runs))
            first = int(edges[-1])
            for a in range(len(description.runs)):
                for b in range(a + 1, len(description.runs)):
                    if description.runs[a] == description.runs[b]:
                        mine, other = (whole[:, edges[s] : edges[s + 1]] for s in (a, b))
                        self._differing[m, a, b] += np.count_nonzero((mine != other).any(1))

    def _fold(self, whole: Integers, poisson_keys: NDArray[np.uint64], swap_keys: NDArray[np.uint64]) -> None:
        blocks = list(_blocks(whole))

        def work(part: slice) -> None:
            for place, block in blocks:
                weights = poisson(poisson_keys[place], part.start, part.stop)
                found = (weights.astype(block.dtype, copy=False).T @ block).astype(np.int64, copy=False)
                self._poisson[part] += found[:, :-1]
                self._drawn[part] += found[:, -1]
                masks = swaps(swap_keys[place], part.start, part.stop)
                self._swaps[part] += (masks.astype(block.dtype, copy=False).T @ block[:, :-1]).astype(np.int64)

        with one_blas_thread():
            for _ in Threads(self._jobs).map(work, self._slices):
                pass

    def _coarse(self) -> list[Note]:
        """Name statistics whose fractions are so small that rounding them to multiples of 2^-FINE may be felt."""
        named = [(metric, name) for metric in self._description.metrics for name in metric.statistics]
        said = []
        for (metric, name), exponent, largest in zip(named, self._exponents, self._largest, strict=True):
            if exponent != 0 and largest < 2.0 ** (10 - FINE):
                text = (
                    f"no {name} is above {largest:.2g}, and they are rounded to multiples of {2.0**-FINE:.2g}; "
                    "multiply the scores by 1,000, say"
                )
                said.append(Note("rounded-statistics", text, scope=metric.key))
        return said


def _blocks(whole: Integers) -> list[tuple[slice, NDArray[Any]]]:
    """Cut rows into blocks of which every weighted sum is exact, in single precision if that is enough."""
    found: list[tuple[slice, NDArray[Any]]] = []
    waiting = [slice(first, min(first + _UNITS, len(whole))) for first in range(0, len(whole), _UNITS)][::-1]
    while waiting:
        place = waiting.pop()
        block = whole[place]
        reach = LARGEST_WEIGHT * int(np.abs(block).sum(0).max(initial=0))
        if reach < EXACT_SINGLE:
            found.append((place, block.astype(np.float32)))
        elif reach < _EXACT_DOUBLE:
            found.append((place, block.astype(np.float64)))
        elif len(block) == 1:  # a document of very many, very large statistics
            found.append((place, block))
        else:
            middle = (place.start + place.stop) // 2
            waiting += [slice(middle, place.stop), slice(place.start, middle)]
    return found


def _by_document(numbers: NDArray[np.uint64], whole: Integers) -> tuple[NDArray[np.uint64], Integers, Integers]:
    """Return the documents of a piece, the sums of each, and how many segments of it there are."""
    order = np.argsort(numbers, kind="stable")
    found, starts, sizes = np.unique(numbers[order], return_index=True, return_counts=True)
    return found, np.add.reduceat(whole[order], starts, axis=0), sizes.astype(np.int64)


def _grown(held: Integers, numbers: NDArray[np.uint64], sizes: Integers) -> Integers:
    """Return the sizes of the documents seen so far, with those of a piece."""
    new = numbers.astype(np.int64)
    places = np.searchsorted(held[0], new)
    known = np.zeros(new.size, bool)
    inside = places < held.shape[1]
    known[inside] = held[0][places[inside]] == new[inside]
    grown = held.copy()
    grown[1][places[known]] += sizes[known]
    return np.insert(grown, places[~known], np.stack([new[~known], sizes[~known]]), axis=1)
