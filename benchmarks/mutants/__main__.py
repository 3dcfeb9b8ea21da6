"""``python -m benchmarks.mutants``: put small mistakes into the code and see whether tests notice.

Written to docs/mutants.md. Exit status 1: the score is below 85 %, a mutant lives without a reason, or a reason has
outlived its mutant.
"""

from __future__ import annotations

import os

# One thread for each of the processes, and none that a fork would lose: before numpy is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.data import ROOT
from benchmarks.mutants.page import Verdict, page, read_justified
from benchmarks.mutants.runner import Plan, run

__all__ = ["main"]

_LEAST = 0.85
_PAGE = ROOT / "docs" / "mutants.md"
_JUSTIFIED = Path(__file__).parent / "justified.toml"
_ROOMS = ("src/truegain/inference", "src/truegain/resampling")
_FILES = ("src/truegain/metrics/base.py", "src/truegain/statistics.py")
_TESTS = ("tests/inference", "tests/resampling", "tests/metrics/test_base.py", "tests/test_statistics.py")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the mutants and write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mutants", description=(__doc__ or "").split(":")[1])
    parser.add_argument("--only", default="", help="mutants whose file and name contain this; no page is written")
    parser.add_argument("--tests", nargs="*", default=_TESTS, help="paths of tests")
    parser.add_argument("--budget", type=float, default=8.0, help="seconds of tests a mutant is held against")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="mutants at a time")
    given = parser.parse_args(arguments)
    files = sorted(str(path.relative_to(ROOT)) for room in _ROOMS for path in (ROOT / room).glob("[!_]*.py"))
    outcomes = run(Plan((*files, *_FILES), given.tests, given.budget, given.jobs, given.only))
    verdict = Verdict(outcomes, read_justified(_JUSTIFIED))
    for one in verdict.unexplained:
        print(f"alive: {one.mutant.file}:{one.mutant.line}: {one.mutant.key} ({one.tests} tests)")
    print(f"{len(outcomes)} mutants, {len(verdict.alive)} alive: {100 * verdict.score:.1f} %")
    if given.only:
        return 0
    for file, key in verdict.outlived:
        print(f"has a reason but is not alive: {file}: {key}")
    _PAGE.write_text(page(verdict, given.budget), encoding="utf-8")
    return int(verdict.score < _LEAST or bool(verdict.unexplained) or bool(verdict.outlived))


if __name__ == "__main__":
    sys.exit(main())
