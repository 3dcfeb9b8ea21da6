"""chrF (Popović 2015) and chrF++ (Popović 2017), with sacreBLEU's options and signature."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from truegain.errors import InputError
from truegain.metrics.base import References, segment_references, signature
from truegain.metrics.pairs import require_hypotheses, require_references
from truegain.text.ngram_matches import LONGEST, clipped_matches, ngram_counts
from truegain.text.words import CodePoints, Sequences, Spans, Vocabulary, characters, split_blanks

_EPSILON = 1e-16
_LARGEST_BETA = 1000  # recall alone, to the digits that are shown


@dataclass(frozen=True)
class _Reference:
    """One reference of every segment that has one: its characters, and its words if they count."""

    present: NDArray[np.bool_]
    characters: Sequences
    words: Vocabulary | None


@dataclass(frozen=True)
class PreparedCharacters:
    """Every reference, cut into characters and words."""

    references: tuple[_Reference, ...]


@dataclass(frozen=True)
class CHRF:
    """chrF as sacreBLEU 2.6 computes it; ``word_order=2`` makes it chrF++.

    Parameters
    ----------
    char_order, word_order : int
        The longest character and word n-grams.
    beta : int
        The weight of recall.
    lowercase : bool
        Lowercase everything first.
    whitespace : bool
        Keep white space in character n-grams.
    eps_smoothing : bool
        Average F over all orders with a tiny constant for the undefined, as chrF++.py, NLTK and Moses do; otherwise
        average precision and recall over the orders that both sides have.
    """

    char_order: int = 6
    word_order: int = 0
    beta: int = 2
    lowercase: bool = False
    whitespace: bool = False
    eps_smoothing: bool = False

    name: ClassVar[str] = "chrf"
    higher_is_better: ClassVar[bool] = True
    reads: ClassVar[Literal["text"]] = "text"
    by_segment: ClassVar[bool] = True
    limits: ClassVar[tuple[float, float]] = (0.0, 100.0)
    denominator: ClassVar[tuple[int, ...]] = (1,)

    def __post_init__(self) -> None:
        for setting, least, most in (
            ("char_order", 1, LONGEST),
            ("word_order", 0, LONGEST),
            ("beta", 0, _LARGEST_BETA),
        ):
            if not least <= getattr(self, setting) <= most:
                raise InputError(f"chrf:{setting} must be from {least} to {most}; got {getattr(self, setting)}")

    @property
    def label(self) -> str:
        """ChrF2, chrF2++, …: the weight of recall, and a plus for each order of words."""
        return f"chrF{self.beta}" + "+" * self.word_order

    @property
    def statistic_names(self) -> tuple[str, ...]:
        """The n-grams of hypothesis and reference and their matches, for each order."""
        orders = [f"char_{n + 1}" for n in range(self.char_order)] + [f"word_{n + 1}" for n in range(self.word_order)]
        return tuple(f"{what}_{order}" for order in orders for what in ("hyp", "ref", "match"))

    def signature(self, references: int | str = 1) -> str:
        """Return sacreBLEU's fields; beta is part of the label there, and is added here if it is not 2."""
        beta = {} if self.beta == 2 else {"beta": self.beta}
        return signature(
            nrefs=references,
            case="lc" if self.lowercase else "mixed",
            eff=not self.eps_smoothing,
            nc=self.char_order,
            nw=self.word_order,
            space=self.whitespace,
            **beta,
        )

    def prepare(self, references: References) -> PreparedCharacters:
        """Cut every reference into characters and words."""
        require_references(segment_references(references)[1])
        if not references:
            raise InputError("chrF needs at least one reference")
        prepared = []
        for reference in references:
            present = np.array([line is not None for line in reference], bool)
            lines = segment_references([reference])[0]
            source = self._code_points(lines)
            words = Vocabulary(split_blanks(source, detach_punctuation=True)) if self.word_order else None
            prepared.append(_Reference(present, characters(source, keep_blanks=self.whitespace), words))
        return PreparedCharacters(tuple(prepared))

    def statistics(self, hypotheses: Sequence[str], references: References | PreparedCharacters) -> NDArray[np.int64]:
        """Count n-grams of hypothesis and reference, and matches, for the reference with the best F of the segment."""
        prepared = references if isinstance(references, PreparedCharacters) else self.prepare(references)
        require_hypotheses(hypotheses, prepared.references[0].present.size)
        if any((reference.words is None) == (self.word_order > 0) for reference in prepared.references):
            raise ValueError("references were prepared for chrF with another order of words")
        source = self._code_points(hypotheses)
        said = characters(source, keep_blanks=self.whitespace)
        words = split_blanks(source, detach_punctuation=True) if self.word_order else None
        best = self._against(said, words, prepared.references[0])
        if len(prepared.references) == 1:
            return best
        best_score = self._scores(best, prepared.references[0])
        for reference in prepared.references[1:]:
            mine = self._against(said, words, reference)
            score = self._scores(mine, reference)
            better = score > best_score
            best[better], best_score[better] = mine[better], score[better]
        return best

    def score(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return chrF of summed statistics (..., 3 · orders), from 0 to 100."""
        totals = np.asarray(totals, np.float64)
        factor = self.beta**2
        orders = self.char_order + self.word_order
        precision_sum = np.zeros(totals.shape[:-1])
        recall_sum = np.zeros(totals.shape[:-1])
        f_sum = np.zeros(totals.shape[:-1])
        effective = np.zeros(totals.shape[:-1])
        with np.errstate(divide="ignore", invalid="ignore"):
            for order in range(orders):
                hypothesis, reference, match = (totals[..., 3 * order + i] for i in range(3))
                precision, recall = match / hypothesis, match / reference
                if self.eps_smoothing:
                    precision = np.where(hypothesis > 0, precision, _EPSILON)
                    recall = np.where(reference > 0, recall, _EPSILON)
                    bottom = factor * precision + recall
                    f_sum += np.where(bottom > 0, (1 + factor) * precision * recall / bottom, _EPSILON)
                else:
                    both = (hypothesis > 0) & (reference > 0)
                    if not both.all():  # hardly ever in the sums of many segments, which are scored most often
                        precision, recall = np.where(both, precision, 0.0), np.where(both, recall, 0.0)
                    precision_sum += precision
                    recall_sum += recall
                    effective += both
            if self.eps_smoothing:
                return 100 * f_sum / orders
            divisor = np.maximum(effective, 1.0)
            precision, recall = precision_sum / divisor, recall_sum / divisor
            score = 100 * ((1 + factor) * precision * recall / (factor * precision + recall))
        return np.where(precision + recall > 0, score, 0.0)

    def score_on_device(self, totals: Any) -> Any:
        """Score a tensor as :meth:`score` does; not a number if an order has no n-grams."""
        factor = self.beta**2
        orders = totals.reshape(*totals.shape[:-1], -1, 3)
        hypothesis, reference, match = orders.unbind(-1)
        precision, recall = match / hypothesis, match / reference
        if self.eps_smoothing:
            score = ((1 + factor) * precision * recall / (factor * precision + recall)).mean(-1)
        else:
            precision, recall = precision.mean(-1), recall.mean(-1)
            score = (1 + factor) * precision * recall / (factor * precision + recall)
        return (100 * score).where((orders > 0).all(-1).all(-1), float("nan"))

    def _scores(self, statistics: NDArray[np.int64], reference: _Reference) -> NDArray[np.float64]:
        """Return each segment's F against one reference; below any F if it has no such reference."""
        return np.where(reference.present, self.score(statistics.astype(np.float64)), -1.0)

    def _against(self, said: Sequences, words: Spans | None, reference: _Reference) -> NDArray[np.int64]:
        segments = reference.present.size
        orders = self.char_order + self.word_order
        result = np.empty((segments, orders, 3), np.int64)
        groups = np.zeros(segments + 1, np.int64)
        np.cumsum(reference.present, out=groups[1:])
        parts = [(said, reference.characters, self.char_order)]
        if words is not None and reference.words is not None:
            parts.append((reference.words.look_up(words), reference.words.sequences, self.word_order))
        first = 0
        for spoken, wanted, order in parts:
            lengths = np.zeros(segments, np.int64)
            lengths[reference.present] = wanted.lengths
            block = result[:, first : first + order]
            block[..., 1] = ngram_counts(lengths, order)
            # An order that the reference is too short for does not count against the hypothesis.
            block[..., 0] = np.where(block[..., 1] > 0, ngram_counts(spoken.lengths, order), 0)
            block[..., 2] = clipped_matches(spoken, wanted, groups, order)
            first += order
        return result.reshape(segments, 3 * orders)

    def _code_points(self, lines: Sequence[str]) -> CodePoints:
        return CodePoints.of([line.lower() for line in lines] if self.lowercase else lines)
