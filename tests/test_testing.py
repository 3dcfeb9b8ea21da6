"""Assertions in test suites: when they fail, and what they say then."""

from __future__ import annotations

import re
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import truegain as tg
from tests.refusals import refused
from truegain.cli.main import main
from truegain.settings.gate import Requirement
from truegain.studies.gate import NOT_SHOWN, GateResult
from truegain.studies.gate import WORSE as WORSE_THAN
from truegain.testing import (
    FIND_THE_LOSS,
    SAME_OUTPUTS,
    TOO_LITTLE_DATA,
    TOO_LITTLE_GAIN,
    assert_better,
    assert_no_loss_shown,
    assert_not_worse,
)

N = 100
NOISE = np.random.default_rng(1).normal(size=N)
NOISE -= NOISE.mean()
LINES = [f"the small cat number {i} sat on the old mat today" for i in range(30)]
WORSE = [line.replace("sat", "sits") if i % 3 else line + " ." for i, line in enumerate(LINES)]
GOOD = [*LINES[:-1], WORSE[-1]]
FAST: dict[str, Any] = {"resamples": 199, "jobs": 1}
SCORES: dict[str, Any] = {"metric": "scores", **FAST}


def scores(delta: float) -> tuple[Any, Any]:
    return np.zeros(N), delta + NOISE


@pytest.mark.parametrize(
    ("asserted", "delta", "margin", "passes"),
    [
        (assert_not_worse, -0.05, 0.5, True),
        (assert_not_worse, -0.05, 0.01, False),  # it is not shown that the loss is that small
        (assert_not_worse, -0.45, 0.5, False),
        (assert_not_worse, 0.05, 0.0, False),
        (assert_not_worse, 0.5, 0.0, True),
        (assert_better, 0.5, 0.0, True),
        (assert_better, 0.05, 0.0, False),
        (assert_better, 0.5, 0.45, False),
        (assert_better, 0.5, 0.2, True),
    ],
)
def test_not_worse_and_better(asserted: Any, delta: float, margin: float, passes: bool) -> None:
    if passes:
        result = asserted(None, *scores(delta), margin=margin, **SCORES)
        assert isinstance(result, GateResult)
        assert result.passed
        return
    with pytest.raises(AssertionError):
        asserted(None, *scores(delta), margin=margin, **SCORES)


def test_a_loss_that_is_shown() -> None:
    assert assert_no_loss_shown(None, *scores(0.5), **SCORES).passed
    assert assert_no_loss_shown(None, *scores(-0.05), **SCORES).passed  # not shown, which is all that is asked for
    with pytest.raises(AssertionError, match="system is worse than baseline"):
        assert_no_loss_shown(None, *scores(-0.5), **SCORES)


def test_the_margin_cannot_be_forgotten() -> None:
    with pytest.raises(TypeError, match="margin"):
        assert_not_worse(None, *scores(0.5), **SCORES)
    with pytest.raises(TypeError, match="margin"):
        assert_no_loss_shown(None, *scores(0.5), margin=0.3, **SCORES)  # type: ignore[call-arg]


@pytest.mark.whole
def test_the_command_line_python_and_the_assertions_agree(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Three words, each with one meaning, whatever says them: on many datasets, around the margin and far from it."""
    monkeypatch.chdir(tmp_path)
    for variable in ("GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY"):
        monkeypatch.delenv(variable, raising=False)
    rng = np.random.default_rng(5)
    seen: dict[tuple[str, bool], int] = {}
    quick = ["-m", "scores", "-R", "199", "-j", "1"]
    words: list[tuple[Any, Requirement, str | None]] = [
        (assert_better, "better", "margin"),
        (assert_not_worse, "not-worse", "margin"),
        (assert_no_loss_shown, "no-loss-shown", None),
    ]
    for _ in range(40):
        delta, size, margin = rng.uniform(-0.8, 0.8), int(rng.integers(20, 120)), round(float(rng.uniform(0, 0.4)), 3)
        base = rng.normal(size=size)
        new = base + delta + rng.normal(size=size)
        for name, values in (("base", base), ("new", new)):
            Path(f"{name}.scores").write_text("".join(f"{value!r}\n" for value in values.tolist()), encoding="utf-8")
        for asserted, require, given in words:
            options: dict[str, Any] = {} if given is None else {"margin": margin}
            called = tg.gate(None, {"base": base, "new": new}, metrics=["scores"], require=require, **options, **FAST)
            try:
                asserted(None, base, new, **options, **SCORES)
                held = True
            except AssertionError:
                held = False
            typed = [] if given is None else ["--margin", str(margin)]
            with pytest.raises(SystemExit) as stop:
                main(["gate", *quick, "--require", require, *typed, "base.scores", "new.scores"])
            capsys.readouterr()
            assert called.passed is held is (stop.value.code == 0), (require, delta, size, margin)
            lower, upper = called["scores"].lower, called["scores"].upper
            meaning = {"better": lower > margin, "not-worse": lower > -margin, "no-loss-shown": not upper < 0}
            assert held is meaning[require]
            seen[require, held] = seen.get((require, held), 0) + 1
    assert len(seen) == 6, "every word passes and fails"
    assert min(seen.values()) >= 3


def test_what_a_loss_says() -> None:
    with pytest.raises(AssertionError) as caught:
        assert_no_loss_shown(LINES, GOOD, WORSE, **FAST)
    first, figures, reach, advice = str(caught.value).split("\n")
    assert first == WORSE_THAN(system="system", than="baseline", metrics="BLEU")
    assert figures.startswith("  BLEU 9")
    assert " on 30 segments: Δ −" in figures
    assert figures.endswith("(p < .001)")
    assert reach.startswith("  On this test set")
    assert advice == f"  {FIND_THE_LOSS}"


def test_what_too_little_says() -> None:
    with pytest.raises(AssertionError) as caught:
        assert_not_worse(None, *scores(-0.05), margin=0.1, **SCORES)
    first, *_, advice = str(caught.value).split("\n  ")
    assert first == NOT_SHOWN["not-worse"](system="system", than="baseline by more than 0.1", metrics="score")
    assert advice == TOO_LITTLE_DATA
    with pytest.raises(AssertionError, match=f"{re.escape(TOO_LITTLE_GAIN)}$"):
        assert_better(None, *scores(-0.5), **SCORES)
    with pytest.raises(AssertionError, match=f"{re.escape(SAME_OUTPUTS)}$"):
        assert_better(LINES, WORSE, list(WORSE), **FAST)


def test_inputs_as_for_compare(tmp_path: Path) -> None:
    paths = []
    for name, lines in (("ref", LINES), ("base", WORSE), ("new", GOOD)):
        paths.append(tmp_path / f"{name}.txt")
        paths[-1].write_text("\n".join(lines) + "\n", encoding="utf-8")
    documents = [f"d{i // 3}" for i in range(30)]
    from_lists = assert_better(LINES, WORSE, GOOD, metric="chrf", documents=documents, **FAST)
    from_files = assert_better(*paths, metric="chrf", documents=documents, **FAST)
    assert from_files["chrf"] == from_lists["chrf"]
    assert from_lists.unit == "document"
    runs = assert_better(LINES, [WORSE, [*WORSE[:-1], "y"]], [GOOD, [*LINES[:-1], "y z"]], metric="ter", **FAST)
    assert (runs["ter"].test, str(runs["ter"].claim)) == ("crossed", "new runs on new segments")
    assert [one.runs for one in runs.scores] == [2, 2]


def test_what_is_no_question_of_better_or_worse() -> None:
    with refused(naming=["0", "5"]):
        assert_not_worse(LINES, WORSE, GOOD, margin=-0.5)
    with refused(naming=["number"]):
        assert_not_worse(LINES, WORSE, GOOD, margin=float("nan"))
    with refused():
        assert_better(LINES, WORSE, GOOD, metric="length")


@pytest.mark.whole
def test_pytest_shows_the_message_and_hides_the_frames(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(
        textwrap.dedent(
            """
            from truegain.testing import assert_no_loss_shown

            LINES = [f"the small cat number {i} sat on the old mat today" for i in range(30)]
            WORSE = [line.replace("sat", "sits") if i % 3 else line + " ." for i, line in enumerate(LINES)]

            def test_translation():
                assert_no_loss_shown(LINES, [*LINES[:-1], "x"], WORSE, resamples=99)
            """
        ),
        encoding="utf-8",
    )
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "--rootdir",
        str(tmp_path),
        str(tmp_path),
    ]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False, cwd=tmp_path)
    assert done.returncode == 1
    assert "E       AssertionError: FAIL: system is worse than baseline in BLEU." in done.stdout
    assert "make these outputs the baseline" in done.stdout
    assert "raise AssertionError" not in done.stdout, "frames of the assertion itself are hidden"


def test_swapped_roles_are_told(tmp_path: Path) -> None:
    """Paths in another order than the parameters: a warning, which test suites show, or a line of the message."""
    paths = {name: tmp_path / f"{name}.de" for name in ("ref", "released", "nightly")}
    for name, lines in zip(paths, (WORSE, GOOD, LINES), strict=True):
        paths[name].write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    told = r"ref\.de has the name of a reference\W.* taken for a system; .*released\.de was taken for the reference"
    with pytest.warns(UserWarning, match=told):
        assert_better(paths["released"], paths["ref"], paths["nightly"], **FAST)
    with pytest.raises(AssertionError, match=f"  Warning: .*{told}"):
        assert_better(paths["released"], paths["nightly"], paths["ref"], **FAST)
    assert_no_loss_shown(paths["ref"], paths["released"], paths["nightly"], **FAST)
