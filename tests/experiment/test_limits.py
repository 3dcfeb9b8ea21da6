"""No interval ends beyond what a score can be."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import truegain as tg
from truegain.experiment import limits_of
from truegain.inference.intervals import INTERVALS
from truegain.metrics.lookup import make_metric
from truegain.metrics.segment_scores import SegmentScores
from truegain.registry import METRICS

RIGHT = np.arange(19) < 17
BETTER = np.arange(19) < 18


def ends(result: Any) -> list[float]:
    return [end for one in result.scores for end in (one.interval.low, one.interval.high)]


@pytest.mark.parametrize("method", INTERVALS)
@pytest.mark.parametrize("top", [1.0, 100.0])
def test_shares_and_ratings(method: Any, top: float) -> None:
    given = {"base": top * RIGHT, "new": top * BETTER}
    for call in (tg.compare, tg.rank, tg.score):
        if method == "test" and call is not tg.compare:
            continue  # only a gain has a test
        found = call(None, given, metrics=["scores"], resamples=300, interval=method)
        assert 0.0 <= min(ends(found)) < max(ends(found)) <= top
        assert (max(ends(found)) == top) == (method != "test")
    few = {"base": np.zeros(4), "new": np.array([0, 1, 1, 1.0])}
    gained = tg.compare(None, few, metrics=["scores"], resamples=99, interval="percentile")
    assert gained.comparisons[0].interval.high == 1.0


def test_labels() -> None:
    labels = [["a" if one else "b" for one in side] for side in (RIGHT, BETTER)]
    systems = {"base": labels[0], "new": labels[1]}
    found = tg.compare(["a"] * 19, systems, metrics=["accuracy"], resamples=300, interval="basic")
    assert max(ends(found)) == 100.0


def test_runs_are_drawn_within_the_range_too_and_so_are_the_bounds_of_a_gate() -> None:
    runs = {"base": [1.0 * RIGHT, 1.0 * BETTER], "new": [1.0 * BETTER, np.append(0.0, np.ones(18))]}
    found = tg.intervals(None, runs, metrics=["scores"], resamples=99)
    assert max(one.interval.high for one in found.intervals) == 1.0
    given = {"base": np.zeros(4), "new": np.array([0.0, 1.0, 1.0, 1.0])}
    check = tg.gate(None, given, metrics=["scores"], resamples=99, test="bootstrap").checks[0]
    assert check.upper == 1.0


def test_what_is_not_known_is_not_cut() -> None:
    given = {"base": 0.9 * RIGHT + 0.01, "new": 0.9 * BETTER + 0.01}
    assert max(ends(tg.compare(None, given, metrics=["scores"], resamples=300))) > 0.91
    assert limits_of(SegmentScores(), [np.array([[-0.5, 1.0], [1.0, 1.0]])]) == (-math.inf, math.inf)
    assert limits_of(SegmentScores(over="w"), [np.array([[0.0, 1.0], [1.0, 1.0]])]) == (-math.inf, math.inf)
    assert limits_of(SegmentScores(), [np.array([[0.0, 1.0], [700.0, 1.0]])]) == (0.0, math.inf)


def test_every_metric_of_texts_says_its_range() -> None:
    settings = {"rouge": "rouge:n=3"}
    for name in METRICS:
        metric = make_metric(settings.get(name, name))
        if metric.reads == "text":
            assert limits_of(metric)[0] > -math.inf, name
