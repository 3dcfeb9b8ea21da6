"""WER, the word error rate: word substitutions, deletions and insertions over the words of the reference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from truegain.metrics.base import References
from truegain.metrics.error_rate import WordErrorRate
from truegain.metrics.pairs import PreparedWords, require_hypotheses, segments_of
from truegain.text.edit_counts import as_texts, edit_operations


@dataclass(frozen=True)
class WER(WordErrorRate):
    """WER in percent, with the counts of jiwer if several alignments are as short.

    The words that are right number ``ref_words - substitutions - deletions``. Words stand between any white space;
    jiwer takes a single tab or no-break space for part of a word. See :class:`WordErrorRate` for the settings.

    References
    ----------
    Levenshtein (1966). Binary codes capable of correcting deletions, insertions, and reversals. Soviet Physics Doklady
    10(8).
    """

    name: ClassVar[str] = "wer"
    label: ClassVar[str] = "WER"
    statistic_names: ClassVar[tuple[str, ...]] = ("substitutions", "deletions", "insertions", "ref_words")

    def statistics(self, hypotheses: Sequence[str], references: References | PreparedWords) -> NDArray[np.int64]:
        """Count errors of each kind and words of the reference, for the reference with the lowest rate."""
        prepared = self._prepared(references)
        wanted, groups = prepared.vocabulary.sequences, prepared.groups
        require_hypotheses(hypotheses, groups.size - 1)
        spoken = as_texts(prepared.vocabulary.look_up(self._words(hypotheses)))
        operations = edit_operations([spoken[segment] for segment in segments_of(groups).tolist()], as_texts(wanted))
        return self._best(np.column_stack([operations, wanted.lengths]), groups)
