"""Meaning of gains to people, in the result of a comparison."""

from __future__ import annotations

from typing import Annotated

from truegain.inference.intervals import Level
from truegain.rows import Baseline, Count, MetricKey, NonNegative, Proportion, Row, System, field


class RankedGain(Row):
    """Share of pairs of systems with such a gain, of either sign, that people rank the same way."""

    metric: MetricKey
    baseline: Baseline
    system: System
    share: Annotated[Proportion | None, field("The share; none if the gain is above all gains of the profile.")]
    low: Annotated[Proportion | None, field("The lower end of its interval over systems.")]
    high: Annotated[Proportion | None, field("The upper end of its interval over systems.")]
    largest: Annotated[NonNegative, field("The largest gain of the profile.")]


class HumanAgreement(Row):
    """Meaning of gains to people, from a profile: a result of ``agree``."""

    gains: Annotated[tuple[RankedGain, ...], field("For each comparison under a metric of the profile.", min_length=1)]
    level: Annotated[Level, field("The confidence level of the intervals.")]
    test_sets: Annotated[tuple[str, ...], field("The test sets of the profile.", min_length=1)]
    systems: Annotated[Count, field("The number of systems of the profile.")]
    fingerprint: Annotated[str, field("The digest of the profile's scores.")]

    def of(self, metric: str) -> list[RankedGain]:
        """Return the gains under a metric."""
        return [one for one in self.gains if one.metric == metric]
