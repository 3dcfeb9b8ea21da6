"""The oracle against all choices of small lists."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from tests.tuning.test_optimizers import made
from truegain.metrics.bleu import BLEU
from truegain.metrics.ter import TER
from truegain.tuning.oracle import oracle


@pytest.mark.parametrize("metric", [BLEU(tokenize="none"), TER()], ids=["bleu", "ter"])
@pytest.mark.parametrize("worst", [False, True])
def test_small_lists_against_all_choices(metric: Any, worst: bool) -> None:
    found = 0
    for seed in range(10):
        lists = made(seed, metric, sentences=4, size=5)
        ranges = [range(a, b) for a, b in itertools.pairwise(lists.edges.tolist())]
        every = [lists.statistics[list(rows)].sum(axis=0) for rows in itertools.product(*ranges)]
        wanted = (min if worst else max)(lists.quality(np.array(every)))
        own = lists.quality(lists.statistics[oracle(lists, worst=worst)].sum(axis=0))
        assert own >= wanted - 1e-9 if worst else own <= wanted + 1e-9
        found += abs(own - wanted) < 1e-9
    assert found >= 8  # a greedy search may miss a choice of several at once


def test_no_weights_are_beyond_it() -> None:
    lists = made(3, BLEU(tokenize="none"))
    scores = [lists.score(weights) for weights in np.random.default_rng(1).normal(size=(200, 4))]
    chosen = [lists.statistics[oracle(lists, worst=one)].sum(axis=0) for one in (False, True)]
    best, worst = (float(lists.metric.score(statistics)) for statistics in chosen)
    assert worst < min(scores) <= max(scores) < best
