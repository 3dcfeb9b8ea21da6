"""Precision, recall and F of words: how many of those said were asked for, and of those asked for were said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from truegain.errors import InputError, one_of
from truegain.metrics.base import References, signature
from truegain.metrics.pairs import (
    PreparedWords,
    first_least,
    prepared_words,
    require_hypotheses,
    segments_of,
    take,
    words_of,
)
from truegain.metrics.ratios import MEASURES
from truegain.text.ngram_matches import clipped_matches
from truegain.text.tokenizers import TOKENIZERS, tokenizer_signature
from truegain.text.words import Spans


@dataclass(frozen=True)
class Unigram:
    """Words in common over words said (precision), over words of the reference (recall), or F, of the whole corpus.

    A word is in common as often as both sides of a segment have it; order is left aside. Of several references, a
    segment takes the one that is best for the measure, the first of several.

    Parameters
    ----------
    measure : str
        f, precision or recall.
    beta : float
        How many times as important as precision recall is, in F.
    lowercase : bool
        Lowercase everything first.
    tokenize : str
        none (words stand between white space), 13a, intl, zh, char, ja-mecab, ko-mecab or spm.
    model : str, optional
        The sentencepiece model, for ``tokenize=spm``.

    References
    ----------
    van Rijsbergen (1979). Information retrieval, chapter 7. Melamed, Green and Turian (2003). Precision and recall of
    machine translation. HLT-NAACL 2003.
    """

    measure: str = "f"
    beta: float = 1.0
    lowercase: bool = False
    tokenize: str = "none"
    model: str | None = None

    name: ClassVar[str] = "unigram"
    higher_is_better: ClassVar[bool] = True
    reads: ClassVar[Literal["text"]] = "text"
    by_segment: ClassVar[bool] = True
    limits: ClassVar[tuple[float, float]] = (0.0, 100.0)
    statistic_names: ClassVar[tuple[str, ...]] = ("matches", "sys_words", "ref_words")

    def __post_init__(self) -> None:
        if self.measure not in MEASURES:
            raise one_of("unigram:measure", self.measure, list(MEASURES))
        if self.tokenize not in TOKENIZERS:
            raise one_of("unigram:tokenize", self.tokenize, list(TOKENIZERS))
        if not 0 < self.beta < float("inf"):
            raise InputError(
                f"unigram:beta must be a number above 0; got {self.beta:g}",
                hint="for precision or recall alone: unigram:measure=precision, measure=recall",
            )

    @property
    def label(self) -> str:
        """Unigram F1, unigram precision, …."""
        return f"unigram F{self.beta:g}" if self.measure == "f" else f"unigram {self.measure}"

    def signature(self, references: int | str = 1) -> str:
        """Name the number of references, the case, the tokeniser and the measure."""
        return signature(
            nrefs=references,
            case="lc" if self.lowercase else "mixed",
            tok=tokenizer_signature(self.tokenize, self.model),
            measure=f"f{self.beta:g}" if self.measure == "f" else self.measure,
        )

    def prepare(self, references: References) -> PreparedWords:
        """Tokenise and number the references."""
        return prepared_words(references, self._words)

    def statistics(self, hypotheses: Sequence[str], references: References | PreparedWords) -> NDArray[np.int64]:
        """Count words in common, words said and words of the reference."""
        prepared = references if isinstance(references, PreparedWords) else self.prepare(references)
        wanted, groups = prepared.vocabulary.sequences, prepared.groups
        require_hypotheses(hypotheses, groups.size - 1)
        spoken = take(prepared.vocabulary.look_up(self._words(hypotheses)), segments_of(groups))
        matches = clipped_matches(spoken, wanted, np.arange(wanted.offsets.size), 1)[:, 0]
        every = np.column_stack([matches, spoken.lengths, wanted.lengths])
        return np.asarray(every[first_least(-self.score(every.astype(np.float64)), groups)])

    @property
    def denominator(self) -> tuple[int, ...]:
        """The words of both sides; of precision and of recall, those of one."""
        return {"f": (1, 2), "precision": (1,), "recall": (2,)}[self.measure]

    def score(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the measure of summed statistics (..., 3), in percent; 0 if there is nothing to divide by."""
        totals = np.asarray(totals, np.float64)
        matches, spoken, wanted = totals[..., 0], totals[..., 1], totals[..., 2]
        if self.measure == "f":
            weight = self.beta**2
            top, bottom = (1.0 + weight) * matches, weight * wanted + spoken
        else:
            top, bottom = matches, spoken if self.measure == "precision" else wanted
        return np.asarray(100.0 * np.divide(top, bottom, out=np.zeros(totals.shape[:-1]), where=bottom > 0))

    def _words(self, lines: Sequence[str]) -> Spans:
        return words_of(lines, lowercase=self.lowercase, tokenize=self.tokenize, model=self.model)
