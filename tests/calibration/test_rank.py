"""How often a ranking tells equal systems apart, and what maxT gains over Holm: fixed seeds, wide bounds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binom

from truegain.inference.all_pairs import AllPairs
from truegain.inference.pvalues import degrees_of_freedom, small_sample_factor
from truegain.inference.ranking import rank_systems
from truegain.resampling.generator import bootstrap_counts, resample_keys

_REPETITIONS = 600
_RESAMPLES = 499
_UNITS = 300

Scores = NDArray[np.float64]  # (systems, units)


def most(rate: float) -> int:
    """What a true rate exceeds in one of a thousand studies like this one."""
    return int(binom.ppf(1 - 1e-3, _REPETITIONS, rate))


def resampled_pairs(values: Scores, generator: np.random.Generator, resamples: int = _RESAMPLES) -> AllPairs:
    """Means of the units' scores, and of bootstrap resamples."""
    count = values.shape[1]
    weights = bootstrap_counts(resample_keys(int(generator.integers(1 << 32)), 1, 0, resamples), count)
    drawn = values @ weights.T.astype(np.float64) / count
    return AllPairs(values.mean(1), drawn, factor=small_sample_factor(count, count), freedom=degrees_of_freedom(count))


def better_of(pairs: AllPairs, adjusted: NDArray[np.float64]) -> NDArray[np.bool_]:
    firsts, seconds = pairs.pairs
    better = np.zeros((pairs.observed.size,) * 2, bool)
    shown = adjusted <= 0.05
    better[seconds, firsts] = shown & (pairs.deltas > 0)
    better[firsts, seconds] = shown & (pairs.deltas < 0)
    return better


def correlated(
    generator: np.random.Generator, systems: int = 10, correlation: float = 0.5, units: int = _UNITS
) -> Scores:
    """Systems alike on units that are easy or hard, with skewed scores; all of mean zero."""
    shared = generator.gamma(2.0, size=units) - 2.0
    own = generator.gamma(2.0, size=(systems, units)) - 2.0
    return np.asarray(np.sqrt(correlation) * shared + np.sqrt(1 - correlation) * own)


@pytest.mark.parametrize("stronger", [0, 5])
def test_equal_systems_are_told_apart_no_more_often_than_alpha(stronger: int) -> None:
    """All ten are equal; or five of them, and five others that are better, of which all are equal, too."""
    generator = np.random.default_rng(2026 + stronger)
    gains = np.where(np.arange(10) < stronger, 1.0, 0.0)
    equal = gains[:, None] == gains[None]
    wrong = plain = divided = 0
    for _ in range(_REPETITIONS):
        pairs = resampled_pairs(correlated(generator) + gains[:, None], generator)
        better = better_of(pairs, pairs.max_t())
        wrong += bool(better[equal].any())
        plain += bool(better_of(pairs, (pairs.exceedances() + 1) / (_RESAMPLES + 1))[equal].any())
        divided += max(rank_systems(pairs.observed, better).clusters) > 1
    assert 0 < wrong <= most(0.05)
    assert plain > most(0.05), "without adjustment more are told apart than may be"
    if stronger:
        assert divided > 0.95 * _REPETITIONS, "the better five are a cluster of their own"
    else:
        assert divided <= wrong


def test_few_units_do_not_raise_it() -> None:
    """The largest of 45 is judged far out, where the tails of 30 units are longer than the factor of one comparison."""
    generator = np.random.default_rng(30)
    wrong = without = 0
    for _ in range(_REPETITIONS):
        pairs = resampled_pairs(correlated(generator, units=30), generator)
        wrong += bool(better_of(pairs, pairs.max_t()).any())
        without += bool(better_of(pairs, replace(pairs, freedom=None).max_t()).any())
    assert 0 < wrong <= most(0.05)
    assert without > most(0.05), "without the tails it was too often"
