"""PER, the position-independent error rate (Tillmann et al. 1997): words wrong when their order is left aside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from truegain.metrics.base import References
from truegain.metrics.error_rate import WordErrorRate
from truegain.metrics.pairs import PreparedWords, require_hypotheses, segments_of, take
from truegain.text.ngram_matches import clipped_matches


@dataclass(frozen=True)
class PER(WordErrorRate):
    """PER in percent: the words that are wrong even if their order is left aside, over the words of the reference.

    The errors of a segment are max(hypothesis length, reference length) − matches, where a word matches as often as
    both sides have it. See :class:`WordErrorRate` for the settings.

    References
    ----------
    Tillmann, Vogel, Ney, Zubiaga and Sawaf (1997). Accelerated DP based search for statistical translation.
    Eurospeech 1997.
    """

    name: ClassVar[str] = "per"
    label: ClassVar[str] = "PER"
    statistic_names: ClassVar[tuple[str, ...]] = ("errors", "ref_words")

    def statistics(self, hypotheses: Sequence[str], references: References | PreparedWords) -> NDArray[np.int64]:
        """Count errors and words of the reference, for the reference with the lowest rate."""
        prepared = self._prepared(references)
        wanted, groups = prepared.vocabulary.sequences, prepared.groups
        require_hypotheses(hypotheses, groups.size - 1)
        spoken = take(prepared.vocabulary.look_up(self._words(hypotheses)), segments_of(groups))
        matches = clipped_matches(spoken, wanted, np.arange(wanted.offsets.size), 1)[:, 0]
        errors = np.maximum(spoken.lengths, wanted.lengths) - matches
        return self._best(np.column_stack([errors, wanted.lengths]), groups)
