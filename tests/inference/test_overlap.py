"""How much two systems' intervals overlap (Fu et al.)."""

from __future__ import annotations

import itertools
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats
from scipy.integrate import quad

from truegain.inference.intervals import normal_overlap, overlap

means = st.floats(-3, 3)
spreads = st.floats(0.05, 5)


def sample(mean: float, sd: float) -> NDArray[np.float64]:
    """Numbers with just this mean and standard deviation."""
    plain = np.array([-2.0, -1.0, -1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 2.0])
    return np.asarray(mean + sd * plain / plain.std())


def integrated(first: NDArray[np.float64], second: NDArray[np.float64], level: float) -> float:
    """The definition: the area under both curves inside both intervals."""
    curves = [NormalDist(float(one.mean()), float(one.std())) for one in (first, second)]
    ends = [(curve.inv_cdf((1 - level) / 2), curve.inv_cdf((1 + level) / 2)) for curve in curves]
    low, high = max(low for low, _ in ends), min(high for _, high in ends)
    if low >= high:
        return 0.0
    grid = np.linspace(low, high, 21)
    shared = 0.0
    for a, b in itertools.pairwise(grid.tolist()):
        shared += float(quad(lambda x: min(curve.pdf(x) for curve in curves), a, b, limit=200)[0])
    return shared / (2 * level - shared)


@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
@pytest.mark.parametrize(
    ("mean", "sd"), [(0.0, 1.3), (0.4, 1.0), (0.4, 0.2), (-1.5, 1.0), (2.5, 0.7), (3.8, 1.0), (1.0, 1.0 + 1e-9)]
)
def test_as_integrated(mean: float, sd: float, level: float) -> None:
    first, second = sample(0.0, 1.0), sample(mean, sd)
    assert overlap(first, second, level=level) == pytest.approx(integrated(first, second, level), abs=1e-8)


def test_equal_spreads_in_closed_form() -> None:
    """Curves cross halfway: the shared area is twice a tail, less what is outside the other's interval."""
    first, second = sample(0.0, 1.0), sample(1.0, 1.0)
    shared = 2 * (stats.norm.cdf(stats.norm.ppf(0.975)) - stats.norm.cdf(0.5))
    assert overlap(first, second) == pytest.approx(shared / (1.9 - shared), abs=1e-12)


@given(means, spreads)
def test_identical_and_far_apart(mean: float, sd: float) -> None:
    one = sample(mean, sd)
    assert overlap(one, one) == pytest.approx(1.0, abs=1e-12)
    assert overlap(one, one + 4 * sd) == 0.0
    assert overlap(one, one + 3.9 * sd) > 0.0


@given(means, spreads, means, spreads, st.floats(-100, 100), st.sampled_from([0.001, 0.3, 1.0, 7.0, 1000.0]))
def test_order_shift_and_scale_do_not_matter(
    mean: float, sd: float, other_mean: float, other_sd: float, shift: float, scale: float
) -> None:
    first, second = sample(mean, sd), sample(other_mean, other_sd)
    found = overlap(first, second)
    assert 0.0 <= found <= 1.0 + 1e-12
    assert overlap(second, first) == found
    assert overlap(-first, -second) == pytest.approx(found, abs=1e-9)
    assert overlap(scale * (first + shift), scale * (second + shift)) == pytest.approx(found, abs=1e-6)


@given(means, spreads, st.floats(0.0, 6.0), st.floats(0.0, 6.0))
def test_farther_apart_is_less(mean: float, sd: float, near: float, far: float) -> None:
    assume(near <= far)
    one = sample(mean, sd)
    assert overlap(one, one + far * sd) <= overlap(one, one + near * sd) + 1e-9


def test_scores_that_never_vary() -> None:
    still = np.full(9, 2.0)
    assert overlap(still, still) == 1.0
    assert overlap(still, still + 1) == 0.0
    assert overlap(still, sample(2.0, 1.0)) == 0.0
    assert overlap(sample(2.0, 1.0), still) == 0.0
    assert normal_overlap((0.0, 0.0), (0.0, 1.0)) == 0.0


@pytest.mark.parametrize(("mean", "sd"), [(133.3, 2.27e-14), (68.5, 6.8e-15), (50.0, 2.39e-15)])
def test_no_more_than_all_where_deviations_are_rounding_errors(mean: float, sd: float) -> None:
    for other in (sd, 1.1 * sd, 1.5 * sd):
        assert 0.0 <= normal_overlap((mean, sd), (mean, other)) <= 1.0
