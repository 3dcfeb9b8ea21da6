"""How many threads are used."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from truegain.executors import processors
from truegain.executors.processors import available_jobs


@pytest.fixture
def many(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine of 64 processors, whose control groups are in the folder given."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(64)), raising=False)
    monkeypatch.setattr(processors, "_LIMITS", tmp_path)
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    return tmp_path


def test_what_is_asked_for_is_taken(many: Path) -> None:
    (many / "cpu.max").write_text("100000 100000\n")
    assert available_jobs(7) == 7


def test_all_processors_that_may_be_used(many: Path) -> None:
    assert available_jobs(None) == 64


@pytest.mark.parametrize(("told", "jobs"), [("3", 3), ("5,2", 5), (" 8 ", 8), ("100", 64)])
def test_the_number_of_threads_in_the_environment(
    many: Path, monkeypatch: pytest.MonkeyPatch, told: str, jobs: int
) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", told)
    assert available_jobs(None) == jobs


@pytest.mark.parametrize("told", ["", "0", "-2", "many"])
def test_nonsense_in_the_environment_is_no_limit(many: Path, monkeypatch: pytest.MonkeyPatch, told: str) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", told)
    assert available_jobs(None) == 64


@pytest.mark.parametrize(
    ("quota", "jobs"), [("max 100000", 64), ("200000 100000", 2), ("150000 100000", 2), ("50000 100000", 1)]
)
def test_what_a_container_is_granted(many: Path, quota: str, jobs: int) -> None:
    (many / "cpu.max").write_text(quota + "\n")
    assert available_jobs(None) == jobs


@pytest.mark.parametrize(("quota", "jobs"), [("-1", 64), ("300000", 3)])
def test_what_an_older_container_is_granted(many: Path, quota: str, jobs: int) -> None:
    (many / "cpu").mkdir()
    (many / "cpu/cpu.cfs_quota_us").write_text(quota + "\n")
    (many / "cpu/cpu.cfs_period_us").write_text("100000\n")
    assert available_jobs(None) == jobs


def test_the_command_line_takes_all_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """It keeps BLAS to one thread by the environment, and must not take that for the user's word."""
    told = "import truegain.cli.main, truegain.executors.processors as module; print(module.available_jobs(None))"
    for name in [one for one in os.environ if "NUM_THREADS" in one]:
        monkeypatch.delenv(name)
    found = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    assert int(found.stdout) == available_jobs(None)
