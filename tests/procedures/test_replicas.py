"""Tests whose claim extends to new runs: what they refuse, what their p-values are made of, and what they say."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

import truegain as tg
from tests.refusals import kinds, refused
from truegain.inference.pvalues import Alternative
from truegain.inference.replicas import SystemRuns, crossed_test, run_permutation_test
from truegain.inference.results import Comparison
from truegain.metrics.segment_scores import SegmentScores
from truegain.procedures import replicas
from truegain.studies.compare import CompareResult

Floats = NDArray[np.float64]
Runs = list[Floats]

N = 40
OF_RUNS = ("crossed", "run-permutation", "welch")
every_test = pytest.mark.parametrize("test", OF_RUNS)


def some_runs(
    count: int, seed: int, *, mean: float = 0.0, run: float = 0.1, own: float = 0.5, segments: int = N
) -> Runs:
    """Runs of a system whose segments have their own difficulty, the same for all systems."""
    rng = np.random.default_rng(seed)
    system = np.random.default_rng(99).normal(size=segments) + own * rng.normal(size=segments) + mean
    return [system + run * rng.normal() + 0.5 * rng.normal(size=segments) for _ in range(count)]


def study(systems: dict[str, Any], test: str | list[str] = "auto", **options: Any) -> CompareResult:
    settings = {"metrics": ["scores"], "resamples": 499, **options}
    return tg.compare(None, systems, test=test, **settings)


def compared(systems: dict[str, Any], test: str, **options: Any) -> Comparison:
    return next(iter(study(systems, test, **options)))


def by_hand(
    old: Runs, new: Runs, groups: list[list[int]] | None = None, strata: tuple[int, ...] | None = None
) -> tuple[float, SystemRuns, SystemRuns, float]:
    """Scores of runs, with one group of segments left out at a time; and the groups' effective number."""
    members = groups or [[i] for i in range(old[0].size)]
    sizes = np.array([len(group) for group in members])
    sides = []
    for runs in (old, new):
        left = [[(run.sum() - run[group].sum()) / (run.size - len(group)) for group in members] for run in runs]
        sides.append(SystemRuns(np.array([run.mean() for run in runs]), np.array(left), strata))
    delta = float(sides[1].scores.mean() - sides[0].scores.mean())
    return delta, sides[0], sides[1], float(sizes.sum() ** 2 / (sizes**2).sum())


# What they refuse.


@pytest.mark.parametrize("test", OF_RUNS[1:])
@pytest.mark.parametrize("alone", ["old", "new"])
def test_one_run_is_refused(test: str, alone: str) -> None:
    systems = {name: some_runs(1 if name == alone else 3, seed) for seed, name in enumerate(("old", "new"))}
    with refused("test", naming=[test, f"'{alone}'"]):
        compared(systems, test)


@every_test
def test_runs_that_coincide_are_runs(test: str) -> None:
    """Three equal runs vary not at all, as far as three runs show; one run of the other says nothing of its own."""
    old, (new,) = some_runs(3, 1), some_runs(1, 5)
    found = study({"old": old, "new": [new, new.copy(), new.copy()]}, test)
    assert [len(one.run_scores) for one in found.scores] == [3, 3]
    error = np.std([run.mean() for run in old], ddof=1) / math.sqrt(3)
    if test != "crossed":
        assert next(iter(found)).standard_error == pytest.approx(error)


def test_blocks_are_refused() -> None:
    systems = {"old": some_runs(2, 1), "new": some_runs(2, 2)}
    with refused("unit"):
        compared(systems, "crossed", unit="block")
    # Tests of run scores do not mind; nor does auto, which claims less then.
    assert compared(systems, "welch", unit="block").p == compared(systems, "welch").p
    found = study(systems, unit="block")
    assert [one.test for one in found] == ["stationary-bootstrap"]
    assert next(iter(found)).claim.runs == "these runs"


# The crossed test.


@pytest.mark.whole
@pytest.mark.parametrize("counts", [(2, 2), (4, 4), (2, 5), (6, 3)])
def test_crossed_is_the_larger_of_both_claims(counts: tuple[int, int]) -> None:
    seen = set()
    for seed in range(12):
        run = (0.02, 0.4)[seed % 2]
        old = some_runs(counts[0], seed, run=run)
        new = some_runs(counts[1], 50 + seed, mean=0.3, run=run)
        found = compared({"old": old, "new": new}, "crossed")
        delta, *runs, k = by_hand(old, new)
        alone = crossed_test(delta, *runs, effective_units=k)
        first = compared({"old": old, "new": new}, "ar" if counts[0] == counts[1] else "bootstrap")
        assert found.delta == pytest.approx(delta)
        assert found.p == pytest.approx(max(alone.p, first.p), rel=1e-9)
        larger = found.p == first.p
        # The p-value that decides brings its own Monte-Carlo error.
        assert (found.resamples, found.p_mc) == ((499, first.p_mc) if larger else (0, (found.p, found.p)))
        assert found.interval.low <= alone.interval.low + 1e-9
        assert found.interval.high >= alone.interval.high - 1e-9
        assert found.interval.method == "t"
        seen.add(larger)
        assert (found.test, found.unit, found.n_units) == ("crossed", "segment", N)
        assert str(found.claim) == "new runs on new segments"
    assert seen == {True, False}, "data that could tell"


def alike(seed: int, mean: float) -> Runs:
    """Two runs that have nothing in common on segments and yet score nearly the same."""
    rng = np.random.default_rng(seed)
    noise = 2.0 * rng.normal(size=(2, N))
    return [one - one.mean() + mean + 0.02 * rng.normal() for one in noise]


def test_crossed_does_not_go_without_the_first_claim() -> None:
    """Runs that vary less than their segments let expect: too good, unless segments alone say so too."""
    shown = None
    for seed in range(12):
        old, new = alike(seed, 0.0), alike(100 + seed, 0.3)
        delta, *runs, k = by_hand(old, new)
        alone = crossed_test(delta, *runs, effective_units=k)
        found = compared({"old": old, "new": new}, "crossed")
        first = compared({"old": old, "new": new}, "ar")
        assert found.p == pytest.approx(max(alone.p, first.p))
        said = [note for note in map(str, found.notes) if f"{alone.p:.3f}" in note]
        assert bool(said) == (first.p > 0.05 >= alone.p)
        if said:
            shown = said[0]
            assert not found.significant
    assert shown is not None, "data that could tell"


def test_equal_systems_and_one_differing_segment_of_many() -> None:
    base = some_runs(3, 1, segments=1000)
    found = compared({"a": base, "b": base}, "crossed")
    assert (found.delta, found.p, found.significant) == (0.0, 1.0, False)
    changed = [run.copy() for run in base]
    for run in changed:
        run[77] += 2.0
    assert compared({"base": base, "changed": changed}, "crossed").p > 0.5


@pytest.mark.parametrize("alternative", ["greater", "less"])
def test_sides(alternative: str) -> None:
    old, new = some_runs(3, 1), some_runs(3, 2, mean=0.6)
    found = compared({"old": old, "new": new}, "crossed", alternative=alternative)
    both = compared({"old": old, "new": new}, "crossed")
    assert found.alternative == alternative
    assert found.p > 0.9 if alternative == "less" else found.p <= both.p


def test_lower_is_better() -> None:
    old, new = some_runs(3, 1), some_runs(4, 2, mean=0.3)
    up = compared({"old": old, "new": new}, "crossed")
    down = compared({"old": old, "new": new}, "crossed", metrics=[SegmentScores(lower_is_better=True)])
    assert down.delta == -up.delta
    assert down.p == up.p
    assert (down.interval.low, down.interval.high) == pytest.approx((-up.interval.high, -up.interval.low), abs=1e-6)


@pytest.mark.parametrize("counts", [(3, 3), (2, 4)])
def test_documents_are_left_out_whole(counts: tuple[int, int]) -> None:
    sizes = [1, 2, 3, 4, 5, 6, 9, 10]
    of_segment = np.repeat(np.arange(len(sizes)), sizes)
    rng = np.random.default_rng(8)
    shared = 0.7 * rng.normal(size=(2, len(sizes)))[:, of_segment]
    old, new = ([run + shared[s] for run in some_runs(count, 5 + s, mean=0.4 * s)] for s, count in enumerate(counts))
    documents = [f"d{i}" for i in of_segment]
    groups = [np.flatnonzero(of_segment == d).tolist() for d in range(len(sizes))]
    delta, *runs, k = by_hand(old, new, groups)
    alone = crossed_test(delta, *runs, effective_units=k)
    found = compared({"old": old, "new": new}, "crossed", documents=documents)
    first = compared({"old": old, "new": new}, "ar" if counts[0] == counts[1] else "bootstrap", documents=documents)
    assert k == pytest.approx(40**2 / 272)
    assert found.p == pytest.approx(max(alone.p, first.p))
    assert found.p > compared({"old": old, "new": new}, "crossed").p
    assert (found.unit, found.n_units, str(found.claim)) == ("document", 8, "new runs on new documents")


def test_strata_take_away_what_domains_differ_by() -> None:
    """Of two domains that differ a lot between the systems, in turns: the variance within them counts."""
    old, new = some_runs(3, 1), some_runs(3, 2, mean=0.4)
    domains = [("news", "talks")[i % 2] for i in range(N)]
    for run in new:
        run[::2] += 3.0
    order = [[i] for i in (*range(0, N, 2), *range(1, N, 2))]
    delta, *runs, k = by_hand(old, new, order, (20, 20))
    alone = crossed_test(delta, *runs, effective_units=k - 1)
    apart = study({"old": old, "new": new}, "crossed", domains=domains, interval="percentile")
    found = next(iter(apart))
    first = compared({"old": old, "new": new}, "ar", domains=domains)
    assert found.p == pytest.approx(max(alone.p, first.p))
    together = compared({"old": old, "new": new}, "crossed", domains=domains, strata="none", interval="percentile")
    assert found.interval.high - found.interval.low < together.interval.high - together.interval.low


def test_several_pairs_each_have_the_test_they_can_have() -> None:
    systems = {"base": some_runs(3, 1), "equal": some_runs(3, 2), "more": some_runs(5, 3), "one": some_runs(1, 4)}
    found = study(systems)
    tests = {(one.system, one.test) for one in found}
    assert tests == {
        ("equal", "crossed"),
        ("equal", "ar"),
        ("equal", "run-permutation"),
        ("more", "crossed"),
        ("more", "bootstrap"),
        ("more", "run-permutation"),
        ("one", "crossed"),
        ("one", "bootstrap"),
    }
    assert {one.test for one in found.primary_tests("scores")} == {"crossed"}
    assert "one-run" in kinds(found.notes)
    for name in ("equal", "more"):
        pair = {"base": systems["base"], name: systems[name]}
        assert found["scores", name].p == pytest.approx(compared(pair, "crossed").p)


def test_resamples_until_the_decision_is_certain() -> None:
    systems = {"old": some_runs(3, 1), "new": some_runs(3, 2, mean=1.5), "more": some_runs(4, 3, mean=1.5)}
    found = study(systems, "crossed", resamples="auto")
    for name in ("new", "more"):
        one = found["scores", name]
        assert one.significant
        assert one.p == pytest.approx(compared({"old": systems["old"], name: systems[name]}, "crossed").p, abs=0.005)


# What it says.


def shifted(shifts: list[float], seed: int) -> Runs:
    """Runs that differ by these, and hardly otherwise."""
    rng = np.random.default_rng(seed)
    base = np.random.default_rng(99).normal(size=N)
    return [base + shift + 0.05 * rng.normal(size=N) for shift in shifts]


@pytest.mark.parametrize("wide", ["old", "new"])
@pytest.mark.parametrize("test", ["crossed", "auto"])
def test_says_where_runs_of_one_system_vary_far_more(wide: str, test: str) -> None:
    shifts = {name: [-1.0, 0.1, 0.9] if name == wide else [-0.01, 0.0, 0.01] for name in ("old", "new")}
    found = study({name: shifted(shifts[name], seed) for seed, name in enumerate(shifts)}, test)
    (caveat,) = found["scores", "new"].caveats
    assert caveat.kind == "runs"
    assert f"runs of {wide} vary" in caveat.text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ([-0.1, 0.0, 0.1], [-0.2, 0.0, 0.2]),  # not so much more
        ([-0.1, 0.1] * 3, [-1.0, 0.8] * 3),  # enough runs
    ],
)
def test_says_nothing_where_it_does_not_matter(old: list[float], new: list[float]) -> None:
    found = compared({"old": shifted(old, 1), "new": shifted(new, 2)}, "crossed")
    assert found.caveats == ()


@pytest.mark.parametrize(("count", "spread", "words"), [(3, 12.0, "about 12"), (3, 30.0, "more than 20")])
def test_says_by_how_much_as_an_estimate(count: int, spread: float, words: str) -> None:
    steps = np.linspace(-0.05, 0.05, count)
    exact = np.random.default_rng(99).normal(size=N)
    systems = {"old": [exact + step for step in steps], "new": [exact + spread * step for step in steps]}
    (caveat,) = compared(systems, "crossed").caveats
    assert f"{words} times" in caveat.text


@pytest.mark.parametrize("count", [2, 3])
def test_chance_alone_hardly_ever_makes_runs_of_one_system_vary_far_more(count: int) -> None:
    """With equal variances the larger of two is over the smaller by the 99 % point of F in 2 % of comparisons."""
    said = 0
    for seed in range(150):
        rng = np.random.default_rng([11, count, seed])
        systems = {name: shifted(list(rng.normal(size=count)), 2 * seed + i) for i, name in enumerate(("old", "new"))}
        found = tg.compare(None, systems, metrics=["scores"], resamples=19, jobs=1, changed_segments=0)
        said += any(caveat.kind == "runs" for caveat in found["scores", "new"].caveats)
    assert said <= 8


def test_runs_that_all_coincide_make_the_crossed_test_no_surer() -> None:
    """Three times the same outputs say of new segments what the outputs say, and a note asks about them."""
    rng = np.random.default_rng(3)
    reference = [" ".join(f"w{i}" for i in rng.integers(0, 40, 12)) for _ in range(60)]

    def worsened(share: float, seed: int) -> list[str]:
        own = np.random.default_rng(seed)
        return [" ".join(w if own.random() > share else "x" for w in line.split()) for line in reference]

    old, new = worsened(0.3, 1), worsened(0.27, 2)
    single = tg.compare(reference, {"old": old, "new": new}, resamples=499)
    thrice = tg.compare(reference, {"old": [old] * 3, "new": [new, list(new), list(new)]}, resamples=499)
    assert [one.test for one in thrice] == ["crossed", "ar", "run-permutation"]
    assert [one.p for one in thrice][:2] == [single["bleu", "new"].p] * 2
    assert thrice["bleu", "new"].delta == pytest.approx(single["bleu", "new"].delta, rel=1e-12)
    assert [note.text.split(" have ")[0] for note in thrice.notes if note.kind == "repeated-texts"] == [
        "runs of old",
        "runs of new",
    ]
    assert [(one.runs, one.run) for one in thrice.variability] == [(3, 0.0), (3, 0.0)]


def test_a_run_that_coincides_with_another_counts() -> None:
    old, new = some_runs(3, 1), some_runs(3, 2, mean=0.3)
    runs = [*old, old[1].copy()]
    found = study({"old": runs, "new": new})
    delta, *sides, k = by_hand(runs, new)
    assert found["scores", "new"].delta == pytest.approx(delta, rel=1e-12)
    p = max(crossed_test(delta, *sides, effective_units=k).p, found["scores", "new", "bootstrap"].p)
    assert found["scores", "new"].p == pytest.approx(p, rel=1e-9)


# Tests of run scores.


def run_scores(systems: dict[str, Runs]) -> list[Floats]:
    return [np.array([run.mean() for run in runs]) for runs in systems.values()]


@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("counts", [(3, 3), (2, 6), (4, 4), (2, 5)])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_welch_and_run_permutation(counts: tuple[int, int], alternative: Alternative, lower: bool) -> None:
    systems = {"old": some_runs(counts[0], 1, run=0.3), "new": some_runs(counts[1], 2, run=0.3, mean=0.3)}
    options: dict[str, Any] = {"alternative": alternative, "metrics": [SegmentScores(lower_is_better=lower)]}
    found, permuted = (compared(systems, test, **options) for test in ("welch", "run-permutation"))
    sign = -1.0 if lower else 1.0
    old, new = (sign * scores for scores in run_scores(systems))
    expected = stats.ttest_ind(new, old, equal_var=False, alternative=alternative)
    assert found.p == pytest.approx(expected.pvalue, rel=1e-7)
    assert permuted.p == run_permutation_test(old, new, alternative=alternative, magnitude=1.0).p
    assert permuted.p_mc == (permuted.p, permuted.p)
    interval = expected.confidence_interval(0.95)
    assert (found.interval.low, found.interval.high) == pytest.approx((interval.low, interval.high), rel=1e-6)
    assert permuted.interval == found.interval
    for one in (found, permuted):
        assert (one.unit, one.n_units, one.resamples) == ("run", sum(counts), 0)
        assert str(one.claim) == "new runs on this test set"


@pytest.mark.parametrize(
    ("counts", "alternative", "smallest"),
    [
        ((2, 2), "two-sided", "0.333"),
        ((3, 3), "two-sided", "0.1"),
        ((3, 3), "greater", None),  # 1/20 is not above 0.05
        ((2, 3), "two-sided", "0.1"),
        ((2, 2), "less", "0.167"),
        ((4, 4), "two-sided", None),
        ((2, 6), "two-sided", None),
    ],
)
def test_smallest_p_of_regrouping_is_said(counts: tuple[int, int], alternative: str, smallest: str | None) -> None:
    systems = {"old": some_runs(counts[0], 1), "new": some_runs(counts[1], 2)}
    notes = compared(systems, "run-permutation", alternative=alternative).notes
    assert [str(note).split()[-1] for note in notes] == ([] if smallest is None else [smallest])


def test_three_runs_each_are_never_enough_for_regrouping() -> None:
    systems = {"old": some_runs(3, 1), "new": some_runs(3, 2, mean=9.0)}
    found = study(systems)
    assert found["scores", "new", "run-permutation"].p == pytest.approx(0.1)
    assert not found["scores", "new", "run-permutation"].significant
    assert found["scores", "new", "crossed"].significant


def test_too_many_regroupings_are_drawn() -> None:
    systems = {"old": some_runs(12, 1, run=0.3), "new": some_runs(12, 2, run=0.3, mean=0.2)}
    assert math.comb(24, 12) > 1_000_000
    found = compared(systems, "run-permutation", resamples=4000)
    assert found.resamples == 4000
    assert found.p_mc[0] < found.p < found.p_mc[1]
    # With so many runs, regrouping and a t-test with a pooled variance agree.
    old, new = run_scores(systems)
    expected = stats.ttest_ind(new, old).pvalue
    assert found.p == pytest.approx(expected, abs=0.03)
    assert compared(systems, "run-permutation", resamples=4000).p == found.p
    assert compared(systems, "run-permutation", resamples=4000, seed=1).p != found.p


@pytest.mark.parametrize("counts", [(5, 5), (4, 7)])
@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_drawn_regroupings_are_near_all(
    counts: tuple[int, int], alternative: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    systems = {"old": some_runs(counts[0], 1, run=0.3), "new": some_runs(counts[1], 2, run=0.3, mean=0.2)}
    exact = compared(systems, "run-permutation", alternative=alternative)
    monkeypatch.setattr(replicas, "ENUMERATED", 100)
    drawn = compared(systems, "run-permutation", alternative=alternative, resamples=10_000)
    assert (exact.resamples, drawn.resamples) == (0, 10_000)
    assert drawn.p == pytest.approx(exact.p, abs=4 * math.sqrt(exact.p * (1 - exact.p) / 10_000))
    assert 0.02 < exact.p < 0.98, "data that could tell"


def test_tests_of_runs_know_nothing_of_documents() -> None:
    systems = {"old": some_runs(3, 1), "new": some_runs(4, 2)}
    documents = [f"d{i // 5}" for i in range(N)]
    for test in ("run-permutation", "welch"):
        assert compared(systems, test, documents=documents).p == pytest.approx(compared(systems, test).p)
