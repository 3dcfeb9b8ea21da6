"""comet-score under faults: scores that are stored stay, and the next run is right."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.faults.test_cache import DAMAGES
from tests.faults.test_killed import STEPS, dying
from tests.faults.test_permissions import ORDINARY
from tests.faults.watched import MARK, marked, wait_for_the_end

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are looked for in /proc")

Run = Callable[..., "subprocess.CompletedProcess[str]"]
Command = tuple[str, ...]

OLD = "the old result\n"


@pytest.fixture
def scored(folder: Path, comet: Callable[..., None]) -> Command:
    """A command whose metric is computed by a program: it waits for a file ``go``, which is there at first."""
    (folder / "src.txt").write_text("".join(f"die kleine Katze Nummer {i}\n" for i in range(24)))
    comet("--until", str(folder / "go"))
    (folder / "go").touch()
    few = ("-q", "-R", "50", "-j", "1", "-m", "comet:via=program")
    return ("score", *few, "--src", "src.txt", "--ref", "ref.txt")


def begun(folder: Path, *line: str) -> tuple[subprocess.Popen[str], str]:
    """A command in a process of its own, with its mark."""
    mark = os.urandom(8).hex()
    temporary = folder / "temporary"
    temporary.mkdir(exist_ok=True)
    changed = {"TRUEGAIN_CACHE": str(folder / "cache"), "TMPDIR": str(temporary), MARK: mark}
    command = [sys.executable, "-m", "truegain", *line]
    environment = {**os.environ, **changed}
    return (
        subprocess.Popen(
            command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ),
        mark,
    )


def done(folder: Path, *line: str) -> str:
    process, _ = begun(folder, *line)
    out, said = process.communicate(timeout=300)
    assert (process.returncode, said) == (0, "")
    return out


def seen(folder: Path) -> int:
    """Return the number of segments that the program was given since this was last asked."""
    path = folder / "seen"
    count = len(path.read_text().splitlines()) if path.exists() else 0
    path.unlink(missing_ok=True)
    return count


def wait_until(true: Callable[[], bool]) -> None:
    for _ in range(2400):
        if true():
            return
        time.sleep(0.05)
    pytest.fail("it never came to that")


def given_to_the_program(folder: Path, count: int) -> None:
    path = folder / "seen"
    wait_until(lambda: path.exists() and path.read_bytes().count(b"\n") >= count)


def test_two_processes_that_score_at_once_keep_both(folder: Path, scored: Command) -> None:
    (folder / "go").unlink()
    running = [begun(folder, *scored, name) for name in ("base.txt", "new.txt")]
    given_to_the_program(folder, 48)  # both have looked for stored scores by now, and found none
    (folder / "go").touch()
    for process, _ in running:
        _, said = process.communicate(timeout=300)
        assert (process.returncode, said) == (0, "")
    assert seen(folder) == 48
    both = done(folder, *scored, "base.txt", "new.txt")
    assert seen(folder) == 0, "what one of the two had scored was lost"
    shutil.rmtree(folder / "cache")
    assert done(folder, *scored, "base.txt", "new.txt") == both


def test_killed_while_the_program_is_at_work(folder: Path, scored: Command) -> None:
    """Its old output is as it was; what was stored before is not scored again, what was under way is, all of it."""
    line = (*scored, "base.txt", "new.txt", "-f", "json", "-o", "out.json")
    done(folder, *scored, "base.txt")
    assert seen(folder) == 24
    (folder / "out.json").write_text(OLD)
    (folder / "go").unlink()
    process, mark = begun(folder, *line)
    given_to_the_program(folder, 24)
    process.kill()
    process.communicate()
    assert (folder / "out.json").read_text() == OLD
    # The program runs on to its end, and nobody reads what it gives.
    assert [line for line in marked(mark).values() if "comet_score.py" in line]
    (folder / "go").touch()
    assert wait_for_the_end(mark) == []
    assert seen(folder) == 24
    process, _ = begun(folder, *line)
    _, said = process.communicate(timeout=300)
    assert (process.returncode, said) == (0, "wrote out.json\n")
    assert seen(folder) == 24
    found = (folder / "out.json").read_bytes()
    shutil.rmtree(folder / "cache")
    begun(folder, *line)[0].communicate(timeout=300)
    assert (folder / "out.json").read_bytes() == found


@pytest.mark.parametrize("step", [step for step in STEPS if "on the disk" not in step])  # which is not waited for
def test_killed_at_every_step_of_storing_scores(folder: Path, scored: Command, run: Run, step: str) -> None:
    kept = {"TRUEGAIN_CACHE": str(folder / "cache")}
    right = run(*scored, "base.txt", "new.txt")
    assert right.returncode == 0, right.stderr
    assert run(*scored, "base.txt", **kept).returncode == 0
    seen(folder)
    ended = run(*scored, "base.txt", "new.txt", first=dying(step, "truegain.cache"), **kept)
    assert (ended.returncode, ended.stdout) == (-signal.SIGKILL, ""), ended.stderr
    assert seen(folder) == 24
    again = run(*scored, "base.txt", "new.txt", **kept)
    assert (again.returncode, again.stdout) == (0, right.stdout)
    assert seen(folder) == (0 if STEPS[step][1] else 24)


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_scores_are_computed_again(folder: Path, scored: Command, run: Run, damage: str) -> None:
    kept = {"TRUEGAIN_CACHE": str(folder / "cache")}
    answers = [run(*scored, "base.txt", "new.txt", **kept)]
    assert run(*scored, "third.txt", **kept).returncode == 0
    seen(folder)
    first, second = sorted((folder / "cache").glob("*.statistics"), key=lambda path: -path.stat().st_size)
    DAMAGES[damage](first, second)
    answers += [run(*scored, "base.txt", "new.txt", **kept) for _ in range(2)]
    assert [(one.returncode, one.stdout, one.stderr) for one in answers] == [(0, answers[0].stdout, "")] * 3
    assert seen(folder) in (48, 96)  # a folder or a link in the place of an entry stays there, and others are made


@pytest.mark.parametrize("place", ["ro", "shut", "file"])
def test_scores_that_cannot_be_stored_are_no_reason_to_stop(
    folder: Path, scored: Command, run: Run, place: str
) -> None:
    right = run(*scored, "base.txt")
    (folder / "ro").mkdir(mode=0o555)
    (folder / "shut").mkdir(mode=0)
    (folder / "file").touch()
    found = run(*scored, "base.txt", first=ORDINARY, TRUEGAIN_CACHE=str(folder / place))
    (folder / "shut").chmod(0o755)
    assert (found.returncode, found.stdout) == (0, right.stdout)
    assert found.stderr.startswith("truegain: new scores of segments could not be kept in the cache, ")
    assert found.stderr.count("\n") == 1
    assert list((folder / place).iterdir()) == [] if place != "file" else (folder / place).stat().st_size == 0
