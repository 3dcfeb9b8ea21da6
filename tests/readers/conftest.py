"""What tests of readers share: files written row by row."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Write a file in the working directory, a line for each row, in JSON if it is an object or a list; its name."""
    monkeypatch.chdir(tmp_path)

    def written(name: str, *rows: object) -> str:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        lines = (json.dumps(row) if isinstance(row, dict | list) else str(row) for row in rows)
        Path(name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return name

    return written


@pytest.fixture
def run(command: Callable[..., tuple[int, str, str]]) -> Callable[..., str]:
    """Run a command that must end with the code, and return what it printed, or said of its failure."""

    def ran(*arguments: str, code: int = 0) -> str:
        found, out, err = command(*arguments)
        assert found == code, err
        return err if code else out

    return ran
