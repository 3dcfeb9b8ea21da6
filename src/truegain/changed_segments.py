"""Segments and what they do to the difference between two systems."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar

from truegain.fields import Baseline, Field, MetricKey, Shape, System, documented
from truegain.rules import Count


@documented
@dataclass(frozen=True)
class ChangedSegment:
    """Segment, and its effect on the difference between two systems."""

    number: Annotated[Count, Field("The number of the segment, from 1.")]
    document: Annotated[str | None, Field("Its document; none if documents are not known.")]
    baseline_score: Annotated[float | None, Field("Its score in the baseline's run; none if it has none.")]
    system_score: Annotated[float | None, Field("Its score in the system's run; none if it has none.")]
    contribution: Annotated[
        float,
        Field(
            "Half of what the gain loses if the two outputs of this segment are swapped; positive if it speaks for the "
            "system."
        ),
    ]
    share: Annotated[float | None, Field("The contribution as a share of the gain; none if that is zero.")]
    baseline_statistics: Annotated[
        tuple[float, ...], Field("The metric's sufficient statistics of the baseline's output, as named in the pair.")
    ]
    system_statistics: Annotated[
        tuple[float, ...], Field("The metric's sufficient statistics of the system's output, as named in the pair.")
    ]
    references: Annotated[tuple[str, ...], Field("Its references; empty for segment scores without texts.")] = ()
    baseline_output: Annotated[str | None, Field("The baseline's output; none for segment scores without texts.")] = (
        None
    )
    system_output: Annotated[str | None, Field("The system's output; none for segment scores without texts.")] = None
    id: Annotated[str | None, Field("Its id in the input, if that is not its number.", optional=True)] = None


def _faults(pair: ChangedPair) -> Iterator[tuple[str, str]]:
    for side in ("up", "down"):
        if (count := getattr(pair, f"{side}_count")) < (listed := len(getattr(pair, side))):
            yield f"{side}_count", f"{listed:,} or more, as many as are listed, was expected; found {count:,}"
        for i, one in enumerate(getattr(pair, side)):
            if pair.delta == 0.0 and one.share is not None:
                yield f"{side}[{i}].share", f"null was expected, as delta is 0; found {one.share:g}"
            for whose in ("baseline_statistics", "system_statistics"):
                if (found := len(getattr(one, whose))) != (named := len(pair.statistic_names)):
                    yield f"{side}[{i}].{whose}", f"a list of {named}, as many as named, was expected; found {found}"


@documented
@dataclass(frozen=True)
class ChangedPair:
    """Segments that changed most between two runs."""

    shape: ClassVar[Shape] = Shape(faults=_faults)

    metric: MetricKey
    baseline: Baseline
    system: System
    baseline_run: Annotated[str, Field("The baseline's run whose outputs they are: the median run.")]
    system_run: Annotated[str, Field("The system's run whose outputs they are: the median run.")]
    delta: Annotated[float, Field("The gain between those two runs.")]
    statistic_names: Annotated[tuple[str, ...], Field("The names of the metric's sufficient statistics.")]
    up: Annotated[
        tuple[ChangedSegment, ...], Field("The segments that speak most for the system, the most helpful first.")
    ]
    down: Annotated[
        tuple[ChangedSegment, ...], Field("The segments that speak most against it, the most harmful first.")
    ]
    explained_up: Annotated[
        float, Field("Half of what the gain loses if all segments that speak for the system are swapped together.")
    ]
    explained_down: Annotated[
        float, Field("Half of what the gain loses if all segments that speak against it are swapped together.")
    ]
    up_count: Annotated[int, Field("The number of segments that speak for the system, listed or not.")]
    down_count: Annotated[int, Field("The number of segments that speak against it, listed or not.")]
