"""Meaning of gains to people, in the result of a comparison."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar

from truegain.fields import Baseline, Field, MetricKey, Shape, System, documented
from truegain.inference.intervals import Level
from truegain.rules import Count, Filled, NonNegative, Proportion


def _gain_faults(one: RankedGain) -> Iterator[tuple[str, str]]:
    if len({one.share is None, one.low is None, one.high is None}) > 1:
        yield "share", "share, low and high are null together or not at all"
    elif one.share is not None and not (one.low or 0.0) <= one.share <= (one.high or 0.0):
        yield "share", "a share from low to high was expected"


@documented
@dataclass(frozen=True)
class RankedGain:
    """Share of pairs of systems with such a gain, of either sign, that people rank the same way."""

    shape: ClassVar[Shape] = Shape(faults=_gain_faults)

    metric: MetricKey
    baseline: Baseline
    system: System
    share: Annotated[Proportion | None, Field("The share; none if the gain is above all gains of the profile.")]
    low: Annotated[Proportion | None, Field("The lower end of its interval over systems.")]
    high: Annotated[Proportion | None, Field("The upper end of its interval over systems.")]
    largest: Annotated[NonNegative, Field("The largest gain of the profile.")]


@documented
@dataclass(frozen=True)
class HumanAgreement:
    """Meaning of gains to people, from a profile: a result of ``agree``."""

    gains: Annotated[tuple[RankedGain, ...], Filled(), Field("For each comparison under a metric of the profile.")]
    level: Annotated[Level, Field("The confidence level of the intervals.")]
    test_sets: Annotated[tuple[str, ...], Filled(), Field("The test sets of the profile.")]
    systems: Annotated[Count, Field("The number of systems of the profile.")]
    fingerprint: Annotated[str, Field("The digest of the profile's scores.")]

    def of(self, metric: str) -> list[RankedGain]:
        """Return the gains under a metric."""
        return [one for one in self.gains if one.metric == metric]
