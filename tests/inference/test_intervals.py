"""Bootstrap intervals and quantiles."""

from __future__ import annotations

import math
import warnings
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from truegain.inference.intervals import (
    INTERVALS,
    Interval,
    bootstrap_interval,
    few_resamples_note,
    of_bootstrap,
    quantiles,
)


def test_percentile_interval() -> None:
    values = np.arange(1001.0)
    found = bootstrap_interval(500.0, values, level=0.9)
    assert found == Interval(50.0, 950.0, 0.9, "percentile")
    skewed = bootstrap_interval(1000.0, np.arange(101.0) ** 2, level=0.9)
    assert (skewed.low, skewed.high) == pytest.approx((25.0, 9025.0))
    wide = bootstrap_interval(500.0, values, level=0.9, factor=2.0)
    assert (wide.low, wide.high) == (-400.0, 1400.0)


@given(
    values=st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=50),
    levels=st.lists(st.floats(0, 1), min_size=1, max_size=4),
)
def test_quantiles_as_numpy(values: list[float], levels: list[float]) -> None:
    expected = np.quantile(np.array(values), levels).tolist()
    assert quantiles(np.array(values), tuple(levels)) == pytest.approx(expected, rel=1e-12, abs=1e-6)


@pytest.mark.parametrize(("alpha", "least"), [(0.05, 39), (0.1, 19), (0.01, 199), (0.003, 666), (0.001, 1999)])
def test_resamples_that_are_too_few(alpha: float, least: int) -> None:
    """So many that one may be expected beyond each end, as Davison and Hinkley (1997) count: (R + 1) α / 2."""
    assert (least + 1) * alpha / 2 >= 1 - 1e-9
    assert least * alpha / 2 < 1
    assert few_resamples_note(least, alpha) is None
    said = few_resamples_note(least - 1, alpha)
    assert said is not None
    assert f"{least:,} resamples" in said.text
    assert all(told in str(few_resamples_note(1, 0.05)) for told in ("1 resample ", "95 %"))


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


def test_the_factor_widens_the_normal_interval() -> None:
    values = np.arange(101.0)
    plain, wide = (bootstrap_interval(50.0, values, method="normal", factor=factor) for factor in (1.0, 1.5))
    assert wide.high - 50.0 == pytest.approx(1.5 * (plain.high - 50.0))
    assert 50.0 - wide.low == pytest.approx(1.5 * (50.0 - plain.low))


def test_bca_makes_no_correction_where_there_is_none_to_make() -> None:
    values = np.arange(101.0)
    for observed, left_out in ((50.0, np.full(9, 7.0)), (-9.0, np.arange(9.0)), (109.0, np.arange(9.0))):
        found = bootstrap_interval(observed, values, level=0.9, method="bca", left_out=left_out)
        assert (found.low, found.high) == pytest.approx((5.0, 95.0))


def test_an_open_end_is_null_in_a_row() -> None:
    for interval in (Interval(-math.inf, 2.0, 0.9, "t"), Interval(-1.0, math.inf, 0.9, "t")):
        fields = interval.fields
        assert fields["ci"] == tuple(end if math.isfinite(end) else None for end in (interval.low, interval.high))
        assert Interval.of(*fields.values()) == interval


def test_only_the_interval_of_a_test_is_replaced_without_one() -> None:
    bootstraps = [of_bootstrap(method) for method in INTERVALS if method != "test"]
    assert bootstraps == [method for method in INTERVALS if method != "test"]
    assert of_bootstrap("test") == "percentile"
