"""CER, the character error rate: character substitutions, deletions and insertions over the reference's characters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from truegain.metrics.base import References, segment_references, signature
from truegain.metrics.error_rate import ErrorRate
from truegain.metrics.pairs import require_hypotheses, require_references, segments_of
from truegain.text.edit_counts import edit_operations


@dataclass(frozen=True)
class PreparedLines:
    """References as they are compared; those of segment ``i`` are ``groups[i]`` to ``groups[i + 1]``."""

    lines: list[str]
    groups: NDArray[np.int64]


@dataclass(frozen=True)
class CER(ErrorRate):
    """CER in percent, with the counts of jiwer if several alignments are as short.

    Spaces count, except those around the line. Characters are code points.

    Parameters
    ----------
    lowercase : bool
        Lowercase everything first.
    """

    lowercase: bool = False

    name: ClassVar[str] = "cer"
    label: ClassVar[str] = "CER"
    statistic_names: ClassVar[tuple[str, ...]] = ("substitutions", "deletions", "insertions", "ref_chars")

    def signature(self, references: int | str = 1) -> str:
        """Name the number of references and the case."""
        return signature(nrefs=references, case="lc" if self.lowercase else "mixed")

    def prepare(self, references: References) -> PreparedLines:
        """Strip the references, and lowercase them if asked."""
        lines, groups = segment_references(references)
        require_references(groups)
        return PreparedLines(self._clean(lines), groups)

    def statistics(self, hypotheses: Sequence[str], references: References | PreparedLines) -> NDArray[np.int64]:
        """Count errors of each kind and characters of the reference, for the reference with the lowest rate."""
        prepared = references if isinstance(references, PreparedLines) else self.prepare(references)
        require_hypotheses(hypotheses, prepared.groups.size - 1)
        spoken = self._clean(hypotheses)
        segments = segments_of(prepared.groups).tolist()
        operations = edit_operations([spoken[segment] for segment in segments], prepared.lines)
        lengths = np.fromiter(map(len, prepared.lines), np.int64, len(prepared.lines))
        return self._best(np.column_stack([operations, lengths]), prepared.groups)

    def _clean(self, lines: Sequence[str]) -> list[str]:
        return [line.strip().lower() if self.lowercase else line.strip() for line in lines]
