"""``python -m benchmarks``: one table on the screen, and the same in benchmarks/results/bench.json."""

from __future__ import annotations

import argparse
import json
import os
import platform
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path

from threadpoolctl import threadpool_limits

from benchmarks import command, edits, extraction, information, memory, meteor, ranking, resampling, summaries
from benchmarks.data import ROOT, Data, realsumm, simulated, wmt17
from benchmarks.timing import Row

_RESULTS = ROOT / "benchmarks" / "results" / "bench.json"
_PAGE = ROOT / "docs" / "benchmarks.md"
_TABLE_START, _TABLE_END = "<!-- table: begin -->\n", "<!-- table: end -->\n"
_HEADINGS = ("work", "data", "peer", "ours", "ratio", "target", "met", "same result")


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure everything."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure truegain beside its peers.")
    parser.add_argument("--write-page", action="store_true", help="also put the table into docs/benchmarks.md")
    options = parser.parse_args(arguments)
    start = time.perf_counter()
    rows = []
    with threadpool_limits(limits=1), tempfile.TemporaryDirectory() as folder:
        for row in all_rows(Path(folder)):
            rows.append(row)
            print(f"  {row.work}, {row.data}".rstrip(", "), flush=True)
    machine = describe_machine()
    print(f"\n{plain_table(rows)}\n\n{machine}\n{time.perf_counter() - start:.0f} seconds in all")
    _RESULTS.parent.mkdir(parents=True, exist_ok=True)
    _RESULTS.write_text(json.dumps({"machine": machine, "rows": [as_json(row) for row in rows]}, indent=2) + "\n")
    if options.write_page:
        write_page(rows, machine)


def all_rows(folder: Path) -> Iterator[Row]:
    """Every measurement, the quick ones first."""
    small = simulated(2_000)
    yield command.measure_help(repeats=10)
    yield command.measure_compare(small, folder / "small", repeats=5)
    yield from data_rows(small, repeats=15)
    yield from edit_rows(small.first(2).segments(500))
    yield from rouge_rows(edits.joined(small.first(2).segments(500), 5, "\t"))
    yield from meteor_rows(small.first(2))
    yield command.measure_many(simulated(1_000), folder / "many")
    real = wmt17()
    if real is None:
        print("  ../shared/data is not here: the rows on real outputs are left out", flush=True)
    else:
        yield command.measure_compare(real, folder / "real", repeats=5)
        yield from data_rows(real, repeats=15)
        yield from edit_rows(real.first(2).segments(600))
    documents = realsumm()
    if documents is not None:
        yield from rouge_rows(documents.first(10))
    large = simulated(20_000)
    yield memory.measure(large, folder / "large")
    yield command.measure_compare(large, folder / "large", repeats=1)
    yield from extraction_rows(large.first(2), repeats=1)
    yield from resampling_rows(large.first(2), repeats=1)
    yield from resampling_rows(large, repeats=1)
    many = ranking.many_systems()
    for resamples, repeats in ((100_000, 5), (1_000_000, 1)):
        yield ranking.measure(many, resamples=resamples, repeats=repeats)
    yield ranking.measure_memory(many, folder / "many", resamples=1_000_000)


def edit_rows(data: Data) -> Iterator[Row]:
    """TER on segments as they are and on long ones, and WER."""
    yield edits.measure_ter(data, repeats=1)
    yield edits.measure_ter(edits.joined(data, 3), repeats=1)
    yield edits.measure_wer(data, repeats=5)


def rouge_rows(data: Data) -> Iterator[Row]:
    """ROUGE of words and of stems."""
    for stem in (False, True):
        yield summaries.measure(data, stem=stem, repeats=3)


def meteor_rows(data: Data) -> Iterator[Row]:
    """METEOR, where its jar is here."""
    row = meteor.measure(data, repeats=1)
    if row is None:
        print("  METEOR's jar or java is not here: its row is left out", flush=True)
    else:
        yield row


def data_rows(data: Data, *, repeats: int) -> Iterator[Row]:
    """Extraction, NIST and resampling for two and for ten systems."""
    for systems in (2, 10):
        yield from extraction_rows(data.first(systems), repeats=repeats)
        yield information.measure(data.first(systems), repeats=min(repeats, 5))
        yield from resampling_rows(data.first(systems), repeats=repeats)


def extraction_rows(data: Data, *, repeats: int) -> Iterator[Row]:
    """BLEU and chrF."""
    for metric in ("BLEU", "chrF"):
        yield extraction.measure(data, metric, repeats=repeats)


def resampling_rows(data: Data, *, repeats: int) -> Iterator[Row]:
    """The bootstrap and approximate randomization."""
    yield resampling.measure_bootstrap(data, repeats=repeats)
    if len(data.systems) == 2:  # with more systems one interval hardly counts
        yield resampling.measure_bootstrap_with_intervals(data, repeats=repeats)
    yield resampling.measure_randomization(data, repeats=repeats)
    if len(data.systems) > 2:
        yield resampling.measure_max_t(data, repeats=repeats)


def cells(row: Row) -> tuple[str, ...]:
    """A row as text."""
    unit = "MB" if row.kind == "megabytes" else "s"
    digits = 0 if row.kind == "megabytes" else 4
    peer = "" if row.peer is None else f"{row.peer:.3f} s"
    ratio = "" if row.ratio is None else f"×{row.ratio:.1f}"
    target = f"×{row.target:g}" if row.kind == "ratio" else f"< {row.target:g} {unit}"
    same = {True: "yes", False: "NO", None: ""}[row.agree]
    met = "yes" if row.met else "NO"
    return row.work, row.data, peer, f"{row.ours:.{digits}f} {unit}", ratio, target, met, same


def plain_table(rows: Sequence[Row]) -> str:
    """Columns lined up, numbers to the right."""
    lines = [_HEADINGS, *map(cells, rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(_HEADINGS))]
    return "\n".join(
        "  ".join(cell.ljust(width) if i < 2 else cell.rjust(width) for i, (cell, width) in enumerate(pairs)).rstrip()
        for pairs in (list(zip(line, widths, strict=True)) for line in lines)
    )


def markdown_table(rows: Sequence[Row]) -> str:
    """The same for a page."""
    lines = [_HEADINGS, ("---", "---", "--:", "--:", "--:", "--:", "---", "---"), *map(cells, rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def write_page(rows: Sequence[Row], machine: str) -> None:
    """Replace the table of the page."""
    before, rest = _PAGE.read_text(encoding="utf-8").split(_TABLE_START)
    after = rest.split(_TABLE_END)[1]
    table = f"{_TABLE_START}{markdown_table(rows)}\n\nMeasured on: {machine}\n{_TABLE_END}"
    _PAGE.write_text(before + table + after, encoding="utf-8")


def as_json(row: Row) -> dict[str, object]:
    """A row with what follows from it."""
    return {**asdict(row), "ratio": row.ratio, "met": row.met}


def describe_machine() -> str:
    """Processor, cores and versions."""
    versions = ", ".join(f"{name} {version(name)}" for name in ("truegain", "sacrebleu", "numpy"))
    return f"{_processor()}, {os.cpu_count()} cores; Python {platform.python_version()}, {versions}"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    found = {key.strip(): value.strip() for key, _, value in (line.partition(":") for line in lines)}
    name = found.get("model name") or platform.processor() or platform.machine()
    model = f" (family {found['cpu family']}, model {found['model']})" if "cpu family" in found else ""
    return name + model


if __name__ == "__main__":
    main()
