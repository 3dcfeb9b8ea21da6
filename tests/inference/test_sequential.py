"""Confidence sequences: the equation they solve, how often they are wrong, and when they are looked at."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.special import betaln, xlog1py, xlogy
from scipy.stats import binom

from truegain.inference.pvalues import CAP, ERROR, FIRST, clopper_pearson, confidence_sequence, stages

counts = st.integers(1, 20_000).flatmap(lambda r: st.tuples(st.integers(0, r), st.just(r)))
errors = st.sampled_from([0.05, 1e-3, 1e-5])


def log_ratio(p: float, c: int, r: int, error: float) -> float:
    """log of B(c + 1, r − c + 1) / (p^c (1 − p)^(r − c)) · error: 0 at the bounds, less between them."""
    return float(betaln(c + 1, r - c + 1) - xlogy(c, p) - xlog1py(r - c, -p) + math.log(error))


@given(counts, errors)
def test_holds_the_share(drawn: tuple[int, int], error: float) -> None:
    c, r = drawn
    low, high = confidence_sequence(c, r, error)
    assert 0.0 <= low <= c / r <= high <= 1.0
    assert low < high
    assert (low == 0.0) == (c == 0)
    assert (high == 1.0) == (c == r)
    assert confidence_sequence(r - c, r, error) == pytest.approx((1.0 - high, 1.0 - low), abs=1e-12), "mirrored"


@given(counts, errors)
def test_solves_the_equation(drawn: tuple[int, int], error: float) -> None:
    c, r = drawn
    low, high = confidence_sequence(c, r, error)
    if c > 0:
        assert low == pytest.approx(brentq(log_ratio, 1e-300, c / r, (c, r, error), xtol=1e-14), abs=1e-9)
        assert log_ratio(low, c, r, error) == pytest.approx(0.0, abs=1e-7)
    if c < r:
        assert high == pytest.approx(brentq(log_ratio, c / r, 1 - 1e-16, (c, r, error), xtol=1e-14), abs=1e-9)
        rounding = 1e-15 * (r - c) / (1.0 - high)  # of 1 − high, where high is next to 1
        assert log_ratio(high, c, r, error) == pytest.approx(0.0, abs=1e-7 + rounding)
    assert log_ratio((low + high) / 2, c, r, error) < 0.0


def test_the_published_rule_decides_as_the_bounds_do() -> None:
    """Stop when B(c + 1, r − c + 1) / (α^c (1 − α)^(r − c)) ≥ 1/ε: when α is outside."""
    for c in range(0, 200, 3):
        low, high = confidence_sequence(c, 1000)
        assert (low < 0.05 < high) == (log_ratio(0.05, c, 1000, ERROR) < 0.0)


@pytest.mark.parametrize("r", [1, 2, 17, 1000])
@pytest.mark.parametrize("error", [0.05, ERROR])
def test_bounds_rise_with_the_count(r: int, error: float) -> None:
    bounds = np.array([confidence_sequence(c, r, error) for c in range(r + 1)])
    assert (np.diff(bounds, axis=0) > 0.0).all()


@given(counts)
def test_a_smaller_error_and_many_looks_cost_width(drawn: tuple[int, int]) -> None:
    narrow, wide = (confidence_sequence(*drawn, error) for error in (0.05, 1e-3))
    assert wide[0] <= narrow[0]
    assert wide[1] >= narrow[1]
    once = clopper_pearson(*drawn)
    assert narrow[0] <= once[0] + 1e-12
    assert narrow[1] >= once[1] - 1e-12


def test_bounds_close_in() -> None:
    widths = [high - low for low, high in (confidence_sequence(r // 20, r) for r in stages(1_024_000))]
    assert widths == sorted(widths, reverse=True)
    assert widths[-1] < 0.0025


@pytest.mark.whole
@pytest.mark.parametrize("p", [0.01, 0.05, 0.3])
def test_the_true_value_is_rarely_ever_excluded(p: float) -> None:
    """Looked at again and again, up to 64,000 resamples."""
    error, repetitions = 0.05, 500
    looks = stages(64_000)
    generator = np.random.default_rng(int(1000 * p))
    steps = np.diff([0, *looks])
    totals = generator.binomial(steps, p, (repetitions, len(steps))).cumsum(1)
    wrong = 0
    for sequence in totals.tolist():
        bounds = [confidence_sequence(c, r, error) for c, r in zip(sequence, looks, strict=True)]
        wrong += any(not low <= p <= high for low, high in bounds)
    assert wrong <= binom.ppf(1 - 1e-4, repetitions, error)
    repeated = sum(
        any(not low <= p <= high for low, high in (clopper_pearson(c, r) for c, r in zip(row, looks, strict=True)))
        for row in totals[:200].tolist()
    )
    assert repeated > binom.ppf(1 - 1e-4, 200, error), "an interval for one look does not last for seven"


def test_stages() -> None:
    assert stages(10_000) == [1000, 2000, 4000, 8000, 10_000]
    assert stages(8000) == [1000, 2000, 4000, 8000]
    assert stages(1000) == [1000]
    assert stages(300) == [300]
    looks = stages()
    assert (looks[0], looks[-1]) == (FIRST, CAP) == (1000, 1_000_000)
    assert all(b == 2 * a for a, b in itertools.pairwise(looks[:-1]))
    assert looks[-2] < CAP <= 2 * looks[-2]
