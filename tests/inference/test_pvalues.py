"""P-values: counting, ties, sides, and the factor for few units."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import stats

from truegain.inference.pvalues import (
    Alternative,
    PValue,
    bootstrap_test,
    clopper_pearson,
    degrees_of_freedom,
    randomization_test,
    small_sample_factor,
    undecided_counts,
)

NULL = np.array([-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0, 3.0])


@pytest.mark.parametrize(
    ("alternative", "delta", "count"),
    [("two-sided", 2.0, 5), ("two-sided", -2.0, 5), ("greater", 2.0, 3), ("less", 2.0, 6), ("less", -2.0, 2)],
)
def test_counting_with_ties(alternative: Alternative, delta: float, count: int) -> None:
    found = randomization_test(delta, NULL, alternative=alternative, magnitude=30.0)
    assert found.exceedances == count
    assert found.p == (count + 1) / 9


@pytest.mark.parametrize(("alternative", "count"), [("two-sided", 5), ("greater", 3), ("less", 6)])
def test_exact_ties_count_without_any_tolerance(alternative: Alternative, count: int) -> None:
    assert randomization_test(2.0, NULL, alternative=alternative, magnitude=0.0).exceedances == count


def test_near_ties_count() -> None:
    null = np.array([2.0 - 1e-9, 2.0 - 1e-6])
    assert randomization_test(2.0, null, magnitude=40.0).exceedances == 1
    assert randomization_test(2.0, null, magnitude=0.0).exceedances == 0


def test_bootstrap_is_centred_on_the_observed_difference() -> None:
    resampled = np.array([0.0, 1.0, 2.0, 3.0, 4.5])
    found = bootstrap_test(2.0, resampled, magnitude=1.0)  # deviations -2 -1 0 1 2.5
    assert found.exceedances == 2
    assert bootstrap_test(2.0, resampled, magnitude=1.0, factor=2.0).exceedances == 4
    assert bootstrap_test(2.0, resampled, magnitude=1.0, alternative="greater").exceedances == 1


def test_p_is_never_zero_and_never_above_one() -> None:
    assert randomization_test(9.0, NULL, magnitude=1.0).p == 1 / 9
    assert randomization_test(0.0, NULL, magnitude=1.0).p == 1.0


def test_the_interval_of_a_p_value() -> None:
    exact = PValue(0.25)
    assert (exact.exceedances, exact.resamples, exact.interval) == (0, 0, (0.25, 0.25))
    assert PValue(0.25, 1, 4).interval == clopper_pearson(1, 4)
    assert PValue(0.25, 1, 4, (0.2, 0.3)).interval == (0.2, 0.3)


@given(trials=st.integers(1, 5000), share=st.floats(0, 1))
@example(trials=10, share=0.1)
@example(trials=10, share=0.9)
def test_clopper_pearson_as_scipy(trials: int, share: float) -> None:
    successes = round(share * trials)
    expected = stats.binomtest(successes, trials).proportion_ci(0.95, "exact")
    assert clopper_pearson(successes, trials) == pytest.approx((expected.low, expected.high), rel=1e-6, abs=1e-12)


@pytest.mark.parametrize("resamples", [1, 2, 3, 19, 100, 999])
def test_counts_that_decide_nothing_are_those_whose_interval_holds_alpha(resamples: int) -> None:
    intervals = [clopper_pearson(count, resamples) for count in range(resamples + 1)]
    ends = [end for interval in intervals[:: max(1, resamples // 7)] for end in interval]
    for alpha in (1e-300, 1e-12, 1e-3, 0.05, 0.5, 0.95, 1.0 - 1e-12, math.nextafter(1.0, 0.0), *ends):
        held = [count for count, (low, high) in enumerate(intervals) if low <= alpha < high]
        assert list(undecided_counts(resamples, alpha)) == held, alpha


def test_counts_that_decide_nothing_of_a_million_resamples_and_at_another_level() -> None:
    found = undecided_counts(1_000_000, 0.05)
    for count in (found.start - 1, found.start, found.stop - 1, found.stop):
        low, high = clopper_pearson(count, 1_000_000)
        assert (low <= 0.05 < high) == (count in found)
    assert len(undecided_counts(100, 0.05, 0.5)) < len(undecided_counts(100, 0.05))


def test_degrees_of_freedom_are_one_less_for_each_stratum_and_never_none() -> None:
    assert degrees_of_freedom(10.0) == 9.0
    assert degrees_of_freedom(10.0, 3) == 7.0
    assert degrees_of_freedom(2.0, 2) == 0.5


def test_no_factor_where_there_is_a_unit_a_stratum() -> None:
    assert small_sample_factor(1, 1.0) == 1.0
    assert small_sample_factor(3, 3.0, strata=3) == 1.0
    assert small_sample_factor(4, 4.0, strata=3) > 1.0


def test_the_factor_at_another_level_and_with_strata() -> None:
    expected = np.sqrt(30 / 27) * stats.t.ppf(0.95, 17) / stats.norm.ppf(0.95)
    assert small_sample_factor(30, 20.0, 0.9, strata=3) == pytest.approx(expected)


def test_small_sample_factor() -> None:
    expected = np.sqrt(30 / 29) * stats.t.ppf(0.975, 29) / stats.norm.ppf(0.975)
    assert small_sample_factor(30, 30.0) == pytest.approx(expected)
    assert small_sample_factor(30, 12.5) > small_sample_factor(30, 30.0)
    assert small_sample_factor(100_000, 100_000.0) == pytest.approx(1.0, abs=1e-4)
