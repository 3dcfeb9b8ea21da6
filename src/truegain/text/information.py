"""Information weights of n-grams, as in NIST (Doddington 2002)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from truegain.text.words import Sequences

__all__ = ["ONE_BIT", "information_weights"]

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
    symbols = references.symbols.astype(np.int64)
    weights = np.zeros((symbols.size, order), np.int32)
    if not symbols.size:
        return weights
    span = int(symbols.max()) + 1
    ends = np.repeat(references.offsets[1:], references.lengths)
    at = np.arange(symbols.size)
    name = symbols
    count = np.bincount(symbols)[symbols]
    weights[:, 0] = _fixed(symbols.size / count)
    for n in range(1, order):
        # What follows an n-gram that stands at one place only is certain there: it tells nothing.
        kept = (count > 1) | (name == no_context) if n == 1 else count > 1
        kept &= at + n < ends[at]
        at, name, before = at[kept], name[kept], count[kept]
        if n == 1:
            before = np.where(name == no_context, symbols.size, before)
        counts: NDArray[np.int64]
        _, name, counts = np.unique(name * span + symbols[at + n], return_inverse=True, return_counts=True)
        count = counts[name]
        weights[at, n] = _fixed(before / count)
    return weights


def _fixed(ratio: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.rint(np.log2(ratio) * ONE_BIT))
