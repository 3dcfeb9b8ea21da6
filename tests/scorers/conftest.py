"""A scorer that is a program of the tests, defined as users define theirs."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from truegain.statistics import scored_once

PROGRAM = Path(__file__).with_name("stand_in.py")


@pytest.fixture(autouse=True)
def nothing_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep what one test scored from the next, as if each were a process of its own."""
    monkeypatch.setattr(scored_once, "_known", {})


@pytest.fixture
def forget(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Forget what this process has scored, as if another began."""
    return lambda: monkeypatch.setattr(scored_once, "_known", {})


@pytest.fixture
def seen(folder: Path) -> Callable[[], list[list[str]]]:
    """Return what the program was given since the last call: source, output and reference."""

    def new() -> list[list[str]]:
        path = folder / "seen"
        found = [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []
        path.unlink(missing_ok=True)
        return found

    return new


@pytest.fixture
def define(folder: Path) -> Callable[..., str]:
    """Write definitions of the stand-in; return the file."""

    def write(*arguments: str, name: str = "overlap", more: str = 'version = "1"') -> str:
        given = arguments or ("--source", "{source}", "--reference", "{reference}")
        command = [sys.executable, str(PROGRAM), str(folder / "seen"), "{output}", "{result}", *given]
        path = folder / "scorers.toml"
        path.write_text(f"[scorer.{name}]\ncommand = {json.dumps(command)}\n{more}\n", encoding="utf-8")
        return str(path)

    return write


@pytest.fixture
def texts(folder: Path) -> Path:
    """The folder, with the source of its segments in src.txt."""
    (folder / "src.txt").write_text("".join(f"die kleine Katze Nummer {i}\n" for i in range(24)), encoding="utf-8")
    return folder
