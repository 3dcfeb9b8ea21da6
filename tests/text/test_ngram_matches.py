"""N-gram matches against counting by hand."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import truegain.text.ngram_matches
from truegain.text.ngram_matches import clipped_matches, matched_weights, matches_by_sorting, ngram_counts
from truegain.text.words import Sequences

said_or_unknown = st.lists(st.integers(-1, 4), max_size=14)
sequence = st.lists(st.integers(0, 4), max_size=14)


def grams(symbols: list[int], n: int) -> Counter[tuple[int, ...]]:
    return Counter(tuple(symbols[i : i + n]) for i in range(len(symbols) - n + 1))


def found_by_hand(hypothesis: list[int], references: list[list[int]], n: int) -> Counter[tuple[int, ...]]:
    most: Counter[tuple[int, ...]] = Counter()
    for reference in references:
        most |= grams(reference, n)
    return grams(hypothesis, n) & most


def by_hand(hypothesis: list[int], references: list[list[int]], order: int, *, weighted: bool = False) -> list[int]:
    found = [found_by_hand(hypothesis, references, n).items() for n in range(1, order + 1)]
    return [sum(count * (weight(ngram) if weighted else 1) for ngram, count in one) for one in found]


def packed(sequences: list[list[int]]) -> Sequences:
    return Sequences(
        np.array([symbol for one in sequences for symbol in one], np.int32), np.cumsum([0, *map(len, sequences)])
    )


def weight(ngram: tuple[int, ...]) -> int:
    return sum((symbol + 2) * pow(31, i, 1009) for i, symbol in enumerate(ngram)) % 1009


def weighed(sequences: list[list[int]], order: int) -> NDArray[np.int32]:
    rows = [[weight(tuple(one[i : i + n])) for n in range(1, order + 1)] for one in sequences for i in range(len(one))]
    return np.array(rows, np.int32).reshape(-1, order)


@given(
    segments=st.lists(st.tuples(said_or_unknown, st.lists(sequence, min_size=1, max_size=3)), min_size=1, max_size=5),
    order=st.integers(1, 7),
)
def test_matches_and_their_weights(segments: list[tuple[list[int], list[list[int]]]], order: int) -> None:
    hypotheses = packed([hypothesis for hypothesis, _ in segments])
    references = [one for _, several in segments for one in several]
    groups = np.cumsum([0, *(len(several) for _, several in segments)])
    plain = clipped_matches(hypotheses, packed(references), groups, order).tolist()
    heavy = matched_weights(hypotheses, packed(references), groups, weighed(references, order)).tolist()
    for (hypothesis, several), one, other in zip(segments, plain, heavy, strict=True):
        assert one == by_hand(hypothesis, several, order)
        assert other == by_hand(hypothesis, several, order, weighted=True)
        sides = np.array(hypothesis, np.int32), [np.array(side, np.int32) for side in several], order
        assert matches_by_sorting(*sides).tolist() == one
        assert matches_by_sorting(*sides, [weighed([side], order) for side in several]).tolist() == other


@pytest.mark.whole
@given(data=st.data(), order=st.one_of(st.integers(1, 7), st.sampled_from([31, 32, 33, 64])), kinds=st.integers(1, 6))
def test_any_length(data: st.DataObject, order: int, kinds: int) -> None:
    """Around the edges of blocks of bits, whose n-grams are shared, and around the longest that are matched so."""
    edges = st.integers(0, 4).map(lambda block: 64 + block * (65 - min(order, 32)))
    length = st.one_of(st.integers(0, 200), st.tuples(edges, st.integers(-1, 1)).map(sum), st.integers(510, 514))
    generator = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    said, wanted = ([generator.integers(0, kinds, data.draw(length)).tolist() for _ in range(3)] for _ in range(2))
    said[1] = wanted[1][1:] + said[1][:40]  # as a good translation: long stretches are the same
    expected = [by_hand(*pair, order) for pair in zip(said, ([one] for one in wanted), strict=True)]
    assert clipped_matches(packed(said), packed(wanted), np.arange(4), order).tolist() == expected


@pytest.mark.parametrize("most", [1000, None])
def test_bits_and_table_and_sorting_in_one_call(monkeypatch: pytest.MonkeyPatch, most: int | None) -> None:
    if most is not None:  # the second is too large for the table then
        monkeypatch.setattr(truegain.text.ngram_matches, "_MOST_CELLS", most)
    generator = np.random.default_rng(6)
    said = [generator.integers(0, 4, length).tolist() for length in (30, 600, 0, 70, 90, 700, 80, 20)]
    wanted = [[0, 1, 2] * 30, [1, 2, 3], [*said[1][5:], 2, 2], [], said[3][9:], [3, 0], said[5][:650], [], [1, 1]]
    groups = np.array([0, 1, 3, 4, 5, 6, 7, 7, 9])  # the second and the last have two references, the last but one none
    expected = [by_hand(one, wanted[a:b], 6) for one, a, b in zip(said, groups[:-1], groups[1:], strict=True)]
    assert clipped_matches(packed(said), packed(wanted), groups, 6).tolist() == expected
    sides = [(one, wanted[a:b]) for one, a, b in zip(said, groups[:-1], groups[1:], strict=True)]
    heavy = [by_hand(*pair, 6, weighted=True) for pair in sides]
    assert matched_weights(packed(said), packed(wanted), groups, weighed(wanted, 6)).tolist() == heavy


def test_ngram_counts() -> None:
    assert ngram_counts(np.array([0, 1, 5]), 3).tolist() == [[0, 0, 0], [1, 0, 0], [5, 4, 3]]
