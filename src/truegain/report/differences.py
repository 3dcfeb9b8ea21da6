"""Differences between two outputs of a segment, word by word, and which of these words a reference has."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Literal

# Scripts written without blanks between words: a character is a word.
_DENSE = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_PIECES = re.compile(rf"\s+|[{_DENSE}]|[^\s{_DENSE}]+")
# The longest common subsequence takes a bit for each pair of words; beyond this many pairs, words are only counted.
_MOST_PAIRS = 100_000_000


@dataclass(frozen=True)
class Stretch:
    """Words of an output of the same kind, with the blanks between them.

    Attributes
    ----------
    kind : str
        Whether the other output has these words at this place.
    in_reference : bool
        Whether some reference has every one of these words, anywhere and as often; of changed words only.
    """

    text: str
    kind: Literal["same", "changed"]
    in_reference: bool = False


def pieces(text: str) -> list[str]:
    """Cut into words, marks of punctuation around them, and the blanks between: joined, they are the text again."""
    found: list[str] = []
    for piece in _PIECES.findall(text):
        if piece.isalnum() or piece.isspace() or len(piece) == 1:
            found.append(piece)
        else:
            found.extend(_peeled(piece))
    return found


def differences(
    tokens_a: Sequence[str], tokens_b: Sequence[str]
) -> tuple[list[tuple[str, bool]], list[tuple[str, bool]]]:
    """Return every token of each line, and whether it is changed: without a counterpart in the other.

    As many tokens as possible are held to be the same in the same order; in lines of very many tokens, the same in any
    order.
    """
    if len(tokens_a) * len(tokens_b) > _MOST_PAIRS:
        return _counted(tokens_a, tokens_b), _counted(tokens_b, tokens_a)
    from rapidfuzz.distance import LCSseq

    # As numbers: of words, only hashes would be compared.
    numbers: dict[str, int] = {}
    coded = [[numbers.setdefault(token, len(numbers)) for token in tokens] for tokens in (tokens_a, tokens_b)]
    changed_a, changed_b = [True] * len(tokens_a), [True] * len(tokens_b)
    for step in LCSseq.opcodes(coded[0], coded[1]):
        if step.tag == "equal":
            changed_a[step.src_start : step.src_end] = [False] * (step.src_end - step.src_start)
            changed_b[step.dest_start : step.dest_end] = [False] * (step.dest_end - step.dest_start)
    return list(zip(tokens_a, changed_a, strict=True)), list(zip(tokens_b, changed_b, strict=True))


def compared(
    first: str,
    second: str,
    references: Sequence[str] = (),
    *,
    cut: Callable[[str], Sequence[str]] = pieces,
    ordered: bool = True,
) -> tuple[tuple[Stretch, ...], tuple[Stretch, ...]]:
    """Mark in each of two outputs the words that the other does not have there.

    Parameters
    ----------
    first, second : str
    references : sequence of str
        A changed word is looked up in these.
    cut : callable
        Cut a text as :func:`pieces` does, perhaps from memory: outputs and references recur from pair to pair.
    ordered : bool
        Whether the order of words matters, which links of an alignment have not.

    Returns
    -------
    pair of tuples of Stretch
        Of the first output and of the second; their texts, joined, are the outputs.
    """
    both = cut(first), cut(second)
    words = [[piece for piece in one if not piece.isspace()] for one in both]
    told = differences(words[0], words[1]) if ordered else (_counted(words[0], words[1]), _counted(words[1], words[0]))
    known: Counter[str] = Counter()
    for reference in references:
        there = Counter(cut(reference))
        known = known | there if known else there
    return _stretches(both[0], told[0], known), _stretches(both[1], told[1], known)


def _peeled(word: str) -> list[str]:
    """Split off the punctuation at a word's ends, mark by mark; inside a word it belongs there."""
    start, stop = 0, len(word)
    while start < stop and _is_mark(word[start]):
        start += 1
    while stop > start and _is_mark(word[stop - 1]):
        stop -= 1
    middle = [word[start:stop]] if start < stop else []
    return [*word[:start], *middle, *word[stop:]]


def _is_mark(character: str) -> bool:
    return unicodedata.category(character).startswith("P")


def _counted(tokens: Sequence[str], other: Sequence[str]) -> list[tuple[str, bool]]:
    left = Counter(other)
    told = []
    for token in tokens:
        told.append((token, left[token] <= 0))
        left[token] -= 1
    return told


def _stretches(cut: Sequence[str], told: list[tuple[str, bool]], known: Counter[str]) -> tuple[Stretch, ...]:
    """Join neighbours of one kind; blanks between kinds count as the same, so that no mark extends into them."""
    words = iter(told)
    # A word is in the reference as often as it stands there, and what both outputs have of it comes first.
    taken = Counter(word for word, changed in told if not changed)
    # What is said of each piece, of blanks last: whether it is changed, and whether a reference has it.
    said: list[tuple[bool, bool] | None] = []
    for piece in cut:
        if piece.isspace():
            said.append(None)
            continue
        changed = next(words)[1]
        there = changed and known[piece] > taken[piece]
        if there:
            taken[piece] += 1
        said.append((changed, there))
    for place, one in enumerate(said):
        if one is None:
            before = said[place - 1] if place else None
            after = said[place + 1] if place + 1 < len(said) else None
            said[place] = before if before == after else (False, False)
    stretches = []
    for one, group in groupby(zip(said, cut, strict=True), key=itemgetter(0)):
        changed, in_reference = one or (False, False)
        stretches.append(Stretch("".join([text for _, text in group]), "changed" if changed else "same", in_reference))
    return tuple(stretches)
