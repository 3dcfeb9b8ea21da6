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


Damage = Callable[[Path, Path], object]


def instead(make: Damage) -> Damage:
    """Remove the entry, and make something of its name."""

    def damage(path: Path, other: Path) -> None:
        path.unlink()
        make(path, other)

    return damage


def changed(change: Callable[[bytes], bytes]) -> Damage:
    return lambda path, _: path.write_bytes(change(path.read_bytes()))


MAGIC = b"truegain-statistics-4\n"
#: What is done to an entry, beside another.
DAMAGES: dict[str, Damage] = {
    "truncated": changed(lambda data: data[:-1]),
    "emptied": changed(lambda data: b""),
    "flipped": changed(lambda data: data[:-4] + bytes([data[-4] ^ 1]) + data[-3:]),
    "of an old version": changed(lambda data: MAGIC.replace(b"4", b"3") + data.removeprefix(MAGIC)),
    "of another key": lambda path, other: shutil.copy(other, path),
    "a folder": instead(lambda path, _: (path / "in it").mkdir(parents=True)),
    "a link in a circle": instead(lambda path, _: path.symlink_to(path.name)),
    "a link to nothing": instead(lambda path, _: path.symlink_to("nothing")),
    "a link to another": instead(lambda path, other: path.symlink_to(other.name)),
    "a pipe": instead(lambda path, _: os.mkfifo(path)),
    "endless": instead(lambda path, _: path.symlink_to("/dev/zero")),
}


@pytest.mark.skipif(os.name != "posix", reason="pipes and links are POSIX's")
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_entry_changes_nothing(tmp_path: Path, damage: str) -> None:
    cache = Cache(tmp_path)
    expected = compare(cache)
    first, second = sorted(tmp_path.glob("*.statistics"))
    assert first.read_bytes().startswith(MAGIC)
    DAMAGES[damage](first, second)
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


@pytest.mark.parametrize(("processes", "removed"), [(10, True), pytest.param(100, False, marks=pytest.mark.slow)])
def test_processes_share_a_cache(folder: Path, processes: int, removed: bool) -> None:
    together(folder, processes, removed=removed)
