"""How time and memory are measured."""

from __future__ import annotations

import functools
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

__all__ = ["Row", "Skipped", "Times", "Usage", "alternate", "program", "run_command", "warm_up"]

_ENOUGH = 3.0  # seconds of the peer, after which it is not run again
_OUR_SHARE = 0.1  # of the peer's time that our side may run for in a round
_FEWEST, _MOST = 5, 30  # of our runs in a round
_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")

# A process inherits its parent's peak memory, so commands are started from a small interpreter of their own.
_STARTER = """
import json, resource, subprocess, sys, time
start = time.perf_counter()
done = subprocess.run(sys.argv[1:], stdin=subprocess.DEVNULL, capture_output=True)
wall = time.perf_counter() - start
used = resource.getrusage(resource.RUSAGE_CHILDREN)
unit = 1 if sys.platform == "darwin" else 1024
print(json.dumps({
    "code": done.returncode, "wall": wall, "cpu": used.ru_utime + used.ru_stime, "peak": used.ru_maxrss * unit,
    "output": done.stdout.decode(errors="replace"), "errors": done.stderr.decode(errors="replace"),
}))
"""


@dataclass(frozen=True)
class Row:
    """One line of the table: a piece of work, what it took, and what it may take.

    Attributes
    ----------
    work, data : str
    kind : "ratio", "seconds" or "megabytes"
        Whether the target is a ratio to the peer, to be reached, or a limit of our own figure, to be kept.
    peer : float or None
        Seconds of the peer, or its megabytes.
    ours : float
        Seconds, or megabytes.
    target : float or None
        None where none was set: the figure is there to be known.
    agree : bool or None
        Whether both gave the same results; None where there is nothing to compare.
    note : str
        What has to be known to read the figures rightly.
    """

    work: str
    data: str
    kind: Literal["ratio", "seconds", "megabytes"]
    peer: float | None
    ours: float
    target: float | None
    agree: bool | None = None
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """How many times faster than the peer, or smaller."""
        return None if self.peer is None else self.peer / self.ours

    @property
    def met(self) -> bool | None:
        """Whether the target is met; None where there is none."""
        if self.target is None:
            return None
        if self.ratio is not None and self.kind == "ratio":
            return self.ratio >= self.target
        return self.ours <= self.target


@dataclass(frozen=True)
class Skipped:
    """What was not measured, and why."""

    work: str
    reason: str


@dataclass(frozen=True)
class Times:
    """The best processor time of each side, in seconds, and what each gave."""

    peer: float
    ours: float
    peer_result: Any
    our_result: Any


def alternate(
    peer: Callable[[], Any],
    ours: Callable[[], Any],
    *,
    repeats: int,
    before_peer: Callable[[], None] | None = None,
) -> Times:
    """Run both in turn, in rounds, and keep the best processor time of each.

    In a round the peer runs once, and our side, which is short, several times: their median counts, so that luck does
    not favour the side with more runs.
    """
    peer_times: list[float] = []
    our_times: list[float] = []
    peer_result = our_result = None
    for _ in range(repeats):
        if before_peer is not None:
            before_peer()
        seconds, peer_result = _timed(peer)
        peer_times.append(seconds)
        round_times: list[float] = []
        while len(round_times) < _FEWEST or (len(round_times) < _MOST and sum(round_times) < _OUR_SHARE * seconds):
            ours_seconds, our_result = _timed(ours)
            round_times.append(ours_seconds)
        our_times.append(statistics.median(round_times))
        if sum(peer_times) > _ENOUGH:
            break
    return Times(min(peer_times), min(our_times), peer_result, our_result)


def _timed(work: Callable[[], Any]) -> tuple[float, Any]:
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


@dataclass(frozen=True)
class Usage:
    """What a command used: processor seconds (user and system), seconds on the clock, bytes at the peak."""

    cpu: float
    wall: float
    peak: int
    output: str


def run_command(arguments: Sequence[str | Path], **settings: str) -> Usage:
    """Run a command in a process of its own, on one thread, with its modules compiled (see :func:`warm_up`).

    ``settings`` are variables of its environment.
    """
    command = [sys.executable, "-I", "-S", "-c", _STARTER, *map(str, arguments)]
    environment = {**os.environ, **_ONE_THREAD, "PYTHONPYCACHEPREFIX": _bytecode().name, **settings}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    if found["code"] != 0:
        raise RuntimeError(f"{' '.join(map(str, arguments))} failed:\n{found['errors']}")
    return Usage(found["cpu"], found["wall"], found["peak"], found["output"])


def warm_up(arguments: Sequence[str | Path]) -> None:
    """Run a command once before it is timed: where it was used before, Python has compiled its modules."""
    run_command(arguments)


@functools.cache
def _bytecode() -> tempfile.TemporaryDirectory[str]:
    """Where both sides keep compiled modules, whatever the settings around."""
    return tempfile.TemporaryDirectory(prefix="bytecode-")


def program(name: str) -> str:
    """Return a program installed next to this interpreter."""
    path = Path(sys.executable).with_name(name)
    if not path.exists():
        raise FileNotFoundError(f"{path}: install the project and its development tools first")
    return str(path)
