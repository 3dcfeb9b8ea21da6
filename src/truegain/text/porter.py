"""Porter's stemmer (1980) with the departures of NLTK, which are those of rouge-score.

A word is a string of consonants and vowels, [C](VC)^m[V]; its *measure* m is the number of times that a vowel is
followed by a consonant. Each step takes off or replaces one ending, on conditions about the measure of what is left.
NLTK departs from the paper in a list of irregular words, in ``y``, ``ies`` and ``ied`` of short words, and in four
endings of the second step. Words are expected in lowercase.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

_KEPT = ("sky", "news", "howe", "inning", "outing", "canning", "proceed", "exceed", "succeed")
_IRREGULAR = {
    **{word: word for word in _KEPT},
    "skies": "sky",
    "dying": "die",
    "lying": "lie",
    "tying": "tie",
    "innings": "inning",
    "outings": "outing",
    "cannings": "canning",
}

# What an ending becomes where a vowel and a consonant stand before it (m > 0), in the second step and in the third.
_SECOND = {
    "ational": "ate",
    "tional": "tion",
    "enci": "ence",
    "anci": "ance",
    "izer": "ize",
    "bli": "ble",
    "entli": "ent",
    "eli": "e",
    "ousli": "ous",
    "ization": "ize",
    "ation": "ate",
    "ator": "ate",
    "alism": "al",
    "iveness": "ive",
    "fulness": "ful",
    "ousness": "ous",
    "aliti": "al",
    "iviti": "ive",
    "biliti": "ble",
    "fulli": "ful",
}
_THIRD = {"icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": ""}
# What is taken off where that stands before it twice (m > 1), in the fourth.
_FOURTH = dict.fromkeys(
    (
        *("al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent"),
        *("ou", "ism", "ate", "iti", "ous", "ive", "ize"),
    ),
    "",
)


@lru_cache(maxsize=1 << 17)
def stem(word: str) -> str:
    """Return the stem of a lowercase word; words of one or two letters are their own.

    References
    ----------
    Porter (1980). An algorithm for suffix stripping. Program 14(3).
    """
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) <= 2:
        return word
    word = _final_y(_past(_plural(word)))
    word = _derivation(word)
    word = _replaced(word, _THIRD, 0)
    word = _suffix(word)
    return _final_l(_final_e(word))


def _plural(word: str) -> str:
    """Step 1a: caresses, ponies, cats."""
    if word.endswith("ies"):
        return word[:-1] if len(word) == 4 else word[:-2]  # ties, but ponies
    if word.endswith("sses"):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _past(word: str) -> str:
    """Step 1b: agreed, plastered, motoring; what is left may need an e, or one letter of two."""
    if word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for ending in ("ed", "ing"):
        if word.endswith(ending):
            rest = word[: -len(ending)]
            return _mended(rest) if "v" in _shape(rest) else word
    return word


def _mended(rest: str) -> str:
    if rest.endswith(("at", "bl", "iz")):
        return rest + "e"
    if len(rest) >= 2 and rest[-1] == rest[-2] and _shape(rest)[-1] == "c":
        return rest if rest[-1] in "lsz" else rest[:-1]
    return rest + "e" if _measure(rest) == 1 and _short(rest) else rest


def _final_y(word: str) -> str:
    """Step 1c: happy, but neither by nor say."""
    rest = word[:-1]
    return rest + "i" if word.endswith("y") and len(rest) > 1 and _shape(rest)[-1] == "c" else word


def _derivation(word: str) -> str:
    """Step 2: relational, sensibiliti. A word in alli is taken for an adverb, and its adjective goes on."""
    if word.endswith("alli") and _measure(word[:-4]) > 0:
        return _derivation(word[:-2])
    if word.endswith("logi"):
        return word[:-1] if _measure(word[:-3]) > 0 else word  # the l counts to what is left: geology
    return _replaced(word, _SECOND, 0)


def _suffix(word: str) -> str:
    """Step 4: revival, adjustment; ion only after s or t."""
    if word.endswith("ion"):
        rest = word[:-3]
        return rest if rest.endswith(("s", "t")) and _measure(rest) > 1 else word
    return _replaced(word, _FOURTH, 1)


def _final_e(word: str) -> str:
    """Step 5a: probate, cease, but rate."""
    if not word.endswith("e"):
        return word
    rest = word[:-1]
    measure = _measure(rest)
    return rest if measure > 1 or (measure == 1 and not _short(rest)) else word


def _final_l(word: str) -> str:
    """Step 5b: controll, but roll."""
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word


def _replaced(word: str, endings: Mapping[str, str], above: int) -> str:
    """Replace the longest of the endings that the word has, if the measure of the rest is above a number."""
    for start in range(max(len(word) - 7, 0), len(word) - 1):  # seven letters: ational, iveness
        ending = word[start:]
        if ending in endings:
            return word[:start] + endings[ending] if _measure(word[:start]) > above else word
    return word


def _shape(text: str) -> str:
    """Return which letters are consonants (c) and which vowels (v); y is a vowel after a consonant."""
    kinds = []
    before = "v"
    for letter in text:
        before = "v" if letter in "aeiou" or (letter == "y" and before == "c") else "c"
        kinds.append(before)
    return "".join(kinds)


def _measure(text: str) -> int:
    return _shape(text).count("vc")


def _short(text: str) -> bool:
    """Return whether it ends as short syllables do, in a consonant, a vowel and a consonant other than w, x and y."""
    shape = _shape(text)
    return (shape.endswith("cvc") and text[-1] not in "wxy") or shape == "vc"
