"""Clipped n-gram matches between hypotheses and their references."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from truegain.kernels import ngrams, run
from truegain.text.words import Sequences

__all__ = ["clipped_matches", "matches_by_sorting", "ngram_counts"]

_EASY_LENGTH = 512
_MOST_CELLS = 1 << 23


def clipped_matches(
    hypotheses: Sequences, references: Sequences, groups: NDArray[np.int64], order: int
) -> NDArray[np.int64]:
    """Count, per segment and order, the n-grams of the hypothesis that the references hold.

    Parameters
    ----------
    hypotheses : Sequences
        One sequence a segment.
    references : Sequences
        Those of segment ``i`` are ``groups[i]`` to ``groups[i + 1]``; an n-gram counts at most as often as in the one
        that has most of it.
    order : int
        The highest order.

    Returns
    -------
    array of int64, shape (segments, order)
    """
    matches = np.zeros((groups.size - 1, order), np.int64)
    lengths = np.diff(references.offsets[groups])
    cells, oversize = _cells(references, groups, lengths)
    numbers = np.zeros(int(references.symbols.max(initial=0)) + 1, np.int32)
    work = np.zeros((cells, 4), np.int32)
    places = np.empty((int(lengths.max(initial=0)) + 1, 6), np.int32)
    spoken = np.empty((int(hypotheses.lengths.max(initial=0)) + 1, 3), np.int32)
    first = 0
    for stop in (*oversize, groups.size - 1):
        run(
            ngrams.clipped_matches,
            hypotheses.symbols,
            hypotheses.offsets[first : stop + 1],
            references.symbols,
            references.offsets,
            groups[first : stop + 1],
            numbers,
            work,
            places,
            spoken,
            matches[first:stop],
        )
        if stop < groups.size - 1:
            edges = references.offsets[groups[stop] : groups[stop + 1] + 1].tolist()
            matches[stop] = matches_by_sorting(
                hypotheses.symbols[hypotheses.offsets[stop] : hypotheses.offsets[stop + 1]],
                [references.symbols[a:b] for a, b in itertools.pairwise(edges)],
                order,
            )
        first = stop + 1
    return matches


def _cells(references: Sequences, groups: NDArray[np.int64], lengths: NDArray[np.int64]) -> tuple[int, list[int]]:
    """The size of the kernel's table, and the segments for which it would be too large to have."""
    longest = int(lengths[lengths <= _EASY_LENGTH].max(initial=0))
    size = longest * longest // 2 + longest + 1
    oversize = []
    for segment in np.flatnonzero(lengths > _EASY_LENGTH).tolist():
        begin, end = references.offsets[groups[segment]], references.offsets[groups[segment + 1]]
        needed = (int(lengths[segment]) // 2 + 1) * np.unique(references.symbols[begin:end]).size
        if needed > _MOST_CELLS:
            oversize.append(segment)
        else:
            size = max(size, needed)
    return size, oversize


def matches_by_sorting(
    hypothesis: NDArray[np.int32], references: Sequence[NDArray[np.int32]], order: int
) -> NDArray[np.int64]:
    """Clipped matches of one segment, by sorting: slower than the kernel, in memory that grows with the length only."""
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
            matches[n] = np.minimum(counts[0], np.maximum.reduce(counts[1:])).sum()
    return matches


def ngram_counts(lengths: NDArray[np.int64], order: int) -> NDArray[np.int64]:
    """How many n-grams of each order a sequence of each length has, shape (sequences, order)."""
    return np.asarray(np.maximum(lengths[:, None] - np.arange(order), 0))
