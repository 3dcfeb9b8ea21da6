"""Run the tests against mutants: all are loaded once, and each mutant lives in a fork of that process.

First every test runs as it is, to learn which lines it reaches and how long it takes. A mutant is then held against the
tests that reach its lines, until one of them fails: first the one that noticed it the last time, then those that
noticed most others in the same function, then the quickest.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import json
import os
import resource
import shutil
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

import pytest

from benchmarks.data import ROOT
from benchmarks.mutants.operators import Mutant, mutants_of
from benchmarks.mutants.transplant import forget_results, install

__all__ = ["Outcome", "Plan", "run"]

_CACHE = ROOT / "build" / "mutants.json"
_MEMORY = 6 * 2**30  # bytes: a mutant that asks for more has been noticed
_SPARE = 10  # times as long as the tests took is too long, ...
_LEAST = 20  # ... but never less than so many seconds of processor time


@dataclass(frozen=True)
class Plan:
    """What to run.

    Attributes
    ----------
    files : sequence of str
        The files that are changed, relative to the root of the project.
    tests : sequence of str
        Paths of tests.
    budget : float
        Seconds of tests that a mutant is held against at most, the quickest first. One that outlives them counts as
        alive: the score can only be too low.
    jobs : int
        Mutants at a time.
    only : str
        Only mutants whose file and name contain this.
    """

    files: Sequence[str]
    tests: Sequence[str]
    budget: float
    jobs: int
    only: str = ""


@dataclass(frozen=True)
class Outcome:
    """What became of a mutant: ``killer`` is the test that noticed it, None if none did; ``tests`` reached it."""

    mutant: Mutant
    killer: str | None
    tests: int


def run(plan: Plan) -> list[Outcome]:
    """Run all mutants; RuntimeError if the tests fail as they are."""
    if not hasattr(os, "fork"):
        raise RuntimeError("mutants are run in forks of a process, which this system does not have")
    from hypothesis import Phase, settings

    # A failure is all that is asked for: not the smallest example, and nothing that earlier runs found.
    settings.register_profile(
        "mutants", derandomize=True, deadline=None, database=None, phases=(Phase.explicit, Phase.generate)
    )
    os.environ["HYPOTHESIS"] = "mutants"
    plugin = _Plugin(plan)
    options = ["--override-ini=addopts=", "--import-mode=importlib", "--assert=plain", "--tb=native", "-q"]
    code = pytest.main([*options, "--capture=no", "-p", "no:cacheprovider", *plan.tests], plugins=[plugin])
    if plugin.outcomes is None:
        raise RuntimeError(f"the tests do not pass without any mutant (pytest: {code})")
    return plugin.outcomes


class _Plugin:
    """Takes the place of pytest's loop over the tests."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.outcomes: list[Outcome] | None = None
        self._failed = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._failed = self._failed or report.failed

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        files = {str(ROOT / file): file for file in self.plan.files}
        modules = {file: _module(file) for file in self.plan.files}
        reached: dict[str, dict[str, set[int]]] = {}
        seconds: dict[str, float] = {}
        items = {item.nodeid: item for item in session.items}
        print(f"{len(items)} tests without a mutant …", file=sys.stderr, flush=True)
        for name, item in items.items():
            begin = time.process_time()
            with _traced(files) as lines:
                passed = self._passes(item)
            seconds[name] = time.process_time() - begin
            reached[name] = lines
            if not passed:
                print(f"fails without any mutant: {name}", file=sys.stderr)
                return True
        trees = {file: ast.parse((ROOT / file).read_text(encoding="utf-8")) for file in self.plan.files}
        mutants = [one for file, tree in trees.items() for one in mutants_of(file, tree)]
        mutants = [one for one in mutants if self.plan.only in f"{one.file}: {one.key}"]
        covering = _Covering(reached, seconds, trees, self.plan.budget)
        self.outcomes = _Forks(self, items, covering, trees, modules, self.plan).run(mutants)
        return True

    def _passes(self, item: pytest.Item) -> bool:
        self._failed = False
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
        return not self._failed

    def first_failure(self, items: Iterable[pytest.Item]) -> str | None:
        """The name of the first test that fails."""
        return next((item.nodeid for item in items if not self._passes(item)), None)


class _Covering:
    """Which tests reach a mutant, in the order in which they are worth running."""

    def __init__(
        self,
        reached: dict[str, dict[str, set[int]]],
        seconds: dict[str, float],
        trees: dict[str, ast.Module],
        budget: float,
    ) -> None:
        self.seconds = seconds
        self._budget = budget
        self._trees = trees
        self._by_line: dict[tuple[str, int], list[str]] = defaultdict(list)
        for test, files in reached.items():
            for file, lines in files.items():
                for line in lines:
                    self._by_line[file, line].append(test)
        self._noticed: dict[str, Counter[str]] = defaultdict(Counter)

    def notice(self, mutant: Mutant, test: str) -> None:
        """Remember what noticed a mutant, for others of the function."""
        self._noticed[f"{mutant.file}: {mutant.where}"][test] += 1

    def tests(self, mutant: Mutant, first: str | None) -> list[str]:
        """Tests within the budget."""
        lines: set[int] = set(range(mutant.line, mutant.end + 1))
        statement = self._trees[mutant.file].body[mutant.top]
        if isinstance(statement, ast.FunctionDef) and mutant.line == statement.lineno:
            lines = set(range(statement.lineno, (statement.end_lineno or 0) + 1))
        elif isinstance(statement, ast.ClassDef) and mutant.where == statement.name:
            lines = set()  # a field's default: wherever the class may be made
        elif isinstance(statement, ast.Assign | ast.AnnAssign):
            names = set(mutant.where.split(", "))
            tree = self._trees[mutant.file]
            uses = (n for n in ast.walk(tree) if isinstance(n, ast.Name) and n.id in names)
            lines = {n.lineno for n in uses if n.lineno != statement.lineno} or set()
        keys = [(mutant.file, line) for line in lines] or [key for key in self._by_line if key[0] == mutant.file]
        found = {test for key in keys for test in self._by_line.get(key, ())}
        counts = self._noticed[f"{mutant.file}: {mutant.where}"]
        ordered = sorted(found, key=lambda test: (test != first, -counts[test], self.seconds[test], test))
        kept: list[str] = []
        spent = 0.0
        for test in ordered:
            spent += self.seconds[test]
            if kept and spent > self._budget:
                continue
            kept.append(test)
        return kept


class _Forks:
    """Some mutants at a time, each in a process of its own."""

    def __init__(
        self,
        plugin: _Plugin,
        items: dict[str, pytest.Item],
        covering: _Covering,
        trees: dict[str, ast.Module],
        modules: dict[str, ModuleType],
        plan: Plan,
    ) -> None:
        self._plugin = plugin
        self._items = items
        self._covering = covering
        self._trees = trees
        self._modules = modules
        self._plan = plan

    def run(self, mutants: list[Mutant]) -> list[Outcome]:
        known = _remembered()
        outcomes: dict[int, Outcome] = {}
        running: dict[int, tuple[int, int, int, str]] = {}  # by process: mutant, tests, pipe, folder
        waiting = list(enumerate(mutants))[::-1]
        while waiting or running:
            while waiting and len(running) < self._plan.jobs:
                i, mutant = waiting.pop()
                tests = self._covering.tests(mutant, known.get(f"{mutant.file}: {mutant.key}"))
                if tests:
                    process, pipe, folder = self._start(mutant, tests)
                    running[process] = (i, len(tests), pipe, folder)
                else:
                    outcomes[i] = Outcome(mutant, None, 0)
            if not running:
                continue
            process, status = os.wait()
            i, count, pipe, folder = running.pop(process)
            with os.fdopen(pipe) as stream:
                told = stream.read()
            shutil.rmtree(folder, ignore_errors=True)
            # One that ended otherwise (too long, too large, crashed) has been noticed too.
            killer = None if status == 0 else told or "(did not end well)"
            outcomes[i] = Outcome(mutants[i], killer, count)
            if told and killer:
                self._covering.notice(mutants[i], told)
                known[f"{mutants[i].file}: {mutants[i].key}"] = told
            if killer is None:
                print(f"alive: {mutants[i].file}:{mutants[i].line}: {mutants[i].key}", file=sys.stderr, flush=True)
            if len(outcomes) % 100 == 0:
                alive = sum(one.killer is None for one in outcomes.values())
                print(f"{len(outcomes)} of {len(mutants)} mutants, {alive} alive", file=sys.stderr, flush=True)
        _remember(known)
        return [outcomes[i] for i in range(len(mutants))]

    def _start(self, mutant: Mutant, tests: list[str]) -> tuple[int, int, str]:
        folder = tempfile.mkdtemp(prefix="mutant-")
        reading, writing = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        process = os.fork()
        if process:
            os.close(writing)
            return process, reading, folder
        code = 1
        try:
            self._limit(tests)
            nothing = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nothing, 1)
            os.dup2(nothing, 2)
            forget_results(list(self._modules.values()))
            install(mutant, self._trees[mutant.file], self._modules[mutant.file])
            items = [self._items[test] for test in tests]
            factory: Any = items[0].config
            factory._tmp_path_factory._basetemp = Path(folder)  # of its own: others write at the same time
            killer = self._plugin.first_failure(items)
            if killer is None:
                code = 0
            else:
                os.write(writing, killer.encode())
        finally:
            os._exit(code)

    def _limit(self, tests: list[str]) -> None:
        allowed = int(_LEAST + _SPARE * sum(self._covering.seconds[test] for test in tests))
        resource.setrlimit(resource.RLIMIT_CPU, (allowed, allowed + 1))
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))


@contextlib.contextmanager
def _traced(files: dict[str, str]) -> Any:
    lines: dict[str, set[int]] = defaultdict(set)

    def inner(frame: FrameType, event: str, argument: object) -> Any:
        lines[files[frame.f_code.co_filename]].add(frame.f_lineno)
        return inner

    def outer(frame: FrameType, event: str, argument: object) -> Any:
        if frame.f_code.co_filename not in files:
            return None
        return inner(frame, event, argument)

    threading.settrace(outer)
    sys.settrace(outer)
    try:
        yield lines
    finally:
        sys.settrace(None)
        threading.settrace(None)


def _module(file: str) -> ModuleType:
    path = Path(file).relative_to("src").with_suffix("")
    return importlib.import_module(".".join(path.parts).removesuffix(".__init__"))


def _remembered() -> dict[str, str]:
    return json.loads(_CACHE.read_text(encoding="utf-8")) if _CACHE.exists() else {}


def _remember(known: dict[str, str]) -> None:
    _CACHE.parent.mkdir(exist_ok=True)
    _CACHE.write_text(json.dumps(known, indent=0, sort_keys=True), encoding="utf-8")
