"""A long table of scores, compared by a whole command, beside reading it with Python's csv module."""

from __future__ import annotations

import csv
import json
import math
import random
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.timing import Row, run_command, warm_up
from benchmarks.timing import program as installed

__all__ = ["measure", "write_table"]

_TARGET = 0.1
_LIMIT = 250.0
_PEER = """
import csv, sys
with open(sys.argv[1], encoding="utf-8", newline="") as file:
    for row in csv.reader(file):
        pass
"""


def write_table(path: Path, size: tuple[int, int, int]) -> dict[str, float]:
    """Write a row per system, item and sample, and return the mean score of each system."""
    systems, items, samples = size
    made = random.Random(1)
    means: dict[str, float] = {}
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["model", "question_id", "sample", "score"])
        for system in range(systems):
            name = f"system-{system:03}"
            scores = [round(made.random(), 4) for _ in range(items * samples)]
            rows = ([name, f"question-{place // samples:05}", place % samples, one] for place, one in enumerate(scores))
            writer.writerows(rows)
            means[name] = math.fsum(scores) / len(scores)
    return means


def measure(folder: Path, size: tuple[int, int, int] = (200, 1_000, 5), *, repeats: int) -> Iterator[Row]:
    """Time ``truegain compare`` of the first system with all others, and its memory."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "long.csv"
    means = write_table(path, size)
    peer: list[str | Path] = [sys.executable, "-I", "-c", _PEER, path]
    ours: list[str | Path] = [installed("truegain"), "compare", "-m", "scores", path, "--no-cache", "-j", "1"]
    warm_up(ours)
    theirs, own = [], []
    for _ in range(repeats):
        theirs.append(run_command(peer))
        own.append(run_command(ours))
    found = json.loads(run_command([*ours, "-f", "json"]).output)["systems"]
    agree = {one["name"] for one in found} == set(means) and all(
        math.isclose(one["score"], means[one["name"]], rel_tol=1e-6) for one in found
    )
    rows = math.prod(size)
    work = (
        f"whole command, scores of a long CSV of {rows:,} rows, {size[0]} systems, beside reading it by the csv module"
    )
    data = f"simulated {rows:,}"
    yield Row(work, data, "ratio", min(run.cpu for run in theirs), min(run.cpu for run in own), _TARGET, agree)
    work = f"peak memory, scores of a long CSV of {rows:,} rows, {size[0]} systems"
    yield Row(work, data, "megabytes", None, min(run.peak for run in own) / 1e6, _LIMIT)
