"""Files in tests/golden: what was shown before, held against what is shown now."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from difflib import unified_diff
from itertools import islice
from pathlib import Path

import pytest

from truegain.cli.main import main
from truegain.version import __version__

__all__ = ["GOLDEN", "hold", "run", "without_version"]

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
RENEW = "python -m pytest tests/e2e/test_golden*.py tests/test_frozen.py --renew-golden, and read the difference in git"
MOST_LINES = 60  # of a difference that are shown


def without_version(text: str) -> str:
    return re.sub(rf"(?<![\w.]){re.escape(__version__)}(?![\w.])", "VERSION", text)


def hold(file: str, shown: str, renew: bool) -> None:
    """Compare a text with the file in tests/golden, or write the file; the version stands as VERSION in it."""
    found = without_version(shown)
    path = GOLDEN / file
    if renew:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(found.encode())
    expected = path.read_bytes().decode() if path.is_file() else ""
    if found != expected:
        lines = unified_diff(expected.splitlines(), found.splitlines(), f"tests/golden/{file}", "now", n=1, lineterm="")
        pytest.fail("\n".join([*islice(lines, MOST_LINES), f"If this is meant: {RENEW}"]), pytrace=False)


def run(arguments: Sequence[str]) -> tuple[int, str]:
    """Run a command in this process: its exit code, and what it printed and said."""
    shown = io.StringIO()
    with redirect_stdout(shown), redirect_stderr(shown), pytest.raises(SystemExit) as stop:
        main(list(arguments))
    assert isinstance(stop.value.code, int)
    return stop.value.code, shown.getvalue()
