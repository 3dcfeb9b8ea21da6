"""Base of error rates: errors over the length of the reference, and the words that they compare."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from truegain.errors import one_of
from truegain.metrics.base import References, signature
from truegain.metrics.pairs import PreparedWords, first_least, prepared_words, words_of
from truegain.text.tokenizers import TOKENIZERS, tokenizer_signature
from truegain.text.words import Spans


class ErrorRate:
    """A metric whose last statistic is the length of the reference, and whose others count errors.

    Of several references, a segment takes the one with the fewest errors for its length, the first of several.
    """

    higher_is_better: ClassVar[bool] = False
    reads: ClassVar[Literal["text"]] = "text"
    by_segment: ClassVar[bool] = True
    limits: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    statistic_names: ClassVar[tuple[str, ...]]

    @property
    def denominator(self) -> tuple[int, ...]:
        """The length of the reference."""
        return (len(self.statistic_names) - 1,)

    @property
    def merged(self) -> tuple[tuple[int, ...], ...]:
        """Statistics of which the score needs only the sum: all errors weigh the same."""
        errors = len(self.statistic_names) - 1
        return tuple(range(errors)), (errors,)

    def score(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return errors over length of summed statistics (..., k), in percent; an empty reference has the length 1."""
        totals = np.asarray(totals, np.float64)
        return np.asarray(100.0 * (totals[..., :-1].sum(-1) / np.maximum(totals[..., -1], 1.0)))

    def score_on_device(self, totals: Any) -> Any:
        """Score a tensor as :meth:`score` does; not a number if there is no length."""
        return (100.0 * (totals[..., :-1].sum(-1) / totals[..., -1])).where(totals[..., -1] > 0, float("nan"))

    def _best(self, statistics: NDArray[np.int64], groups: NDArray[np.int64]) -> NDArray[np.int64]:
        """Pick the statistics against the best reference of each segment, out of those against every reference."""
        return np.asarray(statistics[first_least(self.score(statistics.astype(np.float64)), groups)])


@dataclass(frozen=True)
class WordErrorRate(ErrorRate):
    """An error rate of words.

    Parameters
    ----------
    lowercase : bool
        Lowercase everything first.
    tokenize : str
        none (words stand between white space), 13a, intl, zh, char, ja-mecab, ko-mecab or spm.
    model : str, optional
        The sentencepiece model, for ``tokenize=spm``.
    """

    lowercase: bool = False
    tokenize: str = "none"
    model: str | None = None

    name: ClassVar[str]

    def __post_init__(self) -> None:
        if self.tokenize not in TOKENIZERS:
            raise one_of(f"{self.name}:tokenize", self.tokenize, list(TOKENIZERS))

    def signature(self, references: int | str = 1) -> str:
        """Name the number of references, the case and the tokeniser."""
        return signature(
            nrefs=references,
            case="lc" if self.lowercase else "mixed",
            tok=tokenizer_signature(self.tokenize, self.model),
        )

    def prepare(self, references: References) -> PreparedWords:
        """Tokenise and number the references."""
        return prepared_words(references, self._words)

    def _prepared(self, references: References | PreparedWords) -> PreparedWords:
        return references if isinstance(references, PreparedWords) else self.prepare(references)

    def _words(self, lines: Sequence[str]) -> Spans:
        return words_of(lines, lowercase=self.lowercase, tokenize=self.tokenize, model=self.model)
