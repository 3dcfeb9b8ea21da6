"""What all metrics share: the references of a segment, their number, and signatures."""

from __future__ import annotations

import itertools
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from truegain.metrics.base import gain, reference_count, segment_references, signature
from truegain.version import __version__

ROWS = st.lists(st.tuples(*[st.none() | st.text("ab", max_size=3)] * 3), max_size=6)


@given(rows=ROWS, count=st.integers(1, 3))
def test_every_segment_has_its_references_in_their_order(rows: list[tuple[str | None, ...]], count: int) -> None:
    references = [[row[i] for row in rows] for i in range(count)]
    lines, groups = segment_references(references)
    assert groups.dtype == np.int64
    assert groups.tolist()[0] == 0
    assert len(groups) == len(rows) + 1
    found = [lines[a:b] for a, b in itertools.pairwise(groups)]
    assert found == [[line for line in row[:count] if line is not None] for row in rows]


def test_references_of_different_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="shorter"):
        segment_references([["a", "b"], ["c"]])
    with pytest.raises(ValueError, match="shorter"):
        reference_count([["a", None], ["c"]])


@pytest.mark.parametrize(
    ("references", "count"),
    [
        ([["a", "b"]], 1),
        ([["a", "b"], ["c", "d"], ["e", "f"]], 3),
        ([["a", None], [None, "d"]], 1),
        ([["a", "b"], [None, "d"]], "var"),
        ([["a", "b"], ["c", "d"], [None, None]], 2),
        ([], 0),
    ],
)
def test_the_number_of_references(references: list[list[str | None]], count: int | str) -> None:
    assert reference_count(references) == count


def test_a_signature_has_its_fields_in_order_and_the_version_last() -> None:
    found = signature(nrefs=1, case=True, effective=False, tok="13a", smooth=0)
    assert found == f"nrefs:1|case:yes|effective:no|tok:13a|smooth:0|version:{__version__}"
    assert signature() == f"version:{__version__}"


@pytest.mark.parametrize(("better", "sign"), [(True, 1.0), (False, -1.0), (None, 1.0)])
def test_a_gain_is_positive_where_the_new_is_better(better: bool | None, sign: float) -> None:
    metric: Any = SimpleNamespace(higher_is_better=better)
    assert gain(metric, np.array([3.0, 5.0]), np.array([4.0, 2.0])).tolist() == [sign, -3.0 * sign]
