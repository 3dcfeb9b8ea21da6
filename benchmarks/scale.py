"""``python -m benchmarks.scale``: what workers elsewhere cost and give here, and what follows for larger work.

Writes the tables of docs/scale.md. Times are the best of several, after a cluster has begun;
on the clock, and of all processors together: the latter where others use the machine as well.
"""

from __future__ import annotations

import argparse
import json
import os
import pickle
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.csv_tables import write_tables
from benchmarks.data import ROOT, Data, simulated
from benchmarks.machine import describe_machine
from benchmarks.runs import table
from benchmarks.scale_model import Constants, cost_tables
from truegain.corpus import Corpus
from truegain.engines.choice import make_engine
from truegain.engines.engine import Engine, Resampling
from truegain.engines.totals import UniqueColumns
from truegain.executors.over import Packed, Workers, over
from truegain.executors.pools import processes
from truegain.executors.processors import available_jobs
from truegain.experiment import Experiment
from truegain.metrics.lookup import make_metrics
from truegain.resampling.design import Design
from truegain.statistics import collect, system_scores
from truegain.studies.rank import rank

__all__ = ["Timing", "Weighed", "Work", "engine_of", "main", "measure", "measure_constants", "replace_tables", "works"]

_PAGE = ROOT / "docs" / "scale.md"
_SEED = 7
_ENGINES = ("threads", "processes", "dask", "dask-processes")
_METRICS = ("bleu", "chrf", "ter")


@dataclass(frozen=True)
class Work:
    """Something to be done on every engine; what it gives must not depend on which."""

    name: str
    do: Callable[[Engine], bytes]
    predicted: Callable[[Constants], float] | None = None


@dataclass(frozen=True)
class Timing:
    """The best time of some work, in seconds on the clock and of all processors, and whether the answer was right."""

    work: str
    engine: str
    workers: int
    seconds: float
    processor: float
    same: bool


class Weighed(Executor):
    """Does the work here, piece by piece, and weighs what would be sent."""

    _max_workers = 1

    def __init__(self) -> None:
        self.data = self.results = 0

    def submit(self, task: Callable[..., Any], /, *given: Any, **_: Any) -> Future[Any]:
        """Do it at once."""
        future: Future[Any] = Future()
        result = task(*given)
        for one in given:
            if isinstance(one, bytes):  # the same for all pieces
                self.data = max(self.data, len(one))
            elif isinstance(one, Packed):  # of one piece
                self.data += len(one.packed)
        self.results += len(pickle.dumps(result, protocol=5))
        future.set_result(result)
        return future


@contextmanager
def engine_of(name: str, workers: int | None) -> Iterator[Engine]:
    """Give an engine: by its name, or processes of this machine, of a cluster of Dask on it, or of MPI."""
    jobs = available_jobs(workers)
    if name == "processes":
        with processes(jobs) as pool:
            yield Engine(pool)
    elif name == "dask-processes":
        from distributed import Client, LocalCluster

        apart: dict[str, Any] = {"n_workers": jobs, "threads_per_worker": 1, "memory_limit": 0, "silence_logs": 100}
        with LocalCluster(**apart, dashboard_address=":0") as cluster, Client(cluster) as client:
            yield Engine(Workers(1, client.get_executor(pure=False)))
    elif name == "mpi":
        from mpi4py.futures import MPIPoolExecutor

        with MPIPoolExecutor(jobs) as mpi:
            yield Engine(Workers(jobs, mpi))
    else:
        yield make_engine(name, jobs)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure everything and write the tables into the page."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.scale", description="Measure threads, processes and Dask."
    )
    parser.add_argument("--segments", type=int, default=50_000, help="of the texts that are scored")
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--engines", nargs="+", default=list(_ENGINES))
    parser.add_argument("--output", type=Path, default=_PAGE)
    options = parser.parse_args(arguments)
    constants = measure_constants(simulated(min(options.segments, 20_000)), options.repeats)
    print(json.dumps(asdict(constants), indent=2), flush=True)
    starts: dict[str, float] = {}
    timings = []
    wanted = works(options.segments)
    for one in measure(wanted, options.engines, options.repeats, starts):
        timings.append(one)
        print(one, flush=True)
    write_page(options.output, wanted, timings, starts, constants)
    print(options.output)


def works(segments: int) -> list[Work]:
    """Return the works: extraction of statistics, two ways of resampling, and all pairs of many systems."""
    long = simulated(segments, 2)
    few = _experiment(simulated(max(30, segments // 50), 2).corpus())
    some = _experiment(simulated(max(30, segments // 5), 2).corpus())
    many = simulated(max(30, segments // 50), 20).corpus()
    times = max(1, segments // 1000)

    def extract(engine: Engine) -> bytes:
        return collect(long.corpus(), make_metrics(["bleu", "chrf"]), workers=engine.workers).values.tobytes()

    def resample(experiment: Experiment, scheme: Any, count: int) -> Callable[[Engine], bytes]:
        reduce = partial(system_scores, experiment.statistics.blocks)
        design = Design(experiment.units, scheme, _SEED)
        return lambda engine: engine.resample(Resampling(design, experiment.table, reduce), count).tobytes()

    def all_pairs(engine: Engine) -> bytes:
        made = rank(many, metrics=["bleu"], test="bootstrap", resamples=1000 * times, engine=engine, jobs=1)
        return made.render("json").encode()

    return [
        Work(
            f"extraction, BLEU and chrF, 2 × {segments:,} segments",
            extract,
            lambda found: 2 * segments * (found.extraction["bleu"] + found.extraction["chrf"]),
        ),
        Work(
            f"bootstrap, {some.units.count:,} segments, R = {200 * times:,}",
            resample(some, "bootstrap", 200 * times),
            lambda found: some.units.count * 200 * times * (found.per_draw + found.per_column * found.columns),
        ),
        Work(
            f"randomization, {few.units.count:,} segments, R = {20_000 * times:,}",
            resample(few, "swap", 20_000 * times),
            lambda found: few.units.count * 20_000 * times * found.per_swap,
        ),
        Work(f"all 190 pairs, {many.segments:,} segments, R = {1000 * times:,}", all_pairs),
    ]


def measure(wanted: Sequence[Work], engines: Sequence[str], repeats: int, starts: dict[str, float]) -> Iterator[Timing]:
    """Each work on each engine with one worker and with two; ``starts`` is told what a cluster takes to begin."""
    expected = [work.do(Engine()) for work in wanted]
    for name in engines:
        for workers in (1, 2):
            start = time.perf_counter()
            with engine_of(name, workers) as engine:
                list(over(_nothing, None, 0, 2, engine.workers, size=1))
                starts[f"{name}, {workers}"] = time.perf_counter() - start
                for work, right in zip(wanted, expected, strict=True):
                    times, used, same = [], [], True
                    for _ in range(repeats):
                        before, start = _processor_seconds(), time.perf_counter()
                        found = work.do(engine)
                        times.append(time.perf_counter() - start)
                        used.append(_processor_seconds() - before)
                        same &= found == right
                    yield Timing(work.name, name, workers, min(times), min(used), same)


def _nothing(_: None, first: int, __: int) -> int:
    return first


def _processor_seconds() -> float:
    """Of this process and of all that it began: what others do on the machine hardly shows in it."""
    import psutil

    own = psutil.Process()
    total = 0.0
    for process in (own, *own.children(recursive=True)):
        with suppress(psutil.NoSuchProcess):
            spent = process.cpu_times()
            total += spent.user + spent.system
    return total


def measure_constants(data: Data, repeats: int) -> Constants:
    """Return what the model of costs is made of."""
    two = data.first(2).corpus()
    extraction = {name: _extraction_seconds(two, name, repeats) for name in _METRICS}
    columns, seconds = [], []
    for systems in (2, 10):
        experiment = _experiment(data.first(systems).segments(2_000).corpus())
        design = Design(experiment.units, "bootstrap", _SEED)
        reduce = partial(system_scores, experiment.statistics.blocks)
        count = 4_000
        times = _best(lambda: Engine().resample(Resampling(design, experiment.table, reduce), count), repeats)  # noqa: B023
        columns.append(len(UniqueColumns.of(experiment.table, design).values))
        seconds.append(times / count / experiment.units.count)
    slope = max(0.0, (seconds[1] - seconds[0]) / (columns[1] - columns[0]))
    few = _experiment(data.first(2).segments(2_000).corpus())
    swaps = Design(few.units, "swap", _SEED)
    swapping = Resampling(swaps, few.table, partial(system_scores, few.statistics.blocks))
    swapped = _best(lambda: Engine().resample(swapping, 40_000), repeats)
    scoring, resampling = Weighed(), Weighed()
    collect(two, make_metrics(["bleu"]), workers=Workers(1, scoring))
    Engine(Workers(1, resampling)).resample(
        Resampling(Design(few.units, "bootstrap", _SEED), few.table, partial(system_scores, few.statistics.blocks)),
        4_000,
    )
    return Constants(
        extraction=extraction,
        per_draw=max(0.0, seconds[0] - slope * columns[0]),
        per_column=slope,
        per_swap=swapped / 40_000 / few.units.count,
        text_bytes=scoring.data / two.segments,
        statistics_bytes=scoring.results / two.segments / 2,
        table_bytes=resampling.data / few.units.count / few.table.values.shape[1],
        result_bytes=resampling.results / 4_000 / 2,
        columns=columns[0],
    )


def _extraction_seconds(corpus: Corpus, name: str, repeats: int) -> float:
    """Of a segment of one system, with its share of the references."""
    runs = sum(len(system.runs) for system in corpus.systems)
    return _best(lambda: collect(corpus, make_metrics([name])), repeats) / corpus.segments / runs


def _experiment(corpus: Corpus) -> Experiment:
    return Experiment.prepare(
        corpus, ["bleu"], unit="segment", seed=_SEED, jobs=1, cache=None, engine=None, progress=None
    )


def _best(work: Callable[[], Any], repeats: int) -> float:
    """Of the processor, on one thread."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def write_page(
    page: Path, wanted: Sequence[Work], timings: Sequence[Timing], starts: dict[str, float], constants: Constants
) -> None:
    """Replace what stands between the marks of each table."""
    rows = _timed(wanted, timings)
    measured, model = cost_tables(constants)
    replace_tables(page, {"overhead": _overhead(rows, starts), "model": model})
    checked = _check(wanted, timings, constants)
    write_tables(page, {"scale": [_HEADINGS, *rows], "scale-constants": measured, "scale-check": checked})


def replace_tables(page: Path, made: Mapping[str, str]) -> None:
    """Put tables between the marks that bear their names."""
    text = page.read_text(encoding="utf-8")
    for name, found in made.items():
        begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->\n"
        before, rest = text.split(begin)
        text = f"{before}{begin}{found}\n{end}{rest.split(end)[1]}"
    page.write_text(text, encoding="utf-8")


def _check(wanted: Sequence[Work], timings: Sequence[Timing], constants: Constants) -> list[list[str]]:
    """Return what the constants say of work that was measured whole."""
    measured = {one.work: one.processor for one in timings if one.engine == "threads" and one.workers == 1}
    rows = [
        [work.name, f"{work.predicted(constants):.2f} s", f"{measured[work.name]:.2f} s"]
        for work in wanted
        if work.predicted is not None and work.name in measured
    ]
    return [["work, one thread", "by the constants", "measured"], *rows]


_HEADINGS = ["work", "engine", "workers", "time", "speed, one thread = 1", "processor time", "same answer"]


def _timed(wanted: Sequence[Work], timings: Sequence[Timing]) -> list[list[str]]:
    base = {one.work: one.seconds for one in timings if one.engine == "threads" and one.workers == 1}
    return [
        [
            one.work,
            one.engine,
            str(one.workers),
            f"{one.seconds:.2f} s",
            f"×{base[one.work] / one.seconds:.2f}" if one.work in base else "",
            f"{one.processor:.2f} s",
            "yes" if one.same else "NO",
        ]
        for work in wanted
        for one in timings
        if one.work == work.name
    ]


def speed_table(rows: Sequence[Sequence[str]]) -> str:
    """Return the speed of every engine and number of workers beside one thread, a row per piece of work."""
    columns = [column for column in dict.fromkeys((row[1], row[2]) for row in rows) if column != ("threads", "1")]
    speeds = {(row[0], row[1], row[2]): row[4] for row in rows}
    cells = [
        [work, *(speeds.get((work, *column), "") for column in columns)]
        for work in dict.fromkeys(row[0] for row in rows)
    ]
    return table(["work", *(f"{engine}, {workers}" for engine, workers in columns)], cells, 1)


def _overhead(rows: Sequence[Sequence[str]], starts: dict[str, float]) -> str:
    began = "; ".join(f"{name}: {seconds:.1f} s" for name, seconds in starts.items() if not name.startswith("threads"))
    load = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "?"
    other = [", ".join(row[:3]) for row in rows if row[6] == "NO"]
    same = f"Other answers: {'; '.join(other)}." if other else "All answers are the same."
    return (
        f"{speed_table(rows)}\n\n{same} Until workers had begun (engine, workers): {began}.\n\n"
        f"Measured on: {describe_machine()}; load of the machine at the end: {load}."
    )


if __name__ == "__main__":
    main()
