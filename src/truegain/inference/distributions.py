"""Quantiles and tails of the normal, beta, Student and binomial distributions.

scipy has them, but importing scipy.special takes longer than a whole comparison, and the standard library's normal
distribution loads fractions and decimals; these few lines are checked against both in the tests. A tail is P(X >= x),
and keeps its digits if it is small: 1e-30 is found when 1 - cdf would be 0.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache

#: The quantile of the normal by ratios of polynomials (Wichura 1988): near the centre, in the tails, and far out.
_CENTRE = (
    (
        *(2509.0809287301226727, 33430.575583588128105, 67265.770927008700853, 45921.953931549871457),
        *(13731.693765509461125, 1971.5909503065514427, 133.14166789178437745, 3.387132872796366608),
    ),
    (
        *(5226.495278852854561, 28729.085735721942674, 39307.89580009271061, 21213.794301586595867),
        *(5394.1960214247511077, 687.1870074920579083, 42.313330701600911252, 1.0),
    ),
)
_TAIL = (
    (
        *(7.7454501427834140764e-4, 2.27238449892691845833e-2, 0.24178072517745061177, 1.27045825245236838258),
        *(3.64784832476320460504, 5.7694972214606914055, 4.6303378461565452959, 1.42343711074968357734),
    ),
    (
        *(1.05075007164441684324e-9, 5.475938084995344946e-4, 1.51986665636164571966e-2, 0.14810397642748007459),
        *(0.68976733498510000455, 1.6763848301838038494, 2.05319162663775882187, 1.0),
    ),
)
_FAR_OUT = (
    (
        *(2.01033439929228813265e-7, 2.71155556874348757815e-5, 1.2426609473880784386e-3, 2.6532189526576123093e-2),
        *(0.29656057182850489123, 1.7848265399172913358, 5.4637849111641143699, 6.6579046435011037772),
    ),
    (
        *(2.04426310338993978564e-15, 1.4215117583164458887e-7, 1.8463183175100546818e-5, 7.868691311456132591e-4),
        *(1.48753612908506148525e-2, 0.13692988092273580531, 0.59983220655588793769, 1.0),
    ),
)
_NEARLY_NORMAL = 200.0  # degrees of freedom
_LARGE = 100.0  # where six terms of the ratio of gammas have all digits


def median(values: Iterable[float]) -> float:
    """Return the middle value; numpy's loads masked arrays for it, and the standard library's fractions."""
    ordered = sorted(values)
    return (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2.0


def normal_quantile(probability: float) -> float:
    """Return the point below which a standard normal variable falls with the given probability, between 0 and 1."""
    q = probability - 0.5
    if abs(q) <= 0.425:
        return _ratio(_CENTRE, 0.180625 - q * q, q)
    r = math.sqrt(-math.log(min(probability, 1.0 - probability)))
    x = _ratio(_TAIL, r - 1.6) if r <= 5.0 else _ratio(_FAR_OUT, r - 5.0)
    return math.copysign(x, q)


def _ratio(polynomials: tuple[tuple[float, ...], tuple[float, ...]], x: float, factor: float = 1.0) -> float:
    """Return the ratio of two polynomials at x, highest powers first, the upper one times a factor."""
    above = below = 0.0
    for a, b in zip(*polynomials, strict=True):
        above, below = above * x + a, below * x + b
    return above * factor / below


def normal_cdf(x: float) -> float:
    """Return the probability that a standard normal variable falls below x."""
    return normal_tail(-x)


def normal_tail(x: float) -> float:
    """Return the probability that a standard normal variable is x or more."""
    return 0.5 * math.erfc(x / math.sqrt(2.0))


def beta_cdf(x: float, a: float, b: float) -> float:
    """Compute the regularised incomplete beta function by its continued fraction."""
    if x <= 0.0:
        return 0.0
    if x >= 1.0:
        return 1.0
    if x > (a + 1.0) / (a + b + 2.0):  # the fraction converges fast on the other side
        return 1.0 - _beta_front(1.0 - x, b, a) * _beta_fraction(1.0 - x, b, a) / b
    return _beta_front(x, a, b) * _beta_fraction(x, a, b) / a


def _beta_front(x: float, a: float, b: float) -> float:
    """Return the factor before the fraction; divided by x (1 - x) it is the density."""
    return math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x))


def _beta_fraction(x: float, a: float, b: float) -> float:
    """Compute the incomplete beta function's continued fraction (Lentz's method), for x up to (a + 1) / (a + b + 2).

    Up to there all of its denominators are positive, and none has to be kept from being 0.
    """
    c, d = 1.0, 1.0 / (1.0 - (a + b) * x / (a + 1.0))
    value = d
    for m in range(1, 10_000):
        twice = a + 2 * m
        even = m * (b - m) * x / ((twice - 1.0) * twice)
        d = 1.0 / (1.0 + even * d)
        c = 1.0 + even / c
        value *= d * c
        odd = -(a + m) * (a + b + m) * x / (twice * (twice + 1.0))
        d = 1.0 / (1.0 + odd * d)
        c = 1.0 + odd / c
        step = d * c
        value *= step
        if abs(step - 1.0) < 1e-15:
            break
    return value


def beta_quantile(probability: float, a: float, b: float) -> float:
    """Invert :func:`beta_cdf` by Newton's method, with bisection wherever a step would leave the bracket."""
    if probability <= 0.0:
        return 0.0
    if probability >= 1.0:
        return 1.0
    low, high, x = 0.0, 1.0, a / (a + b)
    while low < x < high:
        error = beta_cdf(x, a, b) - probability
        low, high = (x, high) if error < 0.0 else (low, x)
        density = _beta_front(x, a, b) / (x * (1.0 - x))
        step = error / density if density else math.inf
        if abs(step) > 1e-14 * x:  # else it stays at an end of the bracket, which ends the search
            x = x - step if low < x - step < high else 0.5 * (low + high)
    return x


def student_quantile(probability: float, freedom: float) -> float:
    """Return the quantile of Student's t: t² / (t² + freedom) is a beta variable."""
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
    """Return the quantile from that of the normal, by powers of 1 / freedom (Fisher and Cornish 1960)."""
    s = z * z
    terms = (
        (s + 1) / 4,
        (5 * s**2 + 16 * s + 3) / 96,
        (3 * s**3 + 19 * s**2 + 17 * s - 15) / 384,
        (79 * s**4 + 776 * s**3 + 1482 * s**2 - 1920 * s - 945) / 92160,
    )
    return z + sum(z * term / freedom**power for power, term in enumerate(terms, 1))


def student_tail(t: float, freedom: float) -> float:
    """Return the probability that a variable of Student's t is t or more.

    Half the incomplete beta function of freedom / (freedom + t²), as in Abramowitz and Stegun (1964), 26.7.1. Its
    factor is written out, because log-gammas of thousands, taken from each other, would leave only twelve digits.
    """
    if t < 0.0:
        return 1.0 - student_tail(-t, freedom)
    half = freedom / 2.0
    squared = t * t / freedom
    if math.isinf(squared):
        return 0.0
    centre, outside = squared / (1.0 + squared), 1.0 / (1.0 + squared)
    factor = _gamma_ratio(half) * math.sqrt(centre / math.pi) * math.exp(-half * math.log1p(squared))
    if centre < 3.0 / (freedom + 5.0):  # the fraction converges fast on this side, and the tail is not small
        return 0.5 - factor * _beta_fraction(centre, 0.5, half)
    return 0.5 * factor * _beta_fraction(outside, half, 0.5) / half


@lru_cache(maxsize=16)  # a ranking asks for thousands of tails with the same degrees of freedom
def _gamma_ratio(a: float) -> float:
    """Return Γ(a + 1/2) / Γ(a), from its expansion if the gammas would overflow."""
    if a < _LARGE:
        return math.gamma(a + 0.5) / math.gamma(a)
    return _expanded_gamma_ratio(a)


def _expanded_gamma_ratio(a: float) -> float:
    """Return the ratio by powers of 1 / a (Tricomi and Erdélyi 1951)."""
    terms = (1.0, -1 / 8, 1 / 128, 5 / 1024, -21 / 32768, -399 / 262144)
    return math.sqrt(a) * math.fsum(term / a**power for power, term in enumerate(terms))


def binomial_tail(k: int, n: int, p: float = 0.5) -> float:
    """Return the probability of k or more successes in n trials; of k or fewer: ``binomial_tail(n - k, n, 1 - p)``."""
    if k <= 0 or k > n:
        return 1.0 if k <= 0 else 0.0
    if not 0.0 < p < 1.0:
        return 1.0 if p >= 1.0 else 0.0
    if k <= n * p:
        return 1.0 - _upper_binomial_tail(n - k + 1, n, 1.0 - p, p)
    return _upper_binomial_tail(k, n, p, 1.0 - p)


def _upper_binomial_tail(k: int, n: int, p: float, q: float) -> float:
    """Return the tail from a k above the mean: the probability of k, then each by its ratio to the one before."""
    total = term = _binomial_probability(k, n, p, q)
    while term > 1e-17 * total:  # after the probability of n, it is 0
        term *= (n - k) / (k + 1) * (p / q)
        total += term
        k += 1
    return total


def _binomial_probability(k: int, n: int, p: float, q: float) -> float:
    """Return the probability of k successes, by Loader's expansion around the mean (2000), precise at any n."""
    if k == n:
        return p**n
    excess = k - n * p
    deviance = k * math.log1p(excess / (n * p)) + (n - k) * math.log1p(-excess / (n * q))
    stirling = _stirling_error(n) - _stirling_error(k) - _stirling_error(n - k)
    return math.exp(stirling - deviance) * math.sqrt(n / (2.0 * math.pi * k * (n - k)))


def _stirling_error(n: int) -> float:
    """Return log n! less Stirling's formula."""
    if n < 16:
        return math.log(math.factorial(n)) - 0.5 * math.log(2.0 * math.pi * n) - n * math.log(n) + n
    s = 1.0 / (n * n)
    return (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - 1 / 1188 * s) * s) * s) * s) / n
