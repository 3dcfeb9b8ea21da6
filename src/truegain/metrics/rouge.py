"""ROUGE-N, ROUGE-L and ROUGE-Lsum (Lin 2004), as rouge-score 0.1.2 computes them, averaged over segments."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from truegain.errors import InputError, one_of
from truegain.metrics.base import References, segment_references, signature
from truegain.metrics.means import MeanOfSegments
from truegain.metrics.pairs import first_least, require_hypotheses, require_references, segments_of, take
from truegain.notes import Note
from truegain.text.ngram_matches import LONGEST, clipped_matches, ngram_counts
from truegain.text.sentence_hits import Sentences, union_hits
from truegain.text.stems import StemVocabulary
from truegain.text.words import CodePoints, Sequences, Spans, Vocabulary, split_alphanumeric

_MEASURES = {"f": "", "precision": " precision", "recall": " recall"}
_SEPARATORS = {"newline": "\n", "tab": "\t"}


@dataclass(frozen=True)
class PreparedTexts:
    """References as numbered words; those of segment ``i`` are ``groups[i]`` to ``groups[i + 1]``.

    ``sentences[i]`` to ``sentences[i + 1]`` are the sequences of words that reference ``i`` consists of.
    """

    vocabulary: Vocabulary | StemVocabulary
    sentences: NDArray[np.int64]
    groups: NDArray[np.int64]


@dataclass(frozen=True)
class Rouge(MeanOfSegments, ABC):
    """Base of all ROUGE metrics; the score is the mean over segments, in percent.

    Words are runs of the letters a to z and digits, once all is in lowercase: other scripts have none. Of several
    references, a segment takes the one with the best F, the first of several.

    Parameters
    ----------
    stem : bool
        Compare the stems of words of more than three letters (Porter's stemmer).
    measure : str
        f (of precision and recall equally), precision or recall.
    separator : str, optional
        What stands between the sentences of a text: newline, tab, or any other text as it is. By default both newline
        and tab.

    References
    ----------
    Lin (2004). ROUGE: a package for automatic evaluation of summaries. Text Summarization Branches Out.
    """

    stem: bool = False
    measure: str = "f"
    separator: str | None = None

    name: ClassVar[str]
    by_segment: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.measure not in _MEASURES:
            raise one_of(f"{self.name}:measure", self.measure, list(_MEASURES))
        if self.separator == "":
            raise InputError(
                f"{self.name}:separator is empty", hint="name what stands between sentences: tab, newline, <q>"
            )

    @property
    def statistic_names(self) -> tuple[str, ...]:
        """The measure, and 1 for each segment."""
        return (self.measure, "segments")

    @property
    @abstractmethod
    def kind(self) -> str:
        """Variant after ROUGE-: 1, 2, L, Lsum."""

    @property
    def label(self) -> str:
        """ROUGE-1, ROUGE-L recall, …."""
        return f"ROUGE-{self.kind}{_MEASURES[self.measure]}"

    def signature(self, references: int | str = 1) -> str:
        """Name the number of references, the stemmer, the measure and, if it matters, what ends a sentence."""
        between = {} if self._between is None else {"sep": self._between}
        return signature(
            nrefs=references,
            tok="rouge",
            stem="porter" if self.stem else "no",
            measure=self.measure,
            **between,
            aggregate="mean",
        )

    @property
    def _literal(self) -> str | None:
        """Separator of sentences, unless it is white space."""
        return None if self.separator in _SEPARATORS else self.separator

    @property
    def _between(self) -> str | None:
        """Separator in the signature; None if it does not affect the score."""
        return None if self._literal is None else repr(self._literal)

    def prepare(self, references: References) -> PreparedTexts:
        """Split the references into sentences and words, and number these."""
        lines, groups = segment_references(references)
        require_references(groups)
        spans, sentences = self._words(lines)
        return PreparedTexts((StemVocabulary if self.stem else Vocabulary)(spans), sentences, groups)

    def statistics(self, hypotheses: Sequence[str], references: References | PreparedTexts) -> NDArray[np.float64]:
        """Return the measure of each segment against the reference with the best F, and 1."""
        prepared = references if isinstance(references, PreparedTexts) else self.prepare(references)
        require_hypotheses(hypotheses, prepared.groups.size - 1)
        spans, sentences = self._words(hypotheses)
        said = Sentences(prepared.vocabulary.look_up(spans), sentences)
        wanted = Sentences(prepared.vocabulary.sequences, prepared.sentences)
        hits, spoken, asked = self._counts(said, wanted, segments_of(prepared.groups))
        # In this order of operations the last bit is rouge-score's, and so is the reference where two are as good.
        precision = hits / np.maximum(spoken, 1)
        recall = hits / np.maximum(asked, 1)
        f = 2.0 * precision * recall / np.where(hits > 0, precision + recall, 1.0)
        best = first_least(-f, prepared.groups)
        values = {"f": f, "precision": precision, "recall": recall}[self.measure][best]
        return np.column_stack([values, np.ones_like(values)])

    @abstractmethod
    def _counts(
        self, said: Sentences, wanted: Sentences, segments: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Return hits, and what they are divided by for the hypothesis and for the reference."""

    def _words(self, lines: Sequence[str]) -> tuple[Spans, NDArray[np.int64]]:
        """Return the words of all sentences, and the edges of each text's sentences; here every text is one."""
        if self._literal is not None:  # letters in it are no words
            lines = [line.replace(self._literal, " ") for line in lines]
        return _lowercase_words(lines), np.arange(len(lines) + 1)


def _lowercase_words(lines: Sequence[str]) -> Spans:
    return split_alphanumeric(CodePoints.of([line.lower() for line in lines]))


class _Ngrams(Rouge):
    """ROUGE of n-grams: those that hypothesis and reference share, over those of either."""

    @property
    @abstractmethod
    def _order(self) -> int:
        """Length of the n-grams."""

    def _counts(
        self, said: Sentences, wanted: Sentences, segments: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        order = self._order
        spoken, asked = take(said.words, segments), wanted.words
        hits = clipped_matches(spoken, asked, np.arange(segments.size + 1), order)[:, order - 1]
        return hits, _last(spoken, order), _last(asked, order)


def _last(words: Sequences, order: int) -> NDArray[np.int64]:
    return ngram_counts(words.lengths, order)[:, order - 1]


@dataclass(frozen=True)
class RougeN(_Ngrams):
    """ROUGE of n-grams of any length: ``n`` must be given. See :class:`Rouge` for the other settings."""

    n: int | None = None

    name: ClassVar[str] = "rouge"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.n is None:
            raise InputError(
                "which ROUGE? rouge is for n-grams of any length, and n is not given",
                hint="rouge1, rouge2, rougel or rougelsum; or rouge:n=3",
            )
        if not 1 <= self.n <= LONGEST:
            raise InputError(f"rouge:n must be from 1 to {LONGEST}; got {self.n}")

    @property
    def _order(self) -> int:
        return self.n or 1

    @property
    def kind(self) -> str:
        """The length of the n-grams."""
        return str(self.n)

    def signature(self, references: int | str = 1) -> str:
        """Return the signature with n."""
        return f"n:{self.n}|{super().signature(references)}"


@dataclass(frozen=True)
class Rouge1(_Ngrams):
    """ROUGE of words. See :class:`Rouge` for the settings."""

    name: ClassVar[str] = "rouge1"
    kind: ClassVar[str] = "1"
    _order: ClassVar[int] = 1


@dataclass(frozen=True)
class Rouge2(_Ngrams):
    """ROUGE of pairs of words. See :class:`Rouge` for the settings."""

    name: ClassVar[str] = "rouge2"
    kind: ClassVar[str] = "2"
    _order: ClassVar[int] = 2


@dataclass(frozen=True)
class RougeL(Rouge):
    """ROUGE of the longest common subsequence of whole texts. See :class:`Rouge` for the settings."""

    name: ClassVar[str] = "rougel"
    kind: ClassVar[str] = "L"

    def _counts(
        self, said: Sentences, wanted: Sentences, segments: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        return union_hits(said, wanted, segments), said.lengths[segments], wanted.lengths


@dataclass(frozen=True)
class RougeLsum(RougeL):
    """ROUGE of the longest common subsequences of sentences, which is what ROUGE-1.5.5 calls ROUGE-L.

    A word of the reference is a hit if it belongs to the longest common subsequence of its sentence and some sentence
    of the hypothesis. See :class:`Rouge` for the settings.
    """

    name: ClassVar[str] = "rougelsum"
    kind: ClassVar[str] = "Lsum"

    @property
    def _between(self) -> str:
        return super()._between or self.separator or "newline+tab"

    def advice(self, outputs: Sequence[str], name: str) -> list[Note]:
        """Say that no text has several sentences, if that is so."""
        if any(len(self._sentences(line)) > 1 for line in outputs):
            return []
        between = self.separator or "newline or tab"
        text = (
            f"there is no {between} in it, so that every text is one sentence to ROUGE-Lsum; if something else stands "
            "between sentences, name it: rougelsum:separator=…"
        )
        return [Note("one-sentence", text, file=name)]

    def _words(self, lines: Sequence[str]) -> tuple[Spans, NDArray[np.int64]]:
        texts = [self._sentences(line) for line in lines]
        groups = np.zeros(len(texts) + 1, np.int64)
        np.cumsum([len(text) for text in texts], out=groups[1:])
        return _lowercase_words([sentence for text in texts for sentence in text]), groups

    def _sentences(self, line: str) -> list[str]:
        if self.separator is None:
            return line.replace("\t", "\n").split("\n")
        return line.split(_SEPARATORS.get(self.separator, self.separator))
