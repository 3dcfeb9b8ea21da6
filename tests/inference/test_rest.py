"""Intervals, Holm's adjustment, the jackknife."""

from __future__ import annotations

import warnings
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import multipletests

from truegain.errors import InputError
from truegain.inference.intervals import bootstrap_interval, quantiles
from truegain.inference.multiplicity import ADJUSTMENTS, CONTROLS, adjust, holm
from truegain.inference.variance import design_effect, jackknife_variance


def test_percentile_interval() -> None:
    values = np.arange(1001.0)
    found = bootstrap_interval(500.0, values, level=0.9)
    assert (found.low, found.high) == (50.0, 950.0)
    wide = bootstrap_interval(500.0, values, level=0.9, factor=2.0)
    assert (wide.low, wide.high) == (-400.0, 1400.0)


@given(
    values=st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=50),
    levels=st.lists(st.floats(0, 1), min_size=1, max_size=4),
)
def test_quantiles_as_numpy(values: list[float], levels: list[float]) -> None:
    expected = np.quantile(np.array(values), levels).tolist()
    assert quantiles(np.array(values), tuple(levels)) == pytest.approx(expected, rel=1e-12, abs=1e-6)


def test_normal_interval() -> None:
    values = np.random.default_rng(0).normal(3.0, 2.0, 100_000)
    found = bootstrap_interval(3.0, values, method="normal")
    assert found.high - 3.0 == pytest.approx(1.96 * 2.0, rel=0.02)
    assert found.high - 3.0 == pytest.approx(3.0 - found.low)


def test_basic_interval_is_the_mirror_image() -> None:
    values = np.random.default_rng(3).gamma(2.0, size=5000)
    plain = bootstrap_interval(2.0, values, factor=1.1)
    mirrored = bootstrap_interval(2.0, values, factor=1.1, method="basic")
    assert (mirrored.low, mirrored.high) == pytest.approx((4.0 - plain.high, 4.0 - plain.low))


@pytest.mark.parametrize("kind", ["mean", "max", "variance"])
@pytest.mark.parametrize("level", [0.9, 0.95])
def test_bca_as_scipy(kind: str, level: float) -> None:
    generator = np.random.default_rng(4)
    data = generator.gamma(1.5, size=40).round(1)
    kinds: dict[str, Any] = {"mean": np.mean, "max": np.max, "variance": np.var}
    statistic = kinds[kind]
    draws = generator.integers(0, 40, (2000, 40))
    resampled = statistic(data[draws], axis=-1)
    left_out = np.array([statistic(np.delete(data, i)) for i in range(40)])
    given = SimpleNamespace(bootstrap_distribution=resampled)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the maximum: its distribution is degenerate
        theirs = stats.bootstrap(
            (data,), statistic, n_resamples=0, bootstrap_result=given, method="BCa", confidence_level=level
        ).confidence_interval
    ours = bootstrap_interval(float(statistic(data)), resampled, level=level, method="bca", left_out=left_out)
    if np.isfinite(theirs.low):
        assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-9)
    else:
        assert kind == "max"


def test_bca_of_what_never_varies() -> None:
    found = bootstrap_interval(3.0, np.full(100, 3.0), method="bca", left_out=np.full(10, 3.0))
    assert (found.low, found.high) == (3.0, 3.0)
    beyond = bootstrap_interval(9.0, np.arange(101.0) / 50, method="bca", left_out=np.arange(10.0))
    assert (beyond.low, beyond.high) == pytest.approx((0.05, 1.95))
    with pytest.raises(ValueError, match="one unit left out"):
        bootstrap_interval(3.0, np.arange(9.0), method="bca")


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
