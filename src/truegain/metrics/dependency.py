"""UAS and LAS, the attachment scores of dependency parsing, as the CoNLL 2018 shared task counts them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from truegain.errors import InputError
from truegain.metrics.base import REFERENCE, References, only_reference, signature
from truegain.metrics.pairs import require_hypotheses
from truegain.metrics.ratios import FScore

if TYPE_CHECKING:
    from truegain.readers.treebank import Sentences

_ROW = 5  # columns of a word that is already counted as the gold treebank counts


@dataclass(frozen=True)
class PreparedTrees:
    """The gold trees: what a correct attachment is, and how many words each has."""

    attachments: list[set[tuple[str, ...]]]
    words: NDArray[np.int64]
    sentences: list[Sentences | None]


@dataclass(frozen=True)
class Attachment(FScore, ABC):
    """Base of UAS and LAS: correct attachments among the words of gold trees and of the parser's."""

    structure: ClassVar[str] = "dependencies"
    statistic_names: ClassVar[tuple[str, ...]] = ("correct", "gold_words", "sys_words")

    def prepare(self, references: References) -> PreparedTrees:
        """Read the gold trees."""
        from truegain.readers.treebank import on_gold_words  # the list of metrics needs no reader

        gold = only_reference(references, self.name)
        sentences = [
            None if _is_counted(block) else _gold_sentence(block, number) for number, block in enumerate(gold, 1)
        ]
        rows = [
            _rows(block if sentence is None else on_gold_words(sentence, sentence)[0])
            for block, sentence in zip(gold, sentences, strict=True)
        ]
        return PreparedTrees(
            [self._attachments(one) for one in rows], np.array([len(one) for one in rows], np.int64), sentences
        )

    def statistics(self, hypotheses: Sequence[str], references: References | PreparedTrees) -> NDArray[np.int64]:
        """Correct attachments, words of the gold tree, words of the parser."""
        prepared = references if isinstance(references, PreparedTrees) else self.prepare(references)
        require_hypotheses(hypotheses, len(prepared.attachments))
        result = np.empty((len(hypotheses), 3), np.int64)
        for number, (block, gold) in enumerate(zip(hypotheses, prepared.attachments, strict=True)):
            rows = _rows(_counted(block, prepared.sentences[number], number + 1))
            result[number, 0] = len(gold & self._attachments(rows))
            result[number, 2] = len(rows)
        result[:, 1] = prepared.words
        return result

    @abstractmethod
    def _attachments(self, rows: list[list[str]]) -> set[tuple[str, ...]]:
        """Return what must be right of each word: its number and head, and what else the metric looks at."""


@dataclass(frozen=True)
class UAS(Attachment):
    """The unlabelled attachment score: the words whose head is right.

    Segments are sentences: CoNLL-U, or words counted as the gold treebank counts (see
    :class:`truegain.readers.treebank.Treebank`). If the parser has other words than the gold tree, those over the
    same characters are compared, and a head is right if it is the same word; the score is then the F1.

    Parameters
    ----------
    measure : str
        f (F1, the accuracy if the words are those of the gold tree), precision or recall.

    References
    ----------
    Zeman et al. (2018). CoNLL 2018 shared task: multilingual parsing from raw text to Universal Dependencies. CoNLL.
    """

    name: ClassVar[str] = "uas"

    @property
    def label(self) -> str:
        """Name of the measure."""
        return self._labelled("UAS")

    def signature(self, references: int | str = 1) -> str:
        """Name the way of counting."""
        return signature(nrefs=references, measure=self.measure, words="conll18")

    def _attachments(self, rows: list[list[str]]) -> set[tuple[str, ...]]:
        return {(row[0], row[3]) for row in rows if row[3] != "_"}


@dataclass(frozen=True)
class LAS(Attachment):
    """The labelled attachment score: the words whose head and relation are right. See :class:`UAS`.

    Parameters
    ----------
    measure : str
        f, precision or recall.
    subtypes : bool
        Compare whole relations, ``nmod:poss``; by default only what stands before the colon.
    """

    subtypes: bool = False

    name: ClassVar[str] = "las"

    @property
    def label(self) -> str:
        """Name of the measure and of its relations."""
        return self._labelled("LAS with subtypes" if self.subtypes else "LAS")

    def signature(self, references: int | str = 1) -> str:
        """Name the way of counting."""
        return signature(nrefs=references, measure=self.measure, words="conll18", subtypes=self.subtypes)

    def _attachments(self, rows: list[list[str]]) -> set[tuple[str, ...]]:
        if self.subtypes:
            return {(row[0], row[3], row[4]) for row in rows if row[3] != "_"}
        return {(row[0], row[3], row[4].partition(":")[0]) for row in rows if row[3] != "_"}


def _rows(block: str) -> list[list[str]]:
    return [line.split("\t") for line in block.split("\n")] if block else []


def _is_counted(block: str) -> bool:
    return block.partition("\n")[0].count("\t") == _ROW - 1


def _counted(block: str, gold: Sentences | None, number: int) -> str:
    """Return a sentence as the gold treebank counts; align CoNLL-U given as text with its words."""
    if not block or _is_counted(block):
        return block
    if gold is None:
        raise InputError(
            f"segment {number:,} is CoNLL-U, and the gold treebank comes from a file",
            hint="give both as files (FILE.conllu), or both as blocks of CoNLL-U",
        )
    from truegain.readers.treebank import on_gold_words

    try:
        return on_gold_words(gold, _one_sentence(block, f"segment {number:,}"))[0]
    except InputError as error:
        raise error.at(None, before=_place(number, error.line)) from error


def _gold_sentence(block: str, number: int) -> Sentences:
    try:
        return _one_sentence(block, f"segment {number:,} of {REFERENCE}")
    except InputError as error:
        raise error.at(REFERENCE, before=_place(number, error.line)) from error


def _place(segment: int, line: int | None) -> str:
    return f"segment {segment:,}: " if line is None else f"segment {segment:,}, line {line}: "


def _one_sentence(block: str, name: str) -> Sentences:
    from truegain.readers.treebank import parse_conllu

    found = parse_conllu(block.split("\n"), name)
    if len(found.first) != 2:
        raise InputError(f"{len(found.first) - 1} sentences where one was expected", path=name)
    return found
