"""Commands in processes of their own, under whatever befalls them."""

from __future__ import annotations

import compileall
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import truegain

pytest.register_assert_rewrite("tests.faults.watched")

from tests.faults.every_command import COMMANDS, PREPARATIONS, write_files  # noqa: E402
from tests.faults.watched import Ended, watch  # noqa: E402

#: Commands one after the other in one process; what came of each is printed as JSON.
EACH = """
import contextlib, io, json, sys
from truegain.cli.main import main
answers = []
for arguments in json.loads(sys.argv[1]):
    out, said, code = io.StringIO(), io.StringIO(), None
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(said):
        try:
            main(arguments)
        except SystemExit as stop:
            code = stop.code
    answers.append((code, out.getvalue(), said.getvalue()))
print(json.dumps(answers))
sys.exit()
"""

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(autouse=True, scope="session")
def _compiled_before() -> Iterator[None]:
    """Compile all modules now: where files may not be large, Python 3.11 leaves them cut off, for all that follow."""
    compileall.compile_dir(Path(truegain.__file__).parent, quiet=2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONDONTWRITEBYTECODE", "1")
        yield


@pytest.fixture
def run(folder: Path) -> Run:
    """Run a command in a process of its own, after some lines of Python."""

    def process(*arguments: str, first: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
        script = f"{first}\nfrom truegain.cli import main, streams\nstreams.prepare()\nmain.main()"
        return subprocess.run(
            [sys.executable, "-c", script, *arguments],
            capture_output=True,
            text=True,
            env={**os.environ, **environment},
            cwd=folder,
            timeout=120,
        )

    return process


@pytest.fixture
def run_each(run: Run) -> Callable[..., list[tuple[int, str, str]]]:
    """Run commands in one process, after some lines of Python, where nothing but these must befall them all."""

    def process(*commands: tuple[str, ...], first: str = "", **environment: str) -> list[tuple[int, str, str]]:
        answer = run(json.dumps(commands), first=f"{first}\n{EACH}", **environment)
        assert answer.returncode == 0, answer.stderr
        return [(code, out, said) for code, out, said in json.loads(answer.stdout)]

    return process


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Hold the files of the last call of ``everything``: made once."""
    return tmp_path_factory.mktemp("prepared") / "files"


@pytest.fixture
def everything(folder: Path, prepared: Path) -> Path:
    """The working directory with all that any command of the table needs."""
    if not prepared.exists():
        write_files(folder)
        for arguments in PREPARATIONS:
            ended = watch(arguments, folder)
            assert ended.code == 0, ended.said
        shutil.rmtree(folder / "cache", ignore_errors=True)
        shutil.copytree(folder, prepared)
    else:
        shutil.copytree(prepared, folder, dirs_exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def _untouched() -> dict[tuple[str, ...], Ended]:
    return {}


@pytest.fixture
def untouched(everything: Path, _untouched: dict[tuple[str, ...], Ended]) -> Callable[..., Ended]:
    """How a command ends that nothing befalls; it is run once, in a folder of its own."""

    def run(name: str, *options: str) -> Ended:
        arguments = (*COMMANDS[name], *options)
        if arguments not in _untouched:
            copy = everything.parent / f"{everything.name}-untouched"
            shutil.copytree(everything, copy)
            _untouched[arguments] = watch(arguments, copy)
            shutil.rmtree(copy)
        return _untouched[arguments]

    return run
