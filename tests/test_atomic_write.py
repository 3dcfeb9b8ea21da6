"""Files that are written whole or not at all, with and without names while they are written."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from truegain import atomic_write
from truegain.atomic_write import replace_file, sweep

NAMES: dict[str, Any] = {"prefix": ".out.", "suffix": ".new"}


@pytest.fixture(params=["without a name", "with a name", "no /proc"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """How a file is written before it is whole."""
    if request.param == "with a name":
        monkeypatch.setattr(atomic_write, "_NAMELESS", 0)
    elif request.param == "no /proc":

        def none(*_: Any, **__: Any) -> None:
            raise OSError(errno.ENOENT, "No such file or directory")

        monkeypatch.setattr(os, "link", none)
    return str(request.param)


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("before", [None, b"old"])
@pytest.mark.parametrize("durable", [False, True])
def test_it_is_whole_and_alone(tmp_path: Path, before: bytes | None, durable: bool) -> None:
    path = tmp_path / "out"
    if before is not None:
        path.write_bytes(before)
    replace_file(path, b"new" * 100_000, mode=0o640, durable=durable, **NAMES)
    assert path.read_bytes() == b"new" * 100_000
    assert path.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("fault", [OSError(errno.ENOSPC, "full"), KeyboardInterrupt()], ids=["full", "interrupted"])
@pytest.mark.parametrize("place", ["write", "fsync", "replace"])
def test_what_fails_leaves_the_old(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: BaseException, place: str
) -> None:
    def fail(*_: Any) -> Any:
        raise fault

    path = tmp_path / "out"
    path.write_bytes(b"old")
    monkeypatch.setattr(Path if place == "replace" else os, place, fail)
    with pytest.raises(type(fault)):
        replace_file(path, b"new", mode=0o600, durable=True, **NAMES)
    monkeypatch.undo()
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(not hasattr(os, "O_TMPFILE"), reason="files without a name are Linux's")
def test_while_it_is_written_it_has_no_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[list[Path]] = []
    original = os.fsync

    def look(handle: int) -> None:
        seen.append(list(tmp_path.iterdir()))
        original(handle)

    monkeypatch.setattr(os, "fsync", look)
    replace_file(tmp_path / "out", b"new", mode=0o600, durable=True, **NAMES)
    assert seen == [[]]


def test_a_write_in_several_steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    original = os.write
    monkeypatch.setattr(os, "write", lambda handle, data: original(handle, bytes(data[:7])))
    replace_file(tmp_path / "out", bytes(range(256)), mode=0o600, durable=False, **NAMES)
    assert (tmp_path / "out").read_bytes() == bytes(range(256))


def test_only_what_is_old_and_of_that_file_is_swept(tmp_path: Path) -> None:
    mine, young, other, result = (
        tmp_path / name for name in (".out[1].a.new", ".out[1].b.new", ".other.a.new", "out[1]")
    )
    for path in (mine, young, other, result):
        path.write_bytes(b"x")
    for path in (mine, other, result):
        os.utime(path, (1, 1))
    sweep(tmp_path, prefix=".out[1].", suffix=".new")
    assert sorted(tmp_path.iterdir()) == sorted([young, other, result])
    sweep(tmp_path / "none", prefix="", suffix="")
