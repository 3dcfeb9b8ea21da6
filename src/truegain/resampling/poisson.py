"""Weights that belong to a unit alone: the Poisson bootstrap, and swaps, over data that are never seen at once.

In a bootstrap resample a unit is drawn Binomial(n, 1/n) times, and the counts of all units depend on each other through
their sum. Poisson(1) in its place needs neither n nor any other unit (Hanley and MacGibbon 2006; Chamandy et al. 2012):
the weight is a pure function of the seed, the unit and the number of the resample, so that parts of the data can be
summed on any machine and in any order. What is lost is that resamples do not all have the same size, which a mean or a
ratio of sums hardly notices: see docs/streaming.md.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from truegain.resampling.generator import numbered_keys, poisson_weights, resample_keys, swap_weights
from truegain.resampling.streams import Stream

#: The greatest weight there is: P(more) is below what 32 bits can tell from nothing.
LARGEST_WEIGHT = 12

# round(2^32 P(weight <= j)), written out so that no rounding of a library can change a weight.
_THRESHOLDS = np.array(
    [
        *(0x5E2D58D9, 0xBC5AB1B1, 0xEB715E1E, 0xFB239797, 0xFF1025F6, 0xFFD90F3C, 0xFFFA8B72),
        *(0xFFFF540C, 0xFFFFED1F, 0xFFFFFE21, 0xFFFFFFD5, 0xFFFFFFFC, 0x100000000),
    ],
    np.uint64,
)


def keys_of_segments(seed: int, stream: Stream, first: int, count: int) -> NDArray[np.uint64]:
    """Return the keys of segments by their numbers in the whole test set, from 0."""
    return resample_keys(seed, stream, first, count)


def document_numbers(ids: Sequence[str]) -> NDArray[np.uint64]:
    """Return the number of each document: 63 bits of a hash of its id, the same wherever its segments are read."""
    numbers = b"".join(hashlib.blake2b(one.encode(errors="surrogatepass"), digest_size=8).digest() for one in ids)
    return np.frombuffer(numbers, "<u8").astype(np.uint64) >> np.uint64(1)


def keys_of_documents(seed: int, stream: Stream, numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return the keys of documents by their numbers."""
    return numbered_keys(seed, stream, numbers)


def poisson(keys: NDArray[np.uint64], first: int, last: int) -> NDArray[np.float32]:
    """Count how often each unit is in resamples ``first`` (an even number) to ``last``, shape (units, resamples)."""
    return poisson_weights(keys, _THRESHOLDS, first, last - first)


def swaps(keys: NDArray[np.uint64], first: int, last: int) -> NDArray[np.float32]:
    """Return whether each unit is swapped in resamples ``first`` (a multiple of 64) to ``last``, (units, resamples)."""
    return swap_weights(keys, first, last - first)
