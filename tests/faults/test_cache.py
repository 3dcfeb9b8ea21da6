"""A cache damaged in every way, or shared by many processes: never believed when wrong, never in the way."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import truegain as tg
from truegain.cache import Cache

REFERENCE = [f"the cat number {i} sat on the mat" for i in range(12)]
SYSTEMS = {
    "base": [f"the cat number {i} sits on a mat" for i in range(12)],
    "new": [f"the cat number {i} sat on {'a' if i % 3 else 'the'} mat" for i in range(12)],
}


def compare(cache: Cache | None) -> dict[str, object]:
    return tg.compare(REFERENCE, SYSTEMS, resamples=50, cache=cache, jobs=1).to_dict()


def entries(cache: Cache) -> list[Path]:
    return sorted(cache.directory.glob("*.statistics"))


def truncated(path: Path, other: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def emptied(path: Path, other: Path) -> None:
    path.write_bytes(b"")


def flipped(path: Path, other: Path) -> None:
    data = bytearray(path.read_bytes())
    data[-4] ^= 1
    path.write_bytes(data)


def of_another_key(path: Path, other: Path) -> None:
    shutil.copy(other, path)


def a_folder(path: Path, other: Path) -> None:
    path.unlink()
    path.mkdir()
    (path / "in it").write_text("x")


def a_link_in_a_circle(path: Path, other: Path) -> None:
    path.unlink()
    path.symlink_to(path.name)


def a_link_to_nothing(path: Path, other: Path) -> None:
    path.unlink()
    path.symlink_to("nothing")


def a_link_to_another(path: Path, other: Path) -> None:
    path.unlink()
    path.symlink_to(other.name)


def a_pipe(path: Path, other: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def an_old_version(path: Path, other: Path) -> None:
    current = path.read_bytes()
    assert current.startswith(b"truegain-statistics-4\n")
    path.write_bytes(current.replace(b"statistics-4", b"statistics-3", 1))


def endless(path: Path, other: Path) -> None:
    path.unlink()
    path.symlink_to("/dev/zero")


DAMAGES: list[Callable[[Path, Path], None]] = [
    truncated,
    emptied,
    flipped,
    of_another_key,
    a_folder,
    a_link_in_a_circle,
    a_link_to_nothing,
    a_link_to_another,
    a_pipe,
    an_old_version,
    endless,
]


@pytest.mark.skipif(os.name != "posix", reason="pipes and links are POSIX's")
@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_a_damaged_entry_changes_nothing(tmp_path: Path, damage: Callable[[Path, Path], None]) -> None:
    cache = Cache(tmp_path)
    expected = compare(cache)
    first, second = entries(cache)
    damage(first, second)
    assert cache.get(first.stem) is None
    assert compare(cache) == expected
    assert compare(cache) == expected
    assert cache.info().entries >= 1
    cache.clear()
    assert compare(cache) == expected


def test_whole_but_no_array(tmp_path: Path) -> None:
    from truegain.cache import _MAGIC, _checksum

    cache = Cache(tmp_path)
    cache.put("key", np.ones(3))
    for body in (b"no array at all", b"\x93NUMPY\x01\x00\x05\x00abc", b""):
        (tmp_path / "key.statistics").write_bytes(_MAGIC + _checksum("key", body) + body)
        assert cache.get("key") is None


def together(folder: Path, processes: int, *, removed: bool) -> None:
    """Many at once on one cache, which some of them remove; all others must say the same."""
    cache = folder / "cache"
    environment = {**os.environ, "TRUEGAIN_CACHE": str(cache), "TRUEGAIN_CACHE_SIZE": "4000"}
    command = [sys.executable, "-m", "truegain", "compare", "-R", "50", "-j", "2", "-m", "bleu", "-m", "chrf"]
    command += ["--ref", "ref.txt", "base.txt", "new.txt", "third.txt", "-f", "json"]
    expected = subprocess.run([*command, "--no-cache"], cwd=folder, capture_output=True, text=True, check=True).stdout
    assert json.loads(expected)["comparisons"]
    running = []
    for number in range(processes):
        one = ["rm", "-rf", str(cache)] if removed and number % 5 == 4 else command
        running.append(
            subprocess.Popen(
                one, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
            )
        )
    for number, process in enumerate(running):
        out, said = process.communicate(timeout=300)
        if not removed or number % 5 != 4:  # who removes it may find new entries in it
            assert (process.returncode, said, out) == (0, "", expected)
    assert not list(cache.glob(".*"))
    for path in cache.glob("*.statistics"):
        assert Cache(cache).get(path.stem) is not None


def test_processes_share_a_cache(folder: Path) -> None:
    together(folder, 10, removed=True)


@pytest.mark.slow
def test_a_hundred_processes_share_a_cache(folder: Path) -> None:
    together(folder, 100, removed=False)
