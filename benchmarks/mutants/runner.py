"""Run the tests against mutants: all are loaded once, and each mutant lives in a fork of that process.

First every test runs as it is, to learn which lines it reaches and how long it takes. A mutant is then held against the
tests that reach its lines, until one of them fails: first the one that noticed it the last time, then those that
noticed most others in the same function, then the quickest.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import os
import resource
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

import pytest

from benchmarks.data import ROOT
from benchmarks.mutants.operators import Mutant, mutants_of
from benchmarks.mutants.transplant import forget_results, install

__all__ = ["Outcome", "Plan", "run"]

_MEMORY = 6 * 2**30  # bytes: a mutant that asks for more has been noticed
_SPARE = 5.0  # times as long as a test took is too long, ...
_LEAST = 2.0  # ... and so many seconds of processor time more


@dataclass(frozen=True)
class Plan:
    """What to run.

    Attributes
    ----------
    file : str
        The file that is changed, relative to the root of the project.
    tests : sequence of str
        Paths of the tests that mirror it.
    budget : float
        Seconds of tests that a mutant is held against at most, the quickest first. One that outlives them counts as
        alive: the score can only be too low.
    jobs : int
        Mutants at a time.
    """

    file: str
    tests: Sequence[str]
    budget: float
    jobs: int


@dataclass(frozen=True)
class Outcome:
    """What became of a mutant.

    Attributes
    ----------
    file, key : str
        Which one, see :class:`~benchmarks.mutants.operators.Mutant`.
    line : int
    killer : str or None
        The test that noticed it.
    tests : int
        How many it was to be held against.
    """

    file: str
    key: str
    line: int
    killer: str | None
    tests: int


def run(plan: Plan, killers: Mapping[str, str]) -> list[Outcome]:
    """Run all mutants of a file, those tests first that noticed them before; RuntimeError if tests fail as they are."""
    if not hasattr(os, "fork"):
        raise RuntimeError("mutants are run in forks of a process, which this system does not have")
    from hypothesis import Phase, settings

    # A failure is all that is asked for: not the smallest example, and nothing that earlier runs found.
    settings.register_profile(
        "mutants", derandomize=True, deadline=None, database=None, phases=(Phase.explicit, Phase.generate)
    )
    os.environ["HYPOTHESIS"] = "mutants"
    plugin = _Plugin(plan, killers)
    options = ["--override-ini=addopts=", "--import-mode=importlib", "--assert=plain", "--tb=native", "-q"]
    code = pytest.main([*options, "--capture=no", "-p", "no:cacheprovider", *plan.tests], plugins=[plugin])
    if plugin.outcomes is None:
        raise RuntimeError(f"the tests do not pass without any mutant (pytest: {code})")
    return plugin.outcomes


class _Plugin:
    """Takes the place of pytest's loop over the tests."""

    def __init__(self, plan: Plan, killers: Mapping[str, str]) -> None:
        self.plan = plan
        self.killers = killers
        self.seconds: dict[str, float] = {}
        self.outcomes: list[Outcome] | None = None
        self._failed = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._failed = self._failed or report.failed

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        file = self.plan.file
        module = _module(file)
        items = {item.nodeid: item for item in session.items}
        reached: dict[str, set[int]] = {}
        for name, item in items.items():
            with _traced(str(ROOT / file)) as lines:
                passed = self._passes(item)
            reached[name] = lines
            begin = time.process_time()
            passed = passed and self._passes(item)  # once more, for the first to come has to load what it imports
            self.seconds[name] = time.process_time() - begin
            if not passed:
                print(f"fails without any mutant: {name}", file=sys.stderr)
                return True
        tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
        covering = _Covering(reached, self.seconds, tree, self.plan.budget)
        self.outcomes = _Forks(self, items, covering, tree, module).run(mutants_of(file, tree))
        return True

    def _passes(self, item: pytest.Item) -> bool:
        self._failed = False
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
        return not self._failed

    def first_failure(self, items: Iterable[pytest.Item]) -> str | None:
        """Return the name of the first test that fails."""
        for item in items:
            # Of processor time, whatever else the machine does; its signal ends the process.
            signal.setitimer(signal.ITIMER_PROF, _LEAST + _SPARE * self.seconds[item.nodeid])
            if not self._passes(item):
                return item.nodeid
        return None


class _Covering:
    """Which tests reach a mutant, in the order in which they are worth running."""

    def __init__(
        self, reached: Mapping[str, set[int]], seconds: Mapping[str, float], tree: ast.Module, budget: float
    ) -> None:
        self._seconds = seconds
        self._budget = budget
        self._tree = tree
        self._reached = reached
        self._noticed: dict[str, Counter[str]] = defaultdict(Counter)

    def notice(self, mutant: Mutant, test: str) -> None:
        """Remember what noticed a mutant, for others of the function."""
        self._noticed[mutant.where][test] += 1

    def tests(self, mutant: Mutant, first: str | None) -> list[str]:
        """Tests within the budget."""
        lines = self._lines(mutant)
        found = [test for test, hit in self._reached.items() if lines is None or hit & lines]
        counts = self._noticed[mutant.where]
        found.sort(key=lambda test: (test != first, -counts[test], self._seconds[test], test))
        kept: list[str] = []
        spent = 0.0
        for test in found:
            if not kept or spent + self._seconds[test] <= self._budget:
                kept.append(test)
                spent += self._seconds[test]
        return kept

    def _lines(self, mutant: Mutant) -> set[int] | None:
        """Where a change can be felt; None: anywhere."""
        top = self._tree.body[mutant.top]
        if isinstance(top, ast.Assign | ast.AnnAssign):
            names = set(mutant.where.split(", "))
            uses = (node for node in ast.walk(self._tree) if isinstance(node, ast.Name) and node.id in names)
            return {node.lineno for node in uses} - {top.lineno} or None
        if isinstance(top, ast.ClassDef) and mutant.where == top.name:
            return None  # a field's default: wherever one is made, which is no line of the file
        for node in ast.walk(top):
            if isinstance(node, ast.FunctionDef) and node.lineno == mutant.line:  # an argument's default
                return set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
        return set(range(mutant.line, mutant.end + 1))


class _Forks:
    """Some mutants at a time, each in a process of its own."""

    def __init__(
        self,
        plugin: _Plugin,
        items: Mapping[str, pytest.Item],
        covering: _Covering,
        tree: ast.Module,
        module: ModuleType,
    ) -> None:
        self._plugin = plugin
        self._items = items
        self._covering = covering
        self._tree = tree
        self._module = module

    def run(self, mutants: Sequence[Mutant]) -> list[Outcome]:
        """Return the outcome of each."""
        outcomes: dict[int, Outcome] = {}
        running: dict[int, tuple[int, int, int, str]] = {}  # by process: mutant, tests, pipe, folder
        waiting = list(range(len(mutants)))[::-1]
        while waiting or running:
            while waiting and len(running) < self._plugin.plan.jobs:
                i = waiting.pop()
                tests = self._covering.tests(mutants[i], self._plugin.killers.get(mutants[i].key))
                if tests:
                    process, pipe, folder = self._start(mutants[i], tests)
                    running[process] = (i, len(tests), pipe, folder)
                else:
                    outcomes[i] = _outcome(mutants[i], None, 0)
            if running:
                process, status = os.wait()
                if process not in running:  # a child that some test left behind
                    continue
                i, count, pipe, folder = running.pop(process)
                with os.fdopen(pipe) as stream:
                    told = stream.read()
                shutil.rmtree(folder, ignore_errors=True)
                # One that ended otherwise (too long, too large, crashed) has been noticed too.
                outcomes[i] = _outcome(mutants[i], None if status == 0 else told or "(did not end well)", count)
                if told:
                    self._covering.notice(mutants[i], told)
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
            resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
            nothing = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nothing, 1)
            os.dup2(nothing, 2)
            forget_results([self._module])
            install(mutant, self._tree, self._module)
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


def _outcome(mutant: Mutant, killer: str | None, tests: int) -> Outcome:
    return Outcome(mutant.file, mutant.key, mutant.line, killer, tests)


@contextlib.contextmanager
def _traced(file: str) -> Iterator[set[int]]:
    """Yield the lines of a file that are reached meanwhile, in any thread."""
    lines: set[int] = set()

    def inner(frame: FrameType, event: str, argument: object) -> Any:
        lines.add(frame.f_lineno)
        return inner

    def outer(frame: FrameType, event: str, argument: object) -> Any:
        return inner(frame, event, argument) if frame.f_code.co_filename == file else None

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
