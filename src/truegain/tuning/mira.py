"""Batch MIRA on k-best lists (Cherry and Foster 2012)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from truegain.kernels import envelopes, run
from truegain.resampling.generator import RandomNumbers
from truegain.tuning.lists import Lists


@dataclass(frozen=True)
class Steps:
    """Moves of the weights: the largest step, the number of passes, and the share of the background that is kept."""

    largest: float = 0.01
    passes: int = 60
    decay: float = 0.999


def mira(lists: Lists, random: RandomNumbers, steps: Steps) -> NDArray[np.float64]:
    """Return the averaged weights after the pass whose corpus score is best.

    For each list the *hope* has the highest score under model and metric together, the *fear* the highest under the
    model less the metric. Weights move towards the hope if the fear is too near. The metric's gain is that of the
    sentence added to a background of hopes, times what the background's score divides by (BLEU: words of references),
    so that it counts words, not percent.
    """
    scale = np.where(lists.spread > 0.0, lists.spread, 1.0)
    features = np.ascontiguousarray(lists.features / scale)
    weights = np.zeros(len(scale))
    total = np.zeros(len(scale))
    best, found = -np.inf, weights
    background = np.ones(lists.statistics.shape[1])
    edges = lists.edges.tolist()
    for number in range(1, steps.passes + 1):
        for one in random.permutation(lists.count).tolist():
            rows = slice(edges[one], edges[one + 1])
            own = features[rows]
            model, gains = np.empty(len(own)), metric_gains(lists, background, rows)
            run(envelopes.project, own, weights, model)
            hope, fear = int(np.argmax(model + gains)), int(np.argmax(model - gains))
            away = own[hope] - own[fear]
            loss = gains[hope] - gains[fear] - (model[hope] - model[fear])
            length = float((away * away).sum())
            if loss > 0.0 and length > 0.0:
                weights = weights + min(steps.largest, loss / length) * away
            background = steps.decay * background + lists.statistics[rows][hope]
            total += weights
        average = total / (number * lists.count) / scale
        quality = float(lists.quality(lists.statistics[lists.best(average)].sum(axis=0) + lists.rest))
        if quality > best:
            best, found = quality, average
    return found


def metric_gains(lists: Lists, background: NDArray[np.float64], rows: slice) -> NDArray[np.float64]:
    """Return what each hypothesis brings to the background, in units of what the score divides by."""
    divides = list(getattr(lists.metric, "denominator", ()))
    size = float(background[divides].sum()) if divides else 1.0
    return lists.quality(background + lists.statistics[rows]) / 100.0 * size
