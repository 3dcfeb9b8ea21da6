"""Tests that ``make test`` leaves to ``make test-all``; those that are named run all the same."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ONLY_WITH_ALL, PAGES

ROOT = Path(__file__).resolve().parents[1]
TEXT = """
import pytest

def test_quick(): pass

@pytest.mark.whole
def test_longer(): pass

@pytest.mark.slow
def test_minutes(): pass
"""


def test_every_place_that_is_left_out_is_there() -> None:
    for place in ONLY_WITH_ALL + PAGES:
        assert (ROOT / "tests" / place).exists(), place


@pytest.mark.parametrize(
    ("arguments", "passed", "skipped"),
    [
        ([], 1, 2),
        (["--all"], 4, 2),
        (["--slow"], 6, 0),
        (["tests"], 4, 2),
        (["tests/parity"], 2, 1),
        (["tests/test_one.py::test_longer"], 1, 0),
    ],
)
def test_what_runs(tmp_path: Path, arguments: list[str], passed: int, skipped: int) -> None:
    (tmp_path / "tests" / "parity").mkdir(parents=True)
    (tmp_path / "tests" / "conftest.py").write_bytes((ROOT / "tests" / "conftest.py").read_bytes())
    (tmp_path / "pytest.ini").write_text(
        "[pytest]\ntestpaths = tests\naddopts = --import-mode=importlib\nmarkers =\n  slow: minutes\n  whole: all\n"
    )
    for place in ("test_one.py", "parity/test_two.py"):
        (tmp_path / "tests" / place).write_text(TEXT)
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments]
    lenient = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",  # which start slowly
        "TRUEGAIN_STRICT": "",
    }
    done = subprocess.run(command, cwd=tmp_path, env=lenient, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    counts = {kind: int(count) for count, kind in re.findall(r"(\d+) (passed|skipped)", done.stdout)}
    assert counts == {"passed": passed} | ({"skipped": skipped} if skipped else {})
    assert ("left to make test-all: " in done.stdout) == (arguments == [])
