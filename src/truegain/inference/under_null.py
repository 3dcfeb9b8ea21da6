"""Distributions of a difference under the null hypothesis: small enough to be kept and drawn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Bins", "Student", "UnderNull", "binned"]

_BINS = 60


@dataclass(frozen=True)
class Bins:
    """Counts of resamples in bins of one width, from low to high."""

    low: float
    high: float
    counts: tuple[int, ...]


@dataclass(frozen=True)
class Student:
    """Student's t with its scale and degrees of freedom, around the gain of the null hypothesis."""

    scale: float
    freedom: float
    centre: float = 0.0


UnderNull = Bins | Student


def binned(differences: NDArray[np.float64]) -> Bins | None:
    """Count resampled differences; None if they do not vary."""
    low, high = float(differences.min()), float(differences.max())
    if not low < high:
        return None
    counts, _ = np.histogram(differences, bins=_BINS, range=(low, high))
    return Bins(low, high, tuple(counts.tolist()))
