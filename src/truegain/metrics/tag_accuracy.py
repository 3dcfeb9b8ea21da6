"""The accuracy of tags: of all words, those with the right one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from truegain.metrics.base import References, only_reference, require_as_many_tags, signature
from truegain.metrics.pairs import require_hypotheses
from truegain.metrics.ratios import share


@dataclass(frozen=True)
class PreparedTags:
    """The tags of each segment of the reference."""

    tags: list[list[str]]


@dataclass(frozen=True)
class TagAccuracy:
    """Right tags over all tags, in percent; a segment is a line of tags, one for each word."""

    name: ClassVar[str] = "tag_accuracy"
    structure: ClassVar[str] = "tags"
    label: ClassVar[str] = "Tag accuracy"
    higher_is_better: ClassVar[bool] = True
    reads: ClassVar[Literal["text"]] = "text"
    limits: ClassVar[tuple[float, float]] = (0.0, 100.0)
    denominator: ClassVar[tuple[int, ...]] = (1,)
    statistic_names: ClassVar[tuple[str, ...]] = ("correct", "tags")

    def signature(self, references: int | str = 1) -> str:
        """Return the signature; it has no settings."""
        return signature(nrefs=references)

    def prepare(self, references: References) -> PreparedTags:
        """Split the reference into tags."""
        return PreparedTags([line.split() for line in only_reference(references, self.name)])

    def statistics(self, hypotheses: Sequence[str], references: References | PreparedTags) -> NDArray[np.int64]:
        """Count right tags, and all tags."""
        prepared = references if isinstance(references, PreparedTags) else self.prepare(references)
        require_hypotheses(hypotheses, len(prepared.tags))
        rows = []
        for number, (line, gold) in enumerate(zip(hypotheses, prepared.tags, strict=True), 1):
            tags = line.split()
            require_as_many_tags(tags, len(gold), number)
            rows.append((sum(one == other for one, other in zip(tags, gold, strict=True)), len(gold)))
        return np.array(rows, np.int64).reshape(-1, 2)

    def score(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Divide summed statistics (..., 2); no tags at all are all right."""
        totals = np.asarray(totals, np.float64)
        return share(totals[..., 0], totals[..., 1])
