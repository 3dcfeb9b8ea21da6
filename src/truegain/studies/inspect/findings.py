"""What there is to see in the difference between two systems: frozen findings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from truegain.changed_segments import ChangedSegment

__all__ = ["USES", "AllSegments", "GroupGain", "Movement", "NgramUse", "Use", "WordBucket"]

#: How an output may use an n-gram more often than another: rightly, the reference of the segment having it too; or, on
#: the whole test set, too often or too rarely.
Use = Literal["right", "over", "under"]
USES: tuple[Use, ...] = ("right", "over", "under")


@dataclass(frozen=True)
class Movement:
    """The gain between the median runs under one metric, and how many segments speak for it and against it.

    Attributes
    ----------
    delta : float
        The gain between the two median runs; positive where the system is better.
    delta_of_means : float
        The gain between the means over all runs.
    up, down, still : int
        Segments that contribute to the gain, that contribute to its contrary, and that contribute nothing.
    sum_up, sum_down : float
        What the contributions of these segments add up to.
    """

    metric: str
    baseline_run: str
    system_run: str
    baseline_score: float
    system_score: float
    delta: float
    delta_of_means: float
    up: int
    down: int
    still: int
    sum_up: float
    sum_down: float


@dataclass(frozen=True)
class AllSegments:
    """All segments under a metric, in their order."""

    metric: str
    segments: tuple[ChangedSegment, ...]


@dataclass(frozen=True)
class GroupGain:
    """A group of segments: the scores on it alone, and what it contributes to the gain on the test set.

    Attributes
    ----------
    label : str
        A document, or a range of lengths.
    baseline_score, system_score, delta : float or None
        None where the group is empty, or the metric has no score for it.
    contribution : float
        Half of what the gain loses where the two outputs of all its segments are swapped.
    share : float or None
        Of the gain; None where that is zero.
    """

    metric: str
    label: str
    segments: int
    baseline_score: float | None
    system_score: float | None
    delta: float | None
    contribution: float
    share: float | None


@dataclass(frozen=True)
class WordBucket:
    """The words of some range of frequencies.

    Attributes
    ----------
    low, high : int
        The range, both ends in it; None where it has no upper end.
    types : int
        How many different words the references have of it.
    wanted : int
        How many words they have in all.
    produced, matched : tuple of int
        Of the baseline and of the system.
    """

    low: int
    high: int | None
    types: int
    wanted: int
    produced: tuple[int, int]
    matched: tuple[int, int]

    @property
    def label(self) -> str:
        """``1``, ``3–4``, ``≥1000``."""
        if self.high is None:
            return f"≥{self.low}"
        return f"{self.low}" if self.low == self.high else f"{self.low}–{self.high}"

    @property
    def precision(self) -> tuple[float | None, float | None]:
        """Matches over what was produced, in percent; None where nothing was."""
        return self._both([_percent(m, p) for m, p in zip(self.matched, self.produced, strict=True)])

    @property
    def recall(self) -> tuple[float | None, float | None]:
        """Matches over what the references have, in percent."""
        return self._both([_percent(m, self.wanted) for m in self.matched])

    @property
    def f1(self) -> tuple[float | None, float | None]:
        """The harmonic mean of precision and recall, in percent."""
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


@dataclass(frozen=True)
class NgramUse:
    """An n-gram that one of the two outputs uses more often in some way.

    Attributes
    ----------
    use : "right", "over" or "under"
        In which way.
    more : "baseline" or "system"
        Which output does so more often.
    words : tuple of str
    reference : int
        How often the references have it.
    produced, matched : tuple of int
        How often the baseline and the system have it, and how often rightly so.
    difference : int
        By how many times more often.
    """

    use: Use
    more: Literal["baseline", "system"]
    words: tuple[str, ...]
    reference: int
    produced: tuple[int, int]
    matched: tuple[int, int]
    difference: int
