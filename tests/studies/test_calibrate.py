"""calibrate: sizes and power on data made of the user's own."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binom

import truegain as tg
from tests.refusals import kinds, refused
from tests.schema import written
from truegain.experiment import Experiment
from truegain.procedures.base import Pair, Trial
from truegain.readers.memory import corpus_from_memory
from truegain.registry import TESTS
from truegain.resampling.units import Units
from truegain.studies.calibrate import LEVELS, POWER, CalibrationResult, measure
from truegain.studies.nulls import SplitRuns, SwappedUnits
from truegain.words import listing

Floats = NDArray[np.float64]

N = 60
DOCUMENTS = [f"d{i // 6}" for i in range(N)]


def scores(seed: int, shift: float = 0.0, count: int = N) -> Floats:
    return np.asarray(np.random.default_rng(seed).normal(shift, 1.0, count))


TWO = {"a": scores(1), "b": scores(2)}
FOUR_RUNS = {"a": [scores(seed) for seed in range(4)]}


def prepared(systems: dict[str, Any], **options: Any) -> Experiment:
    corpus = corpus_from_memory(None, systems, documents=options.pop("documents", None))
    settings: dict[str, Any] = {"unit": "auto", "seed": 7, "jobs": 1, "cache": None, "engine": None, "progress": None}
    return Experiment.prepare(corpus, ["scores"], **settings, **options)


@pytest.fixture(scope="module")
def found() -> CalibrationResult:
    options: dict[str, Any] = {"test": ["ar", "t", "sacrebleu-bs"], "repetitions": 400, "resamples": 199, "gain": 0.3}
    return tg.calibrate(None, {"a": scores(1), "b": scores(2, 0.5)}, metrics=["scores"], **options)


@pytest.mark.whole
def test_keeps_its_level_though_the_systems_differ_and_has_power(found: CalibrationResult) -> None:
    """The outputs are swapped: that b is far better than a must not matter. The gain is what was asked for."""
    for test in ("ar", "t"):
        size = found["scores", test].size
        assert binom.ppf(1e-4, 400, 0.05) <= size.rejections <= binom.ppf(1 - 1e-4, 400, 0.05)
        assert found["scores", test].verdict != "too often"
    assert found["scores", "sacrebleu-bs"].size.rejections > binom.ppf(1 - 1e-4, 400, 0.05)
    assert found["scores", "sacrebleu-bs"].verdict == "too often"
    for power in found.power:
        size = found["scores", power.test].size
        assert power.rates[1].rate > size.rate + 0.1
        assert power.reached == pytest.approx(0.3, abs=0.04)
    assert [one["test"] for one in written(found)["measured"]] == ["ar", "t", "sacrebleu-bs"]


def test_rates_fit_the_p_values(found: CalibrationResult) -> None:
    for one in found:
        assert [rate.rejections for rate in one.rates] == [sum(p <= level for p in one.p) for level in LEVELS]
        assert (one.quantiles[0], one.quantiles[-1]) == (min(one.p), max(one.p))
        low, high = one.size.interval
        assert low < one.size.rate < high
    assert len(found.to_records()) == 6 * len(LEVELS)
    shares = listing([f"{100 * row.rates[1].rate:.1f} % ({row.test})" for row in found.power])
    assert found.findings[-1].text == POWER(gain="+0.3", metric="score", shares=shares)
    with pytest.raises(KeyError):
        found["scores", "wilcoxon"]


@pytest.mark.whole
@pytest.mark.parametrize("jobs", [2, 3])
def test_does_not_depend_on_processes(jobs: int) -> None:
    options: dict[str, Any] = {"metrics": ["scores"], "test": "ar", "repetitions": 120, "resamples": 99}
    alone, together = (tg.calibrate(None, TWO, jobs=one, **options)["scores", "ar"].p for one in (1, jobs))
    assert alone == together


def test_custom_metrics_that_cannot_travel_are_measured_here() -> None:
    metric = tg.CustomMetric(
        "words",
        lambda outputs, references: [[len(line.split()), 1] for line in outputs],
        lambda totals: totals[..., 0] / totals[..., 1],
        ("words", "lines"),
    )
    systems = {"a": ["a"] * 8 + ["a b c"] * 8, "b": ["a b"] * 16}
    result = tg.calibrate(["x"] * 16, systems, metrics=[metric], repetitions=100, resamples=19, jobs=2)
    assert len(result["words", "ar"].p) == 100


def test_swaps_keep_what_a_unit_holds() -> None:
    experiment = prepared(TWO, documents=DOCUMENTS)
    make = SwappedUnits(experiment, Units.documents(DOCUMENTS))
    original = experiment.statistics.values
    seen = set()
    for repetition in range(20):
        made = make(repetition)
        values = made.statistics.values
        swapped = (values[:, 0] != original[:, 0]).reshape(10, 6)
        assert (swapped.all(1) | ~swapped.any(1)).all()
        np.testing.assert_array_equal(np.sort(values[:, [0, 2]], axis=1), np.sort(original[:, [0, 2]], axis=1))
        seen.add(tuple(swapped[:, 0].tolist()))
        assert make(repetition).seed == made.seed != make(repetition + 1).seed
    assert len(seen) > 15
    # A size draws whole units anew.
    make = SwappedUnits(prepared(TWO, documents=DOCUMENTS), Units.documents(DOCUMENTS), size=4)
    drawn = [make(repetition) for repetition in range(12)]
    assert {one.corpus.segments for one in drawn} == {24}
    assert {one.units.count for one in drawn} == {4}
    assert all(one.corpus.documents is not None and len(set(one.corpus.documents)) == 4 for one in drawn)
    assert len({one.corpus.documents for one in drawn}) > 6
    assert len({one.table.totals[0] for one in drawn}) > 6


def test_contributions_add_up_to_the_difference_and_tilted_swaps_make_the_gain() -> None:
    experiment = prepared(TWO)
    make = SwappedUnits(experiment, Units.segments(N))
    delta = Trial(experiment, (Pair(0, 1),)).delta((0, Pair(0, 1)))
    assert make.contributions.sum() == pytest.approx(delta)
    np.testing.assert_allclose(make.contributions, (scores(2) - scores(1)) / N)
    most = float(np.abs(make.contributions).sum())
    assert make.with_gain(most / 2).tilt == pytest.approx(0.75)
    tilted = SwappedUnits(prepared(TWO), Units.segments(N)).with_gain(-0.25)
    gains = [Trial(tilted(r), (Pair(0, 1),)).delta((0, Pair(0, 1))) for r in range(400)]
    assert np.mean(gains) == pytest.approx(-0.25, abs=float(np.std(gains)) / 5)


@pytest.mark.parametrize(("share", "said"), [(0.3, []), (0.7, ["0.71"])])
def test_gains_near_the_most_that_can_be_made_are_said_to_have_too_much_power(share: float, said: list[str]) -> None:
    differences = np.random.default_rng(3).normal(size=60)
    systems = {"old": np.zeros(60), "new": differences}
    gain = share * float(np.abs(differences).mean())
    found = tg.calibrate(None, systems, metrics=["scores"], test="t", repetitions=40, resamples=1, gain=gain)
    notes = [note.text for note in found.notes if note.kind == "exchanged-gain"]
    assert [times for note in notes for times in re.findall(r"0\.\d+(?= times)", note)] == said


def test_runs_are_dealt_out() -> None:
    runs = [scores(seed) for seed in range(6)]
    experiment = prepared({"only": runs})
    make = SplitRuns(experiment, 2)
    seen = set()
    for repetition in range(30):
        made = make(repetition)
        names = [tuple(run.name for run in system.runs) for system in made.corpus.systems]
        assert len({*names[0], *names[1]}) == 4
        seen.add(names[0])
        for s, system in enumerate(names):
            expected = np.mean([runs[int(name.rpartition(".")[2]) - 1].mean() for name in system])
            assert made.scores[0, s] == pytest.approx(expected)
    assert len(seen) > 10


def test_runs_of_one_system_show_what_fixed_runs_claim() -> None:
    """Where runs differ on the same segments, a test that holds them fixed rejects nulls about new runs too often."""
    base = scores(0, count=40)
    rng = np.random.default_rng(5)
    runs = [base + rng.normal(0.0, 0.1, 40) + shift for shift in rng.normal(0.0, 0.3, 10)]
    result = tg.calibrate(None, {"only": runs}, metrics=["scores"], test="ar", runs=3, repetitions=100, resamples=99)
    assert result["scores", "ar"].verdict == "too often"
    assert "runs dealt out" in result.how


@pytest.mark.parametrize(
    "test", [name for name, entry in TESTS.items() if entry.unit != "run" and name not in ("crossed", "raters")]
)
def test_every_test_can_be_calibrated(test: str) -> None:
    given = TWO
    if test in ("tango", "mcnemar"):
        given = {name: (values > 0.0).astype(float) for name, values in given.items()}
    make = SwappedUnits(prepared(given), Units.segments(N))
    p = measure(make, [test], repetitions=3, resamples=49)
    assert p.shape == (1, 1, 3)
    assert ((p >= 0.0) & (p <= 1.0)).all()


def test_says_where_exact_gave_way_and_the_bootstrap_to_that_of_blocks() -> None:
    texts = {"a": ["the cat sat down"] * 20 + ["it ran"] * 20, "b": ["a cat sat down"] * 15 + ["he ran off"] * 25}
    refs = [f"the cat sat on mat {i}" for i in range(40)]
    result = tg.calibrate(refs, texts, metrics=["bleu", "wer"], test="exact", repetitions=2, resamples=19)
    assert [note.scope for note in result.notes if note.kind == "random-swaps"] == ["exact of BLEU"]
    options: Any = {"metrics": ["scores"], "test": "bootstrap", "unit": "block", "repetitions": 2, "resamples": 19}
    result = tg.calibrate(None, TWO, jobs=1, **options)
    assert "other-test" in kinds(result.notes)
    assert "|unit:block|length:" in result.signature


@pytest.mark.parametrize(
    ("systems", "options", "naming"),
    [
        (TWO, {"test": "nonsense"}, ["test"]),
        (TWO, {"test": []}, ["test"]),
        (TWO, {"test": "tango"}, ["tango"]),
        (TWO, {"test": "mcnemar"}, ["McNemar's test"]),
        (TWO, {"size": 1}, [2, 60]),
        (TWO, {"size": 61}, [2, 60]),
        (TWO, {"runs": 2}, ["runs"]),
        (TWO, {"null_unit": "sentence"}, ["null_unit"]),
        ({**TWO, "c": scores(3)}, {}, []),
        ({"a": scores(1), "b": [scores(2), scores(3)]}, {}, []),
        ({"a": scores(1), "b": scores(1)}, {}, []),
        ({"a": [scores(1), scores(2), scores(3)]}, {}, []),
        (FOUR_RUNS, {"runs": 3}, ["1 to 2"]),
        (FOUR_RUNS, {"size": 10}, ["size"]),
        (FOUR_RUNS, {"null_unit": "block"}, ["null_unit"]),
        (FOUR_RUNS, {"gain": 0.3}, ["gain"]),
        (TWO, {"gain": 99.0}, ["gain"]),
    ],
)
def test_refuses(systems: dict[str, Any], options: dict[str, Any], naming: list[object]) -> None:
    with refused(naming=naming):
        tg.calibrate(None, systems, metrics=["scores"], repetitions=2, resamples=9, **options)
