"""TER, the translation edit rate (Snover et al. 2006), with sacreBLEU's options and signature."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from truegain.metrics.base import References, signature
from truegain.metrics.pairs import PreparedWords, prepared_words, require_hypotheses
from truegain.text.edit_counts import translation_edits
from truegain.text.words import CodePoints, Spans, split_blanks


@dataclass(frozen=True)
class TER:
    """TER as sacreBLEU 2.6 computes it: edits over the length of the reference, in percent.

    An edit inserts, deletes or replaces a word, or moves a block of words. Of several references, the edits are those
    to the nearest, and the length is the mean of their lengths.

    Parameters
    ----------
    normalized : bool
        Tokenise as tercom does.
    no_punct : bool
        Remove punctuation.
    asian_support : bool
        Let ``normalized`` split, and ``no_punct`` remove, the characters of East Asian scripts, too.
    case_sensitive : bool
        Keep the case; otherwise everything is lowercased.

    References
    ----------
    Snover, Dorr, Schwartz, Micciulla and Makhoul (2006). A study of translation edit rate with targeted human
    annotation. AMTA 2006.
    """

    normalized: bool = False
    no_punct: bool = False
    asian_support: bool = False
    case_sensitive: bool = False

    name: ClassVar[str] = "ter"
    label: ClassVar[str] = "TER"
    higher_is_better: ClassVar[bool] = False
    reads: ClassVar[Literal["text"]] = "text"
    by_segment: ClassVar[bool] = True
    limits: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    denominator: ClassVar[tuple[int, ...]] = (1,)
    statistic_names: ClassVar[tuple[str, ...]] = ("edits", "ref_len")

    def signature(self, references: int | str = 1) -> str:
        """Name the settings in the fields of sacreBLEU."""
        return signature(
            nrefs=references,
            case="mixed" if self.case_sensitive else "lc",
            tok="tercom",
            norm=self.normalized,
            punct=not self.no_punct,
            asian=self.asian_support,
        )

    def prepare(self, references: References) -> PreparedWords:
        """Tokenise and number the references."""
        # sacreBLEU tokenises references twice, which shows where a rule's output meets another rule.
        return prepared_words(references, lambda lines: self._words(self._tokenize(lines) if self._rewrites else lines))

    def statistics(
        self, hypotheses: Sequence[str], references: References | PreparedWords
    ) -> NDArray[np.int64] | NDArray[np.float64]:
        """Count the edits to the nearest reference, and the length: the mean of several, which need not be whole."""
        prepared = references if isinstance(references, PreparedWords) else self.prepare(references)
        wanted, groups = prepared.vocabulary.sequences, prepared.groups
        require_hypotheses(hypotheses, groups.size - 1)
        words = prepared.vocabulary.look_up(self._words(hypotheses))
        edits = translation_edits(words, wanted, groups)
        if edits.size == len(hypotheses):
            return np.stack([edits, wanted.lengths], axis=1)
        lengths = np.add.reduceat(wanted.lengths, groups[:-1]) / np.diff(groups)
        return np.stack([np.minimum.reduceat(edits, groups[:-1]).astype(np.float64), lengths], axis=1)

    def score(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return TER of summed statistics (..., 2), in percent; 100 for edits if all references are empty."""
        totals = np.asarray(totals, np.float64)
        edits, length = totals[..., 0], totals[..., 1]
        rate = np.divide(edits, length, out=np.where(edits > 0, 1.0, 0.0), where=length > 0)
        return np.asarray(100.0 * rate)

    def score_on_device(self, totals: Any) -> Any:
        """Score a tensor as :meth:`score` does; not a number if there is no length."""
        return (100.0 * (totals[..., 0] / totals[..., 1])).where(totals[..., 1] > 0, float("nan"))

    @property
    def _rewrites(self) -> bool:
        """Return whether lines are changed other than in case; ``asian_support`` alone changes nothing."""
        return self.normalized or self.no_punct

    def _words(self, lines: Sequence[str]) -> Spans:
        return split_blanks(CodePoints.of(self._tokenize(lines)))

    def _tokenize(self, lines: Sequence[str]) -> list[str]:
        if self._rewrites:
            tokenizer = _tercom(self.normalized, self.no_punct, self.asian_support, self.case_sensitive)
            return [tokenizer(line.rstrip()) for line in lines]
        return list(lines) if self.case_sensitive else [line.lower() for line in lines]


@cache
def _tercom(normalized: bool, no_punct: bool, asian_support: bool, case_sensitive: bool) -> Callable[[str], str]:
    from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer

    tokenizer: Callable[[str], str] = TercomTokenizer(normalized, no_punct, asian_support, case_sensitive)
    return tokenizer
