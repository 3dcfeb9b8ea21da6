"""Tests by weights of units keep their level, and their errors are those of the bootstrap: fixed seeds, wide bounds."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

from benchmarks.poisson_errors import agreement, expected_ratio, level
from truegain.resampling.generator import bootstrap_counts, resample_keys
from truegain.resampling.poisson import keys_of_segments, poisson
from truegain.resampling.streams import Stream

_SETS = 400


@pytest.mark.parametrize("segments", [30, 200])
def test_true_null_hypotheses_are_rejected_as_often_as_the_level_says(segments: int) -> None:
    found = level(segments, sets=_SETS, resamples=199, seed=5)
    low, high = (int(binom.ppf(end, _SETS, 0.05)) for end in (5e-4, 1 - 5e-4))
    for test, (often, _) in found.rejected.items():
        assert low <= often <= high, test


def test_p_values_lie_as_far_apart_as_those_of_two_seeds() -> None:
    found = agreement(200, sets=60, resamples=1000, seed=5)
    assert found.ratio == pytest.approx(expected_ratio(200), abs=5 * found.ratio_error)
    assert found.spread < 1.5 * found.yardstick
    assert found.swapped < 1.5 * found.swapped_yardstick


@pytest.mark.parametrize("units", [20, 100])
def test_the_standard_error_of_a_mean_is_larger_as_theory_has_it(units: int) -> None:
    """By the square root of n E[1/m]; the weights' own sums must not be left out of it."""
    values = np.random.default_rng(units).normal(size=units)
    resamples = 40_000
    weights = poisson(keys_of_segments(1, Stream.POISSON_WEIGHTS, 0, units), 0, resamples).T.astype(np.float64)
    ordinary = bootstrap_counts(resample_keys(1, 1, 0, resamples), units).astype(np.float64)
    errors = [(one @ values / one.sum(1)).std() for one in (weights, ordinary)]
    assert errors[0] / errors[1] == pytest.approx(expected_ratio(units), abs=5 / np.sqrt(resamples))
    assert expected_ratio(units) == pytest.approx(1 + 1 / (2 * units), abs=3 / units**2)
