"""The generator: known answers, and the same bits from the kernels and from numpy."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from truegain.kernels import draws, run
from truegain.resampling import generator
from truegain.resampling.design import Design
from truegain.resampling.generator import (
    RandomNumbers,
    bootstrap_bytes,
    bootstrap_counts,
    deal_sums,
    normals,
    philox,
    resample_keys,
    shuffled,
    stationary_counts,
    stratified_counts,
    swap_masks,
    uniforms,
)
from truegain.resampling.streams import Stream
from truegain.resampling.units import Units

STRATA = [(1,), (64,), (1, 1), (2, 3), (3, 2, 1), (500, 1, 36, 464)]
LENGTHS = [1.0, 1.0000001, 1.5, 7.3, 1e3]


def words(counter: list[int], key: tuple[int, int]) -> list[str]:
    out = philox(tuple(np.array([word], np.uint64) for word in counter), key)
    return [f"{int(word[0]):08x}" for word in out]


def test_philox_known_answers() -> None:
    """The published answers of Philox-4x32-10."""
    assert words([0, 0, 0, 0], (0, 0)) == ["6627e8d5", "e169c58d", "bc57ac4c", "9b00dbd8"]
    ones = 0xFFFFFFFF
    assert words([ones] * 4, (ones, ones)) == ["408f276d", "41c83b0e", "a20bc7c6", "6d5451fd"]


@pytest.mark.parametrize("units", [1, 2, 255, 2**16 - 1, 2**16, 2**16 + 1, 3 * 2**16 + 7])
def test_counts_in_bytes_are_the_same(units: int, monkeypatch: pytest.MonkeyPatch) -> None:
    keys = resample_keys(3, 1, 0, 4)
    np.testing.assert_array_equal(bootstrap_bytes(keys, units), bootstrap_counts(keys, units))
    design = Design(Units.segments(units), "bootstrap", 3)
    np.testing.assert_array_equal(design.weights(0, 4), bootstrap_counts(design.keys(0, 4), units))
    monkeypatch.setattr(generator, "_fast", lambda: False)
    assert bootstrap_bytes(keys, units) is None


def test_counts_that_pass_a_byte_are_not_given(monkeypatch: pytest.MonkeyPatch) -> None:
    def once_too_often(kernel: object, keys: object, counts: np.ndarray, *room: object) -> None:
        counts[:] = 1
        counts[1, 0] = 0  # one unit 256 times, and all others once

    monkeypatch.setattr(generator, "run", once_too_often)
    assert bootstrap_bytes(np.zeros(3, np.uint64), 300) is None


@pytest.mark.parametrize("seed", [0, 12345, 2**64 - 1])
@pytest.mark.parametrize("first", [0, 5, 2**32 - 3])
def test_numpy_and_kernels_agree(seed: int, first: int, monkeypatch: pytest.MonkeyPatch) -> None:
    fast = resample_keys(seed, 2, first, 9)
    counts = {units: bootstrap_counts(fast, units) for units in (1, 2, 3, 64, 65, 1001)}
    within = {strata: stratified_counts(fast, strata) for strata in STRATA}
    blocks = {(units, mean): stationary_counts(fast, units, mean) for units in (1, 2, 65, 1001) for mean in LENGTHS}
    monkeypatch.setattr(generator, "_fast", lambda: False)
    np.testing.assert_array_equal(resample_keys(seed, 2, first, 9), fast)
    for units, expected in counts.items():
        np.testing.assert_array_equal(bootstrap_counts(fast, units), expected)
    for strata, expected in within.items():
        np.testing.assert_array_equal(stratified_counts(fast, strata), expected)
    for (units, mean), expected in blocks.items():
        np.testing.assert_array_equal(stationary_counts(fast, units, mean), expected)


def halves(key: int, number: int) -> tuple[int, int]:
    """The low and the high half of a word, in Python's own whole numbers."""
    whole = 2**64 - 1
    z = (key + (number + 1) * 0x9E3779B97F4A7C15) & whole
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & whole
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & whole
    z ^= z >> 31
    return z & 0xFFFFFFFF, z >> 32


@pytest.mark.parametrize("strata", STRATA)
def test_strata_as_they_are_defined(strata: tuple[int, ...]) -> None:
    keys = resample_keys(9, 1, 0, 5)
    expected = np.zeros((5, sum(strata)))
    for row, key in enumerate(keys.tolist()):
        draw = 0
        for size in strata:
            start = draw
            for draw in range(start, start + size):
                expected[row, start + (halves(key, draw >> 1)[draw & 1] * size >> 32)] += 1
            draw = start + size
    np.testing.assert_array_equal(stratified_counts(keys, strata), expected)


@pytest.mark.parametrize("mean_length", LENGTHS)
def test_blocks_as_they_are_defined(mean_length: float) -> None:
    keys, units = resample_keys(9, 3, 0, 5), 77
    expected = np.zeros((5, units))
    for row, key in enumerate(keys.tolist()):
        drawn = 0
        for draw in range(units):
            low, high = halves(key, draw)
            begins = draw == 0 or high < round(2**32 / mean_length)
            drawn = low * units >> 32 if begins else (drawn + 1) % units
            expected[row, drawn] += 1
    np.testing.assert_array_equal(stationary_counts(keys, units, mean_length), expected)


@pytest.mark.parametrize("units", [1, 2, 7, 64, 1001])
def test_one_stratum_has_the_bits_of_none(units: int) -> None:
    keys = resample_keys(5, 1, 0, 20)
    counts = np.empty((20, units), np.float32)
    run(draws.stratified_counts, keys, np.array([0, units]), counts, np.empty(units, np.uint32))
    np.testing.assert_array_equal(counts, bootstrap_counts(keys, units))
    np.testing.assert_array_equal(stratified_counts(keys, (units,)), counts)


def test_every_stratum_keeps_its_size() -> None:
    strata = (1, 20, 3, 26)
    counts = stratified_counts(resample_keys(3, 1, 0, 20_000), strata)
    assert (counts[:, 0] == 1).all()
    error = 5 / np.sqrt(20_000)
    for size, part in zip(strata, np.split(counts, np.cumsum(strata)[:-1], axis=1), strict=True):
        assert (part.sum(1) == size).all()
        assert np.abs(part.mean(0) - 1).max() < error
        assert np.abs(part.var(0) - (1 - 1 / size)).max() < 3 * error
    # Draws of different strata do not depend on each other.
    assert np.abs(np.cov(counts.T)[1:21, 21:]).max() < error


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


@pytest.mark.parametrize(("segments", "runs", "width"), [(1, 1, 1), (1, 2, 1), (40, 2, 3), (33, 6, 2), (5, 25, 1)])
def test_numpy_and_kernel_deal_out_alike(segments: int, runs: int, width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    keys = resample_keys(7, 4, 3, 11)
    values = np.random.default_rng(1).integers(-(2**45), 2**45, (segments, runs, width))
    compiled = deal_sums(keys, values)
    in_another_order = deal_sums(keys, np.asfortranarray(values))
    monkeypatch.setattr(generator, "_fast", lambda: False)
    np.testing.assert_array_equal(deal_sums(keys, values), compiled)
    np.testing.assert_array_equal(in_another_order, compiled)
    assert (compiled.sum(1) == values.sum((0, 1))).all(), "every output is dealt out once"


def test_dealing_as_it_is_defined() -> None:
    keys, values = resample_keys(9, 4, 0, 3), np.random.default_rng(4).integers(0, 100, (6, 4, 2))
    expected = np.zeros((3, 4, 2), np.int64)
    for row, key in enumerate(keys.tolist()):
        number = 0
        for segment in range(6):
            order = [0, 1, 2, 3]
            for place in (3, 2, 1):
                other = halves(key, number)[0] * (place + 1) >> 32
                order[place], order[other] = order[other], order[place]
                number += 1
            for place, one in enumerate(order):
                expected[row, place] += values[segment, one]
    np.testing.assert_array_equal(deal_sums(keys, values), expected)


@pytest.mark.parametrize("count", [1, 2, 9, 40])
def test_shuffling_is_dealing_out_one_segment(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    keys, values = resample_keys(9, 5, 0, 30), np.arange(count) // 2
    found = shuffled(keys, values)
    np.testing.assert_array_equal(found, deal_sums(keys, values[None, :, None])[..., 0])
    monkeypatch.setattr(generator, "_fast", lambda: False)
    np.testing.assert_array_equal(shuffled(keys, values), found)
    assert (np.sort(found, axis=1) == values).all()


def test_normals() -> None:
    values = normals(resample_keys(3, 9, 0, 400), 50)
    assert values.shape == (400, 50)
    assert stats.kstest(values.ravel(), "norm").pvalue > 0.001
    assert np.abs(np.corrcoef(values.T) - np.eye(50)).max() < 0.25
    np.testing.assert_array_equal(values[:7], normals(resample_keys(3, 9, 0, 7), 50))


def test_uniforms() -> None:
    keys = resample_keys(9, 5, 0, 400)
    values = uniforms(keys, 50)
    assert values.shape == (400, 50)
    assert values.dtype == np.float64
    assert values.min() >= 0.0
    assert values.max() < 1.0
    low, high = halves(int(keys[3]), 7)
    assert values[3, 7] == ((high << 32 | low) >> 11) / 2**53
    np.testing.assert_array_equal(uniforms(keys, 20), values[:, :20])
    flat = np.sort(values.ravel())
    # Kolmogorov's distance of 20,000 values, and no dependence between neighbours.
    assert np.abs(flat - np.arange(flat.size) / flat.size).max() < 1.95 / np.sqrt(flat.size)
    assert abs(np.corrcoef(values[:, :-1].ravel(), values[:, 1:].ravel())[0, 1]) < 5 / np.sqrt(flat.size)
    assert abs(np.corrcoef(values[:-1].ravel(), values[1:].ravel())[0, 1]) < 5 / np.sqrt(flat.size)


def test_numpy_and_kernels_agree_on_large_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = (6 << 32) + 5
    fast = resample_keys(7, stream, 3, 9)
    monkeypatch.setattr(generator, "_fast", lambda: False)
    np.testing.assert_array_equal(resample_keys(7, stream, 3, 9), fast)
    assert not set(fast.tolist()) & set(resample_keys(7, 5, 3, 9).tolist())


def test_a_block_goes_on_where_its_word_is_at_the_threshold(monkeypatch: pytest.MonkeyPatch) -> None:
    """A block is begun by the words below the threshold, as many of 2^32 as it says."""
    keys = resample_keys(10, 3, 0, 1)
    (first, _), (second, high) = (halves(int(keys[0]), number) for number in (0, 1))
    assert first * 2 >> 32 == second * 2 >> 32, "to begin anew is to draw the same unit twice"
    mean_length = 2**32 / high
    assert round(2**32 / mean_length) == high
    assert stationary_counts(keys, 2, mean_length).tolist() == [[1.0, 1.0]]
    monkeypatch.setattr(generator, "_fast", lambda: False)
    assert stationary_counts(keys, 2, mean_length).tolist() == [[1.0, 1.0]]


def test_numbers_one_after_the_other() -> None:
    numbers = RandomNumbers(7)
    first, second = numbers.random(3, 2), numbers.random(4)
    np.testing.assert_array_equal([*first.ravel(), *second], uniforms(np.array([7], np.uint64), 10)[0])
    assert stats.kstest(RandomNumbers(8).normals(20_000), "norm").pvalue > 0.01
    assert sorted(numbers.permutation(50)) == list(range(50))
    drawn = numbers.integers(-2, 3, 10_000)
    assert stats.chisquare(np.bincount(drawn + 2, minlength=5)).pvalue > 0.01
    assert drawn.shape == (10_000,)


def test_all_random_numbers_are_of_the_generator() -> None:
    """But those that a device's precision is tried out with."""
    package = Path(generator.__file__).parents[1]
    others = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if re.search(
            r"np\.random|numpy\.random|^(import|from) random\b", path.read_text(encoding="utf-8"), re.MULTILINE
        )
    }
    assert others == {"engines/torch_products.py"}


def test_no_two_streams_of_a_study_are_one() -> None:
    numbers = [stream.value for stream in Stream.__members__.values()]
    twice = {number for number in numbers if numbers.count(number) > 1}
    assert twice == {401, 501, 502, 503}
