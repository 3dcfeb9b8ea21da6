"""``python -m benchmarks.streaming``: ten million segments in shards, in less than a gigabyte.

Statistics of segments are simulated, folded shard by shard, written, and merged in random orders. With ``--write-page``
the figures go into docs/streaming.md.
"""

from __future__ import annotations

import argparse
import itertools
import random
import resource
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from benchmarks.data import ROOT
from benchmarks.machine import describe_machine
from benchmarks.timing import Row, run_command
from truegain.metrics.bleu import BLEU
from truegain.streaming.fold import Fold
from truegain.streaming.sums import Description, MetricPart, to_bytes
from truegain.studies.compare.result import CompareResult
from truegain.studies.merge.study import merge, merged_sums

__all__ = ["Measured", "bleu_like", "described", "main", "measure", "measure_memory"]

Floats = NDArray[np.float64]

_PAGE = ROOT / "docs" / "streaming.md"
_START, _END = "<!-- figures: begin -->\n", "<!-- figures: end -->\n"
_PIECE = 65_536
_SEED = 20_121_119
_LIMIT = 1e9  # bytes
_MEASURE = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from benchmarks.streaming import main; main()"


def bleu_like(segments: int, generator: np.random.Generator, *, gain: float = 0.0) -> Floats:
    """BLEU's statistics of segments for two systems, the second better by so much in the log-odds of a match.

    Segments are long or short and easy or hard, for both systems; n-grams of every order are matched or not among those
    whose part of one word less is.
    """
    reference = np.maximum(1, generator.gamma(3.0, 8.0, segments).astype(np.int64))
    ease = generator.normal(0.4, 0.8, segments)
    columns = []
    for better in (0.0, gain):
        length = np.maximum(1, reference + generator.integers(-2, 3, segments))
        totals = [np.maximum(length - order, 0) for order in range(4)]
        share = 1.0 / (1.0 + np.exp(-(ease + better + generator.normal(0.0, 0.4, segments))))
        matched = [generator.binomial(totals[0], share)]
        for total in totals[1:]:
            matched.append(generator.binomial(np.minimum(total, matched[-1]), 0.6 * share + 0.2))
        columns += [length, reference, *matched, *totals]
    return np.stack(columns, 1).astype(np.float64)


def described(resamples: int, seed: int = 12345) -> Description:
    """Of what the sums are: BLEU of two systems over segments."""
    metric = BLEU()
    part = MetricPart("bleu", metric.signature(1), metric.statistic_names)
    return Description((part,), ("base", "new"), (1, 1), 1, "segment", resamples, seed)


@dataclass(frozen=True)
class Measured:
    """What the shards took, in seconds of processor time, and whether every order of merging gave the same bytes."""

    segments: int
    shards: int
    resamples: int
    jobs: int
    folding: float
    simulating: float
    merging: float
    peak: float
    size: int
    identical: bool
    answer: str

    @property
    def met(self) -> bool:
        """Whether the memory is within its limit, and the answer does not depend on the order."""
        return self.identical and self.peak < _LIMIT


def measure(segments: int, shards: int, folder: Path, *, resamples: int = 1000, jobs: int = 1) -> Measured:
    """Fold simulated segments shard by shard, and merge the shards in random orders."""
    description = described(resamples)
    edges = np.linspace(0, segments, shards + 1).astype(int).tolist()
    files = []
    folding = simulating = 0.0
    for number, (first, last) in enumerate(itertools.pairwise(edges)):
        generator = np.random.default_rng([_SEED, number])
        fold = Fold(description, jobs=jobs)
        for start in range(first, last, _PIECE):
            begun = time.process_time()
            values = bleu_like(min(_PIECE, last - start), generator, gain=0.002)
            made = time.process_time()
            fold.add(values, start)
            simulating += made - begun
            folding += time.process_time() - made
        files.append(str(folder / f"shard{number}.sums"))
        fold.sums(name="simulated", run_names=("base", "new")).save(files[-1])
    begun = time.process_time()
    merged = to_bytes(merged_sums(files))
    merging = time.process_time() - begun
    chance = random.Random(_SEED)
    orders = [chance.sample(files, len(files)) for _ in range(5)]
    identical = all(to_bytes(merged_sums(order)) == merged for order in orders)
    result = merge(files)
    assert isinstance(result, CompareResult)
    answer = result.verdicts()[0]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    size = Path(files[0]).stat().st_size
    return Measured(segments, shards, resamples, jobs, folding, simulating, merging, peak, size, identical, answer)


def measure_memory(segments: int, *, shards: int = 10, resamples: int = 1000) -> Row:
    """Peak memory of the same in a process of its own; "same result" means the same bytes in every order of merging."""
    sizes = ["--segments", str(segments), "--shards", str(shards), "--resamples", str(resamples)]
    used = run_command([sys.executable, "-c", _MEASURE, *sizes])
    work = f"peak memory, {resamples:,} streamed resamples, BLEU, 2 systems, {shards} shards merged"
    agree = "NOT the same bytes" not in used.output
    return Row(work, f"simulated {segments:,}", "megabytes", None, used.peak / 1e6, _LIMIT / 1e6, agree)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and say whether the targets are met."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.streaming", description="More data than memory.")
    parser.add_argument("--segments", type=int, default=10_000_000, help="simulated (default: 10,000,000)")
    parser.add_argument("--shards", type=int, default=10)
    parser.add_argument("--resamples", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=1, help="threads (default: 1)")
    parser.add_argument("--write-page", action="store_true", help="also put the figures into docs/streaming.md")
    options = parser.parse_args(arguments)
    with threadpool_limits(limits=1), tempfile.TemporaryDirectory() as folder:
        found = measure(options.segments, options.shards, Path(folder), resamples=options.resamples, jobs=options.jobs)
    text = words(found)
    print(f"{text}\n{describe_machine()}\n{'met' if found.met else 'NOT MET'}")
    if options.write_page:
        before, rest = _PAGE.read_text(encoding="utf-8").split(_START)
        after = rest.split(_END)[1]
        _PAGE.write_text(
            f"{before}{_START}{text}\n\nMeasured on: {describe_machine()}\n{_END}{after}", encoding="utf-8"
        )


def words(found: Measured) -> str:
    """Return the figures as a list."""
    every = "the same bytes" if found.identical else "NOT the same bytes"
    return (
        f"- {found.segments:,} simulated segments, two systems, BLEU, {found.resamples:,} resamples of each kind, in\n"
        f"  {found.shards} shards: peak memory {found.peak / 1e6:.0f} MB, the simulation included.\n"
        f"- Folding took {found.folding:.0f} s of processor time "
        f"({1e9 * found.folding / found.segments / found.resamples:.1f} ns a segment and resample);\n"
        f"  merging {found.shards} files of {found.size / 1e6:.2f} MB took {1000 * found.merging:.0f} ms.\n"
        f"- Merged in six orders, five of them random: {every}."
    )


if __name__ == "__main__":
    main()
