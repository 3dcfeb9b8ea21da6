"""The stationary bootstrap: against its definition, its variance in closed form, and arch."""

from __future__ import annotations

import numpy as np
import pytest
from arch.bootstrap import StationaryBootstrap
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from truegain.engines.engine import Engine, Resampling
from truegain.errors import InputError
from truegain.resampling.design import Design
from truegain.resampling.generator import _draw_blocks, _tally, resample_keys, stationary_counts
from truegain.resampling.units import Units, UnitTable


def autoregressive(count: int, rho: float, seed: int) -> NDArray[np.float64]:
    noise = np.random.default_rng(seed).standard_normal(count)
    series = np.empty(count)
    last = noise[0] / np.sqrt(1 - rho**2)
    for i, one in enumerate(noise):
        series[i] = last = rho * last + one
    return series


def lengths(drawn: NDArray[np.int64]) -> NDArray[np.int64]:
    """Of whole blocks: neither the first, which is seen from its start, nor the last, which is cut off, are any."""
    units = drawn.shape[1]
    breaks = np.diff(drawn, axis=1) % units != 1
    return np.concatenate([np.diff(np.flatnonzero(row)) for row in breaks])


def draws(units: int, mean_length: float, resamples: int) -> NDArray[np.int64]:
    keys = resample_keys(6, 3, 0, resamples)
    drawn = _draw_blocks(keys, units, round(2**32 / mean_length))
    np.testing.assert_array_equal(_tally(drawn), stationary_counts(keys, units, mean_length))
    return drawn


def resampled_means(series: NDArray[np.float64], mean_length: float, resamples: int) -> NDArray[np.float64]:
    units = Units.blocks(series.size, mean_length)
    table = UnitTable.build(series[:, None], units)
    totals = Engine().resample(Resampling(Design(units, "bootstrap", 1), table, lambda t: t), resamples)
    return np.asarray(totals[0] / series.size)


def closed_form(series: NDArray[np.float64], mean_length: float) -> float:
    """The variance of the mean, given the series (Politis and Romano 1994, lemma 1): circular autocovariances."""
    n = series.size
    deviations = series - series.mean()
    covariances = np.array([(deviations * np.roll(deviations, -lag)).mean() for lag in range(n)])
    lags = np.arange(1, n)
    weights = (1 - lags / n) * (1 - 1 / mean_length) ** lags
    return float((covariances[0] + 2 * weights @ covariances[1:]) / n)


@pytest.mark.parametrize("mean_length", [1.0, 2.5, 8.0, 40.0])
@pytest.mark.parametrize("rho", [-0.5, 0.0, 0.6])
def test_variance_in_closed_form(mean_length: float, rho: float) -> None:
    series = autoregressive(151, rho, 5)
    means = resampled_means(series, mean_length, 20_000)
    expected = closed_form(series, mean_length)
    assert means.var() == pytest.approx(expected, rel=5 * np.sqrt(2 / 20_000))
    assert means.mean() == pytest.approx(series.mean(), abs=5 * np.sqrt(expected / 20_000))


def test_variance_of_arch() -> None:
    series = autoregressive(150, 0.6, 7)
    theirs = StationaryBootstrap(9, series, seed=3).apply(np.mean, 4000).ravel()
    ours = resampled_means(series, 9.0, 20_000)
    assert ours.var() == pytest.approx(theirs.var(), rel=5 * np.sqrt(2 / 20_000 + 2 / 4000))
    assert stats.ks_2samp(ours, theirs).pvalue > 1e-3


def test_block_lengths_are_geometric_and_those_of_arch() -> None:
    ours = lengths(draws(2000, 6.0, 100))
    peer = StationaryBootstrap(6, np.zeros(2000), seed=4)
    theirs = lengths(np.stack([np.asarray(peer.update_indices(), np.int64) for _ in range(100)]))
    assert ours.mean() == pytest.approx(6.0, rel=0.03)
    bins = np.arange(1, 25)
    found, other = (np.bincount(np.minimum(one, 24), minlength=25)[1:] for one in (ours, theirs))
    expected = stats.geom.pmf(bins, 1 / 6)
    expected[-1] = stats.geom.sf(23, 1 / 6)
    assert stats.chisquare(found, expected * found.sum()).pvalue > 1e-3
    assert stats.chi2_contingency([found, other]).pvalue > 1e-3


def test_first_unit_comes_after_the_last() -> None:
    drawn = draws(5, 5.0, 4000)
    after_last = drawn[:, 1:][drawn[:, :-1] == 4]
    assert np.mean(after_last == 0) == pytest.approx(0.8 + 0.2 / 5, abs=0.03)
    # So every unit is drawn equally often, wherever it stands.
    assert np.abs(draws(20, 7.0, 20_000).reshape(-1, 1) == np.arange(20)).mean(0) == pytest.approx(1 / 20, rel=0.05)


def test_blocks_of_one_are_the_ordinary_bootstrap() -> None:
    units = 40
    counts = stationary_counts(resample_keys(2, 3, 0, 20_000), units, 1.0)
    assert (counts.sum(1) == units).all()
    covariance = np.cov(counts.T)
    assert np.abs(covariance - np.eye(units) + 1 / units).max() < 15 / np.sqrt(20_000)
    drawn = draws(1000, 1.0, 200)
    assert np.mean(np.diff(drawn, axis=1) % 1000 == 1) == pytest.approx(1 / 1000, rel=0.3)


def key_with_second_word(word: int) -> int:
    """The splitmix64 finaliser, backwards."""
    whole = 2**64
    z = word
    for shift, factor in ((31, 0x94D049BB133111EB), (27, 0xBF58476D1CE4E5B9), (30, 1)):
        undone = z
        for _ in range(3):
            undone = z ^ (undone >> shift)
        z = undone * pow(factor, -1, whole) % whole
    return (z - 2 * 0x9E3779B97F4A7C15) % whole


def test_blocks_of_one_start_anew_at_the_largest_half() -> None:
    """The threshold of mean length 1 is 2^32, which no 32 bits reach; one less, and the largest half goes on."""
    keys = np.array([key_with_second_word(0xFFFFFFFF_80000000)], np.uint64)
    assert _draw_blocks(keys, 30, 2**32)[0, 1] == 15
    begun = _draw_blocks(keys, 30, 2**32 - 1)[0]
    assert begun[1] == (begun[0] + 1) % 30
    for mean_length, threshold in ((1.0, 2**32), (1 + 2**-32, 2**32 - 1)):
        expected = _tally(_draw_blocks(keys, 30, threshold))
        np.testing.assert_array_equal(stationary_counts(keys, 30, mean_length), expected)


def test_one_block_goes_round() -> None:
    one_block = _draw_blocks(resample_keys(2, 3, 0, 50), 30, 0)
    assert (np.diff(one_block, axis=1) % 30 == 1).all()


def test_documents_become_neighbours() -> None:
    units = Units.blocks(6, 2.0, ["b", "a", "b", "c", "a", "b"])
    assert units.kind == "block"
    assert units.count == 6
    assert units.mean_length == 2.0
    assert units.of_segment.tolist() == [0, 3, 1, 5, 4, 2]
    assert units.sums(np.arange(6.0)[:, None])[:, 0].tolist() == [0, 2, 5, 1, 4, 3]
    assert units.effective_number == 6


@given(st.lists(st.sampled_from("abcd"), min_size=1, max_size=30))
def test_segments_keep_their_order_within_documents(ids: list[str]) -> None:
    units = Units.blocks(len(ids), 1.0, ids)
    values = np.arange(float(len(ids)))[:, None]
    table = UnitTable.build(values, units)
    order = table.values[:, 0].astype(int).tolist()
    firsts = list(dict.fromkeys(ids))
    assert order == sorted(range(len(ids)), key=lambda i: (firsts.index(ids[i]), i))


@pytest.mark.parametrize("mean_length", [0.99, 0.0, -3.0, 10.5, float("nan"), float("inf")])
def test_impossible_lengths(mean_length: float) -> None:
    with pytest.raises(InputError, match=rf"mean length of blocks\D* 1 to 10\b\D* got {mean_length:g}$"):
        Units.blocks(10, mean_length)


def test_documents_of_too_few_segments() -> None:
    with pytest.raises(InputError, match=r"documents of 2 segments\D* 3 segments"):
        Units.blocks(3, 2.0, "ab")


def test_blocks_cannot_be_swapped() -> None:
    with pytest.raises(ValueError, match=r"can be drawn\W+not swapped"):
        Design(Units.blocks(10, 2.0), "swap", 1)


def test_blocks_have_a_stream_of_their_own() -> None:
    blocks, segments = (Design(units, "bootstrap", 1) for units in (Units.blocks(9, 2.0), Units.segments(9)))
    np.testing.assert_array_equal(blocks.keys(3, 8), resample_keys(1, 3, 3, 5))
    np.testing.assert_array_equal(segments.keys(3, 8), resample_keys(1, 1, 3, 5))


def test_blocks_are_random_access() -> None:
    design = Design(Units.blocks(77, 5.5), "bootstrap", 5)
    parts = [design.weights(a, b) for a, b in ((0, 7), (7, 8), (8, 50))]
    np.testing.assert_array_equal(np.concatenate(parts), design.weights(0, 50))
