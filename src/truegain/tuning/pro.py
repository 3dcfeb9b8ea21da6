"""Pairwise ranking optimization (Hopkins and May 2011): a classifier of which of two hypotheses is better."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from truegain.metrics.base import Metric
from truegain.metrics.bleu import BLEU
from truegain.resampling.generator import RandomNumbers
from truegain.tuning.lists import Lists

_STEPS, _CLOSE = 100, 1e-10


@dataclass(frozen=True)
class Pairs:
    """Pairs of hypotheses: how many are drawn of a list, how far apart, how many are kept; the penalty of weights."""

    drawn: int = 5000
    least: float = 0.05
    kept: int = 50
    penalty: float = 1.0


def pro(lists: Lists, random: RandomNumbers, pairs: Pairs) -> NDArray[np.float64]:
    """Return the weights of a logistic regression on differences of features, divided by their spread in lists."""
    scale = np.where(lists.spread > 0.0, lists.spread, 1.0)
    better, worse = drawn_pairs(lists, random, pairs)
    if not better.size:
        return np.zeros(len(scale))
    return logistic_weights((lists.features[better] - lists.features[worse]) / scale, pairs.penalty) / scale


def drawn_pairs(lists: Lists, random: RandomNumbers, pairs: Pairs) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Draw pairs of hypotheses of one list, keep those furthest apart, and return the rows of the better and worse."""
    quality = sentence_quality(lists.metric, lists.statistics)
    better, worse = [], []
    for begin, end in zip(lists.edges[:-1].tolist(), lists.edges[1:].tolist(), strict=True):
        if end - begin < 2:
            continue
        drawn = random.integers(begin, end, pairs.drawn, 2)
        gains = quality[drawn[:, 0]] - quality[drawn[:, 1]]
        apart = np.flatnonzero(np.abs(gains) >= pairs.least)
        kept = apart[np.argsort(-np.abs(gains[apart]), kind="stable")[: pairs.kept]]
        turned = gains[kept] < 0.0
        better.append(np.where(turned, drawn[kept, 1], drawn[kept, 0]))
        worse.append(np.where(turned, drawn[kept, 0], drawn[kept, 1]))
    return _joined(better), _joined(worse)


def _joined(rows: list[NDArray[np.int64]]) -> NDArray[np.int64]:
    return np.concatenate(rows) if rows else np.empty(0, np.int64)


def sentence_quality(metric: Metric, statistics: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the score of each hypothesis alone, more for better ones, and points as shares of 100.

    BLEU has one added to the counts of orders above the first (BLEU+1), so that hardly any sentence scores zero.
    """
    own = replace(metric, smooth_method="add-k", smooth_value=1.0) if isinstance(metric, BLEU) else metric
    if not isinstance(metric, BLEU):
        own = getattr(metric, "for_segments", metric)
    scores = np.nan_to_num(own.score(statistics), nan=0.0)
    return scores * (-0.01 if metric.higher_is_better is False else 0.01)


def logistic_weights(differences: NDArray[np.float64], penalty: float) -> NDArray[np.float64]:
    """Return the weights that minimise the logistic loss of all pairs, each both ways, and half the penalty × w².

    Both ways a pair has the same loss, so each counts twice; there is no intercept. Newton's method, halving steps.
    """
    weights = np.zeros(differences.shape[1])
    loss = _loss(differences, weights, penalty)
    for _ in range(_STEPS):
        wrong = 1.0 / (1.0 + np.exp(np.clip(differences @ weights, -700.0, 700.0)))
        slope = penalty * weights - 2.0 * (wrong @ differences)
        curve = penalty * np.eye(len(weights)) + 2.0 * (differences.T * (wrong * (1.0 - wrong))) @ differences
        step = np.linalg.solve(curve, slope)
        size = 1.0
        while (tried := _loss(differences, weights - size * step, penalty)) > loss and size > _CLOSE:
            size /= 2.0
        weights, loss = weights - size * step, min(loss, tried)
        if float(np.abs(size * step).max()) < _CLOSE:
            break
    return weights


def _loss(differences: NDArray[np.float64], weights: NDArray[np.float64], penalty: float) -> float:
    return float(2.0 * np.logaddexp(0.0, -(differences @ weights)).sum() + 0.5 * penalty * weights @ weights)
