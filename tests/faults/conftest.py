"""Commands in processes of their own, under whatever befalls them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

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
