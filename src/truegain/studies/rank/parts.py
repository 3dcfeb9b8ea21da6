"""Parts of a ranking: pairs of systems, and each system's place."""

from __future__ import annotations

from typing import Annotated

from truegain.inference.pvalues import Bounds, Exceedances, MonteCarlo, Probability, PValue, Resamples
from truegain.inference.results import SystemPair
from truegain.rows import Count, MetricKey, NonNegative, Number, Proportion, Row, field
from truegain.studies.group_scores import GroupScores


class RankedPair(SystemPair):
    """Two systems under a metric, with what their test found: there may be tens of thousands."""

    p: Annotated[Proportion, field("The p-value, not adjusted.")]
    p_adjusted: Annotated[Proportion, field("Adjusted over all pairs under this metric.")]
    exceedances: Annotated[
        Number, field("The number of resamples at least as far out; 0 if p follows from a known distribution.")
    ]
    better: Annotated[bool | None, field("The sign of delta if p_adjusted <= alpha, else none.")]
    standard_error: Annotated[
        NonNegative | None,
        field(
            "The standard error of delta over units, with the runs as they are; if the claim extends to new runs, over "
            "runs as well. Left out if there are too few units.",
        ),
    ] = None


class Placed(Row):
    """The place of a system under a metric."""

    metric: MetricKey
    system: Annotated[str, field("The system.")]
    place: Annotated[Count, field("By the score alone, from 1; of equal scores the first given.")]
    best: Annotated[
        Count, field("The best place consistent with the significant differences: one more than the better systems.")
    ]
    worst: Annotated[
        Count,
        field("The worst place consistent with the significant differences: all systems less those that are worse."),
    ]
    cluster: Annotated[
        Count,
        field("From 1: every system of a cluster is significantly better than every system of the clusters after it."),
    ]
    letters: Annotated[str, field("Two systems that share a letter do not differ significantly; others do.")]


class RankedGroup(GroupScores, kw_only=True):
    """Ranking of the systems in one group alone."""

    ranking: Annotated[
        tuple[Placed, ...], field("Metric by metric, the best score first; empty if the group has fewer than 10 units.")
    ]
    pairs: Annotated[tuple[RankedPair, ...], field("Every two systems, metric by metric; empty with too few units.")]

    def placed(self, metric: str) -> dict[str, Placed]:
        """Return the places under a metric by system."""
        return {one.system: one for one in self.ranking if one.metric == metric}


class LeadByGroup(Row):
    """Test whether a system's lead over the mean score of all systems differs between groups more than chance."""

    metric: MetricKey
    system: Annotated[str, field("The system.")]
    groups: Annotated[tuple[str, ...], field("The groups tested: those with 10 units or more in which it varies.")]
    q: Annotated[NonNegative, field("Squared deviations from the mean lead over their variances, summed.")]
    p: Probability
    exceedances: Exceedances
    resamples: Resamples
    p_sequence: Bounds
    p_adjusted: Annotated[Proportion, field("Adjusted over the systems by Holm's method.")]
    p_mc: MonteCarlo = (0.0, 1.0)

    def __post_init__(self) -> None:
        self._derive(p_mc=self.p_value.interval)

    @property
    def p_value(self) -> PValue:
        """The larger one of the bootstrap within groups and of permutations."""
        return PValue(self.p, self.exceedances, self.resamples, self.p_sequence)


class RankedGroups(Row):
    """Rankings by group."""

    by: Annotated[str, field("What the segments are grouped by: domain, document, length, or the name of a column.")]
    groups: Annotated[tuple[RankedGroup, ...], field("The groups.")]
    leads: Annotated[
        tuple[LeadByGroup, ...],
        field(
            "Of every metric and system, of two systems the second; left out if fewer than two groups can be tested."
        ),
    ]
