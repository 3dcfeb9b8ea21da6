"""The GPU: the experiment of Berg-Kirkpatrick et al. (2012) on it, beside what the device could do at best.

``python -m benchmarks.gpu`` on a machine with a GPU prints the table of docs/engines.md and writes its figures as JSON.
"""

from __future__ import annotations

import argparse
import itertools
import json
import statistics
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from itertools import starmap
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.data import simulated
from truegain.engines.base import Engine
from truegain.engines.blas import BlasEngine
from truegain.engines.distinct import Distinct
from truegain.engines.torch import Product, TorchEngine, sent_statistics
from truegain.executors.processors import available_jobs
from truegain.experiment import Experiment
from truegain.inference.all_pairs import AllPairs
from truegain.procedures.base import Pair, Trial
from truegain.resampling.design import Design
from truegain.studies.rank import _by_bootstrap

__all__ = ["main"]

_SEED = 12345
_HELD = 10_000


@dataclass(frozen=True)
class Timed:
    """Seconds of one piece of work, the least and the median of several, and what it took of the GPU's memory."""

    work: str
    least: float
    median: float
    megabytes: float


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
    data = simulated(chosen.segments, chosen.systems)
    experiment = Experiment.prepare(
        data.corpus(), ["bleu"], unit="segment", seed=_SEED, jobs=jobs, cache=None, engine=engine, progress=None
    )
    design = Design(experiment.units, "bootstrap", _SEED)
    blocks = experiment.statistics.blocks
    pairs = AllPairs(
        experiment.scores[0], experiment.bootstrap(_HELD)[0], factor=experiment.factor(0.95), freedom=experiment.freedom
    )

    def count(engine: Engine, resamples: int, maxima: bool) -> Any:
        question = pairs.question(maxima=maxima)
        return engine.count(design, experiment.table, blocks, [question], resamples)[0]

    for maxima in (False, True):
        found = count(engine, chosen.checked, maxima)
        expected = count(BlasEngine(jobs=jobs), chosen.checked, maxima)
        same = np.array_equal(found.exceedances, expected.exceedances) and np.array_equal(found.maxima, expected.maxima)
        print(f"counts of {chosen.checked:,} resamples, {maxima=}: {'the same' if same else 'DIFFERENT'}")
    numbers = tuple(starmap(Pair, itertools.combinations(range(chosen.systems), 2)))
    product = Product(design, chosen.device, sent_statistics(chosen.device, experiment.table, design))
    rows = [
        _timed(f"all {len(numbers):,} pairs", lambda: count(engine, chosen.resamples, False)),
        _timed("the same with maxT", lambda: count(engine, chosen.resamples, True)),
        _timed(
            "rank, from statistics to adjusted p-values",
            lambda: _by_bootstrap(
                Trial(replace(experiment, seed=_SEED), numbers, alpha=0.05, resamples=chosen.resamples), "maxt", jobs
            ),
        ),
        _timed("the product alone", lambda: _products(product, design, chosen.resamples)),
    ]
    columns = len(Distinct.of(experiment.table, design).values)
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
