"""Minimum error rate training (Och 2003): exact line searches from many random starts."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from truegain.resampling.generator import RandomNumbers
from truegain.tuning.line_search import best_on_line
from truegain.tuning.lists import Lists

_LEAST = 1e-9  # a gain, in the metric's points
_ROUNDS = 100


def mert(lists: Lists, random: RandomNumbers, restarts: int) -> NDArray[np.float64]:
    """Return the best weights of several starts.

    Features are divided by their spread within lists. A start is drawn from -1 to 1 in every feature. Lines go along
    every feature, then along as many random directions, and again, until none of them gains.
    """
    scale = np.where(lists.spread > 0.0, lists.spread, 1.0)
    best, found = -np.inf, np.zeros(len(scale))
    for _ in range(restarts):
        weights, quality = _climb(lists, (2.0 * random.random(len(scale)) - 1.0) / scale, scale, random)
        if quality > best:
            best, found = quality, weights
    return found


def _climb(
    lists: Lists, weights: NDArray[np.float64], scale: NDArray[np.float64], random: RandomNumbers
) -> tuple[NDArray[np.float64], float]:
    quality = _quality(lists, weights)
    for _ in range(_ROUNDS):
        start = quality
        for direction in (*np.eye(len(scale)), *random.normals(len(scale), len(scale))):
            along = direction / scale
            tried = _in_box(weights + best_on_line(lists, weights, along).step * along, scale)
            own = _quality(lists, tried)  # at the point itself: the sums on the line may be rounded
            if own > quality + _LEAST:
                weights, quality = tried, own
        if quality <= start:
            break
    return weights, quality


def _in_box(weights: NDArray[np.float64], scale: NDArray[np.float64]) -> NDArray[np.float64]:
    """Scale weights so that the largest is 1: the best hypotheses stay the same, and steps of one size mean as much."""
    largest = float(np.abs(weights * scale).max())
    return weights / largest if largest > 0.0 else weights


def _quality(lists: Lists, weights: NDArray[np.float64]) -> float:
    return float(lists.quality(lists.statistics[lists.best(weights)].sum(axis=0) + lists.rest))
