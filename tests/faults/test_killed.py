"""Killed or interrupted at any moment: the old output is whole, the next run is right, and nothing piles up."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals are POSIX's")

Run = Callable[..., "subprocess.CompletedProcess[str]"]

SYSTEMS = ("base.txt", "new.txt", "third=third.txt")
COMMAND = ("compare", "-R", "2000", "-j", "2", "-m", "bleu", "-m", "chrf", "-m", "ter", "--ref", "ref.txt", *SYSTEMS)
OUTPUT = "out.json"
ROOT = Path(__file__).resolve().parents[2]
STARTS = ("module", "script")


def start(how: str, folder: Path) -> list[str]:
    """``python -m truegain``, or the script that an installer makes of the entry point."""
    if how == "module":
        return [sys.executable, "-m", "truegain"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    home, _, name = project["project"]["scripts"]["truegain"].partition(":")
    script = folder / "truegain"
    script.write_text(f"import sys\nfrom {home} import {name}\nif __name__ == '__main__':\n    sys.exit({name}())\n")
    return [sys.executable, str(script)]


def hear_interrupts() -> None:
    """In a child, before it begins: where tests run in the background, a shell has them ignore Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def started(folder: Path, how: str = "module") -> subprocess.Popen[str]:
    environment = {**os.environ, "TRUEGAIN_CACHE": str(folder / "cache")}
    return subprocess.Popen(
        [*start(how, folder), *COMMAND, "-o", OUTPUT],
        cwd=folder,
        env=environment,
        preexec_fn=hear_interrupts,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def right(folder: Path) -> tuple[bytes, float]:
    """What the command writes when nothing befalls it, and how long it takes."""
    begin = time.perf_counter()
    process = started(folder)
    _, said = process.communicate()
    assert process.returncode == 0, said
    return (folder / OUTPUT).read_bytes(), time.perf_counter() - begin


def unfinished(folder: Path) -> list[Path]:
    return [path for place in (folder, folder / "cache") for path in place.glob(".*")]


def kill_many(folder: Path, times: int, seed: int) -> None:
    expected, lasts = right(folder)
    old = b"the old result\n"
    (folder / OUTPUT).write_bytes(old)
    chance = random.Random(seed)
    ended = written = 0
    for number in range(times):
        if number % 5 == 0:
            shutil.rmtree(folder / "cache", ignore_errors=True)
        process = started(folder)
        # Over its whole life, and most of all at its end, when it writes.
        time.sleep(lasts * (chance.uniform(0, 1.1) if number % 2 else chance.uniform(0.8, 1.1)))
        process.kill()
        process.communicate()
        ended += process.returncode == 0
        found = (folder / OUTPUT).read_bytes()
        assert found in (old, expected), "the output is neither the old nor the new one"
        written += found == expected
        if found == expected:
            (folder / OUTPUT).write_bytes(old)
    assert ended < times, "no process was killed before its end"
    # At most what was killed between the two calls that name a file and put it in its place.
    assert len(unfinished(folder)) <= 1
    assert right(folder)[0] == expected, "with what the killed ones left in the cache"
    for path in unfinished(folder):
        os.utime(path, (1, 1))
    shutil.rmtree(folder / "cache")
    assert right(folder)[0] == expected
    assert unfinished(folder) == []


@pytest.mark.parametrize(
    ("times", "seed"), [(16, 1), *(pytest.param(100, seed, marks=pytest.mark.slow) for seed in (2, 3, 4, 5))]
)
def test_killed_at_any_moment(folder: Path, times: int, seed: int) -> None:
    kill_many(folder, times, seed)


# Lines of Python after which a process kills itself at a step of writing a file; whether the file is then the new one.
DIE = "import os, signal\nfrom pathlib import Path\ndef die(*_, **__): os.kill(os.getpid(), signal.SIGKILL)"
STEPS = {
    "half of it is written": (
        "write = os.write\ndef half(to, data): write(to, data[: len(data) // 2]); die()\nos.write = half",
        False,
    ),
    "it is not on the disk": ("os.fsync = die", False),
    "it has no name": ("os.link = die", False),
    "it is not in its place": ("Path.replace = die", False),
    "it is in its place": ("place = Path.replace\ndef placed(*ways): place(*ways); die()\nPath.replace = placed", True),
}


def dying(step: str, module: str, file: str = "") -> str:
    """Lines of Python after which a process kills itself at a step of writing a file of this name, and not before."""
    lines = [
        *(DIE, f"import {module} as writer", "replace = writer.replace_file"),
        "def watched(path, *rest, **more):",
        f"    if path.name.startswith({file!r}): exec({STEPS[step][0]!r}, globals())",
        *("    replace(path, *rest, **more)", "writer.replace_file = watched"),
    ]
    return "\n".join(lines)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere files are written by other steps")
@pytest.mark.parametrize("file", ["output", "cache"])
def test_killed_at_every_step_of_writing_a_file(folder: Path, run: Run, file: str) -> None:
    """What random moments find by luck, at the very moments: with the output, or an entry of the cache, under way."""
    expected, _ = right(folder)
    old = b"the old result\n"
    one = [word if word != "2" else "1" for word in COMMAND]  # two threads would write two entries at a time
    line = {"output": [*COMMAND, "--no-cache"], "cache": one}[file]
    for step, (lines, new) in STEPS.items():
        shutil.rmtree(folder / "cache", ignore_errors=True)
        (folder / OUTPUT).write_bytes(old)
        first = f"{DIE}\n{lines}"
        ended = run(*line, "-o", OUTPUT, first=first, TRUEGAIN_CACHE=str(folder / "cache"))
        assert (ended.returncode, ended.stdout) == (-signal.SIGKILL, ""), (step, ended.stderr)
        assert (folder / OUTPUT).read_bytes() == (expected if new and file == "output" else old), step
        left = unfinished(folder)
        assert len(left) == (step == "it is not in its place"), step
        for path in left:
            path.unlink()
    (folder / OUTPUT).unlink()
    assert right(folder)[0] == expected, "with what the last one left in the cache"


@pytest.mark.parametrize("how", STARTS)
@pytest.mark.parametrize(
    ("times", "seed"), [(6, 1), *(pytest.param(60, seed, marks=pytest.mark.slow) for seed in (2, 3, 4))]
)
def test_interrupted_at_any_moment(folder: Path, times: int, seed: int, how: str) -> None:
    interrupt_many(folder, times, seed, how)


@pytest.mark.parametrize("how", STARTS)
@pytest.mark.parametrize(("before", "code"), [("", -signal.SIGINT), ("trap '' INT; ", 7)], ids=["heard", "ignored"])
def test_interrupted_while_a_library_is_loaded(folder: Path, how: str, before: str, code: int) -> None:
    """The library makes another error of it; where Ctrl-C is ignored, as for work in the background, it stays so."""
    lines = [
        "import os, signal, sys",
        "try:",
        "    os.kill(os.getpid(), signal.SIGINT)",
        "    for _ in range(1000): pass",
        "except KeyboardInterrupt:",
        "    raise ImportError('click could not be loaded') from None",
        "sys.exit(7)",
    ]
    (folder / "libraries").mkdir()
    (folder / "libraries" / "click.py").write_text("\n".join(lines) + "\n")
    paths = [str(folder / "libraries"), *filter(None, [os.environ.get("PYTHONPATH")])]
    done = subprocess.run(
        ["sh", "-c", f'{before}exec "$@"', "sh", *start(how, folder), "--version"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        preexec_fn=hear_interrupts,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout, done.stderr) == (code, "", "")


def interrupt_many(folder: Path, times: int, seed: int, how: str) -> None:
    """Ctrl-C once the interpreter runs our code: before that, Python's own start answers it."""
    expected, lasts = right(folder)
    old = b"the old result\n"
    chance = random.Random(seed)
    heard = 0
    for _ in range(times):
        shutil.rmtree(folder / "cache", ignore_errors=True)
        (folder / OUTPUT).write_bytes(old)
        process = started(folder, how)
        time.sleep(lasts * chance.uniform(0.05, 1.0))
        process.send_signal(signal.SIGINT)
        out, said = process.communicate(timeout=60)
        heard += process.returncode != 0
        found = (folder / OUTPUT).read_bytes()
        assert out == ""
        if process.returncode == 0:
            assert found == expected
        elif process.returncode == 1 and "KeyboardInterrupt" in said and "truegain" not in said:
            assert found == old  # Python had not come to our code yet, and made another error of it
        else:
            assert process.returncode in (130, -signal.SIGINT), said
            assert "fault of truegain" not in said
            assert found in (old, expected)
            if process.returncode == 130:
                assert said in ("truegain: interrupted\n", f"wrote {OUTPUT}\ntruegain: interrupted\n")
        assert unfinished(folder) == []
    assert heard > 0, "no process was interrupted before its end"
