"""Parts of a ranking: pairs of systems, and each system's place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar

from truegain.fields import Field, MetricKey, Shape, documented
from truegain.inference.results import SystemPair
from truegain.rules import Count, NonNegative, Proportion

__all__ = ["Placed", "RankedPair"]


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
