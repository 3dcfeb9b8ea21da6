"""The statistics of every segment, for all systems, runs and metrics: one matrix, the waist of the hourglass."""

from __future__ import annotations

from truegain.statistics.collecting import collect
from truegain.statistics.matrix import (
    Block,
    SegmentStatistics,
    check_defined,
    mean_of_runs,
    nested_mean,
    run_scores,
    system_scores,
)

__all__ = [
    "Block",
    "SegmentStatistics",
    "check_defined",
    "collect",
    "mean_of_runs",
    "nested_mean",
    "run_scores",
    "system_scores",
]
