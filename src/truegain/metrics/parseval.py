"""PARSEVAL, labelled bracketing of phrase-structure trees, as evalb counts it with Collins' parameters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from truegain.errors import InputError, one_of
from truegain.metrics.base import REFERENCE, References, only_reference, signature
from truegain.metrics.pairs import require_hypotheses
from truegain.metrics.ratios import FScore
from truegain.readers.orders import first_difference

if TYPE_CHECKING:
    from truegain.readers.trees import Tree

#: The names of the node that treebanks and parsers put above the sentence.
_ROOTS = frozenset({"", "TOP", "ROOT", "S1"})
_TRACE = "-NONE-"
_PUNCTUATION = frozenset({",", ":", "``", "''", "."})
_SAME_LABEL = {"PRT": "ADVP"}
_SAME_WORD = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}", "``": '"', "''": '"'}
_ERRORS = ("refuse", "zero", "skip")

Brackets = Counter[tuple[str, int, int]]


@dataclass(frozen=True)
class PreparedBrackets:
    """The trees of the reference, and their brackets."""

    trees: list[Tree]
    brackets: list[Brackets]


@dataclass(frozen=True)
class Parseval(FScore):
    """F1, precision or recall of brackets, in percent.

    A bracket is right if the reference has one over the same words with the same label. As in evalb with
    COLLINS.prm: words tagged as punctuation (``,``, ``:``, ``.``, quotes) or as traces (``-NONE-``) are left out, and
    brackets without any other words; labels count up to ``-`` or ``=``, and ADVP and PRT are the same. The node above
    the sentence (TOP, ROOT, S1, or without a name) is no bracket. If a parser tags punctuation otherwise than the
    reference, evalb finds other words; here the tags of the reference decide.

    Parameters
    ----------
    measure : str
        f, precision or recall.
    labelled : bool
        Whether labels count.
    errors : str
        What becomes of a tree over other words than the reference's: it is refused (``refuse``), has no right brackets
        (``zero``), or the sentence is left out, as evalb does (``skip``). A tree without words, a parse that failed, is
        no reason to stop: it counts as one without brackets, or is left out by ``skip``.

    References
    ----------
    Black et al. (1991). A procedure for quantitatively comparing the syntactic coverage of English grammars. Speech and
    Natural Language. Sekine and Collins (1997). Evalb.
    """

    labelled: bool = True
    errors: str = "refuse"

    name: ClassVar[str] = "parseval"
    structure: ClassVar[str] = "brackets"
    statistic_names: ClassVar[tuple[str, ...]] = ("matched", "gold_brackets", "sys_brackets")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.errors not in _ERRORS:
            raise one_of("parseval:errors", self.errors, list(_ERRORS))

    @property
    def label(self) -> str:
        """Name of the measure."""
        name = "PARSEVAL" if self.labelled else "Unlabelled PARSEVAL"
        return f"{name} {'F1' if self.measure == 'f' else self.measure}"

    def signature(self, references: int | str = 1) -> str:
        """Name what is measured and how."""
        return signature(
            nrefs=references, measure=self.measure, labelled=self.labelled, rules="collins", errors=self.errors
        )

    def prepare(self, references: References) -> PreparedBrackets:
        """Read the trees of the reference."""
        from truegain.readers.trees import parse_tree  # the list of metrics needs no reader

        lines = only_reference(references, self.name)
        trees = [parse_tree(line, path=REFERENCE, line=number) for number, line in enumerate(lines, 1)]
        return PreparedBrackets(trees, [self._brackets(tree, _kept(tree)) for tree in trees])

    def statistics(self, hypotheses: Sequence[str], references: References | PreparedBrackets) -> NDArray[np.int64]:
        """Count brackets that match, brackets of the reference and brackets of the parser."""
        from truegain.readers.trees import parse_tree

        prepared = references if isinstance(references, PreparedBrackets) else self.prepare(references)
        require_hypotheses(hypotheses, len(prepared.trees))
        result = np.zeros((len(hypotheses), 3), np.int64)
        for row, line in enumerate(hypotheses):
            gold, tree = prepared.trees[row], parse_tree(line, line=row + 1)
            kept = self._comparable(gold, tree, row + 1)
            if kept is None and self.errors == "skip":
                continue
            wanted, found = prepared.brackets[row], self._brackets(tree, _kept(tree) if kept is None else kept)
            result[row] = (0 if kept is None else (wanted & found).total(), wanted.total(), found.total())
        return result

    def _comparable(self, gold: Tree, tree: Tree, number: int) -> list[bool] | None:
        """Return which words of a tree to keep; None if it is over other words than the reference's, or over none."""
        if not tree.words:
            return None
        wanted, kept = _kept(gold), _kept(tree)
        if _words(gold, wanted) != _words(tree, kept):
            if self.errors == "skip":
                return None
            # The parser may only have tagged punctuation otherwise: then the tags of the reference decide what it is.
            apart = _first_apart(gold, tree)
            if apart is None:
                return _kept_as(wanted, gold, tree)
            if self.errors == "refuse":
                raise InputError(
                    f"tree {number:,} is over other words than the reference's: {apart[1]} stands where {apart[0]} is",
                    hint="are the trees in the same order? errors=skip leaves such sentences out, as evalb does",
                )
            return None
        return kept

    def _brackets(self, tree: Tree, kept: Sequence[bool]) -> Brackets:
        """Count the brackets over the words that are kept."""
        place = [0, *accumulate(kept)]
        found: Brackets = Counter()
        for label, start, end in tree.brackets:
            name = _base(label)
            if place[start] < place[end] and name not in _ROOTS:
                found[_SAME_LABEL.get(name, name) if self.labelled else "", place[start], place[end]] += 1
        return found


def _base(label: str) -> str:
    """Return a label without function tags and indices."""
    ends = [place for mark in "-=" if (place := label.find(mark)) >= 0]
    return label[: min(ends)] if ends else label


def _kept(tree: Tree) -> list[bool]:
    return [tag != _TRACE and tag not in _PUNCTUATION for tag in tree.tags]


def _words(tree: Tree, kept: Sequence[bool]) -> list[str]:
    return [_plain(word) for word, keep in zip(tree.words, kept, strict=True) if keep]


def _plain(word: str) -> str:
    """Return a word as the text has it: treebanks write brackets, quotes, slashes and stars in ways of their own."""
    return _SAME_WORD.get(word) or word.replace("\\/", "/").replace("\\*", "*")


def _spoken(tree: Tree) -> list[bool]:
    return [tag != _TRACE for tag in tree.tags]


def _first_apart(gold: Tree, tree: Tree) -> tuple[str, str] | None:
    """Return the first words that differ, with punctuation; None if all are the same."""
    wanted, found = _words(gold, _spoken(gold)), _words(tree, _spoken(tree))
    if wanted == found:
        return None
    place = first_difference(wanted, found)
    one, other = (repr(words[place]) if place < len(words) else "the end" for words in (wanted, found))
    return one, other


def _kept_as(kept: Sequence[bool], gold: Tree, tree: Tree) -> list[bool]:
    """Return which words of a tree to keep: those that the reference, with the same words, keeps."""
    wanted = iter([keep for keep, spoken in zip(kept, _spoken(gold), strict=True) if spoken])
    return [spoken and next(wanted) for spoken in _spoken(tree)]
