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
from truegain.corpus import Corpus, Run, System
from truegain.studies.gate import NOTHING_CHANGED, VERDICTS, GateResult, gate

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
    ("delta", "margin", "require", "outcome"),
    [
        (0.5, None, "better", "passed"),
        (0.05, None, "better", "not shown"),
        (-0.5, 0.0, "better", "lost"),
        (0.5, 0.4, "better", "not shown"),
        (0.5, 0.2, "better", "passed"),
        (-0.05, 0.5, "not-worse", "passed"),
        (-0.4, 0.5, "not-worse", "not shown"),
        (-0.8, 0.5, "not-worse", "lost"),
        (0.05, 0.0, "not-worse", "not shown"),
        (0.5, 0.0, "not-worse", "passed"),
        (-0.05, None, "no-loss-shown", "passed"),
        (-0.5, None, "no-loss-shown", "lost"),
    ],
)
def test_what_passes_and_the_sentence_that_says_so(
    delta: float, margin: float | None, require: Any, outcome: str
) -> None:
    result = decided(delta, margin=margin, require=require)
    passed = outcome == "passed"
    assert result.passed is result["scores"].passed is bool(result) is passed
    sentence = VERDICTS[require, outcome][bool(margin)]
    verdict = sentence(system="new", baseline="base", metrics="score", margin=f"{margin or 0:g}")
    assert [(one.text, one.tone) for one in result.findings] == [(verdict, "good" if passed else "bad")]
    assert verdict.startswith("PASS: " if passed else "FAIL: ")
    assert result.render("terminal").startswith(verdict)


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


def test_the_bounds_are_those_of_the_bootstrap_over_documents() -> None:
    documents = [f"d{i // 5}" for i in range(N)]
    by_document, by_segment = decided(0.3, documents=documents), decided(0.3)
    assert by_document.unit == "document"
    assert by_document["scores"].lower != by_segment["scores"].lower
    taken = decided(0.3, documents=documents, unit="segment")
    assert taken["scores"] == by_segment["scores"]
    assert len(taken.notes) > len(by_segment.notes), "that documents are known"


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


@pytest.mark.parametrize(
    ("options", "passed"),
    [
        ({}, False),
        ({"margin": 0.5}, False),
        ({"require": "not-worse", "margin": 0}, False),
        ({"require": "not-worse", "margin": 0.5}, True),
        ({"require": "no-loss-shown"}, True),
    ],
)
def test_the_same_outputs(options: dict[str, Any], passed: bool) -> None:
    result = gate(LINES, {"base": WORSE, "new": list(WORSE)}, resamples=199, **options)
    assert result["bleu"].same
    assert result.passed is passed
    unchanged = NOTHING_CHANGED(system="new", baseline="base", metrics="BLEU", item="segment")
    assert (result.findings[0].text == unchanged) is not passed
    assert ("same" in kinds(result.notes)) is passed


def test_the_same_scores_need_not_be_of_the_same_outputs_which_lose_nothing() -> None:
    options: dict[str, Any] = {"require": "not-worse", "margin": 0.5}
    for metric in ("exact", "squad_f1", "bleu"):
        result = gate(LINES, {"base": GOOD, "new": list(GOOD)}, metrics=[metric], **options)
        assert (result.passed, result.checks[0].lower) == (True, 0.0)
    better = gate(LINES, {"base": GOOD, "new": LINES}, metrics=["exact"], **options)
    assert (better.passed, better.checks[0].test) == (False, "tango")
    scores = {"base": [1.5, 0.5] * 30, "new": [1.5, 0.5] * 30}
    kept = gate(None, scores, metrics=["scores"], require="not-worse", margin=0.01, resamples=199)
    assert ["4.9 %" in note.text for note in kept.notes if note.kind == "unseen"] == [True]
    loss = gate(None, scores, metrics=["scores"], require="no-loss-shown", resamples=199)
    assert "unseen" not in kinds(loss.notes)


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
        data = json.loads(result.render("json"))["checks"][0]
        assert data["lower"] is data["upper"] is data["needed"] is None
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
    assert [f" {-passed['scores'].lower:.4f}" in text for text in limits(passed, "no-proof")] == [True]
    assert limits(sure, "no-proof") == limits(sure, "reach") == []
    assert "not worse" not in passed.render("md"), "that word is for what was shown"


def test_any_of_several_metrics_can_show_a_loss_so_each_has_its_share_of_alpha() -> None:
    systems = {"base": WORSE, "new": WORSE[::-1]}
    options: dict[str, Any] = {"metrics": ["bleu", "chrf", "ter"], "resamples": 199}
    for require, margin, alpha in (("no-loss-shown", None, 0.05 / 3), ("better", 0.3, 0.05), ("not-worse", 0.3, 0.05)):
        asked = gate(LINES, systems, require=require, margin=margin, **options)  # type: ignore[arg-type]
        assert [check.alpha for check in asked] == [alpha] * 3
    # A loss that one metric shows at 2.3 % fails alone, and not among four.
    loss = np.r_[np.full(50, -1.0), np.full(50, 1.0)] * 0.5 - 0.1
    columns = {name: loss if name == "a" else 0.01 * NOISE for name in "abcd"}
    runs = {"base": {name: np.zeros(N) for name in columns}, "new": columns}
    corpus = Corpus.build([System(name, (Run(name, None, run),)) for name, run in runs.items()])
    wanted = [f"scores:column={name}" for name in columns]
    for metrics, passed in ((wanted[:1], False), (wanted, True)):
        found = gate(corpus, metrics=metrics, require="no-loss-shown", resamples=999)
        assert (found.passed, found.checks[0].p == pytest.approx(0.023, abs=0.008)) == (passed, True)


def test_another_level_and_monte_carlo_error() -> None:
    check = decided(0.165, resamples=99, test="bootstrap")["scores"]
    assert check.p_mc[0] <= 0.05 < check.p_mc[1]
    assert (check.notes[0].kind, "0.05" in check.notes[0].text) == ("straddling", True)
    enough = known(decided(0.0)["scores"].gain_needed) + 0.01
    result = decided(enough, alpha=0.01)
    assert (result.passed, decided(enough).passed) == (False, True)
    assert "one-sided 99 %" in result.ending


# ---- As data


def test_records_and_formats() -> None:
    result = decided(0.5)
    (record,) = result.to_records()
    assert (record["metric"], record["passed"], record["system_score"]) == ("scores", True, pytest.approx(0.5))
    assert "| score ↑ | 0.0000 | 0.5000 | +0.5000 |" in result.render("md")
    with pytest.raises(KeyError):
        result["bleu"]


def test_a_margin_in_percent_and_a_heading_where_lower_is_better() -> None:
    rng = np.random.default_rng(3)
    right = {name: (rng.random(200) < 0.7).astype(float) for name in ("base", "new")}
    shares = gate(None, right, metrics=["scores"], require="not-worse", margin=0.05)
    assert "5 points" in shares.findings[0].text
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
        ("ab", {"baseline": "c"}, ["a, b", "'c'"]),
        ("ab", {"system": "c"}, ["a, b", "'c'"]),
        ("ab", {"baseline": "a", "system": "a"}, ["'a'"]),
        ("ab", {"require": "equal"}, ["better, not-worse, no-loss-shown", "'equal'"]),
        ("ab", {"metrics": ["bleu", "length"]}, ["Length"]),
        ("ab", {"test": "ar"}, ["crossed", "tango", "bootstrap", "skew-t"]),
        ("ab", {"test": "bootstap"}, ["'bootstrap'?"]),
        ("ab", {"test": "crossed"}, ["crossed", "'a'"]),
        ("ab", {"test": "t"}, ["BLEU"]),
        ("ab", {"alpha": 0}, ["alpha", 0]),
        ("ab", {"alpha": 0.95}, [0.95, "0.05?"]),
        ("ab", {"alpha": 0.5}, [0.5, "0.05?"]),
        ("ab", {"resamples": 10, "test": "bootstrap", "require": "no-loss-shown"}, [10]),
        ("ab", {"margin": float("nan")}, ["nan", "bleu"]),
        ("ab", {"margin": {"chrf": 1}}, ["bleu", "'chrf'"]),
        ("ab", {"margin": -0.3}, [-0.3, "not-worse", "of 0.3"]),
        ("ab", {"margin": -0.3, "require": "not-worse"}, [-0.3]),
        ("ab", {"require": "not-worse"}, ["margin"]),
        ("ab", {"require": "not-worse", "metrics": ["bleu", "ter"], "margin": {"bleu": 1}}, ["ter"]),
        ("ab", {"require": "no-loss-shown", "margin": 0}, ["margin"]),
        ("ab", {"metrics": ["bleu:lowercase=true"], "margin": {"bleu": 1, "bleu:lowercase=true": 2}}, ["bleu:lower"]),
        ("ab", {"block_length": 3.0}, ["blocks"]),
        ("ab", {"resamples": 18, "test": "bootstrap"}, [18, 0.05, 19]),
    ],
)
def test_what_is_refused(systems: str, options: dict[str, Any], naming: list[object]) -> None:
    with refused(naming=naming):
        gate(LINES, {name: [*WORSE[1:], LINES[-1] if name == "a" else name] for name in systems}, **options)


def test_the_fewest_resamples_that_can_pass_and_a_segment_that_cannot() -> None:
    assert decided(1.0, resamples=19, test="bootstrap").passed
    with refused():
        gate(["a b c"], {"a": ["a b"], "b": ["a c"]})


def test_which_is_the_baseline_which_a_long_table_does_not_say() -> None:
    systems = {"a": np.zeros(N), "b": 1 + NOISE}
    for options in ({"baseline": "b"}, {"system": "a"}, {"baseline": "b", "system": "a"}):
        result = gate(None, systems, metrics=["scores"], resamples=199, **options)  # type: ignore[arg-type]
        assert (result.baseline, result.system, result.passed) == ("b", "a", False)
        assert result["scores"].delta == pytest.approx(-1)
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
    scores = [1.0, 1.0, 0.0] * 100
    options: dict[str, Any] = {"metrics": ["scores"], "require": "not-worse", "margin": 0.01}
    check = gate(None, {"base": scores[:items], "new": scores[:items]}, **options)["scores"]
    assert (check.test, check.passed, check.same) == ("tango", passed, True)
    assert check.p == pytest.approx(0.05, abs=1e-3)
    assert check.lower == pytest.approx(-0.01, abs=3e-4)
    assert (check.lower > -0.01) is passed
    percent = gate(None, {name: [100 * one for one in scores[:items]] for name in "ab"}, **{**options, "margin": 1})
    assert percent["scores"].p == pytest.approx(check.p)


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


def test_looking_down_is_looking_up_with_the_systems_swapped() -> None:
    rng = np.random.default_rng(10)
    base, new = (rng.random((2, 80)) < [[0.7], [0.8]]).astype(float)
    for options in ({}, {"documents": [f"{item // 4}" for item in range(80)]}):
        up, down = (
            gate(None, systems, metrics=["scores"], **options)["scores"]  # type: ignore[arg-type]
            for systems in ({"base": base, "new": new}, {"new": new, "base": base})
        )
        assert (up.lower, up.upper) == (-down.upper, -down.lower)
