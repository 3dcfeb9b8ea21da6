"""Shards under whatever befalls them: full disks, little memory, Ctrl-C. The old file stays, and none is left half."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(os.name != "posix", reason="limits and signals are POSIX's here")

Command = Callable[..., tuple[int, str, str]]
Run = Callable[..., "subprocess.CompletedProcess[str]"]

STATS = ("stats", "-j", "2", "--ref", "ref.txt", "base.txt", "new.txt")
OLD = b"the old shard\n"


def test_a_full_disk(run: Run, folder: Path) -> None:
    (folder / "a.sums").write_bytes(OLD)
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))"
    before = sorted(path.name for path in folder.iterdir())
    answer = run(*STATS, "-o", "a.sums", first=limit)
    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr.startswith("truegain: a.sums: cannot be written: ")
    assert (folder / "a.sums").read_bytes() == OLD
    assert sorted(path.name for path in folder.iterdir()) == before


@pytest.mark.skipif(sys.platform != "linux", reason="the address space is limited on Linux")
@pytest.mark.parametrize("resamples", ["1000", "100000000", "1000000000000"])
def test_more_resamples_than_memory(run: Run, folder: Path, resamples: str) -> None:
    limit = "import resource; resource.setrlimit(resource.RLIMIT_AS, (1500 << 20, 1500 << 20))"
    answer = run(*STATS, "-R", resamples, "-o", "a.sums", first=limit)
    assert answer.returncode == (0 if resamples == "1000" else 2), answer.stderr
    assert "Traceback" not in answer.stderr
    assert (folder / "a.sums").exists() == (resamples == "1000")
    if resamples != "1000":
        assert answer.stderr.startswith("truegain: there is not enough memory for this")


def test_interrupted_while_it_reads(folder: Path) -> None:
    """A pipe that does not end: Ctrl-C comes in the middle of the shard."""
    (folder / "a.sums").write_bytes(OLD)
    os.mkfifo(folder / "pipe.txt")
    command = ["stats", "-j", "1", "--ref", "pipe.txt", "base=base.txt", "-o", "a.sums"]
    process = subprocess.Popen(
        [sys.executable, "-m", "truegain", *command],
        cwd=folder,
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # tests in the background are deaf to it
    )
    with process, (folder / "pipe.txt").open("w") as pipe:  # opened by both, so the command has come to its files
        pipe.write("a line\n")
        pipe.flush()
        for _ in range(20):
            # Once more where it came in the very moment before Python waits for the pipe, which it tells of only after.
            process.send_signal(signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                out, said = process.communicate(timeout=3)
                break
        else:
            process.kill()
            pytest.fail("it does not end")
    assert (process.returncode, out, said) == (130, "", "truegain: interrupted\n")
    assert (folder / "a.sums").read_bytes() == OLD
    assert [path.name for path in folder.glob(".*")] == []


def test_a_shard_cut_short_is_not_merged(command: Command, folder: Path) -> None:
    assert command(*STATS, "-R", "100", "-o", "a.sums")[0] == 0
    whole = (folder / "a.sums").read_bytes()
    for size in (0, 1, 20, 200, len(whole) - 1):
        (folder / "cut.sums").write_bytes(whole[:size])
        code, out, err = command("merge", "cut.sums", "-o", "all.sums")
        assert (code, out) == (2, "")
        assert err.startswith("truegain: cut.sums: ")
        assert not (folder / "all.sums").exists()
