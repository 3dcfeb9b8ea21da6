"""Intervals, Holm's adjustment, the jackknife."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from truegain.errors import InputError
from truegain.inference.intervals import bootstrap_interval
from truegain.inference.multiplicity import ADJUSTMENTS, CONTROLS, adjust, holm
from truegain.inference.variance import design_effect, jackknife_variance


def test_percentile_interval() -> None:
    values = np.arange(1001.0)
    found = bootstrap_interval(500.0, values, level=0.9)
    assert (found.low, found.high) == (50.0, 950.0)
    wide = bootstrap_interval(500.0, values, level=0.9, factor=2.0)
    assert (wide.low, wide.high) == (-400.0, 1400.0)


def test_normal_interval() -> None:
    values = np.random.default_rng(0).normal(3.0, 2.0, 100_000)
    found = bootstrap_interval(3.0, values, method="normal")
    assert found.high - 3.0 == pytest.approx(1.96 * 2.0, rel=0.02)
    assert found.high - 3.0 == pytest.approx(3.0 - found.low)


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.5, 0.9]) == [1.0, 1.0]
    assert holm([0.2]) == [0.2]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_holm_rejects_as_the_step_down_procedure(p_values: list[float]) -> None:
    adjusted = holm(p_values)
    for alpha in (0.01, 0.05, 0.3):
        rejected = set()
        for rank, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
            if p_values[index] * (len(p_values) - rank) > alpha:
                break
            rejected.add(index)
        assert {i for i, p in enumerate(adjusted) if p <= alpha} == rejected
    assert all(a >= p for a, p in zip(adjusted, p_values, strict=True))


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("bonferroni", "bonferroni"),
        ("holm", "holm"),
        ("hochberg", "simes-hochberg"),
        ("bh", "fdr_bh"),
        ("by", "fdr_by"),
    ],
)
@given(p_values=st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_adjustments_as_statsmodels(ours: str, theirs: str, p_values: list[float]) -> None:
    expected = multipletests(p_values, method=theirs)[1]
    assert adjust(p_values, ours) == pytest.approx(expected.tolist(), abs=1e-12)


def test_names_of_adjustments() -> None:
    assert adjust([0.2, 0.01], "none") == [0.2, 0.01]
    assert set(CONTROLS) == set(ADJUSTMENTS)
    with pytest.raises(InputError, match="did you mean 'holm'"):
        adjust([0.1], "home")


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
