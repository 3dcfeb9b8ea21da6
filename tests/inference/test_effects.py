"""Wins, ties, losses and the standardized mean."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from truegain.inference.effects import effect_of, standardized_mean


def test_by_hand() -> None:
    found = effect_of(np.array([1.0, 3.0, 0.0, -2.0, 3.0]))
    # The mean is 1, the squared deviations 0 4 1 9 4.
    assert (found.wins, found.ties, found.losses) == (3, 1, 1)
    assert found.standardized == pytest.approx(1.0 / math.sqrt(18 / 4))


def test_slack() -> None:
    differences = np.array([0.5, -0.5, 2.0, -3.0, 0.25])
    strict, lax = effect_of(differences), effect_of(differences, 0.5)
    assert (strict.wins, strict.ties, strict.losses) == (3, 0, 2)
    assert (lax.wins, lax.ties, lax.losses) == (1, 3, 1)
    assert strict.standardized == pytest.approx(-0.15 / differences.std(ddof=1))
    assert lax.standardized == pytest.approx(-0.2 / np.array([0.0, 0.0, 2.0, -3.0, 0.0]).std(ddof=1))


@pytest.mark.parametrize(
    ("differences", "slack"),
    [([], 0.0), ([2.0], 0.0), ([0.0, 0.0], 0.0), ([0.1] * 10, 0.0), ([1.0, 1.0 + 1e-9], 1e-8), ([-0.9, 0.9], 1.0)],
)
def test_no_standard_deviation(differences: list[float], slack: float) -> None:
    assert effect_of(np.array(differences), slack).standardized is None


def test_slack_spares_what_differs() -> None:
    assert standardized_mean(np.array([1.0, 1.0 + 1e-6]), 1e-8) == pytest.approx(math.sqrt(2) * 1e6, rel=1e-5)


@given(values=st.lists(st.integers(-1000, 1000), min_size=2, max_size=60), power=st.integers(-290, 290))
def test_scale_does_not_matter(values: list[int], power: int) -> None:
    differences = np.array(values, dtype=np.float64)
    plain, scaled = effect_of(differences), effect_of(differences * 10.0**power)
    assert (plain.wins, plain.ties, plain.losses) == (scaled.wins, scaled.ties, scaled.losses)
    assert plain.wins + plain.ties + plain.losses == len(values)
    if len(set(values)) > 1:
        expected = differences.mean() / differences.std(ddof=1)
        assert plain.standardized == pytest.approx(expected, abs=1e-12)
        assert scaled.standardized == pytest.approx(expected, abs=1e-12)
    else:
        assert plain.standardized is None
        assert scaled.standardized is None


@given(values=st.lists(st.floats(-5, 5), min_size=2, max_size=60))
def test_negation_swaps_wins_and_losses(values: list[float]) -> None:
    found, other = effect_of(np.array(values), 0.5), effect_of(-np.array(values), 0.5)
    assert (found.wins, found.ties, found.losses) == (other.losses, other.ties, other.wins)
    if found.standardized is None:
        assert other.standardized is None
    else:
        assert other.standardized == pytest.approx(-found.standardized, rel=1e-9, abs=1e-12)


def test_nothing_is_a_tie_unless_slack_is_given() -> None:
    differences = np.array([0.5, -0.25, 0.5])
    assert standardized_mean(differences) == pytest.approx(differences.mean() / differences.std(ddof=1))
