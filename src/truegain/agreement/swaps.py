"""Swaps of two metrics' scores: the differences in agreement if one may stand for the other.

PERM-SYS swaps all scores of a system, PERM-BOTH the score of a system on a segment (Deutsch et al. 2021). In both, what
a pair of systems contributes depends on which of its two systems is swapped: four cases, so that a sum over pairs is
linear in the swaps, their products, and 1.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from truegain.agreement.judged import Array, Judged, Pairs
from truegain.resampling.generator import resample_keys, swap_masks
from truegain.resampling.streams import Stream

#: Which of the two systems of a pair has its score from the other metric.
CASES = ((False, False), (True, False), (False, True), (True, True))


def system_masks(systems: int, resamples: int, seed: int, *, all_if_few: bool = True) -> tuple[NDArray[np.bool_], bool]:
    """Return which systems are swapped, shape (swaps, systems), and whether these are all swaps but the observed one.

    Swapping all others instead changes the sign of a difference only, so the first system stays where it is. Swaps that
    are added to those of other systems are random ones, however few there are.
    """
    if all_if_few and 2 ** (systems - 1) - 1 <= resamples:
        numbers = np.arange(1, 2 ** (systems - 1))
        bits = (numbers[:, None] >> np.arange(systems - 1)) & 1
        return np.concatenate([np.zeros((numbers.size, 1), bool), bits.astype(bool)], axis=1), True
    return swap_masks(resample_keys(seed, Stream.AGREE_SYSTEM_SWAPS, 0, resamples), systems).astype(bool), False


def cell_masks(judged: Judged, resamples: int, seed: int, step: int) -> Iterator[tuple[slice, NDArray[np.bool_]]]:
    """Yield which scores are swapped, shape (swaps, systems, segments), a few swaps at a time."""
    shape = judged.human.shape
    for start in range(0, resamples, step):
        count = min(step, resamples - start)
        keys = resample_keys(seed, Stream.AGREE_CELL_SWAPS, start, count)
        yield slice(start, start + count), swap_masks(keys, judged.human.size).astype(bool).reshape(count, *shape)


def products(masks: NDArray[np.bool_], pairs: Pairs) -> Array:
    """Return 1, the swaps of systems, and the products of the swaps of pairs: shape (swaps, 1 + systems + pairs)."""
    swaps = masks.astype(np.float64)
    ones = np.ones((len(swaps), 1))
    return np.concatenate([ones, swaps, swaps[:, pairs.first] * swaps[:, pairs.second]], axis=1)


def coefficients(cases: NDArray[np.floating], pairs: Pairs) -> NDArray[np.floating]:
    """Return what :func:`products` are multiplied by to get the sum over pairs: (4, pairs, …) to (1 + …, …)."""
    rest = cases.shape[2:]
    neither, first, second, both = cases.reshape(4, pairs.first.size, math.prod(rest))
    systems = np.arange(pairs.systems)[:, None]
    of_first, of_second = (systems == side for side in (pairs.first, pairs.second))
    linear = of_first.astype(cases.dtype) @ (first - neither) + of_second.astype(cases.dtype) @ (second - neither)
    found = np.concatenate([neither.sum(axis=0, keepdims=True), linear, both - first - second + neither])
    return found.reshape(1 + pairs.systems + pairs.first.size, *rest)


def four_differences(one: Array, other: Array, pairs: Pairs) -> Iterator[Array]:
    """Yield the differences of scores in all pairs, case by case: (systems, …) to (pairs, …)."""
    for first, second in CASES:
        yield (other if first else one)[pairs.first] - (other if second else one)[pairs.second]
