"""Where two sequences part."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from truegain.readers.differences import first_difference


@given(st.text("ab", max_size=6), st.text("ab", max_size=6))
def test_all_before_is_the_same_and_the_next_is_not(one: str, other: str) -> None:
    place = first_difference(one, other)
    assert one[:place] == other[:place]
    assert place == min(len(one), len(other)) or one[place] != other[place]
    assert first_difference(list(one), list(other)) == place
