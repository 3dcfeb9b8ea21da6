"""The noncentral t distribution against scipy, and what the power of a t-test must be."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from truegain.inference.noncentral import noncentral_student_tail, t_test_power


@pytest.mark.parametrize("freedom", [1.0, 2.0, 3.5, 10.0, 49.0, 999.0, 1e6])
@pytest.mark.parametrize("noncentrality", [-2.0, 0.0, 0.5, 2.0, 4.0, 8.0])
@pytest.mark.parametrize("t", [-1.0, 0.0, 1.0, 1.96, 4.3, 12.0])
def test_tail_is_scipys(t: float, freedom: float, noncentrality: float) -> None:
    expected = stats.nct.sf(t, freedom, noncentrality) if noncentrality else stats.t.sf(t, freedom)
    assert noncentral_student_tail(t, freedom, noncentrality) == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize("freedom", [2.0, 9.0, 99.0, 12345.6])
@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.2])
def test_without_a_difference_it_is_the_level(freedom: float, alpha: float) -> None:
    assert t_test_power(0.0, freedom, alpha=alpha) == pytest.approx(alpha, abs=1e-9)
    assert t_test_power(0.0, freedom, alpha=alpha, one_sided=True) == pytest.approx(alpha, abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(effect=st.floats(0.0, 6.0), freedom=st.floats(1.0, 1e4), more=st.floats(0.01, 2.0))
def test_power_grows_and_one_side_finds_more(effect: float, freedom: float, more: float) -> None:
    power = t_test_power(effect, freedom)
    assert 0.0 <= power <= 1.0
    assert t_test_power(-effect, freedom) == pytest.approx(power, abs=1e-9)
    assert t_test_power(effect + more, freedom) >= power - 1e-9
    assert t_test_power(effect, 2.0 * freedom) >= power - 1e-9
    assert t_test_power(effect, freedom, one_sided=True) >= power - 1e-9


def test_a_difference_the_other_way_is_not_found_by_one_side() -> None:
    assert t_test_power(-3.0, 50.0, one_sided=True) < 1e-4
    assert t_test_power(-3.0, 50.0) > 0.8
