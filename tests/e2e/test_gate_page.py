"""What docs/gate.md shows is what the commands print on the bundled sample, and its workflow and tests run."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest

from truegain.cli import main as commands

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "gate.md").read_text(encoding="utf-8")
SHOWN = [block for block in re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL) if block.startswith("$ ")]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The sample under the names that the page uses."""
    sample = Path(str(files("truegain") / "sample"))
    names = {"ref.1": "ref", "baseline.1": "base", "better.1": "new", "similar.1": "similar", "docs": "docs"}
    (tmp_path / "test").mkdir()
    for old, new in names.items():
        shutil.copy(sample / f"{old}.txt", tmp_path / f"{new}.txt")
        shutil.copy(sample / f"{old}.txt", tmp_path / "test" / f"{new}.txt")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(commands._COMMANDS, "gate", "May a system pass?")
    for variable in ("GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("COLUMNS", "100")
    return tmp_path


def run(command: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    with pytest.raises(SystemExit) as stop:
        commands.main(shlex.split(command)[1:])
    assert isinstance(stop.value.code, int)
    return stop.value.code, capsys.readouterr().out


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("block", SHOWN, ids=range(len(SHOWN)))
def test_what_is_shown_is_printed(block: str, capsys: pytest.CaptureFixture[str]) -> None:
    command, _, shown = block.partition("\n")
    code, printed = run(command.removeprefix("$ "), capsys)
    assert code == (0 if shown.startswith("PASS") else 1)
    place = 0
    for part in filter(None, shown.split("…\n")):
        assert part in printed[place:]
        place = printed.index(part, place) + len(part)
    assert printed.startswith(shown.partition("\n")[0])


def test_the_workflow_runs(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (workflow,) = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    (command,) = re.findall(r"run: (truegain gate .*)", workflow)
    code, printed = run(command, capsys)
    assert (code, printed) == (0, "")
    assert json.loads((folder / "gate.json").read_text(encoding="utf-8"))["passed"] is True


@pytest.mark.usefixtures("folder")
def test_the_tests_on_the_page_pass() -> None:
    (block,) = (block for block in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL) if "truegain.testing" in block)
    names: dict[str, Callable[[], None]] = {}
    exec(compile(block, "gate.md", "exec"), names)
    tests = [function for name, function in names.items() if name.startswith("test_")]
    assert len(tests) == 3
    assert {block.split("\n")[1][:4] for block in SHOWN} == {"PASS", "FAIL"}
    for one in tests:
        one()
