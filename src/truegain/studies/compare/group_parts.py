"""Gains by group of segments, and whether groups differ, as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from truegain.fields import Baseline, Field, MetricKey, System, documented
from truegain.inference.pvalues import P_VALUE, PValue
from truegain.inference.results import Comparison, SystemPair, TestedUnit, Units
from truegain.rules import Count, NonNegative


@documented
@dataclass(frozen=True, kw_only=True)
class GainInGroup(SystemPair):
    """Gain of a system over the baseline in one group."""

    group: Annotated[str, Field("The group.")]
    segments: Annotated[Count, Field("The number of its segments.")]
    unit: TestedUnit
    n_units: Units
    comparison: Annotated[
        Comparison | None,
        Field(
            "The comparison on this group alone, with p adjusted over the groups; none if it has fewer than 10 units."
        ),
    ]


@documented
@dataclass(frozen=True)
class Heterogeneity:
    """Test whether the gain differs between groups more than chance, with the runs as they are."""

    metric: MetricKey
    baseline: Baseline
    system: System
    groups: Annotated[tuple[str, ...], Field("The groups tested: those with 10 units or more whose gain varies.")]
    q: Annotated[NonNegative, Field("Squared deviations from the mean gain over their variances, summed.")]
    p_value: Annotated[
        PValue, P_VALUE, Field("The larger one of the bootstrap within groups and of permutations between them.")
    ]

    @property
    def p(self) -> float:
        """The p-value."""
        return self.p_value.p


@documented
@dataclass(frozen=True)
class Groups:
    """Gains by group."""

    by: Annotated[str, Field("What the segments are grouped by: domain, document, length, or the name of a column.")]
    gains: Annotated[tuple[GainInGroup, ...], Field("Of every metric and pair, group by group.")]
    heterogeneity: Annotated[
        tuple[Heterogeneity, ...],
        Field("Of every metric and pair; left out if fewer than two groups can be tested."),
    ]

    def of(self, metric: str, baseline: str, system: str) -> list[GainInGroup]:
        """Return the gains of a pair under a metric, group by group."""
        return [one for one in self.gains if (one.metric, one.baseline, one.system) == (metric, baseline, system)]

    def tested(self, metric: str, baseline: str, system: str) -> Heterogeneity | None:
        """Return the test whether the gain of a pair under a metric differs between groups; None if there is none."""
        wanted = (metric, baseline, system)
        return next((one for one in self.heterogeneity if (one.metric, one.baseline, one.system) == wanted), None)
