"""Words that are the same in two tokenisations of one text, as the CoNLL 2018 shared task aligns them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Tokenised(Protocol):
    """Words in the order of the text; those of a multiword token share its place."""

    starts: list[int]
    ends: list[int]
    multiword: list[bool]
    forms: list[str]


def align_words(gold: Tokenised, system: Tokenised) -> list[int]:
    """Return the gold word that each word of the system is aligned to; -1 for none.

    Words that are tokens of their own are the same if they begin and end at the same characters. Wherever either
    side has a multiword token, words have no places: there the smallest stretch that cuts no multiword token is taken,
    and a longest common subsequence of its forms, whatever their case.

    References
    ----------
    Zeman et al. (2018). CoNLL 2018 shared task: multilingual parsing from raw text to Universal Dependencies. CoNLL.
    """
    found = [-1] * len(system.starts)
    g = s = 0
    while g < len(gold.starts) and s < len(system.starts):
        if gold.multiword[g] or system.multiword[s]:
            # A word that begins before the multiword token on the other side has no counterpart.
            if gold.multiword[g]:
                end = gold.ends[g]
                s += not system.multiword[s] and system.starts[s] < gold.starts[g]
            else:
                end = system.ends[s]
                g += gold.starts[g] < system.starts[s]
            after_g, after_s = _stretch(gold, system, g, s, end)
            for one, other in _common(gold.forms[g:after_g], system.forms[s:after_s]):
                found[s + other] = g + one
            g, s = after_g, after_s
        elif gold.starts[g] == system.starts[s] and gold.ends[g] == system.ends[s]:
            found[s] = g
            g += 1
            s += 1
        elif gold.starts[g] <= system.starts[s]:
            g += 1
        else:
            s += 1
    return found


def _stretch(gold: Tokenised, system: Tokenised, g: int, s: int, end: int) -> tuple[int, int]:
    """Return the words after the text from these words to that end, or further until no multiword token is cut."""

    def inside(side: Tokenised, word: int) -> bool:
        if word >= len(side.starts):
            return False
        return side.starts[word] < end if side.multiword[word] else side.ends[word] <= end

    while inside(gold, g) or inside(system, s):
        if g < len(gold.starts) and (s >= len(system.starts) or gold.starts[g] <= system.starts[s]):
            end = max(end, gold.ends[g]) if gold.multiword[g] else end
            g += 1
        else:
            end = max(end, system.ends[s]) if system.multiword[s] else end
            s += 1
    return g, s


def _common(gold: Sequence[str], system: Sequence[str]) -> list[tuple[int, int]]:
    """Return the places of a longest common subsequence, whatever the case."""
    gold, system = [one.lower() for one in gold], [one.lower() for one in system]
    longest = [[0] * (len(system) + 1) for _ in range(len(gold) + 1)]
    for g in reversed(range(len(gold))):
        for s in reversed(range(len(system))):
            with_both = 1 + longest[g + 1][s + 1] if gold[g] == system[s] else 0
            longest[g][s] = max(with_both, longest[g + 1][s], longest[g][s + 1])
    pairs = []
    g = s = 0
    while g < len(gold) and s < len(system):
        if gold[g] == system[s]:
            pairs.append((g, s))
            g += 1
            s += 1
        elif longest[g][s] == longest[g + 1][s]:
            g += 1
        else:
            s += 1
    return pairs
