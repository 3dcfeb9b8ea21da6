"""The examples of docstrings, which the reference of functions shows."""

from __future__ import annotations

import doctest
import pkgutil
from importlib import import_module
from pathlib import Path

import pytest

import truegain

MODULES = [
    one.name
    for one in pkgutil.walk_packages(truegain.__path__, "truegain.")
    if (path := Path(truegain.__path__[0], *one.name.split(".")[1:]).with_suffix(".py")).is_file()
    and ">>> " in path.read_text(encoding="utf-8")
]


def test_there_are_examples() -> None:
    assert {"truegain.studies.compare", "truegain.testing"} <= set(MODULES)


@pytest.mark.parametrize("name", MODULES)
def test_examples_are_true(name: str) -> None:
    tried = doctest.testmod(import_module(name), raise_on_error=False)
    assert (tried.failed, tried.attempted > 0) == (0, True)
