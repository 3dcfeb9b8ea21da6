"""Where a difference would lie under the null: bins that hold every resample."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from truegain.errors import InputError
from truegain.inference.under_null import Bins, Student, binned
from truegain.studies.codec import write
from truegain.studies.decode import read


@given(st.lists(st.integers(-1000, 1000), min_size=2, max_size=200).filter(lambda one: len(set(one)) > 1))
def test_every_difference_is_in_one_of_sixty_bins(values: list[int]) -> None:
    found = binned(np.array(values, float))
    assert found is not None
    assert (found.low, found.high) == (min(values), max(values))
    assert len(found.counts) == 60
    assert sum(found.counts) == len(values)
    assert found.counts[0] >= values.count(min(values))
    assert found.counts[-1] >= values.count(max(values))


def test_bins_are_of_one_width() -> None:
    found = binned(np.arange(0.0, 60.5, 0.5))
    assert found is not None
    assert found.counts == (2,) * 59 + (3,)


@pytest.mark.parametrize("values", [[2.0], [2.0, 2.0, 2.0]])
def test_no_bins_of_what_does_not_vary(values: list[float]) -> None:
    assert binned(np.array(values)) is None


def test_student_is_around_no_gain_unless_told() -> None:
    assert Student(1.0, 9.0).centre == 0.0


def test_stored_bins_are_the_same_again() -> None:
    bins = Bins(-1.0, 2.5, (0, 3, 1))
    assert read(Bins, write(bins)) == bins


@pytest.mark.parametrize(
    ("bins", "fault"),
    [
        (Bins(2.0, 2.0, (1, 2)), "high: a number above low, 2, was expected; found 2"),
        (Bins(2.0, 1.0, (1, 2)), "high: a number above low, 2, was expected; found 1"),
        (Bins(1.0, 2.0, (0, 0)), "counts: a resample in some bin was expected; found none"),
    ],
)
def test_stored_bins_that_cannot_be_are_refused(bins: Bins, fault: str) -> None:
    with pytest.raises(InputError, match=f"^{fault}$"):
        read(Bins, write(bins))
