"""Distributions of a difference under the null hypothesis: small enough to be kept and drawn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from truegain.fields import Field, Shape, documented
from truegain.rules import Filled, Positive

_BINS = 60


def _bins_faults(bins: Bins) -> Iterator[tuple[str, str]]:
    if not bins.low < bins.high:
        yield "high", f"a number above low, {bins.low:g}, was expected; found {bins.high:g}"
    if not any(bins.counts):
        yield "counts", "a resample in some bin was expected; found none"


@documented
@dataclass(frozen=True)
class Bins:
    """Counts of resamples in bins of one width, from low to high."""

    shape: ClassVar[Shape] = Shape(kind="bins", faults=_bins_faults)

    low: Annotated[float, Field("The beginning of the first bin.")]
    high: Annotated[float, Field("The end of the last bin.")]
    counts: Annotated[tuple[int, ...], Filled(), Field("The number of resamples in each bin.")]


@documented
@dataclass(frozen=True)
class Student:
    """Student's t around the gain of the null hypothesis."""

    shape: ClassVar[Shape] = Shape(kind="t")

    scale: Annotated[Positive, Field("The scale.")]
    freedom: Annotated[Positive, Field("The degrees of freedom.")]
    centre: Annotated[float, Field("The gain of the null hypothesis.")] = 0.0


UnderNull = Bins | Student


def binned(differences: NDArray[np.float64]) -> Bins | None:
    """Count resampled differences; None if they do not vary."""
    low, high = float(differences.min()), float(differences.max())
    if not low < high:
        return None
    counts, _ = np.histogram(differences, bins=_BINS, range=(low, high))
    return Bins(low, high, tuple(counts.tolist()))
