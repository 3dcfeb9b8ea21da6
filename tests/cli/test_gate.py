"""truegain gate: exit codes, what is printed where, and what GitHub is told."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.cli.said import missing
from truegain.cli.github import error_annotation, step_summary
from truegain.studies.gate import GateResult, gate

Command = Callable[..., tuple[int, str, str]]

GATE = ("gate", "-R", "99", "-j", "1", "--ref", "ref.txt")


@pytest.fixture(autouse=True)
def outside_of_workflows(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY"):
        monkeypatch.delenv(variable, raising=False)


# ---- Exit codes, and why


def test_the_exit_code_is_the_answer(command: Command, folder: Path) -> None:
    (folder / "same.txt").write_bytes((folder / "base.txt").read_bytes())
    for line, code in (
        ("base.txt new.txt", 0),
        ("new.txt base.txt", 1),
        ("new.txt base.txt --baseline base", 0),
        ("new.txt base.txt --require no-loss-shown", 1),
        ("base.txt new.txt --require no-loss-shown", 0),
        ("base.txt same.txt", 1),
        ("base.txt same.txt --require not-worse --margin 0", 1),
        ("base.txt same.txt --require not-worse --margin 0.1", 0),
        ("base.txt same.txt --require no-loss-shown", 0),
    ):
        found, out, err = command(*GATE, *line.split())
        assert (found, err) == (code, ""), line
        assert out.startswith(("PASS: ", "FAIL: ")[code])


def test_bad_input_is_neither(command: Command) -> None:
    pair = "base.txt new.txt"
    for line, naming in (
        ("base.txt nothing.txt", "nothing.txt"),
        (f"{pair} --margin much", "--margin METRIC=NUMBER 'much'"),
        (f"{pair} --margin 1 --margin 2", "--margin"),
        (f"{pair} --margin 1 --margin bleu=2", "--margin"),
        (f"{pair} --margin bleu=1 --margin bleu=2", "--margin bleu"),
        (f"{pair} --min-gain -0.3", "--require not-worse --margin 0.3"),
        (f"{pair} --min-gain bleu=0.3", "--margin bleu=0.3"),
        (f"{pair} --test welch", "--test bootstrap"),
        (f"{pair} --summary no/such/folder.md", "no/such/folder.md"),
        (f"{pair} --summary .", ".:"),
        (f"{pair} -o x.docx", "-o:"),
    ):
        code, out, err = command(*GATE, *line.split())
        assert (code, out) == (2, ""), line
        assert not missing(err, naming), err


def test_margins_by_metric(command: Command) -> None:
    several = ("-m", "bleu:tokenize=none", "-m", "chrf", "-f", "json")
    margins = ("--margin", "bleu:tokenize=none=1e0", "--margin", "chrf=0.5")
    _, out, _ = command(*GATE, *several, "--require", "not-worse", *margins, "base.txt", "new.txt")
    assert [check["null_gain"] for check in json.loads(out)["checks"]] == [-1.0, -0.5]


def test_a_margin_on_another_scale(command: Command, folder: Path) -> None:
    """Halved scores of COMET do not pass with a margin that is meant for BLEU, and the way out says how it is typed."""
    for name, factor in (("whole", 1.0), ("half", 0.5)):
        (folder / f"{name}.scores").write_text("".join(f"{factor * (0.7 + i % 7 / 30):.4f}\n" for i in range(24)))
    asked = ("--require", "not-worse", "--margin", "0.5")
    code, out, err = command("gate", "-m", "scores", *asked, "whole.scores", "half.scores")
    assert (code, out) == (2, "")
    assert not missing(err, "--margin 0.5 0.005")
    both = command(
        *GATE, "-m", "bleu", "-m", "chrf", "--margin", "bleu=0.5", "--margin", "chrf=30", "base.txt", "again=base.txt"
    )
    assert both[0] == 2
    assert "--margin chrf=0.3" in both[2]


# ---- Formats


@pytest.mark.parametrize(("systems", "code"), [(("base.txt", "new.txt"), 0), (("new.txt", "base.txt"), 1)])
def test_the_answer_is_shown_though_the_result_goes_to_a_file(
    folder: Path, command: Command, systems: tuple[str, str], code: int
) -> None:
    word = ("PASS: ", "FAIL: ")[code]
    for format in ("terminal", "md", "latex", "json", "csv"):
        found, out, err = command(*GATE, *systems, "-f", format)
        assert (found, err, out.startswith(word)) == (code, "", format == "terminal")
        found, out, err = command(*GATE, *systems, "-f", format, "-o", f"result.{format}")
        assert (found, out) == (code, "")
        assert err.startswith(f"wrote result.{format}\n{word}")
    data = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    assert data["passed"] is (code == 0)
    assert data["command"] == f"truegain gate -R 99 --ref ref.txt {' '.join(systems)}"


# ---- GitHub


def test_a_summary_is_added_to_what_is_there(folder: Path, command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    path = folder / "summary.md"
    path.write_text("# Another step\n\n", encoding="utf-8")
    assert command(*GATE, "base.txt", "new.txt", "--summary", "summary.md")[0] == 0
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(path))
    assert command(*GATE, "new.txt", "base.txt")[0] == 1
    text = path.read_text(encoding="utf-8")
    assert text.startswith("# Another step\n\n### ✅ PASS: ")
    assert "\n### ❌ FAIL: " in text
    assert text.count("<details>") == text.count("</details>") == 2
    assert "```sh\ntruegain gate -R 99 --ref ref.txt base.txt new.txt\n```" in text


def test_what_users_wrote_cannot_break_a_summary() -> None:
    lines = [f"the small cat number {i} sat on the old mat today" for i in range(30)]
    result = gate(lines, {"<b>a|b": lines, "<script>": list(lines)}, resamples=199)
    text = step_summary(result)
    table = text.split("\n\n")[1]
    assert len({line.count("|") - line.count("\\|") for line in table.splitlines()}) == 1
    assert "<script>" not in text
    assert "```" not in text, "nothing was typed"
    typed = step_summary(replace(result, command="truegain gate --ref 'a `b`' ```x"))
    assert "\n````sh\ntruegain gate --ref 'a `b`' ```x\n````\n" in typed
    assert typed.endswith("</details>\n\n")
    assert GateResult.from_dict(json.loads(result.render("json"))).passed is result.passed


def test_the_command_to_repeat_is_quoted(folder: Path, command: Command) -> None:
    (folder / "the new.txt").write_bytes((folder / "new.txt").read_bytes())
    command(*GATE, "base.txt", "n=the new.txt", "--summary", "summary.md")
    assert "--ref ref.txt base.txt 'n=the new.txt'\n" in (folder / "summary.md").read_text(encoding="utf-8")


def test_a_failure_is_annotated(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    code, out, err = command(*GATE, "new.txt", "base.txt")
    last = out.splitlines()[-1]
    assert (code, err) == (1, "")
    assert last.startswith("::error title=truegain gate::FAIL: ")
    assert "%0AOn this test set it takes Δ above " in last
    assert "::error" not in command(*GATE, "base.txt", "new.txt")[1]
    monkeypatch.setenv("GITHUB_ACTIONS", "false")
    assert "::error" not in command(*GATE, "new.txt", "base.txt")[1]


def test_data_on_standard_output_stay_data(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    code, out, err = command(*GATE, "new.txt", "base.txt", "-f", "json")
    assert code == 1
    assert json.loads(out)["passed"] is False
    assert err.startswith("::error title=truegain gate::")
    _, out, err = command(*GATE, "new.txt", "base.txt", "-o", "result.json")
    assert out.startswith("::error title=")
    assert err.startswith("wrote result.json\nFAIL: ")


def test_annotations_are_escaped() -> None:
    line = error_annotation("50 %: a, b\n", "100 %\r\n::set-output name=x::y, z: w")
    assert line == "::error title=50 %25%3A a%2C b%0A::100 %25%0D%0A::set-output name=x::y, z: w"
    assert "\n" not in line
    assert "\r" not in line


# ---- As a process


@pytest.mark.whole
@pytest.mark.skipif(not Path("/bin/bash").exists(), reason="there is no bash")
@pytest.mark.parametrize(("systems", "code"), [("base.txt new.txt", 0), ("new.txt base.txt", 1)])
def test_a_reader_that_leaves_does_not_turn_a_failure_into_success(folder: Path, systems: str, code: int) -> None:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GITHUB_")}
    for arguments in ("--margin 0", "-f json"):
        line = f"{sys.executable} -m truegain {' '.join(GATE)} {systems} {arguments} | true; exit ${{PIPESTATUS[0]}}"
        done = subprocess.run(
            ["/bin/bash", "-c", line],
            cwd=folder,
            env={**clean, "GITHUB_ACTIONS": "true"},
            capture_output=True,
            text=True,
        )
        assert done.returncode == code
        assert "Traceback" not in done.stderr
        assert "Exception" not in done.stderr


def test_a_first_line_in_green_or_red(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    for systems, code, beginning in (
        ("base.txt new.txt", 0, "\x1b[32mPASS: "),
        ("new.txt base.txt", 1, "\x1b[31mFAIL: "),
    ):
        found, out, _ = command(*GATE, *systems.split())
        assert (found, out[: len(beginning)]) == (code, beginning)
