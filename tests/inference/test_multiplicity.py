"""The step-down maxT adjustment against its algorithm written out, the others against statsmodels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats
from statsmodels.stats.multitest import multipletests

import truegain as tg
from tests.refusals import refused
from truegain.inference.multiplicity import (
    ADJUSTMENTS,
    CONTROLS,
    adjust,
    holm,
    max_t,
    normal_max_t,
    thresholds,
    to_their_tails,
)
from truegain.inference.pvalues import Alternative, randomization_test

ALTERNATIVES: tuple[Alternative, ...] = ("two-sided", "greater", "less")
every_alternative = pytest.mark.parametrize("alternative", ALTERNATIVES)

Nulls = Sequence[NDArray[np.float64]]


def written_out(deltas: Sequence[float], nulls: Nulls, alternative: Alternative) -> list[float]:
    """Westfall and Young (1993), algorithm 4.1, one resample after the other."""

    def side(value: float) -> float:
        return {"two-sided": abs(value), "greater": value, "less": -value}[alternative]

    comparisons, resamples = len(deltas), len(nulls[0])
    spreads = [math.sqrt(sum(value * value for value in null.tolist()) / resamples) for null in nulls]
    observed = [side(delta) / spread for delta, spread in zip(deltas, spreads, strict=True)]
    order = sorted(range(comparisons), key=lambda i: -observed[i])  # from the most extreme to the least
    counts = [0] * comparisons
    for r in range(resamples):
        successive = -math.inf
        for i in reversed(order):
            successive = max(successive, side(float(nulls[i][r])) / spreads[i])
            counts[i] += successive >= observed[i] - 1e-12
    adjusted = [0.0] * comparisons
    running = 0.0
    for i in order:
        running = max(running, (counts[i] + 1) / (resamples + 1))
        adjusted[i] = running
    return adjusted


def random_family(seed: int, comparisons: int, resamples: int = 99) -> tuple[list[float], list[NDArray[np.float64]]]:
    """Correlated, of different spreads."""
    generator = np.random.default_rng(seed)
    shared = generator.normal(size=resamples)
    scales = generator.uniform(0.01, 100, comparisons)
    share = generator.random()
    nulls = [scale * (share * shared + generator.normal(size=resamples)) for scale in scales]
    return (scales * generator.normal(0.0, 2.0, comparisons)).tolist(), nulls


def slackless(deltas: Sequence[float], nulls: Nulls, alternative: Alternative = "two-sided") -> list[float]:
    return max_t(deltas, nulls, alternative=alternative, slack=[0.0] * len(deltas))


@every_alternative
@settings(max_examples=40)
@given(seed=st.integers(0, 10_000), comparisons=st.integers(1, 8))
def test_as_written_out(alternative: Alternative, seed: int, comparisons: int) -> None:
    deltas, nulls = random_family(seed, comparisons)
    assert slackless(deltas, nulls, alternative) == written_out(deltas, nulls, alternative)


@every_alternative
@settings(max_examples=40)
@given(values=st.lists(st.integers(-3, 3), min_size=24, max_size=24), deltas=st.tuples(*[st.integers(-3, 3)] * 3))
def test_ties_count(alternative: Alternative, values: list[int], deltas: tuple[int, int, int]) -> None:
    """All of one spread, so that values tie across comparisons too."""
    nulls = [np.array([*values[8 * i : 8 * i + 8], *(-value for value in values)], float) for i in range(3)]
    square = max(float((null**2).sum()) for null in nulls) + 1.0
    nulls = [np.append(null, math.sqrt(square - float((null**2).sum()))) for null in nulls]
    observed = [float(delta) for delta in deltas]
    assert max_t(observed, nulls, alternative=alternative, slack=[1e-9] * 3) == written_out(
        observed, nulls, alternative
    )


def test_copies_cost_nothing_and_independent_comparisons_what_holm_takes() -> None:
    generator = np.random.default_rng(9)
    null = generator.normal(size=20_000)
    deltas = [2.6, 2.4, 1.0, 0.2]
    copies = slackless([2.6] * 4, [null] * 4)
    raw = randomization_test(2.6, null, magnitude=0.0).p
    assert copies == [raw] * 4
    independent = [generator.normal(size=20_000) for _ in range(4)]
    singles = [randomization_test(d, n, magnitude=0.0).p for d, n in zip(deltas, independent, strict=True)]
    found = slackless(deltas, independent)
    # 1 − (1 − p)^m, which Holm's m p bounds.
    assert found[0] == pytest.approx(1 - (1 - singles[0]) ** 4, abs=0.005)
    assert found[:2] == pytest.approx(holm(singles)[:2], abs=0.005)
    assert all(p <= q + 0.005 for p, q in zip(found, holm(singles), strict=True))


def test_what_never_differs() -> None:
    generator = np.random.default_rng(10)
    nulls = [generator.normal(size=99), np.zeros(99), np.full(99, 1e-13)]
    found = max_t([5.0, 0.0, 1e-13], nulls, slack=[1e-9] * 3)
    assert found[1:] == [1.0, 1.0]
    assert found[0] == 0.01
    assert max_t([0.0, 0.0], [np.zeros(9)] * 2, slack=[0.0, 0.0]) == [1.0, 1.0]


def test_max_t_by_name_needs_the_resamples() -> None:
    with refused():
        adjust([0.1, 0.2], "maxt")


# In a study.


def scores(seed: int, systems: int = 4, segments: int = 80) -> dict[str, NDArray[np.float64]]:
    generator = np.random.default_rng(seed)
    base = generator.normal(size=segments)
    return {f"s{i}": base + generator.normal(0.15 * i, 0.8, segments) for i in range(systems)}


@every_alternative
@pytest.mark.parametrize("family", ["baseline", "all"])
def test_randomization_end_to_end(family: str, alternative: Alternative) -> None:
    """The swaps written out: one mask of a resample for all pairs."""
    from truegain.resampling.design import Design
    from truegain.resampling.units import Units

    data = scores(1)
    options: dict[str, Any] = {"metrics": ["scores"], "family": family, "resamples": 300, "alternative": alternative}
    found = tg.compare(None, data, adjust="maxt", **options)
    masks = Design(Units.segments(80), "swap", 12345).weights(0, 300).astype(bool)
    deltas, nulls = [], []
    for one in found:
        old, new = data[one.baseline], data[one.system]
        deltas.append(float(new.mean() - old.mean()))
        nulls.append(np.array([np.where(m, old, new).mean() - np.where(m, new, old).mean() for m in masks]))
    assert [one.p_adjusted for one in found] == written_out(deltas, nulls, alternative)
    plain = tg.compare(None, data, adjust="none", **options)
    assert [one.p for one in found] == [one.p for one in plain]
    assert all(one.adjust == "maxt" and one.p_adjusted >= one.p for one in found)
    assert "adjust:maxt|" in found.signature


def test_bootstrap_end_to_end() -> None:
    """Adjusted together, a family of one is what it was; and copies of a system cost nothing."""
    data = scores(2, 2)
    alone = tg.compare(None, data, metrics=["scores"], test="bootstrap", adjust="maxt", resamples=500)
    assert alone["scores", "s1"].p_adjusted == alone["scores", "s1"].p
    copies = {**data, "again": data["s1"], "once more": data["s1"]}
    found = tg.compare(None, copies, metrics=["scores"], test="bootstrap", adjust="maxt", resamples=500)
    assert {one.p_adjusted for one in found} == {alone["scores", "s1"].p}
    by_holm = tg.compare(None, copies, metrics=["scores"], test="bootstrap", resamples=500)
    assert by_holm["scores", "s1"].p_adjusted == pytest.approx(3 * alone["scores", "s1"].p)


@pytest.mark.parametrize("test", ["ar", "bootstrap"])
def test_equal_systems_in_a_family(test: str) -> None:
    data = scores(3, 3)
    found = tg.compare(
        None, {**data, "copy": data["s0"]}, metrics=["scores"], test=test, adjust="maxt", family="all", resamples=400
    )
    one = found.pair("scores", "s0", "copy")
    assert (one.p, one.p_adjusted, one.significant, one.better) == (1.0, 1.0, False, None)


@pytest.mark.parametrize("test", ["exact", "t", "koehn2004"])
def test_tests_without_shared_resamples_are_refused(test: str) -> None:
    data = {name: np.round(values) for name, values in scores(4).items()}
    with refused(naming=[test]):
        tg.compare(None, data, metrics=["scores"], test=test, adjust="maxt", resamples=100)


def test_tails_at_their_own_height() -> None:
    """A statistic that Student's law makes as rare as the normal law makes another counts for that one."""
    freedom = 9.0
    widened = stats.t.ppf(0.975, freedom) / stats.norm.ppf(0.975)
    observed = np.array([-np.inf, -2.0, 0.0, 0.5, stats.norm.ppf(0.975), 3.0, 6.0, 1e6, np.inf])
    found = to_their_tails(observed, freedom)
    np.testing.assert_array_equal(found[:4], observed[:4])  # near the centre nothing changes
    assert found[4] == pytest.approx(observed[4])  # where the factor is made for
    for height, one in zip(observed[5:7], found[5:7], strict=True):
        assert one == pytest.approx(stats.norm.isf(stats.t.sf(height * widened, freedom)))
        assert one < height
    assert 8.0 < found[7] < 40.0
    assert found[8] == np.inf
    assert to_their_tails(observed, None) is observed
    np.testing.assert_allclose(to_their_tails(observed[1:7], 1e7), observed[1:7], rtol=1e-5)


def test_no_adjusted_p_value_is_below_the_plain_one() -> None:
    generator = np.random.default_rng(12)
    nulls = [generator.normal(size=999) for _ in range(5)]
    deltas = [0.1, 0.8, 1.9, 2.5, 4.0]
    plain = [randomization_test(d, n, magnitude=0.0).p for d, n in zip(deltas, nulls, strict=True)]
    adjusted = max_t(deltas, nulls, slack=[0.0] * 5, freedom=7.0)
    assert all(p <= q for p, q in zip(plain, adjusted, strict=True))
    single = max_t([deltas[0]], [nulls[0]], slack=[0.0], freedom=7.0)
    assert single == [plain[0]]


@given(family=st.integers(0, 10_000), gain=st.floats(-50, 50), alternative=st.sampled_from(ALTERNATIVES))
@settings(max_examples=40)
def test_a_gain_in_the_null_is_taken_off_both(family: int, gain: float, alternative: Alternative) -> None:
    deltas, nulls = random_family(family, 3)
    slack = [1e-6] * 3
    moved = max_t(
        [delta + gain for delta in deltas],
        [null + gain for null in nulls],
        alternative=alternative,
        slack=slack,
        null_gain=gain,
    )
    assert moved == max_t(deltas, nulls, alternative=alternative, slack=slack)


def test_ties_with_what_was_observed_count() -> None:
    nulls = [np.array([1.0, 2.0, 3.0, -2.0])]
    assert max_t([2.0], nulls, slack=[0.0]) == [4 / 5]
    assert max_t([2.0], nulls, alternative="greater", slack=[0.0]) == [3 / 5]
    assert max_t([2.0], nulls, alternative="less", slack=[0.0]) == [4 / 5]


def test_what_never_varies_around_a_gain() -> None:
    """A comparison without any spread is beyond the gain of the null for certain, or not at all."""
    varies = np.random.default_rng(1).normal(1.0, 1.0, 99)
    same = np.full(99, 1.0)
    found = max_t([3.5, 1.0, 1.5, 1.25], [same, same, same, varies], slack=[0.5] * 4, null_gain=1.0)
    assert found[0] == 1 / 100
    assert found[1:3] == [1.0, 1.0]  # at the gain, and at a tie with it
    assert found[3] == max_t([1.25], [varies], slack=[0.5], null_gain=1.0)[0]
    assert max_t([1.75], [same], slack=[0.5], null_gain=1.0) == [1 / 100]
    assert max_t([3.0], [np.zeros(99)], slack=[0.5]) == [1.0]  # no resample differs: there is nothing to compare


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("none", [0.06]),
        ("bonferroni", [0.02]),
        ("holm", [0.06, 0.03, 0.02]),
        ("hochberg", [0.06, 0.03, 0.02]),
        ("bh", [0.02, 0.04, 0.06]),
        ("by", [0.02 * 6 / 11, 0.04 * 6 / 11, 0.06 * 6 / 11]),
    ],
)
def test_p_values_on_their_thresholds_are_adjusted_to_alpha(method: str, expected: list[float]) -> None:
    found = thresholds(0.06, 3, method)
    assert found == pytest.approx(expected)
    family = sorted(found) if len(found) == 3 else found * 3
    assert adjust(family, method) == pytest.approx([0.06] * 3)


def test_what_is_held_against_resamples_has_no_thresholds() -> None:
    with refused():
        thresholds(0.05, 3, "maxt")


@pytest.mark.parametrize("method", ["bonferroni", "holm", "hochberg", "bh", "by"])
def test_no_adjusted_value_is_above_one(method: str) -> None:
    assert max(adjust([0.7, 0.8, 0.9, 1.0], method)) == 1.0


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.5, 0.9]) == [1.0, 1.0]
    assert holm([0.2]) == [0.2]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_holm_rejects_as_the_step_down_procedure(p_values: list[float]) -> None:
    adjusted = holm(p_values)
    for alpha in (0.01, 0.05, 0.3):
        rejected = set()
        for rank, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
            if p_values[index] * (len(p_values) - rank) > alpha:
                break
            rejected.add(index)
        assert {i for i, p in enumerate(adjusted) if p <= alpha} == rejected
    assert all(a >= p for a, p in zip(adjusted, p_values, strict=True))


@pytest.mark.whole
@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("bonferroni", "bonferroni"),
        ("holm", "holm"),
        ("hochberg", "simes-hochberg"),
        ("bh", "fdr_bh"),
        ("by", "fdr_by"),
    ],
)
@given(p_values=st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_adjustments_as_statsmodels(ours: str, theirs: str, p_values: list[float]) -> None:
    with mock.patch("gc.collect"):  # which it calls every time, and which takes longer than all else
        expected = multipletests(p_values, method=theirs)[1]
    assert adjust(p_values, ours) == pytest.approx(expected.tolist(), abs=1e-12)


def test_names_of_adjustments() -> None:
    assert adjust([0.2, 0.01], "none") == [0.2, 0.01]
    assert set(CONTROLS) == set(ADJUSTMENTS)
    with refused(naming=["holm"]):
        adjust([0.1], "home")


def test_p_values_of_another_test_are_adjusted_for_the_correlations_of_resamples() -> None:
    """Bounded resamples, whose tails end where the p-values begin: the adjusted ones are those of normal variables."""
    signs = np.random.default_rng(1).choice([-1.0, 1.0], (4, 5_000))
    normals = np.random.default_rng(2).standard_normal((40_000, 5))
    p = [0.001, 0.02, 0.3, 0.3, 1.0]
    nulls = np.array([signs[0], 5.0 * signs[1], signs[2], signs[2], np.zeros(5_000)])  # the last two never differ
    adjusted = normal_max_t(p, nulls, normals)
    sidak = [1.0 - (1.0 - 0.001) ** 3, 1.0 - (1.0 - 0.02) ** 2, 0.3, 0.3, 1.0]
    assert adjusted == pytest.approx(sidak, rel=0.1)
    assert normal_max_t([0.3], nulls[:1], normals[:, :1]) == [0.3]
    assert normal_max_t([0.0, 0.5], nulls[:2], normals[:, :2])[0] == 1 / 40_001
