"""The command."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

from benchmarks.calibration.one_test import ALONE, merge_tables, merged_page
from benchmarks.calibration.page import SIZES_FROM, Report, page, tables
from benchmarks.calibration.pools import real_pools, simulated_pool
from benchmarks.calibration.scenarios import Pools, all_powers, all_scenarios, of_test, one_difference, run, run_power
from benchmarks.calibration.tables import curves, sizes, summary_table, unmet
from benchmarks.csv_tables import write_tables
from benchmarks.data import ROOT
from benchmarks.machine import add_jobs
from truegain.executors.over import HERE
from truegain.executors.pools import processes
from truegain.registry import TESTS
from truegain.report.figures.series import quantiles
from truegain.report.figures.style import save

PAGE = ROOT / "docs" / "calibration.md"
FIGURE = ROOT / "docs" / "figures" / "calibration.svg"
SIZES = ROOT / "src" / "truegain" / "sizes.json"


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the page and its tables; with the default page the figure, and the sizes that the package shows."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.calibration", description="Measure the tests' size.")
    parser.add_argument("--repetitions", type=int, default=4000, help="datasets of a kind, at most (default: 4000)")
    parser.add_argument("--resamples", type=int, default=999, help="resamples a test (default: 999)")
    add_jobs(parser)
    parser.add_argument("--output", type=Path, default=PAGE, help="the page (default: docs/calibration.md)")
    parser.add_argument("--only", metavar="TEST", choices=ALONE, help="measure one test, and renew its rows")
    options = parser.parse_args(arguments)
    report = study(make_pools(), options.repetitions, options.resamples, options.jobs, options.only)
    if options.only is not None:
        renew_rows(report, options.only, options.output)
        return
    beside = options.output.resolve() == PAGE.resolve()
    options.output.parent.mkdir(parents=True, exist_ok=True)
    figure = FIGURE.relative_to(PAGE.parent).as_posix() if beside else None
    options.output.write_text(page(report, figure), encoding="utf-8")
    write_tables(options.output, tables(report))
    if beside:
        FIGURE.parent.mkdir(parents=True, exist_ok=True)
        drawing = quantiles(curves(report.placed))
        save(drawing.figure, FIGURE, drawing.alt)
        _write_sizes({name: round(size, 4) for name, size in sizes(report.placed).items()})
    print(f"\n{summary_table(report.placed)}\n\n{unmet(report.outcomes)}\n\n{options.output}")


def renew_rows(report: Report, test: str, output: Path) -> None:
    """Merge what was measured of one test into the page, its tables, and the sizes that the package shows."""
    output.write_text(merged_page(output.read_text(encoding="utf-8"), report, test), encoding="utf-8")
    merge_tables(output, report, test)
    if output.resolve() == PAGE.resolve():
        shown = json.loads(SIZES.read_text(encoding="utf-8"))["sizes"]
        shown |= {name: round(size, 4) for name, size in sizes(report.placed, [test]).items()}
        _write_sizes({name: shown[name] for name in TESTS if name in shown})


def _write_sizes(shown: Mapping[str, float]) -> None:
    SIZES.write_text(json.dumps({"how": SIZES_FROM, "sizes": shown}, indent=2) + "\n", encoding="utf-8")


def make_pools() -> Pools:
    """All that datasets are drawn from."""
    return Pools.build(simulated_pool(), real_pools())


def study(made: Pools, repetitions: int, resamples: int, jobs: int, test: str | None = None) -> Report:
    """Run every scenario, and say so; of all tests, or of one."""
    start = time.perf_counter()

    def say(what: str) -> None:
        print(f"{time.perf_counter() - start:6.0f} s  {what}", flush=True)

    outcomes, powers = [], []
    with processes(jobs) if jobs > 1 else nullcontext(HERE) as workers:
        for every in all_scenarios(made):
            scenario = every if test is None else of_test(every, test)
            if not scenario.parts:
                continue
            outcomes.append(run(scenario, repetitions=repetitions, resamples=resamples, workers=workers))
            say(f"{scenario.group}, {scenario.label}")
        for wanted in all_powers(made):
            gained = wanted if test is None else replace(wanted, tests=tuple({test} & {*wanted.tests}))
            if not gained.tests:
                continue
            powers.extend(run_power(gained, repetitions=repetitions, resamples=resamples, workers=workers))
            say(f"gain of {gained.gain:g} in {gained.name}")
    one = one_difference(made.simulated, test=test)
    minutes = (time.perf_counter() - start) / 60.0
    return Report(outcomes, powers, one, made, repetitions, resamples, jobs, minutes)


if __name__ == "__main__":
    main()
