"""Percentiles over pairs of drawn systems, and the laws of size, against their plain forms."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tests.known import known
from truegain.inference import thresholds
from truegain.inference.all_pairs import pairs_of
from truegain.inference.pvalues import small_sample_factor
from truegain.inference.thresholds import (
    drawn_interval,
    drawn_percentiles,
    fitted_exponent,
    fitted_root,
    in_band,
    percentile,
    share_of_pairs,
)


@given(
    st.integers(2, 7).flatmap(
        lambda systems: st.tuples(
            st.lists(st.integers(0, 20), min_size=systems * (systems - 1) // 2, max_size=systems * (systems - 1) // 2),
            st.lists(st.lists(st.integers(0, 4), min_size=systems, max_size=systems), min_size=1, max_size=4),
            st.sampled_from([0.0, 0.5, 0.95, 1.0]),
        )
    )
)
def test_drawn_percentiles_are_those_of_the_pairs_written_out(made: tuple[list[int], list[list[int]], float]) -> None:
    values, counts, share = np.array(made[0], float), np.array(made[1], float), made[2]
    firsts, seconds = pairs_of(counts.shape[1])
    found = drawn_percentiles(values, firsts, seconds, counts, share)
    for one, drawn in zip(found, counts, strict=True):
        # The systems as they were drawn: the same one again is no partner.
        systems = np.repeat(np.arange(drawn.size), drawn.astype(int))
        place = {(a, b): i for i, (a, b) in enumerate(zip(firsts.tolist(), seconds.tolist(), strict=True))}
        written = [values[place[int(a), int(b)]] for i, a in enumerate(systems) for b in systems[i + 1 :] if a != b]
        if written:
            assert one == pytest.approx(np.quantile(written, share))
        else:
            assert np.isnan(one)


def test_draws_in_pieces_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(3)
    counts = generator.integers(0, 3, (50, 6)).astype(float)
    values = generator.normal(size=15)
    whole = drawn_percentiles(values, *pairs_of(6), counts)
    monkeypatch.setattr(thresholds, "_AT_ONCE", 40)
    np.testing.assert_array_equal(drawn_percentiles(values, *pairs_of(6), counts), whole)


def test_a_percentile_between_the_last_two() -> None:
    values = np.array([4.0, 1.0, 2.0])
    assert drawn_percentiles(values, *pairs_of(3), np.ones((1, 3))) == pytest.approx([3.8])
    assert percentile(values) == pytest.approx(3.8)
    assert percentile(np.arange(101.0)) == pytest.approx(95.0)


def test_the_interval_is_normal_and_corrected_for_bias_and_for_few_systems() -> None:
    drawn = np.random.default_rng(5).normal(2.9, 0.3, 400)
    reach = stats.norm.ppf(0.975) * drawn.std() * small_sample_factor(10, 10.0)
    middle = 2 * 3.0 - drawn.mean()
    assert drawn_interval(3.0, drawn, 10, ratio=False) == pytest.approx((middle - reach, middle + reach))
    narrow = drawn_interval(3.0, drawn, 10, ratio=False, level=0.5)
    reach = stats.norm.ppf(0.75) * drawn.std() * small_sample_factor(10, 10.0, 0.5)
    assert narrow == pytest.approx((middle - reach, middle + reach))


def test_the_interval_of_a_ratio_is_that_of_logarithms() -> None:
    drawn = np.exp(np.random.default_rng(6).normal(0.9, 0.3, 400))
    plain = list(map(known, drawn_interval(1.0, np.log(drawn), 12, ratio=False)))
    assert drawn_interval(np.e, drawn, 12, ratio=True) == pytest.approx(np.exp(plain))


def test_there_is_no_ratio_to_what_does_not_vary() -> None:
    """Draws of 0 are left out, and small ones are not; by differences, 0 is a value as others are."""
    drawn = np.exp(np.random.default_rng(7).normal(-2.0, 0.3, 400))
    plain = list(map(known, drawn_interval(-2.1, np.log(drawn), 12, ratio=False)))
    expected = pytest.approx(np.exp(plain))
    assert drawn_interval(np.exp(-2.1), drawn, 12, ratio=True) == expected
    assert drawn_interval(np.exp(-2.1), np.append(drawn, np.zeros(100)), 12, ratio=True) == expected
    assert drawn_interval(0.0, drawn, 12, ratio=True) == (None, None)
    assert drawn_interval(0.0, np.zeros(5), 12, ratio=False) == (0.0, 0.0)


@pytest.mark.parametrize("observed", [-5.0, 9.0])
def test_the_interval_holds_what_was_observed(observed: float) -> None:
    """However far the draws are from it, to which side ever."""
    low, high = map(known, drawn_interval(observed, np.array([1.9, 2.0, 2.1]) + observed * 2, 10, ratio=False))
    assert low <= observed <= high
    assert observed in (low, high)


def test_no_interval_where_most_draws_had_no_pair() -> None:
    draws = np.arange(1.0, 11.0)
    for missing in range(11):
        drawn = np.where(np.arange(10) < missing, np.nan, draws)
        found = drawn_interval(5.0, drawn, 10, ratio=False)
        assert (found == (None, None)) == (missing > 5), missing
    assert drawn_interval(5.0, np.array([5.0]), 10, ratio=False) == (None, None)
    assert drawn_interval(5.0, np.array([5.0, 6.0]), 10, ratio=False) != (None, None)


def test_no_pairs() -> None:
    none = np.array([], np.int64)
    assert np.isnan(drawn_percentiles(np.array([]), none, none, np.ones((2, 3)))).all()


def test_the_band_has_its_ends() -> None:
    p = np.array([0.0399, 0.04, 0.05, 0.06, 0.0601])
    assert in_band(p, 0.05).tolist() == [False, True, True, True, False]
    assert in_band(p / 5, 0.01).tolist() == [False, True, True, True, False]


@pytest.mark.parametrize("power", [0.3, 0.5, 0.8])
def test_a_power_law_is_found_again(power: float) -> None:
    sizes = [100, 200, 500, 3_003]
    gains = 7.0 * np.array(sizes, float) ** -power
    assert fitted_exponent(sizes, gains) == pytest.approx(power)
    many = fitted_exponent(sizes, np.stack([gains, 2.0 * gains]))
    np.testing.assert_allclose(many, power)
    if power == 0.5:
        assert fitted_root(sizes, gains) == pytest.approx(7.0)


def test_shares() -> None:
    gains, p = np.array([0.1, 0.5, 0.9, 1.0, 0.2]), np.array([0.5, 0.01, 0.2, 0.05, 0.4])
    assert share_of_pairs(gains, p, 0.9, 0.05) == [2, 1, 3, 1]
    assert share_of_pairs(gains, p, 0.15, 0.05) == [4, 2, 1, 0]
