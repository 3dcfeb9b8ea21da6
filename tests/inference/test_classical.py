"""Tests without resampling against scipy and statsmodels, whose size and power they have."""

from __future__ import annotations

import itertools
import math
import sys
from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar

from tests.refusals import refused
from truegain.errors import InputError
from truegain.inference.classical import Classical, mcnemar_test, sign_test, t_bound, t_test, wilcoxon_test
from truegain.inference.pvalues import Alternative

Differences = NDArray[np.float64]
Test = Callable[..., Classical]

ALTERNATIVES: tuple[Alternative, ...] = ("two-sided", "greater", "less")
TESTS: dict[str, Test] = {"sign": sign_test, "wilcoxon": wilcoxon_test, "t": t_test, "mcnemar": mcnemar_test}
every_alternative = pytest.mark.parametrize("alternative", ALTERNATIVES)
every_test = pytest.mark.parametrize("name", TESTS)

# Few values make many ties and zeros, many values few, and different ones none.
tied = st.lists(st.integers(-3, 3), min_size=1, max_size=60)
rarely_tied = st.lists(st.integers(-1000, 1000), min_size=1, max_size=60)
untied = st.lists(st.integers(1, 10_000), min_size=1, max_size=60, unique=True).flatmap(
    lambda sizes: st.lists(st.sampled_from([-1, 1]), min_size=len(sizes), max_size=len(sizes)).map(
        lambda signs: [size * sign for size, sign in zip(sizes, signs, strict=True)]
    )
)
samples = st.one_of(tied, rarely_tied, untied).map(lambda values: np.array(values, dtype=np.float64))
binary = st.lists(st.integers(-1, 1), min_size=1, max_size=60).map(lambda values: np.array(values, dtype=np.float64))


def large(kind: str, seed: int) -> Differences:
    generator = np.random.default_rng(seed)
    values = generator.normal(0.02 * seed, 1.0, 3000)
    return {"plain": values, "tied": values.round(1), "binary": np.sign(values.round())}[kind]


def expect_sign(differences: Differences, alternative: Alternative) -> float:
    wins, losses = int((differences > 0).sum()), int((differences < 0).sum())
    return float(stats.binomtest(wins, wins + losses, alternative=alternative).pvalue) if wins + losses else 1.0


def check_sign(differences: Differences) -> None:
    for alternative in ALTERNATIVES:
        found = sign_test(differences, alternative=alternative)
        assert found.p == pytest.approx(expect_sign(differences, alternative), rel=1e-10, abs=1e-150)
        assert found.statistic == (differences > 0).sum()
        assert (found.used, found.dropped) == ((differences != 0).sum(), (differences == 0).sum())


@settings(max_examples=200, deadline=None)
@given(differences=samples)
def test_sign_as_scipy(differences: Differences) -> None:
    check_sign(differences)


def wilcoxon_by_enumeration(differences: Differences, alternative: Alternative) -> float:
    """The p-value over all sign patterns, with those of equal sums counted together beyond 13."""
    kept = differences[differences != 0]
    ranks = stats.rankdata(np.abs(kept))
    if kept.size <= 13:
        sums = Counter((np.array(list(itertools.product([0, 1], repeat=kept.size))) @ ranks).tolist())
    else:
        sums = Counter({0.0: 1})
        for rank in ranks.tolist():
            sums.update({total + rank: ways for total, ways in sums.items()})
    reached = float(ranks[kept > 0].sum())
    upper = sum(ways for total, ways in sums.items() if total >= reached) / 2**kept.size
    lower = sum(ways for total, ways in sums.items() if total <= reached) / 2**kept.size
    by_side: dict[str, float] = {"two-sided": min(1.0, 2 * min(upper, lower)), "greater": upper, "less": lower}
    return by_side[alternative]


def check_wilcoxon(differences: Differences) -> None:
    repeated = np.unique(np.abs(differences)).size < differences.size or 0.0 in differences
    for alternative in ALTERNATIVES:
        found = wilcoxon_test(differences, alternative=alternative)
        assert (found.used, found.dropped) == ((differences != 0).sum(), (differences == 0).sum())
        if repeated and found.used <= 50:
            assert found.p == pytest.approx(wilcoxon_by_enumeration(differences, alternative), rel=1e-14)
            continue
        theirs = stats.wilcoxon(differences, alternative=alternative)
        assert found.p == pytest.approx(theirs.pvalue, rel=1e-11, abs=1e-300)
        whole = found.used * (found.used + 1) / 2
        smaller = min(found.statistic, whole - found.statistic)
        assert (smaller if alternative == "two-sided" else found.statistic) == theirs.statistic


@pytest.mark.whole
@settings(max_examples=200, deadline=None)
@given(differences=samples.filter(np.any))
def test_wilcoxon_as_scipy(differences: Differences) -> None:
    check_wilcoxon(differences)


@pytest.mark.parametrize("n", [*range(1, 16), 49, 50, 51])
def test_wilcoxon_where_the_rule_changes(n: int) -> None:
    generator = np.random.default_rng(n)
    plain = generator.normal(0.3, 1.0, n)
    check_wilcoxon(plain)
    assert wilcoxon_test(plain).null == ("exact" if n <= 50 else "normal")
    if n > 1:
        with_tie = plain.copy()
        with_tie[0] = -with_tie[1]
        with_zero = plain.copy()
        with_zero[0] = 0.0
        check_wilcoxon(with_tie)
        check_wilcoxon(with_zero)
        assert wilcoxon_test(with_tie).null == ("exact" if n <= 50 else "normal")
        assert wilcoxon_test(with_zero).null == ("exact" if n - 1 <= 50 else "normal")


def test_wilcoxon_does_not_depend_on_segments_without_a_difference() -> None:
    few = np.arange(1.0, 6.0)
    assert wilcoxon_test(np.append(few, np.zeros(35))).p == wilcoxon_test(few).p == 2 / 2**5


def test_wilcoxon_keeps_its_level_with_few_differences_and_ties() -> None:
    """By enumeration of the signs; the normal approximation rejects 6.25 % at 5 % with five differences."""
    for magnitudes in ([1, 2, 3, 4, 5], [1, 1, 1, 2, 2, 3], [1, 1, 2, 2, 3, 3, 4, 4], range(1, 11)):
        signs = np.array(list(itertools.product([-1.0, 1.0], repeat=len(magnitudes))))
        zeros = np.zeros(30)
        p = np.array([wilcoxon_test(np.append(row, zeros)).p for row in signs * np.array(magnitudes)])
        for alpha in (0.01, 0.05, 0.1):
            assert (p <= alpha).mean() <= alpha


@pytest.mark.whole
def test_wilcoxon_as_scipy_with_the_most_ties_that_both_enumerate() -> None:
    differences = np.array([1.0, -1.0, 2.0, 2.0, 2.0, -3.0, 0.0, 5.0, 5.5, 6.0, -4.0, 3.0, 0.0])
    expected = stats.wilcoxon(differences).pvalue
    assert wilcoxon_test(differences).p == expected
    assert wilcoxon_by_enumeration(differences, "two-sided") == expected
    assert abs(stats.wilcoxon(differences, method="asymptotic").pvalue - expected) > 1e-3


def test_wilcoxon_by_hand() -> None:
    # The ranks are 1, 2.5, 2.5 and 4; of the sixteen sums 10, 9, 7.5 twice and 6.5 twice reach the observed 6.5.
    found = wilcoxon_test(np.array([-1.0, 0.0, 2.0, -2.0, 4.0]), alternative="greater")
    assert found == Classical(6 / 16, 6.5, 4, 1, "exact")


def check_t(differences: Differences) -> None:
    for alternative in ALTERNATIVES:
        found = t_test(differences, alternative=alternative)
        theirs = stats.ttest_rel(differences, np.zeros_like(differences), alternative=alternative)
        assert found.statistic == pytest.approx(theirs.statistic, rel=1e-9, abs=1e-12)
        assert found.p == pytest.approx(theirs.pvalue, rel=1e-8, abs=1e-300)
        assert (found.used, found.dropped, found.null) == (differences.size, 0, "student")


@pytest.mark.whole
@settings(max_examples=200, deadline=None)
@given(differences=samples.filter(lambda values: values.size > 1 and np.ptp(values) > 0))
def test_t_as_scipy(differences: Differences) -> None:
    check_t(differences)


def check_mcnemar(differences: Differences) -> None:
    wins, losses = int((differences > 0).sum()), int((differences < 0).sum())
    found = mcnemar_test(differences)
    theirs = mcnemar([[5, losses], [wins, 7]], exact=True)
    assert found.p == pytest.approx(theirs.pvalue, rel=1e-10, abs=1e-150)
    assert (found.statistic, found.used) == (wins, wins + losses)
    for alternative in ALTERNATIVES:
        assert mcnemar_test(differences, alternative=alternative) == sign_test(differences, alternative=alternative)


@given(differences=binary.filter(np.any))
def test_mcnemar_as_statsmodels(differences: Differences) -> None:
    check_mcnemar(differences)


@pytest.mark.parametrize("seed", [0, 1, 3, 20])
def test_three_thousand_as_scipy(seed: int) -> None:
    for kind in ("plain", "tied", "binary"):
        differences = large(kind, seed)
        check_sign(differences)
        check_wilcoxon(differences)
        check_t(differences)
    check_mcnemar(large("binary", seed))


@pytest.mark.whole
@every_test
@given(data=st.data())
def test_negation_swaps_the_sides_and_order_does_not_matter(name: str, data: st.DataObject) -> None:
    differences = data.draw((binary if name == "mcnemar" else samples).filter(lambda values: values.size > 1))
    p = {side: TESTS[name](differences, alternative=side).p for side in ALTERNATIVES}
    mirrored = {side: TESTS[name](-differences, alternative=side).p for side in ALTERNATIVES}
    assert mirrored["two-sided"] == pytest.approx(p["two-sided"], rel=1e-9)
    assert mirrored["greater"] == pytest.approx(p["less"], rel=1e-9)
    assert mirrored["less"] == pytest.approx(p["greater"], rel=1e-9)
    assert p["two-sided"] == pytest.approx(min(1.0, 2 * min(p["greater"], p["less"])), rel=1e-9)
    assert all(0.0 < value <= 1.0 for value in p.values())
    shuffled = np.array(data.draw(st.permutations(differences.tolist())))
    one, other = TESTS[name](differences), TESTS[name](shuffled)
    assert other.p == pytest.approx(one.p, rel=1e-9)
    assert other.statistic == pytest.approx(one.statistic, rel=1e-9, abs=1e-12)


@every_alternative
@every_test
def test_nothing_differs(name: str, alternative: Alternative) -> None:
    for size in (2, 14, 60):
        found = TESTS[name](np.zeros(size), alternative=alternative)
        assert (found.p, found.statistic) == (1.0, 0.0)
        assert found.used + found.dropped == size
    if name != "t":
        assert TESTS[name](np.zeros(0), alternative=alternative).p == 1.0


@pytest.mark.parametrize("value", [0.1, -0.1])
@pytest.mark.parametrize("n", [2, 10])
def test_t_of_the_same_difference_everywhere(n: int, value: float) -> None:
    differences = np.full(n, value)
    found = t_test(differences)
    assert found == Classical(2.0 ** (1 - n), math.copysign(math.inf, value), n, 0, "exact")
    towards: Alternative = "greater" if value > 0 else "less"
    away: Alternative = "less" if value > 0 else "greater"
    assert t_test(differences, alternative=towards).p == 2.0**-n
    assert t_test(differences, alternative=away).p == 1.0
    noisy = differences + np.linspace(0.0, 1e-12, n)
    assert t_test(noisy, slack=1e-9) == found
    assert math.isfinite(t_test(noisy).statistic)


@every_test
def test_p_is_never_zero(name: str) -> None:
    found = TESTS[name](np.ones(3000) if name in ("sign", "mcnemar") else np.linspace(1.0, 1.1, 9000))
    assert found.p == sys.float_info.min


def test_slack_makes_zeros_and_ties() -> None:
    exact = np.array([2.0, -2.0, 5.0, 0.0, 7.0, 7.0, -1.0, 0.0])
    noisy = exact + 1e-12 * np.array([1, 1, 0, 1, 2, -2, 1, -1])
    assert wilcoxon_test(noisy[:3], slack=1e-9).statistic == 1.5 + 3
    assert wilcoxon_test(noisy[:3]).statistic == 2 + 3
    for name in ("sign", "wilcoxon"):
        assert TESTS[name](noisy, slack=1e-9) == TESTS[name](exact)
        assert TESTS[name](noisy) != TESTS[name](exact)
    assert t_test(np.array([1e-12, -1e-12, 3e-12]), slack=1e-9).p == 1.0
    assert t_test(exact, slack=1.0) == t_test(np.where(exact == -1.0, 0.0, exact))
    signs = np.sign(exact)
    assert mcnemar_test(signs + (noisy - exact), slack=1e-9) == mcnemar_test(signs)


@given(binary)
def test_mcnemar_in_percent(differences: Differences) -> None:
    assert mcnemar_test(100.0 * differences) == mcnemar_test(differences)


def test_mcnemar_of_other_scores() -> None:
    with refused(naming=["2", "30"]):
        mcnemar_test(np.array([100.0, 30.0, 0.0]))
    with refused(naming=["1"]):
        mcnemar_test(np.array([1.0, 100.0, 0.0]))
    with pytest.raises(InputError, match=r"segment 3 differ by 0\.25\n.*sign test or Wilcoxon"):
        mcnemar_test(np.array([1.0, 0.0, 0.25, -0.5]))
    with refused(naming=["2"]):
        mcnemar_test(np.array([1.0, -2.0]))


@pytest.mark.parametrize("n", [0, 1])
def test_t_of_one_segment(n: int) -> None:
    with pytest.raises(InputError, match=rf"two segments or more.*got {n}\n.*more segments"):
        t_test(np.ones(n))


@every_test
@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_what_is_no_number(name: str, value: float) -> None:
    with refused(naming=[value, "2"]):
        TESTS[name](np.array([1.0, value, 0.0]))


def draw(name: str, gain: float, repetitions: int = 400, n: int = 30) -> Differences:
    """Differences around the gain: normal ones, or for McNemar's test those of scores that are 0 or 1."""
    generator = np.random.default_rng(17)
    if name == "mcnemar":
        return generator.choice([-1.0, 0.0, 1.0], (repetitions, n), p=[1 / 3 - gain / 3, 1 / 3, 1 / 3 + gain / 3])
    return generator.normal(gain, 1.0, (repetitions, n))


@every_test
def test_power_rises_with_the_gain(name: str) -> None:
    power = [
        np.mean([TESTS[name](row, alternative="greater").p <= 0.05 for row in draw(name, gain, 200)])
        for gain in (0.0, 0.3, 0.6, 0.9)
    ]
    assert all(more > less + 0.05 for less, more in itertools.pairwise(power))
    assert power[-1] > 0.9


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.3])
@pytest.mark.parametrize("size", [1.0, 1e-180])
def test_t_bound_as_scipy(alpha: float, size: float) -> None:
    differences = size * np.random.default_rng(3).normal(0.4, 1.0, 12)
    reach = stats.t.ppf(1 - alpha, 11) * (differences / size).std(ddof=1) * size / math.sqrt(12)
    mean = differences.mean()
    assert t_bound(differences, alternative="greater", alpha=alpha) == pytest.approx(mean - reach, rel=1e-9, abs=0.0)
    assert t_bound(differences, alternative="less", alpha=alpha) == pytest.approx(mean + reach, rel=1e-9, abs=0.0)


def test_t_bound_of_differences_that_are_all_the_same() -> None:
    """Of five signs that agree p is 1/32, and never less."""
    same = np.full(5, 0.25)
    assert t_bound(same, alternative="greater", alpha=1 / 32) == 0.25
    assert t_bound(same, alternative="greater", alpha=0.03) == -math.inf
    assert t_bound(same, alternative="less", alpha=0.03) == math.inf
    nearly = same + np.array([0.0, 0.0, 0.0, 0.0, 0.125])
    assert t_bound(nearly, alternative="greater", alpha=1 / 32, slack=0.125) == pytest.approx(0.275)
    assert t_bound(nearly, alternative="greater", alpha=1 / 32, slack=0.1) < 0.27


def test_t_bound_refuses_what_is_no_number() -> None:
    with refused(naming=["2"]):
        t_bound(np.array([1.0, np.nan, 2.0]), alternative="less", alpha=0.05)
