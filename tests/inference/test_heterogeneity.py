"""Test of groups that differ more than chance: Q by hand, and p against a slow bootstrap."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from truegain.inference.heterogeneity import apart, joint_columns, own_columns, together

Floats = NDArray[np.float64]
GENERATOR = np.random.default_rng(15)


def drawn(columns: Floats, resamples: int, seed: int) -> tuple[Floats, NDArray[np.int64]]:
    weights = np.random.default_rng(seed).multinomial(len(columns), [1 / len(columns)] * len(columns), size=resamples)
    return (weights @ columns).T, weights


def by_hand(means: list[float], errors: list[float]) -> float:
    weights = [1 / error**2 for error in errors]
    centre = sum(w * mean for w, mean in zip(weights, means, strict=True)) / sum(weights)
    return sum(w * (mean - centre) ** 2 for w, mean in zip(weights, means, strict=True))


def test_groups_without_common_units_are_those_of_a_slow_bootstrap() -> None:
    groups = [GENERATOR.normal(0.4 * g, 1 + g, size=12 + 5 * g) for g in range(3)]
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


def test_groups_with_common_units_take_their_covariance() -> None:
    values = GENERATOR.normal(size=(25, 1)) + GENERATOR.normal(size=(25, 3)) * [0.5, 1.0, 2.0] + [0.0, 0.2, 0.4]
    columns = joint_columns(values / 25)
    totals, weights = drawn(columns, 50, 1)
    q, p_value = together(values.mean(0), columns, totals)

    def distance(means: Floats, rows: Floats) -> float:
        differences = rows[:, :2] - rows[:, 2:]
        d = means[:2] - means[2]
        return float(d @ np.linalg.inv(np.cov(differences.T) / len(rows)) @ d)

    observed = distance(values.mean(0), values)
    assert q == pytest.approx(observed)
    again = [np.repeat(values, own, axis=0) for own in weights]
    reached = sum(distance(new.mean(0) - values.mean(0), new) >= observed for new in again)
    assert p_value.exceedances == reached


def test_equal_gains_do_not_differ_and_far_ones_do() -> None:
    own = GENERATOR.normal(size=40)
    columns = [own_columns(own / 40)] * 2
    totals = [drawn(one, 99, g)[0] for g, one in enumerate(columns)]
    assert apart(np.array([1.0, 1.0]), columns, totals)[1].p == 1.0
    assert apart(np.array([1.0, 9.0]), columns, totals)[1].p == 0.01
