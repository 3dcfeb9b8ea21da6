"""The length of hypotheses in percent of their references', as MultEval reports it (Clark et al. 2011)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from truegain.errors import one_of
from truegain.metrics.base import References, segment_references, signature
from truegain.metrics.pairs import closest_lengths, require_hypotheses, require_references
from truegain.text.tokenizers import TOKENIZERS, split_into_words, tokenizer_signature


@dataclass(frozen=True)
class PreparedLengths:
    """The words of each reference; those of segment ``i`` are ``groups[i]`` to ``groups[i + 1]``."""

    lengths: NDArray[np.int64]
    groups: NDArray[np.int64]


@dataclass(frozen=True)
class Length:
    """Words of the hypotheses over words of the references, in percent; of several references, the closest in length.

    Of two as close, the shorter counts. Neither longer nor shorter is better: 100 is the length of the references.

    Parameters
    ----------
    tokenize : str
        none (words stand between white space), 13a, intl, zh, char, ja-mecab, ko-mecab or spm.
    model : str, optional
        The sentencepiece model, for ``tokenize=spm``.

    References
    ----------
    Clark, Dyer, Lavie and Smith (2011). Better hypothesis testing for statistical machine translation: controlling for
    optimizer instability. ACL 2011.
    """

    tokenize: str = "none"
    model: str | None = None

    name: ClassVar[str] = "length"
    label: ClassVar[str] = "Length"
    higher_is_better: ClassVar[None] = None
    reads: ClassVar[Literal["text"]] = "text"
    by_segment: ClassVar[bool] = True
    limits: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    denominator: ClassVar[tuple[int, ...]] = (1,)
    statistic_names: ClassVar[tuple[str, ...]] = ("sys_len", "ref_len")

    def __post_init__(self) -> None:
        if self.tokenize not in TOKENIZERS:
            raise one_of("length:tokenize", self.tokenize, list(TOKENIZERS))

    def signature(self, references: int | str = 1) -> str:
        """Name the number of references and the tokeniser."""
        return signature(nrefs=references, tok=tokenizer_signature(self.tokenize, self.model))

    def prepare(self, references: References) -> PreparedLengths:
        """Count the words of the references."""
        lines, groups = segment_references(references)
        require_references(groups)
        return PreparedLengths(self._lengths(lines), groups)

    def statistics(self, hypotheses: Sequence[str], references: References | PreparedLengths) -> NDArray[np.int64]:
        """Return the words of the hypothesis, and of the reference closest in length."""
        prepared = references if isinstance(references, PreparedLengths) else self.prepare(references)
        require_hypotheses(hypotheses, prepared.groups.size - 1)
        spoken = self._lengths(hypotheses)
        return np.column_stack([spoken, closest_lengths(spoken, prepared.lengths, prepared.groups)])

    def score(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Divide summed lengths (..., 2), in percent; references without any word count as one, nothing said as 100."""
        totals = np.asarray(totals, np.float64)
        spoken, wanted = totals[..., 0], totals[..., 1]
        ratio = np.divide(spoken, wanted, out=np.asarray(np.maximum(spoken, 1.0)), where=wanted > 0)
        return np.asarray(100.0 * ratio)

    def _lengths(self, lines: Sequence[str]) -> NDArray[np.int64]:
        return np.diff(split_into_words(lines, self.tokenize, self.model).offsets)
