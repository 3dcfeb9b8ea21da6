"""The GPU: the experiment of Berg-Kirkpatrick et al. (2012) on it, beside what the device could do at best.

``python -m benchmarks.gpu`` on a machine with a GPU prints the table of docs/scale.md and writes its figures as JSON.
"""

from __future__ import annotations

import argparse
import itertools
import json
import statistics
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from importlib.util import find_spec
from itertools import starmap
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.data import Data, simulated
from benchmarks.timing import Row, Skipped
from truegain.engines.engine import Counting, Engine
from truegain.engines.pairs import PairCounts
from truegain.engines.torch import TorchEngine
from truegain.engines.torch_products import Product, sent_statistics
from truegain.engines.totals import UniqueColumns
from truegain.executors.over import Workers
from truegain.executors.processors import available_jobs
from truegain.experiment import Experiment
from truegain.inference.all_pairs import AllPairs
from truegain.procedures.base import Pair, Trial
from truegain.resampling.design import Design
from truegain.studies.tested import by_bootstrap

__all__ = ["main", "measure"]

_SEED = 12345
_HELD = 10_000
_LIMIT = 0.25  # seconds for 11,175 pairs and a million resamples on an H200


@dataclass(frozen=True)
class Timed:
    """Seconds of one piece of work, the least and the median of several, and what it took of the GPU's memory."""

    work: str
    least: float
    median: float
    megabytes: float


@dataclass(frozen=True)
class _Work:
    """Statistics in memory, and what is asked of every pair."""

    experiment: Experiment
    design: Design
    pairs: AllPairs

    @classmethod
    def of(cls, data: Data, engine: Engine, jobs: int) -> _Work:
        experiment = Experiment.prepare(
            data.corpus(), ["bleu"], unit="segment", seed=_SEED, jobs=jobs, cache=None, engine=engine, progress=None
        )
        held = experiment.bootstrap(_HELD)[0]
        factor, freedom = experiment.factor(0.95), experiment.freedom
        pairs = AllPairs(experiment.scores[0], held, factor=factor, freedom=freedom)
        return cls(experiment, Design(experiment.units, "bootstrap", _SEED), pairs)

    def count(self, engine: Engine, resamples: int, *, maxima: bool) -> PairCounts:
        question = self.pairs.question(maxima=maxima)
        table, blocks = self.experiment.table, self.experiment.statistics.blocks
        return engine.count(Counting(self.design, table, blocks, (question,)), resamples)[0]

    def same_counts(self, engine: Engine, other: Engine, resamples: int, *, maxima: bool) -> bool:
        one, two = (self.count(each, resamples, maxima=maxima) for each in (engine, other))
        return bool(np.array_equal(one.exceedances, two.exceedances) and np.array_equal(one.maxima, two.maxima))


def measure(data: Data, *, resamples: int, checked: int = 100_000, device: str = "cuda") -> Row | Skipped:
    """All pairs from statistics in memory to counts, by the clock; skipped where there is no GPU."""
    count = len(data.systems)
    work = f"all {count * (count - 1) // 2:,} pairs of {count} systems, {resamples:,}, on a GPU"
    if find_spec("torch") is None:
        return Skipped(work, "torch is not installed")
    import torch

    if device != "cpu" and not torch.cuda.is_available():
        return Skipped(work, "there is no GPU here; `python -m benchmarks.gpu` measures it where there is one")
    jobs = available_jobs(None)
    engine = TorchEngine.on(device, jobs)
    work_on = _Work.of(data, engine, jobs)
    agree = work_on.same_counts(engine, Engine(Workers(jobs)), min(checked, resamples), maxima=False)
    least = _timed(work, lambda: work_on.count(engine, resamples, maxima=False)).least
    return Row(work, data.name, "seconds", None, least, _LIMIT, agree)


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--systems", type=int, default=150)
    parser.add_argument("--segments", type=int, default=2_034)
    parser.add_argument("--resamples", type=int, default=1_000_000)
    parser.add_argument("--checked", type=int, default=100_000, help="resamples whose counts are held against threads")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--output", type=Path)
    chosen = parser.parse_args()
    import torch

    jobs = available_jobs(None)
    engine = TorchEngine.on(chosen.device, jobs)
    work = _Work.of(simulated(chosen.segments, chosen.systems), engine, jobs)
    experiment, design = work.experiment, work.design
    for maxima in (False, True):
        same = work.same_counts(engine, Engine(Workers(jobs)), chosen.checked, maxima=maxima)
        print(f"counts of {chosen.checked:,} resamples, {maxima=}: {'the same' if same else 'DIFFERENT'}")
    numbers = tuple(starmap(Pair, itertools.combinations(range(chosen.systems), 2)))
    product = Product(design, chosen.device, sent_statistics(chosen.device, experiment.table, design))
    rows = [
        _timed(f"all {len(numbers):,} pairs", lambda: work.count(engine, chosen.resamples, maxima=False)),
        _timed("the same with maxT", lambda: work.count(engine, chosen.resamples, maxima=True)),
        _timed(
            "rank, from statistics to adjusted p-values",
            lambda: by_bootstrap(
                Trial(replace(experiment, seed=_SEED), numbers, alpha=0.05, resamples=chosen.resamples), "maxt", jobs
            ),
        ),
        _timed("the product alone", lambda: _products(product, design, chosen.resamples)),
    ]
    columns = len(UniqueColumns.of(experiment.table, design).values)
    print(f"{torch.cuda.get_device_name() if chosen.device != 'cpu' else 'cpu'}, torch {torch.__version__}")
    print(f"{columns} distinct columns in {product.values.dtype}")
    for row in rows:
        print(f"{row.work:45s} {row.least:7.3f} s {row.median:7.3f} s {row.megabytes:9.0f} MB")
    if chosen.output is not None:
        chosen.output.write_text(json.dumps([asdict(row) for row in rows], indent=1))


def _timed(work: str, done: Callable[[], Any], repeats: int = 3) -> Timed:
    import torch

    on_gpu = torch.cuda.is_available()
    done()
    if on_gpu:
        torch.cuda.synchronize()
        torch.cuda.reset_peak_memory_stats()
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        done()
        if on_gpu:
            torch.cuda.synchronize()
        seconds.append(time.perf_counter() - start)
    peak = torch.cuda.max_memory_allocated() / 1e6 if on_gpu else 0.0
    return Timed(work, min(seconds), statistics.median(seconds), peak)


def _products(product: Product, design: Design, resamples: int, size: int = 1 << 14) -> None:
    """Products of weights that are there already."""
    import torch

    drawn = torch.ones(size, design.units.count, dtype=product.values.dtype, device=product.values.device)
    for _ in range(0, resamples, size):
        if drawn.dtype == torch.float16:
            torch.mm(drawn, product.values, out_dtype=torch.float32)
        else:
            torch.mm(drawn, product.values)


if __name__ == "__main__":
    main()
