"""On how many test sets does it hold? Partial conjunction (Benjamini and Heller 2008; Dror et al. 2017)."""

from __future__ import annotations

from collections.abc import Sequence


def partial_conjunction(p_values: Sequence[float]) -> list[float]:
    """Return the p-value of the claim "on at least u of the N", for u from 1 to N.

    Against the null hypothesis that there is an effect on fewer than u: Bonferroni's p-value of the N − u + 1 largest,
    p_u = (N − u + 1) p_(u), and its running maximum over u, since at least u are at least u − 1. Valid however the
    p-values depend on each other, as they do if the same trained systems are tested on every set. Taken in order,
    these are Holm's adjusted p-values; so on the sets whose p Holm's method keeps below alpha the effect is shown, and
    their number is the largest u.

    Parameters
    ----------
    p_values : sequence of float
        One-sided, one per test set.
    """
    found: list[float] = []
    count = len(p_values)
    for u, p in enumerate(sorted(p_values), 1):
        found.append(max([min(1.0, (count - u + 1) * p), *found[-1:]]))
    return found


def shown_on(claims: Sequence[float], alpha: float) -> int:
    """Return the largest u that is shown, or 0."""
    return sum(p <= alpha for p in claims)
