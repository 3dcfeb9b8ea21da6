"""Words as METEOR's matchers know them: form, stem, synsets, whether it is a function word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from truegain.text.meteor_alignments import Words, java_hashes
from truegain.text.paraphrases import word_fingerprints
from truegain.text.synonyms import Synsets

# Stems are made once a process: the systems of a comparison share most of their words.
_STEMS: dict[tuple[str, str], int] = {}


@dataclass(frozen=True)
class Lexicon:
    """Lookup of words.

    Attributes
    ----------
    stemmer : str or None
        The name of a Snowball stemmer; None if stems do not count.
    synsets : Synsets or None
    function : frozenset of str
        Function words.
    """

    stemmer: str | None
    synsets: Synsets | None
    function: frozenset[str]

    def known(self, words: Sequence[str]) -> Words:
        """Look words up; they are numbered in the order given."""
        senses: list[list[int]] = [[] for _ in words] if self.synsets is None else self.synsets.of(words)
        offsets = np.zeros(len(words) + 1, np.int64)
        np.cumsum([len(one) for one in senses], out=offsets[1:])
        forms = java_hashes(words)
        return Words(
            forms,
            forms if self.stemmer is None else np.array(_stems(self.stemmer, words), np.int32),
            np.array([sense for one in senses for sense in one], np.int32),
            offsets,
            np.array([word in self.function for word in words], np.uint8),
            word_fingerprints(words),
        )


def _stems(language: str, words: Sequence[str]) -> list[int]:
    """Return the stems of words as hashes, by which METEOR compares them."""
    unknown = [word for word in words if (language, word) not in _STEMS]
    if unknown:
        import snowballstemmer

        stemmer = snowballstemmer.stemmer(language)  # one for each call: it keeps a state
        hashes = java_hashes([stemmer.stemWord(word) for word in unknown]).tolist()
        _STEMS.update(((language, word), found) for word, found in zip(unknown, hashes, strict=True))
    return [_STEMS[language, word] for word in words]
