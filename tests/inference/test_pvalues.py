"""P-values: counting, ties, sides, and the factor for few units."""

from __future__ import annotations

import math
from typing import Any

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
    few_differing_notes,
    magnitude_of,
    randomization_test,
    rounding,
    small_sample_factor,
    straddling,
    tolerance,
    undecided_counts,
)

NULL = np.array([-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0, 3.0])


@pytest.mark.parametrize(
    ("alternative", "delta", "count"),
    [
        ("two-sided", 2.0, 5),
        ("two-sided", -2.0, 5),
        ("two-sided", 9.0, 0),  # p is never zero
        ("two-sided", 0.0, 8),  # and never above one
        ("greater", 2.0, 3),
        ("less", 2.0, 6),
        ("less", -2.0, 2),
    ],
)
@pytest.mark.parametrize("magnitude", [30.0, 0.0])  # exact ties count without any tolerance
def test_counting_with_ties(alternative: Alternative, delta: float, count: int, magnitude: float) -> None:
    found = randomization_test(delta, NULL, alternative=alternative, magnitude=magnitude)
    assert found.exceedances == count
    assert found.p == (count + 1) / 9


def test_near_ties_count() -> None:
    null = np.array([2.0 - 1e-9, 2.0 - 1e-6])
    assert randomization_test(2.0, null, magnitude=40.0).exceedances == 1
    assert randomization_test(2.0, null, magnitude=0.0).exceedances == 0


@pytest.mark.parametrize(
    ("options", "exceedances"),
    [
        ({}, 2),
        ({"factor": 2.0}, 4),
        ({"alternative": "greater"}, 1),
        ({"null_gain": 0.5}, 2),
        ({"null_gain": -0.25}, 1),
        ({"null_gain": 3.0}, 4),
    ],
)
def test_bootstrap_holds_deviations_against_the_gain_beyond_the_null(options: dict[str, Any], exceedances: int) -> None:
    resampled = np.array([0.0, 1.0, 2.0, 3.0, 4.5])  # deviations -2 -1 0 1 2.5
    assert bootstrap_test(2.0, resampled, magnitude=1.0, **options).exceedances == exceedances


def test_scores_are_rounded_and_differences_within_that_are_the_same() -> None:
    assert rounding(np.array([40.0, -8.0, 0.0])).tolist() == [40.0 / 2**45, 8.0 / 2**45, 0.0]
    assert tolerance(magnitude_of(-3.0, 0.0)) == pytest.approx(3e-9)
    assert tolerance(magnitude_of(0.0, 0.25)) == pytest.approx(0.25)
    assert tolerance(magnitude_of(-3e8, 0.25)) == pytest.approx(0.55)


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


@pytest.mark.whole
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


def test_small_sample_factor() -> None:
    expected = np.sqrt(30 / 29) * stats.t.ppf(0.975, 29) / stats.norm.ppf(0.975)
    assert small_sample_factor(30, 30.0) == pytest.approx(expected)
    assert small_sample_factor(30, 12.5) > small_sample_factor(30, 30.0)
    assert small_sample_factor(100_000, 100_000.0) == pytest.approx(1.0, abs=1e-4)
    expected = np.sqrt(30 / 27) * stats.t.ppf(0.95, 17) / stats.norm.ppf(0.95)
    assert small_sample_factor(30, 20.0, 0.9, strata=3) == pytest.approx(expected)
    # None where there is a unit a stratum.
    assert small_sample_factor(1, 1.0) == small_sample_factor(3, 3.0, strata=3) == 1.0
    assert small_sample_factor(4, 4.0, strata=3) > 1.0


def test_the_note_of_a_p_value_that_straddles_alpha() -> None:
    found = straddling("p", (0.04321, 0.0567), 0.05)
    assert found.kind == "straddling"
    assert all(told in found.text for told in (" p ", "(0.0432 to 0.0567)", "0.05"))
    assert straddling("p", (0.0, 1.0), 0.05, more="wait").text.endswith("wait")


@pytest.mark.parametrize(
    ("differing", "alternative", "alpha", "smallest"),
    [
        (1, "two-sided", 0.5, "1"),
        (1, "greater", 0.4, "0.5"),
        (3, "two-sided", 0.2, "0.25"),
        (3, "two-sided", 0.25, None),
        (3, "less", 0.125, None),
        (4, "less", 0.05, "0.0625"),
        (5, "two-sided", 0.05, "0.0625"),
        (6, "two-sided", 0.05, None),
    ],
)
def test_so_many_units_must_differ_for_all_swaps_to_decide(
    differing: int, alternative: str, alpha: float, smallest: str | None
) -> None:
    """Of 2^n swaps of n units one is as far out, or two if both sides count."""
    notes = few_differing_notes(differing, 1_000, "segment", alternative, alpha)
    if smallest is None:
        assert notes == ()
    else:
        assert [one.kind for one in notes] == ["few-differing"]
        assert f"{differing} of 1,000 segments" in notes[0].text
        assert notes[0].text.endswith(f" {smallest}")


def test_systems_that_differ_nowhere_are_the_same() -> None:
    (note,) = few_differing_notes(0, 1_000, "document", "two-sided", 0.05)
    assert (note.kind, "document" in note.text) == ("same", True)
