"""``truegain render``: every format of every study from its JSON alone, byte for byte."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from truegain.report import FORMATS
from truegain.results import Result

Command = Callable[..., tuple[int, str, str]]

FEW = ("-j", "1", "-q")
PAIR = ("base.txt", "new.txt")
RUNS = ("base=base.txt,base2.txt", "new=new.txt,new2.txt")
STUDIES = {
    "compare": ("compare", "-R", "50", "--ref", "ref.txt", "--docs", "docs.txt", "-m", "bleu", "-m", "ter", *RUNS),
    "score": ("score", "-R", "50", "--ref", "ref.txt", "--segments", *PAIR),
    "calibrate": ("calibrate", "-R", "19", "-n", "10", "--ref", "ref.txt", "--test", "ar", "--gain", "1", *PAIR),
    "replicate": ("replicate", "-R", "19", "-n", "4", "--counts", "1,2", "--ref", "ref.txt", *RUNS),
    "plan": ("plan", "--ref", "ref.txt", "--docs", "docs.txt", "--gain", "2,9", *PAIR),
    "intervals": ("intervals", "-R", "50", "--ref", "ref.txt", "-m", "chrf", *RUNS),
}


@pytest.fixture(autouse=True)
def runs(folder: Path) -> None:
    """A second run of each system."""
    for name in ("base", "new"):
        lines = (folder / f"{name}.txt").read_text().splitlines()
        (folder / f"{name}2.txt").write_text("\n".join([*lines[3:], *lines[:3]]) + "\n")


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[Result]:
    """The results that commands showed, the last one last."""
    held: list[Result] = []
    original = Result.rounded

    def rounded(self: Result) -> Result:
        held.append(self)
        return original(self)

    monkeypatch.setattr(Result, "rounded", rounded)
    return held


@pytest.mark.whole
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("study", STUDIES)
def test_what_the_study_printed(command: Command, shown: list[Result], study: str, format: str) -> None:
    printed = command(*STUDIES[study], *FEW, "-f", format)
    assert printed[0] == 0, printed[2]
    shown[-1].save("result.json")
    assert command("render", "result.json", "-f", format) == printed
    if format == "json":
        assert printed[1] == Path("result.json").read_text(encoding="utf-8")


@pytest.mark.parametrize("study", STUDIES)
def test_decimals_and_the_width_of_a_pipe(command: Command, study: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "61")
    arguments = (*STUDIES[study], *FEW)
    command(*arguments, "-o", "result.json")
    assert command("render", "result.json", "--decimals", "5") == command(*arguments, "-w", "5")


def test_standard_input(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    command(*STUDIES["score"], *FEW, "-o", "result.json")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(Path("result.json").read_bytes())))
    assert command("render", "-", "-f", "md") == command("render", "result.json", "-f", "md")


def test_a_result_that_was_changed(command: Command, refused: Callable[..., str]) -> None:
    command(*STUDIES["compare"], *FEW, "-o", "result.json")
    data = json.loads(Path("result.json").read_text())
    data["comparisons"][3]["ci"] = "wide"
    Path("result.json").write_text(json.dumps(data))
    assert refused("render", "result.json").startswith("truegain: result.json: comparisons[3].ci: ")


def test_nothing_is_read_where_nothing_can_be_written(command: Command) -> None:
    code, out, err = command("render", "none.json", "-o", "result.docx")
    assert (code, out) == (2, "")
    assert "-o:" in err


@pytest.mark.parametrize("study", ["compare", "rank", "score"])
def test_standard_errors_are_shown_on_request_and_of_scores_unless_told_not_to(command: Command, study: str) -> None:
    """The tables with them are those of the study asked for them; the JSON has them in any case."""
    line = (*(STUDIES.get(study) or ("rank", *STUDIES["compare"][1:])), *FEW)
    assert command(*line, "-o", "plain.json")[0] == 0
    asked = command(*line, "--standard-errors")[1]
    assert "SE: " in asked
    assert command("render", "plain.json", *(() if study == "score" else ("--standard-errors",)))[1] == asked
    code, without, errors = command(*line, *(("--no-standard-errors",) if study == "score" else ()))
    assert code == 0, errors
    assert "SE" not in without
    assert all(one["standard_error"] > 0 for one in json.loads(Path("plain.json").read_text())["systems"])


def test_standard_errors_are_refused_if_tables_or_results_have_none(command: Command) -> None:
    assert command(*STUDIES["plan"], *FEW, "-o", "plan.json")[0] == 0
    assert command(*STUDIES["compare"], *FEW, "-o", "old.json")[0] == 0
    data = json.loads(Path("old.json").read_text())
    for one in (*data["systems"], *data["comparisons"]):
        del one["standard_error"]
    Path("old.json").write_text(json.dumps(data))
    for result in ("plan.json", "old.json"):
        assert command("render", result)[0] == 0
        assert command("render", result, "--standard-errors")[0] == 2
