"""A disk that is full: the old output stays, nothing half is left, and the answer says so."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Generator
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(os.name != "posix", reason="limits are POSIX's here")

Command = Callable[..., tuple[int, str, str]]
Run = Callable[..., "subprocess.CompletedProcess[str]"]
RunEach = Callable[..., list[tuple[int, str, str]]]

COMPARE = ("compare", "-R", "50", "-j", "1", "--ref", "ref.txt", "base.txt", "new.txt")
OLD = "the old result\n"
ROOM = 8192  # bytes: too few for a report, enough for the old result


@pytest.fixture(params=["limit", "disk"])
def small(request: pytest.FixtureRequest, folder: Path) -> Generator[tuple[Path, str]]:
    """A folder in which no large file fits: by a limit of the process, or a small disk."""
    place = folder / "small"
    place.mkdir()
    limited = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({ROOM}, {ROOM}))"
    if request.param == "limit":
        yield place, limited
        return
    mount = ["mount", "-t", "tmpfs", "-o", f"size={ROOM}", "none", str(place)]
    if shutil.which("mount") is None or subprocess.run(mount, capture_output=True).returncode != 0:
        pytest.skip("no disk can be mounted here: that takes the superuser, and more in a container")
    yield place, ""
    subprocess.run(["umount", str(place)], check=True)


@pytest.mark.parametrize("output", ["report.html", "result.json"])
def test_the_old_output_stays(run: Run, small: tuple[Path, str], output: str) -> None:
    place, first = small
    (place / output).write_text(OLD)
    answer = run(*COMPARE, "-o", str(place / output), first=first)
    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr.startswith(f"truegain: {place / output}: cannot be written: ")
    assert [path.name for path in place.iterdir()] == [output]
    assert (place / output).read_text() == OLD


def test_a_figure_too(run: Run, command: Command, small: tuple[Path, str], folder: Path) -> None:
    place, first = small
    assert command(*COMPARE, "-o", "result.json")[0] == 0
    (place / "forest.png").write_text(OLD)
    answer = run("plot", "result.json", "-o", str(place / "forest.png"), first=first, MPLCONFIGDIR=str(folder))
    assert answer.returncode == 2, answer.stderr
    assert "cannot be written" in answer.stderr
    assert "Traceback" not in answer.stderr
    assert (place / "forest.png").read_text() == OLD


def test_a_part_of_a_resampling_too(run: Run, small: tuple[Path, str]) -> None:
    place, first = small
    (place / "1.part").write_text(OLD)
    answer = run("resample", "--part", "1/2", "-o", str(place / "1.part"), *COMPARE, "-R", "5000", first=first)
    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr.startswith(f"truegain: {place / '1.part'}: cannot be written: ")
    assert [path.name for path in place.iterdir()] == ["1.part"]
    assert (place / "1.part").read_text() == OLD


def test_a_cache_that_is_full_is_no_reason_to_stop(
    command: Command, run_each: RunEach, small: tuple[Path, str]
) -> None:
    place, first = small
    (place / "filler").write_bytes(b"x" * (ROOM // 2 if first else ROOM - 4096))
    cached = (*COMPARE, *(f"many{i}=new.txt" for i in range(3)), "-m", "bleu", "-m", "ter", "-m", "chrf", "-f", "json")
    expected = command(*cached, "--no-cache")
    assert (expected[0], expected[2]) == (0, "")
    assert run_each(cached, cached, first=first, TRUEGAIN_CACHE=str(place / "cache")) == [expected] * 2


@pytest.mark.parametrize(
    "command",
    [("simulate", "base=0.7", "--segments", "400"), ("demo",), ("split", "new.txt", "--samples", "2000")],
    ids=["simulate", "demo", "split"],
)
def test_folders_that_do_not_fit(run: Run, small: tuple[Path, str], command: tuple[str, ...]) -> None:
    place, first = small
    answer = run(*command, "-o", str(place / "made"), first=first)
    assert answer.returncode == 2, answer.stderr
    assert "Traceback" not in answer.stderr
    assert "cannot be written" in answer.stderr
