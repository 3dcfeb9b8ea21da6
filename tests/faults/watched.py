"""Run a command in a process of its own under a fault, and see what it leaves: files, folders and processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import uuid4

MARK = "TRUEGAIN_TEST_MARK"
SECONDS = 300  # on a machine that others use as well
SECONDS_TO_END = 60


@dataclass(frozen=True)
class Ended:
    """How a command ended.

    Attributes
    ----------
    code : int
    out : bytes
    said : str
    temporary : list of str
        What is left of its temporary files.
    alive : list of str
        Its processes that still run.
    made : list of str
        New files and folders where it ran.
    """

    code: int
    out: bytes
    said: str
    temporary: list[str]
    alive: list[str]
    made: list[str]

    def leaves_nothing(self) -> None:
        assert self.temporary == []
        assert self.alive == []
        assert "Traceback" not in self.said, self.said
        assert "fault of truegain" not in self.said, self.said


def watch(
    arguments: Sequence[str],
    folder: Path,
    *,
    script: str = "from truegain.cli.start import main\nmain()",
    befall: Callable[[], object] | None = None,
    environment: Mapping[str, str] | None = None,
) -> Ended:
    """Run a command to its end, with something done to its process before it begins.

    It has a session, a folder for temporary files and a home of its own.
    """

    def prepare() -> None:
        # Whoever runs the tests in the background, or by nohup, is deaf to some signals.
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        if befall is not None:
            befall()

    before = names(folder)
    mark = uuid4().hex
    with TemporaryDirectory(dir="/tmp") as temporary:
        changed = {"TMPDIR": temporary, "HOME": temporary, "TRUEGAIN_CACHE": "cache", MARK: mark}
        # What matplotlib keeps between runs is no matter here.
        kept = {"MPLCONFIGDIR": os.environ.get("MPLCONFIGDIR", str(Path.home() / ".cache" / "matplotlib"))}
        process = subprocess.Popen(
            [sys.executable, "-c", script, *arguments],
            cwd=folder,
            env={**os.environ, **kept, **changed, **(environment or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            preexec_fn=prepare,
            start_new_session=True,
        )
        try:
            out, said = process.communicate(timeout=SECONDS)
        finally:
            alive = wait_for_the_end(mark)
        left = sorted(names(Path(temporary)))
    made = sorted(names(folder) - before - {"cache"})
    return Ended(process.returncode, out, said.decode(errors="replace"), left, alive, made)


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def wait_for_the_end(mark: str) -> list[str]:
    """The processes with this mark in their environment that are there after a while; then they are killed."""
    until = time.monotonic() + SECONDS_TO_END
    while (found := marked(mark)) and time.monotonic() < until:
        time.sleep(0.1)
    for process in found:
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
    return list(found.values())


def marked(mark: str) -> dict[int, str]:
    """Processes by their numbers, with their command lines."""
    found = {}
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if f"{MARK}={mark}".encode() in (process / "environ").read_bytes():
                line = (process / "cmdline").read_bytes()
                found[int(process.name)] = line.replace(b"\0", b" ").decode(errors="replace")
        except OSError:  # another user's, or it has just ended
            continue
    return found
