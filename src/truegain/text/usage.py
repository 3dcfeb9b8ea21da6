"""Use of words and n-grams: how often outputs have each, how often their references do, and how often they agree."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from truegain.text.tokenizers import split_into_words
from truegain.text.words import Spans, Vocabulary

Counts = NDArray[np.int64]


@dataclass(frozen=True)
class Usage:
    """The n-grams of one order; arrays of numbers have one for each of them.

    Attributes
    ----------
    order : int
    places : array of int64
        A word of the text at which the n-gram begins, for :meth:`SideBySide.ngram`.
    wanted : array of int64
        How often the references have it: in each segment as often as the reference that has most of it.
    produced, matched : array of int64, shape (outputs, n-grams)
        How often each output has it, and how often with a counterpart in the references of the same segment;
        each occurrence there counts once.
    """

    order: int
    places: Counts
    wanted: Counts
    produced: Counts
    matched: Counts


class SideBySide:
    """References and outputs of the same segments, tokenised in the same way.

    Parameters
    ----------
    references : sequence of sequences
        The segments of each reference; None if a segment has no such reference.
    outputs : sequence of sequences
        The segments of each output.
    tokenize : str
        One of :data:`truegain.text.tokenizers.TOKENIZERS`, except ``spm``.
    """

    def __init__(
        self, references: Sequence[Sequence[str | None]], outputs: Sequence[Sequence[str]], tokenize: str
    ) -> None:
        self.tokenize = tokenize
        self.segments = len(outputs[0])
        self._references = len(references)
        sides = [[line or "" for line in side] for side in references] + [list(side) for side in outputs]
        self._spans: Spans = split_into_words([line for side in sides for line in side], tokenize)
        self._vocabulary = Vocabulary(self._spans)
        self._symbols = self._vocabulary.sequences.symbols
        self._present = np.array([[line is not None for line in side] for side in references], bool)

    @property
    def reference_lengths(self) -> NDArray[np.float64]:
        """The words of each segment's reference, on average over those it has."""
        lengths = np.diff(self._spans.offsets)[: self._references * self.segments].reshape(self._references, -1)
        return np.asarray(lengths.sum(0) / np.maximum(self._present.sum(0), 1))

    @property
    def words(self) -> int:
        """The number of different words."""
        return len(self._vocabulary)

    def ngram(self, place: int, order: int) -> tuple[str, ...]:
        """Return the words of an n-gram that begins at a place."""
        return tuple(self._spans.word(t) for t in range(place, place + order))

    def word_numbers(self, usage: Usage) -> NDArray[np.int64]:
        """Return the numbers of the words of a usage of order 1, as :meth:`frequencies` counts them."""
        return self._symbols[usage.places].astype(np.int64)

    def frequencies(self, pieces: Iterable[Sequence[str]]) -> Counts:
        """Count how often each word here occurs in another text, which may come in pieces."""
        counts = np.zeros(self.words, np.int64)
        for lines in pieces:
            symbols = self._vocabulary.look_up(split_into_words(lines, self.tokenize)).symbols
            counts += np.bincount(symbols[symbols >= 0], minlength=self.words)
        return counts

    def usages(self, most: int) -> Iterator[Usage]:
        """Yield the usage of n-grams, order by order, from 1."""
        offsets = self._spans.offsets
        side = self.segments
        line = np.repeat(np.arange(offsets.size - 1, dtype=np.int32), np.diff(offsets))
        places = np.arange(self._symbols.size, dtype=np.int32 if self._symbols.size < 2**31 else np.int64)
        names: Counts = self._symbols.astype(np.int64)  # of the n-gram at each place
        for order in range(1, most + 1):
            if order > 1:
                keep = places + order <= offsets[line[places] + 1]
                places, names = places[keep], names[keep]
                # The name of an n-gram: the rank of (name of its prefix, last word).
                names = names * self.words + self._symbols[places + order - 1]
            kinds, first, names = np.unique(names, return_index=True, return_inverse=True)
            names = names.ravel()
            edges = np.searchsorted(places, offsets[::side])
            cells = (line[places] % side) * np.int64(kinds.size) + names  # a segment and an n-gram in one number
            parts = [slice(a, b) for a, b in itertools.pairwise(edges.tolist())]
            wanted_cells, wanted = _most_of(cells, parts[: self._references])
            produced, matched = [], []
            for part in parts[self._references :]:
                own, counts = np.unique(cells[part], return_counts=True)
                _, here, there = np.intersect1d(own, wanted_cells, assume_unique=True, return_indices=True)
                shared = np.minimum(counts[here], wanted[there])
                produced.append(np.bincount(names[part], minlength=kinds.size))
                matched.append(_add_up(own[here] % kinds.size, shared, kinds.size))
            yield Usage(
                order,
                places[first].astype(np.int64),
                _add_up(wanted_cells % kinds.size, wanted, kinds.size),
                np.stack(produced),
                np.stack(matched),
            )


def _most_of(cells: Counts, parts: Sequence[slice]) -> tuple[Counts, Counts]:
    """Return the cells that the references have, and the largest count of each in any one of them."""
    found = [np.unique(cells[part], return_counts=True) for part in parts]
    if len(found) == 1:
        return found[0]
    every, where = np.unique(np.concatenate([own for own, _ in found]), return_inverse=True)
    most = np.zeros(every.size, np.int64)
    np.maximum.at(most, where.ravel(), np.concatenate([counts for _, counts in found]))
    return every, most


def _add_up(numbers: Counts, counts: Counts, size: int) -> Counts:
    # Whole numbers far below 2^53: exact as floats.
    return np.bincount(numbers, weights=counts, minlength=size).astype(np.int64)
