"""Files and folders that may not be read or written: said by name, before any work where that can be known."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Generator
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(os.name != "posix", reason="permissions are POSIX's here")

Command = Callable[..., tuple[int, str, str]]
Run = Callable[..., "subprocess.CompletedProcess[str]"]
RunEach = Callable[..., list[tuple[int, str, str]]]

COMPARE = ("compare", "-R", "50", "-j", "1", "--ref", "ref.txt", "base.txt")

# The superuser may read and write everything, until it gives that up.
ORDINARY = """
import ctypes, os, sys
if sys.platform == "linux" and os.geteuid() == 0:
    library = ctypes.CDLL(None)
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    held = (ctypes.c_uint32 * 6)()
    assert library.capget(header, held) == 0
    for place in (0, 1):
        held[place] &= ~0b110  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
    assert library.capset(header, held) == 0
"""


@pytest.fixture
def closed(folder: Path) -> Generator[Path]:
    """With a folder ``shut`` that may not be looked into, one ``ro`` that may not be written, and a file ``locked``."""
    for name in ("shut", "ro"):
        (folder / name).mkdir()
        (folder / name / "new.txt").write_bytes((folder / "new.txt").read_bytes())
    (folder / "locked.txt").write_bytes((folder / "new.txt").read_bytes())
    (folder / SCORES).write_text("".join(f"{s}\t{i}\n" for s in "ab" for i in range(24)))
    (folder / "shut").chmod(0)
    (folder / "locked.txt").chmod(0)
    (folder / "ro").chmod(0o555)
    if os.geteuid() == 0 and sys.platform != "linux":
        pytest.skip("the superuser may read everything")
    yield folder
    for name in ("shut", "ro"):
        (folder / name).chmod(0o755)


SCORES = "people.seg.score"
READ: dict[str, list[tuple[str, ...]]] = {
    "locked.txt": [
        (*COMPARE, "locked.txt"),
        (*COMPARE, "new.txt", "--scores", "base=locked.txt"),
        ("agree", "--human", "locked.txt", "new.txt"),
        ("tune", "--ref", "ref.txt", "--nbest", "locked.txt", "-o", "made"),
    ],
    "shut": [("init", "shut"), ("agree", "--human", SCORES, "shut"), ("agree", "--human", SCORES, "--outputs", "shut")],
    "shut/new.txt": [(*COMPARE, "shut/new.txt"), (*COMPARE, "new.txt", "--docs", "shut/new.txt")],
    "shut/all.tsv": [("compare", "--table", "shut/all.tsv")],
    "shut/experiment.toml": [("run", "shut/experiment.toml")],
    "shut/result.json": [("render", "shut/result.json")],
}
WRITTEN: dict[str, tuple[str, ...]] = {
    "shut/out.json": (*COMPARE, "new.txt", "-o", "shut/out.json"),
    "ro/out.json": (*COMPARE, "new.txt", "-o", "ro/out.json"),
    "ro/made": ("split", "new.txt", "-o", "ro/made"),
    "shut/demo": ("demo", "-o", "shut/demo"),
}
SAID = [(line, path, "read") for path, lines in READ.items() for line in lines]
SAID += [(line, path, "(written|made)") for path, line in WRITTEN.items()]


@pytest.mark.usefixtures("closed")
def test_it_is_said(run_each: RunEach) -> None:
    answers = run_each(*(line for line, _, _ in SAID), first=ORDINARY)
    for (line, path, what), (code, out, err) in zip(SAID, answers, strict=True):
        assert (code, out) == (2, ""), line
        assert re.match(rf"truegain: {re.escape(path)}: cannot be {what}: Permission denied", err), err


@pytest.mark.usefixtures("closed")
def test_an_output_that_cannot_be_is_said_before_any_work(run: Run) -> None:
    first = f"{ORDINARY}\nimport truegain.readers.corpora as corpora\ncorpora.read_corpus = None"
    assert "cannot be written" in run(*COMPARE, "new.txt", "-o", "ro/out.json", first=first).stderr


@pytest.mark.parametrize("cache", ["shut/cache", "ro/cache", "shut", "ref.txt/cache", "loop/cache", "/dev/null/cache"])
def test_a_cache_that_cannot_be_is_no_reason_to_stop(
    command: Command, run_each: RunEach, closed: Path, cache: str
) -> None:
    (closed / "loop").symlink_to("loop")
    expected = command(*COMPARE, "new.txt", "--no-cache", "-f", "json")
    commands = (*COMPARE, "new.txt", "-f", "json"), ("--version",)
    compared, (code, _, said) = run_each(*commands, first=ORDINARY, TRUEGAIN_CACHE=cache)
    assert compared == expected
    assert expected[0] == 0
    assert (code, said) == (0, "")


def test_a_user_without_a_home(run: Run) -> None:
    first = "from pathlib import Path\ndef none(*_): raise RuntimeError('no home')\nPath.home = none"
    answer = run(*COMPARE, "new.txt", first=first, TRUEGAIN_CACHE="", XDG_CACHE_HOME="")
    assert (answer.returncode, answer.stderr) == (0, "")


def test_links_in_a_circle(command: Command, folder: Path) -> None:
    (folder / "loop").symlink_to("loop")
    assert "loop: there is no such file" in command(*COMPARE, "loop")[2]
    code, _, err = command(*COMPARE, "new.txt", "-f", "json", "-o", "loop")
    assert code == 2
    assert err.startswith("truegain: loop: cannot be written: ")
