"""``ar`` where there are no more swaps than resamples: all are counted, and p is exact."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import truegain as tg
from truegain.inference.results import Comparison
from truegain.studies.compare import CompareResult


def noise(units: int, seed: int) -> dict[str, NDArray[np.float64]]:
    rng = np.random.default_rng(seed)
    base = rng.normal(size=units)
    return {"base": base, "new": base + rng.normal(0.4, 1.0, units)}


def study(systems: Any, test: str = "ar", **options: Any) -> CompareResult:
    return tg.compare(None, systems, test=test, **{"metrics": ["scores"], "resamples": 999, "jobs": 1, **options})


def compared(systems: Any, test: str = "ar", **options: Any) -> Comparison:
    return next(iter(study(systems, test, **options)))


def notes_of(one: Comparison) -> list[str]:
    return [note.text for note in one.notes if note.kind == "all-swaps"]


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("units", [2, 5, 10])
def test_p_is_that_of_all_swaps_written_out(units: int, alternative: str) -> None:
    systems = noise(units, units)
    gains = systems["new"] - systems["base"]
    every = np.array([np.mean(signs * gains) for signs in itertools.product([1.0, -1.0], repeat=units)])
    reached = {
        "two-sided": abs(every) >= abs(gains.mean()) - 1e-12,
        "greater": every >= gains.mean() - 1e-12,
        "less": every <= gains.mean() + 1e-12,
    }
    found = compared(systems, alternative=alternative)
    assert found.p == reached[alternative].mean()
    assert (found.resamples, found.p_mc) == (0, (found.p, found.p))
    (text,) = notes_of(found)
    assert f"{2**units:,} swaps of the items" in text


@pytest.mark.parametrize("alpha", [0.05, 0.2, 0.4])
def test_interval_holds_zero_if_and_only_if_p_is_above_alpha(alpha: float) -> None:
    decided = set()
    for seed in range(40):
        found = compared(noise(4 + seed % 6, seed), alpha=alpha, resamples=600)
        assert notes_of(found)
        assert (found.interval.low <= 0.0 <= found.interval.high) == (found.p > alpha)
        decided.add(found.p > alpha)
    assert decided == {True, False}


@pytest.mark.parametrize(("resamples", "counted"), [(510, False), (512, True), (99_999, True), ("auto", True)])
def test_as_many_resamples_as_swaps_less_their_reverses(resamples: Any, counted: bool) -> None:
    found = compared(noise(10, 4), resamples=resamples)
    assert bool(notes_of(found)) == counted == (found.resamples == 0)
    assert counted == (found.p * 2**10 == round(found.p * 2**10))


def test_units_that_differ_count_and_ends_that_cannot_be_counted_agree_with_p() -> None:
    """Ten of sixty segments differ: the swaps behind the ends are of all sixty."""
    for seed in range(8):
        systems = noise(60, seed)
        systems["new"][10:] = systems["base"][10:]
        found = compared(systems)
        assert found.p == compared(systems, "exact").p
        assert len(notes_of(found)) == 1
        assert (found.interval.low <= 0.0 <= found.interval.high) == (found.p > 0.05)


def test_documents_are_swapped_whole() -> None:
    systems = noise(60, 2)
    found = compared(systems, documents=[f"d{i // 10}" for i in range(60)])
    (text,) = notes_of(found)
    assert "64 swaps of the documents" in text
    assert found.p == compared(systems, "exact", documents=[f"d{i // 10}" for i in range(60)]).p


def test_each_pair_for_itself_and_others_as_ever() -> None:
    systems = noise(40, 5)
    few = systems["base"].copy()
    few[:6] += np.arange(1.0, 7.0)
    alone, both = study(systems), study({**systems, "few": few}, adjust="none")
    assert both["scores", "new"].p_value == alone["scores", "new"].p_value
    assert both["scores", "new"].interval == alone["scores", "new"].interval
    assert both["scores", "few"].p == 2.0**-5
    assert alone["scores", "new"].resamples == 999


def test_shared_resamples_and_published_tests_are_drawn() -> None:
    systems = noise(6, 1)
    assert compared({**systems, "more": noise(6, 9)["new"]}, adjust="maxt").resamples == 999
    for test in ("riezler2005-ar", "sacrebleu-ar"):
        assert compared(systems, test).resamples == 999


def test_identical_systems_need_no_count() -> None:
    scores = np.arange(8.0)
    found = compared({"base": scores, "new": scores.copy() + 0.0})
    assert (found.p, notes_of(found)) == (1.0, [])
