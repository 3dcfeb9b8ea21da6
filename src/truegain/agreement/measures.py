"""Measures of agreement between people and metrics, as functions of arrays.

Systems stand in the order that was given, and pairs are those of a system and a later one: soft pairwise accuracy
depends on that order, since one-sided p-values with ties do.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from truegain.agreement.judged import Array, Pairs

_tail = np.frompyfunc(lambda z: 0.5 * math.erfc(z / math.sqrt(2.0)), 1, 1)


def pairwise_agreement(human: Array, metric: Array) -> NDArray[np.bool_]:
    """Return whether a metric orders each pair of systems as people do (Kocmi et al. 2021): (…, systems) to (…, pairs).

    A pair that both find equal counts as agreement; one that only one of them does, as none.
    """
    pairs = Pairs(human.shape[-1])
    sides = [np.sign(one[..., pairs.first] - one[..., pairs.second]) for one in (human, metric)]
    return np.asarray(sides[0] == sides[1])


def randomization_p(scores: Array, signs: NDArray[np.float32]) -> Array:
    """Return the p-value that the first system of each pair is no better, by randomization: shape (pairs,).

    The share of random signs of segments with which the difference of means is as large as without, as mt-metrics-eval
    counts it: the observed difference is not one of them, and ties count.

    Parameters
    ----------
    scores : array (systems, segments)
    signs : array (resamples, segments)
        1 and -1.
    """
    pairs = Pairs(len(scores))
    centred = scores - scores.mean()  # what all systems share cancels, and need not be rounded
    nulls = signs.astype(np.float64) @ centred.T
    observed = centred.sum(axis=1)
    slack = 1e-9 * max(float(np.abs(nulls).max(initial=0.0)), float(np.abs(observed).max()))
    return np.array(
        [
            np.mean(nulls[:, i] - nulls[:, j] >= observed[i] - observed[j] - slack)
            for i, j in zip(pairs.first.tolist(), pairs.second.tolist(), strict=True)
        ]
    )


def normal_tails(z: Array) -> Array:
    """Return the probability that a standard normal variable is as large, number by number."""
    return np.asarray(_tail(z), np.float64)


def soft_agreement(human: Array, metric: Array) -> Array:
    """Return the terms of soft pairwise accuracy (Thompson et al. 2024) from p-values of pairs."""
    return np.asarray(1.0 - np.abs(human - metric))


def tie_accuracy(signs: NDArray[np.int8], differences: NDArray[np.floating]) -> tuple[float, float]:
    """Return the accuracy with ties (Deutsch et al. 2023) and the smallest tie threshold that reaches its maximum.

    Parameters
    ----------
    signs : array
        Which of each two translations people prefer; 0 for a tie.
    differences : array
        The difference of their metric scores. It is a tie if its size is at most the threshold.
    """
    sizes = np.abs(differences)
    tied, same = signs == 0, np.sign(differences) == signs
    counted = tied | same
    values = sizes[counted]
    steps = np.where(tied[counted], 1, -1)  # of what is right, as the threshold reaches the size
    order = np.argsort(values)
    values, totals = values[order], np.cumsum(steps[order])
    last = np.flatnonzero(np.append(values[1:] != values[:-1], True)) if values.size else np.empty(0, np.int64)
    thresholds = np.append(0.0, values[last])
    # Before any step: all pairs with a preference that the metric shares. A size of 0 is a tie from the start.
    right = np.append(0, totals[last]) + int(np.count_nonzero(same & ~tied))
    if last.size and thresholds[1] == 0.0:
        thresholds, right = thresholds[1:], right[1:]
    best = int(np.argmax(right))
    return float(right[best]) / signs.size, float(thresholds[best])


def tie_agreement(signs: NDArray[np.int8], differences: NDArray[np.floating], threshold: float) -> NDArray[np.bool_]:
    """Return whether a metric with a tie threshold says of each two translations what people say."""
    ties = np.abs(differences) <= threshold
    return np.asarray(np.where(ties, signs == 0, np.sign(differences) == signs))


def item_kendall(signs: NDArray[np.int8], differences: NDArray[np.floating], pairs: Pairs) -> Array:
    """Return Kendall's tau-b over systems of each segment: over all, then without each system if there are enough.

    NaN if people or the metric find all systems equal. Shape (segments, 1 + systems), or (segments, 1).

    Parameters
    ----------
    signs, differences : array (pairs, segments)
    """
    metric = np.sign(differences)
    counts = [
        pairs.means(terms.T.astype(np.float64)) for terms in (signs * metric, signs != 0, metric != 0.0)
    ]  # means are of equally many pairs: their ratios are those of counts
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(counts[0] / np.sqrt(counts[1] * counts[2]))


def correlation(moments: Array) -> Array:
    """Return Pearson's correlation from totals of 1, x, y, x², y² and xy, which stand along the last axis."""
    count, x, y, xx, yy, xy = np.moveaxis(moments, -1, 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        across = xy - x * y / count
        return np.asarray(across / np.sqrt((xx - x * x / count) * (yy - y * y / count)))
