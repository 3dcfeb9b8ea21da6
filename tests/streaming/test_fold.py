"""Sums of statistics: as they are defined, exact, and the same however the segments are cut."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.refusals import refused
from truegain.resampling import generator, poisson
from truegain.resampling.streams import Stream
from truegain.streaming import fold as module
from truegain.streaming.fold import Fold
from truegain.streaming.sums import FINE, Description, MetricPart, Sums, to_bytes

Values = NDArray[Any]


def described(unit: str = "segment", resamples: int = 70, runs: tuple[int, ...] = (1, 2)) -> Description:
    """Two metrics, of two statistics and of one."""
    metrics = (MetricPart("one", "sig", ("a", "b")), MetricPart("two", "sig", ("c",)))
    return Description(metrics, tuple(f"s{i}" for i in range(len(runs))), runs, 1, unit, resamples, 99)


def folded(
    values: Values,
    *,
    first: int = 0,
    cuts: tuple[int, ...] = (),
    documents: list[str] | None = None,
    jobs: int = 1,
    **options: Any,
) -> Sums:
    fold = Fold(described("segment" if documents is None else "document", **options), jobs=jobs)
    edges = [0, *cuts, len(values)]
    for start, end in itertools.pairwise(edges):
        fold.add(values[start:end], first + start, None if documents is None else documents[start:end])
    return fold.sums(name="t", run_names=("x", "y", "z"))


def whole(seed: int, segments: int, most: int = 50) -> Values:
    return np.random.default_rng(seed).integers(-most, most, (segments, 9)).astype(np.float64)


@pytest.mark.parametrize("fast", [True, False])
def test_sums_are_weights_times_statistics(fast: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generator, "_fast", lambda: fast)
    values = whole(1, 300)
    sums = folded(values, first=17)
    weights = poisson.poisson(poisson.keys_of_segments(99, Stream.POISSON_WEIGHTS, 17, 300), 0, 70)
    masks = poisson.swaps(poisson.keys_of_segments(99, Stream.SWAP_WEIGHTS, 17, 300), 0, 70)
    np.testing.assert_array_equal(sums.poisson, weights.T.astype(np.int64) @ values.astype(np.int64))
    np.testing.assert_array_equal(sums.swaps, masks.T.astype(np.int64) @ values.astype(np.int64))
    np.testing.assert_array_equal(sums.drawn, weights.sum(0))
    np.testing.assert_array_equal(sums.totals, values.sum(0))
    np.testing.assert_array_equal(sums.reach, np.abs(values).sum(0))
    assert (sums.segments, sums.units, sums.effective_units) == (300, 300, 300.0)
    assert sums.ranges == ((17, 317),)
    assert not sums.exponents.any()


def test_documents_have_one_weight_wherever_their_segments_stand() -> None:
    values = whole(2, 200)
    documents = [f"d{i * i % 23}" for i in range(200)]
    sums = folded(values, documents=documents)
    numbers = poisson.document_numbers(documents)
    weights = poisson.poisson(poisson.keys_of_documents(99, Stream.POISSON_WEIGHTS, numbers), 0, 70)
    masks = poisson.swaps(poisson.keys_of_documents(99, Stream.SWAP_WEIGHTS, numbers), 0, 70)
    np.testing.assert_array_equal(sums.poisson, weights.T.astype(np.int64) @ values.astype(np.int64))
    np.testing.assert_array_equal(sums.swaps, masks.T.astype(np.int64) @ values.astype(np.int64))
    np.testing.assert_array_equal(sums.drawn, weights.sum(0))
    sizes = np.unique(documents, return_counts=True)[1]
    assert sums.units == sizes.size
    assert sorted(sums.documents[1].tolist()) == sorted(sizes.tolist())
    assert sums.effective_units == pytest.approx(200**2 / (sizes**2).sum())


@given(
    st.integers(0, 999),
    st.integers(2, 40),
    st.lists(st.integers(1, 39), max_size=3),
    st.booleans(),
    st.booleans(),
    st.randoms(use_true_random=False),
    st.sampled_from([1, 3]),
)
def test_any_cut_in_any_order_is_the_same_to_the_last_bit(
    seed: int, segments: int, places: list[int], by_document: bool, fractions: bool, chance: Any, jobs: int
) -> None:
    """Pieces of a shard, shards of a test set; whole numbers in one shard and fractions in another."""
    values = whole(seed, segments)
    if fractions:
        values[segments // 2 :, 4:6] += np.random.default_rng(seed).normal(size=(segments - segments // 2, 2))
    documents = [f"d{(i * 7 + seed) % 5}" for i in range(segments)] if by_document else None
    cuts = tuple(sorted({place for place in places if place < segments}))
    once = to_bytes(folded(values, documents=documents))
    assert to_bytes(folded(values, documents=documents, cuts=cuts, jobs=jobs)) == once
    edges = [0, *cuts, segments]
    shards = [
        folded(values[a:b], first=a, documents=None if documents is None else documents[a:b])
        for a, b in itertools.pairwise(edges)
    ]
    chance.shuffle(shards)
    while len(shards) > 1:  # a tree of sums, not only a chain
        second = shards.pop(chance.randrange(len(shards)))
        place = chance.randrange(len(shards))
        shards[place] = shards[place] + second
    assert to_bytes(shards[0]) == once


@pytest.mark.parametrize("resamples", [1, 63, 64, 65, 1500])
def test_any_number_of_jobs_and_resamples(resamples: int) -> None:
    values = whole(3, 50)
    once = folded(values, resamples=resamples)
    assert once.poisson.shape == (resamples, 9)
    for jobs in (2, 5):
        assert to_bytes(folded(values, resamples=resamples, jobs=jobs)) == to_bytes(once)
    fewer = folded(values, resamples=1)
    np.testing.assert_array_equal(fewer.poisson[0], once.poisson[0])


@pytest.mark.parametrize("size", [2.0**20, 2.0**36, 2.0**45, 2.0**49])
def test_large_statistics_are_exact(size: float) -> None:
    """Where single precision is not enough, nor double precision for a block: in Python's own whole numbers."""
    values = np.rint(np.random.default_rng(4).uniform(-size, size, (600, 9)))
    sums = folded(values, resamples=5)
    weights = poisson.poisson(poisson.keys_of_segments(99, Stream.POISSON_WEIGHTS, 0, 600), 0, 5)
    exact = [[int(value) for value in row] for row in values]
    drawn = [[int(weight) for weight in row] for row in weights]
    for r in range(5):
        for column in range(9):
            assert sums.poisson[r, column] == sum(drawn[i][r] * exact[i][column] for i in range(600))


def test_a_document_of_large_statistics_is_exact() -> None:
    values = np.full((500, 9), 2.0**49 - 1)
    sums = folded(values, documents=["d"] * 490 + ["e"] * 10, resamples=6)
    keys = poisson.keys_of_documents(99, Stream.POISSON_WEIGHTS, poisson.document_numbers(["d", "e"]))
    weights = poisson.poisson(keys, 0, 6).astype(int)
    expected = [int(490 * d + 10 * e) * (2**49 - 1) for d, e in weights.T.tolist()]
    assert sums.poisson[:, 3].tolist() == expected


def test_fractions_are_multiples_of_one_power_of_two() -> None:
    values = whole(5, 40)
    values[3, 6] = 1 / 3  # the only statistic of the second metric, of the first run
    sums = folded(values)
    assert sums.exponents.tolist() == [0, 0, -FINE]
    assert sums.scale.tolist() == [1.0] * 6 + [2.0**-FINE] * 3
    np.testing.assert_allclose(sums.totals * sums.scale, values.sum(0), atol=40 * 2.0**-FINE)
    assert sums.totals[6] == round(sum(values[:, 6] * 2**FINE))
    assert sums.totals[7] == values[:, 7].sum() * 2**FINE


def test_too_large_is_refused_and_never_wrapped() -> None:
    with refused():
        folded(np.full((3, 9), 2.0**50))
    with refused():
        folded(np.full((3, 9), np.inf))
    fold = Fold(described(resamples=2))
    values = np.full((8192, 9), 2.0**45)
    fold.add(values, 0)
    with refused():
        fold.add(values, 8192)
    halves = [folded(values[:6000], first=first, resamples=2) for first in (0, 6000)]
    with refused():
        halves[0] + halves[1]
    fine = folded(np.full((60, 9), 0.5), first=9000, resamples=2)
    with refused():
        fine + halves[0]


def test_small_fractions_are_said() -> None:
    assert len(folded(np.full((9, 9), 1e-6)).notes) == 3
    assert folded(np.full((9, 9), 1e-3)).notes == ()


def test_segments_that_differ_are_counted() -> None:
    values = np.zeros((30, 6))  # two systems of one run: a b a b, then c c
    values[:7, 2] = 1.0
    values[5:9, 3] = 1.0
    values[0, 5] = 1.0
    sums = folded(values, runs=(1, 1))
    assert sums.differing[:, 0, 1].tolist() == [9, 1]
    assert sums.differing[:, 1, 0].tolist() == [0, 0]
    assert folded(whole(1, 9)).differing.sum() == 0  # not of as many runs


def test_pieces_must_follow_each_other_and_be_there() -> None:
    fold = Fold(described())
    with refused():
        fold.sums(name="t", run_names=("x", "y", "z"))
    fold.add(whole(1, 5), 0)
    fold.add(whole(1, 5), 6)
    with pytest.raises(ValueError, match="follow"):
        fold.sums(name="t", run_names=("x", "y", "z"))
    with pytest.raises(ValueError, match="documents"):
        fold.add(whole(1, 5), 11, ["d"] * 5)


def test_more_rows_than_a_part_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    values = whole(6, 300)
    once = to_bytes(folded(values))
    monkeypatch.setattr(module, "_ROWS", 64)
    monkeypatch.setattr(module, "_UNITS", 10)
    assert to_bytes(folded(values)) == once


def test_more_resamples_than_memory() -> None:
    with pytest.raises(MemoryError):
        Fold(described(resamples=10**13))
