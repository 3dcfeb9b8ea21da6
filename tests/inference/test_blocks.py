"""The automatic block length, against arch."""

from __future__ import annotations

import math

import numpy as np
import pytest
from arch.bootstrap import optimal_block_length as arch_block_length
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.signal import lfilter

from truegain.inference.blocks import optimal_block_length


def arch(series: NDArray[np.float64]) -> float:
    with np.errstate(invalid="ignore", divide="ignore"):
        return max(1.0, float(arch_block_length(series)["stationary"].iloc[0]))


def autoregressive(count: int, rho: float, rng: np.random.Generator) -> NDArray[np.float64]:
    return np.asarray(lfilter([1.0], [1.0, -rho], rng.standard_normal(count)))


@pytest.mark.parametrize("count", [9, 10, 16, 17, 30, 101, 400, 2500])
@pytest.mark.parametrize("rho", [-0.7, 0.0, 0.3, 0.9, 0.995])
def test_autoregressive_series(count: int, rho: float) -> None:
    rng = np.random.default_rng(count)
    for _ in range(5):
        series = autoregressive(count, rho, rng)
        assert optimal_block_length(series) == pytest.approx(arch(series), rel=1e-9)


def test_other_series() -> None:
    rng = np.random.default_rng(3)
    steps = np.cumsum(rng.standard_normal(300))
    waves = np.sin(np.arange(500) / 9) + 0.1 * rng.standard_normal(500)
    moving = np.convolve(rng.standard_normal(420), np.ones(20), "valid")
    heavy = rng.standard_t(1.5, 1000)
    sparse = np.where(rng.random(800) < 0.02, rng.standard_normal(800), 0.0)
    coins = rng.integers(0, 2, 64).astype(float)
    alternating = np.resize([1.0, -1.0], 50)
    for series in (steps, waves, moving, heavy, sparse, coins, alternating, 1e6 + waves, 1e-9 * waves, steps**3):
        assert optimal_block_length(series) == pytest.approx(arch(series), rel=1e-9)


@given(st.lists(st.integers(-9, 9), min_size=9, max_size=60))
def test_any_series(values: list[int]) -> None:
    series = np.array(values, float)
    assert 1 <= optimal_block_length(series) <= math.ceil(min(3 * math.sqrt(series.size), series.size / 3))


@pytest.mark.parametrize(
    "series",
    [
        *(np.full(100, value) for value in (0.0, 0.1, -7.0)),
        *(np.arange(float(count)) for count in range(1, 9)),  # too few values to say
        1e-200 * np.random.default_rng(1).standard_normal(50),  # squares too small for any number
    ],
)
def test_nothing_asks_for_blocks(series: NDArray[np.float64]) -> None:
    assert optimal_block_length(series) == 1.0


def test_no_variance_at_frequency_zero() -> None:
    """Where the estimated density vanishes, no block is too long."""
    series = np.array([0.0] * 5 + [1.0, -1.0] + [0.0] * 5)
    assert optimal_block_length(series) == 4.0


def test_longer_memory_needs_longer_blocks() -> None:
    rng = np.random.default_rng(1)
    means = [
        np.mean([optimal_block_length(autoregressive(1000, rho, rng)) for _ in range(30)])
        for rho in (0.0, 0.3, 0.6, 0.9)
    ]
    assert means == sorted(means)
    assert means[0] < 4
    # In the limit (G²/g²)^⅓ · n^⅓ with G/g = 2ρ / (1 - ρ²).
    assert means[2] == pytest.approx((1.2 / 0.64) ** (2 / 3) * 10, rel=0.2)
