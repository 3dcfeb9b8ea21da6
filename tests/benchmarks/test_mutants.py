"""Mutation testing: which mutants there are, how one is put into a loaded module, and what is said of them."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from benchmarks.data import ROOT
from benchmarks.mutants.files import FILES, Store
from benchmarks.mutants.operators import mutants_of
from benchmarks.mutants.page import Justified, Verdict, page, read_justified
from benchmarks.mutants.runner import Outcome, Plan
from benchmarks.mutants.transplant import forget_results, install

CODE = '''
from __future__ import annotations
from dataclasses import dataclass
from functools import cache, cached_property

LIMIT = 3


def grow(x: int, by: int = 1) -> int:
    """Docstrings are 1 thing that stays."""
    if x < LIMIT and by:
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


def test_the_usual_mistakes_and_no_others() -> None:
    tree = ast.parse(CODE)
    found = [one.key for one in mutants_of("example.py", tree) if one.where in ("grow", "LIMIT")]
    assert found == [
        "LIMIT: LIMIT = 3 → LIMIT = 4",
        "grow: def grow(x: int, by: int=1) → def grow(x: int, by: int=2)",
        "grow: if x < LIMIT and by: → if not (x < LIMIT and by):",
        "grow: if x < LIMIT and by: → if x < LIMIT or by:",
        "grow: if x < LIMIT and by: → if x <= LIMIT and by:",
        "grow: if x < LIMIT and by: → if x >= LIMIT and by:",
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
    assert ast.dump(tree) == ast.dump(ast.parse(CODE))


@pytest.mark.parametrize(
    ("part", "see", "value"),
    [
        ("x -= by", lambda held: held.grow(1), 0),
        ("by: int=2", lambda held: held.grow(1), 3),
        ("LIMIT = 4", lambda held: (held.LIMIT, held.grow(3)), (4, 4)),
        ("b: int = 6", lambda held: held.Pair(1).b, 6),
        ("self.a - self.b → return self.a + self.b", lambda held: held.Pair(1).gap, 6),
        ("self.a + self.b → return self.a - self.b", lambda held: held.Pair(1).total, -4),
        ("return cls(-a) → return cls(a)", lambda held: held.Pair.of(2).a, 2),
        ("x * 2 → return x / 2", lambda held: held.twice(4), 2),
    ],
)
def test_whoever_imported_it_runs_the_mutant(
    part: str, see: Callable[[Any], Any], value: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree, module, held = ast.parse(CODE), ModuleType("mutated_example"), ModuleType("elsewhere")
    for one in (module, held):
        monkeypatch.setitem(sys.modules, one.__name__, one)
    exec(compile(CODE, "example.py", "exec"), vars(module))
    vars(held).update({name: vars(module)[name] for name in ("LIMIT", "grow", "twice", "Pair")})
    assert see(held) != value
    install(next(one for one in mutants_of("example.py", tree) if part in one.key), tree, module)
    forget_results([module])
    assert see(held) == value
    assert held.Pair is module.Pair


def test_the_score_and_the_reasons(tmp_path: Path) -> None:
    first, second, third = mutants_of("src/truegain/x.py", ast.parse("def f(a, b):\n    return a < b\n"))
    killers = {first.key: "tests/test_x.py::test"}
    outcomes = [Outcome(one.file, one.key, one.line, killers.get(one.key), 1) for one in (first, second, third)]
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
    assert [one.key for one in verdict.unexplained] == [third.key]
    assert verdict.outlived == [("src/truegain/x.py", "f: gone → away")]
    text = page(verdict, 8.0)
    assert "| x.py | 3 | 1 | 2 | 1 | 33.3 % |" in text
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
    unreached = found["never: return n + 1 → return n - 1"]
    assert (unreached["killer"], unreached["tests"]) == (None, 0)


def test_outcomes_are_kept_until_something_changes(tmp_path: Path) -> None:
    file = "src/truegain/metrics/base.py"
    plan, store = Plan(file, FILES[file], 5.0, 1), Store(tmp_path)
    assert (store.current(plan), store.killers(file)) == (None, {})
    outcomes = [Outcome(file, "f: a → b", 3, "test_f", 2), Outcome(file, "f: c → d", 4, None, 2)]
    store.keep(plan, outcomes)
    assert store.current(plan) == outcomes
    assert store.current(Plan(file, FILES[file], 6.0, 1)) is None
    assert store.killers(file) == {"f: a → b": "test_f"}


def test_every_file_of_these_packages_has_its_tests() -> None:
    packages = (ROOT / "src" / "truegain" / package for package in ("inference", "resampling"))
    files = {path.relative_to(ROOT).as_posix() for package in packages for path in package.glob("[!_]*.py")}
    assert files <= set(FILES)
    assert all((ROOT / path).exists() for file, tests in FILES.items() for path in (file, *tests))
