"""All pairs of very many systems: from statistics in memory to adjusted p-values, beside the matrix product alone."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import starmap
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks.data import Data, simulated
from benchmarks.timing import Row, program, run_command
from truegain.engines.engine import Engine
from truegain.engines.totals import UniqueColumns
from truegain.executors.over import Workers
from truegain.experiment import Experiment
from truegain.inference.multiplicity import max_t
from truegain.inference.pvalues import bootstrap_test, tolerance
from truegain.procedures.base import Pair, Trial
from truegain.resampling.design import Design
from truegain.studies.tested import by_bootstrap

__all__ = ["many_systems", "measure", "measure_memory"]

_SEED = 12345
_JOBS = 2
_CHUNK = 512


def many_systems() -> Data:
    """As many systems and segments as in the experiment of Berg-Kirkpatrick et al. (2012)."""
    return simulated(2_034, 150)


def measure(data: Data, *, resamples: int, repeats: int, apart: bool = False, check: bool = False) -> Row:
    """All pairs by the bootstrap, plain and by maxT; times are on the clock, with two threads on both sides.

    The "peer" is the product of weights and statistics alone, single precision; the whole is to take no longer, and
    0.6 of it if systems are ``apart`` as real ones are. ``check``: hold the p-values against those of one pair at a
    time.
    """
    experiment = Experiment.prepare(
        data.corpus(), ["bleu"], unit="segment", seed=_SEED, jobs=_JOBS, cache=None, engine=None, progress=None
    )
    pairs = list(itertools.combinations(range(len(data.systems)), 2))
    products, ours = [], []
    for _ in range(repeats):  # in turn, and the best of each: others use the machine as well
        products.append(_product_seconds(experiment, resamples))
        fresh = replace(experiment, engine=Engine(Workers(_JOBS)))
        trial = Trial(fresh, tuple(starmap(Pair, pairs)), alpha=0.05, resamples=resamples)
        start = time.perf_counter()
        found = by_bootstrap(trial, "maxt", _JOBS)[0]
        ours.append(time.perf_counter() - start)
    count = len(data.systems)
    systems = f"{count} systems{' as far apart as real ones' if apart else ''}"
    work = f"all {count * (count - 1) // 2:,} pairs of {systems}, maxT, {resamples:,}, 2 threads, beside the product"
    agree = _agrees(fresh, resamples, found.exceedances.tolist(), found.adjusted.tolist()) if check else None
    return Row(work, data.name, "ratio", min(products), min(ours), 1 / 0.6 if apart else 1.0, agree)


def _product_seconds(experiment: Experiment, resamples: int) -> float:
    """Time the matrix product alone, piece by piece, once the weights are there."""
    table = experiment.table
    values = UniqueColumns.of(table, Design(experiment.units, "bootstrap", _SEED)).values
    statistics = np.ascontiguousarray(values.T, dtype=np.float32)
    weights = np.random.default_rng(1).poisson(1.0, (_CHUNK, len(statistics))).astype(np.float32)

    def work(first: int) -> float:
        return float((weights[: min(_CHUNK, resamples - first)] @ statistics)[0, 0])

    return _timed(work, range(0, resamples, _CHUNK))


def _timed(work: Callable[[int], float], items: range) -> float:
    with threadpool_limits(limits=1), ThreadPoolExecutor(_JOBS) as pool:
        work(0)
        start = time.perf_counter()
        for _ in pool.map(work, items):
            pass
        return time.perf_counter() - start


def measure_memory(data: Data, folder: Path, *, resamples: int, limit: float = 1_000.0) -> Row:
    """Peak memory of ``truegain rank``, from files to the report."""
    reference, systems = data.write(folder)
    arguments: list[str | Path] = [program("truegain"), "rank", "--ref", reference, *systems, "-R", str(resamples)]
    used = run_command([*arguments, "--no-cache", "-j", str(_JOBS), "-o", folder / "ranking.json"])
    work = f"peak memory, all pairs of {len(data.systems)} systems, maxT, {resamples:,}, 2 threads"
    return Row(work, data.name, "megabytes", None, used.peak / 1e6, limit)


def _agrees(experiment: Experiment, resamples: int, counts: list[int], adjusted: list[float]) -> bool:
    """Whether one pair at a time gives the same."""
    observed, resampled = experiment.scores[0], experiment.bootstrap(resamples)[0]
    deltas, nulls, slacks = [], [], []
    for i, (a, b) in enumerate(itertools.combinations(range(observed.size), 2)):
        delta, differences = float(observed[b] - observed[a]), resampled[b] - resampled[a]
        magnitude = float(np.abs(observed[[a, b]]).max())
        factor = experiment.factor(0.95)
        if bootstrap_test(delta, differences, magnitude=magnitude, factor=factor).exceedances != counts[i]:
            return False
        deltas.append(delta)
        nulls.append((differences - delta) * factor)
        slacks.append(tolerance(magnitude))
    return bool(np.allclose(max_t(deltas, nulls, slack=slacks, freedom=experiment.freedom), adjusted, atol=1e-12))
