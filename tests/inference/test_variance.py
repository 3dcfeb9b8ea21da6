"""Variances of contributions and of blocks, the jackknife and design effects."""

from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm

from truegain.inference.variance import (
    block_variance,
    cluster_variance,
    cluster_variances,
    design_effect,
    jackknife,
    jackknife_variance,
)


def test_jackknife_of_a_mean_is_the_textbook_variance() -> None:
    values = np.random.default_rng(1).normal(size=50)
    units = np.stack([values, np.ones(50)], 1)
    found = jackknife_variance(units, lambda totals: (totals[0] / totals[1])[None])
    assert found[0] == pytest.approx(values.var(ddof=1) / 50)


def test_design_effect_of_copies_is_their_number() -> None:
    generator = np.random.default_rng(2)
    documents = generator.normal(size=(60, 1))
    segments = np.repeat(documents, 5, axis=0)
    both = np.concatenate([segments, np.ones_like(segments)], 1)
    sums = both.reshape(60, 5, 2).sum(1)
    found = design_effect(both, sums, lambda totals: (totals[0] / totals[1])[None])
    assert found[0] == pytest.approx(5.0, rel=0.03)


@pytest.mark.parametrize("strata", [(1, 2, 5), (40,), (20, 20), (5, 30, 5), (2,) * 20, (4,) * 10])
def test_strata_add_up_and_the_only_unit_of_one_does_not_vary(strata: tuple[int, ...]) -> None:
    """Strata keep their sizes n_h of N: the variance of the mean is Σ n_h s²_h / N² (Cochran 1977, section 5.3)."""
    total = sum(strata)
    values = np.random.default_rng(3).normal(size=total) + np.repeat(3.0 * np.arange(len(strata)), strata)
    left_out = (values.sum() - values) / (total - 1)
    expected = sum(part.size * part.var(ddof=1) for part in np.split(values, np.cumsum(strata)[:-1]) if part.size > 1)
    assert jackknife(left_out, strata) == pytest.approx(expected / total**2, rel=1e-9)
    assert jackknife(np.array([3.0])) == 0.0


def test_contributions_of_documents_give_the_cluster_robust_variance_of_a_mean() -> None:
    generator = np.random.default_rng(4)
    documents = np.repeat(np.arange(12), generator.integers(2, 9, 12))
    values = generator.normal(size=documents.size) + generator.normal(size=12)[documents]
    centred = (values - values.mean()) / values.size
    contributions = np.array([centred[documents == document].sum() for document in range(12)])
    fit = sm.OLS(values, np.ones(values.size)).fit(cov_type="cluster", cov_kwds={"groups": documents})
    assert cluster_variance(contributions) == pytest.approx(float(np.asarray(fit.bse)[0]) ** 2)


def test_contributions_vary_within_strata_of_two_and_more() -> None:
    """Each stratum of n adds n times its variance, which n draws from it would have."""
    strata = (1, 2, 5)
    contributions = np.random.default_rng(5).normal(size=(3, 8))
    parts = np.split(contributions, np.cumsum(strata)[:-1], axis=1)
    expected = sum(part.shape[1] * part.var(axis=1, ddof=1) for part in parts if part.shape[1] > 1)
    found = cluster_variances(contributions, strata)
    assert found is not None
    assert found == pytest.approx(expected)
    assert [cluster_variance(row, strata) for row in contributions] == found.tolist()
    assert cluster_variances(contributions[:, :2], (1, 1)) is None
    assert cluster_variance(contributions[0, :1]) is None


@pytest.mark.parametrize(("count", "mean_length"), [(12, 3.0), (13, 4.0), (20, 1.0), (12, 6.0)])
def test_variance_of_blocks_is_that_of_the_stationary_bootstrap(count: int, mean_length: float) -> None:
    """A resample is a Markov chain on a circle: the next unit, or with a probability of 1 / length any of them."""
    contributions = np.random.default_rng(count).normal(3.0, 1.0, count).cumsum()
    centred = contributions - contributions.mean()
    jump = 1.0 / mean_length
    step = (1.0 - jump) * np.roll(np.eye(count), 1, axis=1) + jump / count
    total, steps = 0.0, np.eye(count)
    for lag in range(count):
        pairs = count if lag == 0 else 2 * (count - lag)
        total += pairs * float(centred @ steps @ centred) / count
        steps = steps @ step
    blocks = count / mean_length
    assert block_variance(contributions, mean_length) == pytest.approx(total * blocks / (blocks - 1.0))


def test_no_variance_of_less_than_two_blocks() -> None:
    assert block_variance(np.arange(11.0), 6.0) is None
    assert block_variance(np.ones(12), 6.0) == 0.0
