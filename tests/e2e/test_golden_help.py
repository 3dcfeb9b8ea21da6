"""``--help`` of every command and the help of every public function and class, against tests/golden/help."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from functools import cached_property
from types import FunctionType

import pytest

import truegain
from tests.e2e.golden import hold, run
from tests.faults.every_command import all_commands
from tests.test_frozen import described

GROUPS = ("", "cache")
COMMANDS = {"-".join(["truegain", *name.split()]): name.split() for name in (*GROUPS, *all_commands())}
NAMES = [name for name in truegain.__all__ if name != "__version__"]
EXPLAINED = (FunctionType, classmethod, staticmethod, property, cached_property)
FILES = [f"help/{name}.txt" for name in (*COMMANDS, *(f"python.{name}" for name in NAMES))]


@pytest.mark.parametrize("name", COMMANDS)
def test_commands(name: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    code, shown = run([*COMMANDS[name], "--help"])
    assert code == 0
    hold(f"help/{name}.txt", shown, request.config.getoption("--renew-golden"))


@pytest.mark.parametrize("name", NAMES)
def test_functions_and_classes(name: str, request: pytest.FixtureRequest) -> None:
    shown = "\n".join(explained(name, getattr(truegain, name))) + "\n"
    hold(f"help/python.{name}.txt", shown, request.config.getoption("--renew-golden"))


def explained(name: str, thing: object) -> Iterator[str]:
    """Signatures and docstrings; not as pydoc has them, which differs from one Python to the next."""
    head, *members = described(name, thing)
    yield from (head, "", inspect.getdoc(thing) or "", "")
    for line in members:
        yield line
        member = inspect.getattr_static(
            thing, line.split()[0].partition("(")[0], None
        )  # a field is of its class's text
        if isinstance(member, EXPLAINED) and (text := inspect.getdoc(member)):
            yield from (f"        {one}".rstrip() for one in text.splitlines())
