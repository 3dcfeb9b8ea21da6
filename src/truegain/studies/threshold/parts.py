"""Parts of a threshold: pairs of systems, the gain that usually suffices, and how it falls with the size."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from truegain.fields import Field, MetricKey, Shape, documented
from truegain.inference.results import SystemPair, Unit
from truegain.rules import Count, NonNegative, Positive, Proportion

#: Pairs of systems with labels: all, those with one label, those with two.
GROUPS = ("all", "same", "different")


@documented
@dataclass(frozen=True)
class Labelled:
    """A system and the label that it has."""

    system: Annotated[str, Field("The system.")]
    label: Annotated[str, Field("Its label.")]


@documented
@dataclass(frozen=True, slots=True)
class GainPair(SystemPair):
    """Two systems under a metric, the worse one as the baseline."""

    delta: Annotated[NonNegative, Field("The gain, never negative.")]
    group: Annotated[
        str | None,
        Field(
            "Whether their labels are the same or different, or the class of the pair; none if there are neither, or "
            "if the pair is in no class."
        ),
    ]
    p: Annotated[Proportion, Field("One-sided, that the system is no better.")]
    exceedances: Annotated[int, Field("The number of resamples at least as far out.")]
    se: Annotated[
        NonNegative,
        Field("The standard error of the gain; 0 if the two are the same on every resample: no threshold counts them."),
    ]


def _ends_faults(part: Any) -> Iterator[tuple[str, str]]:
    if (part.low is None) != (part.high is None):
        yield "high", "low and high are null together or not at all"


@documented
@dataclass(frozen=True)
class Threshold:
    """The gain that is usually significant."""

    shape: ClassVar[Shape] = Shape(faults=_ends_faults)

    metric: MetricKey
    group: Annotated[str, Field("The pairs that it is of: all, same, different, or a class of pairs.")]
    unit: Unit
    pairs: Annotated[Count, Field("The number of pairs.")]
    gain: Annotated[
        NonNegative,
        Field(
            "The gain at which 95 % of the pairs would be significant: a percentile over pairs of the normal quantile "
            "times the standard error."
        ),
    ]
    low: Annotated[float | None, Field("The lower end of its 95 % interval over systems; none if there are too few.")]
    high: Annotated[float | None, Field("The upper end of its 95 % interval over systems; none if there are too few.")]
    in_band: Annotated[
        int, Field("Pairs whose p is near the level (.04 to .06 at .05), as Berg-Kirkpatrick et al. have it.")
    ]
    band_gain: Annotated[float | None, Field("The 95th percentile of their gains; none if there are too few of them.")]


@documented
@dataclass(frozen=True)
class ThresholdAtSize:
    """The threshold of all pairs on a part of the test set."""

    shape: ClassVar[Shape] = Shape(derived=("covered",), faults=_ends_faults)

    metric: MetricKey
    units: Annotated[Count, Field("The number of units of the part.")]
    segments: Annotated[Positive, Field("The number of segments of the part, on average over the repetitions.")]
    repetitions: Annotated[Count, Field("The number of parts of this size.")]
    gain: Annotated[Positive, Field("The threshold; the mean over repetitions.")]
    low: Annotated[float | None, Field("The lower end of its 95 % interval over systems; none if there are too few.")]
    high: Annotated[float | None, Field("The upper end of its 95 % interval over systems; none if there are too few.")]
    law: Annotated[Positive, Field("What c/√units says.")]

    @property
    def covered(self) -> bool | None:
        """True if the law lies in the interval; none if there is no interval."""
        return None if self.low is None or self.high is None else self.low <= self.law <= self.high


@documented
@dataclass(frozen=True)
class SizeLaw:
    """Law by which the threshold falls with the number of units."""

    shape: ClassVar[Shape] = Shape(faults=_ends_faults)

    metric: MetricKey
    c: Annotated[Positive, Field("The c of gain = c/√units.")]
    exponent: Annotated[float, Field("The b of gain ∝ units^−b, fitted on logarithms.")]
    low: Annotated[
        float | None, Field("The lower end of its 95 % interval, over the same draws as those of the sizes.")
    ]
    high: Annotated[
        float | None, Field("The upper end of its 95 % interval, over the same draws as those of the sizes.")
    ]
