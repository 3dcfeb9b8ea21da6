"""Random weights of resamples: compiled if the kernels are, else in vectorised numpy, with the same bits.

The generator is defined in :mod:`truegain.kernels.draws`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from truegain.kernels import compiled, draws, run

_HALF = np.uint64(0xFFFFFFFF)
_WAITING = 1 << 13  # draws of a region
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@cache
def _fast() -> bool:
    return compiled()


def resample_keys(seed: int, stream: int, first: int, count: int) -> NDArray[np.uint64]:
    """Return the keys of resamples ``first`` to ``first + count`` of a stream."""
    if _fast():
        keys = np.empty(count, np.uint64)
        run(draws.resample_keys, seed, stream, first, keys)
        return keys
    return numbered_keys(seed, stream, np.arange(count, dtype=np.uint64) + np.uint64(first))


def numbered_keys(seed: int, stream: int, numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return the keys of any numbers of a stream, as :func:`resample_keys` does for consecutive numbers."""
    stream_low = np.full(numbers.size, stream & 0xFFFFFFFF, np.uint64)
    stream_high = np.full(numbers.size, stream >> 32, np.uint64)
    out = philox((numbers & _HALF, numbers >> np.uint64(32), stream_low, stream_high), (seed & 0xFFFFFFFF, seed >> 32))
    return np.asarray(out[0] | (out[1] << np.uint64(32)))


def philox(counter: tuple[NDArray[np.uint64], ...], key: tuple[int, int]) -> tuple[NDArray[np.uint64], ...]:
    """Run Philox-4x32-10 (Salmon et al. 2011): four 32-bit words of counter, two of key; vectorised over counters."""
    c0, c1, c2, c3 = counter
    k0, k1 = key
    for _ in range(10):
        low = np.uint64(0xD2511F53) * c0
        high = np.uint64(0xCD9E8D57) * c2
        c0 = (high >> np.uint64(32)) ^ c1 ^ np.uint64(k0)
        c1 = high & _HALF
        c2 = (low >> np.uint64(32)) ^ c3 ^ np.uint64(k1)
        c3 = low & _HALF
        k0 = (k0 + 0x9E3779B9) & 0xFFFFFFFF
        k1 = (k1 + 0xBB67AE85) & 0xFFFFFFFF
    return c0, c1, c2, c3


def bootstrap_counts(keys: NDArray[np.uint64], units: int) -> NDArray[np.float32]:
    """Count how often each unit is drawn, shape (resamples, units)."""
    if _fast():
        counts = np.empty((keys.size, units), np.float32)
        run(draws.bootstrap_counts, keys, counts, np.empty(units, np.uint32))
        return counts
    return _tally(_draw_within(keys, (units,)))


def bootstrap_bytes(keys: NDArray[np.uint64], units: int) -> NDArray[np.uint8] | None:
    """Count how often each unit is drawn, in a byte each; None if that is too often, or without kernels."""
    if not _fast():
        return None
    counts = np.empty((keys.size, units), np.uint8)
    regions = (units + 0xFFFF) >> 16
    run(draws.bootstrap_bytes, keys, counts, np.empty((regions, _WAITING), np.uint16), np.empty(regions, np.int32))
    return counts if (counts.sum(1, dtype=np.int64) == units).all() else None


def stratified_counts(keys: NDArray[np.uint64], strata: Sequence[int]) -> NDArray[np.float32]:
    """Count how often each unit is drawn, with as many draws from every stratum as it has units.

    With one stratum these are the bits of :func:`bootstrap_counts`.

    Parameters
    ----------
    keys : array of uint64
    strata : sequence of int
        The number of units of each stratum; the units are numbered stratum by stratum.
    """
    if len(strata) == 1:
        return bootstrap_counts(keys, strata[0])
    if _fast():
        edges = np.concatenate([[0], np.cumsum(strata)]).astype(np.int64)
        counts = np.empty((keys.size, int(edges[-1])), np.float32)
        run(draws.stratified_counts, keys, edges, counts, np.empty(counts.shape[1], np.uint32))
        return counts
    return _tally(_draw_within(keys, strata))


def stationary_counts(keys: NDArray[np.uint64], units: int, mean_length: float) -> NDArray[np.float32]:
    """Count how often each unit is drawn by the stationary bootstrap (Politis and Romano 1994).

    Blocks begin anywhere, have lengths of a geometric distribution, and go on at the first unit after the last.

    Parameters
    ----------
    keys : array of uint64
    units : int
    mean_length : float
        Of the blocks, at least 1; with 1 every unit is drawn for itself.
    """
    threshold = round(2**32 / mean_length)
    if _fast():
        counts = np.empty((keys.size, units), np.float32)
        run(draws.stationary_counts, keys, threshold, counts, np.empty(units, np.uint32))
        return counts
    return _tally(_draw_blocks(keys, units, threshold))


def _draw_within(keys: NDArray[np.uint64], strata: Sequence[int]) -> NDArray[np.int64]:
    """Return the units drawn, in the order of the draws, shape (resamples, units)."""
    sizes = np.repeat(np.array(strata, np.int64), strata)
    starts = np.repeat(np.cumsum(strata) - strata, strata)
    words = _words(keys, (sizes.size + 1) // 2)
    halves = np.stack([words & _HALF, words >> np.uint64(32)], -1).reshape(keys.size, -1)[:, : sizes.size]
    return np.asarray(starts + ((halves * sizes.astype(np.uint64)) >> np.uint64(32)).astype(np.int64))


def _draw_blocks(keys: NDArray[np.uint64], units: int, threshold: int) -> NDArray[np.int64]:
    """Return the units drawn, in the order of the draws, shape (resamples, units)."""
    words = _words(keys, units)
    begins = (words >> np.uint64(32)) < np.uint64(threshold)
    begins[:, :1] = True
    position = np.arange(units)
    begin = np.maximum.accumulate(np.where(begins, position, 0), axis=1)
    first = (((words & _HALF) * np.uint64(units)) >> np.uint64(32)).astype(np.int64)
    return np.asarray((np.take_along_axis(first, begin, 1) + position - begin) % units)


def _tally(drawn: NDArray[np.int64]) -> NDArray[np.float32]:
    """Count how often each unit is drawn, with as many draws as units in every row."""
    rows, units = drawn.shape
    flat = drawn + np.arange(rows)[:, None] * units
    return np.bincount(flat.ravel(), minlength=rows * units).reshape(rows, units).astype(np.float32)


def deal_sums(keys: NDArray[np.uint64], values: NDArray[np.int64]) -> NDArray[np.int64]:
    """Sum over segments statistics (segments, runs, k) whose runs are permuted in every segment.

    Shape (resamples, runs, k): see :func:`truegain.kernels.draws.deal_sums`.
    """
    segments, runs, width = values.shape
    sums = np.empty((keys.size, runs, width), np.int64)
    if _fast():
        run(draws.deal_sums, keys, np.ascontiguousarray(values), np.empty(runs, np.uint32), sums)
        return sums
    rows = np.arange(segments)
    for place, key in enumerate(keys):
        order = np.tile(np.arange(runs), (segments, 1))
        words = _words(key[None], segments * (runs - 1)).reshape(segments, runs - 1) & _HALF
        for step, last in enumerate(range(runs - 1, 0, -1)):
            other = ((words[:, step] * np.uint64(last + 1)) >> np.uint64(32)).astype(np.int64)
            held = order[:, last].copy()
            order[:, last] = order[rows, other]
            order[rows, other] = held
        sums[place] = values[rows[:, None], order].sum(0)
    return sums


def shuffled(keys: NDArray[np.uint64], values: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the values in a random order for each key, shape (keys, values): :func:`deal_sums` of one segment."""
    if _fast():
        return np.ascontiguousarray(deal_sums(keys, values[None, :, None])[..., 0])
    found = np.tile(values, (keys.size, 1))
    rows = np.arange(keys.size)
    words = _words(keys, max(values.size - 1, 0)) & _HALF
    for step, last in enumerate(range(values.size - 1, 0, -1)):
        other = ((words[:, step] * np.uint64(last + 1)) >> np.uint64(32)).astype(np.int64)
        held = found[:, last].copy()
        found[:, last] = found[rows, other]
        found[rows, other] = held
    return found


def swap_masks(keys: NDArray[np.uint64], units: int) -> NDArray[np.uint8]:
    """Return one bit per unit, as 0 or 1, shape (resamples, units)."""
    words = _words(keys, (units + 63) // 64).astype("<u8")
    return np.unpackbits(words.view(np.uint8), axis=-1, bitorder="little", count=units)


def _words(keys: NDArray[np.uint64], count: int, first: int = 0) -> NDArray[np.uint64]:
    """Return random words ``first`` to ``first + count`` of each key."""
    z = keys[:, None] + (np.arange(count, dtype=np.uint64) + np.uint64(first + 1)) * _GOLDEN
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(z ^ (z >> np.uint64(31)))


def uniforms(keys: NDArray[np.uint64], count: int) -> NDArray[np.float64]:
    """Return ``count`` numbers per key from 0 to below 1, shape (keys, count): the first 53 bits of each word."""
    return np.asarray((_words(keys, count) >> np.uint64(11)) * 2.0**-53)


def normals(keys: NDArray[np.uint64], count: int) -> NDArray[np.float64]:
    """Return ``count`` standard normal numbers per key, shape (keys, count), by the method of Box and Muller (1958)."""
    radii, turns = np.split(uniforms(keys, 2 * count), 2, axis=1)
    return np.asarray(np.sqrt(-2.0 * np.log1p(-radii)) * np.cos(2.0 * np.pi * turns))


class RandomNumbers:
    """Random numbers of one key one after the other, where it is not known beforehand how many will be taken."""

    def __init__(self, key: int) -> None:
        self._key = np.array([key], np.uint64)
        self._taken = 0

    def random(self, *shape: int) -> NDArray[np.float64]:
        """Return numbers from 0 to below 1."""
        count = int(np.prod(shape))
        words = _words(self._key, count, self._taken)
        self._taken += count
        return np.asarray((words >> np.uint64(11)) * 2.0**-53).reshape(shape)

    def normals(self, *shape: int) -> NDArray[np.float64]:
        """Return standard normal numbers, by the method of Box and Muller (1958)."""
        radii, turns = self.random(2, *shape)
        return np.asarray(np.sqrt(-2.0 * np.log1p(-radii)) * np.cos(2.0 * np.pi * turns))

    def integers(self, low: int, high: int, *shape: int) -> NDArray[np.int64]:
        """Return whole numbers from ``low`` to below ``high``."""
        return low + (self.random(*shape) * (high - low)).astype(np.int64)

    def permutation(self, count: int) -> NDArray[np.int64]:
        """Return the numbers below ``count`` in random order."""
        return np.argsort(self.random(count), kind="stable")
