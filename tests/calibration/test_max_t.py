"""The family-wise error rate and the power of maxT: fixed seeds, and bounds wide enough for the repetitions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binom

import truegain as tg
from truegain.inference.results import Comparison
from truegain.settings import Adjustment

_REPETITIONS = 300
_RESAMPLES = 199
_UNITS = 60
_SYSTEMS = 5

Scores = NDArray[np.float64]  # (systems, units)
Make = Callable[[np.random.Generator], Scores]


def most(rate: float) -> int:
    """What a true rate exceeds in one of ten thousand studies like this one."""
    return int(binom.ppf(1 - 1e-4, _REPETITIONS, rate))


def dealt(values: Scores, generator: np.random.Generator) -> Scores:
    """Deal the outputs of each unit out among the systems again: a null for every pair of them."""
    return generator.permuted(values, axis=0)


def all_equal(generator: np.random.Generator) -> Scores:
    """Systems of different quality on units of different difficulty, swapped."""
    difficulty = generator.gamma(2.0, size=_UNITS)
    quality = np.linspace(0.0, 1.0, _SYSTEMS)[:, None]
    return dealt(difficulty * (quality + generator.normal(size=(_SYSTEMS, _UNITS))), generator)


def near_copies(generator: np.random.Generator) -> Scores:
    """Three that hardly differ, among them true nulls, and two that do, each in its own way."""
    base = generator.normal(size=_UNITS)
    alike = base + 0.05 * generator.normal(size=(3, _UNITS))
    odd = [base + 1.5 + 2.0 * generator.normal(size=_UNITS), base - 1.0 + 0.5 * generator.normal(size=_UNITS)]
    return np.concatenate([dealt(alike, generator), np.stack(odd)])


def repeated(make: Make, null: tuple[int, ...], *, test: str) -> tuple[int, int]:
    """In how many repetitions two systems that are alike were told apart: adjusted, and not adjusted."""
    generator = np.random.default_rng(2026)
    found = np.zeros(2, int)
    for seed in range(_REPETITIONS):
        pairs = [one for one in family(make(generator), seed, test) if within(one, null)]
        found += any(one.p_adjusted <= 0.05 for one in pairs), any(one.p <= 0.05 for one in pairs)
    return int(found[0]), int(found[1])


def family(scores: Scores, seed: int, test: str) -> tuple[Comparison, ...]:
    options: dict[str, Any] = {"family": "all", "adjust": "maxt", "resamples": _RESAMPLES, "jobs": 1}
    systems = {f"{i}": one for i, one in enumerate(scores)}
    return tg.compare(None, systems, metrics=["scores"], test=test, seed=seed, **options).comparisons


def within(one: Comparison, systems: tuple[int, ...]) -> bool:
    return int(one.baseline) in systems and int(one.system) in systems


def test_all_systems_equal() -> None:
    adjusted, alone = repeated(all_equal, tuple(range(_SYSTEMS)), test="ar")
    assert 0 < adjusted <= most(0.05)
    assert alone > most(0.05), "ten comparisons without adjustment find more than they may"


def test_near_copies_among_others() -> None:
    adjusted, alone = repeated(near_copies, (0, 1, 2), test="ar")
    assert 0 < adjusted <= most(0.05)
    assert adjusted < alone


def test_bootstrap() -> None:
    """Not exact, but with the small-sample factor near its level at 60 units."""
    adjusted, _ = repeated(all_equal, tuple(range(_SYSTEMS)), test="bootstrap")
    assert adjusted <= most(0.07)


@pytest.mark.parametrize("correlation", [0.5, 0.9])
def test_no_less_power_than_holm(correlation: float) -> None:
    """Where systems are alike, fewer comparisons need to be paid for."""
    generator = np.random.default_rng(7)
    rejections: dict[Adjustment, int] = {"maxt": 0, "holm": 0}
    for seed in range(60):
        noise = np.sqrt(1 - correlation) * generator.normal(size=(_SYSTEMS, _UNITS))
        shared = np.sqrt(correlation) * generator.normal(size=_UNITS)
        systems = {"base": np.zeros(_UNITS)} | {f"{i}": one for i, one in enumerate(noise + shared + 0.35)}
        options: dict[str, Any] = {"metrics": ["scores"], "test": "ar", "resamples": 999, "seed": seed, "jobs": 1}
        for adjustment in rejections:
            found = tg.compare(None, systems, adjust=adjustment, **options)
            rejections[adjustment] += sum(one.significant for one in found)
    assert rejections["maxt"] >= rejections["holm"] > 0
    if correlation > 0.8:
        assert rejections["maxt"] > rejections["holm"] + 5
