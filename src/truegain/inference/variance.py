"""Variances without resampling: of contributions of units, and by the delete-one jackknife."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from truegain.inference.distributions import normal_quantile

Statistic = Callable[[NDArray[np.float64]], NDArray[np.float64]]


def cluster_variance(contributions: NDArray[np.float64], strata: tuple[int, ...] | None = None) -> float | None:
    """Return the variance of a score from what each unit contributes to it; None if no stratum has two units.

    The sum over strata of n / (n − 1) · Σ (u − ū)². Of a mean over segments with documents as units this is the
    cluster-robust variance CR1: ū is 0 in one stratum, and u_g is the sum over document g of (y − ȳ) / N.

    Parameters
    ----------
    contributions : array (units,)
        Derivatives of the score in the weight of each unit.
    strata : tuple of int, optional
        The number of units of each stratum, in order; by default all are in one.
    """
    found = cluster_variances(contributions[None], strata)
    return None if found is None else float(found[0])


def cluster_variances(
    contributions: NDArray[np.float64], strata: tuple[int, ...] | None = None
) -> NDArray[np.float64] | None:
    """Return :func:`cluster_variance` of every row (scores, units), to the bit."""
    edges = np.cumsum((0, *(strata or (contributions.shape[1],))))
    parts = [contributions[:, first:last] for first, last in itertools.pairwise(edges.tolist())]
    varying = [part for part in parts if part.shape[1] > 1]
    if not varying:
        return None
    found = np.zeros(len(contributions))
    for part in varying:
        size = part.shape[1]
        found += size / (size - 1) * ((part - part.mean(1, keepdims=True)) ** 2).sum(1)
    return found


def block_variance(contributions: NDArray[np.float64], mean_length: float) -> float | None:
    """Return the variance with blocks of neighbours as units: that of the stationary bootstrap, without drawing.

    Politis and Romano (1994), lemma 1, on a circle: the autocovariance at lag k counts (1 − k/n)(1 − 1/b)^k twice,
    with b the mean length. With n/b blocks it is multiplied by (n/b) / (n/b − 1), as for other units. None if there
    are less than two blocks.
    """
    count = contributions.size
    blocks = count / mean_length
    if blocks < 2.0:
        return None
    centred = contributions - contributions.mean()
    lags = np.fft.irfft(np.abs(np.fft.rfft(centred)) ** 2, count)
    weights = (1.0 - np.arange(count) / count) * (1.0 - 1.0 / mean_length) ** np.arange(count)
    total = lags[0] + 2.0 * float(weights[1:] @ lags[1:])
    return max(float(total), 0.0) * blocks / (blocks - 1.0)


def jackknife(left_out: NDArray[np.float64], strata: tuple[int, ...] | None = None) -> float:
    """Return the delete-one jackknife variance from the values with one unit left out, by stratum if there are strata.

    A unit is left out of all N, so it moves the value by N / (N − 1) times its part; within a stratum of n units such
    parts vary by n / (n − 1) times their squared deviations. The only unit of a stratum cannot vary.
    """
    edges = np.cumsum((0, *(strata or (left_out.size,))))
    whole = (left_out.size - 1) / left_out.size
    total = 0.0
    for first, last in itertools.pairwise(edges.tolist()):
        part = left_out[first:last]
        if part.size > 1:
            total += whole**2 * part.size / (part.size - 1) * float(((part - part.mean()) ** 2).sum())
    return total


def jackknife_variance(units: NDArray[np.float64], statistic: Statistic) -> NDArray[np.float64]:
    """Return the variance of a statistic of totals, leaving out one unit at a time (Efron and Tibshirani 1993, ch. 11).

    Parameters
    ----------
    units : array (units, columns)
    statistic : callable
        From totals (columns, …) to values (rows, …).
    """
    return np.array([jackknife(row) for row in statistic((units.sum(0) - units).T)])


def design_effect(
    segments: NDArray[np.float64], documents: NDArray[np.float64], statistic: Statistic
) -> NDArray[np.float64]:
    """Return the variance with documents as the units over that with segments as the units; NaN if both are 0."""
    by_segment = jackknife_variance(segments, statistic)
    by_document = jackknife_variance(documents, statistic)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(by_document / by_segment)


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
