"""The generator: known answers, and the same bits from the kernels and from numpy."""

from __future__ import annotations

import numpy as np
import pytest

from truegain.resampling import generator
from truegain.resampling.generator import bootstrap_counts, philox, resample_keys, swap_masks


def words(counter: list[int], key: tuple[int, int]) -> list[str]:
    out = philox(tuple(np.array([word], np.uint64) for word in counter), key)
    return [f"{int(word[0]):08x}" for word in out]


def test_philox_known_answers() -> None:
    """The published answers of Philox-4x32-10."""
    assert words([0, 0, 0, 0], (0, 0)) == ["6627e8d5", "e169c58d", "bc57ac4c", "9b00dbd8"]
    ones = 0xFFFFFFFF
    assert words([ones] * 4, (ones, ones)) == ["408f276d", "41c83b0e", "a20bc7c6", "6d5451fd"]


@pytest.mark.parametrize("seed", [0, 12345, 2**64 - 1])
@pytest.mark.parametrize("first", [0, 5, 2**32 - 3])
def test_numpy_and_kernels_agree(seed: int, first: int, monkeypatch: pytest.MonkeyPatch) -> None:
    fast = resample_keys(seed, 2, first, 9)
    counts = {units: bootstrap_counts(fast, units) for units in (1, 2, 3, 64, 65, 1001)}
    monkeypatch.setattr(generator, "_fast", lambda: False)
    np.testing.assert_array_equal(resample_keys(seed, 2, first, 9), fast)
    for units, expected in counts.items():
        np.testing.assert_array_equal(bootstrap_counts(fast, units), expected)


def test_keys_are_random_access() -> None:
    whole = resample_keys(7, 1, 0, 100)
    np.testing.assert_array_equal(resample_keys(7, 1, 40, 20), whole[40:60])
    assert len(set(whole.tolist())) == 100
    assert not set(whole.tolist()) & set(resample_keys(7, 2, 0, 100).tolist())
    assert not set(whole.tolist()) & set(resample_keys(8, 1, 0, 100).tolist())


def test_counts_are_multinomial() -> None:
    units = 50
    counts = bootstrap_counts(resample_keys(3, 1, 0, 20_000), units)
    assert (counts.sum(1) == units).all()
    # Mean 1 and variance 1 - 1/n of each unit's count; covariance -1/n of two.
    error = 5 / np.sqrt(20_000)
    assert np.abs(counts.mean(0) - 1).max() < error
    covariance = np.cov(counts.T)
    assert np.abs(np.diag(covariance) - (1 - 1 / units)).max() < 3 * error
    assert np.abs(covariance - np.diag(np.diag(covariance)) + (1 - np.eye(units)) / units).max() < 2 * error


def test_masks_are_fair_and_independent() -> None:
    masks = swap_masks(resample_keys(3, 2, 0, 20_000), 130).astype(float)
    error = 5 / np.sqrt(20_000)
    assert np.abs(masks.mean(0) - 0.5).max() < error / 2
    correlation = np.corrcoef(masks.T) - np.eye(130)
    assert np.abs(correlation).max() < error * 1.2
