"""Skewness of a sum over units, and the size of one-sided tests that it makes."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
import pytest
from scipy import stats

from tests.known import known
from truegain.inference.variance import (
    block_skewness,
    block_variance,
    chance_skewness,
    cluster_skewness,
    one_sided_size,
)

LOSSES = -np.random.default_rng(4).lognormal(size=40)


@pytest.mark.parametrize("scale", [1.0, 1e-170, 1e150])
def test_skewness_of_a_mean_is_that_of_its_units_over_root_n(scale: float) -> None:
    n = LOSSES.size
    biased = stats.skew(LOSSES) * ((n - 1) / n) ** 1.5  # scipy divides by n in the variance
    assert cluster_skewness(scale * (LOSSES + 3.0)) == pytest.approx(biased / math.sqrt(n))
    assert cluster_skewness(-scale * LOSSES) == pytest.approx(-biased / math.sqrt(n))


def test_skewness_within_strata() -> None:
    parts = np.split(LOSSES, [25, 39])
    third = sum(((part - part.mean()) ** 3).sum() for part in parts)
    variance = sum(part.size * part.var(ddof=1) for part in parts[:2])
    shifted = np.concatenate([part + shift for part, shift in zip(parts, (0.0, 9.0, -9.0), strict=True)])
    assert cluster_skewness(shifted, (25, 14, 1)) == pytest.approx(third / variance**1.5)


def test_no_skewness_where_nothing_varies() -> None:
    assert cluster_skewness(np.ones(5)) == cluster_skewness(np.zeros(5)) == cluster_skewness(np.ones(1)) == 0.0
    assert block_skewness(np.ones(6), 2.0) == block_skewness(np.arange(5.0) ** 2, 4.0) == 0.0


def test_skewness_of_blocks() -> None:
    assert block_skewness(LOSSES, 1.0) == pytest.approx(cluster_skewness(LOSSES))
    for length, mean_length in ((1, 1.4), (3, 3.0), (4, 4.3)):
        centred = LOSSES - LOSSES.mean()
        sums = [sum(np.take(centred, range(i, i + length), mode="wrap")) for i in range(centred.size)]
        variance = known(block_variance(LOSSES, mean_length))
        third = sum(one**3 for one in sums) / length
        assert block_skewness(LOSSES, mean_length) == pytest.approx(third / variance**1.5)


@pytest.mark.parametrize("n", [8, 30, 200])
def test_chance_is_the_standard_error_of_normal_samples(n: int) -> None:
    samples = np.random.default_rng(n).normal(size=(20_000, n))
    found = stats.skew(samples, axis=1, bias=False) * (n - 2) / math.sqrt(n * (n - 1)) / math.sqrt(n)
    assert chance_skewness(n) == pytest.approx(found.std(), rel=0.03)
    assert chance_skewness(1) == 0.0


@pytest.mark.parametrize(("resampled", "excess"), [(True, 0.13955), (False, 0.11023)])
def test_size_at_five_per_cent(resampled: bool, excess: float) -> None:
    """Per unit of skewness; z = 1.64485, φ(z) = 0.10314: z²/2 · φ(z), and (2z² + 1)/6 · φ(z)."""

    def size(skewness: float, way: Literal["greater", "less"]) -> float:
        return one_sided_size(skewness, 0.05, way, resampled=resampled)

    assert size(-0.5, "greater") == size(0.5, "less") == pytest.approx(0.05 + excess / 2.0, abs=2e-5)
    assert size(0.2, "greater") == size(-0.2, "less") == pytest.approx(0.05 - excess / 5.0, abs=2e-5)
    assert size(0.9, "greater") == 0.0
    assert size(-9.0, "greater") == 1.0
    assert size(0.0, "less") == pytest.approx(0.05)


@pytest.mark.parametrize("n", [60, 240])
def test_size_against_gamma_losses(n: int) -> None:
    """Of gamma losses with skewness 1.5: Student's t, and the bootstrap by its Cornish–Fisher quantile."""
    rng = np.random.default_rng(n)
    shape = 4.0 / 1.5**2
    samples = shape - rng.gamma(shape, size=(40_000, n))
    t = samples.mean(1) / samples.std(1, ddof=1) * math.sqrt(n)
    z = stats.norm.isf(0.05)
    quantile = z + (z * z - 1.0) * stats.skew(samples, axis=1) / 6.0 / math.sqrt(n)
    for critical, resampled in ((z, False), (quantile, True)):
        share = float((t > critical).mean())
        assert share == pytest.approx(
            one_sided_size(-1.5 / math.sqrt(n), 0.05, "greater", resampled=resampled), abs=0.006
        )
