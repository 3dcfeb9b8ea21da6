"""The size of bootstrap tests of dependent differences: too many rejections without blocks, far fewer with them."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.signal import lfilter

from truegain.engines.engine import Engine
from truegain.engines.work import Resampling
from truegain.inference.blocks import optimal_block_length
from truegain.resampling.design import Design
from truegain.resampling.units import Units, UnitTable

_REPETITIONS = 200
_RESAMPLES = 200
_SEGMENTS = 400


def p_value(series: NDArray[np.float64], units: Units, seed: int) -> float:
    table = UnitTable.build(series[:, None], units)
    totals = Engine().resample(Resampling(Design(units, "bootstrap", seed), table, lambda one: one), _RESAMPLES)[0]
    return float((np.abs(totals - series.sum()) >= abs(series.sum())).sum() + 1) / (_RESAMPLES + 1)


def rejection_rates(rho: float) -> tuple[float, float]:
    """Of the ordinary and of the stationary bootstrap at the level of 5 %, for differences whose mean is zero."""
    rng = np.random.default_rng(17)
    found = np.empty((_REPETITIONS, 2))
    for seed in range(_REPETITIONS):
        series = lfilter([1.0], [1.0, -rho], rng.standard_normal(_SEGMENTS + 100))[100:]
        blocks = Units.blocks(_SEGMENTS, optimal_block_length(series))
        found[seed] = p_value(series, Units.segments(_SEGMENTS), seed), p_value(series, blocks, seed)
    ordinary, stationary = (found <= 0.05).mean(0)
    return float(ordinary), float(stationary)


def test_dependent_differences() -> None:
    ordinary, stationary = rejection_rates(0.5)
    assert ordinary > 0.15
    assert stationary < 0.12
    assert stationary < ordinary / 2


def test_independent_differences() -> None:
    ordinary, stationary = rejection_rates(0.0)
    assert ordinary == pytest.approx(0.05, abs=0.05)
    assert stationary == pytest.approx(0.05, abs=0.05)
