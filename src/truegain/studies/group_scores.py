"""Scores of systems within groups of segments, as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from truegain.fields import Field, documented
from truegain.inference.results import SystemScore, TestedUnit, Units
from truegain.rules import Count


@documented
@dataclass(frozen=True, kw_only=True)
class GroupScores:
    """Scores of all systems in one group."""

    group: Annotated[str, Field("The group.")]
    segments: Annotated[Count, Field("The number of its segments.")]
    unit: TestedUnit
    n_units: Units
    scores: Annotated[
        tuple[SystemScore, ...],
        Field("The score of every system under every metric; without intervals below 10 units.", key="systems"),
    ]

    def of(self, metric: str) -> dict[str, SystemScore]:
        """Return the scores under a metric by system."""
        return {one.name: one for one in self.scores if one.metric == metric}


@documented
@dataclass(frozen=True)
class GroupedScores:
    """Scores by group."""

    by: Annotated[str, Field("What the segments are grouped by: domain, document, length, or the name of a column.")]
    groups: Annotated[tuple[GroupScores, ...], Field("The groups.")]
