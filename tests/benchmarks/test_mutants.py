"""Mutation testing: which mutants there are, how one is put into a loaded module, and what is said of them."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from benchmarks.data import ROOT
from benchmarks.mutants.files import FILES, Store
from benchmarks.mutants.operators import Mutant, mutants_of
from benchmarks.mutants.page import Justified, Verdict, by_file, page, read_justified
from benchmarks.mutants.runner import Outcome, Plan
from benchmarks.mutants.transplant import forget_results, install

CODE = '''
from __future__ import annotations
from dataclasses import dataclass
from functools import cache, cached_property

__all__ = ["grow"]

LIMIT = 3


def grow(x: int, by: int = 1, *, kind: str = "add") -> int:
    """Docstrings are 1 thing that stays."""
    if x < LIMIT and kind == "add":
        x += by
    if x > 100:
        raise ValueError(f"{x} is above 100" + "!")
    return max(x, 0)


@cache
def twice(x: int) -> int:
    return x * 2


@dataclass(frozen=True)
class Pair:
    a: int
    b: int = 5

    @property
    def total(self) -> int:
        return self.a + self.b

    @cached_property
    def gap(self) -> int:
        return self.a - self.b

    @classmethod
    def of(cls, a: int) -> Pair:
        return cls(-a)
'''


@pytest.fixture
def loaded() -> Iterator[tuple[ast.Module, Any]]:
    module = ModuleType("mutated_example")
    sys.modules[module.__name__] = module
    exec(compile(CODE, "example.py", "exec"), vars(module))
    yield ast.parse(CODE), module
    del sys.modules[module.__name__]


def named(tree: ast.Module, part: str) -> Mutant:
    return next(one for one in mutants_of("example.py", tree) if part in one.key)


def test_the_usual_mistakes_and_no_others() -> None:
    found = [one.key for one in mutants_of("example.py", ast.parse(CODE)) if one.where in ("grow", "LIMIT")]
    assert found == [
        "LIMIT: LIMIT = 3 → LIMIT = 4",
        "grow: def grow(x: int, by: int=1, *, kind: str='add') → def grow(x: int, by: int=2, *, kind: str='add')",
        "grow: …by: int=1, *, kind: str='add') → …by: int=1, *, kind: str='add?')",
        "grow: if x < LIMIT and kind == 'add': → if not (x < LIMIT and kind == 'add'):",
        "grow: if x < LIMIT and kind == 'add': → if x < LIMIT or kind == 'add':",
        "grow: if x < LIMIT and kind == 'add': → if x <= LIMIT and kind == 'add':",
        "grow: if x < LIMIT and kind == 'add': → if x >= LIMIT and kind == 'add':",
        "grow: if x < LIMIT and kind == 'add': → if x < LIMIT and kind != 'add':",
        "grow: …f x < LIMIT and kind == 'add': → …f x < LIMIT and kind == 'add?':",
        "grow: x += by → pass",
        "grow: x += by → x -= by",
        "grow: if x > 100: → if x >= 100:",
        "grow: if x > 100: → if x <= 100:",
        "grow: if x > 100: → if x > 101:",
        "grow: raise ValueError(f'{x} is above 100' + '!') → pass",
        "grow: return max(x, 0) → return None",
        "grow: return max(x, 0) → return min(x, 0)",
        "grow: return max(x, 0) → return max(x, 1)",
    ]


def test_looking_for_mutants_leaves_the_tree_as_it_was() -> None:
    tree = ast.parse(CODE)
    mutants_of("example.py", tree)
    assert ast.dump(tree) == ast.dump(ast.parse(CODE))


def test_whoever_imported_a_function_runs_the_mutant(loaded: tuple[ast.Module, Any]) -> None:
    tree, module = loaded
    held = module.grow
    assert held(1) == 2
    install(named(tree, "x -= by"), tree, module)
    assert held(1) == 0


def test_defaults_constants_and_fields(loaded: tuple[ast.Module, Any]) -> None:
    tree, module = loaded
    held, pair = module.grow, module.Pair(1)
    elsewhere = ModuleType("elsewhere")
    vars(elsewhere)["LIMIT"] = module.LIMIT
    sys.modules["elsewhere"] = elsewhere
    try:
        for part in ("by: int=2", "LIMIT = 4", "b: int = 6"):
            install(named(tree, part), tree, module)
        assert held(3) == 5
        assert vars(elsewhere)["LIMIT"] == 4
    finally:
        del sys.modules["elsewhere"]
    assert module.Pair(1).b == 6
    assert isinstance(pair, module.Pair)


@pytest.mark.parametrize(
    ("part", "value"),
    [("self.a - self.b → return self.a + self.b", 6), ("self.a + self.b → return self.a - self.b", -4)],
)
def test_properties(loaded: tuple[ast.Module, Any], part: str, value: int) -> None:
    tree, module = loaded
    pair = module.Pair(1)
    mutant = named(tree, part)
    install(mutant, tree, module)
    assert getattr(pair, mutant.where.split(".")[1]) == value


def test_methods_of_the_class_and_what_is_remembered(loaded: tuple[ast.Module, Any]) -> None:
    tree, module = loaded
    assert (module.Pair.of(2).a, module.twice(4)) == (-2, 8)
    install(named(tree, "return cls(-a) → return cls(a)"), tree, module)
    install(named(tree, "x * 2 → return x / 2"), tree, module)
    assert module.Pair.of(2).a == 2
    assert module.twice(4) == 8
    forget_results([module])
    assert module.twice(4) == 2


def test_the_score_and_the_reasons(tmp_path: Path) -> None:
    first, second, third = mutants_of("src/truegain/x.py", ast.parse("def f(a, b):\n    return a < b\n"))
    killers = ("tests/test_x.py::test", None, None)
    outcomes = [
        Outcome(one.file, one.key, one.line, killer, 1)
        for one, killer in zip((first, second, third), killers, strict=True)
    ]
    path = tmp_path / "justified.toml"
    path.write_text(
        '[[mutants]]\nfile = "src/truegain/x.py"\nwhere = "f"\nwhy = "They are never equal."\n'
        f'changes = ["{second.change}", "gone → away"]\n'
    )
    reasons = read_justified(path)
    assert reasons == [
        Justified("src/truegain/x.py", "f", ("return a < b → return a <= b", "gone → away"), "They are never equal.")
    ]
    verdict = Verdict(outcomes, reasons)
    assert verdict.score == pytest.approx(1 / 3)
    assert [one.key for one in verdict.unexplained] == [third.key]
    assert verdict.outlived == [("src/truegain/x.py", "f: gone → away")]
    text = page(verdict, 8.0)
    assert "| x.py | 3 | 1 | 2 | 1 | 33.3 % |" in text
    assert by_file(verdict)[1:] == [["x.py", "3", "1", "2", "1", "33.3 %"]]
    assert f"src/truegain/x.py: {third.key}" in text


EXAMPLE = """
def count(n):
    steps = 0
    while n > 0:
        n -= 1
        steps += 1
    return steps


def never(n):
    return n + 1
"""
TESTS = """
from example import count


def test_three():
    assert count(3) == 3


def test_nothing():
    assert count(0) == 0
"""
RUN = """
import json, sys
from dataclasses import asdict
from pathlib import Path
from benchmarks.mutants import runner
runner.ROOT = Path.cwd()
plan = runner.Plan("src/example.py", ["tests/test_example.py"], 5.0, 2)
Path("found.json").write_text(json.dumps([asdict(one) for one in runner.run(plan, {})]))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no forks")
def test_mutants_die_live_and_do_not_go_on_for_ever(tmp_path: Path) -> None:
    contents = {"src/example.py": EXAMPLE, "tests/test_example.py": TESTS, "pytest.ini": "[pytest]\n"}
    for path, content in contents.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(content)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path / "src"), str(ROOT), str(ROOT / "src")])}
    subprocess.run([sys.executable, "-c", RUN], cwd=tmp_path, env=environment, check=True, capture_output=True)
    found = {one["key"]: one for one in json.loads((tmp_path / "found.json").read_text())}
    assert found["count: steps += 1 → steps -= 1"]["killer"] == "tests/test_example.py::test_three"
    assert found["count: n -= 1 → n += 1"]["killer"] == "(did not end well)"
    assert found["count: while n > 0: → while n >= 0:"]["killer"] is not None
    unreached = found["never: return n + 1 → return n - 1"]
    assert (unreached["killer"], unreached["tests"]) == (None, 0)


def test_outcomes_are_kept_until_something_changes(tmp_path: Path) -> None:
    file = "src/truegain/metrics/base.py"
    plan, store = Plan(file, FILES[file], 5.0, 1), Store(tmp_path)
    assert store.current(plan) is None
    assert store.killers(file) == {}
    outcomes = [Outcome(file, "f: a → b", 3, "test_f", 2), Outcome(file, "f: c → d", 4, None, 2)]
    store.keep(plan, outcomes)
    assert store.current(plan) == outcomes
    assert store.current(Plan(file, FILES[file], 6.0, 1)) is None
    assert store.killers(file) == {"f: a → b": "test_f"}


def test_every_file_of_these_packages_has_its_tests() -> None:
    files = (
        path
        for package in ("inference", "resampling")
        for path in (ROOT / "src" / "truegain" / package).glob("[!_]*.py")
    )
    assert {path.relative_to(ROOT).as_posix() for path in files} <= set(FILES)
    assert all((ROOT / path).exists() for file, tests in FILES.items() for path in (file, *tests))
