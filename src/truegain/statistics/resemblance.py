"""Outputs that do not resemble their references: lines in another order, or references in another language.

Groups of three neighbouring characters tell. A line shares four times as many of them with its own reference as with
others, and twice as many with lines of its language as with those of another.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from truegain.corpus import Corpus
from truegain.notes import Note, gathered
from truegain.statistics.matrix import SegmentStatistics

_Groups = list[set[str] | None]

_LOW = {"bleu": 10.0, "chrf": 35.0}  # scores below which a run is doubted, whatever the others score
_SHARE = 0.5  # of the best run's score, below which a run is doubted
_FEWEST, _MOST, _LONGEST = 30, 60, 200  # segments that can tell, those that are looked at, characters of each
_FEWEST_ALIKE = 20  # that can tell if lines are of one sentence in one language, and not outputs that may be bad
_IN_ORDER = 2.2  # times that lines resemble their own references more than others; measured: 3.8 on, shuffled up to 1.9
_APART = 0.2  # more that they resemble their own, though others resemble them too: texts by templates
_LANGUAGE = 0.7  # of the resemblance of lines within texts; measured: 0.9 on, between two languages up to 0.6
_VARIED = (0.03, 0.3)  # resemblance within a text that tells its language; above the second, not even the order
_OF_ONE = {
    "language": "it looks like a text in another language than {}",
    "line-order": "its lines may be in another order than {}: they resemble their own references no more than others",
}
_OF_ALL = {
    "language": "it may be the source: outputs look like texts in another language",
    "line-order": "it may be of another test set, or in another order: outputs resemble their own lines of it no more "
    "than others",
}


def resemblance_notes(corpus: Corpus, statistics: SegmentStatistics) -> list[Note]:
    """Warn of runs with a low BLEU or chrF whose lines, or references, may be the wrong ones."""
    if corpus.segments < _FEWEST or not corpus.references or corpus.structures:
        return []
    runs = [run for system in corpus.systems for run in system.runs]
    doubted: set[int] = set()
    for block in statistics.blocks:
        if block.metric.name in _LOW:
            scores = block.run_scores(statistics.totals[block.columns])
            least = max(_LOW[block.metric.name], _SHARE * float(scores.max()))
            doubted.update(r for r, score in enumerate(scores.tolist()) if score < least)
    if not doubted:
        return []
    name, reference = corpus.reference_names[0], _sample(corpus.references[0])
    found = {
        r: _doubt(_sample(outputs), reference) for r in sorted(doubted) if (outputs := runs[r].outputs) is not None
    }
    if len(found) == len(runs) and len(set(found.values())) == 1:
        return [
            Note("unlike-reference", _OF_ALL[doubt], file=name, warning=True) for doubt in set(found.values()) if doubt
        ]
    return gathered(
        Note("unlike-reference", _OF_ONE[doubt].format(name), file=runs[r].name, warning=True)
        for r, doubt in found.items()
        if doubt
    )


def unlike(one: Sequence[str], other: Sequence[str]) -> bool:
    """Return whether lines that should say the same resemble each other no more than others, if so few can tell."""
    if len(one) < _FEWEST_ALIKE:
        return False
    mine, theirs = _sample(one), _sample(other)
    return max(_others(text, text) for text in (mine, theirs)) <= _VARIED[1] and not _in_order(mine, theirs)


def _doubt(outputs: list[_Groups], reference: list[_Groups]) -> str | None:
    """Return what seems wrong with outputs that have low scores, if anything does."""
    within = [_others(text, text) for text in (outputs, reference)]
    between = _others(outputs, reference)
    if max(within) > _VARIED[1]:
        return None
    if max(within) > _VARIED[0] and between < _LANGUAGE * math.sqrt(math.prod(within)):
        return "language"
    return None if _in_order(outputs, reference) else "line-order"


def _in_order(one: list[_Groups], other: list[_Groups]) -> bool:
    """Return whether lines resemble their own more than others."""
    between = _others(one, other)
    return _resemblance(one[0], other[0]) >= min(_IN_ORDER * between, between + _APART)


def _others(one: list[_Groups], other: list[_Groups]) -> float:
    """Return how much lines resemble those far from their own."""
    return (_resemblance(one[0], other[1]) + _resemblance(one[0], other[2])) / 2.0


def _resemblance(one: _Groups, other: _Groups) -> float:
    """Return the share of groups of characters that lines have in common."""
    pairs = [(mine, theirs) for mine, theirs in zip(one, other, strict=True) if mine is not None and theirs is not None]
    total = sum(len(mine) + len(theirs) for mine, theirs in pairs)
    return 2.0 * sum(len(mine & theirs) for mine, theirs in pairs) / total if total else 0.0


def _sample(text: Sequence[str | None]) -> list[_Groups]:
    """Return the groups of some lines, and of two others for each: a third and a half of the text further on.

    They are one line further, as test sets may be repeated.
    """
    count, rows = len(text), range(0, len(text), max(1, len(text) // _MOST))
    return [[_groups(text[(i + shift) % count]) for i in rows] for shift in (0, count // 3 + 1, count // 2 + 1)]


def _groups(line: str | None) -> set[str] | None:
    if line is None:
        return None
    letters = "".join(filter(str.isalnum, line[:_LONGEST].lower()))
    return {letters[i : i + 3] for i in range(len(letters) - 2)}
