"""Commands that must be refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture
def refused(folder: Path, command: Callable[..., tuple[int, str, str]]) -> Callable[..., str]:
    """Run a command that must fail for bad input: the old output stays as it was. Gives what was said."""

    def run(*arguments: str) -> str:
        old = folder / "old.json"
        old.write_text("the old result\n")
        before = sorted(path.name for path in folder.iterdir())
        code, out, err = command(*arguments, "-o", "old.json")
        assert (code, out) == (2, ""), err
        assert old.read_text() == "the old result\n"
        assert sorted(path.name for path in folder.iterdir()) == before
        assert err.startswith(("truegain: ", "Usage: truegain "))
        assert "Traceback" not in err
        return err

    return run
