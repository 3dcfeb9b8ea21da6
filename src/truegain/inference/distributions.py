"""Quantiles of the beta and Student distributions.

scipy has them, and importing scipy.special costs more time than a whole comparison; these few lines are checked against
it in the tests.
"""

from __future__ import annotations

import math
from statistics import NormalDist

__all__ = ["beta_cdf", "beta_quantile", "normal_cdf", "normal_quantile", "student_quantile"]

_TINY = 1e-300


def normal_quantile(probability: float) -> float:
    """The point below which a standard normal variable falls with the given probability."""
    return NormalDist().inv_cdf(probability)


def normal_cdf(x: float) -> float:
    """The probability that a standard normal variable falls below x."""
    return NormalDist().cdf(x)


def beta_cdf(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function, by its continued fraction (Lentz's method)."""
    if x <= 0.0:
        return 0.0
    if x >= 1.0:
        return 1.0
    if x > (a + 1.0) / (a + b + 2.0):  # the fraction converges fast on the other side
        return 1.0 - beta_cdf(1.0 - x, b, a)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x))
    c, d = 1.0, 1.0 / _away_from_zero(1.0 - (a + b) * x / (a + 1.0))
    value = d
    for m in range(1, 10_000):
        even = m * (b - m) * x / ((a + 2 * m - 1.0) * (a + 2 * m))
        d = 1.0 / _away_from_zero(1.0 + even * d)
        c = _away_from_zero(1.0 + even / c)
        value *= d * c
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1.0))
        d = 1.0 / _away_from_zero(1.0 + odd * d)
        c = _away_from_zero(1.0 + odd / c)
        step = d * c
        value *= step
        if abs(step - 1.0) < 1e-15:
            break
    return front * value / a


def _away_from_zero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY


def beta_quantile(probability: float, a: float, b: float) -> float:
    """The inverse of :func:`beta_cdf`, by bisection to the last bit."""
    if probability <= 0.0:
        return 0.0
    if probability >= 1.0:
        return 1.0
    low, high = 0.0, 1.0
    while True:
        middle = 0.5 * (low + high)
        if not low < middle < high:
            return middle
        if beta_cdf(middle, a, b) < probability:
            low = middle
        else:
            high = middle
        if high - low < 1e-15 * high:
            return 0.5 * (low + high)


def student_quantile(probability: float, freedom: float) -> float:
    """The quantile of Student's t: t² / (t² + freedom) is a beta variable."""
    if probability == 0.5:
        return 0.0
    if probability < 0.5:
        return -student_quantile(1.0 - probability, freedom)
    # P(|T| > t) = I_{freedom / (freedom + t²)}(freedom / 2, 1 / 2)
    x = beta_quantile(2.0 * (1.0 - probability), freedom / 2.0, 0.5)
    return math.sqrt(freedom * (1.0 - x) / x) if x > 0.0 else math.inf
