"""intervals: what is drawn, what overlaps, and what the tests say of the same pairs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from tests.corruption import WORDS
from tests.refusals import kinds, refused
from tests.sentences import unmarked
from truegain.inference.intervals import normal_overlap
from truegain.inference.pvalues import small_sample_factor
from truegain.inference.replicas import SystemRuns, score_interval
from truegain.readers.memory import corpus_from_memory
from truegain.resampling.design import Design
from truegain.resampling.generator import bootstrap_counts, resample_keys
from truegain.resampling.units import Units
from truegain.studies.compare import compare
from truegain.studies.run_intervals import (
    METHODS,
    IntervalsResult,
    Method,
    PairFinding,
    PByTest,
    ScoreInterval,
    intervals,
    summarize,
)
from truegain.studies.runs import Spread

Floats = NDArray[np.float64]
N, R, SEED = 40, 400, 7


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


def interval_of(result: IntervalsResult, system: str, method: Method) -> ScoreInterval:
    return next(row for row in result.intervals if (row.system, row.method) == (system, method))


def pair_of(result: IntervalsResult, baseline: str, system: str, method: Method) -> PairFinding:
    wanted = (baseline, system, method)
    return next(row for row in result.measured if (row.baseline, row.system, row.method) == wanted)


def s_diffs(row: PairFinding) -> dict[str, float]:
    return {size.test: size.s_diff_at_alpha for size in row.s_diff_by_test}


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
    factor, mean = small_sample_factor(N, N), float(np.mean(runs))
    by_run, middle = resampled(runs), median_run(runs)
    ways: dict[Method, tuple[float, Floats, float]] = {
        "one-run": (float(runs[middle].mean()), by_run[middle], factor),
        "all-runs": (mean, by_run.mean(0), factor),
        "rows": (mean, rows_drawn(runs), 1.0),
        "runs": (mean, runs_drawn(number, runs), 1.0),
    }
    for method, (score, values, widened) in ways.items():
        one = interval_of(found, name, method)
        ends = score + widened * (np.quantile(values, (0.025, 0.975)) - score)
        assert (one.score, *one.ci) == pytest.approx((score, *ends))
        assert (one.mean, one.sd) == pytest.approx((values.mean(), values.std()))
        assert one.run == (f"{name}.{middle + 1}" if method == "one-run" else None)


@pytest.mark.parametrize("name", SYSTEMS)
def test_interval_over_both_by_hand(found: IntervalsResult, name: str) -> None:
    values = np.array(SYSTEMS[name])
    m = len(values)
    interaction = (values - values.mean(0)).var(axis=1, ddof=1).sum() / N / (m - 1)
    over_segments = max(values.mean(0).var(ddof=1) / N - interaction / m, 0.0)
    over_runs = values.mean(1).var(ddof=1) / m
    variance = over_segments + over_runs
    freedom = variance**2 / (over_segments**2 / (N - 1) + over_runs**2 / (m - 1))
    reach = stats.t.ppf(0.975, freedom) * variance**0.5
    one = interval_of(found, name, "both")
    assert one.ci == pytest.approx((values.mean() - reach, values.mean() + reach))
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


def test_overlap_is_that_of_the_normals(found: IntervalsResult) -> None:
    for row in found.measured:
        first, second = (interval_of(found, name, row.method) for name in (row.baseline, row.system))
        assert row.overlap == normal_overlap((first.mean, first.sd), (second.mean, second.sd))
    assert 0.0 < pair_of(found, "a", "b", "all-runs").overlap < 1.0


def test_p_values_are_those_of_the_tests(found: IntervalsResult) -> None:
    options: dict[str, Any] = {"metrics": ["scores"], "resamples": R, "seed": SEED, "adjust": "none"}
    middle = {name: runs[median_run(runs)] for name, runs in SYSTEMS.items()}
    alone = compare(corpus_from_memory(None, middle), family="all", test=METHODS["one-run"], **options)
    for one in found.measured:
        for test in METHODS["one-run"] if one.method == "one-run" else ():
            other = alone.pair("scores", one.baseline, one.system, test)
            assert one.p[test] == other.p
            assert one.delta == pytest.approx(other.delta)
    equal = corpus_from_memory(None, {name: SYSTEMS[name] for name in "ab"})
    together = compare(equal, test=[*METHODS["all-runs"], *METHODS["rows"], *METHODS["runs"], "crossed"], **options)
    for method in ("all-runs", "rows", "runs", "both"):
        one = pair_of(found, "a", "b", method)
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
        assert pair_of(found, "a", "b", method).s_diff_at_alpha == pytest.approx(expected)
    for first, second in (("a", "b"), ("b", "c")):
        means = [np.array(SYSTEMS[name]).mean(1) for name in (second, first)]
        interval = stats.ttest_ind(*means, equal_var=False).confidence_interval(0.95)
        half = (interval.high - interval.low) / 2
        assert pair_of(found, first, second, "runs").s_diff_at_alpha == pytest.approx(half)
    crossed = compare(corpus_from_memory(None, SYSTEMS), metrics=["scores"], test="crossed", resamples=R, seed=SEED)
    interval = crossed["scores", "b"].interval
    assert pair_of(found, "a", "b", "both").s_diff_at_alpha == pytest.approx((interval.high - interval.low) / 2)


def test_where_p_of_the_tests_of_fu_et_al_is_alpha(found: IntervalsResult) -> None:
    """A gain a little larger has a p at most alpha, a little smaller one above it."""
    a, b = SYSTEMS["a"], SYSTEMS["b"]
    rows, runs = (pair_of(found, "a", "b", method) for method in ("rows", "runs"))
    for row, differences in (
        (rows, rows_drawn(b) - rows_drawn(a)),
        (runs, runs_drawn(0, b, 102) - runs_drawn(0, a, 101)),
    ):
        folded = np.abs(differences)
        by_bootstrap, _ = s_diffs(row).values()
        assert by_bootstrap == pytest.approx(max(np.quantile(folded - folded.mean(), 0.95), 0))
    assert s_diffs(rows)["fu-rows-ar"] == rows.s_diff_at_alpha
    shifted = pair_of(study({"a": a, "b": [run + 3.0 for run in b]}), "a", "b", "runs")
    assert s_diffs(shifted)["fu-ar"] == pytest.approx(s_diffs(runs)["fu-ar"]), "a gain is taken out of the swaps again"
    assert s_diffs(pair_of(found, "a", "c", "runs")) == s_diffs(pair_of(found, "a", "b", "both")) == {}


def test_unequal_numbers_of_runs(found: IntervalsResult) -> None:
    """Fu et al.'s tests are left out, and bootstrap deviations stand in for swaps."""
    for first in "ab":
        rows, runs, all_runs = (pair_of(found, first, "c", method) for method in ("rows", "runs", "all-runs"))
        spread = np.hypot(*(rows_drawn(SYSTEMS[name]).std() for name in (first, "c")))
        assert rows.s_diff_at_alpha == pytest.approx(stats.norm.ppf(0.975) * spread)
        assert (rows.p, runs.p, [*all_runs.p]) == ({}, {}, ["bootstrap", "clark2011"])
        old, new = (resampled(SYSTEMS[name]).mean(0) for name in (first, "c"))
        deviations = np.abs(new - old - all_runs.delta)
        expected = small_sample_factor(N, N) * np.quantile(deviations, 0.95)
        assert all_runs.s_diff_at_alpha == pytest.approx(expected)
    (summary,) = (one for one in found.summaries if one.method == "runs")
    assert (summary.pairs, [test.pairs for test in summary.tests]) == (3, [1, 1])
    assert [record["p_fu-ar"] is None for record in found.to_records()] == [False, True, True]


def finding(method: Method, number: int, delta: float, overlapping: float, s_diff: float, *p: float) -> PairFinding:
    by_test = tuple(map(PByTest, METHODS[method], p))
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
    one, both = (summarize(findings, "m", method, 0.05) for method in ("one-run", "both"))
    assert [(test.test, test.pairs, test.significant, test.as_crossed) for test in (*one.tests, *both.tests)] == [
        ("riezler2005-bootstrap", 4, 2, 3),
        ("riezler2005-ar", 4, 1, 2),
        ("crossed", 4, 2, 4),
    ]
    assert (one.same, both.same) == (3, None)
    assert (one.pairs, one.overlapping, one.overlapping_though_apart, one.apart_though_undecided) == (4, 2, 2, 2)
    assert one.s_diff_at_alpha == Spread(1.0, 2.5, 4.0)


def test_every_metric_has_its_own_median_run_and_direction() -> None:
    plain, turned = study(), study(metrics=["scores:lower_is_better=true"])
    for one, other in zip(plain.measured, turned.measured, strict=True):
        assert one.delta == -other.delta
        assert (one.p, one.overlap, one.s_diff_at_alpha) == (other.p, other.overlap, other.s_diff_at_alpha)
    rng = np.random.default_rng(3)
    cut = {name: [[" ".join(line.split()[: rng.integers(2, 9)]) for line in WORDS] for _ in range(3)] for name in "ab"}
    corpus = corpus_from_memory(WORDS, cut)
    result = intervals(corpus, metrics=["chrf", "length"], resamples=50)
    by_itself = intervals(corpus, metrics=["length"], resamples=50)
    assert [one for one in result.measured if one.metric == "length"] == list(by_itself.measured)
    medians = {(one.metric, one.name): one.run_names[np.argsort(one.run_scores)[1]] for one in result.scores}
    for row in result.intervals:
        assert row.method != "one-run" or row.run == medians[row.metric, row.system]


def test_documents_are_the_unit() -> None:
    documents = [f"d{i // 4}" for i in range(N)]
    by_document, by_segment = study(documents=documents), study(documents=documents, unit="segment")
    assert (by_document.unit, by_document.n_units) == ("document", 10)
    for method, same in (("one-run", True), ("runs", True), ("both", False)):
        p = [pair_of(one, "a", "b", method).p for one in (by_document, by_segment)]  # type: ignore[arg-type]
        assert (p[0] == p[1]) is same
    assert by_segment.measured == study().measured


def test_does_not_depend_on_jobs_and_progress_adds_up(found: IntervalsResult) -> None:
    seen: dict[str, list[int]] = {}

    def progress(stage: str, done: int, total: int) -> None:
        seen.setdefault(stage, [0, total])[0] += done

    assert study(jobs=2, progress=progress).to_dict() == found.to_dict()
    assert seen.keys() == {"scoring", "comparing"}
    assert all(done == total for done, total in seen.values())


@pytest.mark.parametrize(
    ("shift", "verdict", "overlap"),
    [
        (
            0.0,
            "are not shown to differ in score (0.0000; crossed test, p = 1)",
            "one-run, all-runs, rows, runs and both",
        ),
        (
            0.4,
            "differ by +0.4000 score for new runs on new items (crossed test, p = .004)",
            "one-run, all-runs and both",
        ),
        (3.0, "differ by +3.000 score for new runs on new items (crossed test, p = .002)", "none of the methods"),
    ],
)
def test_findings_on_one_pair(shift: float, verdict: str, overlap: str) -> None:
    result = study({"a": SYSTEMS["a"], "b": [run + shift for run in SYSTEMS["a"]]})
    expected = f"b and a {verdict}. Their intervals overlap by {overlap}."
    assert [unmarked(finding.text) for finding in result.findings] == [unmarked(expected)]
    assert result.pictures()[0].draw().alt


def test_findings_on_many_pairs(found: IntervalsResult) -> None:
    """Overlaps that contradict the crossed test are counted, method by method."""
    expected = (
        "2 of 3 pairs differ in score for new runs on new items (crossed test, p ≤ 0.05). Of these, intervals overlap "
        "all the same: 2 by one-run, 2 by all-runs and 2 by both."
    )
    assert [unmarked(finding.text) for finding in found.findings] == [unmarked(expected)]
    assert kinds(found.notes) >= {"unit", "unequal-runs", "few-runs"}


@pytest.mark.parametrize(
    ("systems", "options", "naming"),
    [
        ({"a": SYSTEMS["a"]}, {}, []),
        ({"a": SYSTEMS["a"], "b": SYSTEMS["b"][0]}, {}, ["'b'"]),
        (SYSTEMS, {"unit": "block"}, ["unit", "'block'"]),
        (SYSTEMS, {"unit": "document"}, ["document"]),
        ({"a": [np.ones(1), np.zeros(1)], "b": [np.zeros(1), np.ones(1)]}, {}, ["one segment"]),
    ],
)
def test_refuses(systems: dict[str, Any], options: dict[str, Any], naming: list[str]) -> None:
    with refused(naming=naming):
        study(systems, **options)
