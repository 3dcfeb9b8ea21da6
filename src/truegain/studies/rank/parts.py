"""Parts of a ranking: pairs of systems, and each system's place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar

from truegain.fields import Field, MetricKey, Shape, documented
from truegain.inference.pvalues import P_VALUE, PValue
from truegain.inference.results import SystemPair
from truegain.rules import Count, NonNegative, Proportion
from truegain.studies.group_scores import GroupScores


@documented
@dataclass(frozen=True, slots=True)
class RankedPair(SystemPair):
    """Two systems under a metric, with what their test found: there may be tens of thousands."""

    p: Annotated[Proportion, Field("The p-value, not adjusted.")]
    p_adjusted: Annotated[Proportion, Field("Adjusted over all pairs under this metric.")]
    exceedances: Annotated[
        int, Field("The number of resamples at least as far out; 0 if p follows from a known distribution.")
    ]
    better: Annotated[bool | None, Field("The sign of delta if p_adjusted <= alpha, else none.")]
    standard_error: Annotated[
        NonNegative | None,
        Field(
            "The standard error of delta over units, with the runs as they are; if the claim extends to new runs, over "
            "runs as well. Left out if there are too few units.",
            optional=True,
        ),
    ] = None


def _placed_faults(placed: Placed) -> Iterator[tuple[str, str]]:
    if not placed.best <= placed.worst:
        yield "worst", f"a place from {placed.best} on was expected, the best; found {placed.worst}"


@documented
@dataclass(frozen=True)
class Placed:
    """The place of a system under a metric."""

    shape: ClassVar[Shape] = Shape(faults=_placed_faults)

    metric: MetricKey
    system: Annotated[str, Field("The system.")]
    place: Annotated[Count, Field("By the score alone, from 1; of equal scores the first given.")]
    best: Annotated[
        Count, Field("The best place consistent with the significant differences: one more than the better systems.")
    ]
    worst: Annotated[
        Count,
        Field("The worst place consistent with the significant differences: all systems less those that are worse."),
    ]
    cluster: Annotated[
        Count,
        Field("From 1: every system of a cluster is significantly better than every system of the clusters after it."),
    ]
    letters: Annotated[str, Field("Two systems that share a letter do not differ significantly; others do.")]


@documented
@dataclass(frozen=True, kw_only=True)
class RankedGroup(GroupScores):
    """Ranking of the systems in one group alone."""

    ranking: Annotated[
        tuple[Placed, ...], Field("Metric by metric, the best score first; empty if the group has fewer than 10 units.")
    ]
    pairs: Annotated[tuple[RankedPair, ...], Field("Every two systems, metric by metric; empty with too few units.")]

    def placed(self, metric: str) -> dict[str, Placed]:
        """Return the places under a metric by system."""
        return {one.system: one for one in self.ranking if one.metric == metric}


@documented
@dataclass(frozen=True)
class LeadByGroup:
    """Test whether a system's lead over the mean score of all systems differs between groups more than chance."""

    metric: MetricKey
    system: Annotated[str, Field("The system.")]
    groups: Annotated[tuple[str, ...], Field("The groups tested: those with 10 units or more in which it varies.")]
    q: Annotated[NonNegative, Field("Squared deviations from the mean lead over their variances, summed.")]
    p_value: Annotated[PValue, P_VALUE, Field("The larger one of the bootstrap within groups and of permutations.")]
    p_adjusted: Annotated[Proportion, Field("Adjusted over the systems by Holm's method.")]


@documented
@dataclass(frozen=True)
class RankedGroups:
    """Rankings by group."""

    by: Annotated[str, Field("What the segments are grouped by: domain, document, length, or the name of a column.")]
    groups: Annotated[tuple[RankedGroup, ...], Field("The groups.")]
    leads: Annotated[
        tuple[LeadByGroup, ...],
        Field(
            "Of every metric and system, of two systems the second; left out if fewer than two groups can be tested."
        ),
    ]
