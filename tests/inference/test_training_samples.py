"""Training samples: means of their runs, the matched test, swaps within samples, components of variance."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from tests.known import known
from truegain.inference.pvalues import Alternative
from truegain.inference.replicas import SystemRuns, crossed_bound
from truegain.inference.training_samples import (
    components,
    least_swapping_p,
    matched_test,
    paired_interval,
    sample_means,
    swapping_test,
)
from truegain.statistics import mean_of_runs

Floats = NDArray[np.float64]


def runs_of(scores: Floats) -> SystemRuns:
    """Runs (runs, segments) whose score is the mean over segments."""
    return SystemRuns(scores.mean(1), (scores.sum(1, keepdims=True) - scores) / (scores.shape[1] - 1))


def some(runs: int, segments: int, seed: int) -> Floats:
    return np.random.default_rng(seed).normal(size=(runs, segments))


def test_the_mean_of_samples_is_that_of_the_means_of_their_runs() -> None:
    scores = np.array([[1.0, 10.0], [3.0, 30.0], [9.0, 90.0]])
    assert mean_of_runs(scores, (0, 1, 0)).tolist() == [(5.0 + 3.0) / 2, (50.0 + 30.0) / 2]
    assert mean_of_runs(scores).tolist() == mean_of_runs(scores, (0, 1, 2)).tolist()
    balanced = np.random.default_rng(1).normal(size=(4, 3))
    assert mean_of_runs(balanced, (0, 1, 1, 0)).tolist() == mean_of_runs(balanced).tolist()  # to the last bit


def test_means_of_samples_have_scores_and_left_out_scores() -> None:
    scores = some(5, 12, 1)
    found = sample_means(runs_of(scores), (1, 0, 1, 0, 0))
    by_hand = runs_of(np.stack([scores[[1, 3, 4]].mean(0), scores[[0, 2]].mean(0)]))
    np.testing.assert_allclose(found.scores, by_hand.scores)
    np.testing.assert_allclose(found.left_out, by_hand.left_out)


@pytest.mark.parametrize("samples", [3, 6])
def test_the_matched_test_by_hand(samples: int) -> None:
    old, new = some(samples, 30, 2), some(samples, 30, 3) + 0.4
    gains = new - old
    delta = float(gains.mean())
    over_segments = float(gains.mean(0).var(ddof=1) / 30)
    shared = sum(float((row - gains.mean(0)).var(ddof=1)) / 30 for row in gains) / (samples - 1) / samples
    common, over_samples = max(over_segments - shared, 0.0), float(gains.mean(1).var(ddof=1) / samples)
    variance = common + over_samples
    freedom = variance / (common / 29 + over_samples / (samples - 1))
    found = matched_test(delta, runs_of(old), runs_of(new), effective_units=30.0)
    assert found.separate == found.pooled == pytest.approx((variance, freedom))
    assert found.p == pytest.approx(2 * stats.t.sf(abs(delta) / math.sqrt(variance), freedom))
    reach = stats.t.ppf(0.975, freedom) * math.sqrt(variance)
    assert (found.interval.low, found.interval.high) == pytest.approx((delta - reach, delta + reach))
    one_sided = matched_test(delta, runs_of(old), runs_of(new), effective_units=30.0, alternative="greater")
    bound = crossed_bound(delta, one_sided, alternative="greater", alpha=0.05)
    shifted = matched_test(
        delta, runs_of(old), runs_of(new), effective_units=30.0, alternative="greater", null_gain=bound
    )
    assert shifted.p == pytest.approx(0.05)


def test_what_samples_share_does_not_count_in_the_matched_test() -> None:
    old, new = some(4, 30, 4), some(4, 30, 5)
    effects = 100.0 * np.arange(4.0)[:, None]
    alone, shared = (
        matched_test(0.3, runs_of(old + one), runs_of(new + one), effective_units=30.0) for one in (0.0, effects)
    )
    assert shared.separate == pytest.approx(alone.separate)


def test_equal_differences_leave_the_variance_over_segments() -> None:
    old = some(3, 20, 6)
    found = matched_test(0.5, runs_of(old), runs_of(old + some(1, 20, 7)), effective_units=20.0)
    assert found.separate == pytest.approx((found.selection_variance, 19.0), rel=1e-6)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_swaps_within_samples_are_all_counted(alternative: Alternative) -> None:
    old, new = np.array([1.0, 2.0, 4.0, 3.0]), np.array([2.0, 2.5, 3.8, 4.0])
    gains = new - old
    flipped = [float(np.mean(signs * gains)) for signs in itertools.product((1.0, -1.0), repeat=4)]
    far = {
        "two-sided": [abs(one) >= gains.mean() - 1e-12 for one in flipped],
        "greater": [one >= gains.mean() - 1e-12 for one in flipped],
        "less": [one <= gains.mean() + 1e-12 for one in flipped],
    }[alternative]
    assert swapping_test(old, new, alternative=alternative, magnitude=4.0).p == pytest.approx(np.mean(far))
    best = swapping_test(old, old + np.arange(1.0, 5.0), alternative="two-sided", magnitude=4.0).p
    assert best == least_swapping_p(4, "two-sided") == 0.125
    best = swapping_test(old, old + np.arange(1.0, 5.0), alternative="greater", magnitude=4.0).p
    assert best == least_swapping_p(4, "greater") == 0.0625
    both = swapping_test(old, new, alternative="two-sided", magnitude=4.0)
    assert swapping_test(old, new, magnitude=4.0) == both
    drawn = swapping_test(old, new, magnitude=4.0, draws=np.zeros((9, 4), bool))
    assert (drawn.p, drawn.resamples) == (1.0, 9)


def test_the_interval_of_matched_samples_is_students() -> None:
    old, new = np.array([1.0, 2.0, 4.0]), np.array([2.0, 2.5, 4.5])
    expected = stats.ttest_rel(new, old).confidence_interval(0.9)
    found = paired_interval(old, new, 0.9)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))


def test_components_add_up() -> None:
    scores = np.array([1.0, 2.0, 4.0, 7.0, 7.5])
    found = components(SystemRuns(scores, scores[:, None]), (0, 0, 1, 2, 2))
    within = (np.var([1.0, 2.0], ddof=1) + np.var([7.0, 7.5], ddof=1)) / 2
    between = float(np.var([1.5, 4.0, 7.25], ddof=1))
    assert (found.between, found.within) == pytest.approx((between, within))
    assert found.sample == pytest.approx(between - within * (1 / 2 + 1 + 1 / 2) / 3)
    single = components(SystemRuns(scores, scores[:, None]), (0, 1, 2, 3, 4))
    assert (single.within, single.sample) == (None, None)
    alike = components(SystemRuns(scores, scores[:, None]), (0, 1, 0, 1, 0))
    assert known(alike.sample) < 0.0
