"""Synonyms: words that have a synset of WordNet in common, looked up by the forms that METEOR knows."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["Synsets"]

# Endings of inflected words and of their base forms, in the order in which they are tried; the first base form that
# WordNet has is the only one.
_ENDINGS = (
    ("s", ""),
    ("ses", "s"),
    ("xes", "x"),
    ("zes", "z"),
    ("ches", "ch"),
    ("shes", "sh"),
    ("men", "man"),
    ("ies", "y"),
    ("es", "e"),
    ("es", ""),
    ("ed", "e"),
    ("ed", ""),
    ("ing", "e"),
    ("ing", ""),
    ("er", ""),
    ("est", ""),
    ("er", "e"),
    ("est", "e"),
)


class Synsets:
    """The synsets of words.

    Parameters
    ----------
    synsets : sequence of str
        Lines by two: a word, and the numbers of its synsets.
    exceptions : sequence of str
        Lines by two: a word, and its irregular forms.
    """

    def __init__(self, synsets: Sequence[str], exceptions: Sequence[str]) -> None:
        self._synsets = dict(zip(synsets[::2], synsets[1::2], strict=False))
        self._bases: dict[str, list[str]] = {}
        for base, forms in zip(exceptions[::2], exceptions[1::2], strict=False):
            for form in forms.split():
                self._bases.setdefault(form, []).append(base)

    def __len__(self) -> int:
        return len(self._synsets)

    def of(self, word: str) -> list[int]:
        """Return the synsets of a word and of its base forms, in order; none if WordNet has neither."""
        found = set(self._synsets.get(word, "").split())
        for base in self._base_forms(word):
            found.update(self._synsets.get(base, "").split())
        return sorted(map(int, found))

    def _base_forms(self, word: str) -> list[str]:
        if word in self._bases:
            return self._bases[word]
        if len(word) > 2 and not word.endswith("ss"):
            for ending, instead in _ENDINGS:
                if word.endswith(ending) and (base := word[: -len(ending)] + instead) in self._synsets:
                    return [base]
        return []
