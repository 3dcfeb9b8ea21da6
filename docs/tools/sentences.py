"""The table of all templates of sentences, which docs/sentences.md shows when the site is built.

Modules are imported to find them, so the table cannot differ from what the program says.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import truegain
from truegain.words import Sentence

SOURCE = Path(truegain.__path__[0])


def table() -> str:
    """Return the rows of the table."""
    return "".join(f"| `{module}` | `{name}` | {_escaped(text)} |\n" for module, name, text in sentences())


def sentences() -> Iterator[tuple[str, str, str]]:
    """Yield all templates at the top of modules, in dicts and tuples as well: the module, the name and the text."""
    for module in _modules():
        own = _assigned(module)
        for name, value in vars(module).items():
            if name in own:
                for place, text in _within(name, value):
                    yield module.__name__.removeprefix("truegain."), place, text


def _modules() -> Iterator[ModuleType]:
    """Import the modules that make sentences; others may need what is not installed."""
    for path in sorted(SOURCE.rglob("*.py")):
        if "Sentence(" in path.read_text(encoding="utf-8"):
            yield import_module(".".join(("truegain", *path.relative_to(SOURCE).with_suffix("").parts)))


def _assigned(module: ModuleType) -> set[str]:
    """Return the names that a module gives values to; others were imported."""
    try:
        tree = ast.parse(inspect.getsource(module))
    except (OSError, TypeError):  # compiled
        return set()
    names = set()
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        names |= {target.id for target in targets if isinstance(target, ast.Name)}
    return names


def _within(name: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, Sentence):
        yield name, str(value)
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from _within(f"{name}[{key!r}]", part)
    elif isinstance(value, tuple):
        for place, part in enumerate(value):
            yield from _within(f"{name}[{place}]", part)


def _escaped(text: str) -> str:
    """Write a text that Markdown shows as it is."""
    return re.sub(r"([\\`*_$|<>\[\]])", r"\\\1", text).replace("\n", " ")


if __name__ == "__main__":
    print(table(), end="")
