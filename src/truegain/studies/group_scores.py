"""Scores of systems within groups of segments, as data."""

from __future__ import annotations

from typing import Annotated

from truegain.inference.results import SystemScore, TestedUnit, Units
from truegain.rows import Count, Row, field


class GroupScores(Row, kw_only=True, rename={"scores": "systems"}):
    """Scores of all systems in one group."""

    group: Annotated[str, field("The group.", show="text")]
    segments: Annotated[Count, field("The number of its segments.")]
    unit: TestedUnit
    n_units: Annotated[Units, field("The number of units.", "units")]
    scores: Annotated[
        tuple[SystemScore, ...],
        field("The score of every system under every metric; without intervals below 10 units."),
    ]

    def of(self, metric: str) -> dict[str, SystemScore]:
        """Return the scores under a metric by system."""
        return {one.name: one for one in self.scores if one.metric == metric}


class GroupedScores(Row):
    """Scores by group."""

    by: Annotated[str, field("What the segments are grouped by: domain, document, length, or the name of a column.")]
    groups: Annotated[tuple[GroupScores, ...], field("The groups.")]
