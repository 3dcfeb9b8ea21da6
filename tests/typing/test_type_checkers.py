"""mypy and pyright accept right calls of public functions, and reject a wrong name, type and choice."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
PROGRAM = HERE / "program.py"
PYRIGHT = HERE.parent / "e2e" / "node_modules" / ".bin" / "pyright"
WRONG = {i for i, line in enumerate(PROGRAM.read_text(encoding="utf-8").splitlines(), 1) if "# wrong" in line}


def complained(*command: str, folder: Path) -> set[int]:
    """Return the lines of the program that a checker has errors for."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    found = re.findall(r"program\.py:(\d+)(?::\d+)?(?: -|:) error", done.stdout)
    assert found, done.stdout + done.stderr
    return set(map(int, found))


def test_mypy() -> None:
    """With the project's own settings, and what its cache has since the lint."""
    assert complained(sys.executable, "-m", "mypy", str(PROGRAM), folder=HERE.parents[1]) == WRONG


@pytest.mark.whole
@pytest.mark.skipif(not PYRIGHT.exists(), reason="pyright is not installed: npm ci --prefix tests/e2e")
def test_pyright(tmp_path: Path) -> None:
    command = (str(PYRIGHT), "--pythonpath", sys.executable, str(PROGRAM))
    assert complained(*command, folder=tmp_path) == WRONG
