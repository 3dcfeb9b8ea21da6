"""Rows of real runs, drawn as if they were independent: intervals are narrower by the root of the number of runs."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

import truegain as tg
from benchmarks.data import REAL_DATA

POOL = REAL_DATA / "nmt_pool" / "test2016"

pytestmark = pytest.mark.skipif(not POOL.exists(), reason="TRUEGAIN_DATA has no nmt_pool")


def lines(path: Path) -> list[str]:
    return gzip.decompress(path.read_bytes()).decode().removesuffix("\n").split("\n")


@pytest.mark.parametrize("runs", [3, 10])
def test_width_over_that_of_single_runs(runs: int) -> None:
    reference = lines(POOL / "ref.en.gz")
    files = {name: sorted(POOL.glob(f"bpe-{name}.0*.en.gz"))[:runs] for name in ("r1", "odd")}
    systems = {name: [lines(path) for path in paths] for name, paths in files.items()}
    metrics = ["bleu:tokenize=none", "nist:tokenize=none"]
    found = tg.intervals(reference, systems, metrics=metrics, resamples=2000)
    for name, outputs in systems.items():
        alone = tg.score(reference, {f"{i}": run for i, run in enumerate(outputs)}, metrics=metrics, resamples=2000)
        for metric in found.metrics:
            widths = [
                one.interval.high - one.interval.low
                for one in alone.scores
                if one.metric == metric.key and one.interval
            ]
            (one,) = [
                row.interval
                for row in found.intervals
                if (row.metric, row.system, row.method) == (metric.key, name, "rows")
            ]
            ratio = (one.high - one.low) / (sum(widths) / len(widths))
            assert ratio == pytest.approx(runs**-0.5, rel=0.1), (name, metric.key)
