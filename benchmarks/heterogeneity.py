"""Size and power of the test whether groups differ: 2 to 10 groups of 10 to 300 units, normal, skewed and unequal.

    python -m benchmarks.heterogeneity

writes docs/data/heterogeneity.csv.
"""

from __future__ import annotations

import argparse
import csv
import itertools
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
from numpy.typing import NDArray

from benchmarks.data import ROOT
from benchmarks.machine import add_jobs
from truegain.inference.heterogeneity import apart, exchanged, joint_columns, own_columns, together
from truegain.resampling.generator import bootstrap_counts, resample_keys

__all__ = ["CELLS", "SHAPES", "SPREADS", "rejected"]

Floats = NDArray[np.float64]
Draw = Callable[[np.random.Generator, int], Floats]

SHAPES: dict[str, Draw] = {
    "normal": lambda generator, count: generator.normal(size=count),
    "lognormal": lambda generator, count: generator.lognormal(size=count) - np.exp(0.5),
    "70 % zero": lambda generator, count: generator.normal(size=count) * (generator.random(count) < 0.3),
}
CELLS: dict[str, Sequence[int]] = {
    "2 × 10": [10] * 2,
    "2 × 30": [30] * 2,
    "2 × 300": [300] * 2,
    "4 × 10": [10] * 4,
    "4 × 100": [100] * 4,
    "10 × 10": [10] * 10,
    "10 × 30": [30] * 10,
    "10 × 100": [100] * 10,
    "10, 300": [10, 300],
    "10, 30, 100, 300": [10, 30, 100, 300],
}
#: The standard deviation of each group.
SPREADS: dict[str, Callable[[np.random.Generator, int], Floats]] = {
    "equal": lambda _, groups: np.ones(groups),
    "0.5 to 2": lambda generator, groups: generator.uniform(0.5, 2.0, groups),
    "first 1/4": lambda _, groups: np.array([0.5, *[2.0] * (groups - 1)]),
    "first 4": lambda _, groups: np.array([2.0, *[0.5] * (groups - 1)]),
}
_RESAMPLES = 199
_REPETITIONS = 400
_GAIN = 4.0  # of the first group, in standard errors of its difference from the rest


def rejected(
    sizes: Sequence[int],
    draw: Draw,
    spread: str,
    repetitions: int,
    seed: int,
    *,
    joint: bool = False,
    gain: float = 0.0,
) -> tuple[float, float]:
    """Return the share of rejections at 5 %, and that of the bootstrap alone.

    If ``joint``, every unit lies in all groups, and its parts share an effect of the unit. The first group differs from
    the others by ``gain`` standard errors.
    """
    generator = np.random.default_rng(seed)
    found = np.zeros(2)
    counts = np.array(sizes)
    deviation = float(draw(np.random.default_rng(0), 100_000).std())
    for _ in range(repetitions):
        scales = SPREADS[spread](generator, counts.size)
        if joint:
            count = sizes[0]
            common = draw(generator, count)
            values = np.stack([common + scale * draw(generator, count) for scale in scales], axis=1)
            values[:, 0] += gain * deviation * float(np.sqrt(np.mean(scales**2) / count))
            columns = joint_columns(values / count)
            bootstrap = p = together(values.mean(0), columns, _drawn(columns, generator))[1].p
        else:
            groups = [scale * draw(generator, count) for scale, count in zip(scales, sizes, strict=True)]
            rest = (scales[1:] ** 2 * counts[1:]).sum() / counts[1:].sum() ** 2
            groups[0] += gain * deviation * float(np.sqrt(scales[0] ** 2 / counts[0] + rest))
            own = [own_columns(one / one.size) for one in groups]
            deltas = np.array([one.mean() for one in groups])
            bootstrap = apart(deltas, own, [_drawn(one, generator) for one in own])[1].p
            contributions = [one[:, None] / one.size for one in groups]
            seed = int(generator.integers(2**32))
            p = max(bootstrap, exchanged(deltas[:, None], contributions, seed, _RESAMPLES)[0].p)
        found += [p <= 0.05, bootstrap <= 0.05]
    return float(found[0] / repetitions), float(found[1] / repetitions)


def _drawn(columns: Floats, generator: np.random.Generator) -> Floats:
    """Return the sums of columns over the units of bootstrap resamples."""
    keys = resample_keys(int(generator.integers(2**32)), 1, 0, _RESAMPLES)
    return np.asarray((bootstrap_counts(keys, len(columns)) @ columns).T)


def measured(cell: str, shape: str, units: str, spread: str) -> list[str]:
    """Return a row: the cell, its size and its power, in per cent."""
    sizes, draw, joint = CELLS[cell], SHAPES[shape], units == "in common"
    size = rejected(sizes, draw, spread, _REPETITIONS, 1, joint=joint)[0]
    power = rejected(sizes, draw, spread, _REPETITIONS // 2, 2, joint=joint, gain=_GAIN)
    return [cell, shape, units, spread, *(f"{100 * share:.1f}" for share in (size, *power))]


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure all cells, and write them."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.heterogeneity", description="Do groups differ?")
    add_jobs(parser)
    options = parser.parse_args(arguments)
    kinds = [
        (cell, shape, units, spread)
        for cell, shape, units, spread in itertools.product(CELLS, SHAPES, ("apart", "in common"), SPREADS)
        if units == "apart" or (len(set(CELLS[cell])) == 1 and len(CELLS[cell]) != 10)
    ]
    rows = []
    with ProcessPoolExecutor(options.jobs, mp_context=get_context("forkserver")) as processes:
        for row in processes.map(measured, *zip(*kinds, strict=True)):
            rows.append(row)
            print(*row, flush=True)
    path = ROOT / "docs" / "data" / "heterogeneity.csv"
    head = ["groups", "contributions", "units", "spread", "rejected %", "power %", "power % of the bootstrap alone"]
    with path.open("w", newline="") as stream:
        csv.writer(stream, lineterminator="\n").writerows([head, *rows])


if __name__ == "__main__":
    main()
