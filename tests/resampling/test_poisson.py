"""Weights of a unit: as they are defined, of the right distribution, and the same from the kernels and from numpy."""

from __future__ import annotations

import hashlib
from fractions import Fraction
from math import factorial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import poisson as known

from truegain.resampling import generator, poisson
from truegain.resampling.generator import numbered_keys, poisson_weights, resample_keys, swap_weights
from truegain.resampling.streams import Stream

SEEDS = st.integers(0, 2**64 - 1)
KNOWN_WEIGHTS = [[1, 0, 0, 2, 1, 0, 0, 0, 2, 0, 1, 1, 2, 0, 4, 0], [2, 1, 1, 2, 2, 0, 2, 0, 1, 0, 1, 2, 0, 0, 0, 3]]
KNOWN_SWAPS = [[1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0], [1, 0, 1, 1, 0, 1, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0]]


def word(key: int, number: int) -> int:
    """A random word in Python's own whole numbers."""
    whole = 2**64 - 1
    z = (key + (number + 1) * 0x9E3779B97F4A7C15) & whole
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & whole
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & whole
    return z ^ (z >> 31)


def test_thresholds_are_those_of_poisson_1(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that weights are drawn by, to the last bit: of fractions, with e to more than 40 digits."""
    used: list[list[int]] = []
    monkeypatch.setattr(poisson, "poisson_weights", lambda _keys, thresholds, *_: used.append(thresholds.tolist()))
    poisson.poisson(poisson.keys_of_segments(1, Stream.POISSON_WEIGHTS, 0, 1), 0, 2)
    e = sum(Fraction(1, factorial(j)) for j in range(40))
    sums = [sum(Fraction(1, factorial(j)) for j in range(k + 1)) for k in range(poisson.LARGEST_WEIGHT + 1)]
    assert used == [[round(2**32 * one / e) for one in sums]]
    assert poisson._THRESHOLDS[-1] == 2**32
    chances = np.diff(poisson._THRESHOLDS.astype(np.float64), prepend=0.0) / 2.0**32
    mean = (chances * np.arange(chances.size)).sum()
    assert mean == pytest.approx(1.0, abs=1e-8)
    assert (chances * (np.arange(chances.size) - mean) ** 2).sum() == pytest.approx(1.0, abs=1e-8)


def test_weights_as_they_are_defined() -> None:
    keys = poisson.keys_of_segments(9, Stream.POISSON_WEIGHTS, 1000, 5)
    thresholds = [int(one) for one in poisson._THRESHOLDS]
    for first, last in ((0, 131), (64, 131), (2, 3), (130, 131)):
        found = poisson.poisson(keys, first, last)
        assert found.shape == (5, last - first)
        for row, key in enumerate(keys.tolist()):
            for place, r in enumerate(range(first, last)):
                drawn = word(key, r // 2) >> (32 * (r % 2)) & 0xFFFFFFFF
                assert found[row, place] == sum(drawn >= one for one in thresholds)


def test_swaps_as_they_are_defined() -> None:
    keys = poisson.keys_of_segments(9, Stream.SWAP_WEIGHTS, 1000, 5)
    for first, last in ((0, 131), (64, 131), (128, 130)):
        found = poisson.swaps(keys, first, last)
        for row, key in enumerate(keys.tolist()):
            bits = [word(key, r // 64) >> (r % 64) & 1 for r in range(first, last)]
            assert found[row].tolist() == bits


def test_the_guide_has_the_least_weight_of_each_first_byte() -> None:
    thresholds = poisson._THRESHOLDS.tolist()
    least = [sum(byte << 24 >= one for one in thresholds) for byte in range(256)]
    assert generator._guide(poisson._THRESHOLDS).tolist() == least


@pytest.mark.parametrize("wrong", [1, 63])
def test_resamples_begin_at_whole_words(wrong: int) -> None:
    keys = poisson.keys_of_segments(1, Stream.POISSON_WEIGHTS, 0, 2)
    with pytest.raises(ValueError, match="multiple of 64"):
        poisson.swaps(keys, wrong, 200)
    with pytest.raises(ValueError, match="even"):
        poisson.poisson(keys, wrong, 200)


@given(SEEDS, st.integers(0, 2**40), st.integers(1, 9), st.integers(0, 5), st.integers(1, 200))
def test_numpy_and_kernels_agree(seed: int, unit: int, units: int, words: int, count: int) -> None:
    keys = resample_keys(seed, 5, unit, units)
    first = 64 * words
    thresholds = poisson._THRESHOLDS
    fast = poisson_weights(keys, thresholds, first, count), swap_weights(keys, first, count)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(generator, "_fast", lambda: False)
        slow = poisson_weights(keys, thresholds, first, count), swap_weights(keys, first, count)
    for one, other in zip(fast, slow, strict=True):
        assert one.dtype == other.dtype == np.float32
        np.testing.assert_array_equal(one, other)


@given(SEEDS, st.integers(0, 2**40), st.integers(0, 2**63))
def test_keys_of_numbers_are_those_of_counting(seed: int, stream: int, first: int) -> None:
    numbers = np.arange(3, dtype=np.uint64) + np.uint64(first)
    np.testing.assert_array_equal(numbered_keys(seed, stream, numbers), resample_keys(seed, stream, first, 3))


def test_the_weight_of_a_segment_knows_no_other_segment() -> None:
    """However a test set is cut: what segment 1,234 weighs is the same."""
    whole = poisson.poisson(poisson.keys_of_segments(3, Stream.POISSON_WEIGHTS, 0, 2000), 0, 70)
    part = poisson.poisson(poisson.keys_of_segments(3, Stream.POISSON_WEIGHTS, 1234, 1), 0, 70)
    np.testing.assert_array_equal(part[0], whole[1234])


def test_documents_have_63_bits_of_a_hash() -> None:
    numbers = poisson.document_numbers(["d1", "é", "d1"])
    expected = int.from_bytes(hashlib.blake2b(b"d1", digest_size=8).digest(), "little") >> 1
    assert numbers.tolist()[0] == numbers.tolist()[2] == expected
    assert numbers.max() < 2**63
    keys = poisson.keys_of_documents(1, Stream.POISSON_WEIGHTS, numbers)
    assert keys[0] == keys[2] != keys[1]


def test_known_weights() -> None:
    """Should these change, shards of one version of truegain could not be added to those of another."""
    keys = poisson.keys_of_segments(12345, Stream.POISSON_WEIGHTS, 0, 2)
    assert poisson.poisson(keys, 0, 16).astype(int).tolist() == KNOWN_WEIGHTS
    keys = poisson.keys_of_segments(12345, Stream.SWAP_WEIGHTS, 0, 2)
    assert poisson.swaps(keys, 0, 16).astype(int).tolist() == KNOWN_SWAPS


def test_units_and_resamples_are_independent() -> None:
    """Chi-squared of the weights, and correlations of neighbours: within five standard errors."""
    keys = poisson.keys_of_segments(7, Stream.POISSON_WEIGHTS, 0, 2000)
    weights = poisson.poisson(keys, 0, 500)
    counts = np.bincount(weights.astype(np.int64).ravel(), minlength=13)[:7]
    expected = known.pmf(np.arange(7), 1.0) * weights.size
    assert ((counts - expected) ** 2 / expected).sum() < 40.0
    deviations = weights.astype(np.float64) - 1.0
    for one, other in ((deviations[1:], deviations[:-1]), (deviations[:, 1:], deviations[:, :-1])):
        assert abs((one * other).mean()) < 5.0 / np.sqrt(one.size)
    masks = poisson.swaps(poisson.keys_of_segments(7, Stream.SWAP_WEIGHTS, 0, 2000), 0, 500).astype(np.float64) - 0.5
    assert abs(masks.mean()) < 2.5 / np.sqrt(masks.size)
    assert abs((masks * deviations).mean()) < 2.5 / np.sqrt(masks.size)
