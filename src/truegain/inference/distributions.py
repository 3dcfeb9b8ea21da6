"""Quantiles of the beta and Student distributions.

scipy has them, and importing scipy.special costs more time than a whole comparison; these few lines are checked against
it in the tests.
"""

from __future__ import annotations

import math
from statistics import NormalDist

__all__ = ["beta_cdf", "beta_quantile", "normal_cdf", "normal_quantile", "student_quantile"]

_TINY = 1e-300
_NEARLY_NORMAL = 200.0  # degrees of freedom


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
    c, d = 1.0, 1.0 / ((1.0 - (a + b) * x / (a + 1.0)) or _TINY)
    value = d
    for m in range(1, 10_000):
        twice = a + 2 * m
        even = m * (b - m) * x / ((twice - 1.0) * twice)
        d = 1.0 / ((1.0 + even * d) or _TINY)
        c = (1.0 + even / c) or _TINY
        value *= d * c
        odd = -(a + m) * (a + b + m) * x / (twice * (twice + 1.0))
        d = 1.0 / ((1.0 + odd * d) or _TINY)
        c = (1.0 + odd / c) or _TINY
        step = d * c
        value *= step
        if abs(step - 1.0) < 1e-15:
            break
    return front * value / a


def beta_quantile(probability: float, a: float, b: float) -> float:
    """The inverse of :func:`beta_cdf`: Newton's method, with bisection wherever a step would leave the bracket."""
    if probability <= 0.0:
        return 0.0
    if probability >= 1.0:
        return 1.0
    norm = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    low, high = 0.0, 1.0
    spread = math.sqrt(a * b / (a + b + 1.0)) / (a + b)
    x = min(max(a / (a + b) + normal_quantile(probability) * spread, 1e-9), 1.0 - 1e-9)
    for _ in range(200):
        error = beta_cdf(x, a, b) - probability
        if error < 0.0:
            low = x
        else:
            high = x
        density = math.exp(norm + (a - 1.0) * math.log(x) + (b - 1.0) * math.log1p(-x)) if 0.0 < x < 1.0 else 0.0
        step = x - error / density if density > 0.0 else low
        following = step if low < step < high else 0.5 * (low + high)
        if abs(following - x) <= 1e-14 * x or not low < following < high:
            return following
        x = following
    return x


def student_quantile(probability: float, freedom: float) -> float:
    """The quantile of Student's t: t² / (t² + freedom) is a beta variable."""
    if probability == 0.5:
        return 0.0
    if probability < 0.5:
        return -student_quantile(1.0 - probability, freedom)
    if freedom >= _NEARLY_NORMAL:
        return _expanded_student_quantile(normal_quantile(probability), freedom)
    # t² / (t² + freedom) is a beta variable; near the centre it is found from below, in the tails from above.
    if probability < 0.75:
        y = beta_quantile(2.0 * probability - 1.0, 0.5, freedom / 2.0)
        return math.sqrt(freedom * y / (1.0 - y))
    x = beta_quantile(2.0 * (1.0 - probability), freedom / 2.0, 0.5)
    return math.sqrt(freedom * (1.0 - x) / x) if x > 0.0 else math.inf


def _expanded_student_quantile(z: float, freedom: float) -> float:
    """The quantile from that of the normal, by powers of 1 / freedom (Fisher and Cornish 1960)."""
    s = z * z
    terms = (
        (s + 1) / 4,
        (5 * s**2 + 16 * s + 3) / 96,
        (3 * s**3 + 19 * s**2 + 17 * s - 15) / 384,
        (79 * s**4 + 776 * s**3 + 1482 * s**2 - 1920 * s - 945) / 92160,
    )
    return z + sum(z * term / freedom**power for power, term in enumerate(terms, 1))
