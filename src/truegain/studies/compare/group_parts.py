"""Gains by group of segments, and whether groups differ, as data."""

from __future__ import annotations

from typing import Annotated

from truegain.inference.pvalues import Bounds, Exceedances, MonteCarlo, Probability, PValue, Resamples
from truegain.inference.results import Comparison, SystemPair, TestedUnit, Units
from truegain.rows import Baseline, Count, MetricKey, NonNegative, Row, System, field


class GainInGroup(SystemPair, kw_only=True):
    """Gain of a system over the baseline in one group."""

    group: Annotated[str, field("The group.")]
    segments: Annotated[Count, field("The number of its segments.")]
    unit: TestedUnit
    n_units: Units
    comparison: Annotated[
        Comparison | None,
        field(
            "The comparison on this group alone, with p adjusted over the groups; none if it has fewer than 10 units."
        ),
    ]


class Heterogeneity(Row):
    """Test whether the gain differs between groups more than chance, with the runs as they are."""

    metric: MetricKey
    baseline: Baseline
    system: System
    groups: Annotated[tuple[str, ...], field("The groups tested: those with 10 units or more whose gain varies.")]
    q: Annotated[NonNegative, field("Squared deviations from the mean gain over their variances, summed.")]
    p: Probability
    exceedances: Exceedances
    resamples: Resamples
    p_sequence: Bounds
    p_mc: MonteCarlo = (0.0, 1.0)

    def __post_init__(self) -> None:
        self._derive(p_mc=self.p_value.interval)

    @property
    def p_value(self) -> PValue:
        """The larger one of the bootstrap within groups and of permutations between them."""
        return PValue(self.p, self.exceedances, self.resamples, self.p_sequence)


class Groups(Row):
    """Gains by group."""

    by: Annotated[str, field("What the segments are grouped by: domain, document, length, or the name of a column.")]
    gains: Annotated[tuple[GainInGroup, ...], field("Of every metric and pair, group by group.")]
    heterogeneity: Annotated[
        tuple[Heterogeneity, ...],
        field("Of every metric and pair; left out if fewer than two groups can be tested."),
    ]

    def of(self, metric: str, baseline: str, system: str) -> list[GainInGroup]:
        """Return the gains of a pair under a metric, group by group."""
        return [one for one in self.gains if (one.metric, one.baseline, one.system) == (metric, baseline, system)]

    def tested(self, metric: str, baseline: str, system: str) -> Heterogeneity | None:
        """Return the test whether the gain of a pair under a metric differs between groups; None if there is none."""
        wanted = (metric, baseline, system)
        return next((one for one in self.heterogeneity if (one.metric, one.baseline, one.system) == wanted), None)
