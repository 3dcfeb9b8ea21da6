"""Limits of memory, from less than numpy needs up: a message or a result, never a traceback nor a code of another."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import pytest

from truegain.executors import processors

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the address space is limited on Linux")

Run = Callable[..., "subprocess.CompletedProcess[str]"]

LIMIT = "import resource; resource.setrlimit(resource.RLIMIT_AS, ({0} << 20, {0} << 20))"
COMPARE = ("compare", "--no-cache", "-j", "2", "-m", "bleu", "-m", "ter", "--ref", "ref.txt", "base.txt", "new.txt")
FEW = [40, 120, 160, 200, 2000]


def check(answer: subprocess.CompletedProcess[str], megabytes: int) -> None:
    assert answer.returncode in (0, 2), answer.stderr
    assert "Traceback" not in answer.stderr
    assert "OpenBLAS" not in answer.stderr
    if answer.returncode == 2:
        assert answer.stdout == ""
        assert answer.stderr.startswith(("truegain: there is not enough memory", "truegain: no thread can be started"))
    assert answer.returncode == (2 if megabytes < 120 else 0 if megabytes >= 1000 else answer.returncode)


@pytest.mark.parametrize("megabytes", FEW)
def test_a_result_or_a_message(run: Run, megabytes: int) -> None:
    answer = run(*COMPARE, "--test", "bootstrap", "-R", "3000", "-f", "json", first=LIMIT.format(megabytes))
    check(answer, megabytes)


@pytest.mark.slow
@pytest.mark.parametrize("format", ["json", "html"])
@pytest.mark.parametrize("megabytes", [*range(20, 300, 10), *range(300, 1100, 100)])
def test_at_every_size(run: Run, megabytes: int, format: str) -> None:
    check(run(*COMPARE, "-R", "3000", "-f", format, first=LIMIT.format(megabytes)), megabytes)


def test_help_needs_little(run: Run) -> None:
    assert run("compare", "--help", first=LIMIT.format(60)).returncode == 0


def test_what_cannot_be_had_is_not_promised() -> None:
    processors.need(1 << 20)
    with pytest.raises(MemoryError):
        processors.need(1 << 60)


def test_a_library_that_is_missing_is_another_matter(run: Run) -> None:
    answer = run(*COMPARE, first="import sys; sys.modules['truegain.corpus'] = None")
    assert answer.returncode == 3
    assert "fault of truegain" in answer.stderr
