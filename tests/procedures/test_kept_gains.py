"""Intervals of the gains that tests do not reject, as ``compare`` gives them."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import truegain as tg
from benchmarks.coverage import disagreements, real_pairs, simulated_pairs
from tests.conftest import only_with_all
from tests.refusals import kinds
from truegain.engines.choice import make_engine
from truegain.inference.intervals import INTERVALS
from truegain.inference.pvalues import Alternative
from truegain.inference.results import Comparison
from truegain.metrics.bleu import BLEU
from truegain.readers.corpora import read_corpus
from truegain.registry import TESTS
from truegain.report.model import Table
from truegain.resampling.design import Design
from truegain.resampling.units import Units
from truegain.results import load
from truegain.studies.compare import CompareResult
from truegain.studies.compared import KEPT_GAINS

N = 60
REFERENCE = [f"this is sentence {i} of a text with {'many ' * (i % 5)}words in it" for i in range(N)]
BASE = [line.replace("many", "few") if i % 3 else line for i, line in enumerate(REFERENCE)]
NEW = [line.replace("words", "terms") if i % 4 == 0 else line for i, line in enumerate(REFERENCE)]


def compared(**options: object) -> Comparison:
    settings = {"resamples": 499, "changed_segments": 0, **options}
    return next(iter(tg.compare(REFERENCE, {"base": BASE, "new": NEW}, **settings)))  # type: ignore[arg-type]


@pytest.mark.whole
def test_simulated_comparisons_never_disagree_about_zero() -> None:
    assert simulated_pairs(120, 199).apart == 0
    assert simulated_pairs(120, 199, "percentile").apart > 0


def all_pairs(shared_data: Path, **options: object) -> CompareResult:
    folder = shared_data / "wmt11_deen"
    files = [str(path) for path in sorted((folder / "systems").glob("*.gz"))]
    corpus = read_corpus(files, [str(folder / "ref.en.gz")])
    settings = {"family": "all", "resamples": 500, "changed_segments": 0, **options}
    return tg.compare(corpus, **settings)  # type: ignore[arg-type]


@pytest.mark.whole
def test_real_systems_never_disagree_about_zero(shared_data: Path) -> None:
    """All 190 pairs of newstest2011 de-en; without the test's interval one of them does."""
    found = all_pairs(shared_data)
    assert len(found.comparisons) == 190
    assert disagreements(found, 0.05) == 0
    assert not any(note.kind == "intervals" for note in found.notes)
    drawn = all_pairs(shared_data, interval="percentile")
    assert disagreements(drawn, 0.05) == 1
    assert "intervals" in kinds(drawn.notes)


@pytest.mark.slow
def test_all_real_systems_never_disagree_about_zero(shared_data: Path) -> None:
    found = list(real_pairs(999))
    assert sum(one.comparisons for one in found) == 2_258
    assert [one for one in found if one.apart] == []


@pytest.mark.slow
def test_two_thousand_simulated_comparisons_never_disagree_about_zero() -> None:
    found = simulated_pairs(2_000, 999)
    assert (found.comparisons, found.apart) == (2_000, 0)


def test_a_slow_transcription() -> None:
    found = compared(metrics=["bleu"])
    metric = BLEU()
    old, new = (metric.statistics(side, [REFERENCE]).astype(float) for side in (BASE, NEW))
    masks = Design(Units.segments(N), "swap", 12345).weights(0, 499).astype(float)
    length = old[:, 1]
    delta = float(metric.score(new.sum(0)) - metric.score(old.sum(0)))
    lows, highs = [], []
    for mask in masks:
        moved = mask @ (new - old)
        difference = float(metric.score(new.sum(0) - moved) - metric.score(old.sum(0) + moved))
        share = float(mask @ length / length.sum())
        ends = (delta - difference) / (2 * share), (delta + difference) / (2 * (1 - share))
        lows.append(min(ends))
        highs.append(max(ends))
    assert found.interval.low == pytest.approx(sorted(lows)[24], rel=1e-6)
    assert found.interval.high == pytest.approx(sorted(highs)[-25], rel=1e-6)
    assert found.interval.method == "test"


@pytest.mark.parametrize("engine", ["threads", *only_with_all("torch:cpu")])
def test_the_same_bits_on_every_engine(engine: str) -> None:
    if engine.startswith("torch"):
        pytest.importorskip("torch")
    plain = compared(metrics=["bleu", "chrf"], jobs=1)
    assert compared(metrics=["bleu", "chrf"], engine=make_engine(engine, 2)).interval == plain.interval


@pytest.mark.parametrize("test", ["ar", "bootstrap", "exact", "stationary-bootstrap"])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("resamples", [499, *only_with_all("auto")])
def test_p_and_interval_agree(test: str, alternative: str, resamples: int | str) -> None:
    generator = np.random.default_rng(4)
    for gain in (-0.6, 0.0, 0.3, 0.6):
        old = generator.integers(0, 5, 14).astype(float)
        new = old + np.rint(generator.normal(gain, 1.0, 14))
        result = tg.compare(
            None,
            {"old": old, "new": new},
            metrics=["scores"],
            test=test,
            alternative=alternative,  # type: ignore[arg-type]
            resamples=resamples,  # type: ignore[arg-type]
        )
        one = result["scores", "new"]
        assert one.interval.method == "test"
        assert disagreements(result, 0.05) == 0
        assert math.isinf(one.interval.high) or alternative != "greater"
        assert math.isinf(one.interval.low) or alternative != "less"


OF_RUNS = ("crossed", "run-permutation", "welch", "fu-bootstrap", "fu-ar", "fu-rows-bootstrap", "fu-rows-ar")
ON_SCORES = [test for test in TESTS if test != "raters"]  # which takes ratings: see test_raters.py
OWN = ("ar", "tango", "exact", "bootstrap", "skew-t", "stationary-bootstrap", "t", "crossed", "welch")


@pytest.mark.parametrize(
    ("test", "alternative"),
    [(test, "two-sided") for test in ON_SCORES]
    + [
        pytest.param(test, "greater", marks=pytest.mark.whole) for test in ON_SCORES if TESTS[test].sides == "as chosen"
    ],
)
def test_p_and_interval_agree_or_a_note_says_that_they_may_not(test: str, alternative: Alternative) -> None:
    generator = np.random.default_rng(7)
    apart = 0
    for gain in np.linspace(-0.6, 0.6, 25):
        old, new = (generator.normal(mean, 1.0, (3, 30)).round(1) for mean in (0.0, gain))
        if test in ("mcnemar", "tango"):
            old, new = (old > 0.0).astype(float), (new > 0.0).astype(float)
        runs = {"old": list(old), "new": list(new)} if test in OF_RUNS else {"old": old[0], "new": new[0]}
        result = tg.compare(None, runs, metrics=["scores"], test=test, alternative=alternative, resamples=199)
        one = result["scores", "new"]
        said = [str(note) for note in result.notes if note.kind == "intervals"]
        assert len(said) == (test not in OWN)
        assert all(test in text for text in said)
        apart += (one.p <= 0.05) == (one.interval.low <= 0.0 <= one.interval.high)
    assert apart == 0 or test not in OWN


def test_tests_without_an_interval_have_the_bootstrap_s() -> None:
    assert compared(test="sign").interval.method == "percentile"
    result = tg.compare(REFERENCE, {"base": BASE, "new": NEW}, test="koehn2004", resamples=499)
    assert result["new"].interval == compared(test="koehn2004", interval="percentile").interval
    assert "intervals" in kinds(result.notes)


def test_percentile_intervals_are_called_so() -> None:
    made = tg.compare(REFERENCE, {"base": BASE, "new": BASE[::-1]}, resamples=499, interval="percentile")
    assert made["new"].interval.method == "percentile"
    captions = [item.caption for item in made.document().items if isinstance(item, Table)]
    assert not any(KEPT_GAINS in text for text in (made.methods, made.picture("forest").caption, *captions))
    assert KEPT_GAINS in tg.compare(REFERENCE, {"base": BASE, "new": BASE[::-1]}, resamples=499).methods
    assert "ci:percentile" in made.signature


def test_student_s_interval_of_segments() -> None:
    generator = np.random.default_rng(8)
    old, new = generator.normal(size=(2, 25))
    found = tg.compare(None, {"old": old, "new": new}, metrics=["scores"], test="t", alpha=0.1)["scores", "new"]
    expected = stats.ttest_rel(new, old).confidence_interval(0.9)
    assert (found.interval.low, found.interval.high) == pytest.approx((expected.low, expected.high))
    assert found.interval.method == "test"
    assert compared(test="t", metrics=["bleu"]).interval.method == "percentile", "BLEU is no mean of segments"


@pytest.mark.whole
def test_swaps_behind_exact_ends_are_drawn_if_they_are_too_many() -> None:
    """Weights of documents that differ by their thousandths cannot be counted, and p must still agree."""
    generator = np.random.default_rng(10)
    seen: set[str] = set()
    for gain in np.linspace(-0.9, 0.9, 40):
        sizes = generator.integers(1, 400, 40)
        old = np.repeat(0.0, sizes.sum())
        new = np.repeat(np.rint(generator.normal(gain, 2.0, 40)), sizes)
        documents = [str(i) for i, size in enumerate(sizes) for _ in range(size)]
        result = tg.compare(
            None, {"old": old, "new": new}, metrics=["scores"], documents=documents, test="exact", resamples=99
        )
        one = result["scores", "new"]
        if one.test == "exact":
            seen.update(note.kind for note in one.notes)
        assert one.interval.method == "test"
        assert disagreements(result, 0.05) == 0
    assert "random-ends" in seen


def test_a_decision_that_the_adjustment_changes_is_told() -> None:
    generator = np.random.default_rng(11)
    base = generator.normal(size=50)
    changes = generator.normal(size=(5, 50))
    changes = changes - changes.mean(1, keepdims=True)
    systems = {"base": base, **{f"s{i}": base + change + 0.3 for i, change in enumerate(changes)}}
    for count in (2, 5):
        some = {name: systems[name] for name in ("base", *(f"s{i}" for i in range(count)))}
        result = tg.compare(None, some, metrics=["scores"], resamples=999)
        changed = [one for one in result.comparisons if one.p <= 0.05 < one.p_adjusted]
        assert changed
        assert all(not one.interval.low <= 0.0 <= one.interval.high for one in changed)
        (note,) = (note for note in result.notes if note.kind == "not-adjusted")
        assert all(one.system in note.text for one in changed[:3])


def test_several_runs_cover_both_claims() -> None:
    generator = np.random.default_rng(6)
    runs = {name: [generator.normal(mean, 1.0, 40) for _ in range(3)] for name, mean in (("a", 0.0), ("b", 0.6))}
    result = tg.compare(None, runs, metrics=["scores"], resamples=499)
    crossed, first = result["scores", "b"], result["scores", "b", "ar"]
    assert (crossed.interval.method, first.interval.method) == ("t", "test")
    assert crossed.interval.low <= first.interval.low
    assert crossed.interval.high >= first.interval.high
    assert disagreements(result, 0.05) == 0


def test_too_few_units_bound_nothing_and_json_says_so(tmp_path: Path) -> None:
    old = np.array([1.0, 2.0, 3.0, 2.0])
    result = tg.compare(None, {"old": old, "new": old + np.array([0.5, 1.0, 0.25, 0.5])}, metrics=["scores"])
    one = result["scores", "new"]
    assert (one.interval.low, one.interval.high) == (-math.inf, math.inf)
    assert json.loads(result.render("json"))["comparisons"][0]["ci"] == [None, None]
    result.save(tmp_path / "result.json")
    assert load(tmp_path / "result.json")["scores", "new"].interval == one.interval  # type: ignore[index]
    assert "−∞ – +∞" in str(result)


def test_documents_weigh_by_what_the_metric_divides_by() -> None:
    generator = np.random.default_rng(9)
    sizes = generator.integers(1, 12, 30)
    documents = [str(i) for i, size in enumerate(sizes) for _ in range(size)]
    old = generator.normal(size=sizes.sum())
    gains = np.repeat(generator.normal(0.5, 0.2, 30), sizes)
    systems = {"old": old, "new": old + gains}
    found, drawn = (
        tg.compare(None, systems, metrics=["scores"], documents=documents, interval=kind)["scores", "new"]
        for kind in INTERVALS[:2]
    )
    assert (found.n_units, found.interval.method, drawn.interval.method) == (30, "test", "percentile")
    width = drawn.interval.high - drawn.interval.low
    assert found.interval.high - found.interval.low == pytest.approx(width, rel=0.15)  # not twice as wide
