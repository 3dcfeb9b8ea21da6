"""The tail of the noncentral t distribution: how likely a t-test is to show a difference that is there."""

from __future__ import annotations

import math

from truegain.inference.distributions import normal_tail, student_quantile

_NEGLIGIBLE = 45.0  # what the logarithm of a density falls by until nothing is lost
_STEPS = 160  # and more with few degrees of freedom, where the density is wide


def noncentral_student_tail(t: float, freedom: float, noncentrality: float) -> float:
    """Return the probability that (Z + noncentrality) / √(χ²/freedom) is t or more.

    Over what χ may be, in its logarithm: the density falls off fast on both sides, so that equal steps are as good as
    any quadrature.
    """
    scale = t / math.sqrt(freedom)
    centre = 0.5 * math.log(freedom)
    low, high = _reach(freedom, -1.0), _reach(freedom, 1.0)
    steps = _STEPS + round(1200.0 / freedom)
    step = (high - low) / steps
    total = found = 0.0
    for number in range(steps + 1):
        y = low + number * step
        weight = math.exp(_log_density(y, freedom))
        total += weight
        found += weight * normal_tail(scale * math.exp(centre + y) - noncentrality)
    return found / total


def _log_density(y: float, freedom: float) -> float:
    """Return the log density of log χ at y above its mode, relative to the density at the mode."""
    return freedom * (y - 0.5 * math.expm1(2.0 * y))


def _reach(freedom: float, side: float) -> float:
    """Return the distance from the mode, to one side, beyond which the density is negligible."""
    near, far = 0.0, side
    while _log_density(far, freedom) > -_NEGLIGIBLE:
        near, far = far, 2.0 * far
    for _ in range(30):
        middle = 0.5 * (near + far)
        if _log_density(middle, freedom) > -_NEGLIGIBLE:
            near = middle
        else:
            far = middle
    return far


def t_test_power(effect: float, freedom: float, *, alpha: float = 0.05, one_sided: bool = False) -> float:
    """Return the probability that a t-test is significant.

    Parameters
    ----------
    effect : float
        The true difference over its standard error, in the direction that a one-sided test looks.
    freedom : float
        Degrees of freedom of the standard error's estimate.
    alpha : float
    one_sided : bool
    """
    threshold = student_quantile(1.0 - (alpha if one_sided else alpha / 2.0), freedom)
    power = noncentral_student_tail(threshold, freedom, effect)
    if not one_sided:
        power += noncentral_student_tail(threshold, freedom, -effect)
    return min(power, 1.0)
