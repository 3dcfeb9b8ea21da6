"""What comet-score was given, and what was scored before."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from truegain.statistics import scored_once


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
def texts(folder: Path, comet: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder, with comet-score without its package, and the source of its segments in src.txt."""
    monkeypatch.setattr("truegain.metrics.scorer.package_here", lambda: None)
    (folder / "src.txt").write_text("".join(f"die kleine Katze Nummer {i}\n" for i in range(24)), encoding="utf-8")
    return folder
