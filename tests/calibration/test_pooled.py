"""How often tests over several test sets reject true nulls, and what they gain over one: fixed seeds, wide bounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binom, norm

from truegain.experiment import Experiment
from truegain.experiment.matching import matched
from truegain.experiment.pooled import averaged, joined
from truegain.inference.multiplicity import partial_conjunction, shown_on
from truegain.procedures.base import Pair, Trial
from truegain.procedures.lookup import procedure
from truegain.readers.memory import corpus_from_memory

_REPETITIONS = 200
_RESAMPLES = 199
_PAIR = Pair(0, 1)


def most(rate: float) -> int:
    """What a true rate exceeds in one of ten thousand studies like this one."""
    return int(binom.ppf(1 - 1e-4, _REPETITIONS, rate))


def p_values(sets: Sequence[NDArray[np.float64]], test: str, seed: int, *, alone: bool = False) -> list[float]:
    """Of all segments, of the mean and, on demand, of each test set; scores (systems, runs, segments) of each."""
    settings: dict[str, Any] = {
        "unit": "auto",
        "seed": seed,
        "jobs": 1,
        "cache": None,
        "engine": None,
        "progress": None,
    }
    experiments = []
    for number, values in enumerate(sets):
        corpus = corpus_from_memory(None, {name: list(own) for name, own in zip("ab", values, strict=True)})
        experiments.append(Experiment.prepare(replace(corpus, name=f"set {number}"), ["scores"], **settings))
    same, _ = matched(experiments)
    return [
        next(iter(procedure(test)(Trial(one, (_PAIR,), resamples=_RESAMPLES)).values())).p_value.p
        for one in (joined(same), averaged(same), *(same if alone else ()))
    ]


def one_run(
    generator: np.random.Generator, sizes: Sequence[int], spreads: Sequence[float], gain: float = 0.0
) -> list[NDArray[np.float64]]:
    """Skewed scores of systems that are alike on easy and hard segments."""
    sets = []
    for size, spread in zip(sizes, spreads, strict=True):
        own = spread * (generator.gamma(2.0, size=(2, 1, size)) - 2.0)
        sets.append(generator.normal(size=size) + own + np.array([0.0, gain])[:, None, None])
    return sets


@pytest.mark.parametrize("test", ["ar", "bootstrap"])
@pytest.mark.parametrize(
    ("sizes", "spreads"), [((60, 60, 60), (1, 1, 1)), ((12, 400), (1, 1)), ((8, 200, 40), (4, 1, 1))]
)
def test_the_size_of_tests_with_one_run(test: str, sizes: tuple[int, ...], spreads: tuple[float, ...]) -> None:
    generator = np.random.default_rng(100 + sum(sizes))
    found = np.array([p_values(one_run(generator, sizes, spreads), test, k) for k in range(_REPETITIONS)])
    for rejections in (found <= 0.05).sum(0):
        assert 0 < rejections <= most(0.06)


@pytest.mark.parametrize(("sizes", "run_spread", "own_spread"), [((60, 60), 0.3, 0.0), ((20, 300), 0.2, 0.4)])
def test_the_size_of_the_crossed_test(sizes: tuple[int, ...], run_spread: float, own_spread: float) -> None:
    """A run is as good or as bad on all sets: taking it for another on each would reject far too often."""
    normal = np.random.default_rng(7).normal
    found = []
    for k in range(_REPETITIONS):
        runs = run_spread * normal(size=(2, 3, 1))
        sets = [
            normal(size=size) + 0.5 * normal(size=(2, 1, size)) + runs + own_spread * normal(size=(2, 3, size))
            for size in sizes
        ]
        found.append([p_values(sets, test, k) for test in ("crossed", "ar")])
    crossed, fixed = (np.array(found) <= 0.05).sum(0)
    assert (crossed <= most(0.065)).all()
    assert (fixed > most(0.065)).all(), "runs held fixed say nothing of new ones"


def test_several_sets_show_more_than_one() -> None:
    generator = np.random.default_rng(9)
    gained = (one_run(generator, (80, 80, 80), (1, 1, 1), 0.4) for _ in range(100))
    found = np.array([p_values(sets, "ar", k, alone=True) for k, sets in enumerate(gained)])
    micro, macro, *alone = (found <= 0.05).mean(0)
    assert min(micro, macro) > max(alone) + 0.15
    assert abs(micro - macro) < 0.1, "sets of one size, with scores that are means: the same gain"


@pytest.mark.parametrize("true_effects", [0, 1, 2, 4])
@pytest.mark.parametrize("dependence", [0.0, 0.8])
def test_no_more_sets_are_claimed_than_have_an_effect(true_effects: int, dependence: float) -> None:
    """With true effects on u − 1 of 5 sets, "at least u" is claimed in 5 % of studies at most."""
    generator = np.random.default_rng(true_effects)
    studies, sets = 4_000, 5
    shared = generator.normal(size=(studies, 1))
    z = np.sqrt(dependence) * shared + np.sqrt(1 - dependence) * generator.normal(size=(studies, sets))
    z[:, :true_effects] += 6.0
    p = norm.sf(z)
    claimed = np.array([shown_on(partial_conjunction(row), 0.05) for row in p.tolist()])
    assert (claimed > true_effects).sum() <= binom.ppf(1 - 1e-4, studies, 0.05)
    assert (claimed >= true_effects).mean() > 0.95
