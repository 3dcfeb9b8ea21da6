"""Adjusting p-values for the number of comparisons, and which error rate each method controls.

The rates (Shaffer 1995; Okita and Way): PCER, of errors per comparison; PFER, the expected number of false rejections
in the family; FWER, the probability of any; FDR, the expected share of false ones among the rejections.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from truegain.errors import one_of
from truegain.inference.distributions import normal_quantile, student_quantile, student_tail
from truegain.inference.pvalues import Alternative

#: Westfall and Young's method, which needs the resamples themselves.
MAXT = "maxt"
#: Resamples that tell the spread of a comparison: more make it no better, and need not be held for it.
STANDARDISING = 10_000

_FACTOR_AT = 0.975  # the quantile that the small-sample factor is made for
_LEAST = 1e-300


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
    """Adjust by Hochberg (1988): Holm's factors from the largest p-value downwards."""
    return _step_up(p_values, lambda rank, count: count - rank)


def _benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """Adjust by Benjamini and Hochberg (1995)."""
    return _step_up(p_values, lambda rank, count: count / (rank + 1))


def _benjamini_yekutieli(p_values: Sequence[float]) -> list[float]:
    """Adjust by Benjamini and Yekutieli (2001): valid under any dependence, at the price of the harmonic sum."""
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
ADJUSTMENTS = (*_METHODS, MAXT)
#: The error rate that each controls.
CONTROLS = {
    "none": "PCER",
    "bonferroni": "PFER and FWER",
    "holm": "FWER",
    "hochberg": "FWER",
    "bh": "FDR",
    "by": "FDR",
    MAXT: "FWER",
}


def adjust(p_values: Sequence[float], method: str) -> list[float]:
    """Adjust p-values by one of :data:`ADJUSTMENTS` that needs only these."""
    if method not in _METHODS:
        raise one_of("adjust", method, list(ADJUSTMENTS))
    return _METHODS[method](p_values)


def thresholds(alpha: float, count: int, method: str) -> list[float]:
    """Return the thresholds for a p-value in a family of ``count``, by a method that needs only p-values."""
    if method not in _METHODS:
        raise one_of("adjust", method, list(_METHODS))
    if method == "none":
        return [alpha]
    if method == "bonferroni":
        return [alpha / count]
    if method in ("holm", "hochberg"):
        return [alpha / rank for rank in range(1, count + 1)]
    harmonic = sum(1.0 / rank for rank in range(1, count + 1)) if method == "by" else 1.0
    return [alpha * rank / (count * harmonic) for rank in range(1, count + 1)]


def max_t(
    deltas: Sequence[float],
    nulls: Sequence[NDArray[np.float64]],
    *,
    alternative: Alternative = "two-sided",
    slack: Sequence[float],
    null_gain: float = 0.0,
    freedom: float | None = None,
) -> list[float]:
    """Adjust by the step-down maxT procedure of Westfall and Young (1993, algorithm 4.1), which controls the FWER.

    The differences of one resample belong together, so the correlation between comparisons is used: if systems are
    similar, less is taken off than by Holm's method.

    Parameters
    ----------
    deltas : sequence of float
        Observed differences.
    nulls : sequence of arrays (resamples,)
        Differences under the null, those of one resample at the same place. Each is divided by its root mean square
        over the first :data:`STANDARDISING`, so that comparisons of different spread weigh the same.
    alternative : "two-sided", "greater" or "less"
    slack : sequence of float
        What counts as a tie, for each comparison.
    null_gain : float
        What the differences under the null lie around.
    freedom : float, optional
        Of bootstrap deviations: the degrees of freedom of their small-sample factor, see :func:`to_their_tails`.
    """
    count, resamples = len(deltas), len(nulls[0])
    observed = np.full(count, -np.inf)
    statistics: list[NDArray[np.float64] | None] = []
    for i, (delta, null) in enumerate(zip(deltas, nulls, strict=True)):
        beyond, deviations = delta - null_gain, null - null_gain
        far = float(_side(np.array(beyond), alternative)) - slack[i]
        spread = float(np.sqrt(np.mean(deviations[:STANDARDISING] ** 2)))
        if spread <= slack[i]:  # nothing ever differs: the two are the same, or apart by what never varies
            statistics.append(None if null_gain == 0.0 or far <= 0.0 else np.zeros(resamples))
            observed[i] = -np.inf if statistics[i] is None else np.inf
            continue
        observed[i] = far / spread
        statistics.append(_side(deviations, alternative) / spread)
    observed = to_their_tails(observed, freedom)
    order = np.argsort(-observed, kind="stable")
    highest = np.full(resamples, -np.inf)
    adjusted = [1.0] * count
    for i in order[::-1]:  # from the least extreme: the largest among this one and all after it
        values = statistics[i]
        if values is not None:
            np.maximum(highest, values, out=highest)
            adjusted[i] = (int(np.count_nonzero(highest >= observed[i])) + 1) / (resamples + 1)
    running = 0.0
    for i in order:
        running = max(running, adjusted[i])
        adjusted[i] = running
    return adjusted


def normal_max_t(p_values: Sequence[float], nulls: NDArray[np.float64], normals: NDArray[np.float64]) -> list[float]:
    """Adjust two-sided p-values of another test by maxT, for the correlations R of resamples but without their tails.

    Each p-value counts for the normal quantile of its own tail, and is compared with Z = R^(1/2) G: ``nulls`` has shape
    (comparisons, resamples), and ``normals``, the independent standard normal numbers G, (draws, comparisons).
    """
    if len(p_values) == 1:
        return list(p_values)
    spread = np.sqrt((nulls**2).mean(axis=1, keepdims=True))
    scaled = np.divide(nulls, spread, out=np.zeros_like(nulls), where=spread > 0.0)
    values, vectors = np.linalg.eigh(scaled @ scaled.T / scaled.shape[1])
    root = vectors * np.sqrt(np.maximum(values, 0.0)) @ vectors.T
    quantiles = [-normal_quantile(max(p, _LEAST) / 2.0) for p in p_values]
    return max_t(quantiles, list(root @ normals.T), slack=[1e-6] * len(quantiles))


def to_their_tails(observed: NDArray[np.float64], freedom: float | None) -> NDArray[np.float64]:
    """Bring observed statistics to the scale on which resampled ones are normal, each at its own height.

    The small-sample factor, which both are divided by, fits the 5 % of a single comparison. What the largest of many
    is held against lies further out, where Student's tail is longer still: there a statistic counts for the normal
    quantile of its own tail probability. Nearer to the centre it stays what it is, so that no adjusted p-value is below
    the plain one.
    """
    if freedom is None:
        return observed
    widened = student_quantile(_FACTOR_AT, freedom) / normal_quantile(_FACTOR_AT)
    found = observed.copy()
    for i in np.flatnonzero(np.isfinite(observed) & (observed > 0.0)):
        tail = max(student_tail(float(observed[i]) * widened, freedom), _LEAST)
        found[i] = min(float(observed[i]), -normal_quantile(tail))
    return found


def _side(values: NDArray[np.float64], alternative: Alternative) -> NDArray[np.float64]:
    if alternative == "two-sided":
        return np.abs(values)
    return values if alternative == "greater" else -values


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
