"""Information weights of n-grams, as in NIST (Doddington 2002)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from truegain.kernels import ngrams, run
from truegain.text.words import Sequences

#: Weights are whole numbers of 2^-24 bits: their sums are exact in any order, and the same on every machine.
ONE_BIT = 1 << 24


def information_weights(references: Sequences, order: int, *, no_context: int = -1) -> NDArray[np.int32]:
    """Weigh every n-gram of the references: log2 of the count of its first n - 1 symbols over its own count.

    Counts are over all sequences; the count of no symbols is the number of all symbols.

    Parameters
    ----------
    references : Sequences
    order : int
        The highest order.
    no_context : int
        A symbol that pairs are weighed after as if nothing stood before their second symbol.

    Returns
    -------
    array of int32, shape (symbols, order)
        At each symbol, the weights of the n-grams that begin there; 0 if they would go beyond the end.
    """
    symbols = references.symbols
    weights = np.zeros((symbols.size, order), np.int32)
    if not symbols.size:
        return weights
    numbers = symbols.copy()
    counts = np.bincount(symbols)
    weights[:, 0] = _fixed(symbols.size / np.maximum(counts, 1))[numbers]
    # Half full at most, so that chains of occupied slots stay short.
    slots = np.empty(1 << int(2 * symbols.size).bit_length(), np.int32)
    names = np.empty(symbols.size, np.int64)
    for n in range(1, order):
        # What follows an n-gram that stands at one place only is certain there: it tells nothing.
        longer_counts, before = np.empty((2, symbols.size), np.int64)
        context = no_context if n == 1 else -1
        given = symbols, references.offsets, n + 1, context, numbers, counts
        found = run(ngrams.number_longer, *given, slots, names, longer_counts, before)
        counts = longer_counts[:found]
        weights[:, n] = np.append(_fixed(before[:found] / counts), 0)[numbers]
    return weights


def _fixed(ratio: NDArray[np.float64]) -> NDArray[np.int32]:
    return np.asarray(np.rint(np.log2(ratio) * ONE_BIT), np.int32)
