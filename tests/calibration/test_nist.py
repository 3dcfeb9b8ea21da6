"""The size of tests in NIST, whose weights are made anew from the references of every test set."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binom

import truegain as tg
from benchmarks.simulation import SystemSpec, simulate

_REPETITIONS = 300
_SEGMENTS = 60


@pytest.fixture(scope="module")
def p_values() -> NDArray[np.float64]:
    """P-values of AR and of the bootstrap on test sets drawn at random, with outputs swapped at random."""
    specs = [SystemSpec(name=name, quality=0.7) for name in ("first", "second")]
    made = simulate(segments=3000, systems=specs, references=2, run_sd=0.0, seed=11)
    sides = np.array([made.systems[spec.name][0] for spec in specs])
    references = np.array(made.references)
    generator = np.random.default_rng(12)
    found = []
    for seed in range(_REPETITIONS):
        drawn = generator.choice(sides.shape[1], _SEGMENTS, replace=False)
        first = generator.integers(0, 2, _SEGMENTS)
        systems = {"first": sides[first, drawn].tolist(), "second": sides[1 - first, drawn].tolist()}
        options: dict[str, Any] = {"metrics": ["nist"], "test": ["ar", "bootstrap"], "resamples": 199}
        result = tg.compare(references[:, drawn].tolist(), systems, seed=seed, **options)
        found.append([one.p for one in result])
    return np.array(found)


@pytest.mark.parametrize("level", [0.05, 0.10])
def test_randomization_keeps_its_level(p_values: NDArray[np.float64], level: float) -> None:
    count = np.count_nonzero(p_values[:, 0] <= level)
    assert binom.ppf(1e-4, _REPETITIONS, level) <= count <= binom.ppf(1 - 1e-4, _REPETITIONS, level)


def test_bootstrap_is_near_its_level(p_values: NDArray[np.float64]) -> None:
    count = np.count_nonzero(p_values[:, 1] <= 0.05)
    assert binom.ppf(1e-4, _REPETITIONS, 0.035) <= count <= binom.ppf(1 - 1e-4, _REPETITIONS, 0.07)
