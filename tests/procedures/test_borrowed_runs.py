"""Several runs of one system against one of the other: what ``crossed`` borrows, and what is claimed."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

import truegain as tg
from tests.refusals import refused
from truegain.inference.claims import Claim
from truegain.inference.pvalues import Alternative
from truegain.inference.replicas import Spread, SystemRuns, WeightedSpread, crossed_bound, crossed_test

Floats = NDArray[np.float64]

N = 40


def runs_of(count: int, seed: int, mean: float = 0.0, spread: float = 0.1) -> list[Floats]:
    """Runs of a system whose segments have their own difficulty, the same for all systems."""
    rng = np.random.default_rng(seed)
    system = np.random.default_rng(99).normal(size=N) + 0.5 * rng.normal(size=N) + mean
    return [system + spread * rng.normal() + 0.5 * rng.normal(size=N) for _ in range(count)]


def left_out(runs: list[Floats]) -> SystemRuns:
    """Scores of runs, with one segment left out at a time."""
    rows = np.array(runs)
    return SystemRuns(rows.mean(1), (rows.sum(1, keepdims=True) - rows) / (N - 1))


def outcome(old: list[Floats], new: list[Floats], alternative: Alternative = "two-sided", **options: Any) -> Any:
    sides = left_out(old), left_out(new)
    delta = float(sides[1].scores.mean() - sides[0].scores.mean())
    return delta, crossed_test(delta, *sides, effective_units=N, alternative=alternative, **options)


def study(old: list[Floats], new: list[Floats], **options: Any) -> Any:
    return tg.compare(None, {"old": old, "new": new}, metrics=["scores"], **{"resamples": 499, **options})


# The numbers.


@pytest.mark.parametrize("m", [2, 3, 5])
def test_interval_is_the_one_of_cochran_and_cox(m: int) -> None:
    many, one = runs_of(m, m), runs_of(1, 50 + m)
    delta, found = outcome(many, one)
    rows = np.array(many)
    v_seg = (one[0] - rows.mean(0)).var(ddof=1) / N
    doubly = (rows - rows.mean(0)).var(axis=1, ddof=1).mean() / N / (m - 1)
    over_units = max(v_seg - doubly * (1 + m), 0.0)
    over_runs = rows.mean(1).var(ddof=1) * (1 / m + 1)
    critical = over_units * stats.t.ppf(0.975, N - 1) + over_runs * stats.t.ppf(0.975, m - 1)
    reach = critical / math.sqrt(over_units + over_runs)
    assert (found.interval.low, found.interval.high) == pytest.approx((delta - reach, delta + reach), rel=1e-9)
    assert found.standard_error == pytest.approx(math.sqrt(over_units + over_runs))


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
def test_p_is_alpha_at_the_ends_and_says_which_gains_are_kept(alternative: Alternative, level: float) -> None:
    for seed in range(20):
        systems = runs_of(3, seed), runs_of(1, seed + 100, mean=0.3)
        found = outcome(*systems, alternative, level=level)[1]
        for end in (found.interval.low, found.interval.high):
            if math.isfinite(end):
                assert outcome(*systems, alternative, null_gain=end)[1].p == pytest.approx(1.0 - level, rel=1e-9)
        assert (found.interval.low <= 0.0 <= found.interval.high) == (found.p > 1.0 - level)


@pytest.mark.parametrize("alternative", ["greater", "less"])
def test_bound_is_the_gain_whose_p_is_alpha(alternative: Any) -> None:
    systems = runs_of(1, 1), runs_of(4, 2)
    delta, found = outcome(*systems, alternative)
    bound = crossed_bound(delta, found, alternative=alternative, alpha=0.01)
    assert outcome(*systems, alternative, null_gain=bound)[1].p == pytest.approx(0.01, rel=1e-9)


def test_either_side_may_have_the_single_run() -> None:
    many, one = runs_of(3, 1), runs_of(1, 2)
    delta, found = outcome(many, one)
    turned, other = outcome(one, many)
    assert (turned, other.p) == (-delta, found.p)
    assert (other.interval.low, other.interval.high) == pytest.approx((-found.interval.high, -found.interval.low))


def test_weighted_quantiles_lie_between_both_and_are_inverted() -> None:
    units, few = Spread(0.7, 99.0), Spread(0.3, 2.0)
    both = WeightedSpread(units, few)
    for tail in (0.4, 0.05, 0.001, 1e-7):
        assert Spread(1.0, 99.0).reach(tail) < both.reach(tail) < Spread(1.0, 2.0).reach(tail)
        assert both.tail(both.reach(tail)) == pytest.approx(tail, rel=1e-9)
        assert both.tail(-both.reach(tail)) == pytest.approx(1.0 - tail)
    assert both.tail(0.0) == 0.5
    alone = WeightedSpread(units, Spread(0.0, 2.0))
    assert alone.tail(1.5) == pytest.approx(units.tail(1.5), rel=1e-9)


def test_runs_that_do_not_vary_at_all_leave_the_variance_over_segments() -> None:
    same = [runs_of(1, 3)[0]] * 3
    one = runs_of(1, 4)
    delta, found = outcome(same, one)
    error = (one[0] - same[0]).std(ddof=1) / math.sqrt(N)
    assert found.p == pytest.approx(2.0 * stats.t.sf(abs(delta) / error, N - 1), rel=1e-6)


# What is claimed.


@pytest.mark.parametrize("counts", [(3, 1), (1, 2)])
def test_auto_claims_new_runs_if_either_system_has_several(counts: tuple[int, int]) -> None:
    old, new = runs_of(counts[0], 1, mean=-2.0), runs_of(counts[1], 2, spread=0.02)
    result = study(old, new)
    assert [(one.test, one.claim) for one in result] == [
        ("crossed", Claim("new runs", "segment", alike=True)),
        ("bootstrap", Claim("these runs", "segment")),
    ]
    decisive, plain = result
    assert decisive.p == max(study(old, new, test="crossed")["scores", "new"].p, plain.p)
    alone = "new" if counts[1] == 1 else "old"
    (note,) = [str(note) for note in result.notes if note.kind == "one-run"]
    assert note.startswith(f"{alone} ")
    stored = type(result).from_dict(result.to_dict())
    assert next(iter(stored)).claim == decisive.claim


def test_plain_test_must_hold_as_well() -> None:
    """Two runs that happen to be alike say that runs do not vary; p is never below that of these runs."""
    seen = set()
    for seed in range(30):
        decisive, plain = study(runs_of(2, seed, spread=0.0), runs_of(1, seed + 40, mean=0.25, spread=0.0))
        assert decisive.p >= plain.p
        assert decisive.interval.low <= plain.interval.low < plain.interval.high <= decisive.interval.high
        seen.add(decisive.p == plain.p)
    assert seen == {True, False}


@pytest.mark.parametrize("null_gain", [0.0, 0.2])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_p_and_interval_agree(alternative: str, null_gain: float) -> None:
    for seed in range(6):
        result = study(runs_of(3, seed), runs_of(1, seed + 60, mean=1.0), alternative=alternative, null_gain=null_gain)
        one = result["scores", "new"]
        assert one.test == "crossed"
        assert (one.interval.low <= null_gain <= one.interval.high) == (one.p > 0.05)


@pytest.mark.parametrize("require", ["better", "not-worse"])
def test_gates(require: Any) -> None:
    systems = {"old": runs_of(3, 1), "new": runs_of(1, 2, mean=1.0)}
    found = tg.gate(None, systems, metrics=["scores"], require=require, margin=0.1, resamples=999)
    check = found["scores"]
    assert check.test == "crossed"
    assert str(check.claim).endswith("if runs of both vary alike")
    assert (check.lower > check.null_gain) == (check.p <= 0.05) == found.passed
    assert "one-run" in [note.kind for note in found.notes]


def test_rank_with_one_single_run() -> None:
    systems = {"a": runs_of(3, 1), "b": runs_of(2, 2), "c": runs_of(1, 3)}
    found = tg.rank(None, systems, metrics=["scores"], resamples=199)
    assert (found.test, found.claim) == ("crossed", Claim("new runs", "segment", alike=True))
    several = tg.compare(None, systems, metrics=["scores"], family="all", resamples=199)
    assert [one.p for one in found.pairs] == [one.p for one in several.primary_tests("scores")]
    found = tg.rank(None, systems | {"d": runs_of(1, 4)}, metrics=["scores"], resamples=199)
    assert (found.test, str(found.claim)) == ("bootstrap", "these runs on new segments")


def test_single_runs_against_each_other_are_refused() -> None:
    with refused(naming=["old"]):
        study(runs_of(1, 1), runs_of(1, 2), test="crossed")


def test_outputs_are_of_runs_only_if_that_is_known() -> None:
    one, other, many = runs_of(1, 1)[0], runs_of(1, 2)[0], runs_of(2, 3)

    def claims(systems: dict[str, Any]) -> dict[str, Claim]:
        result = tg.compare(None, systems, metrics=["scores"], resamples=199)
        return {c.system: c.claim for c in result.primary_tests("scores")}

    assert claims({"old": one, "new": other}) == {"new": Claim("this output of each", "segment")}
    assert claims({"old": one, "new": other, "more": many}) == {
        "new": Claim("this run of each", "segment"),
        "more": Claim("new runs", "segment", alike=True),
    }
    pandas = pytest.importorskip("pandas")
    rows = [(name, i, score) for name, scores in (("old", one), ("new", other)) for i, score in enumerate(scores)]
    table = pandas.DataFrame(rows, columns=["system", "id", "score"])
    for given, runs in ((table, "this output of each"), (table.assign(run=1), "this run of each")):
        assert next(iter(tg.compare(given, metrics=["scores"], resamples=199))).claim.runs == runs
