"""``--help`` of the commands, against tests/golden/help."""

from __future__ import annotations

import pytest

from tests.e2e.golden import hold, run

COMMANDS = (
    *("", "agree", "calibrate", "compare", "gate", "init", "inspect", "plan", "rank", "render", "replicate", "score"),
    *("threshold", "tune"),
)
FILES = [f"help/{'-'.join(['truegain', *name.split()])}.txt" for name in COMMANDS]


@pytest.mark.parametrize(("name", "file"), [*zip(COMMANDS, FILES, strict=True)])
def test_commands(name: str, file: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    code, shown = run([*name.split(), "--help"])
    assert code == 0
    hold(file, shown, request.config.getoption("--renew-golden"))
