"""Counts of pairs by copies that know their error, against every deviation compared in double precision."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from truegain.engines import pairs
from truegain.kernels import missing

pytestmark = pytest.mark.skipif("pairs" in missing(), reason="the kernel of pairs is not compiled")

Values = NDArray[np.float64]
SYSTEMS, RESAMPLES = 7, 133


def close(dice: np.random.Generator) -> Values:
    return 30.0 + dice.normal(size=RESAMPLES) + 0.3 * dice.normal(size=(SYSTEMS, RESAMPLES))


def far(dice: np.random.Generator) -> Values:
    return close(dice) + 3.0 * np.arange(SYSTEMS)[:, None]


def on_a_grid(dice: np.random.Generator) -> Values:
    return np.asarray(np.round(close(dice), 1))


def hardly_apart(dice: np.random.Generator) -> Values:
    """Differences near the last bits of the scores."""
    return 1e6 + 1e-9 * dice.normal(size=(SYSTEMS, RESAMPLES))


def nearly_hardly_apart(dice: np.random.Generator) -> Values:
    """Differences that single precision holds, and that rounding of the scores changes."""
    return 1e6 + 1e-4 * dice.normal(size=(SYSTEMS, RESAMPLES))


def far_beyond_their_noise(dice: np.random.Generator) -> Values:
    """Differences of scores are rounded by more than what copies lose in single precision."""
    return 1e8 * np.sqrt(np.arange(SYSTEMS))[:, None] + 0.003 * dice.normal(size=(SYSTEMS, RESAMPLES))


def the_same(dice: np.random.Generator) -> Values:
    return np.repeat(dice.normal(size=(1, RESAMPLES)), SYSTEMS, axis=0)


def constant(dice: np.random.Generator) -> Values:
    return np.repeat(dice.normal(size=(SYSTEMS, 1)), RESAMPLES, axis=1)


def tiny(dice: np.random.Generator) -> Values:
    return 1e-300 * close(dice)


def huge(dice: np.random.Generator) -> Values:
    return 1e250 * close(dice)


def one_apart_from_all(dice: np.random.Generator) -> Values:
    """The copies of all others are small beside those of one."""
    scores = close(dice)
    scores[3] *= 1e5
    return scores


def one_resample(dice: np.random.Generator) -> Values:
    return close(dice)[:, :1].copy()


KINDS: list[Callable[[np.random.Generator], Values]] = [
    close,
    far,
    on_a_grid,
    hardly_apart,
    nearly_hardly_apart,
    far_beyond_their_noise,
    the_same,
    constant,
    tiny,
    huge,
    one_apart_from_all,
    one_resample,
]


def counted(kernels: pairs._Compiled | pairs._Vectorised, scores: Values, *columns: Any) -> list[list[int]]:
    """Count plainly with limits and, in their order, with maxima."""
    firsts, seconds, centres, limits, factor, scales, observed = columns
    plain, maxima = np.zeros(np.size(limits), np.int64), np.zeros(np.size(limits), np.int64)
    kernels.count_pairs(scores, firsts, seconds, centres, limits, factor, plain)
    kernels.count_maxima(scores, firsts, seconds, centres, scales, observed, maxima)
    return [plain.tolist(), maxima.tolist()]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("steps", [-2, -1, 0, 1, 2, None])
@pytest.mark.parametrize("factor", [1.0, 1.003])
def test_limits_that_are_just_reached_and_just_not(
    kind: Callable[[np.random.Generator], Values], steps: int | None, factor: float
) -> None:
    """Limits are deviations themselves, some units in the last place off, or anything."""
    dice = np.random.default_rng(11)
    scores = kind(dice)
    firsts, seconds = (one.astype(np.int64) for one in np.triu_indices(SYSTEMS, 1))
    centres = (scores[seconds] - scores[firsts]).mean(1)
    deviations = np.abs((scores[seconds] - scores[firsts] - centres[:, None]) * factor)
    limits = deviations[np.arange(firsts.size), dice.integers(0, scores.shape[1], firsts.size)]
    spread = max(float(deviations.max()), 1e-300)
    if steps is None:
        limits = limits + spread * dice.normal(size=limits.size)
    for _ in range(abs(steps or 0)):
        limits = np.nextafter(limits, np.inf if (steps or 0) > 0 else -np.inf)
    scales = factor / np.maximum(np.sqrt((deviations**2 if spread < 1e100 else deviations).mean(1)), 1e-300)
    observed = np.sort(limits * scales)
    columns = firsts, seconds, centres, limits, factor, scales, observed
    assert counted(pairs._Compiled(), scores, *columns) == counted(pairs._Vectorised(), scores, *columns)


def test_maxima_of_equal_scales_that_are_just_reached() -> None:
    """Every deviation is the limit of some pair, to the last bit, and to the next one above and below."""
    dice = np.random.default_rng(12)
    scores = close(dice)
    firsts, seconds = (one.astype(np.int64) for one in np.triu_indices(SYSTEMS, 1))
    centres = (scores[seconds] - scores[firsts]).mean(1)
    deviations = np.sort(np.abs((scores[seconds] - scores[firsts] - centres[:, None]) * 0.7).max(1))
    for observed in (
        deviations,
        np.nextafter(deviations, np.inf),
        np.nextafter(deviations, -np.inf),
        -deviations[::-1],
    ):
        columns = firsts, seconds, centres, observed, 0.7, np.full(firsts.size, 0.7), np.ascontiguousarray(observed)
        assert counted(pairs._Compiled(), scores, *columns) == counted(pairs._Vectorised(), scores, *columns)


@pytest.mark.parametrize("centre", [0.0, 5.0, 1e5, 1e12, 1e300])
def test_centres_that_are_far_from_the_scores(centre: float) -> None:
    dice = np.random.default_rng(13)
    scores = close(dice)
    firsts, seconds = (one.astype(np.int64) for one in np.triu_indices(SYSTEMS, 1))
    centres = np.full(firsts.size, centre)
    limits = np.abs(scores[seconds, 5] - scores[firsts, 5] - centres)
    columns = firsts, seconds, centres, limits, 1.0, np.ones(firsts.size), np.sort(limits)
    assert counted(pairs._Compiled(), scores, *columns) == counted(pairs._Vectorised(), scores, *columns)
