"""Segments and what they do to the difference between two systems."""

from __future__ import annotations

from typing import Annotated

from truegain.rows import Baseline, Count, MetricKey, Number, Row, System, field


class ChangedSegment(Row):
    """Segment, and its effect on the difference between two systems."""

    number: Annotated[Count, field("The number of the segment, from 1.")]
    document: Annotated[str | None, field("Its document; none if documents are not known.")]
    baseline_score: Annotated[float | None, field("Its score in the baseline's run; none if it has none.")]
    system_score: Annotated[float | None, field("Its score in the system's run; none if it has none.")]
    contribution: Annotated[
        float,
        field(
            "Half of what the gain loses if the two outputs of this segment are swapped; positive if it favours the "
            "system."
        ),
    ]
    share: Annotated[float | None, field("The contribution as a share of the gain; none if that is zero.")]
    baseline_statistics: Annotated[
        tuple[float, ...], field("The metric's sufficient statistics of the baseline's output, as named in the pair.")
    ]
    system_statistics: Annotated[
        tuple[float, ...], field("The metric's sufficient statistics of the system's output, as named in the pair.")
    ]
    references: Annotated[tuple[str, ...], field("Its references; empty for segment scores without texts.")] = ()
    baseline_output: Annotated[str | None, field("The baseline's output; none for segment scores without texts.")] = (
        None
    )
    system_output: Annotated[str | None, field("The system's output; none for segment scores without texts.")] = None
    id: Annotated[str | None, field("Its id in the input, if that is not its number.")] = None


class ChangedPair(Row):
    """Segments that changed most between two runs."""

    metric: MetricKey
    baseline: Baseline
    system: System
    baseline_run: Annotated[str, field("The baseline's run whose outputs they are: the median run.")]
    system_run: Annotated[str, field("The system's run whose outputs they are: the median run.")]
    delta: Annotated[float, field("The gain between those two runs.")]
    statistic_names: Annotated[tuple[str, ...], field("The names of the metric's sufficient statistics.")]
    up: Annotated[
        tuple[ChangedSegment, ...], field("The segments that favour the system most, the most helpful first.")
    ]
    down: Annotated[
        tuple[ChangedSegment, ...], field("The segments that favour the baseline most, the most harmful first.")
    ]
    explained_up: Annotated[
        float, field("Half of what the gain loses if all segments that favour the system are swapped together.")
    ]
    explained_down: Annotated[
        float, field("Half of what the gain loses if all segments that favour the baseline are swapped together.")
    ]
    up_count: Annotated[Number, field("The number of segments that favour the system, listed or not.")]
    down_count: Annotated[Number, field("The number of segments that favour the baseline, listed or not.")]
