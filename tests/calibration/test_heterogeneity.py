"""The test whether groups differ keeps its level; the whole table is that of benchmarks.heterogeneity."""

from __future__ import annotations

import pytest

from benchmarks.heterogeneity import CELLS, SHAPES, rejected

MOST = 0.075
REPETITIONS = 200
ERROR = 2 * (0.05 * 0.95 / REPETITIONS) ** 0.5


@pytest.mark.parametrize("cell", ["2 × 30", "4 × 10", "10 × 30"])
@pytest.mark.parametrize("shape", list(SHAPES))
def test_size(cell: str, shape: str) -> None:
    assert rejected(CELLS[cell], SHAPES[shape], "0.5 to 2", REPETITIONS, 7)[0] <= MOST + ERROR


@pytest.mark.parametrize("spread", ["equal", "0.5 to 2"])
@pytest.mark.parametrize("cell", ["10, 300", "10, 30, 100, 300"])
def test_size_of_skewed_contributions_in_unequal_groups(cell: str, spread: str) -> None:
    """The bootstrap alone rejects 8 to 16 %."""
    assert rejected(CELLS[cell], SHAPES["lognormal"], spread, 600, 9)[0] <= MOST


def test_size_with_common_units() -> None:
    assert rejected(CELLS["2 × 30"], SHAPES["normal"], "0.5 to 2", REPETITIONS, 8, joint=True)[0] <= MOST + ERROR


@pytest.mark.parametrize("cell", ["2 × 30", "10, 300"])
def test_power_is_hardly_less_than_that_of_the_bootstrap_alone(cell: str) -> None:
    both, bootstrap = rejected(CELLS[cell], SHAPES["normal"], "0.5 to 2", REPETITIONS, 10, gain=4.0)
    assert both >= bootstrap - 0.05 >= 0.75
