"""On how many test sets: partial conjunction by Bonferroni, and Holm's method in order."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from truegain.inference.multiplicity import holm, partial_conjunction, shown_on

P_VALUES = st.lists(st.floats(0.0, 1.0), min_size=1, max_size=12)


def test_an_example_by_hand() -> None:
    assert partial_conjunction([0.2, 0.001, 0.02]) == pytest.approx([0.003, 0.04, 0.2])
    assert partial_conjunction([0.01, 0.011, 0.012]) == pytest.approx([0.03, 0.03, 0.03]), "at least 2 are at least 1"
    assert partial_conjunction([0.9, 0.8]) == [1.0, 1.0]
    assert partial_conjunction([0.04]) == [0.04]


@given(P_VALUES)
def test_in_order_they_are_holms(p_values: list[float]) -> None:
    claims = partial_conjunction(p_values)
    assert claims == pytest.approx(sorted(holm(p_values)))
    assert claims == sorted(claims)
    assert all(0.0 <= p <= 1.0 for p in claims)
    assert partial_conjunction(p_values[::-1]) == claims, "the order of the sets does not matter"


@given(P_VALUES, st.floats(0.001, 0.5))
def test_as_many_are_named_as_are_claimed(p_values: list[float], alpha: float) -> None:
    assert shown_on(partial_conjunction(p_values), alpha) == sum(p <= alpha for p in holm(p_values))
