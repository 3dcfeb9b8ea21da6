"""The planned power against its mean over what may be estimated, and how it depends on what is planned."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from tests.known import known
from truegain.inference.power import Plan, _variance_nodes, runs_needed, units_needed

Floats = NDArray[np.float64]

UNITS = 150
PLAN = Plan(common=0.5, runs=(0.3, 0.3), interactions=(0.4, 0.4), units=UNITS)


def averaged(
    plan: Plan, gain: float, counts: tuple[int, int], *, units: float = 30, alpha: float = 0.05, one_sided: bool = False
) -> float:
    """The power over 4,096 evenly spread estimates of the three variances, each with scipy's threshold."""
    ratio = plan.units / units
    per_run = [run + inner * ratio for run, inner in zip(plan.runs, plan.interactions, strict=True)]
    fixed = plan.interactions[0] * ratio / counts[0] + plan.interactions[1] * ratio / counts[1]
    freedoms = [units - 1.0, counts[0] - 1.0, counts[1] - 1.0]
    evenly = stats.qmc.Sobol(3, seed=1).random_base2(12)
    over_units, old, new = (
        variance * stats.chi2.ppf(column, freedom) / freedom
        for variance, column, freedom in zip([plan.common * ratio, *per_run], evenly.T, freedoms, strict=True)
    )
    tail = alpha if one_sided else alpha / 2

    def threshold(parts: list[Floats], freedoms: list[float]) -> Floats:
        variance = np.sum(parts, axis=0)
        below = np.sum([part**2 / freedom for part, freedom in zip(parts, freedoms, strict=True)], axis=0)
        return stats.t.isf(tail, variance**2 / below) * np.sqrt(variance)  # type: ignore[no-any-return]

    pooled = (freedoms[1] * old + freedoms[2] * new) / (freedoms[1] + freedoms[2])
    needed = np.max(
        [
            threshold([over_units, old / counts[0], new / counts[1]], freedoms),
            threshold([over_units, pooled / counts[0] + pooled / counts[1]], [freedoms[0], freedoms[1] + freedoms[2]]),
            stats.norm.isf(tail) * np.sqrt(over_units + fixed),
        ],
        axis=0,
    )
    spread = math.sqrt(plan.common * ratio + per_run[0] / counts[0] + per_run[1] / counts[1])
    power = stats.norm.sf((needed - gain) / spread).mean()
    return float(power if one_sided else power + stats.norm.sf((needed + gain) / spread).mean())


@pytest.mark.whole
@pytest.mark.parametrize("counts", [(2, 2), (2, 9), (9, 2), (4, 6), (30, 3)])
@pytest.mark.parametrize(
    "plan",
    [
        PLAN,
        replace(PLAN, runs=(1.5, 1.5)),
        replace(PLAN, runs=(0.0, 0.0)),
        Plan(common=0.1, runs=(0.05, 2.0), interactions=(0.05, 0.1), units=30),
        Plan(common=0.1, runs=(2.0, 0.05), interactions=(0.3, 0.1), units=30),
        Plan(common=1.5, runs=(0.02, 0.01), interactions=(0.05, 0.1), units=6),
        Plan(common=0.1, runs=(0.01, 0.02), interactions=(1.0, 2.0), units=30),
    ],
)
def test_power_is_the_mean_over_what_may_be_estimated(plan: Plan, counts: tuple[int, int]) -> None:
    for gain in (1.0, 4.0):
        expected = averaged(plan, gain, counts, units=plan.units)
        assert plan.power(gain, counts) == pytest.approx(expected, abs=3e-4)


@pytest.mark.parametrize("units", [2, 4, 22, 400])
def test_mean_with_other_units_and_levels(units: int) -> None:
    plan = Plan(common=1.0, runs=(0.1, 0.2), interactions=(0.3, 0.2), units=30)
    for alpha, one_sided in ((0.05, True), (0.05, False), (0.01, False), (0.2, False)):
        expected = averaged(plan, 3.0, (3, 5), units=units, alpha=alpha, one_sided=one_sided)
        found = plan.power(3.0, (3, 5), units=units, alpha=alpha, one_sided=one_sided)
        assert found == pytest.approx(expected, abs=3e-4)


def test_without_a_gain_it_is_the_size() -> None:
    for count in (2, 3, 5, 20):
        assert 0.01 < PLAN.power(0.0, (count, count)) < 0.06
    assert PLAN.power(0.0, (500, 500)) == pytest.approx(0.05, abs=0.005)
    assert PLAN.power(0.0, (500, 500), alpha=0.01) == pytest.approx(0.01, abs=0.002)


def test_many_runs_and_units_make_it_a_normal_test() -> None:
    plan = Plan(common=0.3, runs=(0.5, 0.5), interactions=(0.2, 0.2), units=100_000)
    spread = math.sqrt(0.3 + 2 * 0.7 / 400)
    for gain in (0.5, 1.0, 1.5):
        expected = stats.norm.sf(1.96 - gain / spread) + stats.norm.sf(1.96 + gain / spread)
        assert plan.power(gain, (400, 400)) == pytest.approx(expected, abs=0.005)


def test_nothing_varies() -> None:
    plan = Plan(common=0.0, runs=(0.0, 0.0), interactions=(0.0, 0.0), units=50)
    assert plan.power(0.1, (2, 2)) == 1.0
    assert plan.power(0.0, (2, 2)) == 0.0


variances = st.floats(0.01, 4.0)


@settings(max_examples=15, deadline=None)
@given(
    common=variances,
    run=variances,
    inner=variances,
    gain=st.floats(0.2, 6.0),
    counts=st.tuples(st.integers(2, 12), st.integers(2, 12)),
)
def test_grows_with_gain_runs_and_units(
    common: float, run: float, inner: float, gain: float, counts: tuple[int, int]
) -> None:
    plan = Plan(common, (run, run), (inner, inner), UNITS)
    power = plan.power(gain, counts)
    slack = 1e-3  # quadrature and tables
    assert 0.0 <= power <= 1.0
    assert plan.power(-gain, counts) == pytest.approx(power)
    assert plan.power(gain, counts[::-1]) == pytest.approx(power, abs=1e-6)
    if power > 0.2:  # below, it is hardly more than the size, which is not the same with other numbers
        assert plan.power(1.2 * gain, counts) >= power - slack
        assert plan.power(gain, (counts[0] + 1, counts[1] + 1)) >= power - slack
        assert plan.power(gain, counts, units=2 * UNITS) >= power - slack
    assert plan.power(gain, counts, units=UNITS) == power
    assert plan.power(gain, counts, alpha=0.01) <= power + slack


@pytest.mark.parametrize("gain", [1.8, 2.3, 3.0, 5.0, 12.0])
@pytest.mark.parametrize("power", [0.5, 0.8, 0.9])
def test_fewest_runs(gain: float, power: float) -> None:
    plan = replace(PLAN, common=0.2)
    runs = known(runs_needed(plan, gain, power=power))
    assert runs >= 2
    assert plan.power(gain, (runs, runs)) >= power
    if runs > 2:
        assert plan.power(gain, (runs - 1, runs - 1)) < power
    assert runs_needed(plan, -gain, power=power) == runs


def test_just_enough_is_enough() -> None:
    """A power that so many runs or units have, to the last bit, is had with so many."""
    assert runs_needed(PLAN, 2.5, power=PLAN.power(2.5, (5, 5))) == 5
    assert units_needed(PLAN, 2.5, (4, 4), power=PLAN.power(2.5, (4, 4), units=100.0)) == 100


def test_more_than_a_thousand_runs_are_too_many() -> None:
    plan = Plan(common=0.0, runs=(1.0, 1.0), interactions=(0.0, 0.0), units=50)
    gain = plan.detectable((1000, 1000))
    assert runs_needed(plan, gain) == 1000
    less = plan.detectable((1001, 1001))
    assert runs_needed(plan, less, most=1001) == 1001
    assert runs_needed(plan, less) is None
    assert runs_needed(plan, gain, most=3) is None, "nor is any other number above the most an answer"


def test_fewest_runs_depends_on_all_it_should() -> None:
    runs = known(runs_needed(PLAN, 2.5))
    fewer = [
        runs_needed(PLAN, 3.0),
        runs_needed(PLAN, 2.5, power=0.6),
        runs_needed(PLAN, 2.5, units=2 * UNITS),
        runs_needed(PLAN, 2.5, alpha=0.2),
        runs_needed(replace(PLAN, runs=(0.05, 0.05)), 2.5),
    ]
    assert all(one is not None and one < runs for one in fewer)


def test_no_number_of_runs_is_enough_where_segments_vary_too_much() -> None:
    """With V_h = 1 a gain of 2 is shown with a power of .52 by any number of runs."""
    plan = Plan(common=1.0, runs=(0.1, 0.1), interactions=(0.1, 0.1), units=400)
    assert runs_needed(plan, 2.0) is None
    assert plan.power(2.0, (1000, 1000)) == pytest.approx(stats.norm.sf(1.96 - 2.0), abs=0.01)
    assert runs_needed(plan, 2.0, power=0.5) is not None
    assert runs_needed(plan, 2.0, units=1000) is not None, "more segments help"
    assert runs_needed(PLAN, 2.5, most=2) is None


# ---- One run of each, one side, and what is asked the other way round


@pytest.mark.parametrize(
    ("counts", "units", "gain", "one_sided"),
    [
        *(((1, 1), units, 2.0, one_sided) for units in (20.0, 100.0, 3000.0) for one_sided in (False, True)),
        ((1, 3), 40.0, 2.0, False),
        ((3, 1), 40.0, 2.0, False),
        ((1, 1), 1.5, 3.0, False),  # one degree of freedom is the least
        ((1, 1), 2.0, 3.0, False),
    ],
)
def test_with_one_run_of_either_it_is_a_t_test_over_units(
    counts: tuple[int, int], units: float, gain: float, one_sided: bool
) -> None:
    """Of the runs at hand: what runs vary by otherwise has no part in it."""
    plan = Plan(common=0.5, runs=(9.0, 9.0), interactions=(0.1, 0.15), units=200)
    spread = math.sqrt((0.5 + 0.1 / counts[0] + 0.15 / counts[1]) * 200 / units)
    assert plan.spread(counts, units=units) == pytest.approx(spread)
    freedom = max(units - 1, 1)
    threshold = stats.t.isf(0.05 if one_sided else 0.025, freedom)
    expected = stats.nct.sf(threshold, freedom, gain / spread)
    if not one_sided:
        expected += stats.nct.cdf(-threshold, freedom, gain / spread)
    assert plan.power(gain, counts, units=units, one_sided=one_sided) == pytest.approx(expected, abs=1e-8)


def test_spread_is_the_root_of_what_varies() -> None:
    plan = Plan(common=0.5, runs=(0.3, 0.6), interactions=(0.4, 0.2), units=150)
    assert plan.spread((2, 5)) ** 2 == pytest.approx(0.5 + 0.7 / 2 + 0.8 / 5)
    assert plan.spread((2, 5), units=300) ** 2 == pytest.approx(0.25 + (0.3 + 0.2) / 2 + (0.6 + 0.1) / 5)


def test_one_side_finds_more_and_both_are_tested_unless_one_is_asked_for() -> None:
    for counts in ((1, 1), (2, 2), (5, 5)):
        least = PLAN.detectable(counts)
        assert least == PLAN.detectable(counts, one_sided=False)
        assert least > PLAN.detectable(counts, one_sided=True) * 1.05
        assert PLAN.power(2.5, counts, one_sided=True) > PLAN.power(2.5, counts) + 0.03
        assert PLAN.power(2.5, counts, one_sided=True, alpha=0.025) == pytest.approx(PLAN.power(2.5, counts), abs=1e-3)


@settings(max_examples=15, deadline=None)
@given(
    common=variances,
    run=variances,
    count=st.integers(1, 8),
    power=st.floats(0.3, 0.95),
    units=st.integers(10, 5000),
    one_sided=st.booleans(),
)
def test_the_detectable_gain_is_found_with_the_power_asked_for(
    common: float, run: float, count: int, power: float, units: int, one_sided: bool
) -> None:
    plan = Plan(common, (run, run), (0.1, 0.2), UNITS)
    counts = (count, count)
    least = plan.detectable(counts, power=power, units=units, one_sided=one_sided)
    assert plan.power(least, counts, units=units, one_sided=one_sided) == pytest.approx(power, abs=1e-6)
    assert plan.power(0.95 * least, counts, units=units, one_sided=one_sided) < power


@pytest.mark.parametrize("counts", [(1, 1), (2, 3)])
def test_what_is_detectable_with_little_power(counts: tuple[int, int]) -> None:
    """Below the power that there is without any gain, none is needed."""
    size = PLAN.power(0.0, counts)
    assert PLAN.detectable(counts, power=size) == 0.0
    assert PLAN.detectable(counts, power=0.9 * size) == 0.0
    least = PLAN.detectable(counts, power=1.5 * size)
    assert 0.0 < least < PLAN.spread(counts)
    assert PLAN.power(least, counts) == pytest.approx(1.5 * size, rel=1e-6)


@pytest.mark.parametrize("counts", [(1, 1), (2, 3)])
@pytest.mark.parametrize("power", [0.1, 0.8])
def test_what_is_detectable_is_in_the_unit_of_the_scores(counts: tuple[int, int], power: float) -> None:
    gain = PLAN.detectable(counts, power=power)
    for unit in (1e-7, 1e7):
        scaled = Plan(
            PLAN.common * unit**2,
            (PLAN.runs[0] * unit**2, PLAN.runs[1] * unit**2),
            (PLAN.interactions[0] * unit**2, PLAN.interactions[1] * unit**2),
            UNITS,
        )
        assert scaled.detectable(counts, power=power) == pytest.approx(gain * unit, rel=1e-7)


@pytest.mark.parametrize("variance", [1e-321, 1e-300, 1e-200, 1e200])
def test_variances_whose_squares_are_no_numbers(variance: float) -> None:
    """The smallest has two digits left."""
    for counts in ((3, 3), (2, 5)):
        expected = Plan(0.0, (1.0, 0.0), (0.0, 0.0), UNITS).power(3.0, counts)
        found = Plan(0.0, (variance, 0.0), (0.0, 0.0), UNITS).power(3.0 * math.sqrt(variance), counts)
        assert found == pytest.approx(expected, rel=1e-9 if variance > 1e-301 else 0.01)


def test_what_is_detectable_falls_as_the_root_of_the_size() -> None:
    plan = Plan(0.5, (0.0, 0.0), (0.0, 0.0), 200)
    ratio = plan.detectable((1, 1), units=1000) / plan.detectable((1, 1), units=4000)
    assert ratio == pytest.approx(2.0, rel=0.005)
    assert Plan(0.0, (0.0, 0.0), (0.0, 0.0), 200).detectable((1, 1)) == 0.0


@pytest.mark.parametrize("counts", [(1, 1), (3, 3), (2, 6)])
@pytest.mark.parametrize("share", [1.0, 0.6])
def test_fewest_units(counts: tuple[int, int], share: float) -> None:
    plan = replace(PLAN, runs=(0.05, 0.05))
    fewest = known(units_needed(plan, 2.0, counts, share=share))
    assert plan.power(2.0, counts, units=fewest * share) >= 0.8
    assert plan.power(2.0, counts, units=(fewest - 1) * share) < 0.8
    assert units_needed(plan, -2.0, counts, share=share) == fewest
    assert units_needed(plan, 2.0, counts) == units_needed(plan, 2.0, counts, share=1.0)
    assert units_needed(plan, 1e4, (1, 1)) == 2


def test_no_number_of_units_is_enough_where_runs_vary_too_much() -> None:
    plan = replace(PLAN, runs=(1.0, 1.0))
    assert units_needed(plan, 1.0, (3, 3)) is None
    assert units_needed(plan, 1.0, (1, 1)) is not None, "of these runs alone it can be said"
    assert units_needed(plan, 1.0, (40, 40)) is not None, "more runs help"


@pytest.mark.parametrize("freedom", [1.0, 2.0, 5.0, 19.0, 20.0, 21.0, 60.0, 500.0])
def test_the_nodes_of_a_variance_have_the_moments_of_chi_square(freedom: float) -> None:
    """Of chi-square over its degrees of freedom: E x^k is (1 + 2/f) (1 + 4/f) … over its first factors."""
    values, weights = _variance_nodes(freedom)
    assert weights.sum() == pytest.approx(1.0)
    for power in range(1, 5):
        expected = np.prod([1.0 + 2.0 * i / freedom for i in range(power)])
        assert (weights * values**power).sum() == pytest.approx(expected, rel=1e-5)
    # Of a standard deviation: few nodes have its mean only where it varies little.
    root = math.sqrt(2.0 / freedom) * math.exp(math.lgamma((freedom + 1.0) / 2.0) - math.lgamma(freedom / 2.0))
    assert (weights * np.sqrt(values)).sum() == pytest.approx(root, rel=1e-6 if freedom > 20.0 else 1e-10)
