"""Variances over runs and segments, and the tests made of them: by hand, slowly, and against scipy."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from truegain.inference.pvalues import Alternative
from truegain.inference.replicas import (
    Spread,
    SystemRuns,
    _t_test,
    crossed_test,
    least_regrouping_p,
    read_off,
    run_permutation_test,
    welch_bound,
    welch_test,
)
from truegain.inference.variance import jackknife

Floats = NDArray[np.float64]

ALTERNATIVES: tuple[Alternative, ...] = ("two-sided", "greater", "less")


def runs_of(scores: Floats, strata: tuple[int, ...] | None = None) -> SystemRuns:
    """Runs of a system from segment scores (runs, segments), the score of a run being their mean."""
    segments = scores.shape[1]
    return SystemRuns(scores.mean(1), (scores.sum(1, keepdims=True) - scores) / (segments - 1), strata)


def effects(
    rng: np.random.Generator, runs: int, segments: int, *, segment: float, run: float, inner: float, mean: float = 0.0
) -> Floats:
    """Crossed random effects with these standard deviations, shape (runs, segments)."""
    return np.asarray(
        mean
        + segment * rng.standard_normal(segments)
        + run * rng.standard_normal((runs, 1))
        + inner * rng.standard_normal((runs, segments))
    )


# The jackknife.


def test_jackknife_by_hand() -> None:
    assert jackknife(np.array([1.0, 2.0, 6.0])) == pytest.approx(2 / 3 * (4 + 1 + 9))
    assert jackknife(np.array([5.0, 5.0, 5.0, 5.0])) == 0.0


# The runs of one system.


@pytest.mark.parametrize(("runs", "segments"), [(2, 5), (3, 40), (7, 11)])
def test_components_are_those_of_an_analysis_of_variance(runs: int, segments: int) -> None:
    """Two crossed random factors without replication: mean squares of runs, of segments, and of the rest."""
    rng = np.random.default_rng(runs)
    scores = effects(rng, runs, segments, segment=2.0, run=1.0, inner=1.5, mean=30.0)
    by_run, by_segment, mean = scores.mean(1), scores.mean(0), scores.mean()
    run_square = segments * ((by_run - mean) ** 2).sum() / (runs - 1)
    segment_square = runs * ((by_segment - mean) ** 2).sum() / (segments - 1)
    rest = scores - by_run[:, None] - by_segment + mean
    rest_square = (rest**2).sum() / ((runs - 1) * (segments - 1))
    found = runs_of(scores)
    assert found.count == runs
    assert found.variance == pytest.approx(run_square / segments)
    assert found.selection_variance == pytest.approx(segment_square / (runs * segments))
    assert found.interaction == pytest.approx(rest_square / segments)
    assert found.doubly_counted == pytest.approx(rest_square / (runs * segments))
    assert found.run_variance == pytest.approx(max((run_square - rest_square) / segments, 0.0))
    assert found.segment_variance == pytest.approx(max((segment_square - rest_square) / (runs * segments), 0.0))


def test_one_run_has_no_variance_over_runs() -> None:
    one = runs_of(np.random.default_rng(1).normal(size=(1, 20)))
    assert (one.variance, one.interaction, one.doubly_counted, one.run_variance) == (0.0, 0.0, 0.0, 0.0)
    assert one.selection_variance == one.segment_variance > 0.0


def test_copies_of_a_run_have_no_components_over_runs() -> None:
    scores = np.random.default_rng(1).normal(size=20)
    several = runs_of(np.stack([scores] * 4))
    assert several.variance == pytest.approx(0.0, abs=1e-30)
    assert several.interaction == pytest.approx(0.0, abs=1e-30)
    assert several.segment_variance == pytest.approx(stats.sem(scores) ** 2)


def test_variances_over_strata_add_up() -> None:
    rng = np.random.default_rng(2)
    scores = effects(rng, 3, 30, segment=1.0, run=0.5, inner=1.0)
    scores[:, 10:] += 20.0
    found = runs_of(scores, (10, 20))
    left = found.left_out
    assert found.selection_variance == pytest.approx(jackknife(left.mean(0), (10, 20)))
    assert found.selection_variance < runs_of(scores).selection_variance / 10
    own = left - left.mean(0)
    assert found.interaction == pytest.approx(sum(jackknife(row, (10, 20)) for row in own) / 2)


# The crossed test.


def slow_jackknife(values: Sequence[float]) -> float:
    n = len(values)
    mean = math.fsum(values) / n
    return (n - 1) / n * math.fsum((value - mean) ** 2 for value in values)


def slow_crossed(
    old: Sequence[Sequence[float]], new: Sequence[Sequence[float]], k: float
) -> tuple[float, tuple[float, float], tuple[float, float]]:
    """The formulas one by one, from segment scores of runs: δ, and (V, degrees of freedom) twice."""
    n = len(old[0])
    means, variances, doubly, left_means = [], [], [], []
    for runs in (old, new):
        m = len(runs)
        scores = [math.fsum(run) / n for run in runs]
        left = [[(math.fsum(run) - value) / (n - 1) for value in run] for run in runs]
        left_mean = [math.fsum(values) / m for values in zip(*left, strict=True)]
        mean = math.fsum(scores) / m
        means.append(mean)
        left_means.append(left_mean)
        variances.append(math.fsum((score - mean) ** 2 for score in scores) / (m - 1))
        j = [slow_jackknife([a - b for a, b in zip(one, left_mean, strict=True)]) for one in left]
        doubly.append(math.fsum(j) / m / (m - 1))
    (m_a, m_b), (s_a, s_b) = (len(old), len(new)), variances
    v_seg = slow_jackknife([b - a for a, b in zip(*left_means, strict=True)])
    v_h = max(v_seg - doubly[0] - doubly[1], 0.0)
    v_a, v_b = s_a / m_a, s_b / m_b
    v1 = v_h + v_a + v_b
    df1 = v1**2 / (v_h**2 / (k - 1) + v_a**2 / (m_a - 1) + v_b**2 / (m_b - 1))
    v_p = ((m_a - 1) * s_a + (m_b - 1) * s_b) / (m_a + m_b - 2) * (1 / m_a + 1 / m_b)
    v2 = v_h + v_p
    df2 = v2**2 / (v_h**2 / (k - 1) + v_p**2 / (m_a + m_b - 2))
    return means[1] - means[0], (v1, df1), (v2, df2)


DESIGNS = [(2, 2), (3, 3), (5, 2), (2, 7)]


def pair_of(
    counts: tuple[int, int], seed: int, *, run: float = 0.3, gain: float = 0.4, segments: int = 30
) -> tuple[Floats, Floats]:
    rng = np.random.default_rng(seed)
    shared = rng.normal(size=segments)
    old, new = (
        shared + effects(rng, count, segments, segment=0.7, run=run, inner=1.0, mean=mean)
        for count, mean in zip(counts, (0.0, gain), strict=True)
    )
    return old, new


@pytest.mark.parametrize("counts", DESIGNS)
@pytest.mark.parametrize("run", [0.0, 0.05, 2.0])
@pytest.mark.parametrize("k", [30.0, 12.5])
def test_crossed_as_defined(counts: tuple[int, int], run: float, k: float) -> None:
    for seed in range(5):
        old, new = pair_of(counts, seed, run=run)
        delta, separate, pooled = slow_crossed(old.tolist(), new.tolist(), k)
        found = crossed_test(delta, runs_of(old), runs_of(new), effective_units=k)
        assert found.separate == pytest.approx(separate, rel=1e-10)
        assert found.pooled == pytest.approx(pooled, rel=1e-10)
        p = max(2 * stats.t.sf(abs(delta) / math.sqrt(v), df) for v, df in (separate, pooled))
        assert found.p == pytest.approx(p, abs=1e-12)
        reach = max(stats.t.ppf(0.975, df) * math.sqrt(v) for v, df in (separate, pooled))
        assert (found.interval.low, found.interval.high) == pytest.approx((delta - reach, delta + reach), abs=1e-9)
        assert (found.interval.level, found.interval.method) == (0.95, "t")


def crossed_of(old: Floats, new: Floats, **options: object) -> tuple[float, float, float]:
    delta = float(new.mean() - old.mean())
    settings: dict[str, object] = {"effective_units": float(old.shape[1]), **options}
    found = crossed_test(delta, runs_of(old), runs_of(new), **settings)  # type: ignore[arg-type]
    return found.p, found.interval.low, found.interval.high


@pytest.mark.whole
@settings(max_examples=200, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    counts=st.sampled_from(DESIGNS),
    run=st.sampled_from([0.0, 0.2, 1.0]),
    gain=st.floats(-2.0, 2.0),
    alpha=st.sampled_from([0.01, 0.05, 0.3]),
)
def test_interval_and_p_say_the_same(seed: int, counts: tuple[int, int], run: float, gain: float, alpha: float) -> None:
    old, new = pair_of(counts, seed, run=run, gain=gain)
    p, low, high = crossed_of(old, new, level=1 - alpha)
    delta = new.mean() - old.mean()
    assert low <= delta <= high
    assert low + high == pytest.approx(2 * delta)
    assert (p <= alpha) == (not low < 0.0 < high) or p == pytest.approx(alpha, abs=1e-9)


@settings(max_examples=50, deadline=None)
@given(seed=st.integers(0, 2**32), counts=st.sampled_from(DESIGNS))
def test_systems_that_change_places_have_the_same_p(seed: int, counts: tuple[int, int]) -> None:
    old, new = pair_of(counts, seed)
    p, low, high = crossed_of(old, new)
    assert crossed_of(new, old) == pytest.approx((p, -high, -low), rel=1e-9)


@pytest.mark.parametrize("gain", [-0.4, 0.4])
def test_alternatives(gain: float) -> None:
    old, new = pair_of((3, 3), 1, gain=gain)
    found = {side: crossed_of(old, new, alternative=side)[0] for side in ALTERNATIVES}
    towards, away = (found["greater"], found["less"]) if gain > 0 else (found["less"], found["greater"])
    assert (new.mean() > old.mean()) == (gain > 0)
    assert towards == pytest.approx(found["two-sided"] / 2)
    assert away > 0.5
    # Each is the larger of two t-tests, so the two sides add up to 1 or more.
    assert towards + away >= 1.0 - 1e-12


def test_no_difference_has_a_p_of_one() -> None:
    old, new = pair_of((3, 2), 1)
    new += old.mean() - new.mean()
    assert crossed_test(0.0, runs_of(old), runs_of(new), effective_units=30.0).p == 1.0
    same = np.ones((2, 9))
    assert crossed_test(0.0, runs_of(same), runs_of(same), effective_units=9.0).p == 1.0


def test_where_the_variance_is_zero_that_over_segments_takes_its_place() -> None:
    """Runs that score the same, and are opposed on segments: V_h and s² are 0, V_seg is not."""
    rng = np.random.default_rng(3)

    def opposed(mean: float, place: int) -> Floats:
        one = rng.permutation(np.repeat([-1.0, 0.0, 1.0], 8))  # eighths, so that every sum is exact
        other = -one
        other[[place, place + 1]] += 0.5, -0.5
        return np.stack([one, other]) + mean

    old, new = opposed(0.0, 0), opposed(0.125, 5)
    variance = stats.sem(new.mean(0) - old.mean(0)) ** 2
    assert variance > 0.0
    found = crossed_test(0.125, runs_of(old), runs_of(new), effective_units=24.0)
    assert found.selection_variance == pytest.approx(variance)
    assert found.separate == found.pooled == pytest.approx((variance, 23.0))
    assert found.p == pytest.approx(2 * stats.t.sf(0.125 / math.sqrt(variance), 23), abs=1e-12)


def test_a_difference_that_never_varies() -> None:
    old, new = np.zeros((2, 9)), np.ones((2, 9))
    assert crossed_of(old, new) == (0.0, 1.0, 1.0)
    assert crossed_of(old, new, alternative="greater")[0] == 0.0
    assert crossed_of(old, new, alternative="less")[0] == 1.0


def test_more_variable_runs_make_it_less_sure() -> None:
    found = []
    for run in (0.0, 0.5, 2.0):
        old, new = pair_of((4, 4), 5)
        shifts = np.array([-1.0, -0.5, 0.5, 1.0])[:, None] * run
        p, low, high = crossed_of(old + shifts, new + shifts)
        found.append((p, high - low))
    assert found == sorted(found)
    assert found[0][0] < 0.05 < found[-1][0]


# Tests of run scores.


@settings(max_examples=100, deadline=None)
@given(
    old=st.lists(st.integers(-5000, 5000), min_size=2, max_size=8, unique=True),
    new=st.lists(st.integers(-5000, 5000), min_size=2, max_size=8, unique=True),
    alternative=st.sampled_from(ALTERNATIVES),
)
def test_welch_as_scipy(old: list[int], new: list[int], alternative: Alternative) -> None:
    a, b = np.array(old) / 100, np.array(new) / 100
    expected = stats.ttest_ind(b, a, equal_var=False, alternative=alternative)
    p, _ = welch_test(a, b, alternative=alternative)
    if b.mean() != a.mean():
        assert p == pytest.approx(expected.pvalue, rel=1e-8, abs=1e-12)
    for level, found in (
        (0.95, welch_test(a, b, alternative=alternative)[1]),
        (0.8, welch_test(a, b, alternative=alternative, level=0.8)[1]),
    ):
        ends = expected.confidence_interval(level)
        assert (found.low, found.high, found.level) == pytest.approx((ends.low, ends.high, level), rel=1e-7, abs=1e-7)


def test_welch_of_runs_that_do_not_vary() -> None:
    same, other = np.array([2.0, 2.0]), np.array([3.0, 3.0, 3.0])
    assert welch_test(same, same)[0] == 1.0
    p, interval = welch_test(same, other)
    assert p == pytest.approx(1 / 10), "one of the ten regroupings is as far out"
    assert welch_test(same, other, alternative="less")[0] == 1.0
    assert (interval.low, interval.high) == (-math.inf, math.inf), "too few runs to reject any gain"
    interval = welch_test(same, other, level=0.9)[1]
    assert (interval.low, interval.high) == (1.0, 1.0)


def test_no_difference_of_runs_that_do_not_vary() -> None:
    """Rounding of the larger score is no difference from the null; nothing is none, too, where all scores are 0."""
    assert welch_test(np.zeros(3), np.zeros(3))[0] == 1.0
    ones, threes = np.full(2, 1.0), np.full(2, 3.0)
    assert welch_test(ones, threes, null_gain=2.0 + 5e-14)[0] == 1.0
    assert welch_test(threes, ones, null_gain=-2.0 - 5e-14)[0] == 1.0
    assert welch_test(ones, threes, null_gain=2.0 + 2e-13)[0] == 2 / 6


@pytest.mark.parametrize(
    ("delta", "alternative", "p"),
    [
        (0.0, "two-sided", 1.0),
        (0.5, "two-sided", 0.0),
        (0.0, "greater", 1.0),
        (0.5, "greater", 0.0),
        (-0.5, "greater", 1.0),
        (0.0, "less", 1.0),
        (0.5, "less", 1.0),
        (-0.5, "less", 0.0),
    ],
)
def test_without_any_variance_the_sign_decides(delta: float, alternative: Alternative, p: float) -> None:
    assert _t_test(delta, Spread(0.0, 5.0), alternative) == p


@pytest.mark.parametrize("runs", [2, 3, 5, 7])
@pytest.mark.parametrize("score", [0.1, 18.9, 27.31])
def test_runs_with_one_score_do_not_vary_whatever_their_mean_is_rounded_to(runs: int, score: float) -> None:
    old, new = np.full(runs, score), np.full(runs, score + 1.0)
    assert SystemRuns(old, old[:, None]).variance == 0.0
    assert welch_test(old, new)[0] == 2 / math.comb(2 * runs, runs)
    assert welch_test(old, np.full(runs + 1, score))[0] == 1.0


def test_runs_that_do_not_vary_need_no_enumeration() -> None:
    """There are 10^17 regroupings of them."""
    assert welch_test(np.full(30, 1.0), np.full(30, 2.0))[0] == 2 / math.comb(60, 30)


@pytest.mark.parametrize(("old", "new"), [(2, 2), (2, 4), (3, 3), (4, 3)])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("gain", [-1.0, 0.0, 1.0, 2.0])
def test_of_runs_that_do_not_vary_p_is_that_of_regrouping(
    old: int, new: int, alternative: Alternative, gain: float
) -> None:
    before, after = np.full(old, 5.0), np.full(new, 5.0 + gain)
    for null_gain in (0.0, 1.0):
        regrouped = run_permutation_test(before, after - null_gain, alternative=alternative, magnitude=6.0)
        assert welch_test(before, after, alternative=alternative, null_gain=null_gain)[0] == regrouped.p


@pytest.mark.parametrize(("old", "new"), [(2, 2), (2, 4), (3, 3), (4, 3)])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_no_regrouping_gives_less(old: int, new: int, alternative: Alternative) -> None:
    low, high = np.linspace(0.0, 1.0, old), np.linspace(99.0, 100.0, new)
    first, second = (
        (low, high) if alternative != "less" else (np.linspace(99.0, 100.0, old), np.linspace(0.0, 1.0, new))
    )
    found = run_permutation_test(first, second, alternative=alternative, magnitude=100.0)
    assert found.p == least_regrouping_p(old, new, alternative)


def slow_permutation(old: Sequence[float], new: Sequence[float], alternative: Alternative) -> float:
    scores = [*old, *new]
    observed = sum(new) / len(new) - sum(old) / len(old)
    reached = total = 0
    for group in itertools.combinations(range(len(scores)), len(old)):
        first = [scores[i] for i in group]
        second = [score for i, score in enumerate(scores) if i not in group]
        difference = sum(second) / len(second) - sum(first) / len(first)
        size, limit = {
            "two-sided": (abs(difference), abs(observed)),
            "greater": (difference, observed),
            "less": (-difference, -observed),
        }[alternative]
        reached += size >= limit - 1e-9
        total += 1
    return reached / total


@settings(max_examples=60, deadline=None)
@given(
    old=st.lists(st.integers(0, 12), min_size=2, max_size=5),
    new=st.lists(st.integers(0, 12), min_size=2, max_size=5),
    alternative=st.sampled_from(ALTERNATIVES),
)
def test_permutation_is_all_regroupings(old: list[int], new: list[int], alternative: Alternative) -> None:
    """Few values make many ties, which count."""
    a, b = np.array(old, float), np.array(new, float)
    found = run_permutation_test(a, b, alternative=alternative, magnitude=20.0)
    assert found.p == pytest.approx(slow_permutation(old, new, alternative))
    assert (found.exceedances, found.resamples) == (0, 0)
    assert found.interval == (found.p, found.p)


def test_drawn_regroupings_are_near_all_of_them() -> None:
    rng = np.random.default_rng(9)
    old, new = rng.normal(0.0, 1.0, 5), rng.normal(0.9, 1.0, 7)
    draws = rng.permuted(np.tile(np.arange(12), (20_000, 1)), axis=1)[:, :5]
    for alternative in ALTERNATIVES:
        exact = run_permutation_test(old, new, alternative=alternative, magnitude=2.0).p
        drawn = run_permutation_test(old, new, alternative=alternative, magnitude=2.0, draws=draws)
        assert drawn.resamples == 20_000
        assert drawn.p == (drawn.exceedances + 1) / 20_001
        assert drawn.p == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / 20_000) + 1e-4)
        assert drawn.interval[0] <= drawn.p <= drawn.interval[1]


@pytest.mark.parametrize(("units", "freedom"), [(1.0, 0.5), (1.2, 0.5), (9.0, 8.0)])
def test_copies_of_a_run_have_the_degrees_of_freedom_of_their_segments(units: float, freedom: float) -> None:
    """One less than the units that vary; never none, where one of them has all the weight."""
    old, new = (np.repeat(one[None], 2, axis=0) for one in np.random.default_rng(8).normal(size=(2, 20)))
    found = crossed_test(0.3, runs_of(old), runs_of(new), effective_units=units)
    assert found.separate[1] == pytest.approx(freedom)
    assert found.pooled[1] == pytest.approx(freedom)


def test_a_bound_of_runs_that_do_not_vary_takes_enough_of_them() -> None:
    """Two and two can be regrouped in six ways: p is never below 1/6."""
    old, new = np.array([1.0, 1.0]), np.array([3.0, 3.0])
    assert welch_bound(old, new, alternative="greater", alpha=1 / 6) == 2.0
    assert welch_bound(old, new, alternative="greater", alpha=0.16) == -math.inf
    assert welch_bound(old, new, alternative="less", alpha=0.16) == math.inf


@pytest.mark.parametrize(
    ("separate", "pooled", "error"), [(0.04, 0.09, 0.3), (0.09, 0.04, 0.3), (0.0, 0.0, 0.0), (6.25, 4.0, 2.5)]
)
def test_the_standard_error_is_the_larger_of_the_two(separate: float, pooled: float, error: float) -> None:
    found = read_off(1.0, 0.01, Spread(separate, 50.0), Spread(pooled, 60.0), "two-sided", 0.95, 0.0)
    assert found.standard_error == pytest.approx(error)
