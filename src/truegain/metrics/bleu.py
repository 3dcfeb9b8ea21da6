"""BLEU (Papineni et al. 2002), with the tokenisers, smoothings and signature of sacreBLEU (Post 2018)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import repeat
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from truegain.errors import InputError, one_of
from truegain.metrics.base import References, signature
from truegain.metrics.pairs import PreparedWords, closest_lengths, prepared_words, require_hypotheses, words_of
from truegain.notes import Note
from truegain.text.ngram_matches import LONGEST, clipped_matches, ngram_counts
from truegain.text.tokenizers import TOKENIZERS, tokenizer_signature
from truegain.text.words import Spans

_SMOOTHINGS = ("none", "floor", "add-k", "exp")
_SMOOTH_DEFAULTS = {"floor": 0.1, "add-k": 1.0}
_MANY = 100  # lines, from which on a habit is more than a chance
_DEFAULT_TOKENIZERS = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}


@dataclass(frozen=True)
class BLEU:
    """BLEU as sacreBLEU 2.6 computes it.

    Parameters
    ----------
    lowercase : bool
        Lowercase everything first.
    tokenize : str, optional
        13a, intl, zh, char, none, ja-mecab, ko-mecab or spm. By default 13a, or what ``trg_lang`` asks for.
    smooth_method : str
        none, floor, add-k or exp (Chen and Cherry 2014).
    smooth_value : float, optional
        The floor (default 0.1) or the k (default 1).
    max_ngram_order : int
        The longest n-grams.
    effective_order : bool
        Average over the orders that the hypothesis is long enough for. Right for single segments, not for corpora.
    trg_lang : str, optional
        zh, ja and ko choose their tokenisers.
    model : str, optional
        The sentencepiece model, for ``tokenize=spm``.
    """

    lowercase: bool = False
    tokenize: str | None = None
    smooth_method: str = "exp"
    smooth_value: float | None = None
    max_ngram_order: int = 4
    effective_order: bool = False
    trg_lang: str | None = None
    model: str | None = None

    name: ClassVar[str] = "bleu"
    label: ClassVar[str] = "BLEU"
    higher_is_better: ClassVar[bool] = True
    reads: ClassVar[Literal["text"]] = "text"
    by_segment: ClassVar[bool] = True
    limits: ClassVar[tuple[float, float]] = (0.0, 100.0)
    denominator: ClassVar[tuple[int, ...]] = (1,)

    def __post_init__(self) -> None:
        if self.tokenize is not None and self.tokenize not in TOKENIZERS:
            raise one_of("bleu:tokenize", self.tokenize, list(TOKENIZERS))
        if self.smooth_method not in _SMOOTHINGS:
            raise one_of("bleu:smooth_method", self.smooth_method, list(_SMOOTHINGS))
        if not 1 <= self.max_ngram_order <= LONGEST:
            raise InputError(f"bleu:max_ngram_order must be from 1 to {LONGEST}; got {self.max_ngram_order}")
        if self.smooth_value is not None:
            if self.smooth_method not in _SMOOTH_DEFAULTS:
                raise InputError(
                    f"bleu:smooth_value does not go with smooth_method={self.smooth_method}",
                    hint="only floor and add-k take a value",
                )
            if not 0 <= self.smooth_value < float("inf"):
                raise InputError(f"bleu:smooth_value must be a number of at least 0; got {self.smooth_value}")

    @property
    def statistic_names(self) -> tuple[str, ...]:
        """Lengths, clipped matches and n-gram counts of each order."""
        orders = range(1, self.max_ngram_order + 1)
        return ("sys_len", "ref_len", *(f"correct_{n}" for n in orders), *(f"total_{n}" for n in orders))

    @property
    def _tokenizer(self) -> str:
        return self.tokenize or _DEFAULT_TOKENIZERS.get(self.trg_lang or "", "13a")

    @property
    def _smooth_value(self) -> float:
        return _SMOOTH_DEFAULTS.get(self.smooth_method, 0.0) if self.smooth_value is None else self.smooth_value

    def signature(self, references: int | str = 1) -> str:
        """Return sacreBLEU's fields; the order is added if it is not 4."""
        smoothing = self.smooth_method
        if smoothing in _SMOOTH_DEFAULTS:
            smoothing += f"[{self._smooth_value:.2f}]"
        order = {} if self.max_ngram_order == 4 else {"order": self.max_ngram_order}
        return signature(
            nrefs=references,
            case="lc" if self.lowercase else "mixed",
            eff=self.effective_order,
            tok=tokenizer_signature(self._tokenizer, self.model),
            smooth=smoothing,
            **order,
        )

    def prepare(self, references: References) -> PreparedWords:
        """Tokenise and number the references."""
        return prepared_words(references, self._words)

    def statistics(self, hypotheses: Sequence[str], references: References | PreparedWords) -> NDArray[np.int64]:
        """Return lengths, the reference length closest to the hypothesis, clipped matches and n-gram counts."""
        prepared = references if isinstance(references, PreparedWords) else self.prepare(references)
        require_hypotheses(hypotheses, prepared.groups.size - 1)
        words = prepared.vocabulary.look_up(self._words(hypotheses))
        order = self.max_ngram_order
        result = np.empty((len(hypotheses), 2 + 2 * order), np.int64)
        lengths = words.lengths
        result[:, 0] = lengths
        result[:, 1] = closest_lengths(lengths, prepared.vocabulary.sequences.lengths, prepared.groups)
        result[:, 2 : 2 + order] = clipped_matches(words, prepared.vocabulary.sequences, prepared.groups, order)
        result[:, 2 + order :] = ngram_counts(lengths, order)
        return result

    def score(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return BLEU of summed statistics (..., 2 + 2 · order), from 0 to 100."""
        totals = np.asarray(totals, np.float64)
        order = self.max_ngram_order
        correct = [totals[..., 2 + n] for n in range(order)]
        total = [totals[..., 2 + order + n] for n in range(order)]
        if self.smooth_method == "add-k":
            k = self._smooth_value
            matched = np.logical_or.reduce([count > 0 for count in correct])
            correct[1:] = [count + k for count in correct[1:]]
            total[1:] = [count + k for count in total[1:]]
        else:
            matched = np.ones(totals.shape[:-1], bool)
        with np.errstate(divide="ignore", invalid="ignore"):
            mean, counted = _geometric_mean(correct, total)
            brevity = np.exp(np.minimum(0.0, 1.0 - totals[..., 1] / totals[..., 0]))
            score = 100.0 * brevity * mean
        regular = counted & (totals[..., 0] > 0) & matched
        if not regular.all():
            odd = ~regular
            score = np.array(score)
            score[odd] = self._sparse_score(
                totals[odd],
                np.stack([c[odd] for c in correct], -1),
                np.stack([t[odd] for t in total], -1),
                matched[odd],
            )
        return np.asarray(score)

    def slopes(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the derivatives of :meth:`score`; not a number if an order has no match or no n-gram."""
        score, order = np.asarray(self.score(totals)), self.max_ngram_order
        added = np.where(np.arange(2 * order) % order > 0, self._smooth_value, 0.0)
        added *= self.smooth_method == "add-k"
        signs = np.repeat((1.0, -1.0), order)
        length, reference = totals[..., 0], totals[..., 1]
        # Where the two lengths are the same, half of what it is on the short side.
        short = (np.sign(reference - length) + 1.0) / 2.0
        with np.errstate(divide="ignore", invalid="ignore"):
            lengths = np.stack([reference / length**2, -1.0 / length], -1) * short[..., None]
            counts = signs / (order * (totals[..., 2:] + added))
            found = score[..., None] * np.concatenate([lengths, counts], -1)
        return np.where((totals[..., 2:] > 0).all(-1, keepdims=True), found, np.nan)

    def score_on_device(self, totals: Any) -> Any:
        """Score a tensor as :meth:`score` does; not a number if an order has no match or no n-gram."""
        order = self.max_ngram_order
        correct, total = totals[..., 2 : 2 + order], totals[..., 2 + order :]
        regular = ((correct > 0) & (total > 0)).all(-1) & (totals[..., 0] > 0)
        if self.smooth_method == "add-k":
            top = (correct[..., 1:] + self._smooth_value).prod(-1) * correct[..., 0]
            bottom = (total[..., 1:] + self._smooth_value).prod(-1) * total[..., 0]
            mean = (top / bottom) ** (1.0 / order)
        else:
            mean = (correct / total).prod(-1) ** (1.0 / order)
        brevity = (1.0 - totals[..., 1] / totals[..., 0]).clamp(max=0.0).exp()
        return (100.0 * brevity * mean).where(regular, float("nan"))

    @property
    def for_segments(self) -> BLEU:
        """The variant for single segments: most have no match of some order, so only the orders they have count."""
        return replace(self, effective_order=True)

    def advice(self, outputs: Sequence[str], name: str) -> list[Note]:
        """Say that the text looks tokenised already, if it does."""
        if self._tokenizer == "none":
            return []
        tokenised = sum(map(str.endswith, outputs, repeat(" .")))
        if tokenised < _MANY:
            return []
        text = (
            f"{tokenised:,} lines end in ' .', as tokenised text does; BLEU expects detokenised text, or "
            "bleu:tokenize=none for text that is to stay as it is"
        )
        return [Note("tokenised-text", text, file=name)]

    def _sparse_score(
        self,
        totals: NDArray[np.float64],
        correct: NDArray[np.float64],
        total: NDArray[np.float64],
        matched: NDArray[np.bool_],
    ) -> NDArray[np.float64]:
        """Score totals in which some order has no match or no n-gram, shape (m,), by smoothing and effective order."""
        if self.smooth_method != "add-k":
            matched = np.asarray((correct > 0).any(-1))
        alive = np.logical_and.accumulate(total > 0, axis=-1)  # orders after the first without n-grams do not count
        zero = alive & (correct == 0)
        with np.errstate(divide="ignore", invalid="ignore"):
            precision = np.where(alive & ~zero, correct / total, 0.0)
            if self.smooth_method == "exp":
                precision = np.where(zero, 1.0 / (np.exp2(np.cumsum(zero, axis=-1)) * total), precision)
            elif self.smooth_method == "floor":
                precision = np.where(zero, self._smooth_value / total, precision)
            logarithms = np.log(precision)
            used = alive if self.effective_order else np.ones_like(alive)
            orders = np.maximum(used.sum(-1), 1)
            mean = np.exp(np.where(used, logarithms, 0.0).sum(-1) / orders)
            length, reference = totals[:, 0], totals[:, 1]
            brevity = np.where(length > 0, np.exp(np.minimum(0.0, 1.0 - reference / length)), 0.0)
            brevity = np.where(length < reference, brevity, 1.0)
        return np.where(matched, 100.0 * brevity * mean, 0.0)

    def _words(self, lines: Sequence[str]) -> Spans:
        return words_of(lines, lowercase=self.lowercase, tokenize=self._tokenizer, model=self.model)


def _geometric_mean(
    correct: Sequence[NDArray[np.float64]], total: Sequence[NDArray[np.float64]]
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return the geometric mean of precisions, and whether no count is zero.

    The mean of four is by square roots, which are exact to the last bit everywhere.
    """
    if len(correct) == 4:
        found = (correct[0] * correct[1], correct[2] * correct[3])
        made = (total[0] * total[1], total[2] * total[3])
        mean = np.sqrt(np.sqrt((found[0] / made[0]) * (found[1] / made[1])))
        return mean, np.asarray((found[0] * found[1] > 0) & (made[0] * made[1] > 0))
    logarithm = np.zeros(correct[0].shape)
    for count, number in zip(correct, total, strict=True):
        logarithm = logarithm + np.log(count / number)
    return np.exp(logarithm / len(correct)), np.logical_and.reduce([count > 0 for count in (*correct, *total)])
