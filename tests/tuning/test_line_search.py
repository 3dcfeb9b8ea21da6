"""The exact line search against brute force over all points at which two lines of a list meet."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from truegain.metrics.bleu import BLEU
from truegain.metrics.chrf import CHRF
from truegain.metrics.ter import TER
from truegain.tuning.line_search import best_on_line
from truegain.tuning.lists import Lists

METRICS: dict[str, Any] = {"bleu": BLEU(tokenize="none"), "chrf": CHRF(), "ter": TER()}
WORDS = ("the", "cat", "sat", "on", "a", "mat", "black")


def drawn(random: np.random.Generator, metric: Any) -> Lists:
    """Lists of few words and small whole features, so that lines are often parallel, equal, or meet in one point."""
    sizes = random.integers(1, 7, random.integers(1, 6))
    references = [" ".join(random.choice(WORDS, random.integers(2, 6))) for _ in sizes]
    texts = [" ".join(random.choice(WORDS, random.integers(1, 7))) for _ in range(sizes.sum())]
    wanted = [reference for reference, size in zip(references, sizes, strict=True) for _ in range(size)]
    statistics = np.asarray(metric.statistics(texts, [wanted]), np.float64)
    edges = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    features = random.integers(-3, 4, (len(texts), 3)).astype(float)
    return Lists(edges, features, statistics, np.zeros(statistics.shape[1]), metric)


def by_hand(lists: Lists, weights: NDArray[np.float64], direction: NDArray[np.float64]) -> float:
    """The best quality between any two neighbouring points at which lines of one list meet."""
    values, slopes = lists.features @ weights, lists.features @ direction
    points = set()
    for begin, end in itertools.pairwise(lists.edges):
        for i, j in itertools.combinations(range(begin, end), 2):
            if slopes[i] != slopes[j]:
                points.add((values[i] - values[j]) / (slopes[j] - slopes[i]))
    ends = sorted(points) or [0.0]
    middles = [ends[0] - 1.0, *((a + b) / 2 for a, b in itertools.pairwise(ends) if b - a > 1e-6), ends[-1] + 1.0]
    found = []
    for x in middles:
        scores = values + x * slopes
        best = [begin + int(np.argmax(scores[begin:end])) for begin, end in itertools.pairwise(lists.edges)]
        found.append(float(lists.quality(lists.statistics[best].sum(axis=0))))
    return max(found)


@pytest.mark.whole
@pytest.mark.parametrize("metric", METRICS)
def test_a_thousand_lists_against_brute_force(metric: str) -> None:
    random = np.random.default_rng(20_030_707)
    tied = 0
    for _ in range(1000):
        lists = drawn(random, METRICS[metric])
        weights, direction = random.integers(-2, 3, (2, 3)).astype(float)
        found = best_on_line(lists, weights, direction)
        assert found.quality == pytest.approx(by_hand(lists, weights, direction), abs=1e-9)
        values, slopes = lists.features @ weights, lists.features @ direction
        lines = np.stack([values, slopes])
        equal = any(len(np.unique(lines[:, a:b], axis=1).T) < b - a for a, b in itertools.pairwise(lists.edges))
        tied += equal
        if not equal:  # rounding decides between equal lines of different features
            at = lists.best(weights + found.step * direction)
            assert lists.quality(lists.statistics[at].sum(axis=0)) == pytest.approx(found.quality, abs=1e-9)
    assert 100 < tied < 900  # with two equal lines in a list


def test_a_line_that_changes_nothing_stays() -> None:
    assert best_on_line(drawn(np.random.default_rng(1), METRICS["bleu"]), np.ones(3), np.zeros(3)).step == 0.0


def test_segments_without_a_hypothesis_count() -> None:
    lists = drawn(np.random.default_rng(2), METRICS["ter"])
    rest = np.zeros_like(lists.rest)
    rest[1] = 40.0  # words of references
    more = Lists(lists.edges, lists.features, lists.statistics, rest, lists.metric)
    weights = np.ones(3)
    assert more.score(weights) < lists.score(weights)
