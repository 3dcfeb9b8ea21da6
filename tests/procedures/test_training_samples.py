"""Runs of several training samples: what is tested, what is claimed, what is refused."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

import truegain as tg
from tests.known import known
from tests.refusals import refused
from truegain.inference.claims import Claim
from truegain.inference.replicas import SystemRuns, crossed_test
from truegain.inference.results import Comparison
from truegain.inference.training_samples import matched_test
from truegain.metrics.segment_scores import SegmentScores
from truegain.readers.memory import corpus_from_memory
from truegain.statistics import Block, system_scores
from truegain.studies.compare import CompareResult

Floats = NDArray[np.float64]
Samples = dict[str, list[Floats]]

N = 40


def sampled(names: str, runs: tuple[int, ...], seed: int, *, mean: float = 0.0, sample: float = 0.3) -> Samples:
    """Return runs by training sample; a sample has the same effect in every system."""
    rng = np.random.default_rng(seed)
    system = np.random.default_rng(99).normal(size=N) + 0.3 * rng.normal(size=N) + mean
    found = {}
    for name, count in zip(names, runs, strict=True):
        effect = sample * np.random.default_rng(ord(name)).normal()
        found[name] = [system + effect + 0.1 * rng.normal() + 0.3 * rng.normal(size=N) for _ in range(count)]
    return found


def study(systems: dict[str, Any], test: str | list[str] = "auto", **options: Any) -> CompareResult:
    settings = {"metrics": ["scores"], "resamples": 499, **options}
    return tg.compare(None, systems, test=test, **settings)


def compared(systems: dict[str, Any], test: str, **options: Any) -> Comparison:
    return next(iter(study(systems, test, **options)))


def by_hand(samples: Samples) -> SystemRuns:
    means = np.stack([np.mean(samples[name], axis=0) for name in sorted(samples)])
    return SystemRuns(means.mean(1), (means.sum(1, keepdims=True) - means) / (N - 1))


@pytest.mark.parametrize("runs", [(1, 1, 1), (2, 2, 2), (3, 1, 2)])
@pytest.mark.parametrize("matched", [True, False])
def test_crossed_takes_samples_as_its_units(runs: tuple[int, ...], matched: bool) -> None:
    old, new = sampled("abc", runs, 1), sampled("abc" if matched else "xyz", runs, 2, mean=0.3)
    found = compared({"old": old, "new": new}, "crossed")
    sides = by_hand(old), by_hand(new)
    delta = float(sides[1].scores.mean() - sides[0].scores.mean())
    alone = (matched_test if matched else crossed_test)(delta, *sides, effective_units=float(N))
    first = compared({"old": old, "new": new}, "ar")
    assert found.delta == pytest.approx(delta)
    assert first.delta == pytest.approx(delta)
    assert found.p == pytest.approx(max(alone.p, first.p), rel=1e-9)
    assert found.claim == Claim("new runs", "segment", training_data=True)
    assert first.claim == Claim("these runs", "segment")
    assert [note.kind for note in found.notes].count("matched-samples") == matched


def test_the_order_of_samples_and_runs_does_not_matter() -> None:
    old, new = sampled("abcd", (2, 2, 2, 2), 1), sampled("abcd", (2, 2, 2, 2), 2)
    turned = {name: old[name][::-1] for name in reversed(old)}
    one, other = (compared({"old": first, "new": new}, "crossed") for first in (old, turned))
    assert one.delta == pytest.approx(other.delta)
    assert one.p == pytest.approx(other.p, abs=0.02)


def test_scores_are_means_of_the_means_of_samples() -> None:
    systems = {"old": sampled("abc", (3, 1, 2), 1), "new": sampled("abc", (1, 1, 4), 2)}
    result = study(systems)
    for score in result.scores:
        samples = systems[score.name]
        assert score.score == pytest.approx(
            np.mean([np.mean([run.mean() for run in runs]) for runs in samples.values()])
        )
        interval = known(score.interval)
        assert interval.low < score.score < interval.high
    # Runs of samples of other sizes do not count the same, so they cannot be swapped.
    assert [one.test for one in result] == ["crossed", "bootstrap", "run-permutation"]
    with refused():
        study({"old": sampled("abc", (3, 1, 2), 1), "new": sampled("abc", (1, 3, 2), 2)}, "ar")


def test_unequal_samples_in_the_same_places_are_swapped() -> None:
    old, new = sampled("abc", (3, 1, 2), 1), sampled("abc", (3, 1, 2), 2, mean=1.0)
    assert [one.test for one in study({"old": old, "new": new})] == ["crossed", "ar", "run-permutation"]
    exact, drawn = (compared({"old": old, "new": new}, test) for test in ("exact", "ar"))
    assert exact.delta == pytest.approx(drawn.delta)
    assert drawn.p == pytest.approx(0.002)


def test_welch_and_permutation_of_independent_samples() -> None:
    old, new = sampled("abcd", (2, 2, 2, 2), 1), sampled("wxyz", (2, 2, 2, 2), 2)
    sides = [by_hand(one).scores for one in (old, new)]
    welch, permuted = (compared({"old": old, "new": new}, test) for test in ("welch", "run-permutation"))
    assert welch.p == pytest.approx(stats.ttest_ind(sides[1], sides[0], equal_var=False).pvalue)
    assert (welch.unit, welch.n_units, permuted.n_units) == ("training sample", 8, 8)
    assert welch.claim == Claim("new runs", training_data=True)
    exact = stats.permutation_test(sides, lambda a, b: b.mean() - a.mean(), n_resamples=math.inf, vectorized=False)
    assert permuted.p == pytest.approx(exact.pvalue)


def test_matched_samples_are_swapped_within_and_refused_by_welch() -> None:
    old, new = sampled("abcde", (1,) * 5, 1), sampled("abcde", (1,) * 5, 2, mean=3.0)
    found = compared({"old": old, "new": new}, "run-permutation")
    assert found.p == 2 / 32
    assert "0.0625" in " ".join(note.text for note in found.notes)
    with refused("test", naming=["crossed"]):
        compared({"old": old, "new": new}, "welch")


def test_two_samples_of_the_same_names_are_not_matched() -> None:
    old, new = sampled("ab", (2, 2), 1), sampled("ab", (2, 2), 2)
    apart = {"x": new["a"], "y": new["b"]}
    found, other = (compared({"old": old, "new": one}, "crossed") for one in (new, apart))
    assert (found.p, found.interval) == (other.p, other.interval)
    assert found.notes
    assert not other.notes


@pytest.mark.parametrize("test", ["crossed", "welch", "run-permutation", "auto"])
def test_samples_that_are_shared_in_part_are_refused(test: str) -> None:
    systems = {"old": sampled("abc", (1, 1, 1), 1), "new": sampled("bcd", (1, 1, 1), 2)}
    with refused(naming=["b", "a"]):
        study(systems, test)
    assert compared(systems, "ar").claim.runs == "these runs"


@pytest.mark.parametrize(
    "test", ["fu-bootstrap", "fu-ar", "fu-rows-ar", "fu-rows-bootstrap", "multeval-ar", "clark2011"]
)
def test_tests_of_runs_that_know_no_samples_are_refused(test: str) -> None:
    systems = {"old": sampled("abc", (2, 2, 2), 1), "new": sampled("abc", (2, 2, 2), 2)}
    with refused(naming=[test]):
        study(systems, test)


@pytest.mark.parametrize("study_of", [tg.rank, tg.plan, tg.replicate, tg.intervals, tg.threshold, tg.gate])
def test_studies_that_know_no_samples_refuse_them(study_of: Any) -> None:
    systems = {"old": sampled("abc", (1, 1, 1), 1), "new": sampled("abc", (1, 1, 1), 2)}
    with refused():
        study_of(None, systems, metrics=["scores"])


def test_one_run_per_sample_is_the_test_of_runs_with_another_claim() -> None:
    old, new = sampled("abc", (1, 1, 1), 1), sampled("xyz", (1, 1, 1), 2)
    plain = {name: [run for (run,) in one.values()] for name, one in (("old", old), ("new", new))}
    found, runs = (compared(systems, "crossed") for systems in ({"old": old, "new": new}, plain))
    assert (found.p, found.interval, found.delta) == (runs.p, runs.interval, runs.delta)
    assert (found.claim.training_data, runs.claim.training_data) == (True, False)


def test_the_result_says_what_was_read_and_how_samples_vary(tmp_path: Path) -> None:
    systems = {"old": sampled("abc", (2, 2, 2), 1, sample=2.0), "new": sampled("abc", (2, 2, 2), 2, sample=2.0)}
    result = study(systems)
    training = known(result.testset.inputs.training)
    assert [(one.system, one.sample, one.runs) for one in training.samples][:3] == [("old", name, 2) for name in "abc"]
    assert (training.source, training.scheme) == ("in memory", None)
    varied = known(result.variability[0].training)
    assert varied.samples == 3
    assert varied.s_sample > known(varied.sample) > known(varied.run)
    result.save(str(tmp_path / "result.json"))
    tg.load(tmp_path / "result.json").save(str(tmp_path / "again.json"))
    first, again = ((tmp_path / name).read_text(encoding="utf-8") for name in ("result.json", "again.json"))
    assert first == again
    text = str(result)
    assert "for new training data of this size and new runs on new items" in text or "not shown" in text
    assert "3 + 3 training samples" in result.about
    assert max(map(len, text.splitlines())) <= 100
    assert "means over training samples" in result.methods


def corpora(second_samples: str = "abc") -> list[tg.Corpus]:
    """Return two test sets with three training samples of each system, of unequal numbers of runs."""
    found = []
    for number, names in enumerate(("abc", second_samples)):
        systems = {"old": sampled(names, (2, 1, 2), number), "new": sampled(names, (2, 1, 2), 5 + number, mean=0.5)}
        found.append(corpus_from_memory(None, systems, name=f"set{number}"))
    return found


def test_pooled_test_sets_have_the_samples_of_each() -> None:
    result = tg.pool(corpora(), metrics=["scores"], resamples=99)
    for over in map(known, (result.micro, result.macro)):
        one = over.primary_tests("scores")[0]
        assert (one.test, one.claim.training_data) == ("crossed", True)
        assert over.testset.inputs.training == result.sets[0].testset.inputs.training
        means = [
            np.mean([np.mean(over_scores) for over_scores in np.split(np.array(s.run_scores), [2, 3])])
            for s in over.scores
        ]
        assert [s.score for s in over.scores] == pytest.approx(means)


def test_a_run_of_two_samples_on_two_test_sets_is_refused() -> None:
    with refused(naming=["a", "x"]):
        tg.pool(corpora("xyz"), metrics=["scores"], resamples=99)


@pytest.mark.whole
def test_scores_on_a_device_are_averaged_over_samples() -> None:
    torch = pytest.importorskip("torch")
    from truegain.engines.torch_pairs import _scores_of_systems

    block = Block("scores", SegmentScores(), 0, (3, 2), ((0, 0, 1), (0, 1)))
    totals = np.random.default_rng(1).normal(size=(10, 7)) + 5.0
    found = _scores_of_systems(block, torch.from_numpy(totals.T.copy())).numpy()
    np.testing.assert_allclose(found.T, system_scores((block,), totals))
