"""What a threshold is made of: pairs of systems, the gain that usually suffices, and how it falls with the size."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

from truegain.studies.codec import OneOf, Shape, Shapes, Within
from truegain.studies.shapes import COUNT, SHARE, SPREAD, UNIT

__all__ = ["GROUPS", "PARTS", "GainPair", "Labelled", "SizeLaw", "Threshold", "ThresholdAtSize"]

#: Pairs of systems: all, those with one label, those with two.
GROUPS = ("all", "same", "different")


@dataclass(frozen=True)
class Labelled:
    """A system and the label that it has."""

    system: str
    label: str


@dataclass(frozen=True)
class GainPair:
    """Two systems under a metric, the worse one as the baseline.

    Attributes
    ----------
    group : "same", "different" or None
        Of their labels; None where there are no labels.
    delta : float
        The gain, never negative.
    p : float
        One-sided, that the system is no better.
    exceedances : int
        How many resamples were at least as far out.
    se : float
        The standard error of the gain; 0 where the two are the same on every resample: no threshold counts
        them.
    """

    metric: str
    baseline: str
    system: str
    group: str | None
    delta: float
    p: float
    exceedances: int
    se: float


@dataclass(frozen=True)
class Threshold:
    """The gain that is usually significant.

    Attributes
    ----------
    group : "all", "same" or "different"
    unit : str
        What was resampled.
    pairs : int
    gain : float
        At which 95 % of the pairs would be significant: a percentile over pairs of the normal quantile times the
        standard error.
    low, high : float or None
        Its 95 % interval over systems; None where there are too few.
    in_band : int
        Pairs whose p is near the level (.04 to .06 at .05), as Berg-Kirkpatrick et al. have it.
    band_gain : float or None
        The 95th percentile of their gains; None where there are too few of them.
    """

    metric: str
    group: str
    unit: str
    pairs: int
    gain: float
    low: float | None
    high: float | None
    in_band: int
    band_gain: float | None


@dataclass(frozen=True)
class ThresholdAtSize:
    """The same on a part of the test set.

    Attributes
    ----------
    units : int
        Of the part.
    segments : float
        Of the part, on average over the repetitions.
    gain, low, high
        As in :class:`Threshold`, of all pairs; the mean over repetitions.
    law : float
        What c/√units says.
    """

    metric: str
    units: int
    segments: float
    repetitions: int
    gain: float
    low: float | None
    high: float | None
    law: float

    @property
    def covered(self) -> bool | None:
        """Whether the law lies in the interval; None where there is none."""
        return None if self.low is None or self.high is None else self.low <= self.law <= self.high


@dataclass(frozen=True)
class SizeLaw:
    """How the threshold falls with the number of units.

    Attributes
    ----------
    c : float
        Of gain = c/√units.
    exponent : float
        The b of gain ∝ units^−b, fitted on logarithms.
    low, high : float or None
        Its 95 % interval, over the same draws as those of the sizes.
    """

    metric: str
    c: float
    exponent: float
    low: float | None
    high: float | None


def _ends_faults(part: Any) -> Iterator[tuple[str, str]]:
    if (part.low is None) != (part.high is None):
        yield "high", "low and high are null together or not at all"


_ABOVE = Annotated[float, Within(0.0, open=True)]

#: Where their data differ from their fields.
PARTS: Shapes = {
    GainPair: Shape(
        types={"group": Annotated[str, OneOf(GROUPS[1:])] | None, "delta": SPREAD, "p": SHARE, "se": SPREAD}
    ),
    Threshold: Shape(
        types={
            "group": Annotated[str, OneOf(GROUPS)],
            "unit": UNIT,
            "pairs": COUNT,
            "gain": SPREAD,
            "in_band": Annotated[int, Within(0)],
        },
        faults=_ends_faults,
    ),
    ThresholdAtSize: Shape(
        types={"units": COUNT, "segments": _ABOVE, "repetitions": COUNT, "gain": _ABOVE, "law": _ABOVE},
        derived={"covered": lambda one: one.covered},
        faults=_ends_faults,
    ),
    SizeLaw: Shape(types={"c": _ABOVE}, faults=_ends_faults),
}
