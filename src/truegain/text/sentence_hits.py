"""Words that texts share in the same order, sentence by sentence."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from truegain.errors import InputError
from truegain.kernels import run, subsequences
from truegain.text.words import Sequences

_MOST_WORDS = 50_000  # the kernel's tables grow with the square: 300 MB here


@dataclass(frozen=True)
class Sentences:
    """Texts of one or more sentences each: those of text ``i`` are ``groups[i]`` to ``groups[i + 1]``."""

    words: Sequences
    groups: NDArray[np.int64]

    @property
    def lengths(self) -> NDArray[np.int64]:
        """The number of words in each text."""
        return np.diff(self.words.offsets[self.groups])

    @property
    def longest(self) -> NDArray[np.int64]:
        """The number of words in the longest sentence of each text."""
        return np.asarray(np.maximum.reduceat(self.words.lengths, self.groups[:-1]))


def union_hits(said: Sentences, wanted: Sentences, segments: NDArray[np.int64]) -> NDArray[np.int64]:
    """Count, for each reference, the words that its sentences have in common with the hypothesis of its segment.

    A word of a reference sentence counts if it belongs to the longest common subsequence with some sentence of the
    hypothesis, and a word counts at most as often as the hypothesis has it. Between texts of one sentence that is the
    length of their longest common subsequence.

    Parameters
    ----------
    said : Sentences
        Hypotheses.
    wanted : Sentences
        References.
    segments : array of int64
        The hypothesis of each reference.

    Returns
    -------
    array of int64, one for each reference
    """
    hits = np.zeros(segments.size, np.int64)
    if hits.size == 0:
        return hits
    spoken, asked = said.longest, wanted.longest
    for lengths, of in ((spoken, np.arange(spoken.size)), (asked, segments)):
        longest = int(lengths.argmax())
        if lengths[longest] > _MOST_WORDS:
            raise InputError(
                f"a sentence of segment {int(of[longest]) + 1:,} has {int(lengths[longest]):,} words; ROUGE-L takes at "
                f"most {_MOST_WORDS:,}",
                hint="one text per line is expected",
            )
    symbols = int(max(wanted.words.symbols.max(initial=-1), said.words.symbols.max(initial=-1))) + 1
    width = (asked + 63) // 64
    alone = (np.diff(said.groups)[segments] == 1) & (np.diff(wanted.groups) == 1)
    rows = width * np.where(alone, 1, spoken[segments] + 1)
    run(
        subsequences.union_hits,
        said.words.symbols,
        said.words.offsets,
        said.groups,
        wanted.words.symbols,
        wanted.words.offsets,
        wanted.groups,
        segments,
        np.zeros(symbols, np.int32),
        np.zeros(symbols, np.int32),
        np.empty(int((width * asked).max()), np.uint64),
        np.empty(int(rows.max()), np.uint64),
        np.empty(int(spoken.max()), np.int32),
        np.empty(int(asked.max()), np.uint8),
        hits,
    )
    return hits
