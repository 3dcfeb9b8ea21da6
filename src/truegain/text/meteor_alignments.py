"""Words of hypotheses and references aligned as METEOR does, with what its matchers know of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from truegain.errors import InputError
from truegain.kernels import alignments, phrases, run
from truegain.text.paraphrases import Occurrences, Paraphrases, laid_out
from truegain.text.words import Sequences

#: The matchers by name, in METEOR's order.
MATCHERS = ("exact", "stem", "synonym", "paraphrase")
_MOST_WORDS = 1_500  # so that the distances of the kernel stay within their bits
_ROOM = 4096  # matches of a pair; the kernel makes more where they do not suffice


@dataclass(frozen=True)
class Words:
    """Properties of each word, by its number.

    Attributes
    ----------
    forms, stems : arrays of int32
        Words with the same are the same, or have the same stem.
    senses, sense_offsets : arrays
        The synsets of word ``w`` are ``senses[sense_offsets[w]]`` and on, sorted.
    function : array of uint8
        1 for function words.
    prints : array of uint64
        Fingerprints, for phrases.
    """

    forms: NDArray[np.int32]
    stems: NDArray[np.int32]
    senses: NDArray[np.int32]
    sense_offsets: NDArray[np.int64]
    function: NDArray[np.uint8]
    prints: NDArray[np.uint64]

    def and_then(self, more: Words) -> Words:
        """Return these words, and others numbered from there on."""
        return Words(
            np.concatenate([self.forms, more.forms]),
            np.concatenate([self.stems, more.stems]),
            np.concatenate([self.senses, more.senses]),
            np.concatenate([self.sense_offsets, more.sense_offsets[1:] + self.senses.size]),
            np.concatenate([self.function, more.function]),
            np.concatenate([self.prints, more.prints]),
        )


def java_hashes(words: Sequence[str]) -> NDArray[np.int32]:
    """Return the hashes of strings in Java, by which METEOR compares words: equal hashes are equal words to it."""
    letters, ends = laid_out(words, "utf-16-le")
    found = np.empty(len(words), np.uint32)
    run(phrases.java_hashes, np.frombuffer(letters, "<u2").astype(np.uint16), ends // 2, found)
    return found.view(np.int32)


def aligned_counts(
    said: Sequences,
    wanted: Sequences,
    segments: NDArray[np.int64],
    words: Words,
    matchers: tuple[str, ...],
    paraphrases: Paraphrases,
    occurrences: tuple[Occurrences, Occurrences],
    beam: int,
) -> NDArray[np.int64]:
    """Align each reference with the hypothesis of its segment, and count.

    Parameters
    ----------
    said, wanted : Sequences
        Hypotheses and references.
    segments : array of int64
        The hypothesis of each reference.
    words : Words
        All words of both.
    matchers : tuple of str
        Of :data:`MATCHERS`.
    paraphrases : Paraphrases
    occurrences : tuple of Occurrences
        Where its phrases stand in the hypotheses, and in the references.
    beam : int
        How many partial alignments are kept.

    Returns
    -------
    array of int64, shape (references, 7 + 4 · matchers)
        Words and function words of either side; for each matcher content words and function words of either side;
        chunks; matched words of either side.
    """
    result = np.zeros((segments.size, 7 + 4 * len(matchers)), np.int64)
    for texts, of in ((said, np.arange(said.lengths.size)), (wanted, segments)):
        if texts.lengths.size and texts.lengths.max() > _MOST_WORDS:
            row = int(texts.lengths.argmax())
            raise InputError(
                f"segment {int(of[row]) + 1:,} has {int(texts.lengths[row]):,} words; METEOR takes at most "
                f"{_MOST_WORDS:,}",
                hint="one sentence a line is expected",
            )
    spoken, asked = occurrences
    run(
        alignments.align,
        beam,
        said.symbols,
        said.offsets,
        wanted.symbols,
        wanted.offsets,
        segments,
        np.array([MATCHERS.index(one) for one in matchers], np.int32),
        words.forms,
        words.stems,
        words.senses,
        words.sense_offsets,
        words.function,
        spoken.rows,
        spoken.offsets,
        asked.rows,
        asked.offsets,
        paraphrases.forward,
        paraphrases.forward_offsets,
        paraphrases.backward,
        paraphrases.backward_offsets,
        _ROOM,
        result,
    )
    return result
