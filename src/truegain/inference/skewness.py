"""Skewness over units, and what it does to the level of tests on either side.

If few units hold the losses, a sample tends to have too few of them: its mean is then too high and its variance too
low. The Edgeworth expansion (Hall 1992, The Bootstrap and Edgeworth Expansion) has the first term of what that does.
"""

from __future__ import annotations

import itertools
import math
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from truegain.inference.distributions import normal_quantile
from truegain.inference.variance import block_variance, cluster_variance


def cluster_skewness(contributions: NDArray[np.float64], strata: tuple[int, ...] | None = None) -> float:
    """Return the skewness of a score from what each unit contributes to it; 0 if nothing varies.

    Of a mean of n units it is theirs over √n. Parameters are those of
    :func:`truegain.inference.variance.cluster_variance`.
    """
    scaled = _scaled(contributions)
    edges = np.cumsum((0, *(strata or (scaled.size,)))).tolist()
    parts = [scaled[first:last] for first, last in itertools.pairwise(edges)]
    third = sum(float(((part - part.mean()) ** 3).sum()) for part in parts)
    return _skewness(third, cluster_variance(scaled, strata))


def block_skewness(contributions: NDArray[np.float64], mean_length: float) -> float:
    """Return the same with blocks of neighbours as units, from all sums of as many neighbours, on a circle."""
    centred = _scaled(contributions - contributions.mean())
    length = max(round(mean_length), 1)
    sums = np.convolve(np.concatenate((centred, centred[: length - 1])), np.ones(length), "valid")
    return _skewness(float((sums**3).sum()) / length, block_variance(centred, mean_length))


def _scaled(contributions: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return contributions of at most 1, so that their cubes neither vanish nor overflow."""
    largest = float(np.abs(contributions).max(initial=0.0))
    return contributions / largest if largest > 0.0 else contributions


def _skewness(third: float, variance: float | None) -> float:
    return third / variance**1.5 if variance else 0.0


def chance_skewness(units: float) -> float:
    """Return the standard error of the skewness of a mean of units that have none (Fisher 1930)."""
    return math.sqrt(6.0 * max(units - 2.0, 0.0) / (units * (units + 1.0) * (units + 3.0)))


def one_sided_size(skewness: float, alpha: float, alternative: Literal["greater", "less"], *, resampled: bool) -> float:
    """Return how often a one-sided test at alpha rejects the gain that is the true one.

    Parameters
    ----------
    skewness : float
        Of the gain.
    resampled : bool
        Whether the test reads its critical value from resamples, whose skewness is that of the sample: it is then off
        by z²/2 · φ(z) times the skewness, and with Student's by (2z² + 1)/6 · φ(z) times.
    """
    z = normal_quantile(1.0 - alpha)
    density = math.exp(-z * z / 2.0) / math.sqrt(2.0 * math.pi)
    excess = (z * z / 2.0 if resampled else (2.0 * z * z + 1.0) / 6.0) * density * skewness
    return min(max(alpha + (excess if alternative == "less" else -excess), 0.0), 1.0)
