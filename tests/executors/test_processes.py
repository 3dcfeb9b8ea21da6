"""Processes, as any executor; and their own: folders, an end with the program, copies of it, threads that share."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.executors.behaviour import Behaviour
from tests.executors.tasks import ITSELF, Fatal
from truegain.engines.choice import make_engine
from truegain.errors import InputError
from truegain.executors import processes
from truegain.executors.base import Executor, parts_of
from truegain.executors.processes import Processes
from truegain.executors.sending import pack


@pytest.fixture(scope="module")
def executor() -> Executor:
    """Processes that have done something: those that never have are given up sooner, and any test may come first."""
    found: Executor = make_engine("processes", 3).executor
    assert list(found.map(abs, [-1])) == [1]
    return found


class TestProcesses(Behaviour):
    engine = "processes"


def test_workers_that_cannot_do_anything_are_told_of_soon(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="2 times at the same work"):
        list(Processes(1).map(Fatal(tmp_path, 99), [3]))


def test_no_folder_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither by this command, nor by one that was ended by force; that of another at work stays."""
    fcntl = pytest.importorskip("fcntl", reason="there are no such locks on this system")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    for name in ("left", "held"):
        (tmp_path / f"truegain-task-{name}").mkdir()
        (tmp_path / f"truegain-task-{name}" / "lock").touch()
    stream = (tmp_path / "truegain-task-held" / "lock").open("rb")
    fcntl.flock(stream, fcntl.LOCK_EX)
    assert [value for value, _ in Processes(1).map(ITSELF, [5])] == [5]
    stream.close()
    assert {path.name for path in tmp_path.iterdir()} == {"truegain-task-held"}


def test_a_folder_is_never_there_with_a_lock_that_nobody_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another command may sweep at any moment, also the one before the lock is held."""
    fcntl = pytest.importorskip("fcntl", reason="there are no such locks on this system")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    flock = fcntl.flock

    def late(stream: Any, kind: int) -> None:
        if kind == fcntl.LOCK_EX:
            processes._sweep()
        flock(stream, kind)

    monkeypatch.setattr(fcntl, "flock", late)
    with processes._written(pack(ITSELF, "task")) as file:
        assert Path(file).exists()
        processes._sweep()
        assert Path(file).exists()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("first", "count", "workers"), [(0, 1, 1), (5, 10_000, 3), (0, 10**6, 2), (7, 255, 16)])
def test_parts_are_all_of_it(first: int, count: int, workers: int) -> None:
    parts = parts_of(first, count, workers)
    assert [number for start, size in parts for number in (start, start + size)][1:-1:2] == [
        start for start, _ in parts[1:]
    ]
    assert parts[0][0] == first
    assert sum(size for _, size in parts) == count
    assert max(size for _, size in parts) <= 20_000


GUARDLESS = """
from truegain.executors.processes import Processes
print(list(Processes(1).map(abs, [-1])))
"""


@pytest.mark.whole
def test_a_script_without_a_guard_is_told_of(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(GUARDLESS)
    done = subprocess.run([sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert 'if __name__ == "__main__"' in done.stderr.splitlines()[-1]


LONG = """
import os, sys, time
from truegain.executors.processes import Processes
if __name__ == "__main__":
    executor = Processes(2)
    list(executor.map(abs, [1, 2]))
    print(*executor.pool()._processes, flush=True)
    time.sleep(60)
"""


@pytest.mark.whole
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM], ids=["kill", "terminate"])
def test_workers_end_with_the_command(tmp_path: Path, number: int) -> None:
    (tmp_path / "script.py").write_text(LONG)
    command = subprocess.Popen([sys.executable, "script.py"], cwd=tmp_path, stdout=subprocess.PIPE, text=True)
    assert command.stdout is not None
    workers = [int(one) for one in command.stdout.readline().split()]
    assert len(workers) == 2
    command.send_signal(number)
    command.stdout.read()  # to its end, which comes when nobody holds it any more
    command.stdout.close()
    command.wait()
    for worker in workers:
        for _ in range(100):
            if not Path(f"/proc/{worker}").exists():
                break
            time.sleep(0.05)
        else:
            pytest.fail(f"process {worker} is still there")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on this system")
def test_a_copy_of_this_process_begins_processes_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(FORKED)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "script.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert done.stdout.split() == ["[1,", "2]", "[1,", "2]"]


FORKED = """
import os
from truegain.executors.processes import Processes
if __name__ == "__main__":
    executor = Processes(1)
    print(list(executor.map(abs, [-1, -2])), flush=True)
    child = os.fork()
    if child == 0:
        print(list(executor.map(abs, [-1, -2])), flush=True)
        executor.close()
        os._exit(0)
    os.waitpid(child, 0)
"""


def test_processes_that_do_not_end_when_told_to_are_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """As one that waits for a lock, which another took with it when a signal ended it."""
    monkeypatch.setattr(processes, "_PATIENCE", 1.0)
    executor = Processes(2)
    assert list(executor.map(abs, [-1, -2, -3, -4])) == [1, 2, 3, 4]
    workers = list((executor.pool()._processes or {}).values())
    assert workers
    for one in workers:
        assert one.pid is not None
        os.kill(one.pid, signal.SIGSTOP)
    executor.close()
    assert {one.exitcode for one in workers} == {-signal.SIGKILL}
    assert list(executor.map(abs, [-1])) == [1]
    executor.close()


def test_lost_processes_are_ended_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two threads that end them at once close the same pipes, which may be those of others by then."""
    executor = Processes(2)
    pool, ended = executor.pool(), []
    shut_down = pool.shutdown

    def counted(**options: bool) -> None:
        ended.append(options)
        shut_down(**options)

    monkeypatch.setattr(pool, "shutdown", counted)
    executor.lost(pool)
    executor.lost(pool)
    executor.close()
    assert len(ended) == 1


def test_threads_that_share_processes_survive_a_loss(tmp_path: Path) -> None:
    executor = Processes(2)
    assert list(executor.map(abs, [-1])) == [1]

    def work(number: int) -> list[int]:
        folder = tmp_path / str(number)
        folder.mkdir()
        return list(executor.map(Fatal(folder, 1), range(5)))

    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(work, range(3))) == [[i * i for i in range(5)]] * 3


SCRIPT = """
import truegain as tg
texts = [f"the cat number {i}" for i in range(30)]
tg.calibrate(texts, {"a": texts[:15] + texts[:15], "b": texts[::-1]}, repetitions=100, resamples=100, jobs=2)
print("done")
"""


def test_a_script_without_a_guard_has_no_processes_that_nobody_asked_for(tmp_path: Path) -> None:
    """They would run it again."""
    (tmp_path / "script.py").write_text(SCRIPT)
    done = subprocess.run([sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr
