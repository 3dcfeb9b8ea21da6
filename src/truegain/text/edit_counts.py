"""Edits that turn hypotheses into references: with shifts, as TER counts them, and without, by kind."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from truegain.errors import InputError
from truegain.kernels import edits, run
from truegain.text.words import Sequences

_LAST_CODE_POINT = 0x10FFFF
_MOST_WORDS = 50_000  # the kernel's tables grow with the square: 300 MB here
_MOST_PAIRS = 40_000_000_000  # of symbols that one alignment looks at: ten seconds, and whole books of words


def translation_edits(hypotheses: Sequences, references: Sequences, groups: NDArray[np.int64]) -> NDArray[np.int64]:
    """Count, for each reference, the edits and shifts that turn the hypothesis of its segment into it.

    Parameters
    ----------
    hypotheses : Sequences
        One sequence per segment.
    references : Sequences
        Those of segment ``i`` are ``groups[i]`` to ``groups[i + 1]``.

    Returns
    -------
    array of int64, one for each reference
    """
    longest = int(references.lengths.max(initial=0))
    if longest > _MOST_WORDS:
        segment = int(np.searchsorted(groups, int(references.lengths.argmax()), side="right"))
        raise InputError(
            f"the reference of segment {segment:,} has {longest:,} words; TER takes at most {_MOST_WORDS:,}",
            hint="one segment per line is expected",
        )
    counts = np.zeros(references.offsets.size - 1, np.int64)
    symbols = int(references.symbols.max(initial=-1)) + 1
    run(
        edits.translation_edits,
        hypotheses.symbols,
        hypotheses.offsets,
        references.symbols,
        references.offsets,
        groups,
        symbols,
        counts,
    )
    return counts


def edit_operations(
    hypotheses: Sequence[Sequence[object]], references: Sequence[Sequence[object]]
) -> NDArray[np.int64]:
    """Count the substitutions, deletions and insertions of the shortest way from each reference to its hypothesis.

    Their sum is the distance of Levenshtein (1966). If several ways are as short, the counts are those of the one
    that RapidFuzz takes, and hence jiwer's.

    Returns
    -------
    array of int64, shape (pairs, 3)

    Raises
    ------
    InputError
        If a pair is so long that it would take minutes: the time grows with the square.
    """
    from rapidfuzz.distance import Levenshtein

    counts = []
    for hypothesis, reference in zip(hypotheses, references, strict=True):
        if len(hypothesis) * len(reference) > _MOST_PAIRS:
            raise InputError(
                f"a segment of {len(hypothesis):,} words or characters cannot be aligned with a reference of "
                f"{len(reference):,}: WER and CER take at most {isqrt(_MOST_PAIRS):,} of each",
                hint="one segment per line is expected",
            )
        operations = Levenshtein.editops(reference, hypothesis).as_list()
        replaced = [kind for kind, _, _ in operations].count("replace")
        counts.append((replaced, len(operations) - replaced, len(reference) - len(hypothesis)))
    substitutions, others, difference = np.array(counts, np.int64).reshape(-1, 3).T
    return np.stack([substitutions, (others + difference) // 2, (others - difference) // 2], axis=1)


def as_texts(sequences: Sequences) -> Sequence[Sequence[object]]:
    """Write every sequence as a string, one character a symbol: the form in which strings are compared fastest.

    Symbols are -1 or more. If there are more of them than characters, the sequences are lists of numbers.
    """
    shifted = sequences.symbols + 1
    edges = pairwise(sequences.offsets.tolist())
    if int(shifted.max(initial=0)) > _LAST_CODE_POINT:
        numbers = shifted.tolist()
        return [numbers[begin:end] for begin, end in edges]
    text = shifted.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")
    return [text[begin:end] for begin, end in edges]
