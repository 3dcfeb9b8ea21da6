"""TRUEGAIN_STRICT: a test that is skipped is a failure, for any reason but the few that a machine may have."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

CONFTEST = Path(__file__).with_name("conftest.py")
FILES = {
    "test_one": """
import pytest

def test_runs(): pass

@pytest.mark.slow
def test_minutes(): assert False

@pytest.mark.skipif(True, reason="TRUEGAIN_DATA has no outputs")
def test_data(): assert False

@pytest.mark.skipif(True, reason="there is no such program")
def test_program(): assert False

def test_inside(): pytest.skip("it is not installed")

@pytest.mark.xfail(reason="known")
def test_known(): assert False
""",
    "test_whole_file": """
import pytest

pytest.importorskip("no_such_library")

def test_library(): assert False
""",
}


@pytest.mark.parametrize("strict", [True, False])
def test_skips(tmp_path: Path, strict: bool) -> None:
    (tmp_path / "conftest.py").write_bytes(CONFTEST.read_bytes())
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = slow: minutes\n")
    for name, text in FILES.items():
        (tmp_path / f"{name}.py").write_text(text)
    command = [sys.executable, "-m", "pytest", "-rA", "-p", "no:cacheprovider", "--continue-on-collection-errors"]
    environment = {
        **os.environ,
        "PYTHONPATH": str(CONFTEST.parents[1]),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "TRUEGAIN_STRICT": "1" if strict else "",
    }
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    wrong = set(re.findall(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE))
    must_not = {"test_one.py::test_program", "test_one.py::test_inside", "test_whole_file.py"}
    assert wrong == (must_not if strict else set()), done.stdout
    counts = {kind: int(count) for count, kind in re.findall(r"(\d+) (passed|skipped|xfailed)", done.stdout)}
    assert counts == {"passed": 1, "skipped": 2 if strict else 5, "xfailed": 1}
