"""How time grows: over segments, systems, resamples and threads.

``python -m benchmarks.scaling`` prints the curves with their slopes, writes them to benchmarks/results/scaling.json and
draws one figure for each; ``make bench`` does the same at its end, on the test sets that it has made already.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from benchmarks.curves import Curve, draw
from benchmarks.data import ROOT, Data, simulated
from benchmarks.machine import describe_machine
from benchmarks.timing import Row
from truegain.engines.engine import Engine
from truegain.executors.over import HERE, Workers
from truegain.experiment import Experiment
from truegain.metrics.lookup import make_metrics
from truegain.procedures.base import Pair
from truegain.procedures.randomization import swapped_differences
from truegain.statistics import collect

__all__ = [
    "FULL",
    "QUICK",
    "RESULTS",
    "Sizes",
    "all_curves",
    "as_json",
    "csv_table",
    "main",
    "rows",
    "slopes",
    "summary",
]

RESULTS = ROOT / "benchmarks" / "results" / "scaling.json"

_SEED = 12345
_METRICS = ("bleu", "chrf", "ter")
_TARGET = 1.8  # times as fast with two threads or workers as with one


@dataclass(frozen=True)
class Sizes:
    """Where the points are, and what stays the same."""

    segments: tuple[int, ...] = (1_000, 3_000, 10_000, 30_000, 100_000)
    systems: tuple[int, ...] = (2, 5, 10, 20, 50, 100, 150)
    resamples: tuple[int, ...] = (1_000, 10_000, 100_000, 1_000_000)
    jobs: tuple[int, ...] = (1, 2)
    few: int = 10
    many: int = 100
    bootstrap: int = 1_000
    randomization: int = 10_000
    spread: int = 100_000
    repeats: int = 3


FULL = Sizes()
QUICK = Sizes(
    segments=(100, 200),
    systems=(2, 4),
    resamples=(100, 400),
    few=3,
    many=4,
    bootstrap=100,
    randomization=100,
    spread=600,
    repeats=1,
)


def all_curves(long: Data, wide: Data, sizes: Sizes = FULL) -> Iterator[Curve]:
    """Every curve; ``long`` has many segments, ``wide`` has many systems."""
    with threadpool_limits(limits=1):  # as the engines do themselves: each thread has its own product
        yield from _over_segments(long, sizes)
        yield from _over_systems(wide, sizes)
        yield from _over_resamples(wide, sizes)
        yield from _over_jobs(wide, sizes)


def _over_segments(data: Data, sizes: Sizes) -> Iterator[Curve]:
    """Two systems; where there are too few segments they come several times over."""
    pair = data.first(2)
    sets = [(count, _stretched(pair, count)) for count in sizes.segments]
    for metric in _METRICS:
        points = [(count, _best(_extraction(one, (metric,), HERE), sizes.repeats)) for count, one in sets]
        yield Curve("segments", f"extraction, {_spelt(metric)}, 2 systems", tuple(points))
    experiments = [(count, _experiment(one)) for count, one in sets]
    for name, test, resamples in _tests(sizes):
        points = [(count, _best(partial(test, one, resamples), sizes.repeats)) for count, one in experiments]
        yield Curve("segments", f"{name} {resamples:,}, BLEU, 2 systems", tuple(points))


def _over_systems(data: Data, sizes: Sizes) -> Iterator[Curve]:
    """Each beside the first; the bootstrap of all pairs has nothing more to draw."""
    chosen = [(count, data.first(count)) for count in sizes.systems]
    length = f"{len(data.reference):,} segments"
    points = [(count, _best(_extraction(one, ("bleu",), HERE), sizes.repeats)) for count, one in chosen]
    yield Curve("systems", f"extraction, BLEU, {length}", tuple(points))
    experiments = [(count, _experiment(one)) for count, one in chosen]
    for name, test, resamples in _tests(sizes):
        points = [(count, _best(partial(test, one, resamples), sizes.repeats)) for count, one in experiments]
        yield Curve("systems", f"{name} {resamples:,}, BLEU, {length}", tuple(points))


def _over_resamples(data: Data, sizes: Sizes) -> Iterator[Curve]:
    length = f"{len(data.reference):,} segments"
    experiment = _experiment(data.first(2))
    for name, test, _ in _tests(sizes):
        points = [(count, _best(partial(test, experiment, count), sizes.repeats)) for count in sizes.resamples]
        yield Curve("resamples", f"{name}, BLEU, 2 systems, {length}", tuple(points))


def _over_jobs(data: Data, sizes: Sizes) -> Iterator[Curve]:
    """How much faster more threads are."""
    length = f"{len(data.reference):,} segments"
    wide, few = data.first(sizes.many), _experiment(data.first(sizes.few))
    _extraction(wide.first(2).segments(20), _METRICS, HERE)()
    points = [(jobs, _best(_extraction(wide, _METRICS, Workers(jobs)), sizes.repeats)) for jobs in sizes.jobs]
    yield Curve("threads", f"extraction, {sizes.many} systems × BLEU + chrF + TER, {length}, threads", tuple(points))
    points = []
    for jobs in sizes.jobs:
        one = replace(few, engine=Engine(Workers(jobs)))
        _bootstrap(one, 256 * jobs)
        points.append((jobs, _best(partial(_bootstrap, one, sizes.spread), sizes.repeats)))
    yield Curve("threads", f"bootstrap {sizes.spread:,}, BLEU, {sizes.few} systems, {length}, threads", tuple(points))


def _tests(sizes: Sizes) -> tuple[tuple[str, Callable[[Experiment, int], Any], int], ...]:
    return (("bootstrap", _bootstrap, sizes.bootstrap), ("randomization", _randomization, sizes.randomization))


def _bootstrap(experiment: Experiment, resamples: int) -> NDArray[np.float64]:
    return replace(experiment).bootstrap(resamples)


def _randomization(experiment: Experiment, resamples: int) -> None:
    pairs = [Pair(0, s) for s in range(1, len(experiment.corpus.systems))]
    swapped_differences(replace(experiment), pairs, resamples)


def _extraction(data: Data, metrics: Sequence[str], workers: Workers) -> Callable[[], Any]:
    corpus, made = data.corpus(), make_metrics(list(metrics))
    return lambda: collect(corpus, made, workers=workers)


def _experiment(data: Data) -> Experiment:
    return Experiment.prepare(
        data.corpus(), ["bleu"], unit="segment", seed=_SEED, jobs=1, cache=None, engine=None, progress=None
    )


def _best(work: Callable[[], Any], repeats: int) -> float:
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def _stretched(data: Data, count: int) -> Data:
    times = math.ceil(count / len(data.reference))
    systems = {name: (outputs * times)[:count] for name, outputs in data.systems.items()}
    return Data(data.name, (data.reference * times)[:count], systems)


def _spelt(metric: str) -> str:
    return {"chrf": "chrF"}.get(metric, metric.upper())


def rows(curves: Sequence[Curve], cores: int | None = None) -> Iterator[Row]:
    """Yield the speed-up of two threads and two workers, as rows of the table: "peer" is one of them."""
    cores = os.cpu_count() if cores is None else cores
    for curve in curves:
        seconds = dict(curve.points)
        if curve.quantity == "threads" and {1, 2} <= seconds.keys():
            target = _TARGET if curve.work.startswith("extraction") else None
            note = "" if (cores or 1) > 1 else "this machine has one core"
            yield Row(f"{curve.work}, 2 beside 1", "", "ratio", seconds[1], seconds[2], target, note=note)


def summary(curves: Sequence[Curve]) -> list[str]:
    """Lines of a Markdown table: the ends of every curve, and its slope."""
    lines = ["| over | work | from | to | slope |", "| --- | --- | --: | --: | --: |"]
    for curve in curves:
        ends = [f"{count:,}: {_seconds(taken)}" for count, taken in (curve.points[0], curve.points[-1])]
        lines.append(f"| {curve.quantity} | {curve.work} | {ends[0]} | {ends[1]} | {curve.slope:.2f} |")
    return lines


def slopes(curves: Sequence[Curve]) -> list[str]:
    """Lines of a Markdown table: the lowest and the highest slope over each quantity."""
    lines = ["| over | curves | slope |", "| --- | --: | --: |"]
    for quantity in dict.fromkeys(curve.quantity for curve in curves):
        own = sorted(curve.slope for curve in curves if curve.quantity == quantity)
        ends = dict.fromkeys(f"{slope:.2f}" for slope in (own[0], own[-1]))
        lines.append(f"| {quantity} | {len(own)} | {' to '.join(ends)} |")
    return lines


def csv_table(curves: Sequence[Curve]) -> list[list[str]]:
    """Return the lines of the summary, for a file."""
    head, _, *rows = summary(curves)
    return [line.strip("| ").split(" | ") for line in (head, *rows)]


def _seconds(taken: float) -> str:
    return f"{taken:.3g} s" if taken >= 1.0 else f"{1000 * taken:.3g} ms"


def as_json(curves: Sequence[Curve], machine: str) -> str:
    """Return the points with their slopes."""
    found = [{**asdict(curve), "slope": round(curve.slope, 3)} for curve in curves]
    return json.dumps({"machine": machine, "curves": found}, indent=2) + "\n"


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print, write and draw."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scaling", description="How time grows.")
    parser.add_argument("--quick", action="store_true", help="small sizes, to see that it works")
    parser.add_argument("--output", type=Path, default=RESULTS, help="where the JSON goes, with the figures beside it")
    options = parser.parse_args(arguments)
    sizes = QUICK if options.quick else FULL
    long, wide = (
        (simulated(100, 2), simulated(60, 4)) if options.quick else (simulated(10_000, 2), simulated(2_034, 150))
    )
    curves = []
    for curve in all_curves(long, wide, sizes):
        curves.append(curve)
        print(f"  over {curve.quantity}: {curve.work}", flush=True)
    machine = describe_machine()
    print("\n".join(["", *summary(curves), "", machine]))
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(as_json(curves, machine), encoding="utf-8")
    draw(curves, options.output.parent)


if __name__ == "__main__":
    main()
