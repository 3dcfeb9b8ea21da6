"""Another user of the same machine: what the cache puts on disk cannot be read, written or replaced."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest

from truegain.cache import Cache

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are looked for in /proc")

# As another user: try each path in every way, and tell of all that was allowed. Every folder must be tried by name:
# who cannot list a folder may guess what is in it.
ANOTHER = """
import json, os, sys
paths = json.load(sys.stdin)
os.setgroups([])
os.setgid(65534)
os.setuid(65534)
allowed = []
def attempt(what, path, action):
    try:
        action()
    except OSError:
        return
    allowed.append(f"{what} {path}")
for path in paths:
    attempt("read", path, lambda: os.close(os.open(path, os.O_RDONLY | os.O_NONBLOCK)))
    attempt("write", path, lambda: os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK)))
    attempt("list", path, lambda: os.listdir(path))
    attempt("add to", path, lambda: os.close(os.open(os.path.join(path, "planted"), os.O_CREAT | os.O_WRONLY)))
    attempt("replace", path, lambda: os.rename(path, path + ".moved"))
print(json.dumps(allowed))
"""


def tried_by_another(paths: list[Path]) -> list[str]:
    if os.geteuid() != 0:
        pytest.skip("only the superuser can become another user")
    given = json.dumps([str(path) for path in paths])
    done = subprocess.run([sys.executable, "-c", ANOTHER], input=given, capture_output=True, text=True, check=True)
    return [str(one) for one in json.loads(done.stdout)]


@pytest.fixture
def public() -> Generator[Path]:
    """A folder that all may write to, and nobody may remove another's files from, as /tmp."""
    with TemporaryDirectory(dir="/tmp") as folder:
        Path(folder).chmod(0o1777)
        yield Path(folder)


VALUES = np.arange(6)


def test_a_new_cache_is_private(public: Path) -> None:
    cache = Cache(public / "made" / "cache")
    cache.put("key", VALUES)
    assert stat.S_IMODE((public / "made" / "cache").stat().st_mode) == 0o700
    assert tried_by_another([cache.directory, *cache.directory.iterdir()]) == []


def test_an_old_cache_in_its_default_place_is_closed(public: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TRUEGAIN_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(public))
    (public / "truegain").mkdir()
    (public / "truegain").chmod(0o777)
    Cache().put("key", VALUES)
    assert stat.S_IMODE((public / "truegain").stat().st_mode) == 0o700


def test_a_folder_that_the_user_named_keeps_its_mode(public: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may hold other things, and be others' too: /tmp, say."""
    monkeypatch.setenv("TRUEGAIN_CACHE", str(public))
    Cache().put("key", VALUES)
    assert stat.S_IMODE(public.stat().st_mode) == 0o1777
    assert len(list(public.iterdir())) == 1


def test_entries_of_another_user_are_not_believed(public: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only the superuser can make a file another user's")
    cache = Cache(public)
    cache.put("key", VALUES)
    (entry,) = public.iterdir()
    assert cache.get("key") is not None
    os.chown(entry, 65534, 65534)
    assert cache.get("key") is None
    cache.put("key", VALUES)
    assert cache.get("key") is not None
