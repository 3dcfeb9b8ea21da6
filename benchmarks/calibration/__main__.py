"""The command."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.calibration.page import SIZES_FROM, Report, page, tables
from benchmarks.calibration.pools import real_pools, simulated_pool
from benchmarks.calibration.scenarios import Pools, all_powers, all_scenarios, one_difference, run, run_power
from benchmarks.calibration.tables import curves, sizes, summary_table, unmet
from benchmarks.csv_tables import write_tables
from benchmarks.data import ROOT
from benchmarks.machine import add_jobs
from truegain.report.figures.quantiles import QuantilePlot
from truegain.report.figures.style import make_figure, save

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
    options = parser.parse_args(arguments)
    report = study(make_pools(), options.repetitions, options.resamples, options.jobs)
    beside = options.output.resolve() == PAGE.resolve()
    options.output.parent.mkdir(parents=True, exist_ok=True)
    figure = FIGURE.relative_to(PAGE.parent).as_posix() if beside else None
    options.output.write_text(page(report, figure), encoding="utf-8")
    write_tables(options.output, tables(report))
    if beside:
        FIGURE.parent.mkdir(parents=True, exist_ok=True)
        save(make_figure(QuantilePlot(curves(report.placed))), FIGURE)
        found = {name: round(size, 4) for name, size in sizes(report.placed).items()}
        SIZES.write_text(json.dumps({"how": SIZES_FROM, "sizes": found}, indent=2) + "\n", encoding="utf-8")
    print(f"\n{summary_table(report.placed)}\n\n{unmet(report.outcomes)}\n\n{options.output}")


def make_pools() -> Pools:
    """All that datasets are drawn from."""
    return Pools.build(simulated_pool(), real_pools())


def study(made: Pools, repetitions: int, resamples: int, jobs: int) -> Report:
    """Run every scenario, and say so."""
    start = time.perf_counter()

    def say(what: str) -> None:
        print(f"{time.perf_counter() - start:6.0f} s  {what}", flush=True)

    outcomes, powers = [], []
    for scenario in all_scenarios(made):
        outcomes.append(run(scenario, repetitions=repetitions, resamples=resamples, jobs=jobs))
        say(f"{scenario.group}, {scenario.label}")
    for gained in all_powers(made):
        powers.extend(run_power(gained, repetitions=repetitions, resamples=resamples, jobs=jobs))
        say(f"gain of {gained.gain:g} in {gained.name}")
    one = one_difference(made.simulated)
    minutes = (time.perf_counter() - start) / 60.0
    return Report(outcomes, powers, one, made, repetitions, resamples, jobs, minutes)


if __name__ == "__main__":
    main()
