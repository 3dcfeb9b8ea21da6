"""Information weights against counting by hand."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from truegain.text.information import ONE_BIT, information_weights
from truegain.text.words import Sequences


def packed(sequences: list[list[int]]) -> Sequences:
    return Sequences(
        np.array([symbol for one in sequences for symbol in one], np.int32), np.cumsum([0, *map(len, sequences)])
    )


@given(
    sequences=st.lists(st.lists(st.integers(0, 3), max_size=10), min_size=1, max_size=6),
    order=st.integers(1, 6),
    no_context=st.sampled_from([-1, 1]),
)
def test_weights(sequences: list[list[int]], order: int, no_context: int) -> None:
    counts: Counter[tuple[int, ...]] = Counter()
    for one in sequences:
        counts.update(tuple(one[i : i + n]) for n in range(order + 1) for i in range(len(one) - n + (n > 0)))
    expected = []
    for one in sequences:
        for i in range(len(one)):
            row = []
            for n in range(1, order + 1):
                ngram = tuple(one[i : i + n])
                before = () if ngram[:-1] == (no_context,) else ngram[:-1]
                row.append(math.log2(counts[before] / counts[ngram]) if len(ngram) == n else 0.0)
            expected.append(row)
    found = information_weights(packed(sequences), order, no_context=no_context) / ONE_BIT
    assert found.shape == (sum(map(len, sequences)), order)
    assert found.ravel().tolist() == pytest.approx([value for row in expected for value in row], abs=0.5 / ONE_BIT)


def test_powers_of_two_are_whole_bits() -> None:
    # Eight words: 0 four times, 1 twice, the pair (0, 1) twice, before 2 once.
    found = information_weights(packed([[0, 1, 2, 0], [0, 4, 0, 1]]), 3)
    assert (found[0] / ONE_BIT).tolist() == [1.0, 1.0, 1.0]
    assert (found[1] / ONE_BIT).tolist() == [2.0, 1.0, 0.0]


def test_no_words_at_all() -> None:
    assert information_weights(packed([[], []]), 5).shape == (0, 5)
