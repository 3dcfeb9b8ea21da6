"""How the modules depend on each other, beyond the contracts in pyproject.toml."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

from truegain.results import CLASSES as STUDIES
from truegain.results import class_of

SOURCE = Path(__file__).resolve().parents[1] / "src"


@cache
def imports() -> dict[str, set[str]]:
    """Return what each module imports of this project: inside functions and for types, too."""
    files = {".".join(path.relative_to(SOURCE).with_suffix("").parts): path for path in SOURCE.rglob("*.py")}
    files = {name.removesuffix(".__init__"): path for name, path in files.items()}
    found: dict[str, set[str]] = {}
    for module, path in files.items():
        names = []
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names += [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{path}: imports are written in full"
                for alias in node.names:
                    inner = f"{node.module}.{alias.name}"
                    names.append(inner if inner in files else str(node.module))
        found[module] = {name for name in names if name in files}
    return found


def test_no_modules_import_each_other() -> None:
    left = imports()
    # Whoever imports nothing that is left is in no circle, and neither is whoever nothing left imports.
    while True:
        imported = set().union(*left.values())
        free = [module for module, names in left.items() if not names or module not in imported]
        if not free:
            break
        left = {module: names - set(free) for module, names in left.items() if module not in free}
    assert not left, f"these import each other: {left}"


def test_one_view_shows_all_studies_and_knows_none() -> None:
    found = imports()
    assert not {name for name in found["truegain.view"] if name.startswith("truegain.studies")}
    renderers = {f"truegain.report.{name}" for name in ("data", "html", "latex", "markdown", "terminal")}
    for module, names in found.items():
        if module.startswith("truegain.studies"):
            assert not names & renderers, module


@pytest.mark.parametrize("study", STUDIES)
def test_a_study_is_one_file_that_has_its_result(study: str) -> None:
    assert class_of(study).study == study
    assert (SOURCE / f"{class_of(study).__module__.replace('.', '/')}.py").is_file()
