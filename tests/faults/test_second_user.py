"""Another user of the same machine: what engines and the cache put on disk cannot be read, written or replaced."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from collections.abc import Generator
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest

from truegain.cache import Cache

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are looked for in /proc")

LIBRARIES = {"processes": None, "dask": "distributed", "ray": "ray"}

# An engine with its workers at work, until its standard input ends.
AT_WORK = """
import sys
from truegain.engines.choice import make_engine
if __name__ == "__main__":
    results = make_engine(sys.argv[1], 2).executor.map(abs, range(100))
    next(results)
    print("at work", flush=True)
    sys.stdin.read()
"""

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
    with TemporaryDirectory(dir="/tmp", prefix="t") as folder:  # short, for Ray's names of sockets
        Path(folder).chmod(0o1777)
        yield Path(folder)


@pytest.fixture(params=LIBRARIES)
def at_work(request: pytest.FixtureRequest, public: Path) -> Generator[Path]:
    if (library := LIBRARIES[request.param]) is not None and find_spec(library) is None:
        pytest.skip(f"{library} is not installed")
    engine = subprocess.Popen(
        [sys.executable, "-c", AT_WORK, request.param],
        env={**os.environ, "TMPDIR": str(public)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert engine.stdout is not None
    try:
        assert engine.stdout.readline() == "at work\n"
        yield public
    finally:
        engine.communicate(timeout=120)
    assert list(public.iterdir()) == []


def test_folders_of_engines_are_private(at_work: Path) -> None:
    """Whatever the modes within, nobody else gets past the first folder."""
    found = list(at_work.iterdir())
    assert found
    for folder in found:
        assert folder.name.startswith("truegain-")
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert folder.stat().st_uid == os.geteuid()


def test_nothing_of_engines_is_open_to_another_user(at_work: Path) -> None:
    paths = [path for folder in at_work.iterdir() for path in (folder, *folder.rglob("*"))]
    open_file = at_work / "open.txt"
    open_file.write_text("for all to read\n")
    open_file.chmod(0o644)
    allowed = tried_by_another([*paths, open_file])
    open_file.unlink()
    assert allowed == [f"read {open_file}"]


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
