"""Tests against another gain than zero: direct formulas, invariants, and the bounds that go with them."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Literal

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from benchmarks.runs import CrossedEffects
from tests.known import known
from tests.refusals import refused
from truegain.corpus import Corpus, Run, System
from truegain.engines.engine import Engine
from truegain.experiment import Experiment
from truegain.inference.multiplicity import max_t
from truegain.inference.pvalues import Alternative
from truegain.inference.replicas import Spread, crossed_test
from truegain.metrics.bleu import BLEU
from truegain.metrics.segment_scores import SegmentScores
from truegain.procedures.base import Pair, Stopping, TestOutcome, Trial
from truegain.procedures.lookup import chosen_test, first_claim, procedure
from truegain.registry import TESTS
from truegain.resampling.design import Design
from truegain.resampling.units import Units
from truegain.statistics import Block, SegmentStatistics

Floats = NDArray[np.float64]
Way = Literal["greater", "less"]

SHIFTED = [
    name for name, entry in TESTS.items() if entry.shifted and name not in ("raters", "tango")
]  # of other scores
OF_RUNS = ("crossed", "welch")
SIDES: list[Alternative] = ["two-sided", "greater", "less"]
WAYS: list[Way] = ["greater", "less"]
PAIR = Pair(0, 1)
KEY = (0, PAIR)
N = 32  # a power of two: means of eighths are exact


def experiment(old: Floats, new: Floats, *, lower: bool = False) -> Experiment:
    """Scores of segments, shape (runs, segments), of two systems."""
    columns = [column for run in (*old, *new) for column in (run, np.ones(run.size))]
    counts = (len(old), len(new))
    systems = tuple(
        System(name, tuple(Run(f"{name}.{i}") for i in range(count)))
        for name, count in zip(("base", "new"), counts, strict=True)
    )
    block = Block("scores", SegmentScores(lower_is_better=lower), 0, counts)
    return Experiment(
        corpus=Corpus("made", old.shape[1], (), systems),
        statistics=SegmentStatistics(np.stack(columns, 1), (block,)),
        units=Units.segments(old.shape[1]),
        engine=Engine(),
        seed=7,
        notes=(),
    )


def found(
    made: Experiment,
    test: str,
    gain: float,
    alternative: Alternative = "two-sided",
    *,
    alpha: float = 0.05,
    resamples: int = 200,
) -> TestOutcome:
    trial = Trial(made, (PAIR,), alternative, alpha, resamples, null_gain=gain, bounded=True)
    return procedure(test)(trial)[KEY]


def drawn(test: str, seed: int = 1, gain: float = 0.4) -> Experiment:
    """One run each, or two and three."""
    rng = np.random.default_rng(seed)
    counts = (2, 3) if test in OF_RUNS else (1, 1)
    shared = rng.normal(size=40)
    old, new = (
        shared + shift + rng.normal(0.0, 0.2, (count, 1)) + rng.normal(size=(count, 40))
        for count, shift in zip(counts, (0.0, gain), strict=True)
    )
    return experiment(old, new)


# ---- Direct formulas


@pytest.mark.parametrize("alternative", SIDES)
@pytest.mark.parametrize("gain", [-0.5, 0.0, 0.3, 2.0])
def test_student_and_welch_against_scipy(alternative: Alternative, gain: float) -> None:
    made = drawn("t")
    values = made.statistics.values
    expected = stats.ttest_1samp(values[:, 2] - values[:, 0], gain, alternative=alternative).pvalue
    assert found(made, "t", gain, alternative).p_value.p == pytest.approx(expected, rel=1e-9)
    runs = drawn("welch")
    scores = runs.run_scores[0]
    expected = stats.ttest_ind(scores[2:] - gain, scores[:2], equal_var=False, alternative=alternative).pvalue
    assert found(runs, "welch", gain, alternative).p_value.p == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("alternative", SIDES)
@pytest.mark.parametrize("gain", [-0.5, 0.3, 2.0])
def test_crossed_against_scipy_and_the_bootstrap(alternative: Alternative, gain: float) -> None:
    made = drawn("crossed")
    delta = Trial(made, (PAIR,)).delta(KEY)
    old, new = (made.runs_of(0, s) for s in (0, 1))
    outcome = crossed_test(
        delta, old, new, effective_units=made.effective_units, alternative=alternative, null_gain=gain
    )
    tails = {"two-sided": lambda t, f: 2 * stats.t.sf(abs(t), f), "greater": stats.t.sf, "less": stats.t.cdf}
    by_t = max(
        tails[alternative]((delta - gain) / math.sqrt(spread.variance), spread.freedom)
        for spread in (outcome.separate, outcome.pooled)
        if isinstance(spread, Spread)
    )
    assert outcome.p == pytest.approx(by_t, rel=1e-9)
    by_draws = found(made, "bootstrap", gain, alternative).p_value.p
    assert found(made, "crossed", gain, alternative).p_value.p == pytest.approx(max(by_t, by_draws), rel=1e-9)


@pytest.mark.parametrize("alternative", SIDES)
@pytest.mark.parametrize("gain", [-0.5, 0.3, 2.0])
def test_bootstrap_against_a_slow_transcription(alternative: Alternative, gain: float) -> None:
    made = drawn("bootstrap")
    values = made.statistics.values
    gains = values[:, 2] - values[:, 0]
    weights = Design(made.units, "bootstrap", made.seed).weights(0, 200)
    centred = (weights @ gains / len(gains) - gains.mean()) * made.factor(0.95)
    beyond = gains.mean() - gain
    reached = {"two-sided": np.abs(centred) >= abs(beyond), "greater": centred >= beyond, "less": centred <= beyond}[
        alternative
    ]
    one = found(made, "bootstrap", gain, alternative)
    assert one.p_value.exceedances == int(reached.sum())
    np.testing.assert_allclose(known(one.distribution), centred + gain, atol=1e-12)


# ---- What must hold whatever the data


def eighths(runs: int) -> st.SearchStrategy[Floats]:
    line = st.lists(st.integers(-16, 16), min_size=N, max_size=N)
    return st.lists(line, min_size=runs, max_size=runs).map(lambda rows: np.array(rows) / 8.0)


def scored(data: st.DataObject, test: str) -> tuple[Floats, Floats]:
    runs = data.draw(st.integers(2, 3)) if test in OF_RUNS else 1
    return data.draw(eighths(runs)), data.draw(eighths(runs))


in_eighths = st.integers(-24, 24).map(lambda number: number / 8.0)


@pytest.mark.parametrize("test", SHIFTED)
@settings(deadline=None, max_examples=10)
@given(data=st.data(), gain=in_eighths)
def test_a_gain_is_as_good_as_taken_off_the_system(test: str, data: st.DataObject, gain: float) -> None:
    old, new = scored(data, test)
    assume(np.unique([*old.flat, *new.flat]).size > 2 < np.unique([*old.flat, *(new - gain).flat]).size)
    for side in SIDES:
        shifted, moved = (
            found(experiment(old, new), test, gain, side),
            found(experiment(old, new - gain), test, 0.0, side),
        )
        assert shifted.p_value.p == pytest.approx(moved.p_value.p, rel=1e-6)
        assert np.sign(shifted.direction) == np.sign(moved.direction)


@pytest.mark.whole
@pytest.mark.parametrize("test", SHIFTED)
@settings(deadline=None, max_examples=10)
@given(data=st.data(), gains=st.tuples(in_eighths, in_eighths).map(sorted))
def test_p_is_monotone_in_the_gain(test: str, data: st.DataObject, gains: list[float]) -> None:
    made = experiment(*scored(data, test))
    low, high = gains
    assert found(made, test, low, "greater").p_value.p <= found(made, test, high, "greater").p_value.p
    assert found(made, test, low, "less").p_value.p >= found(made, test, high, "less").p_value.p


@pytest.mark.whole
@pytest.mark.parametrize("test", SHIFTED)
@pytest.mark.parametrize("way", WAYS)
@settings(deadline=None, max_examples=12)
@given(data=st.data(), gain=in_eighths, alpha=st.sampled_from([0.004, 0.01, 0.05, 0.1, 0.3]))
def test_the_bound_and_the_test_are_one(test: str, way: Way, data: st.DataObject, gain: float, alpha: float) -> None:
    made = experiment(*scored(data, test))
    bound = known(found(made, test, 0.0, way, alpha=alpha).bound)
    near = [bound - 1e-6, bound + 1e-6] if math.isfinite(bound) else []
    for tried in (gain, *near):
        one = found(made, test, tried, way, alpha=alpha)
        assert one.bound == bound
        rejected = one.p_value.p <= alpha
        assert rejected == (bound > tried if way == "greater" else bound < tried)


@pytest.mark.parametrize("test", SHIFTED)
def test_lower_is_better(test: str) -> None:
    rng = np.random.default_rng(3)
    runs = 3 if test in OF_RUNS else 1
    old, new = rng.normal(size=(2, runs, 30))
    for way, other in zip(WAYS, reversed(WAYS), strict=True):
        turned = found(experiment(old, new, lower=True), test, 0.2, way)
        plain = found(experiment(old, new), test, -0.2, other)
        assert turned.p_value.p == pytest.approx(plain.p_value.p)
        assert known(turned.bound) == pytest.approx(-known(plain.bound))


# ---- Which tests, and which not


@pytest.mark.parametrize("test", [name for name, entry in TESTS.items() if not entry.shifted])
def test_tests_of_exchangeability_are_refused(test: str) -> None:
    make = CrossedEffects((2, 2), 0.5, 0.5, segments=20)
    with refused(naming=[test, "0.3", *SHIFTED]):
        procedure(test)(Trial(make(0), (PAIR,), resamples=20, null_gain=0.3))


def test_student_needs_a_gain_that_is_a_mean_of_segments() -> None:
    rng = np.random.default_rng(2)
    metric = BLEU()
    lines = [" ".join(f"w{rng.integers(5)}" for _ in range(8)) for _ in range(30)]
    others = [[" ".join(f"w{rng.integers(5)}" for _ in range(8)) for _ in range(30)] for _ in range(2)]
    columns = [metric.statistics(one, [lines]) for one in others]
    statistics = SegmentStatistics(np.concatenate(columns, 1).astype(np.float64), (Block("bleu", metric, 0, (1, 1)),))
    made = replace(experiment(*np.zeros((2, 1, 30))), statistics=statistics)
    assert procedure("t")(Trial(made, (PAIR,)))[KEY].bound is None
    with refused():
        procedure("t")(Trial(made, (PAIR,), null_gain=0.3))
    with refused():
        procedure("t")(Trial(made, (PAIR,), "greater", bounded=True))


def test_what_auto_is() -> None:
    one, two, unequal = (CrossedEffects(counts, 0.5, 0.5, segments=20)(0) for counts in ((1, 1), (2, 2), (1, 2)))
    for null_gain, bounded, first in ((0.0, False, "ar"), (0.3, False, "bootstrap"), (0.0, True, "bootstrap")):
        trials = [Trial(made, (PAIR,), null_gain=null_gain, bounded=bounded) for made in (one, two, unequal)]
        alone = "skew-t" if bounded else first
        assert [chosen_test(trial, KEY) for trial in trials] == [alone, "crossed", "crossed"]
        assert [first_claim(trial, KEY) for trial in trials] == [first, first, "bootstrap"]


def test_nothing_is_bounded_unless_asked_for() -> None:
    for test in SHIFTED:
        made = drawn(test)
        assert procedure(test)(Trial(made, (PAIR,), "greater", resamples=50))[KEY].bound is None
        assert procedure(test)(Trial(made, (PAIR,), resamples=50, bounded=True))[KEY].bound is None


# ---- With other machinery


@pytest.mark.parametrize("gain", [-0.3, 0.9])
def test_a_sequential_test_counts_against_the_gain(gain: float) -> None:
    made = drawn("bootstrap")
    stopping = Stopping("none", 1, cap=1000)
    sequential = procedure("bootstrap")(
        Trial(made, (PAIR,), "greater", resamples=1000, stopping=stopping, null_gain=gain)
    )[KEY]
    assert sequential.p_value.resamples == 1000
    assert (
        sequential.p_value.exceedances == found(made, "bootstrap", gain, "greater", resamples=1000).p_value.exceedances
    )


def test_max_t_where_nothing_varies() -> None:
    nulls = [np.full(99, -0.3), np.random.default_rng(1).normal(-0.3, 1.0, 99)]
    for alternative, expected in (("greater", 0.01), ("two-sided", 0.01), ("less", 1.0)):
        found = max_t([0.0, -0.3], nulls, alternative=alternative, slack=[1e-9] * 2, null_gain=-0.3)  # type: ignore[arg-type]
        assert found[0] == expected
        assert found[1] > 0.3
