"""The engines of one machine beside threads: the same answer, and what it costs to have it there."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray

from benchmarks.data import Data
from benchmarks.timing import Row, Skipped
from truegain.engines.choice import make_engine
from truegain.experiment import Experiment

__all__ = ["measure"]

_SEED = 12345
_JOBS = 2
_ENGINES = {"dask": "distributed", "torch:cpu": "torch"}


def measure(data: Data, *, resamples: int, repeats: int) -> Iterator[Row | Skipped]:
    """Bootstrap scores from statistics in memory, by the clock, two threads or workers, begun before."""
    experiment = Experiment.prepare(
        data.corpus(), ["bleu"], unit="segment", seed=_SEED, jobs=_JOBS, cache=None, engine=None, progress=None
    )
    for name, needed in _ENGINES.items():
        work = f"bootstrap {resamples:,}, BLEU, {len(data.systems)} systems, {name} beside threads, 2 of each"
        if needed and find_spec(needed) is None:
            yield Skipped(work, f"{needed} is not installed")
            continue
        seconds: dict[str, list[float]] = {"threads": [], name: []}
        found: dict[str, NDArray[np.float64]] = {}
        for engine in seconds:
            _timed(experiment, engine, min(resamples, 1000))
        for _ in range(repeats):
            for engine, times in seconds.items():
                taken, found[engine] = _timed(experiment, engine, resamples)
                times.append(taken)
        agree = np.array_equal(found["threads"], found[name])
        yield Row(work, data.name, "ratio", min(seconds["threads"]), min(seconds[name]), None, agree)


def _timed(experiment: Experiment, engine: str, resamples: int) -> tuple[float, NDArray[np.float64]]:
    fresh = replace(experiment, engine=make_engine(engine, _JOBS))
    start = time.perf_counter()
    scores = fresh.bootstrap(resamples)
    return time.perf_counter() - start, scores
