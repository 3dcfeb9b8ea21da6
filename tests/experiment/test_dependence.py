"""Dependence is looked for wherever segments are resampled one by one, and said."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import truegain as tg
from tests.refusals import kinds
from truegain.studies.compare import CompareResult

DOCUMENTS, SIZE = 60, 20
IDS = [f"d{i // SIZE}" for i in range(DOCUMENTS * SIZE)]


def scores(*, shared: float, seed: int = 3) -> dict[str, NDArray[np.float64]]:
    """Two systems whose difference varies by document as much as ``shared`` says."""
    rng = np.random.default_rng(seed)
    base = rng.standard_normal(DOCUMENTS * SIZE)
    by_document = np.repeat(rng.standard_normal(DOCUMENTS), SIZE)
    return {"base": base, "new": base + shared * by_document + rng.standard_normal(base.size)}


def compared(systems: dict[str, Any], **options: Any) -> CompareResult:
    return tg.compare(None, systems, metrics=["scores"], resamples=200, **options)


def test_documents_that_are_not_given_are_noticed() -> None:
    result = compared(scores(shared=0.4))
    (found,) = result.testset.dependence
    assert found.found
    assert (found.metric, found.baseline, found.system) == ("scores", "base", "new")
    known = compared(scores(shared=0.4), documents=IDS)
    effect = known.comparisons[0].design_effect
    assert effect is not None
    assert found.ratio == pytest.approx(effect**0.5, rel=0.25)
    (said,) = [note for note in result.notes if note.kind == "dependence"]
    assert " ".join(said.text.split()[:3]) in result.render("terminal")
    for systems in (scores(shared=0.4), {"one": np.repeat(np.arange(DOCUMENTS) % 7, SIZE) + 0.1}):
        notes = tg.score(None, systems, metrics=["scores"], resamples=50).notes
        (text,) = [note.text for note in notes if note.kind == "dependence"]
        assert "intervals are too narrow" in text
        assert "p-value" not in text


@pytest.mark.parametrize(
    ("shared", "options", "found"),
    [(0.0, {}, [False]), (0.4, {"documents": IDS}, []), (0.4, {"documents": IDS, "unit": "segment"}, [])],
)
def test_there_is_no_alarm_if_segments_are_independent_or_more_is_known(
    shared: float, options: dict[str, Any], found: list[bool]
) -> None:
    result = compared(scores(shared=shared), **options)
    assert [one.found for one in result.testset.dependence] == found
    assert "dependence" not in kinds(result.notes)


def test_short_blocks_and_documents_of_one_segment_hold_no_dependence() -> None:
    """Each is another name for segments one by one; the answer says what to give."""
    singles = [f"q{i}" for i in range(len(IDS))]
    for options in ({"documents": singles}, {"unit": "block", "block_length": 1.4}):
        for shared in (0.4, 0.0):
            result = compared(scores(shared=shared), **options)
            told = [str(note).lower() for note in (*result.notes, *result.comparisons[0].notes)]
            assert any("neighbouring segments are correlated" in note for note in told) == (shared > 0.0)
            assert any("option unit: block" in note and "block-length: 40" in note for note in told) == (shared > 0.0)
            caveats = [caveat.kind for caveat in result.comparisons[0].caveats]
            assert caveats == (["dependence"] if shared else [])
    long = compared(scores(shared=0.4), unit="block", block_length=10, test=["bootstrap", "t"])
    assert not any("are correlated" in str(note) for note in long.notes)
    assert [len(one.caveats) for one in long.comparisons] == [0, 1]  # Student's t takes single segments


def test_each_pair_is_judged_by_its_own_blocks() -> None:
    """An independent pair needs no blocks beside a dependent one, which has long enough ones by the rule."""
    one, other = scores(shared=0.8), scores(shared=0.0, seed=4)
    three = {**one, "independent": one["base"] + other["new"] - other["base"]}
    result = compared(three, unit="block")
    (text,) = [note.text for note in result.notes if note.kind == "block-length"]
    low, high = (float(number) for number in re.findall(r"[\d.]+", text)[:2])
    assert low < 3.0 < 10.0 < high
    assert not any(note.kind == "dependence" for note in result.notes)
    assert not any(one.caveats for one in result.comparisons)
    short = compared(three, unit="block", block_length=3)
    assert any(note.kind == "dependence" for note in short.notes)


def test_blocks_have_widened_the_interval_already() -> None:
    """By a rule, blocks are just too short to hold the correlation; the gain stays beyond what is not excluded."""
    rng = np.random.default_rng(2)
    base = 50.0 + rng.normal(0.0, 3.0, 600)
    new = base + 0.35 + np.repeat(rng.normal(0.0, 0.8, 100), 6) + rng.normal(0.0, 0.8, 600)
    found = tg.compare(None, {"base": base, "new": new}, metrics=["scores"], unit="block", resamples=2000)
    assert any(note.kind == "dependence" for note in found.notes), "data that could tell"
    assert found.comparisons[0].marked


def test_every_study_that_resamples_segments_says_it() -> None:
    systems = scores(shared=0.4)
    third = {**systems, "third": systems["new"] + np.random.default_rng(1).standard_normal(len(IDS))}
    options: dict[str, Any] = {"metrics": ["scores"], "resamples": 200}
    results: list[Any] = [
        tg.rank(None, third, **options),
        tg.score(None, {"new": systems["new"]}, **options),
        tg.threshold(None, third, **options),
        tg.gate(None, systems, **options),
        tg.plan(None, systems, metrics=["scores"]),
    ]
    for result in results:
        assert "dependence" in kinds(result.notes), type(result).__name__


def test_domains_are_strata() -> None:
    """A domain that is easier as a whole is no dependence: contributions are centred within it."""
    rng = np.random.default_rng(7)
    base = rng.standard_normal(1000)
    domains = ["a"] * 500 + ["b"] * 500
    systems = {"base": base, "new": base + np.repeat([0.0, 2.0], 500) + rng.standard_normal(1000)}
    plain, stratified = (compared(systems, domains=given).testset.dependence for given in (None, domains))
    assert [one.found for one in (*plain, *stratified)] == [True, False]


@pytest.mark.parametrize(("differing", "tested"), [(19, False), (20, True)])
def test_enough_segments_must_differ(differing: int, tested: bool) -> None:
    base = np.random.default_rng(2).standard_normal(60)
    new = base.copy()
    new[:differing] += 1.0
    assert (compared({"base": base, "new": new}).testset.dependence != ()) == tested
