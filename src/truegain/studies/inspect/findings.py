"""Findings on the difference between two systems, frozen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from truegain.changed_segments import ChangedSegment
from truegain.fields import Field, MetricKey, Shape, documented

#: How an output may use an n-gram more often than another: rightly, the reference of the segment having it too; or, on
#: the whole test set, too often or too rarely.
Use = Literal["right", "over", "under"]
USES: tuple[Use, ...] = ("right", "over", "under")


_Pair = tuple[int, int]


@documented
@dataclass(frozen=True)
class Movement:
    """The gain between the median runs under one metric, and how many segments speak for it and against it."""

    metric: MetricKey
    baseline_run: Annotated[str, Field("The baseline's median run.")]
    system_run: Annotated[str, Field("The system's median run.")]
    baseline_score: Annotated[float, Field("The score of the baseline's median run.")]
    system_score: Annotated[float, Field("The score of the system's median run.")]
    delta: Annotated[float, Field("The gain between the two median runs; positive if the system is better.")]
    delta_of_means: Annotated[float, Field("The gain between the means over all runs.")]
    up: Annotated[int, Field("The number of segments that contribute to the gain.")]
    down: Annotated[int, Field("The number of segments that contribute to its contrary.")]
    still: Annotated[int, Field("The number of segments that contribute nothing.")]
    sum_up: Annotated[float, Field("The sum of the contributions to the gain.")]
    sum_down: Annotated[float, Field("The sum of the contributions to its contrary.")]


@documented
@dataclass(frozen=True)
class AllSegments:
    """All segments under a metric."""

    metric: MetricKey
    segments: Annotated[tuple[ChangedSegment, ...], Field("The segments in their order.")]


@documented
@dataclass(frozen=True)
class GroupGain:
    """A group of segments: the scores on it alone, and what it contributes to the gain on the test set."""

    metric: MetricKey
    label: Annotated[str, Field("A document, or a range of lengths.")]
    segments: Annotated[int, Field("The number of segments.")]
    baseline_score: Annotated[
        float | None, Field("The baseline's score; none if the group is empty, or the metric has no score for it.")
    ]
    system_score: Annotated[
        float | None, Field("The system's score; none if the group is empty, or the metric has no score for it.")
    ]
    delta: Annotated[float | None, Field("The gain; none if the group is empty, or the metric has no score for it.")]
    contribution: Annotated[
        float, Field("Half of what the gain loses if the two outputs of all its segments are swapped.")
    ]
    share: Annotated[float | None, Field("The contribution as a share of the gain; none if that is zero.")]


@documented
@dataclass(frozen=True)
class WordBucket:
    """The words of some range of frequencies."""

    shape: ClassVar[Shape] = Shape(derived=("precision", "recall", "f1", "delta"))

    low: Annotated[int, Field("The lowest frequency of the range.")]
    high: Annotated[int | None, Field("The highest frequency of the range; none if it has no upper end.")]
    types: Annotated[int, Field("The number of different words that the references have of it.")]
    wanted: Annotated[int, Field("The number of words that they have in all.")]
    produced: Annotated[_Pair, Field("The number of words of it that the baseline and the system have.")]
    matched: Annotated[_Pair, Field("The number of those that the references have too.")]

    @property
    def label(self) -> str:
        """``1``, ``3–4``, ``≥1000``."""
        if self.high is None:
            return f"≥{self.low}"
        return f"{self.low}" if self.low == self.high else f"{self.low}–{self.high}"

    @property
    def precision(self) -> tuple[float | None, float | None]:
        """Matches over what was produced, in percent, of the baseline and of the system; none if nothing was."""
        return self._both([_percent(m, p) for m, p in zip(self.matched, self.produced, strict=True)])

    @property
    def recall(self) -> tuple[float | None, float | None]:
        """Matches over what the references have, in percent, of the baseline and of the system."""
        return self._both([_percent(m, self.wanted) for m in self.matched])

    @property
    def f1(self) -> tuple[float | None, float | None]:
        """The harmonic mean of precision and recall, in percent, of the baseline and of the system."""
        return self._both([_percent(2 * m, p + self.wanted) for m, p in zip(self.matched, self.produced, strict=True)])

    @property
    def delta(self) -> float | None:
        """The difference in F1."""
        old, new = self.f1
        return None if old is None or new is None else new - old

    @staticmethod
    def _both(values: list[float | None]) -> tuple[float | None, float | None]:
        return values[0], values[1]


def _percent(part: int, whole: int) -> float | None:
    return 100.0 * part / whole if whole else None


@documented
@dataclass(frozen=True)
class NgramUse:
    """An n-gram that one of the two outputs uses more often in some way."""

    use: Annotated[Use, Field("In which way.")]
    more: Annotated[Literal["baseline", "system"], Field("Which output does so more often.")]
    words: Annotated[tuple[str, ...], Field("The words of the n-gram.")]
    reference: Annotated[int, Field("How often the references have it.")]
    produced: Annotated[_Pair, Field("How often the baseline and the system have it.")]
    matched: Annotated[_Pair, Field("How often they have it rightly.")]
    difference: Annotated[int, Field("By how many times more often.")]
