"""Quantiles and tails against scipy and closed forms, and binomial ones in whole numbers."""

from __future__ import annotations

import itertools
import math
import operator
import statistics
from fractions import Fraction

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import stats

from truegain.inference import distributions
from truegain.inference.distributions import (
    _expanded_gamma_ratio,
    _expanded_student_quantile,
    _stirling_error,
    beta_cdf,
    beta_quantile,
    binomial_tail,
    median,
    normal_cdf,
    normal_quantile,
    normal_tail,
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


@pytest.mark.parametrize("x", [1e-300, 0.1, 0.25, 0.5, 0.75, 0.9])
def test_beta_cdf_in_closed_form(x: float) -> None:
    """With 7 as the second shape and x = 1/4, the fraction taken from the wrong side would divide by 0."""
    assert beta_cdf(x, 1, 7) == pytest.approx(-math.expm1(7 * math.log1p(-x)), rel=1e-13, abs=0.0)
    assert beta_cdf(x, 7, 1) == pytest.approx(x**7, rel=1e-13, abs=0.0)
    assert beta_cdf(x, 0.5, 0.5) == pytest.approx(2 / math.pi * math.asin(math.sqrt(x)), rel=1e-13, abs=0.0)


@pytest.mark.parametrize("b", [0.25, 1.0, 7.0, 90.0])
@pytest.mark.parametrize("p", [1e-12, 1e-3, 0.1, 0.5, 0.9])
def test_beta_quantile_in_closed_form(p: float, b: float) -> None:
    assert beta_quantile(p, b, 1.0) == pytest.approx(p ** (1 / b), rel=1e-12, abs=0.0)
    assert beta_quantile(p, 1.0, b) == pytest.approx(-math.expm1(math.log1p(-p) / b), rel=1e-12, abs=0.0)


@pytest.mark.parametrize(
    ("p", "a", "b", "most"),
    [
        (0.3, 20.0, 0.5, 6),
        (0.05, 15.0, 0.5, 8),
        (0.025, 30.0, 71.0, 8),
        (0.975, 900.0, 101.0, 8),
        (0.5, 3.0, 3.0, 1),
        (0.0, 2.0, 3.0, 0),
    ],
)
def test_newton_takes_few_steps(p: float, a: float, b: float, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """By halving alone they would be more than forty."""
    places: list[float] = []

    def counted(x: float, a: float, b: float) -> float:
        places.append(x)
        return beta_cdf(x, a, b)

    monkeypatch.setattr(distributions, "beta_cdf", counted)
    assert beta_quantile(p, a, b) == pytest.approx(stats.beta.ppf(p, a, b), rel=1e-12)
    assert len(places) <= most


@pytest.mark.parametrize("ulps", range(-8, 9))
def test_a_step_onto_an_end_is_none(ulps: int) -> None:
    """Newton's first step, from the mean, leads to 0 for one of these probabilities, and to 1 for one of the others."""
    p = math.sqrt(1 / 3) / 2 + ulps * 2.0**-54
    assert beta_quantile(p, 0.5, 1.0) == pytest.approx(p**2, rel=1e-12)
    assert beta_quantile(1.0 - p, 1.0, 0.5) == pytest.approx(1.0 - p**2, rel=1e-12)


@pytest.mark.whole
@example(p=0.5000000000000001, freedom=1.0)
@example(p=0.975, freedom=0.5)
@example(p=0.975, freedom=200.0)
@settings(max_examples=1000)
@given(p=st.floats(0.001, 0.999), freedom=st.floats(0.5, 1e5))
def test_student_quantile(p: float, freedom: float) -> None:
    assert student_quantile(p, freedom) == pytest.approx(stats.t.ppf(p, freedom), rel=1e-7, abs=1e-9)


@pytest.mark.parametrize("p", [1e-9, 0.01, 0.3, 0.49, 0.5, 0.6, 0.74, 0.75, 0.76, 0.975, 0.999])
def test_student_quantile_in_closed_form(p: float) -> None:
    assert student_quantile(p, 1) == pytest.approx(math.tan(math.pi * (p - 0.5)), rel=1e-7, abs=1e-15)
    assert student_quantile(p, 2) == pytest.approx((2 * p - 1) / math.sqrt(2 * p * (1 - p)), rel=1e-7, abs=1e-15)


Polynomial = list[Fraction]


def _times(*factors: Polynomial) -> Polynomial:
    product = [Fraction(1)]
    for factor in factors:
        longer = [Fraction(0)] * (len(product) + len(factor) - 1)
        for (i, one), (j, other) in itertools.product(enumerate(product), enumerate(factor)):
            longer[i + j] += one * other
        product = longer
    return product


def _plus(*terms: Polynomial) -> Polynomial:
    return [sum(column, Fraction(0)) for column in itertools.zip_longest(*terms, fillvalue=Fraction(0))]


def _slope(polynomial: Polynomial) -> Polynomial:
    return [i * coefficient for i, coefficient in enumerate(polynomial)][1:]


def _expansion_of_the_quantile(orders: int) -> list[Polynomial]:
    """The polynomials in z that powers of e = 1 / freedom are multiplied with, from the equation of the quantiles.

    Where the tails beyond x and z are the same, dx/dz is the ratio of the densities, and the derivative of its
    logarithm gives (1 + e x²) (x'' + z x') = (1 + e) x x'². Order by order, u'' - z u' - u is then known.
    """
    z = [Fraction(0), Fraction(1)]
    minus = [Fraction(-1)]
    terms = [z]
    for order in range(1, orders + 1):
        known: Polynomial = []
        for triple in itertools.product(range(order), repeat=3):
            u, v, w = (terms[one] for one in triple)
            if sum(triple) in (order, order - 1):
                known = _plus(known, _times(u, _slope(v), _slope(w)))
            if sum(triple) == order - 1:
                known = _plus(known, _times(minus, u, v, _plus(_slope(_slope(w)), _times(z, _slope(w)))))
        found = [Fraction(0)] * (len(known) + 2)
        for i, coefficient in reversed(list(enumerate(known))):
            found[i] = (i + 2) * found[i + 2] - coefficient / (i + 1)
        terms.append(found)
    return terms


@pytest.mark.parametrize("z", [0.25, 0.5, 1.0, 2.0, -3.0])
@pytest.mark.parametrize("freedom", [1.0, 8.0, 256.0])
def test_coefficients_of_the_expanded_quantile(z: float, freedom: float) -> None:
    """Also where it is of no use, so that each of them tells."""
    terms = _expansion_of_the_quantile(4)
    place, share = Fraction(z), 1 / Fraction(freedom)
    exact = sum(c * place**i * share**k for k, term in enumerate(terms) for i, c in enumerate(term))
    assert _expanded_student_quantile(z, freedom) == pytest.approx(float(exact), rel=1e-13, abs=0.0)


@pytest.mark.parametrize("p", [0.5, 0.55, 0.7, 0.9, 0.975, 0.995, 0.9995])
def test_both_ways_to_the_quantile_agree_where_they_meet(p: float, monkeypatch: pytest.MonkeyPatch) -> None:
    expanded = student_quantile(p, 200.0)
    monkeypatch.setattr(distributions, "_NEARLY_NORMAL", math.inf)
    assert student_quantile(p, 200.0) == pytest.approx(expanded, rel=3e-10)


def test_ends() -> None:
    assert beta_quantile(0.0, 2, 3) == 0.0
    assert beta_quantile(1.0, 2, 3) == 1.0
    assert beta_cdf(-1.0, 2, 3) == 0.0
    assert beta_cdf(1.0, 2, 3) == 1.0
    assert beta_cdf(2.0, 2, 3) == 1.0
    assert beta_quantile(0.5, 1e20, 2) == 1.0  # no float is nearer
    assert student_quantile(0.5, 3) == 0.0
    assert student_quantile(0.5, 300) == 0.0
    assert student_quantile(1.0, 3) == math.inf
    assert student_quantile(0.0, 3) == -math.inf


@given(p=st.floats(0, 1, exclude_min=True, exclude_max=True) | st.floats(-300, -1).map(lambda power: 10.0**power))
@example(p=0.5)
@example(p=0.075)
@example(p=math.exp(-25))  # where the polynomials change
@example(p=math.exp(-35))  # and a little further out, where the nearer ones are wrong by 2e-13
def test_normal_quantile(p: float) -> None:
    # Where the compiler of Python fuses products and sums, its own differs in the last place.
    assert normal_quantile(p) == pytest.approx(statistics.NormalDist().inv_cdf(p), rel=1e-15, abs=0.0)
    assert normal_quantile(p) == pytest.approx(stats.norm.ppf(p), rel=1e-13, abs=1e-15)


@pytest.mark.parametrize("p", [-1.0, 0.0, 1.0, 2.0])
def test_no_normal_quantile(p: float) -> None:
    with pytest.raises(ValueError):
        normal_quantile(p)


@given(x=st.floats(-10, 10))
def test_normal_cdf(x: float) -> None:
    assert normal_cdf(x) == pytest.approx(stats.norm.cdf(x), rel=1e-12, abs=1e-15)


@given(x=st.floats(-10, 37))
def test_normal_tail(x: float) -> None:
    assert normal_tail(x) == pytest.approx(stats.norm.sf(x), rel=1e-12, abs=0.0)


# A freedom of 1 is held against its closed form below: scipy's own far tail is only right to 1e-8 there.
@pytest.mark.whole
@example(t=0.0, freedom=3.0)
@example(t=1e-8, freedom=2999.0)
@example(t=math.sqrt(3), freedom=200.0)
@example(t=36.0, freedom=1e4)
@example(t=2.0, freedom=199.99)
@example(t=1.75, freedom=98.0)  # the fraction taken from the wrong side would divide by 0
@settings(max_examples=1000)
@given(t=st.floats(-50, 50), freedom=st.floats(1.5, 1e4))
def test_student_tail(t: float, freedom: float) -> None:
    assert student_tail(t, freedom) == pytest.approx(stats.t.sf(t, freedom), rel=3e-12, abs=1e-300)
    assert student_tail(-t, freedom) == pytest.approx(stats.t.cdf(t, freedom), rel=3e-12, abs=1e-300)


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


def test_coefficients_of_the_ratio_of_gammas() -> None:
    """From Γ(a + 3/2) / Γ(a + 1) = (a + 1/2) / a · Γ(a + 1/2) / Γ(a), by powers of 1 / a; at an a where each tells."""
    terms = [Fraction(1)]
    for n in range(2, 7):
        chosen = [math.prod(Fraction(1, 2) - k - i for i in range(n - k)) / math.factorial(n - k) for k in range(n - 1)]
        terms.append(sum(map(operator.mul, terms, chosen), Fraction(0)) / (n - 1))
    exact = sum(term * 4**k for k, term in enumerate(terms))
    assert _expanded_gamma_ratio(0.25) == pytest.approx(0.5 * float(exact), rel=1e-14, abs=0.0)
    for a in (100.0, 120.5, 170.0):
        assert _expanded_gamma_ratio(a) == pytest.approx(math.gamma(a + 0.5) / math.gamma(a), rel=1e-13, abs=0.0)


@pytest.mark.parametrize("n", [16, 17, 50])
def test_coefficients_of_stirlings_series(n: int) -> None:
    """With numbers of Bernoulli: the first that is left out is 1e-16, and a float shows less than that."""
    bernoulli = [Fraction(1, 6), Fraction(-1, 30), Fraction(1, 42), Fraction(-1, 30), Fraction(5, 66)]
    exact = sum(b / (2 * k * (2 * k - 1) * n ** (2 * k - 1)) for k, b in enumerate(bernoulli, 1))
    assert _stirling_error(n) == pytest.approx(float(exact), rel=1e-15, abs=0.0)
    stirling = 0.5 * math.log(2 * math.pi * n) + n * math.log(n) - n
    assert _stirling_error(n) == pytest.approx(math.log(math.factorial(n)) - stirling, abs=1e-13)


@pytest.mark.whole
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
@pytest.mark.whole
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
    assert binomial_tail(1, 0) == 0.0
    assert binomial_tail(3, 5, 0.0) == 0.0
    assert binomial_tail(5, 5, 1.0) == 1.0
    assert binomial_tail(2000, 2000) == 0.0  # below the smallest float


@pytest.mark.parametrize(
    "values", [[3.0], [4.0, 1.0], [9.0, 1.0, 4.0], [16.0, 1.0, 9.0, 4.0], [5.0, 1.0, 9.0, 2.0, 7.0]]
)
def test_the_median_is_the_middle_one_or_between_two(values: list[float]) -> None:
    assert median(iter(values)) == statistics.median(values)
