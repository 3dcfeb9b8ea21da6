"""Intervals are the gains that a test does not reject: held against the p-value at gains inside and outside."""

from __future__ import annotations

import itertools
import math
from typing import Literal

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.known import known
from truegain.inference.intervals import Interval
from truegain.inference.inversion import (
    Inversion,
    Reach,
    drawn_reach,
    exact_interval,
    inverted,
    kept_from,
    swapped_reach,
)
from truegain.inference.pvalues import Alternative, bootstrap_test, exceeds

Floats = NDArray[np.float64]
ALTERNATIVES: tuple[Alternative, ...] = ("two-sided", "greater", "less")
SLACK = 1e-9


def swaps(generator: np.random.Generator, units: int, resamples: int) -> tuple[float, Floats, Floats]:
    """Return the mean difference of units of unequal weight, its swapped values, and the shares swapped."""
    weights = generator.integers(1, 9, units).astype(float)
    gains = generator.normal(generator.normal(), 1.0, units)
    masks = generator.random((resamples, units)) < 0.5
    total = weights.sum()
    delta = float((weights * gains).sum() / total)
    return delta, delta - 2.0 * (masks * weights) @ gains / total, masks @ weights / total


def count_at(gain: float, delta: float, differences: Floats, shares: Floats, alternative: Alternative) -> int:
    """Count the swaps that are as far out as the observed difference if the true gain is this: by the definition."""
    null = differences - gain * (1.0 - 2.0 * shares)
    if alternative == "two-sided":
        reached = np.abs(null) >= abs(delta - gain) - SLACK
    else:
        reached = null >= delta - gain - SLACK if alternative == "greater" else null <= delta - gain + SLACK
    return int(np.count_nonzero(reached))


def kept(alpha: float, *parts: Reach, most: int | None = None) -> Interval:
    """Return the interval of resamples that come in parts."""
    total = sum(known(part.high if part.low is None else part.low).size for part in parts)
    collector = Inversion(alpha, most or total)
    for part in parts:
        collector.add(part)
    return known(collector.interval())


def ends(reach: Reach) -> tuple[list[float], list[float]]:
    """Return where resamples begin to count, and where they cease to."""
    return known(reach.low).tolist(), known(reach.high).tolist()


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize(
    ("units", "resamples", "alpha"), [(7, 99, 0.05), (12, 199, 0.1), (40, 999, 0.05), (9, 500, 0.01)]
)
def test_p_is_above_alpha_inside_and_not_outside(
    units: int, resamples: int, alpha: float, alternative: Alternative
) -> None:
    generator = np.random.default_rng([units, resamples])
    for _ in range(20):
        delta, differences, shares = swaps(generator, units, resamples)
        interval = kept(alpha, swapped_reach(delta, differences, shares, alternative=alternative, slack=SLACK))

        def p(gain: float) -> float:
            return (count_at(gain, delta, differences, shares, alternative) + 1) / (resamples + 1)  # noqa: B023

        assert interval.low <= delta <= interval.high
        for end, outward in ((interval.low, -1.0), (interval.high, 1.0)):
            if math.isinf(end):
                assert p(delta + outward * 1e6) > alpha
                continue
            step = 1e-6 * (1.0 + abs(end))
            assert p(end - outward * step) > alpha
            assert p(end + outward * step) <= alpha


@settings(max_examples=300)
@given(st.integers(0, 2**32), st.integers(6, 40), st.integers(1, 200), st.sampled_from([0.01, 0.05, 0.2, 0.5]))
@example(0, 6, 19, 0.05)
@example(1, 6, 18, 0.05)  # too few resamples to reject anything
def test_decisions_at_zero_are_those_of_p(seed: int, units: int, resamples: int, alpha: float) -> None:
    generator = np.random.default_rng(seed)
    weights = generator.integers(0, 4, units).astype(float)
    weights[0] = 1.0
    gains = generator.integers(-2, 4, units).astype(float)  # on a grid, so that there are ties
    masks = generator.random((resamples, units)) < 0.5
    delta = float((weights * gains).sum() / weights.sum())
    differences = delta - 2.0 * (masks * weights) @ gains / weights.sum()
    shares = masks @ weights / weights.sum()
    for alternative in ALTERNATIVES:
        reached = exceeds(differences, delta, alternative=alternative, magnitude=abs(delta))
        p = (np.count_nonzero(reached) + 1) / (resamples + 1)
        reach = swapped_reach(delta, differences, shares, alternative=alternative, slack=1e-9 * abs(delta))
        interval = kept(alpha, reach)
        assert (p > alpha) == (interval.low <= 0.0 <= interval.high)
        assert np.array_equal(reach.at(0.0, delta), reached)


def test_no_weight_or_all_of_it_swapped_rejects_no_gain() -> None:
    delta, differences = 1.0, np.array([1.0, -1.0, 0.2])
    lows, highs = ends(swapped_reach(delta, differences, np.array([0.0, 1.0, 0.5]), slack=SLACK))
    assert lows[:2] == [-math.inf, -math.inf]
    assert highs[:2] == [math.inf, math.inf]
    assert math.isfinite(lows[2])


def test_a_swap_without_weight_that_changes_the_difference_counts_only_near_it() -> None:
    """Units with no weight may differ (words beside an empty reference): such a swap is no swap of nothing."""
    reach = swapped_reach(1.0, np.array([0.4]), np.array([0.0]), slack=0.0)
    assert known(reach.low).tolist() == [0.7]  # |0.4 − δ| ≥ |1 − δ| from there on
    one_sided = swapped_reach(1.0, np.array([0.4]), np.array([0.0]), alternative="greater", slack=0.0)
    assert known(one_sided.low).tolist() == [math.inf]


def test_identical_systems_keep_zero_and_nothing_else() -> None:
    interval = kept(0.05, swapped_reach(0.0, np.zeros(99), np.linspace(0.2, 0.8, 99), slack=1e-12))
    assert (interval.low, interval.high) == (0.0, 0.0)


def test_too_few_resamples_give_no_ends() -> None:
    interval = kept(0.05, swapped_reach(1.0, np.zeros(18), np.full(18, 0.5), slack=0.0))
    assert (interval.low, interval.high) == (-math.inf, math.inf)
    assert kept(0.05, swapped_reach(1.0, np.zeros(19), np.full(19, 0.5), slack=0.0)).low == 1.0


def test_one_sided_tests_bound_one_side() -> None:
    generator = np.random.default_rng(3)
    delta, differences, shares = swaps(generator, 30, 999)
    above = kept(0.05, swapped_reach(delta, differences, shares, alternative="greater", slack=SLACK))
    below = kept(0.05, swapped_reach(delta, differences, shares, alternative="less", slack=SLACK))
    assert above.high == math.inf
    assert below.low == -math.inf
    assert above.low < delta < below.high


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_the_bootstrap_keeps_what_lies_within_its_deviations(alternative: Alternative) -> None:
    generator = np.random.default_rng(5)
    deviations = generator.normal(0.1, 1.0, 999)
    delta, alpha = 0.3, 0.05
    interval = kept(alpha, drawn_reach(delta, deviations, alternative=alternative, slack=SLACK))
    for end, outward in ((interval.low, -1.0), (interval.high, 1.0)):
        if math.isfinite(end):
            for gain, rejected in ((end - outward * 1e-7, False), (end + outward * 1e-7, True)):
                reached = exceeds(deviations, delta - gain, alternative=alternative, magnitude=1.0)
                assert ((np.count_nonzero(reached) + 1) / 1000 <= alpha) == rejected
    if alternative == "two-sided":
        assert interval.high - delta == pytest.approx(delta - interval.low)
        assert interval.high - delta == pytest.approx(np.sort(np.abs(deviations))[-50] + SLACK)


@given(
    values=st.lists(st.integers(-50, 50), min_size=1, max_size=60),
    alternative=st.sampled_from(["greater", "less"]),
    alpha=st.sampled_from([0.01, 1 / 21, 0.05, 0.1, 0.25, 1 / 3, 0.5, 0.9]),
)
@example(values=list(range(20)), alternative="less", alpha=0.04)  # one in 21 is not below
@example(values=list(range(19)), alternative="greater", alpha=0.05)  # a single one of 20 is 0.05
@example(values=list(range(19)), alternative="less", alpha=0.05)
@example(values=list(range(18)), alternative="greater", alpha=0.05)
@example(values=list(range(99)), alternative="greater", alpha=0.07)  # 0.07 * 100 is above 7
@example(values=list(range(99)), alternative="less", alpha=0.29)  # 0.29 * 100 is below 29
def test_the_bound_is_where_the_test_begins_to_reject(
    values: list[int], alternative: Literal["greater", "less"], alpha: float
) -> None:
    resampled = np.array(values, float)
    interval = kept(alpha, drawn_reach(3.0, resampled - 3.0, alternative=alternative, slack=SLACK))
    bound = interval.low if alternative == "greater" else interval.high
    outwards = -1.0 if alternative == "greater" else 1.0

    def rejects(null_gain: float) -> bool:
        return bootstrap_test(3.0, resampled, alternative=alternative, magnitude=1.0, null_gain=null_gain).p <= alpha

    if np.isinf(bound):
        assert bound == outwards * np.inf
        assert not rejects(outwards * 1e6)
    else:
        assert rejects(bound + outwards * 1e-10)
        assert not rejects(bound - outwards * 1e-10)


def test_resamples_in_parts_say_the_same_and_few_are_held() -> None:
    generator = np.random.default_rng(8)
    delta, differences, shares = swaps(generator, 25, 8_000)
    whole = kept(0.05, swapped_reach(delta, differences, shares, slack=SLACK))
    edges = (0, 1_000, 2_000, 4_000, 8_000)
    parts = [swapped_reach(delta, differences[a:b], shares[a:b], slack=SLACK) for a, b in itertools.pairwise(edges)]
    assert kept(0.05, *parts, most=10_000) == whole
    collector = Inversion(0.05, 10_000)
    for part in parts:
        collector.add(part)
    assert [one.size for one in collector._lows] == [500]


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_exact_intervals_are_those_of_all_swaps(alternative: Alternative) -> None:
    generator = np.random.default_rng(11)
    units, alpha = 8, 0.05
    weights = generator.integers(1, 5, units).astype(float)
    gains = generator.normal(0.4, 1.0, units)
    masks = np.array(list(itertools.product((0.0, 1.0), repeat=units)))
    delta = float((weights * gains).sum() / weights.sum())
    differences = delta - 2.0 * masks @ (weights * gains) / weights.sum()
    shares = masks @ weights / weights.sum()
    reach = swapped_reach(delta, differences, shares, alternative=alternative, slack=SLACK)
    interval = exact_interval(reach, np.full(2**units, 0.5**units), alpha)
    for end, outward in ((interval.low, -1.0), (interval.high, 1.0)):
        if math.isfinite(end):
            inside, outside = (
                count_at(end + step, delta, differences, shares, alternative) / 2**units
                for step in (-outward * 1e-6, outward * 1e-6)
            )
            assert outside <= alpha < inside
    place = math.floor(alpha * 2**units)  # counted from 0
    if reach.low is not None:
        assert interval.low == np.sort(reach.low)[place]


@pytest.mark.parametrize("alpha", [0.001, 0.05, 0.1, 0.3, 0.999])
@pytest.mark.parametrize("resamples", [1, 9, 19, 20, 99, 999, 1_000])
def test_the_number_needed_is_the_least_at_which_p_is_above_alpha(alpha: float, resamples: int) -> None:
    needed = kept_from(alpha, resamples)
    assert (needed + 1) / (resamples + 1) > alpha
    assert needed == 0 or needed / (resamples + 1) <= alpha


def test_tolerance_is_taken_off_wherever_something_differs() -> None:
    """Half of the weight swapped: a swap counts from the difference and the tolerance below zero on."""
    reach = swapped_reach(0.0, np.array([0.0, 1.0]), np.array([0.5, 0.5]), slack=0.25)
    assert ends(reach) == ([-0.25, -1.25], [0.25, 1.25])
    nothing_left = swapped_reach(1.0, np.zeros(1), np.array([0.5]), slack=0.25)
    assert known(nothing_left.low).tolist() == [0.75]


def test_all_weight_swapped_counts_at_every_gain_without_any_tolerance() -> None:
    assert ends(swapped_reach(1.0, np.array([-1.0]), np.array([1.0]), slack=0.0)) == ([-math.inf], [math.inf])


@pytest.mark.parametrize(
    ("delta", "deviations", "lows", "highs"),
    [
        (1.0, [0.5, -2.0], [0.25, -1.25], [1.75, 3.25]),
        (1.0, [0.0, 0.0], [0.75, 0.75], [1.25, 1.25]),
        (0.0, [0.0, 1.0], [-0.25, -1.25], [0.25, 1.25]),
        (0.0, [0.0, 0.0], [0.0, 0.0], [0.0, 0.0]),  # nothing differs, so that there is no tolerance
    ],
)
def test_draws_count_within_their_deviation_and_the_tolerance(
    delta: float, deviations: list[float], lows: list[float], highs: list[float]
) -> None:
    assert ends(drawn_reach(delta, np.array(deviations), slack=0.25)) == (lows, highs)


@pytest.mark.parametrize("resamples", [19, 20, 39, 200, 999, 5_000])
def test_all_resamples_at_once_give_order_statistics(resamples: int) -> None:
    """Of 19 resamples the outermost, as p is 1 / 20 beyond it; of 39 the second, and so on."""
    place = (resamples + 1) // 20 - 1  # counted from 0
    for number in range(20):
        deviations = np.random.default_rng([resamples, number]).normal(size=resamples)
        low, high = np.sort(-deviations)[place], np.sort(-deviations)[::-1][place]
        above = inverted(drawn_reach(0.0, deviations, alternative="greater", slack=0.0), 0.05)
        assert above == Interval(low, math.inf, 0.95, "test")
        below = inverted(drawn_reach(0.0, deviations, alternative="less", slack=0.0), 0.05)
        assert below == Interval(-math.inf, high, 0.95, "test")
        size = np.sort(np.abs(deviations))[::-1][place]
        assert inverted(drawn_reach(0.0, deviations, slack=0.0), 0.05) == Interval(-size, size, 0.95, "test")


def test_no_resamples_reject_no_gain() -> None:
    nothing = np.zeros(0)
    assert inverted(Reach(nothing, nothing), 0.05) == Interval(-math.inf, math.inf, 0.95, "test")


@pytest.mark.parametrize(
    ("resamples", "alpha", "most", "held"),
    [(19, 0.05, 19, 1), (19, 0.05, 39, 2), (2_000, 0.0006, 2_000, 1), (2_000, 0.0006, 4_000_000, 2_000)],
)
def test_the_outermost_is_the_end_whatever_number_is_to_come(
    resamples: int, alpha: float, most: int, held: int
) -> None:
    """No more are held than the ends of the most resamples can depend on."""
    collector = Inversion(alpha, most)
    collector.add(Reach(np.random.default_rng(13).permutation(np.arange(5.0, 5.0 + resamples)), None))
    assert [one.size for one in collector._lows] == [held]
    assert collector.interval() == Interval(5.0, math.inf, 1.0 - alpha, "test")


def test_exact_intervals_of_a_few_points() -> None:
    points = np.array([3.0, 1.0, 2.0])
    probability = np.array([0.25, 0.5, 0.25])
    assert exact_interval(Reach(points, None), probability, 0.25) == Interval(1.0, math.inf, 0.75, "test")
    assert exact_interval(Reach(points, None), probability, 0.5) == Interval(2.0, math.inf, 0.5, "test")
    assert exact_interval(Reach(points, None), probability, 0.875) == Interval(3.0, math.inf, 0.125, "test")
    assert exact_interval(Reach(None, points), probability, 0.25) == Interval(-math.inf, 2.0, 0.75, "test")
    below_one = np.full(10, 0.1)  # their sum is 1 less a rounding error
    found = exact_interval(Reach(np.arange(10.0), None), below_one, math.nextafter(1.0, 0.0))
    assert found.low == 9.0
