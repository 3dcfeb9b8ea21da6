"""Intervals of the gains that tests do not reject, as ``compare`` gives them."""

from __future__ import annotations

import json
import math
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import truegain as tg
from benchmarks.coverage import disagreements, simulated_pairs
from truegain.engines.choice import make_engine
from truegain.inference.results import Comparison
from truegain.metrics.bleu import BLEU
from truegain.resampling.design import Design
from truegain.resampling.units import Units
from truegain.studies.stored import load

Floats = NDArray[np.float64]
N = 60
REFERENCE = [f"this is sentence {i} of a text with {'many ' * (i % 5)}words in it" for i in range(N)]
BASE = [line.replace("many", "few") if i % 3 else line for i, line in enumerate(REFERENCE)]
NEW = [line.replace("words", "terms") if i % 4 == 0 else line for i, line in enumerate(REFERENCE)]


def compared(**options: object) -> Comparison:
    settings = {"resamples": 499, "interval": "test", "changed_segments": 0, **options}
    return next(iter(tg.compare(REFERENCE, {"base": BASE, "new": NEW}, **settings)))  # type: ignore[arg-type]


def test_simulated_comparisons_never_disagree_about_zero() -> None:
    assert simulated_pairs(120, 199).apart == 0


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


@pytest.mark.parametrize("engine", ["threads", "processes", "torch:cpu"])
def test_the_same_bits_on_every_engine(engine: str) -> None:
    if engine.startswith("torch") and find_spec("torch") is None:
        pytest.skip("torch is not installed")
    plain = compared(metrics=["bleu", "chrf"], jobs=1)
    assert compared(metrics=["bleu", "chrf"], engine=make_engine(engine, 2)).interval == plain.interval


@pytest.mark.parametrize("test", ["ar", "bootstrap", "exact", "stationary-bootstrap"])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("resamples", [499, "auto"])
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
            interval="test",
        )
        one = result["scores", "new"]
        assert one.interval.method == "test"
        assert disagreements(result, 0.05) == 0
        assert math.isinf(one.interval.high) or alternative != "greater"
        assert math.isinf(one.interval.low) or alternative != "less"


def test_tests_without_an_interval_have_the_bootstrap_s() -> None:
    assert compared(test="sign").interval.method == "percentile"
    assert compared(test="koehn2004").interval == compared(test="koehn2004", interval="percentile").interval


def test_several_runs_cover_both_claims() -> None:
    generator = np.random.default_rng(6)
    runs = {name: [generator.normal(mean, 1.0, 40) for _ in range(3)] for name, mean in (("a", 0.0), ("b", 0.6))}
    result = tg.compare(None, runs, metrics=["scores"], resamples=499, interval="test")
    crossed, first = result["scores", "b"], result["scores", "b", "ar"]
    assert (crossed.interval.method, first.interval.method) == ("t", "test")
    assert crossed.interval.low <= first.interval.low
    assert crossed.interval.high >= first.interval.high
    assert disagreements(result, 0.05) == 0


def test_too_few_units_bound_nothing_and_json_says_so(tmp_path: Path) -> None:
    old = np.array([1.0, 2.0, 3.0, 2.0])
    result = tg.compare(
        None, {"old": old, "new": old + np.array([0.5, 1.0, 0.25, 0.5])}, metrics=["scores"], interval="test"
    )
    one = result["scores", "new"]
    assert (one.interval.low, one.interval.high) == (-math.inf, math.inf)
    assert json.loads(result.render("json"))["comparisons"][0]["ci"] == [None, None]
    result.save(tmp_path / "result.json")
    assert load(tmp_path / "result.json")["scores", "new"].interval == one.interval  # type: ignore[index]
    assert "−∞ – +∞" in str(result)
    assert "the test rejects no gain, however large" in result.verdict(one)


def test_documents_weigh_by_what_the_metric_divides_by() -> None:
    generator = np.random.default_rng(9)
    sizes = generator.integers(1, 12, 30)
    documents = [str(i) for i, size in enumerate(sizes) for _ in range(size)]
    old = generator.normal(size=sizes.sum())
    gains = np.repeat(generator.normal(0.5, 0.2, 30), sizes)
    found = tg.compare(
        None, {"old": old, "new": old + gains}, metrics=["scores"], documents=documents, interval="test"
    )["scores", "new"]
    assert found.n_units == 30
    drawn = tg.compare(None, {"old": old, "new": old + gains}, metrics=["scores"], documents=documents)
    width = drawn["scores", "new"].interval.high - drawn["scores", "new"].interval.low
    assert found.interval.high - found.interval.low == pytest.approx(width, rel=0.15)  # not twice as wide
