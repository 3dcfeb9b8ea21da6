"""How often the interval of a threshold holds what endlessly many systems would have given."""

from __future__ import annotations

import numpy as np
import pytest

from tests.known import known
from truegain.inference.all_pairs import pairs_of
from truegain.inference.thresholds import drawn_interval, drawn_percentiles, percentile
from truegain.resampling.generator import bootstrap_counts, resample_keys

STUDIES = 300


@pytest.mark.parametrize(("systems", "least"), [(5, 0.75), (10, 0.75), (20, 0.77), (50, 0.79)])
def test_coverage_over_systems(systems: int, least: float) -> None:
    """Systems that vary by noise of their own, of unequal size: the interval is no exact one, and not a vain one."""
    generator = np.random.default_rng(systems)
    many = np.exp(generator.normal(0.0, 0.5, 200_000))
    truth = percentile(np.sqrt(many + generator.permutation(many)))
    counts = bootstrap_counts(resample_keys(1, 501, 0, 400), systems).astype(np.float64)
    firsts, seconds = pairs_of(systems)
    held = inside = 0
    for _ in range(STUDIES):
        own = np.exp(generator.normal(0.0, 0.5, systems))
        needed = np.sqrt(own[firsts] + own[seconds])
        drawn = drawn_percentiles(needed, firsts, seconds, counts)
        gain = percentile(needed)
        low, high = map(known, drawn_interval(gain, drawn, systems, ratio=True))
        inside += low <= gain <= high
        held += low <= truth <= high
    assert inside == STUDIES
    assert least <= held / STUDIES <= 0.97
