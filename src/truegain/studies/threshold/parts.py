"""Parts of a threshold: pairs of systems, the gain that usually suffices, and how it falls with the size."""

from __future__ import annotations

from typing import Annotated

from truegain.inference.results import SystemPair, Unit
from truegain.rows import Count, MetricKey, NonNegative, Number, Positive, Proportion, Row, field

#: Pairs of systems with labels: all, those with one label, those with two.
GROUPS = ("all", "same", "different")


class Labelled(Row):
    """A system and the label that it has."""

    system: Annotated[str, field("The system.")]
    label: Annotated[str, field("Its label.")]


class GainPair(SystemPair):
    """Two systems under a metric, the worse one as the baseline."""

    delta: Annotated[NonNegative, field("The gain, never negative.")]
    group: Annotated[
        str | None,
        field(
            "Whether their labels are the same or different, or the class of the pair; none if there are neither, or "
            "if the pair is in no class."
        ),
    ]
    p: Annotated[Proportion, field("One-sided, that the system is no better.")]
    exceedances: Annotated[Number, field("The number of resamples at least as far out.")]
    se: Annotated[
        NonNegative,
        field("The standard error of the gain; 0 if the two are the same on every resample: no threshold counts them."),
    ]


class Threshold(Row):
    """The gain that is usually significant."""

    metric: MetricKey
    group: Annotated[str, field("The pairs that it is of: all, same, different, or a class of pairs.")]
    unit: Unit
    pairs: Annotated[Count, field("The number of pairs.")]
    gain: Annotated[
        NonNegative,
        field(
            "The gain at which 95 % of the pairs would be significant: a percentile over pairs of the normal quantile "
            "times the standard error."
        ),
    ]
    low: Annotated[float | None, field("The lower end of its 95 % interval over systems; none if there are too few.")]
    high: Annotated[float | None, field("The upper end of its 95 % interval over systems; none if there are too few.")]
    in_band: Annotated[
        Number, field("Pairs whose p is near the level (.04 to .06 at .05), as Berg-Kirkpatrick et al. have it.")
    ]
    band_gain: Annotated[float | None, field("The 95th percentile of their gains; none if there are too few of them.")]


class ThresholdAtSize(Row):
    """The threshold of all pairs on a part of the test set."""

    metric: MetricKey
    units: Annotated[Count, field("The number of units of the part.")]
    segments: Annotated[Positive, field("The number of segments of the part, on average over the repetitions.")]
    repetitions: Annotated[Count, field("The number of parts of this size.")]
    gain: Annotated[Positive, field("The threshold; the mean over repetitions.")]
    low: Annotated[float | None, field("The lower end of its 95 % interval over systems; none if there are too few.")]
    high: Annotated[float | None, field("The upper end of its 95 % interval over systems; none if there are too few.")]
    law: Annotated[Positive, field("What c/√units says.")]

    covered: Annotated[bool | None, field("Whether the law lies in the interval; none if there is no interval.")] = None

    def __post_init__(self) -> None:
        if self.low is not None and self.high is not None:
            self._derive(covered=self.low <= self.law <= self.high)


class SizeLaw(Row):
    """Law by which the threshold falls with the number of units."""

    metric: MetricKey
    c: Annotated[Positive, field("The c of gain = c/√units.")]
    exponent: Annotated[float, field("The b of gain ∝ units^−b, fitted on logarithms.")]
    low: Annotated[
        float | None, field("The lower end of its 95 % interval, over the same draws as those of the sizes.")
    ]
    high: Annotated[
        float | None, field("The upper end of its 95 % interval, over the same draws as those of the sizes.")
    ]
