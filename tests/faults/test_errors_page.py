"""docs/errors.md shows what its commands print, and has a kind of bad input for every command."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "errors.md").read_text(encoding="utf-8")
KINDS = re.findall(r"\*\*([^*]+)\*\*\n\n```text\n(.*?)```", PAGE, re.DOTALL)

# Commands that take nothing that could be wrong but options.
WITHOUT_INPUT = {"metrics", "tests", "demo"}


@pytest.mark.skipif(sys.platform != "linux", reason="the commands are for a shell on Linux")
@pytest.mark.parametrize(("kind", "block"), KINDS, ids=[kind for kind, _ in KINDS])
def test_the_answer_is_the_one_shown(folder: Path, kind: str, block: str) -> None:
    here = Path(sys.executable).parent
    environment = {**os.environ, "PATH": f"{here}{os.pathsep}{os.environ['PATH']}"}
    last = 0
    for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, shown = step.partition("\n")
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        expected = ".*".join(re.escape(part) for part in shown.split("…"))  # lists that grow are cut short
        assert re.fullmatch(expected, done.stdout), done.stdout
        last = done.returncode
        assert last == (2 if "truegain: " in shown or "Error: " in shown else 0)
    assert last == 2


def test_every_command_is_there() -> None:
    from truegain.cli.main import _COMMANDS

    used = set(re.findall(r"truegain ([a-z]+)", "".join(block for _, block in KINDS)))
    assert set(_COMMANDS) - WITHOUT_INPUT <= used
    assert len(KINDS) == len({kind for kind, _ in KINDS}) >= 40
