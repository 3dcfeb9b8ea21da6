"""Adjusting p-values for the number of comparisons."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["holm"]


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjust by Holm's step-down procedure (1979), which controls the family-wise error rate.

    The smallest p-value is multiplied by their number, the next by one less, and so on; the adjusted values never
    decrease in that order and never exceed 1.
    """
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    for rank, index in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = highest
    return adjusted
