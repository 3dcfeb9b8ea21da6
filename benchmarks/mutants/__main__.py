"""``python -m benchmarks.mutants``: put small mistakes into the code and see whether tests notice.

Written to docs/mutants.md, unless only some files are asked for. Files that are as they were the last time, and so are
their tests, are not run again. Exit status 1: the score is below 85 %, a mutant lives without a reason, or a reason has
outlived its mutant.
"""

from __future__ import annotations

import os

# One thread for each of the processes, and none that a fork would lose: before numpy is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.csv_tables import write_tables
from benchmarks.data import ROOT
from benchmarks.mutants.files import FILES, Store
from benchmarks.mutants.page import TABLE, Verdict, by_file, page, read_justified
from benchmarks.mutants.runner import Plan, run

__all__ = ["main"]

_LEAST = 0.85
_PAGE = ROOT / "docs" / "mutants.md"
_JUSTIFIED = Path(__file__).parent / "justified.toml"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the mutants and write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mutants", description=__doc__)
    parser.add_argument("parts", nargs="*", help="only files whose names contain one of these")
    parser.add_argument("--budget", type=float, default=3.0, help="seconds of tests a mutant is held against")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="mutants at a time")
    parser.add_argument(
        "--kept", action="store_true", help="run nothing: write the page of what earlier runs have found"
    )
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    files = [file for file in FILES if not given.parts or any(part in file for part in given.parts)]
    store = Store()
    plans = [Plan(file, FILES[file], given.budget, given.jobs) for file in files]
    if given.here:
        for plan in plans:
            store.keep(plan, run(plan, store.killers(plan.file)))
        return 0
    outcomes, missing = [], []
    for plan in plans:
        if store.current(plan) is None and not given.kept:
            _run_apart(plan)
        found = store.current(plan)
        if found is None:
            missing.append(plan.file)
        else:
            outcomes += found
    looked_at = {plan.file for plan in plans} - set(missing)
    verdict = Verdict(outcomes, [one for one in read_justified(_JUSTIFIED) if one.file in looked_at])
    for one in verdict.unexplained:
        print(f"alive: {one.file}:{one.line}: {one.key} ({one.tests} tests)")
    for file, key in verdict.outlived:
        print(f"has a reason but is not alive: {file}: {key}")
    print(f"{len(outcomes)} mutants, {len(verdict.alive)} alive: {100 * verdict.score:.1f} % noticed")
    if not given.parts:
        _PAGE.write_text(page(verdict, given.budget, missing), encoding="utf-8")
        write_tables(_PAGE, {TABLE: by_file(verdict)})
    return int(verdict.score < _LEAST or bool(verdict.unexplained) or bool(verdict.outlived) or bool(missing))


def _run_apart(plan: Plan) -> None:
    """Run one file in a process of its own: what it loads and changes does not affect the next."""
    options = [f"--budget={plan.budget}", f"--jobs={plan.jobs}", "--here", plan.file]
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.mutants", *options], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        sys.exit(f"{plan.file}: the tests do not pass without any mutant\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    print(f"{plan.file}: done", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
