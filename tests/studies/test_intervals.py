"""intervals: what is drawn, what overlaps, and what the tests say of the same pairs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from tests.refusals import kinds, refused
from tests.schema import written
from truegain.inference.intervals import normal_overlap, overlap
from truegain.inference.pvalues import small_sample_factor
from truegain.inference.replicas import SystemRuns, score_interval
from truegain.readers.memory import corpus_from_memory
from truegain.resampling.design import Design
from truegain.resampling.generator import bootstrap_counts, resample_keys
from truegain.resampling.units import Units
from truegain.studies.compare import compare
from truegain.studies.run_intervals import (
    APART_MANY,
    DIFFER,
    DIFFER_MANY,
    METHODS,
    NO_OVERLAP,
    NOT_SHOWN,
    OVERLAP,
    OVERLAP_MANY,
    IntervalsResult,
    Method,
    PairFinding,
    TestP,
    intervals,
    summarize,
)
from truegain.view import digits_of
from truegain.words import Sentence, listing, p_words

Floats = NDArray[np.float64]
N, R, SEED = 40, 400, 7
ENDS = (0.025, 0.975)


def made(seed: int, shift: float, runs: int) -> list[Floats]:
    """Runs on the same segments: what these have in common, what the run adds, and what is left."""
    rng = np.random.default_rng(seed)
    common = np.random.default_rng(0).normal(0.0, 1.0, N)
    return [common + shift + rng.normal(0.0, 0.15) + rng.normal(0.0, 0.5, N) for _ in range(runs)]


SYSTEMS = {"a": made(1, 0.0, 5), "b": made(2, 0.2, 5), "c": made(3, 0.1, 4)}


def study(systems: dict[str, Any] = SYSTEMS, **options: Any) -> IntervalsResult:
    corpus = corpus_from_memory(None, systems, documents=options.pop("documents", None))
    return intervals(corpus, **{"metrics": ["scores"], "resamples": R, "seed": SEED, **options})


@pytest.fixture(scope="module")
def found() -> IntervalsResult:
    return study()


def resampled(runs: list[Floats]) -> Floats:
    """Bootstrap scores of single runs, shape (runs, resamples)."""
    weights = Design(Units.segments(N), "bootstrap", SEED).weights(0, R).astype(np.float64)
    return np.asarray((weights @ np.array(runs).T / N).T)


def median_run(runs: list[Floats]) -> int:
    means = np.array([run.mean() for run in runs])
    order = np.argsort(means, kind="stable")
    return int(order[(means.size - 1) // 2 : means.size // 2 + 1].min())


def runs_drawn(number: int, runs: list[Floats], stream: int = 401) -> Floats:
    counts = bootstrap_counts(resample_keys(SEED, stream, number << 32, R), len(runs)).astype(float)
    return np.asarray(counts @ np.array([run.mean() for run in runs]) / len(runs))


def rows_drawn(runs: list[Floats]) -> Floats:
    rows = np.concatenate(runs)
    weights = Design(Units.segments(rows.size), "bootstrap", SEED).weights(0, R).astype(float)
    return np.asarray(weights @ rows / rows.size)


@pytest.mark.parametrize("number", [0, 1, 2])
def test_bootstrap_intervals_by_hand(found: IntervalsResult, number: int) -> None:
    name, runs = list(SYSTEMS.items())[number]
    factor = small_sample_factor(N, N)
    by_run = resampled(runs)
    middle = median_run(runs)
    ways: dict[Method, tuple[float, Floats, float]] = {
        "one-run": (float(runs[middle].mean()), by_run[middle], factor),
        "all-runs": (float(np.mean(runs)), by_run.mean(0), factor),
        "rows": (float(np.mean(runs)), rows_drawn(runs), 1.0),
        "runs": (float(np.mean(runs)), runs_drawn(number, runs), 1.0),
    }
    for method, (score, values, widened) in ways.items():
        one = found.interval("scores", name, method)
        low, high = score + widened * (np.quantile(values, ENDS) - score)
        assert (one.score, one.interval.low, one.interval.high) == pytest.approx((score, low, high))
        assert (one.mean, one.sd) == pytest.approx((values.mean(), values.std()))
        assert one.run == (f"{name}.{middle + 1}" if method == "one-run" else None)


@pytest.mark.parametrize("name", SYSTEMS)
def test_interval_over_both_by_hand(found: IntervalsResult, name: str) -> None:
    values = np.array(SYSTEMS[name])
    m = len(values)
    own = values - values.mean(0)
    interaction = own.var(axis=1, ddof=1).sum() / N / (m - 1)
    over_segments = max(values.mean(0).var(ddof=1) / N - interaction / m, 0.0)
    over_runs = values.mean(1).var(ddof=1) / m
    variance = over_segments + over_runs
    freedom = variance**2 / (over_segments**2 / (N - 1) + over_runs**2 / (m - 1))
    reach = stats.t.ppf(0.975, freedom) * variance**0.5
    one = found.interval("scores", name, "both")
    assert one.interval.low == pytest.approx(values.mean() - reach)
    assert one.interval.high == pytest.approx(values.mean() + reach)
    assert (one.mean, one.sd) == pytest.approx((values.mean(), variance**0.5))


def test_runs_that_score_the_same() -> None:
    """No variance over runs, and none that they have in common: what segments do to the mean is left."""
    one = np.random.default_rng(4).normal(size=N)
    values = np.array([one - one.mean(), 0.5 * (one.mean() - one)])
    left_out = (values.sum(1, keepdims=True) - values) / (N - 1)
    runs = SystemRuns(np.array([1.0, 1.0]), left_out)
    assert runs.segment_variance == runs.variance == 0.0
    interval, deviation = score_interval(runs, effective_units=N)
    assert deviation == pytest.approx(values.mean(0).std(ddof=1) / N**0.5)
    assert interval.high == pytest.approx(1.0 + stats.t.ppf(0.975, N - 1) * deviation)


def test_overlap_by_hand(found: IntervalsResult) -> None:
    a, b = SYSTEMS["a"], SYSTEMS["b"]
    ways: dict[Method, float] = {
        "one-run": overlap(resampled(a)[median_run(a)], resampled(b)[median_run(b)]),
        "all-runs": overlap(resampled(a).mean(0), resampled(b).mean(0)),
        "runs": overlap(runs_drawn(0, a), runs_drawn(1, b)),
    }
    assert 0.0 < ways["all-runs"] < 1.0
    for method, expected in ways.items():
        assert found.finding("scores", "a", "b", method).overlap == pytest.approx(expected)
    normals = [found.interval("scores", name, "both") for name in "ab"]
    both = normal_overlap(*((one.mean, one.sd) for one in normals))
    assert found.finding("scores", "a", "b", "both").overlap == both


def test_p_values_are_those_of_the_tests(found: IntervalsResult) -> None:
    options: dict[str, Any] = {"metrics": ["scores"], "resamples": R, "seed": SEED, "adjust": "none"}
    middle = corpus_from_memory(None, {name: runs[median_run(runs)] for name, runs in SYSTEMS.items()})
    alone = compare(middle, family="all", test=METHODS["one-run"], **options)
    equal = corpus_from_memory(None, {name: SYSTEMS[name] for name in "ab"})
    together = compare(equal, test=[*METHODS["all-runs"], *METHODS["rows"], *METHODS["runs"], "crossed"], **options)
    for test in METHODS["one-run"]:
        for one in found.measured:
            if one.method == "one-run":
                assert one.p[test] == alone.pair("scores", one.baseline, one.system, test).p
                assert one.delta == pytest.approx(alone.pair("scores", one.baseline, one.system, test).delta)
    for method in ("all-runs", "rows", "runs", "both"):
        one = found.finding("scores", "a", "b", method)
        assert one.p == {test: together["scores", "b", test].p for test in METHODS[method]}
        assert one.delta == pytest.approx(np.mean(SYSTEMS["b"]) - np.mean(SYSTEMS["a"]))


def test_where_p_is_alpha(found: IntervalsResult) -> None:
    a, b = (np.array(SYSTEMS[name]) for name in "ab")
    signs = 1.0 - 2.0 * Design(Units.segments(N), "swap", SEED).weights(0, R).astype(float)
    ways: dict[Method, Floats] = {
        "one-run": SYSTEMS["b"][median_run(SYSTEMS["b"])] - SYSTEMS["a"][median_run(SYSTEMS["a"])],
        "all-runs": b.mean(0) - a.mean(0),
    }
    for method, differences in ways.items():
        expected = np.quantile(np.abs(signs @ differences / N), 0.95)
        assert found.finding("scores", "a", "b", method).s_diff_at_alpha == pytest.approx(expected)
    for first, second in (("a", "b"), ("b", "c")):
        means = [np.array(SYSTEMS[name]).mean(1) for name in (second, first)]
        interval = stats.ttest_ind(*means, equal_var=False).confidence_interval(0.95)
        half = (interval.high - interval.low) / 2
        assert found.finding("scores", first, second, "runs").s_diff_at_alpha == pytest.approx(half)
    crossed = compare(corpus_from_memory(None, SYSTEMS), metrics=["scores"], test="crossed", resamples=R, seed=SEED)
    width = crossed["scores", "b"].interval.high - crossed["scores", "b"].interval.low
    assert found.finding("scores", "a", "b", "both").s_diff_at_alpha == pytest.approx(width / 2)


def test_where_p_of_the_tests_of_fu_et_al_is_alpha(found: IntervalsResult) -> None:
    """A gain a little larger has a p at most alpha, a little smaller one above it."""
    a, b = SYSTEMS["a"], SYSTEMS["b"]
    folded = np.abs(rows_drawn(b) - rows_drawn(a))
    one = found.finding("scores", "a", "b", "rows")
    assert one.s_diff_by_test.keys() == {"fu-rows-bootstrap", "fu-rows-ar"}
    assert one.s_diff_by_test["fu-rows-bootstrap"] == pytest.approx(max(np.quantile(folded - folded.mean(), 0.95), 0))
    assert one.s_diff_by_test["fu-rows-ar"] == one.s_diff_at_alpha
    runs = found.finding("scores", "a", "b", "runs")
    folded = np.abs(runs_drawn(0, b, 102) - runs_drawn(0, a, 101))
    assert runs.s_diff_by_test["fu-bootstrap"] == pytest.approx(max(np.quantile(folded - folded.mean(), 0.95), 0))
    shifted = {"a": a, "b": [run + 3.0 for run in b]}  # a gain taken out of the swaps again
    larger = study(shifted).finding("scores", "a", "b", "runs")
    assert larger.s_diff_by_test["fu-ar"] == pytest.approx(runs.s_diff_by_test["fu-ar"])
    assert found.finding("scores", "a", "c", "runs").s_diff_by_test == {}
    assert found.finding("scores", "a", "b", "both").s_diff_by_test == {}


def test_unequal_numbers_of_runs(found: IntervalsResult) -> None:
    """Fu et al.'s tests are left out, and bootstrap deviations stand in for swaps."""
    assert found.finding("scores", "a", "b", "runs").p.keys() == {"fu-bootstrap", "fu-ar"}
    for first in "ab":
        assert found.finding("scores", first, "c", "runs").p == {}
        assert found.finding("scores", first, "c", "rows").p == {}
        spread = np.hypot(*(rows_drawn(SYSTEMS[name]).std() for name in (first, "c")))
        rows = found.finding("scores", first, "c", "rows")
        assert rows.s_diff_at_alpha == pytest.approx(stats.norm.ppf(0.975) * spread)
        assert found.finding("scores", first, "c", "all-runs").p.keys() == {"bootstrap", "clark2011"}
    a, c = (resampled(SYSTEMS[name]).mean(0) for name in "ac")
    delta = np.mean(SYSTEMS["c"]) - np.mean(SYSTEMS["a"])
    expected = small_sample_factor(N, N) * np.quantile(np.abs(c - a - delta), 0.95)
    assert found.finding("scores", "a", "c", "all-runs").s_diff_at_alpha == pytest.approx(expected)
    runs = next(one for one in found.summaries if one.method == "runs")
    assert [test.pairs for test in runs.tests] == [1, 1]
    assert runs.pairs == 3
    records = found.to_records()
    assert [record["p_fu-ar"] is None for record in records] == [False, True, True]


def finding(method: Method, number: int, delta: float, overlapping: float, s_diff: float, *p: float) -> PairFinding:
    by_test = tuple(map(TestP, METHODS[method], p))
    return PairFinding("m", "x", f"y{number}", delta, method, overlapping, by_test, s_diff, ())


def test_agreement_by_hand() -> None:
    findings = [
        finding("both", 1, 1.0, 0.2, 0.5, 0.01),
        finding("both", 2, -1.0, 0.0, 0.7, 0.05),
        finding("both", 3, 0.4, 0.3, 0.9, 0.20),
        finding("both", 4, 0.0, 0.0, 0.6, 0.01),  # of equals no test decides, however small its p
        finding("one-run", 1, 0.8, 0.1, 1.0, 0.01, 0.06),  # bootstrap as crossed, randomization not
        finding("one-run", 2, 0.3, 0.5, 2.0, 0.04, 0.05),  # both decide, for the other system than crossed
        finding("one-run", 3, 0.4, 0.0, 4.0, 0.50, 0.90),  # all undecided, though the intervals are apart
        finding("one-run", 4, 0.0, 0.0, 3.0, 0.001, 1.0),
    ]
    one = summarize(findings, "m", "one-run", 0.05)
    assert [(test.test, test.pairs, test.significant, test.as_crossed) for test in one.tests] == [
        ("riezler2005-bootstrap", 4, 2, 3),
        ("riezler2005-ar", 4, 1, 2),
    ]
    assert one.same == 3
    assert (one.pairs, one.overlapping, one.overlapping_though_apart, one.apart_though_undecided) == (4, 2, 2, 2)
    gain = one.s_diff_at_alpha
    assert (gain.low, gain.median, gain.high) == (1.0, 2.5, 4.0)
    both = summarize(findings, "m", "both", 0.05)
    assert both.same is None
    assert both.tests[0].significant == 2
    assert both.tests[0].as_crossed == 4


def test_every_metric_has_its_own_median_run_and_direction() -> None:
    plain, turned = study(), study(metrics=["scores:lower_is_better=true"])
    for one, other in zip(plain.measured, turned.measured, strict=True):
        assert one.delta == -other.delta
        assert (one.p, one.overlap, one.s_diff_at_alpha) == (other.p, other.overlap, other.s_diff_at_alpha)
    words = ["the cat sat on the mat", "a dog ran off", "it was late", "they left at noon"] * 5
    rng = np.random.default_rng(3)
    systems = {
        name: [[" ".join(rng.permutation(line.split())[: rng.integers(2, 9)]) for line in words] for _ in range(3)]
        for name in "ab"
    }
    corpus = corpus_from_memory(words, systems)
    result = intervals(corpus, metrics=["chrf", "length"], resamples=50)
    by_itself = intervals(corpus, metrics=["length"], resamples=50)
    assert [one for one in result.measured if one.metric == "length"] == list(by_itself.measured)
    median = {
        score.metric: [np.argsort(s.run_scores)[1] for s in result.scores if s.metric == score.metric]
        for score in result.scores
    }
    for metric, places in median.items():
        runs = [one.run for one in result.intervals if one.metric == metric and one.method == "one-run"]
        assert runs == [f"{name}.{place + 1}" for name, place in zip("ab", places, strict=True)]


def test_documents_are_the_unit() -> None:
    documents = [f"d{i // 4}" for i in range(N)]
    by_document, by_segment = study(documents=documents), study(documents=documents, unit="segment")
    assert (by_document.unit, by_document.n_units) == ("document", 10)
    for method, same in (("one-run", True), ("runs", True), ("both", False)):
        p = [one.finding("scores", "a", "b", method).p for one in (by_document, by_segment)]  # type: ignore[arg-type]
        assert (p[0] == p[1]) is same
    assert by_segment.measured == study().measured


def test_does_not_depend_on_jobs_and_progress_adds_up(found: IntervalsResult) -> None:
    seen: dict[str, list[int]] = {}

    def progress(stage: str, done: int, total: int) -> None:
        seen.setdefault(stage, [0, total])[0] += done

    assert study(jobs=2, progress=progress).to_dict() == found.to_dict()
    assert seen.keys() == {"scoring", "comparing"}
    assert all(done == total for done, total in seen.values())


# What it says.


@pytest.mark.parametrize(("shift", "verdict", "overlaps"), [(0.0, NOT_SHOWN, 5), (0.4, DIFFER, 3), (3.0, DIFFER, 0)])
def test_findings_on_one_pair(shift: float, verdict: Sentence, overlaps: int) -> None:
    result = study({"a": SYSTEMS["a"], "b": [run + shift for run in SYSTEMS["a"]]})
    p = p_words(result.finding("scores", "a", "b", "both").p["crossed"])
    gain = digits_of(result, result.metrics[0]).gain(shift)
    expected = verdict(system="b", baseline="a", gain=gain, metric="score", units="items", p=p)
    methods = [row.method for row in result.measured if row.overlap > 0.0]
    assert len(methods) == overlaps
    overlap = OVERLAP(methods=listing(methods)) if methods else NO_OVERLAP
    assert result.findings[0].text == f"{expected} {overlap}"
    assert len(written(result)["summaries"]) == len(METHODS)
    assert result.pictures()[0].draw().alt


def test_findings_on_many_pairs(found: IntervalsResult) -> None:
    one = {summary.method: summary for summary in found.summaries}
    judge = one["both"].tests[0]
    expected = [DIFFER_MANY(count=judge.significant, total=3, metric="score", units="items", alpha=0.05)]
    for template, field in ((OVERLAP_MANY, "overlapping_though_apart"), (APART_MANY, "apart_though_undecided")):
        counts = [f"{count} by {method}" for method in METHODS if (count := getattr(one[method], field))]
        expected += [template(counts=listing(counts))] if counts else []
    assert found.findings[0].text == " ".join(expected)
    assert kinds(found.notes) >= {"unit", "unequal-runs", "few-runs"}
    with pytest.raises(KeyError):
        found.interval("scores", "z", "runs")
    with pytest.raises(KeyError):
        found.finding("scores", "b", "a", "runs")


@pytest.mark.parametrize(
    ("systems", "options", "naming"),
    [
        ({"a": SYSTEMS["a"]}, {}, []),
        ({"a": SYSTEMS["a"], "b": SYSTEMS["b"][0]}, {}, ["'b'"]),
        (SYSTEMS, {"unit": "block"}, ["unit", "'block'"]),
        (SYSTEMS, {"unit": "document"}, ["document"]),
        (SYSTEMS, {"alpha": 1.0}, ["alpha"]),
        (SYSTEMS, {"resamples": 0}, ["resamples"]),
        ({"a": [np.ones(1), np.zeros(1)], "b": [np.zeros(1), np.ones(1)]}, {}, ["one segment"]),
    ],
)
def test_refuses(systems: dict[str, Any], options: dict[str, Any], naming: list[str]) -> None:
    with refused(naming=naming):
        study(systems, **options)
