"""Commands in processes of their own, under whatever befalls them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

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


@pytest.fixture
def run(folder: Path) -> Run:
    """Run a command in a process of its own, after some lines of Python."""

    def process(*arguments: str, first: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
        script = f"{first}\nfrom truegain.cli.main import main\nmain()"
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
