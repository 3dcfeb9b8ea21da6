"""Every hypothesis against each of its references, and the choice of one of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from truegain.errors import InputError
from truegain.metrics.base import References, segment_references
from truegain.text.tokenizers import split_into_words
from truegain.text.words import Sequences, Spans, Vocabulary


def require_references(groups: NDArray[np.int64]) -> None:
    """Raise an error if a segment has no reference at all."""
    empty = np.flatnonzero(np.diff(groups) == 0)
    if empty.size:
        raise InputError(
            f"segment {empty[0] + 1} has no reference ({empty.size} such segments in all)",
            hint="leave these segments out, or give each at least one reference; an empty line is one",
        )


def require_hypotheses(hypotheses: Sequence[str], segments: int) -> None:
    """Raise an error unless there is one hypothesis for each segment."""
    if len(hypotheses) != segments:
        raise InputError(f"{len(hypotheses)} hypotheses for {segments} segments with references")


def segments_of(groups: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the segment of each reference; those of segment ``i`` are ``groups[i]`` to ``groups[i + 1]``."""
    return np.repeat(np.arange(groups.size - 1), np.diff(groups))


def take(sequences: Sequences, rows: NDArray[np.int64]) -> Sequences:
    """Give the sequences of these rows, each as often as it is named."""
    if np.array_equal(rows, np.arange(sequences.offsets.size - 1)):
        return sequences
    lengths = sequences.lengths[rows]
    offsets = np.zeros(rows.size + 1, np.int64)
    np.cumsum(lengths, out=offsets[1:])
    places = np.arange(offsets[-1]) + np.repeat(sequences.offsets[rows] - offsets[:-1], lengths)
    return Sequences(sequences.symbols[places], offsets)


def first_least(values: NDArray[np.int64] | NDArray[np.float64], groups: NDArray[np.int64]) -> NDArray[np.int64]:
    """Find, for each segment, which of its references has the least value; the first of several."""
    if values.size == groups.size - 1:
        return np.arange(values.size)
    segments = segments_of(groups)
    least = np.minimum.reduceat(values, groups[:-1])
    tied = np.flatnonzero(values == least[segments])
    return np.asarray(tied[np.searchsorted(segments[tied], np.arange(groups.size - 1))])


def closest_lengths(
    lengths: NDArray[np.int64], reference_lengths: NDArray[np.int64], groups: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Find the reference length closest to the length of each hypothesis, the shorter of two as close."""
    if reference_lengths.size == groups.size - 1:
        return reference_lengths
    away = np.abs(reference_lengths - lengths[segments_of(groups)])
    # One number for (distance, length): the least is the closest, then the shortest.
    rank = away * (int(reference_lengths.max(initial=0)) + 1) + reference_lengths
    return np.asarray(reference_lengths[first_least(rank, groups)])


class PreparedWords(NamedTuple):
    """References tokenised and numbered; those of segment ``i`` are ``groups[i]`` to ``groups[i + 1]``."""

    vocabulary: Vocabulary
    groups: NDArray[np.int64]


def prepared_words(references: References, split: Callable[[Sequence[str]], Spans]) -> PreparedWords:
    """Assign numbers to the words that references are split into; refuse a segment without references."""
    lines, groups = segment_references(references)
    require_references(groups)
    return PreparedWords(Vocabulary(split(lines)), groups)


def words_of(lines: Sequence[str], *, lowercase: bool, tokenize: str, model: str | None) -> Spans:
    """Return the words of lines, in lowercase or as they are."""
    return split_into_words([line.lower() for line in lines] if lowercase else lines, tokenize, model)
