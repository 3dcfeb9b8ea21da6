"""The share of pairs with a gain that people rank the same way."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from truegain.inference.all_pairs import pairs_of
from truegain.inference.rank_shares import RankedPairs, RankShares

METRIC = np.array([30.0, 31.0, 31.5, 33.0, 35.5, 36.0, 40.0])
HUMAN = np.array([1.0, 3.0, 2.0, 2.5, 6.0, 4.0, 7.0])


def test_pairs_are_those_of_systems_and_a_tie_of_people_is_half() -> None:
    pairs = RankedPairs(np.array([1.0, 3.0, 2.0]), np.array([5.0, 6.0, 6.0]))
    assert pairs.gains.tolist() == [2.0, 1.0, 1.0]
    assert pairs.same.tolist() == [1.0, 1.0, 0.5]


def test_the_slope_is_that_of_a_logistic_regression_with_firths_penalty() -> None:
    own = RankedPairs(METRIC, HUMAN)
    shares = RankShares([own])
    x, same = own.gains / shares.unit, own.same
    slopes = np.linspace(0.01, 6.0, 60_000)
    p = 1.0 / (1.0 + np.exp(-slopes[:, None] * x))
    likelihood = (same * np.log(p) + (1.0 - same) * np.log1p(-p)).sum(1)
    best = slopes[np.argmax(likelihood + 0.5 * np.log((x**2 * p * (1.0 - p)).sum(1)))]
    ((share, low, high),) = shares.at([2.0], 0.95)
    assert share == pytest.approx(1.0 / (1.0 + math.exp(-best * 2.0 / shares.unit)), abs=1e-4)
    assert 0.0 <= low < share < high <= 1.0


def test_shares_are_one_half_without_a_gain_and_grow_with_it() -> None:
    found = RankShares([RankedPairs(METRIC, HUMAN)]).at([0.0, 0.5, 1.0, 4.0, 10.0], 0.95)
    assert found[0] == (0.5, 0.5, 0.5)
    for place in (0, 2):
        values = [one[place] for one in found]
        assert values == sorted(values)
    narrow, wide = (RankShares([RankedPairs(METRIC, HUMAN)]).at([3.0], level)[0] for level in (0.5, 0.99))
    assert wide[1] < narrow[1] < narrow[0] < narrow[2] < wide[2]


def test_the_interval_has_the_variance_over_systems() -> None:
    own = RankedPairs(METRIC, HUMAN)
    shares = RankShares([own])
    ((share, low, high),) = shares.at([shares.unit], 0.8)
    slope, least, most = (math.log(one / (1.0 - one)) for one in (share, low, high))
    x = own.gains / shares.unit
    p = 1.0 / (1.0 + np.exp(-slope * x))
    residuals, information = x * (own.same - p), float((x**2 * p * (1.0 - p)).sum())
    first, second = pairs_of(7)
    by_system = np.array([residuals[(first == j) | (second == j)].sum() for j in range(7)])
    # The sum over pairs without system j is the sum less what has j: the jackknife of their mean, times 21.
    means = (residuals.sum() - by_system) / 15
    spread = 21**2 * 6 / 7 * ((means - means.mean()) ** 2).sum()
    assert spread > information / 2
    error = math.sqrt(max(spread, information)) / information
    quantile = 1.4397557472577691  # of Student's t with 6 degrees of freedom
    assert (slope - least, most - slope) == pytest.approx((quantile * error, quantile * error), rel=1e-9)


def test_all_pairs_alike_are_no_certainty_and_the_other_way_round_mirrors() -> None:
    ((share, low, high),) = RankShares([RankedPairs(METRIC, METRIC)]).at([1.0], 0.95)
    assert low < share < high <= 1.0
    assert share < 0.99
    ((against, least, most),) = RankShares([RankedPairs(METRIC, -METRIC)]).at([1.0], 0.95)
    assert (against, least, most) == pytest.approx((1.0 - share, 1.0 - high, 1.0 - low))


def test_scales_do_not_matter_and_test_sets_are_strata() -> None:
    one = RankShares([RankedPairs(METRIC, HUMAN)]).at([2.0], 0.95)[0]
    scaled = RankShares([RankedPairs(METRIC / 100.0, HUMAN * 7.0)]).at([0.02], 0.95)[0]
    assert scaled == pytest.approx(one)
    twice = RankShares([RankedPairs(METRIC, HUMAN)] * 2)
    ((share, low, high),) = twice.at([2.0], 0.95)
    assert twice.freedom == 12
    assert share == pytest.approx(one[0], abs=0.04)  # the penalty weighs less
    assert high - low < one[2] - one[1]
    assert twice.largest == 10.0


@pytest.mark.whole
@pytest.mark.parametrize(("heavy", "least"), [(1.0, 0.92), (4.0, 0.86)])
@pytest.mark.parametrize(("systems", "noise"), [(12, 0.3), (12, 0.8), (15, 0.8), (15, 2.0)])
def test_the_interval_covers_the_share_among_all_systems(
    systems: int, noise: float, heavy: float, least: float
) -> None:
    """People's scores are the metric's and noise, which is ``heavy`` times as large for 15 % of systems."""
    random = np.random.default_rng(systems)

    def noises(count: int) -> NDArray[np.float64]:
        return random.normal(0.0, noise, count) * np.where(random.random(count) < 0.15, heavy, 1.0)

    gains = [0.25, 0.5, 1.0, 1.5, 2.0]
    apart = noises(200_000) - noises(200_000)
    true = np.array([np.mean(apart < gain) for gain in gains])
    held = np.zeros(len(gains))
    for _ in range(150):
        metric = random.normal(0.0, 1.0, systems)
        found = np.array(RankShares([RankedPairs(metric, metric + noises(systems))]).at(gains, 0.95))
        held += (found[:, 1] - 0.005 <= true) & (true <= found[:, 2] + 0.005)
    assert (held / 150 >= least).all(), held / 150


def test_the_variance_is_that_of_leaving_out_one_system_at_a_time() -> None:
    """The jackknife variance of the mean over pairs, times their number squared."""
    terms = np.random.default_rng(3).normal(size=21)
    first, second = pairs_of(7)
    means = np.array([terms[(first != j) & (second != j)].mean() for j in range(7)])
    jackknife = 6 / 7 * ((means - means.mean()) ** 2).sum()
    assert RankedPairs(METRIC, HUMAN).variance(terms) == pytest.approx(21**2 * jackknife)


def test_gains_are_in_units_of_the_median_one_without_pairs_that_tie() -> None:
    assert RankShares([RankedPairs(np.array([1.0, 1.0, 2.0, 8.0]), np.arange(4.0))]).unit == 6.0


def test_few_pairs_that_all_agree_have_a_finite_slope() -> None:
    """With gains of 1 and 2, steep slopes leave no information, and the penalty alone leads back from them."""
    shares = RankShares([RankedPairs(np.array([0.0, 1.0, 2.0]), np.array([0.0, 1.0, 2.0]))])
    slopes = np.linspace(0.01, 10.0, 100_000)
    x = np.array([1.0, 2.0, 1.0])
    p = 1.0 / (1.0 + np.exp(-slopes[:, None] * x))
    best = slopes[np.argmax(np.log(p).sum(1) + 0.5 * np.log((x**2 * p * (1.0 - p)).sum(1)))]
    ((share, _, _),) = shares.at([1.0], 0.95)
    assert math.log(share / (1.0 - share)) == pytest.approx(best, abs=2e-4)
