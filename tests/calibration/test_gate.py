"""The size of tests against a gain where that is the true one, and of gates: fixed seeds, bounds for their number."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binom

from benchmarks.runs import CrossedEffects
from truegain.corpus import Corpus, Run, System
from truegain.procedures.base import Pair, Trial
from truegain.procedures.lookup import procedure
from truegain.settings.gate import Requirement
from truegain.studies.gate import gate

_REPETITIONS = 400
_RESAMPLES = 199
_SEGMENTS = 50
_PAIR = Pair(0, 1)
Way = Literal["greater", "less"]

#: Gains in standard errors over segments, ways to look, and seeds.
_NULLS: list[tuple[float, Way, int]] = [
    (0.0, "greater", 31),
    (2.0, "greater", 32),
    (-2.0, "greater", 33),
    (0.0, "less", 34),
    (-2.0, "less", 35),
]


def rejections(make: CrossedEffects, test: str, gain: float, way: Way, repetitions: int = _REPETITIONS) -> int:
    count = 0
    for repetition in range(repetitions):
        trial = Trial(make(repetition), (_PAIR,), way, resamples=_RESAMPLES, null_gain=gain, bounded=True)
        count += procedure(test)(trial)[0, _PAIR].p_value.p <= 0.05
    return count


def keeps(count: int, low: float, high: float, repetitions: int = _REPETITIONS) -> bool:
    """Whether the count is what true rates from low to high exceed in one of ten thousand studies like this one."""
    return bool(binom.ppf(1e-4, repetitions, low) <= count <= binom.ppf(1 - 1e-4, repetitions, high))


@pytest.mark.parametrize(("gain", "way", "seed"), _NULLS)
def test_bootstrap_of_a_mean_is_near_its_level_at_the_gain(gain: float, way: Way, seed: int) -> None:
    make = CrossedEffects((1, 1), 0.0, 0.5, gain=gain, segments=_SEGMENTS, seed=seed)
    assert keeps(rejections(make, "bootstrap", gain, way), 0.04, 0.06)


@pytest.mark.parametrize(("gain", "way", "seed"), _NULLS[:4])
def test_crossed_keeps_its_level_at_the_gain(gain: float, way: Way, seed: int) -> None:
    make = CrossedEffects((3, 3), 1.0, 0.5, gain=gain, segments=_SEGMENTS, seed=seed)
    assert keeps(rejections(make, "crossed", gain, way, 250), 0.025, 0.065, 250)


def test_power_grows_with_what_the_gain_is_beyond() -> None:
    for test, counts, run_sd in (("bootstrap", (1, 1), 0.0), ("crossed", (3, 3), 0.5)):
        shares = []
        for beyond in (-2.0, 0.0, 2.0, 5.0):
            make = CrossedEffects(counts, run_sd, 0.5, gain=-2.0 + beyond, segments=_SEGMENTS, seed=36)
            shares.append(rejections(make, test, -2.0, "greater", 60) / 60)
        assert shares == sorted(shares)
        assert shares[0] <= 0.05
        assert 0.25 < shares[2] < 0.85  # normal theory: Φ(2 − 1.64) = 0.64 where runs do not vary
        assert shares[3] > 0.9


def two_metrics(gains: tuple[float, float], repetition: int) -> Corpus:
    """Two columns of segment scores, of which the differences have standard errors of 1 and nothing in common."""
    rng = np.random.default_rng([41, repetition])
    base = {name: rng.normal(0.0, 3.0, _SEGMENTS) for name in ("a", "b")}
    new = {
        name: own + gains[i] + rng.normal(0.0, _SEGMENTS**0.5, _SEGMENTS) for i, (name, own) in enumerate(base.items())
    }
    return Corpus.build([System(name, (Run(name, None, run),)) for name, run in (("base", base), ("new", new))])


def passes(gains: tuple[float, float], require: Requirement, margin: float | None, repetitions: int = 200) -> int:
    metrics = ["scores:column=a", "scores:column=b"]
    asked: dict[str, Any] = {"metrics": metrics, "require": require, "margin": margin, "resamples": _RESAMPLES}
    return sum(gate(two_metrics(gains, number), seed=number, **asked).passed for number in range(repetitions))


@pytest.mark.parametrize(("require", "margin", "gain"), [("better", 1.0, 1.0), ("not-worse", 1.0, -1.0)])
def test_one_metric_at_the_margin_passes_at_alpha_without_adjustment(
    require: Requirement, margin: float, gain: float
) -> None:
    """The worst case of an intersection–union test: the other metric is sure to pass."""
    assert keeps(passes((gain, 9.0), require, margin), 0.035, 0.065, 200)
    assert passes((gain - 3.0, 9.0), require, margin, 50) == 0
    assert passes((gain + 5.0, gain + 5.0), require, margin, 50) >= 48


def test_not_worse_with_a_margin_of_zero_asks_for_a_gain() -> None:
    assert keeps(passes((0.0, 9.0), "not-worse", 0.0), 0.035, 0.065, 200)


def test_a_system_as_good_as_the_baseline_is_blamed_for_a_loss_at_alpha_over_all_metrics() -> None:
    failed = 400 - passes((0.0, 0.0), "no-loss-shown", None, 400)
    assert keeps(failed, 0.035, 0.06, 400)  # two independent chances of 2.5 %; not adjusted it would be 9.75 %
    assert passes((-6.0, 9.0), "no-loss-shown", None, 50) <= 2


def losses(repetition: int, segments: int) -> dict[str, NDArray[np.float64]]:
    """Lognormal losses of mean zero: the true gain is 0."""
    rng = np.random.default_rng([42, repetition, segments])
    base = rng.normal(size=segments)
    return {"base": base, "new": base + np.exp(0.5) - rng.lognormal(size=segments)}


def passes_of_losses(segments: int, test: str) -> tuple[int, int]:
    """Shares of gates that pass at the true gain of lognormal losses, and of those said to be unreliable."""
    passed = said = 0
    for repetition in range(_REPETITIONS):
        scores = losses(repetition, segments)
        found = gate(None, scores, metrics=["scores"], test=test, resamples=_RESAMPLES, seed=repetition, jobs=1)
        passed += found.passed
        said += found.passed and any(caveat.kind == "skewness" for caveat in found["scores"].caveats)
    return passed, said


@pytest.mark.parametrize(("segments", "low", "high"), [(30, 0.06, 0.12), (100, 0.04, 0.08)])
def test_losses_in_few_segments_pass_half_as_often_with_the_correction(segments: int, low: float, high: float) -> None:
    passed, said = passes_of_losses(segments, "auto")
    assert keeps(passed, low, high)
    assert said == 0


@pytest.mark.parametrize("segments", [30, 100])
def test_losses_in_few_segments_pass_too_often_and_it_is_said(segments: int) -> None:
    passed, said = passes_of_losses(segments, "bootstrap")
    assert keeps(passed, 0.10, 0.20)
    assert keeps(passed - said, 0.01, 0.05)
