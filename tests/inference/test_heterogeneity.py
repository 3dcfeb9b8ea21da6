"""Test of groups that differ more than chance: Q by hand, and p against a slow bootstrap."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from truegain.inference import heterogeneity
from truegain.inference.heterogeneity import apart, exchanged, joint_columns, own_columns, together
from truegain.resampling.generator import resample_keys, shuffled

Floats = NDArray[np.float64]


@pytest.fixture
def generator() -> np.random.Generator:
    """One of its own for each test: no test depends on those before."""
    return np.random.default_rng(15)


def drawn(columns: Floats, resamples: int, seed: int) -> tuple[Floats, NDArray[np.int64]]:
    weights = np.random.default_rng(seed).multinomial(len(columns), [1 / len(columns)] * len(columns), size=resamples)
    return (weights @ columns).T, weights


def by_hand(means: list[float], errors: list[float]) -> float:
    weights = [1 / error**2 for error in errors]
    centre = sum(w * mean for w, mean in zip(weights, means, strict=True)) / sum(weights)
    return sum(w * (mean - centre) ** 2 for w, mean in zip(weights, means, strict=True))


def test_groups_without_common_units_are_those_of_a_slow_bootstrap(generator: np.random.Generator) -> None:
    groups = [generator.normal(0.4 * g, 1 + g, size=12 + 5 * g) for g in range(3)]
    columns = [own_columns(one / one.size) for one in groups]
    draws = [drawn(one, 60, g) for g, one in enumerate(columns)]
    q, p_value = apart(np.array([one.mean() for one in groups]), columns, [one for one, _ in draws])
    observed = by_hand([one.mean() for one in groups], [one.std(ddof=1) / one.size**0.5 for one in groups])
    assert q == pytest.approx(observed)
    reached = 0
    for r in range(60):
        again = [np.repeat(one, weights[r]) for one, (_, weights) in zip(groups, draws, strict=True)]
        means = [float(new.mean() - one.mean()) for new, one in zip(again, groups, strict=True)]
        reached += by_hand(means, [one.std(ddof=1) / one.size**0.5 for one in again]) >= observed
    assert (p_value.exceedances, p_value.resamples) == (reached, 60)
    assert p_value.p == (reached + 1) / 61


def test_groups_with_common_units_take_their_covariance(generator: np.random.Generator) -> None:
    values = generator.normal(size=(25, 1)) + generator.normal(size=(25, 3)) * [0.5, 1.0, 2.0] + [0.0, 0.2, 0.4]
    columns = joint_columns(values / 25)
    totals, weights = drawn(columns, 50, 1)

    def distance(means: Floats, rows: Floats) -> float:
        differences = rows[:, :2] - rows[:, 2:]
        d = means[:2] - means[2]
        return float(d @ np.linalg.inv(np.cov(differences.T) / len(rows)) @ d)

    again = [np.repeat(values, own, axis=0) for own in weights]
    resampled = [distance(new.mean(0) - values.mean(0), new) for new in again]
    for nearer in (1.0, 0.7, 0.4, 0.1):  # so that few, some and most resamples are as far out
        q, p_value = together(nearer * values.mean(0), columns, totals)
        observed = distance(nearer * values.mean(0), values)
        assert q == pytest.approx(observed)
        assert p_value.exceedances == sum(one >= observed for one in resampled)
    assert 0 < p_value.exceedances < 50


def test_permutations_are_those_of_a_slow_loop(generator: np.random.Generator) -> None:
    groups = [generator.normal(0.3 * g, 1 + g, size=(10 + 4 * g, 2)) for g in range(3)]
    deltas = np.array([[0.1, 0.2], [0.3, 0.9], [0.2, 1.4]])  # of a corpus metric: not the sums of contributions
    found = exchanged(deltas, [one / len(one) for one in groups], 5, 80)
    labels = shuffled(resample_keys(5, 403, 0, 80), np.repeat([0, 1, 2], [10, 14, 18]))
    for k, p_value in enumerate(found):
        values = np.concatenate([one[:, k] - one[:, k].mean() + deltas[g, k] for g, one in enumerate(groups)])
        spreads = [float(one[:, k].std(ddof=1)) / len(one) ** 0.5 for one in groups]
        observed = by_hand(deltas[:, k].tolist(), spreads)
        reached = 0
        for own in labels:
            parts = [values[own == g] for g in range(3)]
            errors = [one.std(ddof=1) / one.size**0.5 for one in parts]
            reached += by_hand([float(one.mean()) for one in parts], errors) >= observed
        assert (p_value.exceedances, p_value.resamples) == (reached, 80)
        assert p_value.p == (reached + 1) / 81


def test_permutations_do_not_depend_on_how_many_are_made_at_once(
    monkeypatch: pytest.MonkeyPatch, generator: np.random.Generator
) -> None:
    contributions = [generator.normal(size=(12, 3)) for _ in range(2)]
    deltas = np.array([one.sum(0) for one in contributions])
    whole = exchanged(deltas, contributions, 6, 50)
    monkeypatch.setattr(heterogeneity, "_AT_ONCE", 24 * 7)
    assert exchanged(deltas, contributions, 6, 50) == whole


def test_equal_gains_do_not_differ_and_far_ones_do(generator: np.random.Generator) -> None:
    own = generator.normal(size=40)
    columns = [own_columns(own / 40)] * 2
    totals = [drawn(one, 99, g)[0] for g, one in enumerate(columns)]
    assert apart(np.array([1.0, 1.0]), columns, totals)[1].p == 1.0
    assert apart(np.array([1.0, 9.0]), columns, totals)[1].p == 0.01


def test_permutations_that_tie_count() -> None:
    """Gains of 0, 1 and 2: many permutations have the observed Q, which Fractions tell without rounding."""
    own = [[0, 1, 2, 0, 1, 1, 0, 2], [2, 1, 2, 1, 2, 0]]
    contributions = [np.array(one, float)[:, None] / len(one) for one in own]
    (found,) = exchanged(np.array([one.sum(0) for one in contributions]), contributions, 7, 300)

    def q(first: list[int], second: list[int]) -> Fraction:
        means = [Fraction(sum(one), len(one)) for one in (first, second)]
        errors = [
            sum(((value - mean) ** 2 for value in one), Fraction()) / (len(one) * (len(one) - 1))
            for one, mean in zip((first, second), means, strict=True)
        ]
        return (means[1] - means[0]) ** 2 / sum(errors, Fraction())

    labels = shuffled(resample_keys(7, 403, 0, 300), np.repeat([0, 1], [8, 6])).tolist()
    every = list(itertools.chain(*own))
    drawn_q = [q(*([v for v, g in zip(every, label, strict=True) if g == k] for k in (0, 1))) for label in labels]
    assert any(one == q(*own) for one in drawn_q)
    assert found.exceedances == sum(one >= q(*own) for one in drawn_q)


def test_permutations_are_the_same_wherever_the_gains_lie(generator: np.random.Generator) -> None:
    contributions = [generator.normal(size=(12, 1)) / 12 for _ in range(2)]
    deltas = np.array([[0.1], [0.6]])
    assert exchanged(deltas + 1e6, contributions, 8, 60) == exchanged(deltas, contributions, 8, 60)


@pytest.mark.parametrize("unit", [1e-6, 1.0, 1e6])
def test_a_resample_as_far_out_counts_whatever_the_unit_of_scores(unit: float, generator: np.random.Generator) -> None:
    """Resamples with the observed variances and gains: the second as far apart as observed, but for rounding."""
    columns = [own_columns(unit * generator.normal(size=n) / n) for n in (15, 20)]
    deltas = unit * np.array([0.1, 0.7])
    squares = [one[:, 1].sum() for one in columns]
    totals = []
    for delta, square, one in zip(deltas, squares, columns, strict=True):
        gains = delta * np.array([0.99, 1.0 - 1e-12, 1.01])
        totals.append(np.stack([gains, square + gains**2 / len(one)]))
    q, p_value = apart(deltas, columns, totals)
    variances = [n / (n - 1) * square for n, square in zip((15, 20), squares, strict=True)]
    assert q == pytest.approx((0.6 * unit) ** 2 / sum(variances))
    assert (p_value.exceedances, p_value.resamples) == (2, 3)


def test_a_group_that_does_not_vary_makes_any_difference_infinite(generator: np.random.Generator) -> None:
    columns = [own_columns(np.full(12, 0.125)), own_columns(generator.normal(size=12) / 12)]
    q, p_value = apart(np.array([1.2, 0.4]), columns, [drawn(one, 20, 3)[0] for one in columns])
    assert (q, p_value.exceedances) == (math.inf, 20), "nor does it vary in any resample"
