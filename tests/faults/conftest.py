"""A folder with a small test set, and commands in processes of their own, under whatever befalls them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

SEGMENTS = 24

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with ref.txt, base.txt, new.txt, third.txt, two files of scores."""
    monkeypatch.chdir(tmp_path)
    for variable in ("COLUMNS", "NO_COLOR", "FORCE_COLOR", "TRUEGAIN_CACHE_SIZE"):
        monkeypatch.delenv(variable, raising=False)
    files = {
        "ref.txt": [f"the small cat number {i} sat on the old mat today" for i in range(SEGMENTS)],
        "base.txt": [f"the small cat number {i} sits on {'an' if i % 2 else 'the'} old mat" for i in range(SEGMENTS)],
        "new.txt": [f"the small cat number {i} sat on {'an' if i % 5 else 'the'} old mat" for i in range(SEGMENTS)],
        "third.txt": [f"a small cat number {i} sat on {'an' if i % 3 else 'the'} old mat" for i in range(SEGMENTS)],
        "base.scores": [f"{0.5 + i % 7 / 100}" for i in range(SEGMENTS)],
        "new.scores": [f"{0.6 + i % 5 / 100}" for i in range(SEGMENTS)],
    }
    for name, lines in files.items():
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="")
    return tmp_path


@pytest.fixture
def run(folder: Path) -> Run:
    """Run a command in a process of its own, after some lines of Python."""

    def process(*arguments: str, first: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
        script = f"{first}\nfrom truegain.cli.main import main\nmain()"
        return subprocess.run(
            [sys.executable, "-c", script, *arguments],
            capture_output=True,
            text=True,
            env={**os.environ, **environment},
            cwd=folder,
            timeout=120,
        )

    return process
