"""Tests of a gain at a margin: exact against enumeration, monotone, at their level, and p against bound."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from benchmarks.margins import smallest_z
from truegain.inference.margins import (
    ExactPairs,
    SkewedGain,
    differing_probabilities,
    exact_p,
    fewest_wins,
    region_probability,
    skew_critical,
    skew_p,
    tango_z,
)
from truegain.inference.proportions import PairedShares, Worth

TABLES = [
    (items, wins, losses) for items in (1, 4, 9) for wins in range(items + 1) for losses in range(items + 1 - wins)
]


def pairs(items: int, wins: int, losses: int) -> PairedShares:
    return PairedShares(wins / items, losses / items, Worth(items, math.inf))


@pytest.mark.parametrize("gain", [-0.9, -0.05, 0.0, 0.3])
def test_statistics_of_many_counts_are_those_of_one(gain: float) -> None:
    for items, wins, losses in TABLES:
        assert tango_z(np.array(wins), np.array(losses), items, gain) == pytest.approx(
            pairs(items, wins, losses).z(gain), rel=1e-12, abs=1e-12
        )


@pytest.mark.parametrize(("items", "gain"), [(3, 0.0), (7, -0.05), (12, 0.2), (15, -0.5), (23, -0.02), (9, 1.0)])
def test_the_probability_of_a_region_is_that_of_its_tables(items: int, gain: float) -> None:
    differing = differing_probabilities(items, gain)
    wins, losses = np.indices((items + 1, items + 1))
    wins, losses = wins[wins + losses <= items], losses[wins + losses <= items]
    z = tango_z(wins, losses, items, gain)
    ways = [math.comb(items, w) * math.comb(items - w, b) for w, b in zip(wins, losses, strict=True)]
    win, lose = (differing + gain) / 2.0, np.maximum((differing - gain) / 2.0, 0.0)
    same = np.maximum(1.0 - differing, 0.0)
    powers = win ** wins[:, None] * lose ** losses[:, None] * same ** (items - wins - losses)[:, None]
    for limit in np.unique(np.round(z, 6))[::5] - 1e-5:
        fewest = fewest_wins(limit, items, gain)
        assert set(np.diff(fewest)) <= {0, 1}
        listed = (np.array(ways, float)[:, None] * powers)[z >= limit].sum(0)
        np.testing.assert_allclose(region_probability(fewest, items, gain, differing), listed, rtol=0.0, atol=2e-14)


@pytest.mark.parametrize(("margin", "first"), [(0.005, 598), (0.01, 299), (0.02, 149), (0.03, 99), (0.05, 59)])
def test_the_first_identical_scores_that_pass(margin: float, first: int) -> None:
    assert first == math.ceil(math.log(0.05) / math.log1p(-margin))
    p = [ExactPairs(0, 0, items).p(-margin) for items in (*range(first - 20, first), *range(first, first + 40))]
    assert [one <= 0.05 for one in p] == [False] * 20 + [True] * 40
    assert p[20] == pytest.approx((1.0 - margin) ** first, abs=1e-9), "no loss, where losses alone differ"


@pytest.mark.parametrize("items", range(1, 26, 4))
def test_p_never_rises_with_a_win_nor_falls_with_a_loss(items: int) -> None:
    p = np.full((items + 1, items + 1), np.nan)
    for wins in range(items + 1):
        for losses in range(items + 1 - wins):
            p[wins, losses] = exact_p(wins, losses, items, -0.05)
    for steps in (np.diff(p, axis=0), -np.diff(p, axis=1)):
        assert np.nanmax(steps) <= 1e-4 * 0.05, "but for the steps of a grid"
    passed = p <= 0.05
    assert not (passed[:-1] & ~passed[1:] & np.isfinite(p[1:])).any()
    assert not (passed[:, 1:] & ~passed[:, :-1] & np.isfinite(p[:, 1:])).any()


@pytest.mark.parametrize(("items", "margin"), [(20, 0.05), (60, 0.02), (59, 0.05), (120, 0.01), (268, 0.01)])
def test_no_true_share_of_losses_passes_more_often_than_alpha(items: int, margin: float) -> None:
    angles = np.linspace(math.asin(math.sqrt(margin)), math.pi / 2.0, 2000)
    size = region_probability(
        fewest_wins(smallest_z(items, margin) - 2e-9, items, -margin), items, -margin, np.sin(angles) ** 2
    ).max()
    assert 0.03 < size <= 0.05 + 2e-5


def test_the_bound_of_wins_and_losses_is_where_p_says() -> None:
    rng = np.random.default_rng(1)
    for _ in range(60):
        items = int(rng.choice([3, 20, 80, 250]))
        differing = rng.binomial(items, rng.choice([0.0, 0.05, 0.3, 1.0]))
        wins = int(rng.binomial(differing, 0.5))
        test = ExactPairs(wins, int(differing) - wins, items, size=2.0)
        margin, alpha = float(rng.choice([-0.2, -0.04, -0.02, 0.0, 0.1])), float(rng.choice([0.01, 0.05, 0.1]))
        bound = test.bound(alpha, margin)
        assert (test.p(margin) <= alpha) == (bound > margin)
        assert -2.0 <= bound <= (test.wins - test.losses) / test.items * 2.0
        assert test.p(bound) <= 1.1 * alpha
        mirrored = test.mirrored()
        assert -mirrored.bound(alpha, -margin) >= (test.wins - test.losses) / test.items * 2.0


def test_the_bound_of_skewed_gains_is_where_p_says() -> None:
    rng = np.random.default_rng(2)
    for number in range(2000):
        gain, error, skewness = rng.normal(0.0, 0.05), rng.choice([0.0, 0.01, 0.1]), rng.normal(0.0, 0.3)
        units = float(rng.integers(3, 300))
        test = SkewedGain(gain, error, skewness, units, units - 1.0, (None, 1.0, 4.0)[number % 3], slack=1e-12)
        if number % 2:
            wins, losses = rng.dirichlet([1.0, 1.0, 8.0])[:2]
            worth = Worth(2.0 * units, units - 1.0)
            test = replace(test, gain=wins - losses, pairs=PairedShares(wins, losses, worth))
        margin, alpha = float(rng.choice([-0.1, -0.02, 0.0, 0.05])), float(rng.choice([0.01, 0.05, 0.2]))
        for one, at in ((test, margin), (test.mirrored(), -margin)):
            assert (one.p(at) <= alpha) == (one.bound(alpha, at) > at)


@pytest.mark.parametrize("freedom", [3.0, 40.0, math.inf])
@pytest.mark.parametrize("skewness", [-1.0, -0.1, 0.0, 0.5])
def test_the_corrected_p_is_alpha_at_the_critical_value(freedom: float, skewness: float) -> None:
    for alpha in (0.001, 0.05, 0.4):
        assert skew_p(skew_critical(alpha, skewness, freedom), skewness, freedom) == pytest.approx(alpha, rel=1e-9)
    p = [skew_p(z, skewness, freedom) for z in np.linspace(-30.0, 30.0, 301)]
    assert (np.diff(p) <= 0.0).all()
    assert skew_critical(0.05, skewness, freedom) >= skew_critical(0.05, 0.0, freedom)


def test_losses_that_no_unit_shows() -> None:
    identical = SkewedGain(0.0, 0.0, 0.0, 60.0, 59.0, largest=1.0)
    assert identical.p(-0.01) == pytest.approx(0.99**60)
    assert identical.bound(0.05, -0.01) == pytest.approx(0.05 ** (1 / 60) - 1.0)
    assert replace(identical, largest=None).p(-0.01) == 0.0
    gained = replace(identical, gain=0.05)
    assert gained.p(-0.01) == pytest.approx((1.0 - 0.06 / 1.05) ** 60)
    assert replace(identical, gain=-0.005).p(-0.01) == identical.p(-0.01)


@pytest.mark.parametrize("margin", [0.005, 0.01, 0.05, 0.1, -0.02])
def test_the_order_of_tables_rises_with_wins_and_falls_with_losses(margin: float) -> None:
    """All tables of 40 items or fewer; p is a function of this order, so no pass is lost by a win."""
    for items in range(1, 41):
        wins, losses = np.indices((items + 1, items + 1))
        z = np.where(wins + losses <= items, tango_z(wins, losses, items, -margin), np.nan)
        z = np.clip(z, -1e9, 1e9)
        assert not (np.diff(z, axis=0) < -1e-9).any()
        assert not (np.diff(z, axis=1) > 1e-9).any()
