"""A folder with a small test set, and the command line run in it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from truegain.cli.main import main

SEGMENTS = 24


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with ref.txt, base.txt, new.txt, docs.txt and two files of scores."""
    monkeypatch.chdir(tmp_path)
    for variable in ("COLUMNS", "NO_COLOR", "FORCE_COLOR", "TRUEGAIN_CACHE_SIZE"):
        monkeypatch.delenv(variable, raising=False)
    files = {
        "ref.txt": [f"the small cat number {i} sat on the old mat today" for i in range(SEGMENTS)],
        "base.txt": [f"the small cat number {i} sits on {'an' if i % 2 else 'the'} old mat" for i in range(SEGMENTS)],
        "new.txt": [f"the small cat number {i} sat on {'an' if i % 5 else 'the'} old mat" for i in range(SEGMENTS)],
        "docs.txt": [f"doc{i // 3}" for i in range(SEGMENTS)],
        "base.scores": [f"{0.5 + i % 7 / 100}" for i in range(SEGMENTS)],
        "new.scores": [f"{0.6 + i % 5 / 100}" for i in range(SEGMENTS)],
    }
    for name, lines in files.items():
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="")
    return tmp_path


@pytest.fixture
def command(folder: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Run the command line in this process: its exit code, what it printed, and what it said."""

    def run(*arguments: str) -> tuple[int, str, str]:
        capsys.readouterr()
        with pytest.raises(SystemExit) as stop:
            main(list(arguments))
        code = stop.value.code
        assert isinstance(code, int)
        out, err = capsys.readouterr()
        return code, out, err

    return run


@pytest.fixture
def refused(folder: Path, command: Callable[..., tuple[int, str, str]]) -> Callable[..., str]:
    """Run a command that must fail for bad input: the old output stays as it was. Gives what was said."""

    def run(*arguments: str) -> str:
        old = folder / "old.json"
        old.write_text("the old result\n")
        before = sorted(path.name for path in folder.iterdir())
        code, out, err = command(*arguments, "-o", "old.json")
        assert (code, out) == (2, ""), err
        assert old.read_text() == "the old result\n"
        assert sorted(path.name for path in folder.iterdir()) == before
        assert err.startswith(("truegain: ", "Usage: truegain "))
        assert "Traceback" not in err
        return err

    return run
