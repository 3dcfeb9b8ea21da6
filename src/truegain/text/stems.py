"""Words numbered by their stems, so that inflected forms of one word are one."""

from __future__ import annotations

import numpy as np

from truegain.text.porter import stem
from truegain.text.words import Sequences, Spans, Vocabulary

_SHORT = 3  # letters: words no longer than this stay as they are in every ROUGE


class StemVocabulary:
    """A :class:`~truegain.text.words.Vocabulary` of the stems of words of more than three letters."""

    def __init__(self, spans: Spans) -> None:
        words = Vocabulary(spans)
        self._numbers: dict[str, int] = {}
        numbers = [self._numbers.setdefault(one, len(self._numbers)) for one in _stems(words)]
        self.sequences = _renumbered(words, numbers)

    def __len__(self) -> int:
        return len(self._numbers)

    def look_up(self, spans: Spans) -> Sequences:
        """Return the numbers of another text's stems; those not known here get -1."""
        words = Vocabulary(spans)
        return _renumbered(words, [self._numbers.get(one, -1) for one in _stems(words)])


def _stems(words: Vocabulary) -> list[str]:
    return [stem(word) if len(word) > _SHORT else word for word in words.words()]


def _renumbered(words: Vocabulary, numbers: list[int]) -> Sequences:
    table = np.array(numbers, np.int32)
    return Sequences(table[words.sequences.symbols], words.sequences.offsets)
