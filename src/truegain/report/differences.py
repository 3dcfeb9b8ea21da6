"""Differences between two outputs of a segment, word by word, and which of these words a reference has."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Literal, NamedTuple

# Scripts written without blanks between words: a character is a word.
_DENSE = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_PIECES = re.compile(rf"\s+|[{_DENSE}]|[^\s{_DENSE}]+")
# The longest common subsequence takes a bit for each pair of words; beyond this many pairs, words are only counted.
_MOST_PAIRS = 100_000_000


class Stretch(NamedTuple):
    """Words of an output, with the blanks between them, which the other output all has at this place, or has not.

    ``in_reference``: of changed words, whether some reference has every one of them, anywhere and as often.
    """

    text: str
    kind: Literal["same", "changed"]
    in_reference: bool = False


def pieces(text: str) -> list[str]:
    """Cut into words, marks of punctuation around them, and the blanks between: joined, they are the text again."""
    parts: list[str] = []
    for piece in _PIECES.findall(text):
        marks = "".join(character for character in piece if unicodedata.category(character).startswith("P"))
        word = piece.strip(marks) if marks else piece
        start = piece.index(word)
        parts += filter(None, (*piece[:start], word, *piece[start + len(word) :]))
    return parts


def differences(
    tokens_a: Sequence[str], tokens_b: Sequence[str], *, ordered: bool = True
) -> tuple[list[bool], list[bool]]:
    """Return of the tokens of each line whether they are changed: without a counterpart in the other.

    As many tokens as possible are held to be the same in the same order; in lines of very many tokens, the same in any
    order.
    """
    if not ordered or len(tokens_a) * len(tokens_b) > _MOST_PAIRS:
        return _missing(tokens_a, tokens_b), _missing(tokens_b, tokens_a)
    from rapidfuzz.distance import LCSseq

    # As numbers: of words, only hashes would be compared.
    numbers: dict[str, int] = {}
    coded = [[numbers.setdefault(token, len(numbers)) for token in tokens] for tokens in (tokens_a, tokens_b)]
    changed_a, changed_b = [True] * len(tokens_a), [True] * len(tokens_b)
    for step in LCSseq.opcodes(coded[0], coded[1]):
        if step.tag == "equal":
            changed_a[step.src_start : step.src_end] = [False] * (step.src_end - step.src_start)
            changed_b[step.dest_start : step.dest_end] = [False] * (step.dest_end - step.dest_start)
    return changed_a, changed_b


def compared(
    first: str,
    second: str,
    references: Sequence[str] = (),
    *,
    cut: Callable[[str], Sequence[str]] = pieces,
    ordered: bool = True,
) -> tuple[tuple[Stretch, ...], tuple[Stretch, ...]]:
    """Mark in each of two outputs the words that the other does not have there; joined, stretches are the outputs.

    Changed words are looked up in the ``references``. ``cut`` cuts a text as :func:`pieces` does; if not ``ordered``,
    the order of words does not matter, as in links of an alignment.
    """
    lines = cut(first), cut(second)
    words = [[piece for piece in line if not piece.isspace()] for line in lines]
    changed = differences(words[0], words[1], ordered=ordered)
    known: Counter[str] = Counter()
    for reference in references:
        known |= Counter(cut(reference))
    return _stretches(lines[0], changed[0], known), _stretches(lines[1], changed[1], known)


def _missing(tokens: Sequence[str], other: Sequence[str]) -> list[bool]:
    left = Counter(other)
    missing = []
    for token in tokens:
        missing.append(left[token] <= 0)
        left[token] -= 1
    return missing


def _stretches(line: Sequence[str], changed: Sequence[bool], known: Counter[str]) -> tuple[Stretch, ...]:
    """Join neighbours of one kind; blanks between kinds count as the same, so that no mark extends into them."""
    words = [piece for piece in line if not piece.isspace()]
    # A word is in the reference as often as it stands there, and what both outputs have of it comes first.
    left = known - Counter(word for word, is_new in zip(words, changed, strict=True) if not is_new)
    of_words = []
    for word, is_new in zip(words, changed, strict=True):
        there = is_new and left[word] > 0
        left[word] -= there
        of_words.append((is_new, there))
    kinds = []
    place = 0
    for piece in line:
        if piece.isspace():
            around = of_words[max(place - 1, 0) : place + 1]
            kinds.append(around[0] if len(around) == 2 and around[0] == around[1] else (False, False))
        else:
            kinds.append(of_words[place])
            place += 1
    return tuple(
        Stretch("".join(text for _, text in group), "changed" if is_new else "same", there)
        for (is_new, there), group in groupby(zip(kinds, line, strict=True), key=itemgetter(0))
    )
