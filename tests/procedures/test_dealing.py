"""Outputs dealt out again within segments, and runs laid end to end; test_published.py has both written out slowly."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import truegain as tg
from truegain.inference.results import Comparison
from truegain.metrics.segment_scores import SegmentScores
from truegain.resampling.generator import deal_sums, resample_keys
from truegain.resampling.streams import Stream
from truegain.studies.compare import CompareResult

Floats = NDArray[np.float64]

N = 40


def some_runs(count: int, seed: int, mean: float = 0.0, segments: int = N) -> list[Floats]:
    rng = np.random.default_rng(seed)
    return [np.round(8 * (rng.normal(size=segments) + mean)) / 8 for _ in range(count)]


def study(systems: dict[str, Any], test: str, **options: Any) -> CompareResult:
    settings = {"metrics": ["scores"], "resamples": 999, **options}
    return tg.compare(None, systems, test=test, **settings)


def compared(systems: dict[str, Any], test: str, **options: Any) -> Comparison:
    return next(iter(study(systems, test, **options)))


# The partition.


@pytest.mark.parametrize("runs", [2, 3, 5])
def test_every_output_is_dealt_to_one_run(runs: int) -> None:
    """With one digit of a large number for each run, sums show how often each was dealt to each place."""
    segments, base = 50, 64
    marks = np.array([base**run for run in range(runs)], np.int64)
    values = np.broadcast_to(marks[None, :, None], (segments, runs, 1))
    sums = deal_sums(resample_keys(1, Stream.DEALS, 0, 200), np.ascontiguousarray(values))[..., 0]
    counts = np.stack([sums // base**run % base for run in range(runs)], -1)  # (resamples, places, runs)
    assert (counts.sum(2) == segments).all(), "every place gets one output of each segment"
    assert (counts.sum(1) == segments).all(), "every output goes to one place"
    mean, error = segments / runs, math.sqrt(segments * (1 / runs) * (1 - 1 / runs) / 200)
    assert np.abs(counts.mean(0) - mean).max() < 5 * error


def test_all_orders_are_equally_likely() -> None:
    runs, draws = 4, 24_000
    values = np.array([[[1], [4], [16], [64]]], np.int64)  # one segment
    dealt = deal_sums(resample_keys(2, Stream.DEALS, 0, draws), values)[..., 0]
    orders, counts = np.unique(dealt, axis=0, return_counts=True)
    assert len(orders) == math.factorial(runs)
    expected = draws / len(orders)
    assert (counts - expected).max() ** 2 / expected < 25
    assert ((counts - expected) ** 2 / expected).sum() < 60, "χ² of 23 degrees of freedom"


def test_segments_are_dealt_out_independently() -> None:
    values = np.zeros((2, 2, 2), np.int64)
    values[0, 1, 0] = values[1, 1, 1] = 1  # which output each segment's first place gets
    dealt = deal_sums(resample_keys(3, Stream.DEALS, 0, 8000), values)[:, 0]
    _, counts = np.unique(dealt, axis=0, return_counts=True)
    assert counts.size == 4
    assert np.abs(counts - 2000).max() < 5 * math.sqrt(8000 * 0.25 * 0.75)


@pytest.mark.parametrize("counts", [(2, 1), (1, 2), (2, 2)])
def test_near_all_partitions(counts: tuple[int, int]) -> None:
    """Three segments: every way to deal out the outputs of each, over all segments."""
    segments = 3
    old, new = some_runs(counts[0], 4, segments=segments), some_runs(counts[1], 15, 1.2, segments=segments)
    runs = [*old, *new]
    observed = abs(np.mean([run.mean() for run in new]) - np.mean([run.mean() for run in old]))
    reached = total = 0
    partitions = list(itertools.combinations(range(len(runs)), counts[0]))
    for chosen in itertools.product(partitions, repeat=segments):
        first = [sum(runs[i][s] for i in group) for s, group in enumerate(chosen)]
        rest = [sum(run[s] for run in runs) - one for s, one in enumerate(first)]
        difference = sum(rest) / (segments * counts[1]) - sum(first) / (segments * counts[0])
        reached += abs(difference) >= observed - 1e-9
        total += 1
    p = reached / total
    found = compared({"old": old, "new": new}, "clark2011", resamples=20_000)
    assert 0.05 < p < 0.95, "data that could tell"
    assert found.p == pytest.approx(p, abs=4 * math.sqrt(p * (1 - p) / 20_000) + 1e-4)


# Clark et al.


def test_clark_says_what_it_claims() -> None:
    found = compared({"old": some_runs(3, 1), "new": some_runs(2, 2, 0.1)}, "clark2011")
    assert (found.test, found.unit, found.n_units, found.resamples) == ("clark2011", "segment", N, 999)
    assert str(found.claim) == "these runs on this test set"
    assert found.p == (found.p_value.exceedances + 1) / 1000
    single = compared({"old": some_runs(1, 1), "new": some_runs(1, 2)}, "clark2011")
    assert str(single.claim) == "this output of each on this test set"


@pytest.mark.parametrize(("test", "p"), [("clark2011", 1.0), ("multeval-ar", 1 / 1000)])
def test_equal_runs(test: str, p: float) -> None:
    """A p-value of a strict test is an artefact here, and this is said."""
    runs = some_runs(3, 1)
    found = compared({"a": runs, "b": runs}, test)
    assert (found.p, found.significant) == (p, False)
    assert any(one.kind == "ties" for one in found.caveats) == (test == "multeval-ar")


@pytest.mark.parametrize("counts", [(3, 3), (2, 4)])
def test_clark_does_not_depend_on_direction_threads_or_documents(counts: tuple[int, int]) -> None:
    systems = {"old": some_runs(counts[0], 1), "new": some_runs(counts[1], 2, 0.2)}
    found = compared(systems, "clark2011")
    lower = compared(systems, "clark2011", metrics=[SegmentScores(lower_is_better=True)])
    assert (lower.delta, lower.p) == (-found.delta, found.p)
    for options in ({"jobs": 1}, {"jobs": 3}, {"documents": [f"d{i // 7}" for i in range(N)]}):
        again = compared(systems, "clark2011", **options)
        assert (again.p, again.unit) == (found.p, "segment")


def test_clark_of_several_pairs() -> None:
    systems = {"base": some_runs(1, 1), "one": some_runs(1, 2, 0.3), "more": some_runs(3, 3, 0.2)}
    found = study(systems, "clark2011")
    for name in ("one", "more"):
        alone = compared({"base": systems["base"], name: systems[name]}, "clark2011")
        assert found["scores", name].p == alone.p


def test_clark_is_sure_of_runs_that_merely_differ() -> None:
    """Runs whose quality varies: no claim about new ones, so p is tiny where the crossed test has doubts."""
    rng = np.random.default_rng(1)
    base = rng.normal(size=200)
    old, new = (
        [base + shift + 0.2 * rng.normal(size=200) for shift in s] for s in ([0.0, 0.3, -0.2], [0.4, -0.1, 0.2])
    )
    found = study({"old": old, "new": new}, "clark2011")
    assert next(iter(found)).p < 0.01
    assert compared({"old": old, "new": new}, "crossed").p > 0.2


# MultEval.


@pytest.mark.parametrize(
    ("test", "claim"),
    [
        ("multeval-ar", "these runs on this test set"),
        ("fu-rows-ar", "these runs on this test set"),
        ("fu-rows-bootstrap", "these runs on new segments"),
    ],
)
def test_tests_of_runs_laid_end_to_end_say_what_they_claim(test: str, claim: str) -> None:
    systems = {"old": some_runs(3, 1), "new": some_runs(3, 2, 0.1)}
    found = compared(systems, test, documents=[f"d{i // 7}" for i in range(N)])
    assert (found.test, found.unit, found.n_units, str(found.claim)) == (test, "segment", 3 * N, claim)
    assert found.p == compared(systems, test).p
    assert found.delta == compared(systems, "ar").delta, "the mean over runs, whatever the test scores"
