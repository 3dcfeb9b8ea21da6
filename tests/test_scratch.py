"""Tables and texts in scratch files: the same as in memory, and gone with the process."""

from __future__ import annotations

import pickle
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.refusals import refused
from truegain.cache import digest_lines
from truegain.scratch import LinesOnDisk, hold, most_held, stretches, table

CHARACTERS = st.characters(exclude_characters="\n", exclude_categories=["Cs"])
BLOCKS = st.lists(st.lists(st.text(CHARACTERS, max_size=9), min_size=1, max_size=150), min_size=1, max_size=4)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is held."""
    monkeypatch.setenv("TRUEGAIN_MEMORY", "0")


@given(BLOCKS, st.integers(-400, 400), st.integers(-400, 400), st.integers(1, 3))
def test_lines_on_disk_are_those_that_were_given(blocks: list[list[str]], first: int, end: int, step: int) -> None:
    lines = [line for block in blocks for line in block]
    found = LinesOnDisk(blocks)
    assert len(found) == len(lines)
    assert list(found) == lines
    assert found[first:end] == tuple(lines[first:end])
    assert found[first:end:step] == tuple(lines[first:end:step])
    assert found[::-1] == tuple(lines[::-1])
    assert found[-1] == lines[-1]
    assert [found[i] for i in range(len(lines))] == lines
    assert digest_lines(found) == digest_lines(lines)
    assert found == lines
    assert found != [*lines[:-1], f"{lines[-1]}x"]
    again = LinesOnDisk([lines])
    assert found == again
    assert hash(found) == hash(again)
    assert found != LinesOnDisk([[*lines[:-1], f"{lines[-1]}x"]])
    assert pickle.loads(pickle.dumps(found)) == lines


def test_no_line_beyond_the_last() -> None:
    found = LinesOnDisk([["a", "b"]])
    with pytest.raises(IndexError):
        found[2]
    with pytest.raises(IndexError):
        found[-3]
    assert found[2:] == ()


def test_lines_are_held_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = [["x" * 100] * 10 for _ in range(4)]
    lines = [line for block in blocks for line in block]
    for limit, kind in ((10_000, list), (6_000, LinesOnDisk), (0, LinesOnDisk)):
        monkeypatch.setenv("TRUEGAIN_MEMORY", str(limit))
        found = hold(iter(blocks))
        assert isinstance(found, kind)
        assert found == lines
    monkeypatch.setenv("TRUEGAIN_MEMORY", "10000")
    assert isinstance(hold(iter(blocks), 10_001), LinesOnDisk)


def test_a_table_is_in_a_file_beyond_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRUEGAIN_MEMORY", str(8 * 12))
    assert table(3, 4).base is None
    assert table(3, 8, np.float32).base is None
    mapped = table(3, 5)
    assert isinstance(mapped.base, np.memmap)
    mapped[:] = np.arange(15).reshape(3, 5)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(mapped)), mapped)


@pytest.mark.usefixtures("small")
def test_files_have_no_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRUEGAIN_CACHE", str(tmp_path / "cache"))
    kept: Sequence[object] = [table(100, 100), LinesOnDisk([["a"]])]
    assert list((tmp_path / "cache").iterdir()) == []
    assert len(kept) == 2


HELD = """
import sys, time
from truegain.scratch import LinesOnDisk, table
values, lines = table(1000, 1000), LinesOnDisk([["a"]])
values[:] = 1.0
print("ready", flush=True)
time.sleep(60)
"""


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("by", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_nothing_is_left_of_a_process_that_was_killed(
    by: signal.Signals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRUEGAIN_CACHE", str(tmp_path / "cache"))
    with subprocess.Popen([sys.executable, "-c", HELD], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        process.send_signal(by)
    assert list((tmp_path / "cache").iterdir()) == []


def test_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    free = shutil.disk_usage("/")._replace(free=799)
    monkeypatch.setattr("shutil.disk_usage", lambda place: free)
    monkeypatch.setenv("TRUEGAIN_MEMORY", "0")
    with refused(naming=["800", "799", "TRUEGAIN_CACHE", "TRUEGAIN_MEMORY"]):
        table(10, 10)
    with refused(naming=["5,000", "TRUEGAIN_CACHE"]):
        hold([["a"]], 5_000)


@pytest.mark.usefixtures("small")
def test_a_folder_that_cannot_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("TRUEGAIN_CACHE", str(tmp_path / "file" / "cache"))
    with refused(naming=["TRUEGAIN_CACHE"]):
        table(2, 2)


def test_no_number_of_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRUEGAIN_MEMORY", "1GB")
    with refused(naming=["TRUEGAIN_MEMORY", "1GB"]):
        most_held()


def test_stretches() -> None:
    assert [*stretches(0), *stretches(5, 2)] == [slice(0, 2), slice(2, 4), slice(4, 5)]
