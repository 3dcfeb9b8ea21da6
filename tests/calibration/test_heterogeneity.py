"""The test whether groups differ keeps its level; the whole table is that of benchmarks.heterogeneity."""

from __future__ import annotations

import pytest

from benchmarks.heterogeneity import CELLS, SHAPES, size

MOST = 0.075


@pytest.mark.parametrize("cell", ["2 × 30", "4 × 10", "10 × 30"])
@pytest.mark.parametrize("shape", list(SHAPES))
def test_size(cell: str, shape: str) -> None:
    repetitions = 200
    assert size(CELLS[cell], SHAPES[shape], repetitions, 7) <= MOST + 2 * (0.05 * 0.95 / repetitions) ** 0.5


def test_size_with_common_units() -> None:
    repetitions = 200
    assert size(CELLS["2 × 30"], SHAPES["normal"], repetitions, 8, joint=True) <= MOST + 2 * (0.05 * 0.95 / 200) ** 0.5
