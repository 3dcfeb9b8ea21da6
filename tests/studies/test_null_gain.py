"""compare against another gain than zero: verdicts, and what is said of the margin."""

from __future__ import annotations

import json
import re
from typing import Any, Literal

import numpy as np
import pytest

import truegain as tg
from tests.refusals import refused
from tests.sentences import unmarked
from truegain.studies.compare import CompareResult
from truegain.words import signed

N = 100
Side = Literal["two-sided", "greater", "less"]


def several(gains: dict[str, float], null_gain: float, alternative: Side, **options: Any) -> CompareResult:
    """Compare one run of each; the standard error of the differences is about 0.1."""
    noise = np.random.default_rng(2).normal(size=N)
    noise -= noise.mean()
    systems = {"base": np.zeros(N)} | {name: gain + noise for name, gain in gains.items()}
    settings: dict[str, Any] = {"resamples": 500, "jobs": 1, **options}
    return tg.compare(None, systems, metrics=["scores"], null_gain=null_gain, alternative=alternative, **settings)


def compared(delta: float, null_gain: float, alternative: Side = "two-sided", **options: Any) -> CompareResult:
    return several({"new": delta}, null_gain, alternative, **options)


@pytest.mark.parametrize(
    ("delta", "null_gain", "alternative", "significant", "better", "words"),
    [
        (1.0, 0.3, "two-sided", True, True, "is better"),  # above a positive gain: better
        (1.0, 0.3, "greater", True, True, "is better"),
        (1.0, 0.3, "less", False, None, "may be better"),
        (0.4, 0.3, "greater", False, None, "is not shown to be better"),
        (-0.1, 0.3, "two-sided", True, None, "is not better"),  # below a positive gain: that much better it is not
        (-0.1, 0.3, "less", True, None, "is not better"),
        (-1.0, -0.3, "two-sided", True, False, "is worse"),  # below a negative gain: worse
        (-1.0, -0.3, "less", True, False, "is worse"),
        (-1.0, -0.3, "greater", False, None, "may be worse"),
        (0.0, -0.3, "greater", True, None, "is not worse"),  # above a negative gain: not that much worse
        (0.5, -0.3, "two-sided", True, None, "is not worse"),
        (0.3, 0.3, "two-sided", False, None, "is not shown to have a gain over base other"),
    ],
)
def test_significant_is_beyond_the_gain_and_better_is_better(
    delta: float, null_gain: float, alternative: Side, significant: bool, better: bool | None, words: str
) -> None:
    result = compared(delta, null_gain, alternative)
    one = result["scores", "new"]
    assert one.delta == pytest.approx(delta)
    assert (one.significant, one.better) == (significant, better)
    assert one.test == "bootstrap"
    (finding,) = result.findings
    assert f"new {words} than " in finding.text
    assert "0.3 in score: " in finding.text
    assert signed(delta, 4) in finding.text


def test_a_metric_without_direction_has_no_better_and_the_same_outputs_are_not_worse() -> None:
    lines = ["a b c d"] * 30
    texts = {"base": ["a b"] * 30, "new": ["a b c", "a b c e"] * 15}
    result = tg.compare(lines, texts, metrics=["length"], null_gain=0.1, resamples=99)
    one = result["length", "new"]
    assert (one.significant, one.better) == (True, None)
    systems = {name: np.arange(20.0) for name in "ab"}
    result = tg.compare(None, systems, metrics=["scores"], null_gain=-0.5, alternative="greater", resamples=99)
    one = result["scores", "b"]
    assert (one.p, one.significant, one.better) == (0.01, True, None)
    assert "b is not worse than a by more than 0.5" in result.findings[0].text


def test_everything_tells_the_margin_and_at_zero_nothing_is_said_of_it() -> None:
    result = compared(0.5, -0.25, "greater")
    sides = [(result, "at most −0.25"), (compared(0.5, 1, "less"), "at least +1"), (compared(0.5, 1), "is +1")]
    assert all(found["new"].null.endswith(null) for found, null in sides)
    assert "−0.25" in result.methods
    assert "|alternative:greater|null-gain:-0.25|alpha" in result.signature
    assert "above −0.25" in result.ending
    assert json.loads(result.render("json"))["null_gain"] == result.to_records()[0]["null_gain"] == -0.25
    zero = compared(0.5, 0.0, "greater")
    assert zero["scores", "new"].test == "ar"
    assert zero.to_dict()["null_gain"] == zero.to_records()[0]["null_gain"] == 0.0
    assert "null-gain" not in zero.signature


def runs(shift: float, count: int, seed: int) -> list[list[float]]:
    rng = np.random.default_rng(seed)
    return [list(shift + rng.normal(0, 0.05) + rng.normal(size=N)) for _ in range(count)]


def test_with_runs_the_crossed_test_decides_without_regrouping() -> None:
    systems = {"base": runs(0, 3, 1), "new": runs(2, 3, 2)}
    options: Any = {"metrics": ["scores"], "null_gain": 1.0, "alternative": "greater", "resamples": 199}
    result = tg.compare(None, systems, **options)
    assert [one.test for one in result] == ["crossed", "bootstrap"]
    assert all(one.significant for one in result)
    assert result["scores", "new"].null.endswith("at most +1")
    # What holds for these runs alone is said of the gain.
    rng = np.random.default_rng(4)
    base = [list(rng.normal(scale=0.1, size=N)) for _ in range(2)]
    new = [list(shift + rng.normal(scale=0.1, size=N)) for shift in (0.2, 3.0)]
    result = tg.compare(None, {"base": base, "new": new}, **{**options, "null_gain": 0.5})
    assert [one.significant for one in result] == [False, True]
    shown, alone = (finding.text for finding in result.findings)
    assert "not shown to be better than base by more than 0.5" in shown
    assert "For these runs on new items alone new is better than base by more than 0.5 in score" in unmarked(alone)


def test_many_systems_are_counted() -> None:
    result = several({f"s{i}": i / 2 for i in range(5)}, 0.5, "greater", adjust="maxt")
    assert [one.significant for one in result] == [False, False, True, True, True]
    (finding,) = result.findings
    assert unmarked(finding.text).startswith("Of 5 systems 3 are better than base by more than 0.5 in score (s4 ")
    margin = several({f"s{i}": i / 2 - 1.5 for i in range(5)}, -0.5, "greater").findings[0].text
    assert re.search("are not worse than base by more than 0.5 in score .* may be worse than it by more", margin)


def test_what_cannot_be_tested_is_refused() -> None:
    with refused(naming=["exact", "crossed, raters, tango, bootstrap, skew-t, stationary-bootstrap, welch, t"]):
        compared(0, 0.1, test="exact")
    with refused(naming=["nan"]):
        compared(0, float("nan"))


# ---- Sentences and tables of several systems answer what was asked

SYSTEMS = {"up": 1.0, "level": 0.0, "down": -1.0}
MANY = {f"s{i}": 1.0 - i for i in range(6)}


def said(result: CompareResult, **options: Any) -> str:
    return " ".join(result.render(**options).split())


def test_no_side_is_named_that_was_not_tested() -> None:
    found = several({"down": -1.0, "far": -2.0}, 0.0, "greater")
    assert "down and far are not shown to be better than base" in said(found, layout="paper")
    for shown in (compared(1.0, 0.0, "greater"), several(MANY, 0.0, "greater")):
        assert not re.search(r"\bdiffers?\b", " ".join(finding.text for finding in shown.findings))
    # All pairs on one side are not said to be alike.
    found = several(SYSTEMS, 0.0, "greater", family="all")
    assert "share a letter" not in said(found, layout="paper")


def test_two_values_are_held_against_a_gain_by_their_own_test() -> None:
    """One failure of 300, held against a loss of 0.01: a binomial has no more with a probability of 0.198."""
    systems = {"base": np.ones(300), "new": np.where(np.arange(300) == 7, 0.0, 1.0)}
    options: dict[str, Any] = {"metrics": ["scores"], "resamples": 999, "jobs": 1}
    held = tg.compare(None, systems, null_gain=-0.01, alternative="greater", **options)
    assert held["scores", "new"].test == "tango"
    assert held["scores", "new"].p == pytest.approx(0.1229, abs=1e-4)
    gated = tg.gate(None, systems, require="not-worse", margin=0.01, **options)
    assert gated["scores"].test == "tango"
    assert gated["scores"].p == pytest.approx(0.198, abs=1e-3)
    graded = {**systems, "new": np.where(np.arange(300) == 8, 0.5, systems["new"])}
    assert tg.compare(None, graded, null_gain=-0.01, **options)["scores", "new"].test == "bootstrap"
