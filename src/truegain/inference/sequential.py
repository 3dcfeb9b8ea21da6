"""Draw only as many resamples as the decision needs (Gandy 2009; Fischer and Ramdas 2024).

After r resamples with c exceedances, the likelihood of the value p against a uniform mixture of all values is at most
1/ε for the true p with probability 1 − ε, at all r together (Ville's inequality). The values that pass are a confidence
sequence: one may look after any number of resamples, and stop when one likes.
"""

from __future__ import annotations

import math
from collections.abc import Callable

#: The probability that any decision is wrong.
ERROR = 1e-3
#: Resamples before the first look; every further look doubles them.
FIRST = 1_000
#: No more resamples than these.
CAP = 1_000_000


def confidence_sequence(exceedances: int, resamples: int, error: float = ERROR) -> tuple[float, float]:
    """Return the values of p with B(c + 1, r − c + 1) / (p^c (1 − p)^(r − c)) < 1 / error."""
    c, r = exceedances, resamples
    mixture = math.lgamma(c + 1) + math.lgamma(r - c + 1) - math.lgamma(r + 2)
    limit = mixture + math.log(error)

    def passes(p: float) -> bool:
        return _log_power(p, c) + _log_power(1.0 - p, r - c) > limit

    centre = c / r
    return _edge(0.0, centre, passes), _edge(1.0, centre, passes)


def _log_power(base: float, exponent: int) -> float:
    if exponent == 0:
        return 0.0
    return exponent * math.log(base) if base > 0.0 else -math.inf


def _edge(outer: float, inner: float, passes: Callable[[float], bool]) -> float:
    """Bisect between a value that need not pass and one that does; return the outer side of the edge."""
    if passes(outer):
        return outer
    for _ in range(60):
        middle = 0.5 * (outer + inner)
        if passes(middle):
            inner = middle
        else:
            outer = middle
    return outer


def stages(cap: int = CAP) -> list[int]:
    """Return after how many resamples to look: 1,000, 2,000, 4,000, … and the cap."""
    looks = []
    size = FIRST
    while size < cap:
        looks.append(size)
        size *= 2
    return [*looks, cap]
