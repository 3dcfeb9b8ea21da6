"""Quantiles and tails against scipy, and binomial ones in whole numbers."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import stats

from truegain.inference.distributions import (
    beta_cdf,
    beta_quantile,
    binomial_tail,
    normal_quantile,
    normal_tail,
    student_cdf,
    student_quantile,
    student_tail,
)

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


@given(x=st.floats(-10, 37))
def test_normal_tail(x: float) -> None:
    assert normal_tail(x) == pytest.approx(stats.norm.sf(x), rel=1e-12, abs=0.0)


# A freedom of 1 is held against its closed form below: scipy's own far tail is only right to 1e-8 there.
@example(t=0.0, freedom=3.0)
@example(t=1e-8, freedom=2999.0)
@example(t=math.sqrt(3), freedom=200.0)
@example(t=36.0, freedom=1e4)
@example(t=2.0, freedom=199.99)
@settings(max_examples=1000)
@given(t=st.floats(-50, 50), freedom=st.floats(1.5, 1e4))
def test_student_tail(t: float, freedom: float) -> None:
    assert student_tail(t, freedom) == pytest.approx(stats.t.sf(t, freedom), rel=3e-12, abs=1e-300)
    assert student_cdf(t, freedom) == pytest.approx(stats.t.cdf(t, freedom), rel=3e-12, abs=1e-300)


@given(power=st.floats(0, 100))
def test_far_student_tails_in_closed_form(power: float) -> None:
    t = 10.0**power
    assert student_tail(t, 1) == pytest.approx(math.atan(1 / t) / math.pi, rel=1e-12, abs=0.0)
    root = math.sqrt(2 + t * t)
    assert student_tail(t, 2) == pytest.approx(1 / (root * (root + t)), rel=1e-12, abs=1e-300)


@pytest.mark.parametrize("freedom", [198, 200, 300])
@pytest.mark.parametrize("sine", [Fraction(1, 64), Fraction(1, 8), Fraction(1, 4)])
def test_student_tail_of_even_freedom(freedom: int, sine: Fraction) -> None:
    """The series of Abramowitz and Stegun (1964), 26.7.4, which ends, in whole numbers."""
    t = math.sqrt(freedom * sine**2 / (1 - sine**2))
    series = sum(math.comb(2 * j, j) * ((1 - sine**2) / 4) ** j for j in range(freedom // 2))
    assert student_tail(t, freedom) == pytest.approx(float((1 - sine * series) / 2), rel=1e-13, abs=0.0)


@pytest.mark.parametrize("t", [0.01, 1.0, 1.7, 1.8, 3.0, 10.0, 30.0])
def test_student_tail_of_a_million(t: float) -> None:
    assert student_tail(t, 1e6) == pytest.approx(stats.t.sf(t, 1e6), rel=1e-9, abs=0.0)


@pytest.mark.parametrize("freedom", [0.5, 7, 29, 150, 2999])
@pytest.mark.parametrize("probability", [0.6, 0.975, 0.9999])
def test_student_tail_undoes_the_quantile(freedom: float, probability: float) -> None:
    assert student_tail(student_quantile(probability, freedom), freedom) == pytest.approx(1 - probability, rel=1e-8)


@pytest.mark.parametrize("n", [1, 2, 3, 15, 16, 17, 60, 700, 3000])
def test_even_binomial_tail_in_whole_numbers(n: int) -> None:
    ways = [math.comb(n, k) for k in range(n + 1)]
    above = 0
    for k in range(n, -1, -1):
        above += ways[k]
        if k % max(n // 60, 1) == 0 or abs(2 * k - n) < 6:
            expected = above / 2**n
            if expected > 1e-300:
                assert binomial_tail(k, n) == pytest.approx(expected, rel=1e-12, abs=0.0)
    assert above == 2**n


@example(n=40, share=0.65, p=1e-6)
@example(n=3, share=1.0, p=0.3)
@example(n=1317, share=0.987, p=0.571430262)
@settings(max_examples=200, deadline=None)
@given(n=st.integers(1, 120), share=st.floats(0, 1), p=st.floats(1e-6, 1 - 1e-6))
def test_binomial_tail_in_whole_numbers(n: int, share: float, p: float) -> None:
    k = round(share * n)
    yes, every = p.as_integer_ratio()
    ways = sum(math.comb(n, i) * yes**i * (every - yes) ** (n - i) for i in range(k, n + 1))
    assert binomial_tail(k, n, p) == pytest.approx(ways / every**n, rel=1e-12, abs=1e-300)


# Below 1e-150 scipy loses digits: 1e-284 is right to two.
@settings(max_examples=500)
@given(n=st.integers(1, 4000), share=st.floats(0, 1), p=st.floats(1e-6, 1 - 1e-6))
def test_binomial_tail_as_scipy(n: int, share: float, p: float) -> None:
    k = round(share * n)
    assert binomial_tail(k, n, p) == pytest.approx(stats.binom.sf(k - 1, n, p), rel=1e-11, abs=1e-150)
    assert binomial_tail(n - k, n, 1 - p) == pytest.approx(stats.binom.cdf(k, n, p), rel=1e-9, abs=1e-150)


def test_ends_of_tails() -> None:
    assert student_tail(math.inf, 3) == 0.0
    assert student_tail(-math.inf, 3) == 1.0
    assert student_tail(1e200, 3) == 0.0
    assert binomial_tail(0, 5) == 1.0
    assert binomial_tail(6, 5) == 0.0
    assert binomial_tail(0, 0) == 1.0
    assert binomial_tail(3, 5, 0.0) == 0.0
    assert binomial_tail(5, 5, 1.0) == 1.0
    assert binomial_tail(2000, 2000) == 0.0  # below the smallest float
