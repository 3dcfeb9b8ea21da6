"""The exact swap test: against enumeration, the binomial, big integers and random swaps; and at its limits."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from tests.known import known
from truegain.inference import exact
from truegain.inference.exact import SwapDistribution, exact_p, grid_of, swap_distribution
from truegain.inference.pvalues import Alternative, randomization_test
from truegain.resampling.units import Units, UnitTable

Array = NDArray[np.float64]


def table_of(differences: Array, *, cells: int = 2**24, work: float = 5e9) -> SwapDistribution:
    """By convolution, even where there are few units."""
    with patch.object(exact, "ENUMERATED", 0):
        found = known(swap_distribution(differences, cells=cells, work=work))
    assert found.method == "convolution" or not differences.any()
    return found


def found_for(differences: Array) -> SwapDistribution:
    return known(swap_distribution(differences))


def p_of_totals(differences: Array, alternative: Alternative = "two-sided") -> float:
    """The test of the difference of two totals."""
    found = found_for(differences[:, None])
    delta = float(differences.sum())
    return exact_p(found, delta - 2.0 * found.sums[0], delta, alternative=alternative, magnitude=1.0)


def f1(totals: Array, gold: float) -> Array:
    return np.asarray(2.0 * totals[0] / (totals[1] + gold))


def f1_data(units: int, seed: int) -> tuple[Array, Array, float]:
    """Correct and predicted of two taggers, the second the better one, and the number of gold entities."""
    draws = np.random.default_rng(seed)
    gold = draws.integers(1, 5, units)
    systems = []
    for accuracy in (0.6, 0.67):
        correct = draws.binomial(gold, accuracy)
        systems.append(np.stack([correct, correct + draws.integers(0, 3, units)], axis=1).astype(np.float64))
    return systems[0], systems[1], float(gold.sum())


def p_of_f1(found: SwapDistribution, a: Array, b: Array, gold: float) -> float:
    delta = f1(b.sum(0), gold) - f1(a.sum(0), gold)
    values = f1(b.sum(0)[:, None] - found.sums, gold) - f1(a.sum(0)[:, None] + found.sums, gold)
    return exact_p(found, values, float(delta), magnitude=1.0)


integers = st.integers(1, 3).flatmap(
    lambda columns: st.lists(
        st.lists(st.integers(-4, 4), min_size=columns, max_size=columns), min_size=1, max_size=9
    ).map(lambda rows: np.array(rows, np.float64))
)
gcds = st.sampled_from([1.0, 7.0, 2.0**40, 0.5, 0.1])


@given(differences=integers, gcd=gcds, block=st.sampled_from([1, 5, 2**14]))
def test_the_table_as_all_subsets(differences: Array, gcd: float, block: int) -> None:
    expected = Counter(
        tuple(np.array(swapped) @ differences) for swapped in itertools.product((0, 1), repeat=len(differences))
    )
    with patch.object(exact, "_BLOCK", block):
        found = table_of(differences * gcd)
    keys = [tuple(np.rint(one / gcd)) for one in found.sums.T]
    assert found.sums == pytest.approx(np.array(keys).T * gcd, rel=1e-12, abs=0.0)
    assert len(set(keys)) == len(keys)
    counts = found.probability * 2.0 ** len(differences)
    assert dict(zip(keys, counts.tolist(), strict=True)) == expected


@pytest.mark.whole
@given(differences=integers)
def test_enumeration_has_every_subset(differences: Array) -> None:
    odd = differences * np.array([math.pi, math.e, math.sqrt(2)])[: differences.shape[1]]
    found = found_for(odd)
    moving = odd[odd.any(1)]
    assert found.method == "enumeration"
    expected = sorted(
        tuple((np.array(swapped) @ moving).round(9)) for swapped in itertools.product((0, 1), repeat=len(moving))
    )
    assert np.array(sorted(map(tuple, found.sums.T.round(9)))) == pytest.approx(
        np.array(expected).reshape(-1, odd.shape[1])
    )
    assert np.all(found.probability == 0.5 ** len(moving))


@pytest.mark.whole
@pytest.mark.parametrize(("units", "columns"), [(1300, 1), (60, 2)])
def test_every_probability_as_big_integers_have_it(units: int, columns: int) -> None:
    """All cells as digits of one large number, 1 + x^d for each unit multiplied out without any rounding."""
    differences = np.random.default_rng(1).integers(-3, 4, (units, columns)).astype(np.float64)
    side = np.abs(differences).sum(0) + 1.0
    place = np.array([side[-1], 1.0])[-columns:]  # of u in the row of digits, so that no two fall together
    shifts = (differences @ place).astype(int).tolist()
    size = units // 8 + 1  # bytes of a digit
    product = 1
    for shift in shifts:
        product += product << 8 * size * abs(shift)
    row = product.to_bytes(size * (sum(map(abs, shifts)) + 1), "little")
    digits = [int.from_bytes(row[i : i + size], "little") for i in range(0, len(row), size)]
    expected = {i + sum(min(shift, 0) for shift in shifts): n / 2**units for i, n in enumerate(digits) if n}
    found = table_of(differences)
    got = dict(zip((found.sums.T @ place).astype(int).tolist(), found.probability.tolist(), strict=True))
    assert len(got) == found.probability.size
    assert set(got) <= set(expected)
    errors = [abs(got[u] / p - 1.0) for u, p in expected.items() if p > 1e-300]
    assert max(errors) < 1e-12
    assert found.probability.sum() == pytest.approx(1.0, abs=1e-12)


@settings(max_examples=30, deadline=None)
@given(units=st.integers(1, 900), share=st.floats(0, 1))  # scipy itself gives 0 at 1,100
def test_sign_test_is_the_binomial(units: int, share: float) -> None:
    wins = round(share * units)
    differences = np.where(np.arange(units) < wins, 1.0, -1.0)
    expected = stats.binomtest(wins, units).pvalue
    assert p_of_totals(differences) == pytest.approx(expected, rel=1e-9, abs=1e-300)
    upper = stats.binom.sf(wins - 1, units, 0.5)
    assert p_of_totals(differences, "greater") == pytest.approx(upper, rel=1e-9, abs=1e-300)
    lower = stats.binom.cdf(wins, units, 0.5)
    assert p_of_totals(differences, "less") == pytest.approx(lower, rel=1e-9, abs=1e-300)


@pytest.mark.parametrize(("units", "wins"), [(800, 755), (3000, 2300), (4000, 2900)])
def test_far_tails(units: int, wins: int) -> None:
    differences = np.where(np.arange(units) < wins, 1.0, -1.0)
    expected = 2 * sum(math.comb(units, k) for k in range(wins, units + 1)) / 2**units
    assert 1e-240 < expected < 1e-150
    assert p_of_totals(differences) == pytest.approx(expected, rel=1e-11, abs=0.0)


@pytest.mark.parametrize("units", [998, 1100, 2500, 5000])
def test_no_p_is_zero(units: int) -> None:
    assert p_of_totals(np.ones(units)) == 1e-300
    assert p_of_totals(np.ones(units), "less") == 1.0


def test_smallest_p_of_a_whole_table() -> None:
    assert p_of_totals(np.ones(300)) == 2.0**-299
    assert found_for(np.ones((300, 1))).floor == 2.0**-300


@pytest.mark.whole
@given(differences=integers)
def test_symmetry(differences: Array) -> None:
    found = table_of(differences)
    there = {tuple(one): p for one, p in zip(found.sums.T.tolist(), found.probability.tolist(), strict=True)}
    mirrored = (differences.sum(0)[:, None] - found.sums).T.tolist()
    assert {tuple(one): p for one, p in zip(mirrored, found.probability.tolist(), strict=True)} == there


@pytest.mark.parametrize("seed", range(5))
def test_f1_table_as_enumeration(seed: int) -> None:
    a, b, gold = f1_data(14, seed)
    enumerated, convolved = found_for((b - a) * math.sqrt(2)), table_of(b - a)
    assert enumerated.method == "enumeration"
    exactly = SwapDistribution(enumerated.sums / math.sqrt(2), enumerated.probability, "enumeration", enumerated.floor)
    assert p_of_f1(convolved, a, b, gold) == pytest.approx(p_of_f1(exactly, a, b, gold), rel=1e-12, abs=0.0)


@pytest.mark.whole
def test_f1_as_random_swaps() -> None:
    a, b, gold = f1_data(500, 11)
    b[::3] = a[::3]
    p = p_of_f1(found_for(b - a), a, b, gold)
    swaps = np.random.default_rng(2).integers(0, 2, (40_000, 500)).astype(np.float64) @ (b - a)
    values = f1(b.sum(0)[:, None] - swaps.T, gold) - f1(a.sum(0)[:, None] + swaps.T, gold)
    delta = float(f1(b.sum(0), gold) - f1(a.sum(0), gold))
    drawn = randomization_test(delta, values, magnitude=1.0).p
    assert 0.01 < p < 0.5
    assert abs(drawn - p) < 4.0 * math.sqrt(p * (1.0 - p) / 40_000)


@pytest.mark.parametrize("units", [15, 60, 400])
def test_neither_order_nor_names_matter(units: int) -> None:
    a, b, gold = f1_data(units, 5)
    found = found_for(b - a)
    p = p_of_f1(found, a, b, gold)
    assert p_of_f1(found_for(a - b), b, a, gold) == pytest.approx(p, rel=1e-12, abs=0.0)
    order = np.random.default_rng(0).permutation(units)
    assert p_of_f1(found_for((b - a)[order]), a[order], b[order], gold) == pytest.approx(p, rel=1e-12, abs=0.0)
    assert np.array_equal(np.sort(found_for((a - b)[order]).probability), np.sort(found.probability))
    other_way = SwapDistribution(
        found_for((b - a)[:, ::-1]).sums[::-1], found_for((b - a)[:, ::-1]).probability, "convolution", 0.0
    )
    assert p_of_f1(other_way, a, b, gold) == pytest.approx(p, rel=1e-12, abs=0.0)


@pytest.mark.parametrize("columns", [1, 3])
def test_identical_systems(columns: int) -> None:
    found = found_for(np.zeros((50, columns)))
    assert found.sums.tolist() == [[0.0]] * columns
    assert found.probability.tolist() == [1.0]
    assert exact_p(found, np.zeros(1), 0.0, magnitude=3.0) == 1.0


def test_one_differing_unit() -> None:
    differences = np.zeros(30)
    differences[4] = 2.5
    assert p_of_totals(differences) == 1.0
    assert p_of_totals(differences, "greater") == 0.5
    assert p_of_totals(differences, "less") == 1.0


def test_columns_that_never_differ_stay() -> None:
    draws = np.random.default_rng(3)
    plain = draws.integers(-3, 4, (60, 2)).astype(np.float64)
    found, small = found_for(np.insert(plain, 1, 0.0, axis=1)), found_for(plain)
    assert found.sums.shape == (3, small.probability.size)
    assert not found.sums[1].any()
    assert np.array_equal(found.sums[[0, 2]], small.sums)


def test_many_columns_of_few_units() -> None:
    found = found_for(np.random.default_rng(0).integers(-(10**14), 10**14, (8, 70)).astype(np.float64))
    assert found.method == "enumeration"
    assert found.sums.shape == (70, 256)


@pytest.mark.parametrize(
    ("alternative", "delta", "p"),
    [
        ("two-sided", 2.0, 0.5),
        ("two-sided", -2.0, 0.5),
        ("greater", 2.0, 0.4),
        ("less", 2.0, 1.0),
        ("less", -2.0 - 1e-9, 0.1),
        ("less", -2.0 - 1e-6, 1e-12),
    ],
)
def test_sides_and_ties(alternative: Alternative, delta: float, p: float) -> None:
    found = SwapDistribution(np.zeros((1, 4)), np.array([0.1, 0.2, 0.3, 0.4]), "convolution", 1e-12)
    values = np.array([-2.0, 0.0, 1.0, 2.0 - 1e-9])
    assert exact_p(found, values, delta, alternative=alternative, magnitude=40.0) == pytest.approx(p, abs=0.0)


@pytest.mark.parametrize(
    ("values", "probability", "delta"),
    [
        ([-3.0, 3.0], [0.5, 0.5 - 2.0**-53], 3.0),
        ([-3.0, 3.0], [0.5, 0.5 + 2.0**-50], 3.0),
        ([2.0, 2.0, 0.0], [0.75, 0.5, 0.0], 2.0),  # rounded, they may add up to more than 1
    ],
)
def test_one_is_one_whatever_the_roundings(values: list[float], probability: list[float], delta: float) -> None:
    found = SwapDistribution(np.zeros((1, len(values))), np.array(probability), "convolution", 1e-12)
    assert exact_p(found, np.array(values), delta, magnitude=3.0) == 1.0


@pytest.mark.whole
def test_small_tables_with_a_higher_floor() -> None:
    """What does not fit is left out far away from the mean, never near it."""
    draws = np.random.default_rng(6)
    differences = draws.integers(-3, 4, (600, 2)).astype(np.float64)
    whole = table_of(differences)
    assert whole.floor == 0.5 ** np.count_nonzero(differences.any(1))
    for cells, floor in ((600_000, 1e-30), (400_000, 1e-12)):
        found = table_of(differences, cells=cells)
        assert found.probability.size <= cells
        assert found.floor == floor
        for gain in (0.0, 3.0, 5.0, 7.0, 9.0, 12.0):
            delta = gain * math.sqrt((differences.sum(1) ** 2).sum())
            ps = []
            for one in (whole, found):
                centred = one.sums.sum(0) - differences.sum() / 2.0
                ps.append(exact_p(one, 2.0 * centred, delta, magnitude=1.0))
            assert ps[1] == pytest.approx(max(ps[0], found.floor), rel=1e-9, abs=0.0)
    assert known(swap_distribution(differences, work=8e7)).floor == 1e-12


@pytest.mark.parametrize("units", [300, 301])
def test_small_tables_of_large_steps(units: int) -> None:
    """Here what is left out moves up and down with each unit, by more than it shrinks."""
    differences = np.random.default_rng(units).integers(40, 44, (units, 1)).astype(np.float64)
    whole = table_of(differences)
    found = table_of(differences, cells=9000)
    assert found.floor == 1e-12
    expected = dict(zip(whole.sums[0].tolist(), whole.probability.tolist(), strict=True))
    pairs = [(p, expected[u]) for u, p in zip(found.sums[0].tolist(), found.probability.tolist(), strict=True)]
    assert sum(p for _, p in pairs) > 1.0 - 1e-14
    assert all(p == pytest.approx(q, rel=1e-9, abs=0.0) for p, q in pairs if q > 1e-14)


def test_out_of_reach() -> None:
    draws = np.random.default_rng(7)
    whole = draws.integers(-50, 51, (200, 2)).astype(np.float64)
    assert swap_distribution(whole, cells=10_000) is None
    assert swap_distribution(whole, work=1e5) is None
    continuous = draws.normal(size=(21, 1))
    assert swap_distribution(continuous) is None
    assert found_for(continuous[:20]).method == "enumeration"
    assert swap_distribution(continuous[:20], cells=2**19) is None
    assert swap_distribution(draws.integers(-(2**45), 2**45, (30, 2)).astype(np.float64)) is None
    assert found_for(np.array([[1e300], [3e299]])).probability.size == 4


def test_the_smaller_of_the_two() -> None:
    assert found_for(np.ones((16, 1))).method == "convolution"
    assert found_for(np.ones((16, 1))).probability.size == 17
    assert found_for(np.exp2(1.5 * np.arange(10.0)).round()[:, None]).method == "enumeration"


@pytest.mark.parametrize(
    ("values", "whole", "step"),
    [
        ([3.0, -6.0, 0.0], [1, -2, 0], 3.0),
        ([2.0**50, -(2.0**49)], [2, -1], 2.0**49),
        ([0.5, -1.5, 1.0], [1, -3, 2], 0.5),
        ([0.25, 0.75], [1, 3], 0.25),
        ([0.3, -0.1, 0.1 + 0.2], [3, -1, 3], 0.1),
        ([0.07, 12.34], [7, 1234], 0.01),
        ([0.0625, 0.125], [1, 2], 0.0625),
        ([2 / 3, -1 / 3, 1.0], [2, -1, 3], 1 / 3),
        ([5 / 6, 0.5], [5, 3], 1 / 6),
        ([3 / 1024, 1.0], [3, 1024], 1 / 1024),
        ([0.0, 0.0], [0, 0], 1.0),
        ([], [], 1.0),
    ],
)
def test_grids(values: list[float], whole: list[int], step: float) -> None:
    numbers, steps = known(grid_of(np.array(values)[:, None]))
    assert numbers[:, 0].tolist() == whole
    assert steps == pytest.approx([step])


@pytest.mark.parametrize(
    "values", [[math.pi, 1.0], [1e-7, 2.1e-7], [1000.0, 1e-7], [1.0, 1.0 + 1e-8], [1e300, 1.0], [math.nan, 1.0]]
)
def test_off_every_grid(values: list[float]) -> None:
    assert grid_of(np.array(values)[:, None]) is None
    assert grid_of(np.array([[one, 1.0] for one in values])) is None


@pytest.mark.parametrize("denominator", [10, 100, 3])
def test_decimals_through_fixed_point(denominator: int) -> None:
    draws = np.random.default_rng(8)
    scores = draws.integers(0, 60, (300, 2)) / denominator
    table = UnitTable.build(scores, Units.segments(300), np.zeros(2, np.intp))
    fixed = table.differences(np.array([1]), np.array([0]))
    real = (fixed.values * fixed.scale)[:, 0]
    assert p_of_totals(real) == pytest.approx(p_of_totals(np.rint(real * denominator)), rel=1e-12, abs=0.0)


@pytest.mark.whole
def test_level_over_all_signs() -> None:
    """With the magnitudes given, every assignment of signs is as probable under the null: no error but discreteness."""
    magnitudes = np.random.default_rng(9).integers(1, 8, 10)
    signs = np.array(list(itertools.product((-1.0, 1.0), repeat=10)))
    for alternative in ("two-sided", "greater", "less"):
        ps = np.array([p_of_totals(one * magnitudes, alternative) for one in signs])
        for level in (0.01, 0.05, 0.2):
            assert 0.6 * level < (ps <= level).mean() <= level


@pytest.mark.whole
@pytest.mark.parametrize("units", [12, 40])
def test_level_and_power_at_random(units: int) -> None:
    draws = np.random.default_rng(10)
    rates = []
    for shift in (0.0, 0.5, 1.0, 2.0):
        data = np.rint(draws.normal(shift, 3.0, (300, units)))
        rates.append(np.mean([p_of_totals(one) <= 0.05 for one in data]))
    low, high = stats.binom.ppf([1e-4, 1 - 1e-4], 300, 0.05) / 300
    assert low <= rates[0] <= high
    assert rates == sorted(rates)
    assert rates[-1] > (0.3 if units == 12 else 0.9)


@pytest.mark.parametrize(
    "step", [1.0, 0.1, 0.01, 0.001, 0.0001, 0.5, 0.0625, 1 / 3, 1 / 6, 1 / 12, 1 / 1024, 7.0, 0.7], ids=str
)
def test_multiples_of_a_step_are_found_to_be_such(step: float) -> None:
    whole = np.array([[1.0], [-3.0], [0.0], [11.0]])
    numbers, steps = known(grid_of(whole * step))
    np.testing.assert_array_equal(numbers, whole)
    assert steps == pytest.approx([step])


def test_numbers_too_large_to_tell_are_on_no_grid() -> None:
    assert grid_of(np.array([[2.0**52]])) is not None
    assert grid_of(np.array([[2.0**52 + 1.0], [1.0]])) is None
    # One part in 1e9 of these is more than a step of any grid.
    assert grid_of(np.array([[1e10 + 1 / 7], [3e10 + 1 / 11]])) is None


def test_the_limits_are_the_size_of_the_table_and_all_its_sizes_or_the_number_of_subsets() -> None:
    """25 units of 1: after k of them there are k + 1 sums."""
    ones = np.ones((25, 1))
    assert swap_distribution(ones, cells=26, work=sum(range(2, 27))) is not None
    assert swap_distribution(ones, cells=25) is None
    assert swap_distribution(ones, work=sum(range(2, 27)) - 1) is None
    on_no_grid = np.array([[math.pi], [math.e], [math.sqrt(2.0)]])
    assert swap_distribution(on_no_grid, cells=8) is not None
    assert swap_distribution(on_no_grid, cells=7) is None


def test_a_long_table_in_blocks_as_counted() -> None:
    """A step of 1 on the first side, and rows so long that each is a block of its own."""
    differences = np.stack([np.ones(24), 700.0 + np.arange(24) % 2], 1)
    counts: Counter[tuple[float, ...]] = Counter({(0.0, 0.0): 1})
    for first, second in differences.tolist():
        counts = counts + Counter({(a + first, b + second): n for (a, b), n in counts.items()})
    found = table_of(differences)
    assert {tuple(u): p * 2**24 for u, p in zip(found.sums.T.tolist(), found.probability, strict=True)} == counts


def test_the_finest_step_is_two_to_the_24th_below_the_next_power_of_two() -> None:
    numbers, steps = known(grid_of(np.array([[1.0], [2.0**-23]])))
    assert (numbers[:, 0].tolist(), steps.tolist()) == ([2.0**23, 1.0], [2.0**-23])
    assert grid_of(np.array([[1.0], [2.0**-24]])) is None


@pytest.mark.parametrize("largest", [0.4, 4.0, 40.0])
def test_values_may_be_off_by_a_billionth_of_the_largest(largest: float) -> None:
    for off, fits in ((0.9e-9, True), (1.1e-9, False)):
        values = np.array([[largest / 2.0 * (1.0 + 2.0 * off)], [largest]])
        assert (grid_of(values) is not None) is fits
