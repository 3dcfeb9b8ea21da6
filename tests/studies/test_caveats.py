"""Verdicts whose p-value is too small: the sentence says so, no table marks them, and the data carry the reason."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest

import truegain as tg
from truegain.registry import TESTS, measured_sizes, size_off_level
from truegain.results import Result
from truegain.studies.compare import CompareResult
from truegain.studies.compared import NOT_RELIABLE

N = 200
NOISE = np.random.default_rng(1).normal(size=N)
NOISE = (NOISE - NOISE.mean()) / NOISE.std()
#: Published tests, and those of other tools, that were measured to reject far more than 5 % of true nulls.
OFF_LEVEL = {
    *("koehn2004", "riezler2005-bootstrap", "bergkirkpatrick2012", "sacrebleu-bs", "moses-bs"),
    *("fu-bootstrap", "fu-ar", "fu-rows-bootstrap", "fu-rows-ar"),
}


def compared(delta: float, test: str | list[str], **options: Any) -> CompareResult:
    """One run of each; the standard error of Δ is 1/√200 = 0.07."""
    systems = {"base": np.zeros(N), "new": delta + NOISE}
    return tg.compare(None, systems, metrics=["scores"], test=test, resamples=999, jobs=1, **options)


def run_scores(shift: float, spread: float, seed: int, count: int = 5) -> list[Any]:
    rng = np.random.default_rng(seed)
    return [shift + spread * step + 0.1 * rng.normal(size=N) for step in np.linspace(-1, 1, count)]


def flat(result: Result, **options: Any) -> str:
    return " ".join(result.render("terminal", **options).split())


def kinds_of(result: Iterable[Any]) -> list[str]:
    return [caveat.kind for one in result for caveat in one.caveats]


# ---- Tests that do not keep their level


def test_the_tests_that_do_not_keep_their_level_are_those_that_were_measured_so() -> None:
    assert {test for test in TESTS if size_off_level(test) is not None} == OFF_LEVEL
    assert {test for test, size in measured_sizes().items() if size > 0.065} == OFF_LEVEL


@pytest.mark.parametrize("test", sorted(OFF_LEVEL))
def test_their_verdict_carries_the_measured_size(test: str) -> None:
    if TESTS[test].unit == "run":
        systems = {"base": run_scores(0, 0.01, 1), "new": run_scores(1, 0.01, 2)}
        result = tg.compare(None, systems, metrics=["scores"], test=test, resamples=999)
    else:
        result = compared(0.5, test)
    one = result["scores", "new"]
    (caveat, *_) = one.caveats
    assert (one.significant, one.marked, caveat.kind) == (True, False, "size")
    assert f"{100 * measured_sizes()[test]:.0f} % of true nulls at 0.05" in caveat.text
    assert result.findings[1].text == NOT_RELIABLE(members="new", reason=caveat.text)
    assert f"not of {test};" in flat(result), "whose the interval is"


def test_tests_that_keep_their_level_are_not_doubted_and_nothing_is_where_nothing_is_shown() -> None:
    result = compared(0.5, ["ar", "koehn2004"])
    one = result["scores", "new"]
    assert (one.significant, one.marked, one.caveats, len(result.findings)) == (True, True, (), 1)
    assert "Koehn's bootstrap rejects 10 %" in result.methods
    unshown = compared(0.01, "koehn2004")
    assert (kinds_of(unshown), len(unshown.findings)) == (["size"], 1)


@pytest.mark.parametrize("test", ["ar", "koehn2004"])
def test_marks_and_tones(test: str) -> None:
    result = compared(0.5, test)
    marked = test == "ar"
    assert ("*" in flat(result, layout="paper")) is marked
    assert ("this test rejects 10 %" in flat(result, layout="multeval")) is not marked
    assert [one.tone for one in result.findings] == (["good"] if marked else ["plain", "warning"])
    assert result.picture("forest").alt.endswith(", better." if marked else ", p too small.")


# ---- Side and unit, the same in the signature, in JSON and in words


@pytest.mark.parametrize(("test", "side"), [("koehn2004", "observed"), ("sacrebleu-bs", "two-sided")])
def test_signature_and_data_name_the_test_s_own_side(test: str, side: str) -> None:
    result = compared(0.5, test)
    assert f"test:{test}|unit:segment|alternative:{side}|" in result.signature
    data = json.loads(result.render("json"))["comparisons"][0]
    assert (data["unit"], data["alternative"]) == ("segment", side)
    result = compared(0.5, test, documents=[f"d{i // 10}" for i in range(N)])
    assert f"unit:segment|alternative:{side}|ci-unit:document|" in result.signature
    assert "the paired bootstrap over 20 documents" in flat(result)


# ---- What is met in the data


def test_runs_of_which_one_system_s_vary_far_more_or_one_is_far_from_the_others() -> None:
    """Three runs of each, of which the second system's vary 20 times as much, and p is below 5 % all the same."""
    systems = {"base": run_scores(0, 0.01, 1, 3), "new": run_scores(5, 0.9, 2, 3)}
    result = tg.compare(None, systems, metrics=["scores"], resamples=999)
    one = result["scores", "new"]
    assert (one.test, one.significant, one.marked, kinds_of([one])) == ("crossed", True, False, ["runs"])
    assert re.findall(r"\d+", one.caveats[0].text)[:3] == ["20", "3", "3"]
    assert one.caveats[0].text in result.findings[1].text
    gated = tg.gate(None, systems, metrics=["scores"], resamples=999)
    assert (gated.passed, gated.findings[1].tone) == (True, "warning")
    assert one.caveats[0].text in gated.findings[1].text
    runs = {"base": systems["base"], "new": run_scores(5, 0.01, 2, 3)}
    runs["new"][1] = [score - 4.0 for score in runs["new"][1]]
    (caveat,) = tg.compare(None, runs, metrics=["scores"], resamples=99)["scores", "new"].caveats
    assert (caveat.kind, "new.2" in caveat.text, "new.2" in one.caveats[0].text) == ("runs", True, False)


def test_too_few_units_for_a_bootstrap_and_ties_that_a_test_does_not_count() -> None:
    tied = {"base": NOISE, "new": NOISE + (np.arange(N) == 3)}
    one = tg.compare(None, tied, metrics=["scores"], test="sacrebleu-ar", resamples=999)["scores", "new"]
    assert (one.significant, one.marked, kinds_of([one])) == (True, False, ["ties"])
    assert "p is 1" in one.caveats[0].text
    small = {"base": np.zeros(12), "new": 5 + NOISE[:12]}
    for test, kinds in (("bootstrap", ["units"]), ("ar", [])):
        one = tg.compare(None, small, metrics=["scores"], test=test, resamples=999)["scores", "new"]
        assert (one.significant, kinds_of([one])) == (True, kinds)


@pytest.mark.parametrize(
    ("units", "systems", "options", "noted"),
    [
        (40, 6, {}, True),
        (60, 6, {}, False),
        (40, 5, {}, False),
        (40, 6, {"test": "ar"}, False),
        (40, 6, {"adjust": "maxt"}, False),
        (40, 6, {"adjust": "none"}, False),
    ],
)
def test_many_comparisons_over_few_units(units: int, systems: int, options: dict[str, Any], noted: bool) -> None:
    """The small-sample factor is that of alpha: adjusted p-values of the bootstrap lie further out."""
    noise = np.random.default_rng(3).normal(size=(systems, units))
    scores = {f"s{i}": one for i, one in enumerate(noise)}
    settings: dict[str, Any] = {"metrics": ["scores"], "resamples": 999, "test": "bootstrap", **options}
    ranked = tg.rank(None, dict(list(scores.items())[: 4 if noted else 3]), **{"adjust": "holm", **settings})
    for notes, count in ((tg.compare(None, scores, **settings).notes, 5), (ranked.notes, 6)):
        assert any(f"of {count} comparisons are too small" in note.text for note in notes) is noted


@pytest.mark.parametrize(("share", "gain", "kinds"), [(0.0, 0.3, []), (0.9, 0.3, ["dependence"]), (0.9, 1.5, [])])
def test_segments_of_documents_that_resemble_each_other(share: float, gain: float, kinds: list[str]) -> None:
    """Dependence is a caveat unless the gain is so large that it changes nothing."""
    common = np.repeat(np.random.default_rng(5).normal(size=20), 10)
    values = math.sqrt(share) * common + math.sqrt(1 - share) * NOISE
    documents = [f"d{i // 10}" for i in range(N)]
    systems = {"base": np.zeros(N), "new": gain + values - values.mean()}
    options: dict[str, Any] = {"metrics": ["scores"], "documents": documents, "resamples": 999}
    alone = tg.compare(None, systems, unit="segment", **options)["scores", "new"]
    assert (alone.significant, kinds_of([alone])) == (True, kinds)
    assert tg.compare(None, systems, **options)["scores", "new"].marked == (not kinds)


def test_neighbouring_segments_that_resemble_each_other_without_documents() -> None:
    systems = {"base": np.zeros(N), "new": np.repeat(np.random.default_rng(5).normal(size=20), 10) + 0.3 * NOISE}
    systems["new"] += 0.3 - systems["new"].mean()
    result = tg.compare(None, systems, metrics=["scores"], resamples=999)
    one = result["scores", "new"]
    assert (one.significant, one.marked, kinds_of([one])) == (True, False, ["dependence"])
    assert one.caveats[0].text in result.findings[1].text
    blocks = tg.compare(None, systems, metrics=["scores"], unit="block", resamples=999)["scores", "new"]
    assert "dependence" not in kinds_of([blocks])
    # A gain of many standard errors stays significant with a standard error three times as large.
    large = tg.compare(None, {**systems, "new": systems["new"] + 3.0}, metrics=["scores"], resamples=999)
    assert [test.found for test in (*result.testset.dependence, *large.testset.dependence)] == [True, True]
    one = large["scores", "new"]
    assert (one.significant, one.marked, kinds_of([one])) == (True, True, [])


# ---- Losses, or gains, that few units have


def concentrated(losses: list[float], count: int = 300) -> dict[str, Any]:
    """Two systems of which the second loses on a few segments, and whose scores have more than two values."""
    base = np.random.default_rng(6).uniform(0, 1, count)
    return {"base": base, "new": base - np.concatenate([losses, np.zeros(count - len(losses))])}


@pytest.mark.parametrize(("test", "share"), [("bootstrap", "19"), ("t", "16")])
def test_losses_that_few_segments_have(test: str, share: str) -> None:
    """One loss of 300: one or none is what a true rate of 0.01 gives in 19.8 % of cases."""
    systems = concentrated([1.0])
    options: dict[str, Any] = {"metrics": ["scores"], "test": test, "resamples": 999, "jobs": 1}
    gated = tg.gate(None, systems, require="not-worse", margin=0.01, **options)
    (caveat,) = gated.checks[0].caveats
    assert (caveat.kind, caveat.text[:6]) == ("skewness", "losses")
    assert re.findall(r"[−\d.]*\d", caveat.text) == ["−0.01", "0.05", share, "5"]
    assert (gated.passed, caveat.text in gated.findings[1].text) == (True, True)
    compared = tg.compare(None, systems, null_gain=-0.01, alternative="greater", **options)
    assert ([one.text for one in compared["new"].caveats], compared["new"].marked) == ([caveat.text], False)
    assert kinds_of(tg.compare(None, systems, null_gain=-0.01, **options)) == ["skewness"]
    gains = {"base": systems["new"], "new": systems["base"]}
    assert kinds_of(tg.gate(None, gains, require="not-worse", margin=0.01, **options)) == []


@pytest.mark.parametrize("test", ["ar", "exact", "bootstrap", "t"])
def test_two_sided_tests_are_doubted_on_the_side_of_what_they_show(test: str) -> None:
    """Few losses raise the rate of false gains; they lower that of false losses."""
    systems = concentrated([1.0] * 3 + [-0.05] * 97, 100)
    options: Any = {"metrics": ["scores"], "resamples": 999, "jobs": 1, "test": test}
    found = tg.compare(None, systems, **options)["scores", "new"]
    (caveat,) = (one for one in found.caveats if one.kind == "skewness")
    assert (found.delta > 0.0, caveat.text[:6], "not 2.5 %" in caveat.text) == (True, "losses", True)
    turned = tg.compare(None, {"base": systems["new"], "new": systems["base"]}, **options)["scores", "new"]
    (other,) = (one for one in turned.caveats if one.kind == "skewness")
    assert other.text == caveat.text.replace("losses", "gains").replace("above", "below")
    worse = concentrated([1.0] * 3 + [0.01] * 97, 100)
    assert "skewness" not in kinds_of(tg.compare(None, worse, **options))


def test_losses_of_which_runs_are_the_smaller_part() -> None:
    """The crossed test adds the variance of runs, of which nothing is skewed: less of it, the more runs vary."""
    rng = np.random.default_rng(7)
    one = concentrated([1.0, 0.8])
    for spread, said in ((0.0005, True), (0.02, False)):
        shifts = [step * spread for step in (-1, 0, 1)]
        runs = {name: [own + shift + 0.0002 * rng.normal(size=300) for shift in shifts] for name, own in one.items()}
        found = tg.gate(None, runs, metrics=["scores"], require="not-worse", margin=0.25, resamples=999, jobs=1)
        assert (found["scores"].test, "skewness" in kinds_of(found)) == ("crossed", said)


@pytest.mark.parametrize(
    "systems",
    [
        {"base": np.zeros(N), "new": NOISE + 1e-9},
        {"base": NOISE, "new": NOISE + 0.1},  # the same but for rounding
        concentrated([0.5 * math.sin(i) for i in range(300)]),
    ],
)
def test_nothing_is_said_of_losses_that_many_have(systems: dict[str, Any]) -> None:
    for test in ("bootstrap", "t"):
        options: dict[str, Any] = {"metrics": ["scores"], "resamples": 999, "jobs": 1, "test": test}
        assert kinds_of(tg.gate(None, systems, require="not-worse", margin=0.3, **options)) == []
