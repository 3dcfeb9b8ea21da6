"""Findings on the difference between two systems, frozen."""

from __future__ import annotations

from typing import Annotated, Literal

from truegain.changed_segments import ChangedSegment
from truegain.rows import MetricKey, Number, Row, field

#: How an output may use an n-gram more often than another: rightly, the reference of the segment having it too; or, on
#: the whole test set, too often or too rarely.
Use = Literal["right", "over", "under"]
USES: tuple[Use, ...] = ("right", "over", "under")


_Pair = tuple[int, int]
_Shares = tuple[float | None, float | None]


class Movement(Row):
    """The gain between the median runs under one metric, and how many segments speak for it and against it."""

    metric: MetricKey
    baseline_run: Annotated[str, field("The baseline's median run.")]
    system_run: Annotated[str, field("The system's median run.")]
    baseline_score: Annotated[float, field("The score of the baseline's median run.")]
    system_score: Annotated[float, field("The score of the system's median run.")]
    delta: Annotated[float, field("The gain between the two median runs; positive if the system is better.")]
    delta_of_means: Annotated[float, field("The gain between the means over all runs.")]
    up: Annotated[Number, field("The number of segments that contribute to the gain.")]
    down: Annotated[Number, field("The number of segments that contribute to its contrary.")]
    still: Annotated[Number, field("The number of segments that contribute nothing.")]
    sum_up: Annotated[float, field("The sum of the contributions to the gain.")]
    sum_down: Annotated[float, field("The sum of the contributions to its contrary.")]


class AllSegments(Row):
    """All segments under a metric."""

    metric: MetricKey
    segments: Annotated[tuple[ChangedSegment, ...], field("The segments in their order.")]


class GroupGain(Row):
    """A group of segments: the scores on it alone, and what it contributes to the gain on the test set."""

    metric: MetricKey
    label: Annotated[str, field("A document, or a range of lengths.")]
    segments: Annotated[Number, field("The number of segments.")]
    baseline_score: Annotated[
        float | None, field("The baseline's score; none if the group is empty, or the metric has no score for it.")
    ]
    system_score: Annotated[
        float | None, field("The system's score; none if the group is empty, or the metric has no score for it.")
    ]
    delta: Annotated[float | None, field("The gain; none if the group is empty, or the metric has no score for it.")]
    contribution: Annotated[
        float, field("Half of what the gain loses if the two outputs of all its segments are swapped.")
    ]
    share: Annotated[float | None, field("The contribution as a share of the gain; none if that is zero.")]


class WordBucket(Row):
    """The words of some range of frequencies."""

    low: Annotated[Number, field("The lowest frequency of the range.")]
    high: Annotated[Number | None, field("The highest frequency of the range; none if it has no upper end.")]
    types: Annotated[Number, field("The number of different words that the references have of it.")]
    wanted: Annotated[Number, field("The number of words that they have in all.")]
    produced: Annotated[_Pair, field("The number of words of it that the baseline and the system have.")]
    matched: Annotated[_Pair, field("The number of those that the references have too.")]
    precision: Annotated[
        _Shares,
        field("Matches over what was produced, in percent, of the baseline and of the system; none if nothing was."),
    ] = (None, None)
    recall: Annotated[
        _Shares, field("Matches over what the references have, in percent, of the baseline and of the system.")
    ] = (None, None)
    f1: Annotated[
        _Shares,
        field("The harmonic mean of precision and recall, in percent, of the baseline and of the system."),
    ] = (None, None)
    delta: Annotated[float | None, field("The difference in F1.")] = None

    def __post_init__(self) -> None:
        both = list(zip(self.matched, self.produced, strict=True))
        old, new = (_percent(2 * matched, produced + self.wanted) for matched, produced in both)
        self._derive(
            precision=tuple(_percent(matched, produced) for matched, produced in both),
            recall=tuple(_percent(matched, self.wanted) for matched in self.matched),
            f1=(old, new),
            delta=None if old is None or new is None else new - old,
        )

    @property
    def label(self) -> str:
        """``1``, ``3–4``, ``≥1000``."""
        if self.high is None:
            return f"≥{self.low}"
        return f"{self.low}" if self.low == self.high else f"{self.low}–{self.high}"


def _percent(part: int, whole: int) -> float | None:
    return 100.0 * part / whole if whole else None


class NgramUse(Row):
    """An n-gram that one of the two outputs uses more often in some way."""

    use: Annotated[Use, field("In which way.")]
    more: Annotated[Literal["baseline", "system"], field("Which output does so more often.")]
    words: Annotated[tuple[str, ...], field("The words of the n-gram.")]
    reference: Annotated[Number, field("How often the references have it.")]
    produced: Annotated[_Pair, field("How often the baseline and the system have it.")]
    matched: Annotated[_Pair, field("How often they have it rightly.")]
    difference: Annotated[Number, field("By how many times more often.")]
