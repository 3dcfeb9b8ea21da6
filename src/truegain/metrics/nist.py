"""NIST (Doddington 2002), as mteval-v13a and v14 compute it."""

from __future__ import annotations

import math
import string
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from truegain.errors import InputError, one_of
from truegain.metrics.base import References, segment_references, signature
from truegain.metrics.pairs import require_hypotheses, require_references
from truegain.text.information import ONE_BIT, information_weights
from truegain.text.ngram_matches import LONGEST, matched_weights, ngram_counts
from truegain.text.tokenizers import TOKENIZERS, split_into_words, tokenizer_signature
from truegain.text.words import Spans, Vocabulary

#: The brevity penalty is one half where the output is two thirds as long as the references.
_BETA = math.log(2.0) / math.log(1.5) ** 2
_ASCII_LOWERCASE = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


@dataclass(frozen=True)
class WeighedWords:
    """References as numbered words, with the weights of the n-grams that begin at each.

    Those of segment ``i`` are ``groups[i]`` to ``groups[i + 1]``; ``length[i]`` is the mean of their lengths.
    """

    vocabulary: Vocabulary
    groups: NDArray[np.int64]
    weights: NDArray[np.int32]
    length: NDArray[np.float64]


@dataclass(frozen=True)
class NIST:
    """The information in the n-grams that hypothesis and references share, per n-gram, with a brevity penalty.

    Parameters
    ----------
    lowercase : bool
        Lowercase everything first, as mteval does without ``-c``: with 13a the letters A to Z only.
    tokenize : str
        13a (mteval's own), intl (its ``--international-tokenization``), or another of BLEU's.
    max_ngram_order : int
        The longest n-grams.
    model : str, optional
        The sentencepiece model, for ``tokenize=spm``.

    References
    ----------
    Doddington (2002). Automatic evaluation of machine translation quality using n-gram co-occurrence statistics. HLT.
    """

    lowercase: bool = False
    tokenize: str = "13a"
    max_ngram_order: int = 5
    model: str | None = None

    name: ClassVar[str] = "nist"
    label: ClassVar[str] = "NIST"
    higher_is_better: ClassVar[bool] = True
    reads: ClassVar[Literal["text"]] = "text"
    limits: ClassVar[tuple[float, float]] = (0.0, math.inf)
    denominator: ClassVar[tuple[int, ...]] = (0,)
    condition: ClassVar[str] = (
        "NIST weighs n-grams by how rare they are in the references of this test set, and resampling keeps these "
        "weights: what is claimed in NIST is conditional on them"
    )

    def __post_init__(self) -> None:
        if self.tokenize not in TOKENIZERS:
            raise one_of("nist:tokenize", self.tokenize, list(TOKENIZERS))
        if not 1 <= self.max_ngram_order <= LONGEST:
            raise InputError(f"nist:max_ngram_order must be from 1 to {LONGEST}; got {self.max_ngram_order}")

    @property
    def statistic_names(self) -> tuple[str, ...]:
        """The mean length of the references; matched information and n-gram counts of each order."""
        orders = range(1, self.max_ngram_order + 1)
        return ("ref_len", *(f"info_{n}" for n in orders), *(f"total_{n}" for n in orders))

    def signature(self, references: int | str = 1) -> str:
        """Return sacreBLEU's fields as for BLEU; the order is added if it is not 5."""
        order = {} if self.max_ngram_order == 5 else {"order": self.max_ngram_order}
        return signature(
            nrefs=references,
            case="lc" if self.lowercase else "mixed",
            tok=tokenizer_signature(self.tokenize, self.model),
            **order,
        )

    def prepare(self, references: References) -> WeighedWords:
        """Tokenise and number the references, and weigh their n-grams: over all segments and references."""
        lines, groups = segment_references(references)
        require_references(groups)
        vocabulary = Vocabulary(self._words(lines))
        # mteval asks Perl whether the words before the last are anything, and to Perl the word 0 is nothing.
        zero = int(vocabulary.look_up(split_into_words(["0"], "none")).symbols[0])
        words = vocabulary.sequences
        weights = information_weights(words, self.max_ngram_order, no_context=zero)
        length = np.diff(words.offsets[groups]) / np.diff(groups)
        return WeighedWords(vocabulary, groups, weights, length)

    def statistics(self, hypotheses: Sequence[str], references: References | WeighedWords) -> NDArray[np.float64]:
        """Return the mean length of the references; for each order, matched information in bits and n-gram counts."""
        prepared = references if isinstance(references, WeighedWords) else self.prepare(references)
        require_hypotheses(hypotheses, prepared.groups.size - 1)
        words = prepared.vocabulary.look_up(self._words(hypotheses))
        order = self.max_ngram_order
        result = np.empty((len(hypotheses), 1 + 2 * order), np.float64)
        result[:, 0] = prepared.length
        matched = matched_weights(words, prepared.vocabulary.sequences, prepared.groups, prepared.weights)
        result[:, 1 : 1 + order] = matched / ONE_BIT
        result[:, 1 + order :] = ngram_counts(words.lengths, order)
        return result

    def score(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return NIST of summed statistics (..., 1 + 2 · order): in bits, from 0 on."""
        totals = np.asarray(totals, np.float64)
        order = self.max_ngram_order
        information = np.zeros(totals.shape[:-1])
        for n in range(order):  # an order that no hypothesis is long enough for adds nothing
            information = information + totals[..., 1 + n] / np.maximum(totals[..., 1 + order + n], 1.0)
        length, reference = totals[..., 1 + order], totals[..., 0]
        short = length < reference
        with np.errstate(divide="ignore"):
            brevity = np.exp(-_BETA * np.log(np.where(short, length, 1.0) / np.where(short, reference, 1.0)) ** 2)
        return np.asarray(brevity * information)

    def slopes(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the derivatives of :meth:`score`; not a number if there are no words."""
        score, order = np.asarray(self.score(totals)), self.max_ngram_order
        reference, information = totals[..., 0], totals[..., 1 : 1 + order]
        counts = np.maximum(totals[..., 1 + order :], 1.0)
        length = totals[..., 1 + order]
        with np.errstate(divide="ignore", invalid="ignore"):
            short = np.log(np.minimum(length / reference, 1.0))
            brevity = np.exp(-_BETA * short**2)[..., None]
            found = np.concatenate([reference[..., None], brevity / counts, -brevity * information / counts**2], -1)
            found[..., 1 + order :][totals[..., 1 + order :] <= 1.0] = 0.0
            found[..., 0] = 2.0 * _BETA * score * short / reference
            found[..., 1 + order] -= 2.0 * _BETA * score * short / length
        return np.where((length > 0)[..., None] & (reference > 0)[..., None], found, np.nan)

    def _words(self, lines: Sequence[str]) -> Spans:
        if self.lowercase:
            ascii_only = self.tokenize == "13a"  # as in mteval, where only the international tokeniser knows others
            lines = [line.translate(_ASCII_LOWERCASE) if ascii_only else line.lower() for line in lines]
        return split_into_words(lines, self.tokenize, self.model)
