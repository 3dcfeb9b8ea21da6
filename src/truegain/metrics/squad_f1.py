"""F of the words of answers, as the evaluation of SQuAD takes it (Rajpurkar et al. 2016, 2018)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from truegain.metrics.base import References, segment_references, signature
from truegain.metrics.means import MeanOfSegments
from truegain.metrics.pairs import require_hypotheses, require_references
from truegain.text.answers import plain_answer


@dataclass(frozen=True)
class PreparedBags:
    """The words of each reference and how often they stand there, those of each segment together."""

    bags: list[list[Counter[str]]]


@dataclass(frozen=True)
class SquadF1(MeanOfSegments):
    """The mean over segments of the F1 of words, in percent.

    Words are what stands between white space in lowercase, without punctuation and articles. Of several references the
    best F counts. An answer without any word (there is none, says version 2 of SQuAD) is right if the reference has
    none either, and wrong otherwise.

    References
    ----------
    Rajpurkar, Zhang, Lopyrev and Liang (2016). SQuAD: 100,000+ questions for machine comprehension of text. EMNLP 2016.
    Rajpurkar, Jia and Liang (2018). Know what you don't know: unanswerable questions for SQuAD. ACL 2018.
    """

    name: ClassVar[str] = "squad_f1"
    label: ClassVar[str] = "SQuAD F1"
    structure: ClassVar[str] = "labels"
    statistic_names: ClassVar[tuple[str, ...]] = ("f", "segments")

    def signature(self, references: int | str = 1) -> str:
        """Name the number of references and how answers are compared."""
        return signature(nrefs=references, norm="squad", aggregate="mean")

    def prepare(self, references: References) -> PreparedBags:
        """Count the words of the references."""
        lines, groups = segment_references(references)
        require_references(groups)
        bags = _bags(lines)
        return PreparedBags([bags[begin:end] for begin, end in pairwise(groups.tolist())])

    def statistics(self, hypotheses: Sequence[str], references: References | PreparedBags) -> NDArray[np.float64]:
        """Return the F of the best reference, and 1."""
        prepared = references if isinstance(references, PreparedBags) else self.prepare(references)
        require_hypotheses(hypotheses, len(prepared.bags))
        pairs = zip(_bags(hypotheses), prepared.bags, strict=True)
        values = np.array([max(_f1(said, wanted) for wanted in bags) for said, bags in pairs], np.float64)
        return np.column_stack([values, np.ones_like(values)])


def _bags(lines: Sequence[str]) -> list[Counter[str]]:
    return [Counter(plain_answer(line).split()) for line in lines]


def _f1(said: Counter[str], wanted: Counter[str]) -> float:
    if not said or not wanted:
        return float(said == wanted)
    return 2 * (said & wanted).total() / (said.total() + wanted.total())
