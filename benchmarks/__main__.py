"""``python -m benchmarks``: a table on the screen, curves of how time grows, and both as JSON in benchmarks/results."""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from threadpoolctl import threadpool_limits

from benchmarks import rows as table_rows
from benchmarks import scaling
from benchmarks.csv_tables import write_tables
from benchmarks.curves import FIGURES, Curve, draw
from benchmarks.data import ROOT
from benchmarks.machine import describe_machine
from benchmarks.table import as_json, csv_table, markdown_table, notes, plain_table
from benchmarks.timing import Row, Skipped

_RESULTS = ROOT / "benchmarks" / "results"
_PAGE = ROOT / "docs" / "benchmarks.md"
_FIGURES = "figures"
_ALTERNATIVES = {
    "segments": "Time by the number of segments",
    "systems": "Time by the number of systems",
    "resamples": "Time by the number of resamples",
    "threads": "How many times faster two threads or processes are than one",
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure everything; a target that is missed is said, and is no failure."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure truegain beside its peers.")
    parser.add_argument("--write-page", action="store_true", help="also put all of it into docs/benchmarks.md")
    parser.add_argument("--quick", action="store_true", help="small sizes, to see that it works; of no use as figures")
    parser.add_argument("--output", type=Path, default=_RESULTS, help="the folder of the JSON and the figures")
    options = parser.parse_args(arguments)
    if options.quick and options.write_page:
        parser.error("--quick measures nothing worth a page")
    start = time.perf_counter()
    found, skipped, curves = measure(quick=options.quick)
    machine = describe_machine()
    print(f"\n{plain_table(found)}\n\n{notes(found, skipped)}\n")
    print("\n".join([*scaling.summary(curves), "", machine, f"{time.perf_counter() - start:.0f} seconds in all"]))
    options.output.mkdir(parents=True, exist_ok=True)
    held = {"machine": machine, "rows": [as_json(row) for row in found], "skipped": [asdict(one) for one in skipped]}
    (options.output / "bench.json").write_text(json.dumps(held, indent=2) + "\n", encoding="utf-8")
    (options.output / "scaling.json").write_text(scaling.as_json(curves, machine), encoding="utf-8")
    draw(curves, options.output)
    if options.write_page:
        write_page(_PAGE, found, skipped, curves, machine)


def measure(*, quick: bool = False) -> tuple[list[Row], list[Skipped], list[Curve]]:
    """Measure the rows and the curves, and say what is done; return them with what was left out and why."""
    sizes = table_rows.QUICK if quick else table_rows.FULL
    sets = table_rows.TestSets(sizes)
    found: list[Row] = []
    skipped: list[Skipped] = []
    with threadpool_limits(limits=1), tempfile.TemporaryDirectory() as folder:
        for one in table_rows.all_rows(sets, Path(folder), sizes):
            if isinstance(one, Skipped):
                skipped.append(one)
                print(f"  {one.work}: not measured", flush=True)
            else:
                found.append(one)
                print(f"  {one.work}, {one.data}".rstrip(", "), flush=True)
    curves = []
    for curve in scaling.all_curves(sets.large, sets.many, scaling.QUICK if quick else scaling.FULL):
        curves.append(curve)
        print(f"  over {curve.quantity}: {curve.work}", flush=True)
    return [*found, *scaling.rows(curves)], skipped, curves


def write_page(
    page: Path, found: Sequence[Row], skipped: Sequence[Skipped], curves: Sequence[Curve], machine: str
) -> None:
    """Replace the table and the curves of the page, and draw the figures beside it."""
    drawn = {path.name for path in draw(curves, page.parent / _FIGURES)}
    shown = [
        f"![{_ALTERNATIVES[quantity]}]({_FIGURES}/{name})" for quantity, (name, _) in FIGURES.items() if name in drawn
    ]
    text = page.read_text(encoding="utf-8")
    said = notes(found, skipped, missed_too=False)
    text = _between(text, "table", f"{markdown_table(found)}\n\n{said}\n\nMeasured on: {machine}\n")
    text = _between(text, "curves", "\n\n".join(["\n".join(scaling.slopes(curves)), *shown]) + "\n")
    page.write_text(text, encoding="utf-8")
    write_tables(page, {"benchmarks": csv_table(found), "scaling": scaling.csv_table(curves)})


def _between(text: str, name: str, new: str) -> str:
    """Replace what a page has between two marks."""
    begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->\n"
    before, rest = text.split(begin)
    return f"{before}{begin}{new}{end}{rest.split(end)[1]}"


if __name__ == "__main__":
    main()
