"""Clipped n-gram matches between hypotheses and their references, and what they weigh."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truegain.kernels import ngrams, run
from truegain.text.words import Sequences

#: The longest n-grams that can be asked for: every order is a column of statistics, of every run.
LONGEST = 100
_EASY_LENGTH = 512  # up to which bits are faster than a table, and a table is small whatever the symbols
_MOST_BY_BITS = 32  # orders, so that half of a block at least is not shared with the next
_MOST_CELLS = 1 << 23


def clipped_matches(
    hypotheses: Sequences, references: Sequences, groups: NDArray[np.int64], order: int
) -> NDArray[np.int64]:
    """Count, per segment and order, the n-grams of the hypothesis that the references hold.

    Parameters
    ----------
    hypotheses : Sequences
        One sequence per segment.
    references : Sequences
        Those of segment ``i`` are ``groups[i]`` to ``groups[i + 1]``; an n-gram counts at most as often as in the one
        that has most of it.
    order : int
        The highest order.

    Returns
    -------
    array of int64, shape (segments, order)
    """
    return _matches(hypotheses, references, groups, order, np.empty((0, order), np.int32))


def matched_weights(
    hypotheses: Sequences, references: Sequences, groups: NDArray[np.int64], weights: NDArray[np.int32]
) -> NDArray[np.int64]:
    """Add up, per segment and order, what the n-grams of the hypothesis that the references hold weigh.

    Parameters
    ----------
    hypotheses, references, groups
        As in :func:`clipped_matches`.
    weights : array of int32, shape (symbols of the references, order)
        At each symbol, of the n-grams that begin there; equal n-grams weigh the same. Those that would go on beyond the
        end of their sequence are not looked at.

    Returns
    -------
    array of int64, shape (segments, order)
    """
    if not weights.size:  # references without words: nothing can match
        return np.zeros((groups.size - 1, weights.shape[1]), np.int64)
    return _matches(hypotheses, references, groups, weights.shape[1], weights)


def _matches(
    hypotheses: Sequences, references: Sequences, groups: NDArray[np.int64], order: int, weights: NDArray[np.int32]
) -> NDArray[np.int64]:
    """Match each segment in the way that suits its length; without weights every n-gram counts one."""
    matches = np.zeros((groups.size - 1, order), np.int64)
    lengths = np.diff(references.offsets[groups])
    numbers = np.zeros(int(references.symbols.max(initial=0)) + 1, np.int32)
    given = hypotheses.symbols, hypotheses.offsets, references.symbols, references.offsets, groups, numbers
    short = np.zeros(lengths.size, bool)
    if not weights.size and order <= _MOST_BY_BITS:
        short = (np.diff(groups) == 1) & (np.maximum(lengths, hypotheses.lengths) <= _EASY_LENGTH)
        _by_bits(given, np.flatnonzero(short), matches)
    others = np.flatnonzero(~short & (lengths > 0))
    if not others.size:
        return matches
    cells, oversize = _cells(references, groups, lengths, others)
    longest = int(lengths[others].max()) + 1
    run(
        ngrams.matches_by_table,
        np.setdiff1d(others, oversize),
        *given,
        np.zeros((cells, 4), np.int32),
        np.empty((longest, 6), np.int32),
        np.empty((int(hypotheses.lengths.max()) + 1, 3), np.int32),
        matches,
        weights,
        np.empty(longest if weights.size else 0, np.int32),
    )
    for segment in oversize:
        edges = list(itertools.pairwise(references.offsets[groups[segment] : groups[segment + 1] + 1].tolist()))
        matches[segment] = matches_by_sorting(
            hypotheses.symbols[hypotheses.offsets[segment] : hypotheses.offsets[segment + 1]],
            [references.symbols[a:b] for a, b in edges],
            order,
            [weights[a:b] for a, b in edges] if weights.size else None,
        )
    return matches


def _by_bits(given: tuple[NDArray[Any], ...], chosen: NDArray[np.int64], matches: NDArray[np.int64]) -> None:
    """Count the matches of the chosen segments: both sides are short, and there is one reference."""
    order = matches.shape[1]
    run(
        ngrams.matches_by_bits,
        chosen,
        *given,
        np.zeros(_EASY_LENGTH + 1, np.uint64),
        np.empty((_EASY_LENGTH, 2), np.int32),
        np.empty(_EASY_LENGTH + order, np.uint64),
        np.empty(_EASY_LENGTH, np.uint64),
        np.empty((order, _EASY_LENGTH), np.uint64),
        matches,
    )


def _cells(
    references: Sequences, groups: NDArray[np.int64], lengths: NDArray[np.int64], chosen: NDArray[np.int64]
) -> tuple[int, list[int]]:
    """Return the size of the table for the chosen segments, and those of them for which it would be too large."""
    easy = lengths[chosen] <= _EASY_LENGTH
    longest = int(lengths[chosen[easy]].max(initial=0))
    size = longest * longest // 2 + longest + 1
    oversize = []
    for segment in chosen[~easy].tolist():
        begin, end = references.offsets[groups[segment]], references.offsets[groups[segment + 1]]
        needed = (int(lengths[segment]) // 2 + 1) * np.unique(references.symbols[begin:end]).size
        if needed > _MOST_CELLS:
            oversize.append(segment)
        else:
            size = max(size, needed)
    return size, oversize


def matches_by_sorting(
    hypothesis: NDArray[np.int32],
    references: Sequence[NDArray[np.int32]],
    order: int,
    weights: Sequence[NDArray[np.int32]] | None = None,
) -> NDArray[np.int64]:
    """Count clipped matches of one segment, or sum their weights, by sorting.

    Slower than the kernel, in memory that grows with the length only.
    """
    sequences = [hypothesis.astype(np.int64), *(reference.astype(np.int64) for reference in references)]
    names = sequences
    matches = np.zeros(order, np.int64)
    for n in range(order):
        if n > 0:  # the name of an n-gram: the rank of (name of its prefix, last symbol)
            span = max((int(one.max(initial=0)) for one in sequences), default=0) + 2
            names = [
                name[: max(one.size - n, 0)] * span + one[n:] + 1 for name, one in zip(names, sequences, strict=True)
            ]
        kinds, flat = np.unique(np.concatenate(names), return_inverse=True)
        names = np.split(flat.ravel(), np.cumsum([name.size for name in names])[:-1])
        counts = [np.bincount(name, minlength=kinds.size) for name in names]
        if len(counts) > 1:
            found = np.minimum(counts[0], np.maximum.reduce(counts[1:]))
            if weights is not None:
                weight = np.zeros(kinds.size, np.int64)
                for name, one in zip(names[1:], weights, strict=True):
                    weight[name] = one[: name.size, n]
                found = found * weight
            matches[n] = found.sum()
    return matches


def ngram_counts(lengths: NDArray[np.int64], order: int) -> NDArray[np.int64]:
    """Count the n-grams of each order that a sequence of each length has, shape (sequences, order)."""
    return np.asarray(np.maximum(lengths[:, None] - np.arange(order), 0))
