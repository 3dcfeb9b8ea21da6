"""Other processes: the same results in the same order, also where workers are lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from truegain.errors import InputError
from truegain.executors.base import parts_of
from truegain.executors.processes import RETRIES, Processes


@dataclass(frozen=True)
class Scaled:
    by: int

    def __call__(self, item: int) -> tuple[int, int]:
        if item == 77:
            raise InputError("no such item", path="there", line=3, hint="take another")
        return item * self.by, os.getpid()


@dataclass(frozen=True)
class Fatal:
    """Ends its own process for some items, the first so many times."""

    folder: Path
    times: int

    def __call__(self, item: int) -> int:
        if item % 5 == 3:
            for time in range(self.times):
                try:
                    (self.folder / f"{item}.{time}").touch(exist_ok=False)
                except FileExistsError:
                    continue
                os.kill(os.getpid(), signal.SIGKILL)
        return item * item


def test_in_order_and_elsewhere() -> None:
    found = list(Processes(2).map(Scaled(3), range(20)))
    assert [value for value, _ in found] == [3 * i for i in range(20)]
    assert os.getpid() not in {process for _, process in found}


def test_nothing_to_do() -> None:
    assert list(Processes(2).map(Scaled(3), [])) == []


def test_an_error_comes_back_whole() -> None:
    with pytest.raises(InputError) as caught:
        list(Processes(2).map(Scaled(3), range(70, 80)))
    assert (caught.value.path, caught.value.line, caught.value.hint) == ("there", 3, "take another")


def test_a_lost_worker_loses_nothing(tmp_path: Path) -> None:
    assert list(Processes(2).map(Fatal(tmp_path, 1), range(5))) == [i * i for i in range(5)]
    assert len(list(tmp_path.iterdir())) == 1


def test_workers_that_are_always_lost_are_told_of(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"{RETRIES + 1} times in a row"):
        list(Processes(1).map(Fatal(tmp_path, 99), range(5)))
    assert len(list(tmp_path.iterdir())) == RETRIES + 1


def test_what_cannot_be_sent_is_told_of() -> None:
    with pytest.raises(InputError, match="cannot be sent to another process"):
        list(Processes(1).map(lambda item: item, [1]))


def test_no_folder_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither by this command, nor by one that was ended by force; that of another at work stays."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    for number in (str(ended.pid), str(os.getppid()), "x"):
        (tmp_path / f"truegain-task-{number}-abc").mkdir()
    assert [value for value, _ in Processes(1).map(Scaled(1), [5])] == [5]
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {f"truegain-task-{os.getppid()}-abc", "truegain-task-x-abc"}


@pytest.mark.parametrize(("first", "count", "workers"), [(0, 1, 1), (5, 10_000, 3), (0, 10**6, 2), (7, 255, 16)])
def test_parts_are_all_of_it(first: int, count: int, workers: int) -> None:
    parts = parts_of(first, count, workers)
    assert [number for start, size in parts for number in (start, start + size)][1:-1:2] == [
        start for start, _ in parts[1:]
    ]
    assert parts[0][0] == first
    assert sum(size for _, size in parts) == count
    assert max(size for _, size in parts) <= 20_000
