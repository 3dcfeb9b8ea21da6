"""Quantiles against scipy."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import stats

from truegain.inference.distributions import beta_cdf, beta_quantile, normal_quantile, student_quantile

shape = st.floats(0.5, 2e5)


@given(x=st.floats(0, 1), a=shape, b=shape)
def test_beta_cdf(x: float, a: float, b: float) -> None:
    assert beta_cdf(x, a, b) == pytest.approx(stats.beta.cdf(x, a, b), rel=1e-8, abs=1e-12)


@given(p=st.floats(1e-6, 1 - 1e-6), a=shape, b=shape)
def test_beta_quantile(p: float, a: float, b: float) -> None:
    assert beta_quantile(p, a, b) == pytest.approx(stats.beta.ppf(p, a, b), rel=1e-7, abs=1e-12)


@example(p=0.5000000000000001, freedom=1.0)
@example(p=0.975, freedom=0.5)
@example(p=0.975, freedom=200.0)
@settings(max_examples=1000)
@given(p=st.floats(0.001, 0.999), freedom=st.floats(0.5, 1e5))
def test_student_quantile(p: float, freedom: float) -> None:
    assert student_quantile(p, freedom) == pytest.approx(stats.t.ppf(p, freedom), rel=1e-7, abs=1e-9)


def test_ends() -> None:
    assert beta_quantile(0.0, 2, 3) == 0.0
    assert beta_quantile(1.0, 2, 3) == 1.0
    assert beta_cdf(-1.0, 2, 3) == 0.0
    assert beta_cdf(2.0, 2, 3) == 1.0
    assert student_quantile(0.5, 3) == 0.0


def test_normal_quantile() -> None:
    assert normal_quantile(0.975) == pytest.approx(1.959963984540054)
