"""Size of the test whether groups differ: 2 to 10 groups of 10 to 300 units, normal, skewed and unequal.

    python -m benchmarks.heterogeneity

writes docs/data/heterogeneity.csv.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from benchmarks.data import ROOT
from truegain.inference.heterogeneity import apart, joint_columns, own_columns, together

__all__ = ["CELLS", "SHAPES", "size"]

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
_RESAMPLES = 199
_REPETITIONS = 400


def size(sizes: Sequence[int], draw: Draw, repetitions: int, seed: int, *, joint: bool = False) -> float:
    """Return the share of rejections at 5 % with no difference between the groups; scales differ by group.

    If ``joint``, every unit lies in all groups, and its parts share an effect of the unit.
    """
    generator = np.random.default_rng(seed)
    rejected = 0
    for _ in range(repetitions):
        scales = generator.uniform(0.5, 2.0, len(sizes))
        if joint:
            count = sizes[0]
            common = draw(generator, count)
            values = np.stack([common + scale * draw(generator, count) for scale in scales], axis=1)
            columns = joint_columns(values / count)
            weights = generator.multinomial(count, np.full(count, 1.0 / count), size=_RESAMPLES)
            p = together(values.mean(0), columns, (weights @ columns).T)[1].p
        else:
            groups = [scale * draw(generator, count) for scale, count in zip(scales, sizes, strict=True)]
            own = [own_columns(one / one.size) for one in groups]
            drawn = [
                (generator.multinomial(len(one), np.full(len(one), 1.0 / len(one)), size=_RESAMPLES) @ one).T
                for one in own
            ]
            p = apart(np.array([one.mean() for one in groups]), own, drawn)[1].p
        rejected += p <= 0.05
    return rejected / repetitions


def main() -> None:
    """Measure all cells, and write them."""
    rows = []
    for cell, sizes in CELLS.items():
        for shape, draw in SHAPES.items():
            rows.append([cell, shape, "apart", f"{100 * size(sizes, draw, _REPETITIONS, 1):.1f}"])
            if len(set(sizes)) == 1 and len(sizes) < 10:
                share = size(sizes, draw, _REPETITIONS, 2, joint=True)
                rows.append([cell, shape, "in common", f"{100 * share:.1f}"])
            print(*rows[-1], flush=True)
    path = ROOT / "docs" / "data" / "heterogeneity.csv"
    with path.open("w", newline="") as stream:
        csv.writer(stream, lineterminator="\n").writerows([["groups", "contributions", "units", "rejected %"], *rows])


if __name__ == "__main__":
    main()
