"""The jackknife and design effects."""

from __future__ import annotations

import numpy as np
import pytest

from truegain.inference.variance import design_effect, jackknife, jackknife_variance


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


def test_strata_add_up_and_the_only_unit_of_one_does_not_vary() -> None:
    """Of a mean over all units: the sum over strata of n times the variance within, over the square of their number."""
    strata = (1, 2, 5)
    values = np.random.default_rng(3).normal(size=8)
    left_out = (values.sum() - values) / 7
    expected = sum(part.size * part.var(ddof=1) for part in np.split(values, np.cumsum(strata)[:-1]) if part.size > 1)
    assert jackknife(left_out, strata) == pytest.approx(expected / 8**2)
    assert jackknife(np.array([3.0])) == 0.0
