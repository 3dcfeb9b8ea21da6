"""docs/errors.md and the file beside it show what their commands print, for every command."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [(ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("errors.md", "data/errors.txt")]
KINDS = [kind for page in PAGES for kind in re.findall(r"\*\*([^*]+)\*\*\n\n```text\n(.*?)```", page, re.DOTALL)]

# Commands that take nothing that could be wrong but options.
WITHOUT_INPUT = {"metrics", "tests", "demo"}


@pytest.mark.skipif(sys.platform != "linux", reason="the commands are for a shell on Linux")
@pytest.mark.parametrize(("kind", "block"), KINDS, ids=[kind for kind, _ in KINDS])
def test_the_answer_is_the_one_shown(typed: Callable[[str], tuple[int, str, str]], kind: str, block: str) -> None:
    code = 0
    for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        line, _, shown = step.partition("\n")
        code, out, err = typed(line)
        expected = ".*".join(re.escape(part) for part in shown.split("…"))  # lists that grow are cut short
        assert re.fullmatch(expected, out + err), (out, err)
        assert code == (2 if "truegain: " in shown or "Error: " in shown else 0)
    assert code == 2


def test_every_command_is_there() -> None:
    from truegain.cli.main import _COMMANDS

    used = set(re.findall(r"truegain ([a-z]+)", "".join(block for _, block in KINDS)))
    assert set(_COMMANDS) - WITHOUT_INPUT <= used
    assert len(KINDS) == len({kind for kind, _ in KINDS}) >= 40
