"""gate: what passes, why, which sentence says so, and what limits it."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.known import known
from tests.refusals import kinds, refused
from tests.sentences import says
from truegain.corpus import Corpus, Run, System
from truegain.studies import gate as study
from truegain.studies.gate import NOT_SHOWN, NOTHING_CHANGED, PASSED, GateResult, gate
from truegain.words import Sentence

N = 100
NOISE = np.random.default_rng(1).normal(size=N)
NOISE -= NOISE.mean()
LINES = [f"the small cat number {i} sat on the old mat today" for i in range(30)]
WORSE = [line.replace("sat", "sits") if i % 2 else line + " ." for i, line in enumerate(LINES)]
GOOD = [*LINES[:-1], WORSE[-1]]


def decided(delta: float, **options: Any) -> GateResult:
    """One run of each, a mean of segment scores; the standard error of the difference is about 0.1."""
    settings: dict[str, Any] = {"resamples": 999, "jobs": 1, **options}
    return gate(None, {"base": np.zeros(N), "new": delta + NOISE}, metrics=["scores"], **settings)


# ---- What passes


@pytest.mark.parametrize(
    ("delta", "margin", "require", "sentence", "than"),
    [
        (0.5, None, "better", PASSED["better"], "base"),
        (0.05, None, "better", NOT_SHOWN["better"], "base"),
        (-0.5, 0.0, "better", study.WORSE, "base"),
        (-0.5, 0.3, "better", study.WORSE, "base"),
        (0.5, 0.4, "better", NOT_SHOWN["better"], "base by more than 0.4"),
        (0.5, 0.2, "better", PASSED["better"], "base by more than 0.2"),
        (-0.05, 0.5, "not-worse", PASSED["not-worse"], "base by more than 0.5"),
        (-0.4, 0.5, "not-worse", NOT_SHOWN["not-worse"], "base by more than 0.5"),
        (-0.8, 0.5, "not-worse", study.WORSE, "base by more than 0.5"),
        (0.05, 0.0, "not-worse", NOT_SHOWN["better"], "base"),
        (0.5, 0.0, "not-worse", PASSED["better"], "base"),
        (-0.05, None, "no-loss-shown", PASSED["no-loss-shown"], "base"),
        (-0.5, None, "no-loss-shown", study.WORSE, "base"),
    ],
)
def test_what_passes_and_the_sentence_that_says_so(
    delta: float, margin: float | None, require: Any, sentence: Sentence, than: str
) -> None:
    result = decided(delta, margin=margin, require=require)
    passed = sentence in PASSED.values()
    assert result.passed is result["scores"].passed is bool(result) is passed
    verdict = sentence(system="new", baseline="base", metrics="score", than=than)
    assert [(one.text, one.tone) for one in result.findings] == [(verdict, "good" if passed else "bad")]
    assert result.render("terminal").startswith(("FAIL: ", "PASS: ")[passed])


@settings(deadline=None, max_examples=25)
@given(delta=st.floats(-1, 1), margin=st.floats(0, 0.8))
def test_the_decision_the_bound_and_what_is_needed_are_one(delta: float, margin: float) -> None:
    better, kept = (
        decided(delta, margin=margin, require=word, resamples=199)["scores"] for word in ("better", "not-worse")
    )
    loss = decided(delta, require="no-loss-shown", resamples=199)["scores"]
    assert len({(one.lower, one.upper) for one in (better, kept, loss)}) == 1, "one distribution, whatever is asked"
    assert better.passed == (better.lower > margin) == (better.p <= 0.05) == (better.delta > known(better.gain_needed))
    assert kept.passed == (kept.lower > -margin) == (kept.p <= 0.05) == (kept.delta > known(kept.gain_needed))
    assert loss.passed == (loss.upper >= 0) == (loss.p > 0.05) == (loss.delta >= known(loss.gain_needed))


def test_documents_are_the_units_and_a_note_says_so_if_they_are_not() -> None:
    documents = [f"d{i // 5}" for i in range(N)]
    by_document, by_segment = decided(0.3, documents=documents), decided(0.3)
    assert by_document.unit == "document"
    assert by_document["scores"].lower != by_segment["scores"].lower
    taken = decided(0.3, documents=documents, unit="segment")
    assert (taken["scores"], "segments-as-units" in kinds(taken.notes)) == (by_segment["scores"], True)


def test_every_metric_must_pass_and_has_its_own_gain() -> None:
    systems = {"base": WORSE, "new": GOOD}
    options: dict[str, Any] = {"metrics": ["bleu:tokenize=none", "ter"], "resamples": 199}
    result = gate(LINES, systems, **options)
    assert [(check.passed, check.delta > 0) for check in result] == [(True, True)] * 2, "of TER less is better"
    above = 5.0
    mixed = gate(LINES, systems, margin={"bleu": above, "ter": 1}, **options)
    assert [check.margin for check in mixed] == [check.null_gain for check in mixed] == [above, 1.0]
    assert f"gate:better|margin:{above:g}+1|" in mixed.signature
    assert mixed["bleu:tokenize=none"].p > result["bleu:tokenize=none"].p
    assert mixed["ter"].p > result["ter"].p
    alone = gate(LINES, systems, margin={"bleu:tokenize=none": above}, **options)
    assert [check.margin for check in alone] == [above, 0.0]
    assert alone["ter"].p == result["ter"].p


# ---- Identical outputs


@pytest.mark.parametrize("metric", ["bleu", "exact", "squad_f1"])
@pytest.mark.parametrize(
    ("options", "passed"),
    [({"margin": 0.1}, False), ({"require": "not-worse", "margin": 0.1}, True), ({"require": "no-loss-shown"}, True)],
)
def test_the_same_outputs(options: dict[str, Any], passed: bool, metric: str) -> None:
    result = gate(LINES, {"base": GOOD, "new": list(GOOD)}, metrics=[metric], resamples=199, **options)
    assert (result.passed, result.checks[0].same) == (passed, True)
    assert says(result.findings[0].text, NOTHING_CHANGED) is not passed
    assert ("same" in kinds(result.notes)) is passed
    if metric == "bleu":
        assert (result.checks[0].lower, "reach" in kinds(result.notes)) == (0.0, False)


# ---- Several runs, and other tests


def runs(shift: float, count: int, seed: int, spread: float = 0.05) -> list[list[float]]:
    rng = np.random.default_rng(seed)
    return [list(shift + rng.normal(0, spread) + rng.normal(size=N)) for _ in range(count)]


def test_runs() -> None:
    for old, new, single in ((3, 3, False), (1, 2, True)):
        result = gate(None, {"base": runs(0, old, 1), "new": runs(1, new, 2)}, metrics=["scores"], resamples=199)
        assert (result.passed, result["scores"].test) == (True, "crossed")
        assert ("one-run" in kinds(result.notes)) is single
    # Runs that vary, and a gain of these runs that says nothing of others.
    vary = {"base": runs(0, 2, 3, 0.0), "new": [runs(0.2, 1, 4, 0.0)[0], runs(3, 1, 5, 0.0)[0]]}
    assert not gate(None, vary, metrics=["scores"], resamples=199).passed
    assert gate(None, vary, metrics=["scores"], resamples=199, test="bootstrap").passed


@pytest.mark.parametrize("test", ["skew-t", "bootstrap", "stationary-bootstrap", "crossed", "welch", "t"])
def test_every_test_that_can_be_held_against_a_gain(test: str) -> None:
    systems = {"base": runs(0, 4, 1), "new": runs(1, 4, 2)}
    result = gate(None, systems, metrics=["scores"], test=test, margin=0.3, resamples=199)
    check = result["scores"]
    assert (check.test, check.passed) == (test, True)
    assert 0.3 < check.lower < check.delta < check.upper < 2.0
    assert "is at most +0.3" in check.null
    assert not gate(None, systems, metrics=["scores"], test=test, margin=check.lower + 0.01, resamples=199).passed


def test_runs_that_do_not_vary_have_no_bound_by_welch() -> None:
    run = np.arange(1.0, 5.0)
    systems = {"base": [run, run[::-1]], "new": [run + 1.0, run[::-1] + 1.0]}
    for require, passed in (("better", False), ("no-loss-shown", True)):
        result = gate(None, systems, metrics=["scores"], test="welch", require=require)  # type: ignore[arg-type]
        check = result["scores"]
        assert result.passed is passed
        assert (check.lower, check.upper) == (-math.inf, math.inf)
        assert "no-proof" in kinds(result.notes) or not passed
        assert GateResult.from_dict(json.loads(result.render("json")))["scores"].lower == check.lower


# ---- What is said


def limits(result: GateResult, kind: str) -> list[str]:
    return [note.text for note in result.notes if note.kind == kind]


def test_what_it_takes_to_pass_and_how_large_a_loss_may_be() -> None:
    for delta, require in ((0.05, "better"), (-0.5, "no-loss-shown")):
        failed = decided(delta, require=require)
        needed = known(failed["scores"].gain_needed)
        assert [f"{abs(needed):.4f}" in text for text in limits(failed, "reach")] == [True]
        assert [decided(needed + more, require=require).passed for more in (0.001, -0.001)] == [True, False]
    # Absence of evidence is no evidence of absence.
    passed, sure = (decided(delta, require="no-loss-shown") for delta in (-0.05, 0.5))
    assert [f" −{-passed['scores'].lower:.4f}" in text for text in limits(passed, "no-proof")] == [True]
    assert limits(sure, "no-proof") == limits(sure, "reach") == []
    assert "not worse" not in passed.render("md"), "that word is for what was shown"


def test_any_of_several_metrics_can_show_a_loss_so_each_has_its_share_of_alpha() -> None:
    columns = dict.fromkeys("abcd", 0.01 * NOISE)
    runs = {"base": {name: np.zeros(N) for name in columns}, "new": columns}
    corpus = Corpus.build([System(name, (Run(name, None, run),)) for name, run in runs.items()])
    for metrics in (["scores:column=a"], [f"scores:column={name}" for name in columns]):
        found = gate(corpus, metrics=metrics, require="no-loss-shown", resamples=999)
        assert [check.alpha for check in found] == [0.05 / len(metrics)] * len(metrics)
        assert {check.alpha for check in gate(corpus, metrics=metrics, margin=0.001)} == {0.05}


def test_another_level_and_monte_carlo_error() -> None:
    check = decided(0.165, resamples=99, test="bootstrap")["scores"]
    assert check.p_mc[0] <= 0.05 < check.p_mc[1]
    assert (check.notes[0].kind, "0.05" in check.notes[0].text) == ("straddling", True)
    enough = known(decided(0.0)["scores"].gain_needed) + 0.01
    result = decided(enough, alpha=0.01)
    assert (result.passed, decided(enough).passed) == (False, True)
    assert "one-sided 99 %" in result.ending


def test_a_margin_in_percent_and_a_heading_where_lower_is_better() -> None:
    rng = np.random.default_rng(3)
    right = {name: (rng.random(200) < 0.7).astype(float) for name in ("base", "new")}
    shares = gate(None, right, metrics=["scores"], require="not-worse", margin=0.05)
    assert "by more than 5 " in shares.findings[0].text
    (table,) = shares.tables(None)
    assert [cell.text for cell in table.rows[0]][-1] == "−5"
    ter = gate(LINES, {"b{a}se": WORSE, "new": GOOD}, metrics=["ter"], resamples=199)
    (table,) = ter.tables(None)
    assert [column.heading for column in table.columns[1:4]] == ["b{a}se", "new", "Δ (+ is better)"]


# ---- What is refused


@pytest.mark.parametrize(
    ("systems", "options", "naming"),
    [
        ("abc", {}, ["'a', 'b' and 'c'", "truegain.compare"]),
        ("a", {}, ["'a'"]),
        ("ab", {"require": "equal"}, ["better, not-worse, no-loss-shown", "'equal'"]),
        ("ab", {"metrics": ["bleu", "length"]}, ["Length"]),
        ("ab", {"test": "ar"}, ["crossed", "tango", "bootstrap", "skew-t"]),
        ("ab", {"alpha": 0.5}, [0.5, "0.05?"]),
        ("ab", {"margin": float("nan")}, ["nan", "bleu"]),
        ("ab", {"margin": {"chrf": 1}}, ["bleu", "'chrf'"]),
        ("ab", {"margin": -0.3}, [-0.3, "not-worse", "of 0.3"]),
        ("ab", {"require": "not-worse", "metrics": ["bleu", "ter"], "margin": {"bleu": 1}}, ["ter"]),
        ("ab", {"require": "no-loss-shown", "margin": 0}, ["margin"]),
        ("ab", {"metrics": ["bleu:lowercase=true"], "margin": {"bleu": 1, "bleu:lowercase=true": 2}}, ["bleu:lower"]),
        ("ab", {"resamples": 18, "test": "bootstrap"}, [18, 0.05, 19]),
    ],
)
def test_what_is_refused(systems: str, options: dict[str, Any], naming: list[object]) -> None:
    with refused(naming=naming):
        gate(LINES, {name: [*WORSE[1:], LINES[-1] if name == "a" else name] for name in systems}, **options)


def test_the_fewest_resamples_that_can_pass() -> None:
    assert decided(1.0, resamples=19, test="bootstrap").passed


def test_which_is_the_baseline_which_a_long_table_does_not_say() -> None:
    systems = {"a": np.zeros(N), "b": 1 + NOISE}
    for options in ({"baseline": "b"}, {"system": "a"}, {"baseline": "b", "system": "a"}):
        result = gate(None, systems, metrics=["scores"], resamples=199, **options)  # type: ignore[arg-type]
        assert (result.baseline, result.system, result.passed) == ("b", "a", False)
    models = ["v9"] * N + ["v10"] * N
    frame = pd.DataFrame({"model": models, "item": [*range(N)] * 2, "score": [*NOISE, *(NOISE + 0.1)]})
    with refused("baseline", naming=["'v10' or 'v9'"]):
        gate(frame, metrics=["scores"], resamples=99)
    for baseline, system in (("v9", None), (None, "v10")):
        result = gate(frame, metrics=["scores"], resamples=99, baseline=baseline, system=system)
        assert (result.baseline, result.system, result.passed) == ("v9", "v10", True)


# ---- Losses that the test set may lack


@pytest.mark.parametrize(("items", "passed"), [(298, False), (299, True)])
def test_identical_scores_pass_from_as_many_items_as_the_margin_asks_for(items: int, passed: bool) -> None:
    scores = {name: ([1.0, 1.0, 0.0] * 100)[:items] for name in ("base", "new")}
    result = gate(None, scores, metrics=["scores"], require="not-worse", margin=0.01)
    check = result["scores"]
    assert (check.test, check.same, check.passed, check.lower > -0.01) == ("tango", True, passed, passed)
    assert (NOT_SHOWN["not-worse"][:5] in result.findings[0].text) is not passed


def test_losses_of_documents_that_none_of_them_shows() -> None:
    documents = [f"d{item // 5}" for item in range(300)]
    base = np.ones(300)
    base[:25] = 0.0
    options: dict[str, Any] = {"metrics": ["scores"], "documents": documents, "require": "not-worse", "margin": 0.01}
    better = np.where(np.arange(300) < 15, 1.0, base)
    fewer = np.where(np.arange(300) % 5 < 2, 1.0, base)
    for new, passed, p in (
        (better, True, pytest.approx(0.032, abs=5e-4)),
        (base, False, pytest.approx(0.99**60)),
        (fewer, False, pytest.approx((1 - (0.01 + 1 / 30) / (1 + 1 / 30)) ** 60)),
    ):
        check = gate(None, {"base": base, "new": new}, **options)["scores"]
        assert check.passed is passed
        assert check.p == p


def test_scores_of_more_values_within_a_range() -> None:
    outputs = [line.replace("old", "new") if i % 4 else line for i, line in enumerate(LINES)]
    changed = [*outputs[:27], LINES[27], *outputs[28:]]
    result = gate(LINES, {"base": outputs, "new": changed}, metrics=["squad_f1", "chrf"], require="not-worse", margin=2)
    within, free = result.checks
    assert (within.test, within.passed, free.test, free.passed) == ("skew-t", False, "skew-t", True)
    assert within.p == pytest.approx((1.0 - (2.0 + within.delta) / (100.0 + within.delta)) ** 30)
    assert within.lower == pytest.approx(within.delta - (100.0 + within.delta) * (1.0 - 0.05 ** (1 / 30)))


@pytest.mark.parametrize("require", ["better", "not-worse", "no-loss-shown"])
def test_the_decision_and_the_bound_of_scores_with_two_values(require: Any) -> None:
    rng = np.random.default_rng(9)
    for number in range(25):
        items = int(rng.choice([20, 60, 200]))
        base = (rng.random(items) < rng.choice([0.5, 0.8])).astype(float)
        new = np.where(rng.random(items) < 0.7, base, rng.random(items) < 0.8).astype(float)
        options: dict[str, Any] = {} if number % 2 else {"documents": [f"{item // 4}" for item in range(items)]}
        if require != "no-loss-shown":
            options["margin"] = float(rng.choice([0.0, 0.02, 0.1]))
        check = gate(None, {"base": base, "new": new}, metrics=["scores"], require=require, **options)["scores"]
        above = check.lower > check.null_gain
        assert check.passed is (bool(check.upper >= 0) if require == "no-loss-shown" else above)
        assert check.lower <= check.delta <= check.upper
        assert -1.0 <= check.lower <= check.upper <= 1.0
