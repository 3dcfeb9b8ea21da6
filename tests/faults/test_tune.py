"""``tune`` under faults: files are whole or not there, a run that is there is kept, and the next call is right."""

from __future__ import annotations

import json
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.faults.test_killed import STEPS, dying
from tests.faults.test_permissions import ORDINARY

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere files are written by other steps")

Run = Callable[..., "subprocess.CompletedProcess[str]"]
Files = dict[str, bytes]

RUNS = 6
TUNE = ("tune", "-q", "-j", "1", "--ref", "ref.txt", "--nbest", "lists.txt", "--restarts", "2", "--runs", str(RUNS))


@pytest.fixture
def right(folder: Path, run: Run) -> Files:
    """Return what the command writes if nothing interrupts it, by name."""
    chance = random.Random(7)
    entries = []
    for i, line in enumerate((folder / "ref.txt").read_text().splitlines()):
        for _ in range(6):
            words = [word for word in line.split() if chance.random() < 0.8] or ["x"]
            features = f"lm= {chance.gauss(0, 1):.3f} tm= {chance.gauss(0, 1):.3f} len= {len(words)}"
            entries.append(f"{i} ||| {' '.join(words)} ||| {features} ||| 0\n")
    (folder / "lists.txt").write_text("".join(entries))
    answer = run(*TUNE, "-o", "right")
    assert answer.returncode == 0, answer.stderr
    return contents(folder / "right")


def contents(folder: Path) -> Files:
    """The files of a run, and of the result what does not say how it came about."""
    found = {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix != ".html"}
    if "tune.json" in found:
        result = json.loads(found["tune.json"])
        for key in ("command", "notes", "made", "digest"):
            result.pop(key, None)
        found["tune.json"] = json.dumps(result).encode()
    return found


def check_resumed(folder: Path, run: Run, right: Files) -> None:
    """The next call keeps the runs whose weights are there, says how many, and ends with what should be there."""
    for path in folder.iterdir():
        if path.suffix == ".html" or path.name.startswith(".") or path.name == "tune.json":
            continue
        assert path.read_bytes() == right[path.name], f"{path.name} is not whole"
    kept = len(list(folder.glob("weights.run*.json")))
    before = {path: path.stat().st_mtime_ns for path in folder.glob("weights.*")}
    answer = run(*TUNE, "-o", str(folder))
    assert answer.returncode == 0, answer.stderr
    said = re.search(r"(\d+) runs that were there already were kept", answer.stdout)
    assert (int(said[1]) if said else 0) == kept
    assert {path: path.stat().st_mtime_ns for path in before} == before
    assert {name: one for name, one in contents(folder).items() if not name.startswith(".")} == right


def test_killed_at_any_moment(folder: Path, run: Run, right: Files) -> None:
    script = f"from truegain.cli.main import main\nmain({[*TUNE, '-o', 'made']!r})"
    begin = time.perf_counter()
    subprocess.run([sys.executable, "-c", script], cwd=folder, capture_output=True, check=True)
    lasts = time.perf_counter() - begin
    shutil.rmtree(folder / "made")
    chance = random.Random(3)
    killed = 0
    for _ in range(6):
        nowhere = subprocess.DEVNULL
        process = subprocess.Popen([sys.executable, "-c", script], cwd=folder, stdout=nowhere, stderr=nowhere)
        time.sleep(lasts * chance.uniform(0.3, 1.0))
        process.kill()
        killed += process.wait() != 0
        if chance.random() < 0.5:
            shutil.rmtree(folder / "made", ignore_errors=True)
    assert killed, "no process was killed before its end"
    (folder / "made").mkdir(exist_ok=True)
    check_resumed(folder / "made", run, right)


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("file", ["dev.run03.txt", "weights.run03.json", "tune.json"])
def test_killed_at_every_step_of_writing_a_file(folder: Path, run: Run, right: Files, file: str, step: str) -> None:
    """The very file is under way: those before it are whole; of the result the old one is there."""
    whole = STEPS[step][1]
    old = b'{"an": "old result"}'
    (folder / "made").mkdir()
    (folder / "made" / "tune.json").write_bytes(old)
    ended = run(*TUNE, "-o", "made", first=dying(step, "truegain.report", file))
    assert (ended.returncode, ended.stdout) == (-signal.SIGKILL, ""), ended.stderr
    if file != "tune.json" or not whole:
        assert (folder / "made" / "tune.json").read_bytes() == old
    if file != "tune.json":
        assert (folder / "made" / file).exists() == whole
        assert len(list((folder / "made").glob("weights.*"))) == (2 if file.startswith("dev") else 2 + whole)
    check_resumed(folder / "made", run, right)


def test_outputs_that_were_damaged_are_written_again(folder: Path, run: Run, right: Files) -> None:
    for name in ("dev.run02.txt", "dev.run05.txt"):
        (folder / "right" / name).write_bytes(b"something else\n")
    answer = run(*TUNE, "-o", "right")
    assert "6 runs that were there already were kept" in answer.stdout
    assert contents(folder / "right") == right


DAMAGES: dict[str, Callable[[str], str]] = {
    "cut": lambda text: text[: len(text) // 2],
    "empty": lambda text: "",
    "feature": lambda text: text.replace('"lm"', '"other"'),
    "nan": lambda text: re.sub(r'"lm": [^,]*', '"lm": NaN', text),
    "seed": lambda text: text.replace("|seed:12345|", "|seed:2|"),
    "deep": lambda text: "[" * 100_000,
    "twice": lambda text: text.replace("{", '{"run": 3,', 1),
    "large": lambda text: re.sub(r'"lm": [^,]*', f'"lm": 1{"0" * 400}', text),
    "half a character": lambda text: text.replace('"lm"', '"\\ud800"'),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_weights_are_refused(folder: Path, run: Run, right: Files, damage: str) -> None:
    path = folder / "right" / "weights.run03.json"
    whole = path.read_text()
    path.write_text(DAMAGES[damage](whole))
    assert path.read_text() != whole
    answer = run(*TUNE, "-o", "right")
    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr.startswith("truegain: right/weights.run03.json: ")
    path.unlink()
    check_resumed(folder / "right", run, right)


@pytest.mark.usefixtures("right")
def test_folders_that_may_not_be_written_to_are_told_of_before_any_work(folder: Path, run: Run) -> None:
    (folder / "ro").mkdir(mode=0o555)
    (folder / "shut").mkdir(mode=0)
    first = f"{ORDINARY}\nimport truegain.studies.tune as study\nstudy._tuned = None"
    for place in ("ro", "ro/made", "shut", "shut/made"):
        answer = run(*TUNE, "-o", place, first=first)
        assert (answer.returncode, answer.stdout) == (2, "")
        assert re.match(rf"truegain: {place}: cannot be (made|written to): Permission denied\n", answer.stderr), place
    (folder / "shut").chmod(0o755)


def test_weights_that_may_not_be_read_are_told_of(folder: Path, run: Run, right: Files) -> None:
    (folder / "right" / "weights.run03.json").chmod(0)
    answer = run(*TUNE, "-o", "right", first=ORDINARY)
    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr.startswith("truegain: right/weights.run03.json: cannot be read: Permission denied\n")
