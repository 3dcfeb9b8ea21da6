"""The choice among references."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from truegain.metrics.pairs import first_least, take
from truegain.text.words import Sequences


@given(st.lists(st.lists(st.integers(0, 4), min_size=1, max_size=4), max_size=6))
def test_the_first_least_value_of_each_group(groups: list[list[int]]) -> None:
    edges = np.cumsum([0, *map(len, groups)])
    values = np.array([value for group in groups for value in group], np.int64)
    expected = [int(edge) + group.index(min(group)) for edge, group in zip(edges[:-1], groups, strict=True)]
    assert first_least(values, edges).tolist() == expected


@given(st.lists(st.lists(st.integers(0, 9), max_size=4), min_size=1, max_size=5), st.data())
def test_sequences_are_taken_as_often_as_named(lists: list[list[int]], data: st.DataObject) -> None:
    rows = data.draw(st.lists(st.integers(0, len(lists) - 1), max_size=8))
    flat = np.array([symbol for one in lists for symbol in one], np.int32)
    taken = take(Sequences(flat, np.cumsum([0, *map(len, lists)])), np.array(rows, np.int64))
    parts = np.split(taken.symbols, taken.offsets[1:-1]) if rows else []
    assert [part.tolist() for part in parts] == [lists[row] for row in rows]
