"""The share of pairs whose error is small enough for a gain."""

from __future__ import annotations

import math
import statistics

import numpy as np
import pytest

from truegain.inference.all_pairs import pairs_of
from truegain.inference.profiles import drawn_weights, log_odds, significant_share


def test_one_error_for_all_pairs_is_a_step() -> None:
    gains, errors = np.linspace(0.1, 5.0, 40), np.full(40, 0.5)
    assert significant_share(gains, errors, 1.0, 0.6)[0] == pytest.approx(1.0)
    assert significant_share(gains, errors, 1.0, 0.4)[0] == pytest.approx(0.0)


def test_rounding_makes_no_share_above_one() -> None:
    generator = np.random.default_rng(6)
    for pairs in range(10, 200):
        gains, errors = generator.uniform(0.0, 3.0, pairs), np.exp(generator.normal(0.0, 0.1, pairs))
        assert significant_share(gains, errors, 2.0, 1e6)[0] <= 1.0


def test_weights_are_copies_of_pairs() -> None:
    generator = np.random.default_rng(4)
    gains, errors = generator.uniform(0.0, 3.0, 45), np.exp(generator.normal(0.0, 0.3, 45))
    weights = np.stack([np.ones(45), generator.integers(0, 3, 45).astype(float), np.zeros(45)])
    found = significant_share(gains, errors, 0.8, 0.9, weights)
    assert found[0] == pytest.approx(significant_share(gains, errors, 0.8, 0.9)[0], rel=1e-12)
    copies = weights[1].astype(int)
    unit = float(np.median(errors) / np.median(np.repeat(errors, copies)))
    assert found[1] == pytest.approx(
        significant_share(np.repeat(gains, copies), np.repeat(errors, copies), 0.8, 0.9)[0], abs=0.02 + abs(unit - 1)
    )
    assert np.isnan(found[2])


def test_draws_are_done_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(5)
    gains, errors = generator.uniform(0.0, 3.0, 45), np.exp(generator.normal(0.0, 0.3, 45))
    weights = generator.integers(0, 3, (20, 45)).astype(float)
    whole = significant_share(gains, errors, 0.8, 0.9, weights)
    monkeypatch.setattr("truegain.inference.profiles._AT_ONCE", 100)
    assert significant_share(gains, errors, 0.8, 0.9, weights) == pytest.approx(whole)


def test_copies_of_a_system_are_no_pair() -> None:
    firsts, seconds = pairs_of(3)
    assert drawn_weights(firsts, seconds, np.array([[2.0, 1.0, 0.0], [1.0, 1.0, 1.0]])).tolist() == [
        [2, 0, 0],
        [1, 1, 1],
    ]


def test_log_odds_are_finite() -> None:
    odds = log_odds(np.array([0.0, 0.5, 1.0]))
    assert odds[1] == 0.0
    assert odds[0] == pytest.approx(-odds[2])
    assert np.isfinite(odds).all()


def transcribed(gains: list[float], errors: list[float], reported: float, needed: float, weights: list[float]) -> float:
    """Compute the share as docs/threshold.md describes it, pair by pair."""
    unit = statistics.median(errors)
    places = [min(gain / unit, 5.0) for gain in gains]
    place = min(reported / unit, 5.0)
    near = [weight * math.exp(-((x - place) ** 2) / 2 / 2.0**2) for x, weight in zip(places, weights, strict=True)]
    total = sum(near)
    shares = [one / total for one in near]
    logs = [math.log(error) for error in errors]
    middle = sum(share * x for share, x in zip(shares, places, strict=True))
    height = sum(share * y for share, y in zip(shares, logs, strict=True))
    both = list(zip(shares, places, logs, strict=True))
    slope = sum(w * (x - middle) * (y - height) for w, x, y in both) / sum(w * (x - middle) ** 2 for w, x, _ in both)
    residuals = [y - height - slope * (x - middle) for _, x, y in both]
    spread = math.sqrt(sum(w * r**2 for w, r in zip(shares, residuals, strict=True)))
    above = math.log(needed) - height - slope * (place - middle)
    steps = [1.0 / (1.0 + math.exp(-1.702 * (above - r) / (0.3 * spread))) for r in residuals]
    return sum(w * step for w, step in zip(shares, steps, strict=True))


@pytest.mark.parametrize("reported", [0.3, 1.0, 4.0, 9.0])
def test_a_slow_transcription_says_the_same(reported: float) -> None:
    generator = np.random.default_rng(7)
    gains = generator.exponential(2.0, 55)
    errors = 0.7 * np.exp(0.1 * gains + generator.exponential(0.2, 55))
    weights = np.stack([np.ones(55), generator.integers(0, 4, 55), np.full(55, 1e-3)]).astype(float)
    for needed in (0.7, 0.9, 1.2):
        found = significant_share(gains, errors, reported, needed, weights)
        for share, own in zip(found, weights, strict=True):
            assert share == pytest.approx(
                transcribed(gains.tolist(), errors.tolist(), reported, needed, own.tolist()), rel=1e-6, abs=1e-12
            )
    alone = significant_share(gains, errors, reported, 0.9)
    assert alone.shape == (1,)
    assert alone[0] == pytest.approx(significant_share(gains, errors, reported, 0.9, weights)[0])


def test_gains_that_are_all_the_same_have_no_slope() -> None:
    generator = np.random.default_rng(8)
    errors = np.exp(generator.normal(0.0, 0.3, 400))
    found = significant_share(np.full(400, 0.5), errors, 3.0, 1.0)[0]
    assert found == pytest.approx((errors <= 1.0).mean(), abs=0.05)
