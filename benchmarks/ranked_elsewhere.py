"""``python -m benchmarks.ranked_elsewhere``: a large ranking on two threads and on two local workers of Dask, in turns.

Each runs in a process of its own, from texts in memory to the result; the start of the workers is part of it. Writes a
table of docs/scale.md.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from statistics import median

import truegain as tg
from benchmarks.csv_tables import write_tables
from benchmarks.data import ROOT
from benchmarks.machine import describe_machine
from benchmarks.ranking import many_systems
from benchmarks.runs import table
from benchmarks.scale import replace_tables

__all__ = ["main"]

_PAGE = ROOT / "docs" / "scale.md"
_WHERE = ("threads", "dask")


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and write the table into the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ranked_elsewhere", description=__doc__)
    parser.add_argument("--resamples", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--output", type=Path, default=_PAGE)
    parser.add_argument("--here", choices=_WHERE, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.here:
        print(*_ranked(options.here, options.resamples))
        return
    seconds: dict[str, list[float]] = {where: [] for where in _WHERE}
    answers = set()
    for number in range(options.repeats):
        for where in _WHERE if number % 2 else reversed(_WHERE):
            command = [sys.executable, "-m", "benchmarks.ranked_elsewhere", "--here", where]
            command += ["--resamples", str(options.resamples)]
            said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
            seconds[where].append(float(said[0]))
            answers.add(said[1])
            print(where, *said, flush=True)
    _write(options.output, seconds, options.resamples, same=len(answers) == 1)


def _ranked(where: str, resamples: int) -> tuple[float, str]:
    """Rank; return the seconds, and a fingerprint of all p-values."""
    data = many_systems()
    start = time.perf_counter()
    if where == "dask":
        from distributed import Client, LocalCluster

        apart = {"n_workers": 2, "threads_per_worker": 1, "memory_limit": 0, "dashboard_address": None}
        with LocalCluster(**apart) as cluster, Client(cluster) as client:
            executor = client.get_executor(pure=False)
            found = tg.rank(data.reference, data.systems, resamples=resamples, jobs=2, executor=executor)
            seconds = time.perf_counter() - start
    else:
        found = tg.rank(data.reference, data.systems, resamples=resamples, jobs=2)
        seconds = time.perf_counter() - start
    p_values = ",".join(repr(pair.p_adjusted) for pair in found.pairs)
    return seconds, sha256(p_values.encode()).hexdigest()[:16]


def _write(page: Path, seconds: dict[str, list[float]], resamples: int, *, same: bool) -> None:
    headings = ["where", "time", "speed, two threads = 1"]
    best = {where: min(times) for where, times in seconds.items()}
    ratios = [one / other for one, other in zip(seconds["threads"], seconds["dask"], strict=True)]
    rows = [
        ["2 threads", f"{best['threads']:.1f} s", "1"],
        ["2 workers of Dask", f"{best['dask']:.1f} s", f"{median(ratios):.2f}"],
    ]
    answer = "The answers are the same" if same else "THE ANSWERS DIFFER"
    text = (
        f"{table(headings, rows, 1)}\n\n150 systems, 2,034 segments, BLEU, all 11,175 pairs, R = {resamples:,}; "
        f"the best of {len(ratios)} in turns, and the median of their ratios. {answer}. "
        f"Measured on: {describe_machine()}."
    )
    replace_tables(page, {"ranked-elsewhere": text})
    write_tables(page, {"scale-ranked": [headings, *rows]})


if __name__ == "__main__":
    main()
