"""Segments and what they do to the difference between two systems."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["ChangedPair", "ChangedSegment"]


@dataclass(frozen=True)
class ChangedSegment:
    """Segment, and its effect on the difference between two systems.

    Attributes
    ----------
    number : int
        Of the segment, from 1.
    contribution : float
        Half of what the gain loses if the two outputs of this segment are swapped; positive if it speaks for the
        system.
    share : float or None
        Of the gain; None if that is zero.
    baseline_statistics, system_statistics : tuple of float
        The metric's sufficient statistics, as named in the pair.
    references : tuple of str
        Empty for segment scores without texts; then the outputs are None.
    """

    number: int
    document: str | None
    baseline_score: float | None
    system_score: float | None
    contribution: float
    share: float | None
    baseline_statistics: tuple[float, ...]
    system_statistics: tuple[float, ...]
    references: tuple[str, ...] = ()
    baseline_output: str | None = None
    system_output: str | None = None


@dataclass(frozen=True)
class ChangedPair:
    """Segments that changed most between two runs, the most helpful first, then the most harmful.

    Attributes
    ----------
    baseline_run, system_run : str
        Whose outputs they are: the median runs.
    delta : float
        The gain between those two runs.
    explained_up, explained_down : float
        What the gain loses, halved, if all those that speak for the system are swapped at once, and all that speak
        against it.
    up_count, down_count : int
        How many segments speak for the system and against it, listed or not.
    """

    metric: str
    baseline: str
    system: str
    baseline_run: str
    system_run: str
    delta: float
    statistic_names: tuple[str, ...]
    up: tuple[ChangedSegment, ...]
    down: tuple[ChangedSegment, ...]
    explained_up: float
    explained_down: float
    up_count: int
    down_count: int
