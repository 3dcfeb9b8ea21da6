"""How often the interval of a predicted probability holds what endlessly many systems would have given."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.known import known
from truegain.inference.all_pairs import pairs_of
from truegain.inference.profiles import drawn_weights, log_odds, significant_share
from truegain.inference.thresholds import drawn_interval

STUDIES = 100
Z = 1.6448536269514722
Floats = NDArray[np.float64]


def pairs(systems: int, generator: np.random.Generator) -> tuple[Floats, Floats]:
    """Systems with noise of their own, of unequal size; errors grow with the gain."""
    quality, noise = generator.normal(0.0, 1.5, systems), np.exp(generator.normal(0.0, 0.3, systems))
    firsts, seconds = pairs_of(systems)
    gains = np.abs(quality[firsts] - quality[seconds])
    grown = np.exp(0.05 * np.minimum(gains / 0.35, 8.0))
    return gains, 0.35 * np.sqrt((noise[firsts] + noise[seconds]) / 2.0) * grown


@pytest.mark.parametrize(("systems", "least"), [(10, 0.80), (20, 0.90)])
def test_coverage_over_systems(systems: int, least: float) -> None:
    generator = np.random.default_rng(systems)
    many = pairs(200, generator)
    firsts, seconds = pairs_of(systems)
    studies = [pairs(systems, generator) for _ in range(STUDIES)]
    counts = generator.multinomial(systems, np.full(systems, 1 / systems), 200).astype(float)
    weights = drawn_weights(firsts, seconds, counts)
    for gain in (0.6, 0.7, 0.8):
        truth = float(significant_share(*many, gain, gain / Z)[0])
        assert 0.2 < truth < 0.99
        held = 0
        for gains, errors in studies:
            observed = float(log_odds(significant_share(gains, errors, gain, gain / Z))[0])
            drawn = log_odds(significant_share(gains, errors, gain, gain / Z, weights))
            low, high = map(known, drawn_interval(observed, drawn, systems, ratio=False))
            held += low <= math.log(truth / (1.0 - truth)) <= high
        assert least <= held / STUDIES
