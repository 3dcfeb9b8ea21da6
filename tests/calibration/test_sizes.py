"""The size of every test on true nulls: fixed seeds, few repetitions, and bounds wide enough for their number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binom

from benchmarks.calibration.makers import Neighbours, OneMetric, RaterNoise, RunNoise, Skewed, counted_exactly
from benchmarks.calibration.pools import (
    DOCUMENT_CORRELATION,
    binary_pool,
    contributions,
    heavy_pool,
    in_documents,
    simulated_pool,
    tied,
)
from benchmarks.calibration.scenarios import (
    BLOCKS,
    COMMON,
    RATER_TESTS,
    RUN_TESTS,
    TWO_VALUED,
    Outcome,
    Part,
    Scenario,
    one_difference,
    run,
)
from truegain.executors.pools import processes
from truegain.experiment import Experiment
from truegain.registry import TESTS, measured_sizes
from truegain.studies.calibrate import measure
from truegain.studies.nulls import DataMaker, SwappedUnits

_REPETITIONS = 300
_RESAMPLES = 199
_FOLDING = ("riezler2005-bootstrap", "sacrebleu-bs", "moses-bs")
_ONE_SIDED = tuple(name for name, entry in TESTS.items() if entry.sides == "one-sided")
_CLASSICAL = ("t", "wilcoxon", "sign")


@pytest.fixture(scope="module")
def pool() -> Experiment:
    return simulated_pool(1500)


@pytest.fixture(scope="module")
def segments(pool: Experiment) -> Outcome:
    return outcome(SwappedUnits(pool, pool.units, 40), Part((*COMMON, *BLOCKS)), Part(("exact",), key="wer"))


@pytest.fixture(scope="module")
def documents(pool: Experiment) -> Outcome:
    made = in_documents(pool, 400)
    others = tuple(name for name in COMMON if name not in ("ar", "bootstrap"))
    parts = Part(("ar", "bootstrap")), Part(("exact",), key="wer"), Part((*others, *BLOCKS), 0.3, "mean")
    return outcome(SwappedUnits(made, made.units, 30), *parts)


@pytest.fixture(scope="module")
def binary() -> Outcome:
    made = binary_pool(1500)
    return outcome(SwappedUnits(made, made.units, 60), Part((*COMMON, *BLOCKS, *TWO_VALUED, "exact")))


def outcome(make: DataMaker, *parts: Part, repetitions: int = _REPETITIONS) -> Outcome:
    return run(Scenario("test", "test", 0, make, parts), repetitions=repetitions, resamples=_RESAMPLES)


def rejections(found: Outcome, metric: str, test: str, level: float = 0.05) -> tuple[int, int]:
    p = np.array(found.measured[metric, test].p)
    return int(np.count_nonzero(p <= level)), p.size


def keeps(found: Outcome, metric: str, test: str, low: float = 0.05, high: float = 0.05, level: float = 0.05) -> bool:
    """Whether the count is what true rates from low to high exceed in one of ten thousand studies like this one."""
    count, of = rejections(found, metric, test, level)
    return bool(binom.ppf(1e-4, of, low) <= count <= binom.ppf(1 - 1e-4, of, high))


def exceeds(found: Outcome, metric: str, test: str, rate: float = 0.05) -> bool:
    count, of = rejections(found, metric, test)
    return bool(count > binom.ppf(1 - 1e-4, of, rate))


def test_every_test_is_measured_here(segments: Outcome, binary: Outcome) -> None:
    measured = {test for found in (segments, binary) for _, test in found.measured}
    assert measured | {*RUN_TESTS, *RATER_TESTS} == set(TESTS)


def test_the_test_of_raters_keeps_its_level() -> None:
    found = outcome(RaterNoise(5), Part(RATER_TESTS), repetitions=400)
    assert not exceeds(found, "mean", "raters", 0.065)
    assert rejections(found, "mean", "raters")[0] > 0


@pytest.mark.parametrize("metric", ["bleu", "wer", "mean"])
@pytest.mark.parametrize("level", [0.05, 0.10])
def test_randomization_keeps_its_level(segments: Outcome, documents: Outcome, metric: str, level: float) -> None:
    for test in ("ar", "riezler2005-ar", "clark2011"):
        assert keeps(segments, metric, test, level, level, level)
    assert keeps(segments, metric, "sacrebleu-ar", level, 1.4 * level, level)  # few swaps of WER differ from each other
    assert keeps(documents, metric, "ar", level, level, level)
    for found in (segments, documents):
        assert keeps(found, "wer", "exact", level, level, level)


@pytest.mark.parametrize("metric", ["bleu", "wer", "mean"])
def test_bootstrap_is_near_its_level(segments: Outcome, documents: Outcome, metric: str) -> None:
    assert keeps(segments, metric, "bootstrap", 0.035, 0.07)
    assert keeps(documents, metric, "bootstrap", 0.035, 0.07)
    assert keeps(segments, metric, "stationary-bootstrap", 0.035, 0.07)


@pytest.mark.parametrize("test", _CLASSICAL)
def test_classical_tests_keep_their_level(segments: Outcome, test: str) -> None:
    low = 0.02 if test == "sign" else 0.045  # few numbers of wins are possible: the sign test rejects less often
    for metric in ("bleu", "wer", "mean"):
        assert keeps(segments, metric, test, low, 0.055)


@pytest.mark.parametrize("test", [*_FOLDING, *_ONE_SIDED])
def test_offenders_reject_too_often(segments: Outcome, test: str) -> None:
    for metric in ("bleu", "wer", "mean"):
        assert exceeds(segments, metric, test)
        assert keeps(segments, metric, test, 0.09, 0.15)


@pytest.mark.parametrize("test", [name for name in COMMON if TESTS[name].unit == "segment"])
def test_ignoring_documents_rejects_far_too_often(documents: Outcome, test: str) -> None:
    assert exceeds(documents, "mean", test, 0.2)


def test_scores_of_zero_and_one(binary: Outcome) -> None:
    assert binary.measured["mean", "mcnemar"].p == binary.measured["mean", "sign"].p
    for test in ("mcnemar", "exact", "ar", "riezler2005-ar", "clark2011", "sign"):
        assert keeps(binary, "mean", test, 0.02, 0.05)
    for test in ("tango", "t", "wilcoxon", "bootstrap", "stationary-bootstrap"):
        assert keeps(binary, "mean", test, 0.03, 0.07)


def test_heavy_tails_lower_rejections_only() -> None:
    made = heavy_pool(1500)
    found = outcome(SwappedUnits(made, made.units, 40), Part(("ar", "exact", "bootstrap", "t")))
    assert keeps(found, "mean", "ar")
    assert keeps(found, "mean", "exact")
    assert keeps(found, "mean", "bootstrap", 0.015, 0.06)
    assert keeps(found, "mean", "t", 0.015, 0.06)


def test_no_level_is_kept_by_tests_of_medians_where_differences_are_skewed() -> None:
    found = outcome(Skewed(200), Part(("ar", "bootstrap", "exact", "wilcoxon", "sign")))
    for test in ("ar", "bootstrap", "exact"):
        assert keeps(found, "mean", test, 0.04, 0.08)
    for test in ("wilcoxon", "sign"):
        assert exceeds(found, "mean", test, 0.3)


def test_only_blocks_stand_dependent_neighbours() -> None:
    found = outcome(Neighbours(400), Part(("ar", "bootstrap", "stationary-bootstrap")), repetitions=200)
    for test in ("ar", "bootstrap"):
        assert exceeds(found, "mean", test, 0.1)
    assert keeps(found, "mean", "stationary-bootstrap", 0.04, 0.12)
    stationary, ordinary = (rejections(found, "mean", test)[0] for test in ("stationary-bootstrap", "bootstrap"))
    assert stationary < min(24, ordinary / 2)


def test_data_are_what_they_are_said_to_be() -> None:
    gains = np.concatenate([differences(Skewed(1000), r) for r in range(100)])
    assert abs(gains.mean()) < 4 * gains.std() / gains.size**0.5
    assert (gains**3).mean() / gains.std() ** 3 == pytest.approx(2.0, abs=0.15)
    gains = differences(Neighbours(20_000), 0)
    assert np.corrcoef(gains[1:], gains[:-1])[0, 1] == pytest.approx(0.5, abs=0.03)


def differences(make: DataMaker, repetition: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    values = make(repetition).statistics.values
    return np.asarray(values[:, 2] - values[:, 0])


def test_few_runs_are_too_few_for_tests_of_runs() -> None:
    few, many = (outcome(RunNoise(runs), Part(RUN_TESTS)) for runs in (3, 20))
    for test in ("fu-ar", "fu-bootstrap"):
        assert exceeds(few, "mean", test, 0.15)
    assert keeps(many, "mean", "fu-ar")
    assert exceeds(many, "mean", "fu-bootstrap")
    for test in ("crossed", "welch", "run-permutation"):
        assert not exceeds(few, "mean", test, 0.065)
        assert keeps(many, "mean", test)


def test_contributions_are_correlated_within_documents(pool: Experiment) -> None:
    made = in_documents(pool, 400)
    added = contributions(made)
    first = made.units.of_segment[:-1] == made.units.of_segment[1:]
    reached = np.corrcoef(added[:-1][first], added[1:][first])[0, 1]
    assert reached == pytest.approx(DOCUMENT_CORRELATION, abs=0.06)


def test_randomization_hardly_rejects_where_three_segments_differ(pool: Experiment) -> None:
    made = tied(pool)
    found = outcome(SwappedUnits(made, made.units, 30), Part(("ar", "exact", "sacrebleu-ar"), key="mean"))
    assert rejections(found, "mean", "ar")[0] <= binom.ppf(1 - 1e-4, _REPETITIONS, 0.02)
    # What it does not count are the swaps that change nothing, and these are most of them.
    assert exceeds(found, "mean", "sacrebleu-ar", 0.3)


def test_a_gain_is_found_more_often_the_larger_it_is(pool: Experiment) -> None:
    alone = OneMetric(lambda _: pool, "mean")(0)
    nulls = SwappedUnits(alone, alone.units, 100)
    tests = ("ar", "bootstrap", "t", "wilcoxon", "sign")
    found = [rates(nulls.with_gain(gain), tests) for gain in (0.0, 2.5, 5.0)]
    for by_gain in zip(*found, strict=True):
        assert list(by_gain) == sorted(by_gain)
        assert by_gain[2] > 0.5


def rates(make: DataMaker, tests: Sequence[str]) -> list[float]:
    p = measure(make, tests, repetitions=60, resamples=_RESAMPLES)
    return [float((one[0] <= 0.05).mean()) for one in p]


def test_exact_is_told_apart_from_random_swaps(pool: Experiment) -> None:
    nulls = SwappedUnits(pool, pool.units, 40)
    assert counted_exactly(OneMetric(nulls, "wer"), 5)
    assert not counted_exactly(OneMetric(nulls, "bleu"), 5)
    found = run(Scenario("test", "40", 40, nulls, (Part(("ar", "exact")),)), repetitions=2, resamples=19)
    assert {test for _, test in found.measured} == {"ar"}


def test_one_metric_of_a_dataset_is_the_same_as_among_others(pool: Experiment) -> None:
    nulls = SwappedUnits(pool, pool.units, 40)
    tests = ("ar", "bootstrap")
    together = measure(nulls, tests, repetitions=3, resamples=99)
    for m, key in enumerate(("bleu", "wer", "mean")):
        alone = measure(OneMetric(nulls, key), tests, repetitions=3, resamples=99)
        np.testing.assert_array_equal(alone[:, 0], together[:, m])


@pytest.mark.parametrize("kind", ["swapped", "skewed", "runs"])
def test_repetitions_do_not_depend_on_processes(pool: Experiment, kind: str) -> None:
    makers: dict[str, DataMaker] = {
        "swapped": OneMetric(SwappedUnits(pool, pool.units, 30), "wer"),
        "skewed": Skewed(30),
        "runs": RunNoise(3),
    }
    tests = RUN_TESTS if kind == "runs" else ("ar", "bootstrap")
    scenario = Scenario("test", "test", 30, makers[kind], (Part(tests),))
    alone = run(scenario, repetitions=101, resamples=9)
    with processes(2) as workers:
        assert run(scenario, repetitions=101, resamples=9, workers=workers) == alone


def test_one_differing_segment(pool: Experiment) -> None:
    found = one_difference(pool, segments=1000, resamples=999, seeds=10)
    p = {key: np.array(one.p) for key, one in found.measured.items()}
    assert {test for _, test in p} == set(TESTS) - set(RATER_TESTS)
    for metric in ("bleu", "wer", "mean", "right"):
        for test in ("ar", "exact", "riezler2005-ar", "clark2011", "sign"):
            assert (p[metric, test] == 1.0).all()
        assert (p[metric, "sacrebleu-ar"] == 0.001).all()
        assert (p[metric, "multeval-ar"] == 0.001).all()
    assert (p["right", "mcnemar"] == 1.0).all()
    # Drawn never (37 %) or more than once (26 %), the segment moves the mean by its whole contribution or more.
    assert p["mean", "bootstrap"].mean() == pytest.approx(0.632, abs=0.02)
    assert p["mean", "koehn2004"].mean() == pytest.approx(0.368, abs=0.02)
    assert p["mean", "bergkirkpatrick2012"].mean() == pytest.approx(0.080, abs=0.02)
    assert p["mean", "sacrebleu-bs"].min() < 0.12
    assert p["mean", "sacrebleu-bs"].max() > 0.22


def test_the_package_knows_a_size_of_every_test() -> None:
    sizes = measured_sizes()
    assert sizes.keys() == TESTS.keys()
    assert all(0.02 < sizes[name] < 0.07 for name in ("ar", "bootstrap", "exact", "t", "mcnemar"))
    assert all(0.08 < sizes[name] < 0.2 for name in (*_FOLDING, *_ONE_SIDED))


def test_scenarios_have_random_numbers_of_their_own(pool: Experiment) -> None:
    nulls = [SwappedUnits(replace(pool, seed=seed), pool.units, 40)(0) for seed in (1, 2)]
    assert not np.array_equal(nulls[0].statistics.values, nulls[1].statistics.values)
