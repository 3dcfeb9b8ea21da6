"""Synonyms: words that have a synset of WordNet in common, looked up by the forms that METEOR knows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from truegain.text.packed_texts import PackedTexts

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


@dataclass(frozen=True)
class Synsets:
    """The synsets of words.

    Attributes
    ----------
    numbers : PackedTexts
        Of a word, the numbers of its synsets between blanks.
    bases : PackedTexts
        Of an irregular form, its base forms, a line each.
    """

    numbers: PackedTexts
    bases: PackedTexts

    @classmethod
    def read(cls, synsets: Sequence[str], exceptions: Sequence[str]) -> Synsets:
        """Read lines by two: a word, and the numbers of its synsets; a word, and its irregular forms."""
        bases: dict[str, list[str]] = {}
        for base, forms in zip(exceptions[::2], exceptions[1::2], strict=False):
            for form in forms.split():
                bases.setdefault(form, []).append(base)
        return cls(
            PackedTexts.pack(dict(zip(synsets[::2], synsets[1::2], strict=False))),
            PackedTexts.pack({form: "\n".join(several) for form, several in bases.items()}),
        )

    def of(self, words: Sequence[str]) -> list[list[int]]:
        """Return the synsets of each word and of its base forms, in order; none if WordNet has neither."""
        irregular = {form: bases.split("\n") for form, bases in self.bases.find(words).items()}
        regular = {word: _regular_bases(word) for word in words if word not in irregular}
        forms = {base for bases in (*irregular.values(), *regular.values()) for base in bases}
        numbers = self.numbers.find(forms.union(words))
        found = []
        for word in words:
            bases = irregular[word] if word in irregular else [base for base in regular[word] if base in numbers][:1]
            each = {one for form in (word, *bases) for one in numbers.get(form, "").split()}
            found.append(sorted(map(int, each)))
        return found


def _regular_bases(word: str) -> list[str]:
    """Return what a word may be a regular form of, in the order in which it is tried."""
    if len(word) <= 2 or word.endswith("ss"):
        return []
    return [word[: -len(ending)] + instead for ending, instead in _ENDINGS if word.endswith(ending)]
