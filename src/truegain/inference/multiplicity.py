"""Adjusting p-values for the number of comparisons, and which error rate each method controls.

The rates (Shaffer 1995; Okita and Way): PCER, of errors per comparison; PFER, the expected number of false rejections
in the family; FWER, the probability of any; FDR, the expected share of false ones among the rejections.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from truegain.errors import one_of

__all__ = ["ADJUSTMENTS", "CONTROLS", "adjust", "holm"]


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjust by Holm's step-down procedure (1979), which controls the family-wise error rate.

    The smallest p-value is multiplied by their number, the next by one less, and so on; the adjusted values never
    decrease in that order and never exceed 1.
    """
    return _step_down(p_values, lambda rank, count: count - rank)


def _none(p_values: Sequence[float]) -> list[float]:
    return list(p_values)


def _bonferroni(p_values: Sequence[float]) -> list[float]:
    return [min(1.0, len(p_values) * p) for p in p_values]


def _hochberg(p_values: Sequence[float]) -> list[float]:
    """Hochberg (1988): Holm's factors from the largest p-value downwards."""
    return _step_up(p_values, lambda rank, count: count - rank)


def _benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """Benjamini and Hochberg (1995)."""
    return _step_up(p_values, lambda rank, count: count / (rank + 1))


def _benjamini_yekutieli(p_values: Sequence[float]) -> list[float]:
    """Benjamini and Yekutieli (2001): the same for any dependence, at the price of the harmonic sum."""
    harmonic = sum(1.0 / i for i in range(1, len(p_values) + 1))
    return _step_up(p_values, lambda rank, count: harmonic * count / (rank + 1))


def _step_down(p_values: Sequence[float], factor: Callable[[int, int], float]) -> list[float]:
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    for rank, index in enumerate(_ascending(p_values)):
        highest = max(highest, min(1.0, factor(rank, len(p_values)) * p_values[index]))
        adjusted[index] = highest
    return adjusted


def _step_up(p_values: Sequence[float], factor: Callable[[int, int], float]) -> list[float]:
    adjusted = [0.0] * len(p_values)
    lowest = 1.0
    for rank, index in reversed(list(enumerate(_ascending(p_values)))):
        lowest = min(lowest, factor(rank, len(p_values)) * p_values[index])
        adjusted[index] = lowest
    return adjusted


def _ascending(p_values: Sequence[float]) -> list[int]:
    return sorted(range(len(p_values)), key=p_values.__getitem__)


_METHODS: dict[str, Callable[[Sequence[float]], list[float]]] = {
    "none": _none,
    "bonferroni": _bonferroni,
    "holm": holm,
    "hochberg": _hochberg,
    "bh": _benjamini_hochberg,
    "by": _benjamini_yekutieli,
}

#: The methods by name.
ADJUSTMENTS = tuple(_METHODS)
#: The error rate that each controls.
CONTROLS = {"none": "PCER", "bonferroni": "PFER and FWER", "holm": "FWER", "hochberg": "FWER", "bh": "FDR", "by": "FDR"}


def adjust(p_values: Sequence[float], method: str) -> list[float]:
    """Adjust p-values by one of :data:`ADJUSTMENTS`."""
    if method not in _METHODS:
        raise one_of("adjust", method, list(ADJUSTMENTS))
    return _METHODS[method](p_values)
