"""Measures of agreement against plain twins that count one by one."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import kendalltau, pearsonr

from truegain.agreement.judged import Judged
from truegain.agreement.lookup import MEASURES, measures_of
from truegain.agreement.measures import (
    correlation,
    normal_tails,
    pairwise_agreement,
    randomization_p,
    tie_accuracy,
    tie_agreement,
)
from truegain.agreement.system_level import random_signs

Array = NDArray[np.float64]


def made(seed: int, systems: int = 7, segments: int = 14, metrics: int = 3, documents: int = 5) -> Judged:
    """Ratings with many ties; metrics that are close to them, one of which has few values."""
    random = np.random.default_rng(seed)
    human = np.round(random.normal(0, 1, (systems, segments)) + random.normal(0, 0.6, (systems, 1)))
    scores = [human + random.normal(0, 0.5 + one, human.shape) for one in range(metrics)]
    scores[-1] = np.round(scores[-1])
    labels = np.sort(np.concatenate([np.arange(documents), random.integers(0, documents, segments - documents)]))
    return Judged.of(human, np.array(scores), labels)


def accuracy(human: Array, metric: Array) -> float:
    pairs = list(combinations(range(len(human)), 2))
    return float(np.mean([np.sign(human[i] - human[j]) == np.sign(metric[i] - metric[j]) for i, j in pairs]))


def plain_tie_accuracy(human: Array, metric: Array) -> tuple[float, float]:
    """Try every threshold."""
    pairs = [
        (human[i, n] - human[j, n], metric[i, n] - metric[j, n])
        for n in range(human.shape[1])
        for i, j in combinations(range(len(human)), 2)
    ]
    best = (-1.0, 0.0)
    for threshold in sorted({0.0, *(abs(own) for _, own in pairs)}):
        right = sum(
            (people == 0.0 if abs(own) <= threshold else np.sign(own) == np.sign(people)) for people, own in pairs
        )
        if right / len(pairs) > best[0]:
            best = (right / len(pairs), threshold)
    return best


def plain_kendall(human: Array, metric: Array) -> float:
    return float(np.nanmean([kendalltau(human[:, n], metric[:, n]).statistic for n in range(human.shape[1])]))


@pytest.mark.parametrize("seed", range(6))
def test_values_are_those_of_plain_twins(seed: int) -> None:
    judged = made(seed)
    kinds = {name: kind(judged, resamples=200, seed=3) for name, kind in MEASURES.items()}
    for place, own in enumerate(judged.metrics):
        means = [one.mean(axis=1) for one in (judged.human, own)]
        expected = {
            "accuracy": accuracy(*means),
            "system-pearson": pearsonr(*means).statistic,
            "acc23": plain_tie_accuracy(judged.human, own)[0],
            "kendall": plain_kendall(judged.human, own),
            "pearson": pearsonr(judged.human.ravel(), own.ravel()).statistic,
        }
        for name, value in expected.items():
            assert kinds[name].values()[place] == pytest.approx(value, abs=1e-12), name
    held = [plain_tie_accuracy(judged.human, own)[1] for own in judged.metrics]
    assert kinds["acc23"].thresholds() == held  # type: ignore[attr-defined]


def test_soft_accuracy_counts_signs_one_by_one() -> None:
    judged = made(11, systems=4, segments=9)
    signs = random_signs(9, 50, 5)
    assert set(np.unique(signs)) == {-1.0, 1.0}

    def p_values(scores: Array) -> list[float]:
        found = []
        for i, j in combinations(range(4), 2):
            apart = scores[i] - scores[j]
            found.append(np.mean([(one * apart).sum() >= apart.sum() - 1e-9 for one in signs]))
        return found

    human = p_values(judged.human)
    values = MEASURES["spa"](judged, resamples=50, seed=5).values()
    for own, value in zip(judged.metrics, values, strict=True):
        apart = [abs(a - b) for a, b in zip(human, p_values(own), strict=True)]
        assert value == pytest.approx(1.0 - np.mean(apart), abs=1e-12)


def test_equal_systems_have_p_1_and_are_ties() -> None:
    scores = np.array([[1.0, 2.0, 4.0], [1.0, 2.0, 4.0], [0.0, 2.0, 3.0]])
    assert randomization_p(scores, random_signs(3, 100, 1))[0] == 1.0
    assert pairwise_agreement(np.array([1.0, 1.0, 2.0]), np.array([3.0, 3.0, 4.0])).all()
    assert pairwise_agreement(np.array([1.0, 1.0, 2.0]), np.array([3.0, 2.0, 4.0])).tolist() == [False, True, True]


def test_normal_tails_are_known() -> None:
    assert normal_tails(np.array([0.0, 1.959963984540054, -np.inf])) == pytest.approx([0.5, 0.025, 1.0])


@pytest.mark.parametrize(
    ("signs", "apart", "expected"),
    [
        ([0, 0, 1], [0.1, 0.2, 0.9], (1.0, 0.2)),
        ([1, 1, -1], [0.1, 0.2, -0.9], (1.0, 0.0)),
        ([0, 1, 0], [0.0, 0.0, 0.3], (2 / 3, 0.3)),  # with 0.3 both ties are right, with 0 only one
        ([1, -1], [-1.0, 1.0], (0.0, 0.0)),
        ([1, -1], [1.0, -2.0], (1.0, 0.0)),
        ([0, 1], [0.5, 0.5], (0.5, 0.0)),  # the smallest threshold of equally good ones
    ],
)
def test_tie_threshold_is_the_smallest_that_is_best(
    signs: list[int], apart: list[float], expected: tuple[float, float]
) -> None:
    assert tie_accuracy(np.array(signs, np.int8), np.array(apart)) == pytest.approx(expected)


@pytest.mark.whole
def test_chance_is_what_noise_has() -> None:
    random = np.random.default_rng(4)
    human = np.round(random.normal(0, 1, (8, 300)) + random.normal(0, 0.05, (8, 1)))
    judged = Judged.of(human, random.normal(0, 1, (60, 8, 300)))
    for name, slack in (("accuracy", 0.04), ("spa", 0.04), ("acc23", 0.004), ("kendall", 0.01), ("pearson", 0.01)):
        measure = MEASURES[name](judged, resamples=300, seed=2)
        assert measure.values().mean() == pytest.approx(measure.chance().mean(), abs=slack), name


def test_measures_by_test() -> None:
    assert measures_of("perm-sys") == measures_of("documents") == list(MEASURES)
    assert measures_of("perm-both") == ["acc23", "kendall", "pearson"]
    assert measures_of("pair-swaps") == ["acc23"]


@pytest.mark.parametrize("unit", [1e-12, 0.1, 1.0, 1e6])
def test_ties_with_random_signs_are_those_of_whole_numbers(unit: float) -> None:
    """Every system has the same scores, of other segments: many sums tie, and in tenths only but for rounding."""
    random = np.random.default_rng(9)
    whole = np.array([random.permutation(np.arange(8) % 5) for _ in range(4)])
    signs = random_signs(8, 300, 2)
    expected = []
    for i, j in combinations(range(4), 2):
        apart = [sum(int(s) * int(d) for s, d in zip(one, whole[i] - whole[j], strict=True)) for one in signs]
        expected.append(np.mean([one >= 0 for one in apart]))
        assert 0 in apart
    assert randomization_p(whole * unit, signs).tolist() == expected


def test_what_all_systems_share_makes_no_ties() -> None:
    scores = np.random.default_rng(10).integers(0, 6, (3, 9)).astype(float)
    signs = random_signs(9, 200, 4)
    assert randomization_p(scores + 1e10, signs).tolist() == randomization_p(scores, signs).tolist()


def test_a_difference_up_to_the_threshold_is_a_tie() -> None:
    signs = np.array([0, 0, 1, 1, 1, -1], np.int8)
    apart = np.array([0.5, -0.6, 0.5, 0.6, -0.6, -0.7])
    assert tie_agreement(signs, apart, 0.5).tolist() == [True, False, False, True, False, True]


def test_correlations_are_those_of_numpy() -> None:
    x, y = np.random.default_rng(12).normal(3.0, 2.0, (2, 2, 4, 11))
    moments = np.stack([np.ones_like(x), x, y, x**2, y**2, x * y]).sum(-1)
    found = correlation(np.moveaxis(moments, 0, -1))
    assert found.shape == (2, 4)
    for place in np.ndindex(2, 4):
        assert found[place] == pytest.approx(np.corrcoef(x[place], y[place])[0, 1])
