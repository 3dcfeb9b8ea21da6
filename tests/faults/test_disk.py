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


@pytest.mark.parametrize("output", ["report.html", "result.json", "forest.png"])
def test_the_old_output_stays(run: Run, small: tuple[Path, str], folder: Path, output: str) -> None:
    place, first = small
    (place / output).write_text(OLD)
    line: tuple[str, ...] = (*COMPARE, "-m", "bleu", "-m", "chrf", "-m", "ter")
    if output == "forest.png":
        assert run(*COMPARE, "-o", "result.json").returncode == 0
        line = ("plot", "result.json")
    answer = run(*line, "-o", str(place / output), first=first, MPLCONFIGDIR=str(folder))
    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr.splitlines()[-1].startswith(f"truegain: {place / output}: cannot be written: ")
    assert [path.name for path in place.iterdir()] == [output]
    assert (place / output).read_text() == OLD


def test_a_cache_that_is_full_is_no_reason_to_stop(
    command: Command, run_each: RunEach, small: tuple[Path, str]
) -> None:
    place, first = small
    (place / "filler").write_bytes(b"x" * (ROOM // 2 if first else ROOM - 4096))
    cached = (*COMPARE, *(f"many{i}=new.txt" for i in range(3)), "-m", "bleu", "-m", "ter", "-m", "chrf", "-f", "json")
    expected = command(*cached, "--no-cache")
    assert (expected[0], expected[2]) == (0, "")
    assert run_each(cached, cached, first=first, TRUEGAIN_CACHE=str(place / "cache")) == [expected] * 2


@pytest.mark.parametrize("most", [0, 2000])
def test_scratch_files_that_do_not_fit(run: Run, small: tuple[Path, str], folder: Path, most: int) -> None:
    """A text does not fit, or the table does not; texts of a line each are held in the second case."""
    place, first = small
    for name in ("ref", "base", "new"):
        lines = [f"{name} {i} {'word ' * (200 if most == 0 else 0)}\n" for i in range(60 if most == 0 else 25)]
        (folder / f"{name}.txt").write_text("".join(lines))
    many = [f"many{i}=new.txt" for i in range(8)]
    answer = run(*COMPARE, *many, first=first, TRUEGAIN_CACHE=str(place / "cache"), TRUEGAIN_MEMORY=str(most))
    assert (answer.returncode, answer.stdout) == (2, "")
    assert "TRUEGAIN_CACHE" in answer.stderr
    assert "Traceback" not in answer.stderr
    assert not [path for path in place.rglob("*") if path.is_file()]


@pytest.mark.parametrize("command", [("demo",), ("split", "new.txt", "--samples", "2000")], ids=["demo", "split"])
def test_folders_that_do_not_fit(run: Run, small: tuple[Path, str], command: tuple[str, ...]) -> None:
    place, first = small
    answer = run(*command, "-o", str(place / "made"), first=first)
    assert answer.returncode == 2, answer.stderr
    assert "Traceback" not in answer.stderr
    assert "cannot be written" in answer.stderr


# ---- Programs that compute metrics, and tune


@pytest.fixture
def scored(folder: Path, comet: Callable[..., None]) -> tuple[str, ...]:
    """A command whose metric is computed by a program, on segments that need more room than there is."""
    for name in ("one", "two"):
        (folder / f"{name}.txt").write_text("".join(f"{name} {i} {'word ' * 60}\n" for i in range(24)))
    return "score", "-q", "-R", "50", "-j", "1", "-m", "cometkiwi:via=program", "--src", "ref.txt", "one.txt", "two.txt"


def test_files_for_a_program_that_do_not_fit(run: Run, small: tuple[Path, str], scored: tuple[str, ...]) -> None:
    """It is not standard output that is full."""
    place, first = small
    answer = run(*scored, first=first, TMPDIR=str(place))
    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr.startswith("truegain: the files that a program reads cannot be written: ")
    assert answer.stderr.endswith("  see that there is room, or name another folder by the variable TMPDIR\n")
    assert list(place.iterdir()) == []


def test_scores_that_do_not_fit_into_the_cache(run: Run, small: tuple[Path, str], scored: tuple[str, ...]) -> None:
    """The answer is the same, and what is there of scores is whole."""
    place, first = small
    few = (*scored[:-1],)
    right, fewer = run(*scored), run(*few)
    (place / "filler").write_bytes(b"x" * (ROOM // 2 if first else ROOM - 4096))
    first = first.replace(str(ROOM), "1100")  # room for those of 24 segments, and not of 48
    if first:
        first = f"import truegain.cache as cache\nreplace = cache.replace_file\n{_LATE.format(first)}"
    for line, answer in ((few, fewer), (scored, right), (scored, right)):
        found = run(*line, first=first, TRUEGAIN_CACHE=str(place / "cache"))
        assert (found.returncode, found.stdout) == (0, answer.stdout)
        said = "truegain: new scores of segments could not be kept in the cache, "
        # With a limit on files instead of a full disk, the new ones fit into a file of their own.
        assert [one[: len(said)] for one in found.stderr.splitlines()] == [said] * (not first and line is scored)


_LATE = """def late(*ways, **more):
    {}
    replace(*ways, **more)
cache.replace_file = late"""


def test_a_folder_of_tune_that_is_full(run: Run, small: tuple[Path, str], folder: Path) -> None:
    """Files that are there are whole; with room, the next call keeps the runs that are."""
    place, first = small
    texts = [(folder / f"{name}.txt").read_text().splitlines() for name in ("base", "new")]
    lists = [f"{i} ||| {line} ||| a= {len(line)} b= {n}\n" for n, own in enumerate(texts) for i, line in enumerate(own)]
    (folder / "lists.txt").write_text("".join(lists))
    line = ("tune", "-q", "-j", "1", "--ref", "ref.txt", "--nbest", "lists.txt", "--runs", "8", "--restarts", "1")
    assert run(*line, "-o", "right").returncode == 0
    answer = run(*line, "-o", str(place / "made"), first=first)
    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr.startswith(f"truegain: {place}/made/")
    assert ": cannot be written: " in answer.stderr
    made = list((place / "made").glob("*.run*"))
    assert made
    for path in made:
        assert path.read_bytes() == (folder / "right" / path.name).read_bytes()
    shutil.copytree(place / "made", folder / "again")
    kept = len(list((folder / "again").glob("weights.*")))
    answer = run(*line, "-o", "again")
    assert answer.returncode == 0, answer.stderr
    assert f"{kept} runs that were there already" in answer.stdout or kept == 0
    for path in (folder / "right").glob("*.run*"):
        assert (folder / "again" / path.name).read_bytes() == path.read_bytes()
