"""compare(resamples="auto"): as many resamples as the decision needs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import truegain as tg
from tests.refusals import refused
from truegain.engines.engine import Engine
from truegain.executors.over import Workers
from truegain.experiment import Experiment
from truegain.inference.multiplicity import adjust
from truegain.inference.pvalues import CAP, ERROR, confidence_sequence
from truegain.inference.results import Comparison
from truegain.metrics.segment_scores import SegmentScores
from truegain.procedures.base import Key, Pair, Stopping, Trial, count_until_sure
from truegain.readers.memory import corpus_from_memory
from truegain.report.data import json_text
from truegain.studies.compare import CompareResult, compare

N = 40
ALPHA = 0.05
LARGE = 60_000


def systems(seed: int, *gains: float) -> dict[str, NDArray[np.float64]]:
    generator = np.random.default_rng(seed)
    base = generator.normal(size=N)
    return {"base": base} | {f"s{i}": base + generator.normal(gain, 1.0, N) for i, gain in enumerate(gains)}


def compared(data: Mapping[str, Any], **options: Any) -> CompareResult:
    return tg.compare(None, data, metrics=["scores"], **{"resamples": "auto", "jobs": 1, **options})


def only(result: CompareResult) -> Comparison:
    (found,) = result
    return found


@pytest.mark.parametrize("test", ["ar", "bootstrap", "stationary-bootstrap"])
@pytest.mark.parametrize(("gain", "significant"), [(0.0, False), (1.2, True)])
def test_clear_decisions_take_a_thousand(test: str, gain: float, significant: bool) -> None:
    found = only(compared(systems(1, gain), test=test))
    assert found.resamples == 1000
    assert found.significant is significant
    low, high = found.p_mc
    assert high < ALPHA if significant else low > ALPHA


@pytest.mark.whole
@pytest.mark.parametrize("test", ["ar", "bootstrap", "stationary-bootstrap"])
@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_same_p_as_with_that_number(test: str, alternative: str) -> None:
    numbers = set()
    for seed in range(8):
        data = systems(seed, 0.3)
        found = only(compared(data, test=test, alternative=alternative, interval="test"))
        fixed = only(compared(data, test=test, alternative=alternative, resamples=found.resamples, interval="test"))
        assert (found.p, found.p_value.exceedances) == (fixed.p, fixed.p_value.exceedances)
        assert found.p == (found.p_value.exceedances + 1) / (found.resamples + 1)
        assert found.p_mc == confidence_sequence(found.p_value.exceedances, found.resamples, ERROR)
        assert found.p_mc[0] <= found.p <= found.p_mc[1]
        assert not found.p_mc[0] < ALPHA < found.p_mc[1]
        assert found.interval == fixed.interval
        numbers.add(found.resamples)
    assert len(numbers) > 1, "data that could tell"


@pytest.mark.whole
def test_close_decisions_take_more() -> None:
    data = systems(6, 0.35)
    p = only(compared(data, resamples=LARGE)).p
    numbers = [only(compared(data, alpha=alpha)).resamples for alpha in (9 * p, 2 * p, 1.3 * p, 1.1 * p)]
    assert numbers == sorted(numbers)
    assert numbers[0] == 1000
    assert 8000 <= numbers[-1] < CAP
    undecided = only(compared(data, alpha=only(compared(data, resamples=CAP)).p))
    assert undecided.resamples == CAP
    assert any("undecided" in note for note in map(str, undecided.notes))


@pytest.mark.whole
@pytest.mark.parametrize("test", ["ar", "bootstrap"])
def test_decides_as_a_large_number_does(test: str) -> None:
    decisions = []
    for seed in range(25):
        data = systems(100 + seed, 0.33)
        found = only(compared(data, test=test))
        fixed = only(compared(data, test=test, resamples=LARGE))
        low, high = fixed.p_mc
        if not low <= ALPHA <= high:
            assert found.significant is fixed.significant
            decisions.append(found.significant)
        if found.resamples < CAP:
            assert not any("undecided" in note for note in map(str, found.notes))
    assert 5 <= sum(decisions) <= 20


@pytest.mark.whole
@pytest.mark.parametrize("adjustment", ["holm", "hochberg", "bh", "none"])
@pytest.mark.parametrize("family", ["baseline", "all"])
def test_decides_whole_families(adjustment: str, family: str) -> None:
    for seed in range(5):
        data = systems(200 + seed, 0.0, 0.35, 0.45, 0.8)
        options: dict[str, Any] = {"adjust": adjustment, "family": family}
        found = compared(data, **options)
        fixed = compared(data, **options, resamples=LARGE)
        ends = [adjust([one.p_mc[end] for one in fixed], adjustment) for end in (0, 1)]
        for one, same, low, high in zip(found, fixed, *ends, strict=True):
            if not low <= ALPHA < high:
                assert one.significant is same.significant
            bounds = confidence_sequence(one.p_value.exceedances, one.resamples, ERROR / len(found))
            assert one.p_mc == bounds
        assert [one.p_adjusted for one in found] == pytest.approx(adjust([one.p for one in found], adjustment))
        assert len({one.resamples for one in found}) == 1, "all go on until all are decided"


def test_several_metrics_share_the_draws() -> None:
    data = systems(300, 0.4, 0.2)
    metrics = [SegmentScores(title="up"), SegmentScores(lower_is_better=True, title="down")]
    corpus = corpus_from_memory(None, data)
    found = compare(corpus, metrics=dict(zip(("up", "down"), metrics, strict=True)), resamples="auto")
    for system in ("s0", "s1"):
        up, down = found["up", system], found["down", system]
        assert up.delta == -down.delta
        assert (up.p, up.resamples) == (down.p, down.resamples)
        assert up.significant is down.significant


@pytest.mark.whole
@pytest.mark.parametrize("test", ["ar", "bootstrap", "stationary-bootstrap", "exact"])
def test_same_answer_for_any_threads_and_chunks(test: str) -> None:
    corpus = corpus_from_memory(None, systems(400, 0.4, 0.3, 0.0), documents=[f"d{i // 2}" for i in range(N)])
    expected: str | None = None
    for jobs, chunk in ((1, None), (2, None), (1, 13), (3, 700), (2, 5000)):
        found = compare(
            corpus,
            metrics=["scores"],
            test=test,
            resamples="auto",
            jobs=jobs,
            engine=Engine(Workers(jobs), chunk=chunk),
        )
        text = json_text(found.to_dict())
        expected = expected or text
        assert text == expected


def test_max_t_is_refused() -> None:
    with refused():
        compared(systems(1, 0.0, 0.0), adjust="maxt")


def test_exact_draws_no_more_than_it_must() -> None:
    counted = {name: np.round(values) for name, values in systems(5, 0.2).items()}
    assert only(compared(counted, test="exact")).resamples == 0
    found = only(compared(systems(5, 0.2), test="exact"))
    assert found.test == "ar"
    assert found.p == only(compared(systems(5, 0.2), test="ar")).p


@pytest.mark.parametrize("test", ["koehn2004", "riezler2005-ar", "sacrebleu-bs"])
def test_published_tests_have_a_fixed_number(test: str) -> None:
    found = only(compared(systems(5, 0.2), test=test))
    assert found == only(compared(systems(5, 0.2), test=test, resamples=10_000))


@pytest.mark.parametrize("test", ["koehn2004", "t"])
def test_what_is_said_is_what_was_done(test: str) -> None:
    """No test drew until its decision was certain here."""
    assert not any(
        "until each decision was settled" in note for note in map(str, compared(systems(5, 0.2), test=test).notes)
    )
    both = compared(systems(5, 0.2), test=[test, "ar"])
    assert any("until each decision was settled" in note for note in map(str, both.notes))


def test_families_of_two_tests_are_decided_together() -> None:
    """A system with several runs has the crossed test, one with a single run randomization; Holm's family is both."""
    for seed in (5, 23, 26, 28):
        generator = np.random.default_rng(seed)
        base = generator.normal(size=80)
        data = {
            "base": base,
            "one": base + generator.normal(size=80) + 0.25,
            "two": [base + generator.normal(size=80) for _ in range(2)],
        }
        found = compared(data).primary_tests("scores")
        assert [one.test for one in found] == ["ar", "crossed"]
        ends = [adjust([one.p_mc[end] for one in found], "holm") for end in (0, 1)]
        for one, low, high in zip(found, *ends, strict=True):
            assert one.resamples == CAP or (low <= ALPHA) == (high <= ALPHA)
            assert one.resamples == CAP or not any("undecided" in note for note in map(str, one.notes))


def test_families_with_an_exact_p_are_decided_together() -> None:
    """One is counted, one is drawn, and both are adjusted for two comparisons."""
    drawn = systems(6, 0.35)
    counted = drawn["base"] + np.where(np.arange(N) % 2, 1.0, -1.0)
    found = compared({**drawn, "counted": counted}, test="exact")
    assert [one.test for one in found] == ["ar", "exact"]
    ends = [adjust([one.p_mc[end] for one in found], "holm") for end in (0, 1)]
    for low, high in zip(*ends, strict=True):
        assert (low <= ALPHA) == (high <= ALPHA)


# The loop itself.


def trial(metrics: Mapping[str, SegmentScores], pairs: int, data: Mapping[str, Any]) -> Trial:
    experiment = Experiment.prepare(
        corpus_from_memory(None, data), metrics, unit="auto", seed=1, jobs=1, cache=None, engine=None, progress=None
    )
    return Trial(experiment, tuple(Pair(0, 1 + i) for i in range(pairs)), stopping=Stopping("holm", pairs))


ONE = {"up": SegmentScores()}
TWO = {"up": SegmentScores(), "down": SegmentScores(lower_is_better=True)}


def test_stops_at_the_cap() -> None:
    """Every twentieth resample exceeds: no number of them could decide at 5 %."""
    looks = []

    def sample(first: int, count: int) -> dict[Key, NDArray[np.bool_]]:
        looks.append((first, count))
        return {(0, Pair(0, 1)): np.arange(first, first + count) % 20 == 0}

    found = count_until_sure(trial(ONE, 1, systems(1, 0.3)), Stopping("holm", 1, cap=5000), sample)
    assert looks == [(0, 1000), (1000, 1000), (2000, 2000), (4000, 1000)]
    (one,) = found.values()
    assert (one.exceedances, one.resamples) == (250, 5000)
    assert one.interval[0] < ALPHA < one.interval[1]


def test_what_was_decided_once_and_is_open_again_has_missed_no_draws() -> None:
    """By the first metric, the first system is better as long as the second is: Holm's method.

    The second stays open under the second metric, so that it is drawn on, and then it is no longer sure under the
    first; nor is the first system.
    """
    first, second = Pair(0, 1), Pair(0, 2)
    rates = {  # in the first thousand, in the second, and from then on
        (0, first): (12, 12, 12),
        (0, second): (3, 40, 0),
        (1, first): (500, 500, 500),
        (1, second): (25, 25, 500),
    }
    reached: dict[Key, NDArray[np.bool_]] = {
        key: np.concatenate([np.arange(1000) < rate for rate in (*each[:2], *[each[2]] * 62)])
        for key, each in rates.items()
    }
    looks = []

    def sample(start: int, count: int) -> dict[Key, NDArray[np.bool_]]:
        looks.append(start)
        return {key: one[start : start + count] for key, one in reached.items()}

    found = count_until_sure(trial(TWO, 2, systems(1, 0.3, 0.3)), Stopping("holm", 2), sample)
    assert len(looks) > 1
    for key, one in found.items():
        assert one.exceedances == int(reached[key][: one.resamples].sum()), key
