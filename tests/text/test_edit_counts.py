"""Sequences as strings, and the operations counted on them."""

from __future__ import annotations

import numpy as np
import pytest

from tests.refusals import refused
from truegain.text.edit_counts import as_texts, edit_operations
from truegain.text.words import Sequences


@pytest.mark.parametrize("shift", [0, 0xD7F0, 0x10FFF0, 2_000_000])
def test_sequences_keep_their_lengths_and_equalities_as_texts(shift: int) -> None:
    """Also where symbols are surrogates or more than there are code points."""
    symbols = np.array([0, 1, 2, -1, 2, 1, 40], np.int32)
    symbols[symbols >= 0] += shift
    texts = as_texts(Sequences(symbols, np.array([0, 3, 3, 7])))
    assert [len(text) for text in texts] == [3, 0, 4]
    flat = [symbol for text in texts for symbol in text]
    assert [[a == b for a in flat] for b in flat] == (symbols[:, None] == symbols).tolist()


def test_what_would_take_minutes_is_refused() -> None:
    with refused(naming=["200,001"]):
        edit_operations(["x" * 200_001], ["y" * 200_000])
    # A long output of nothing is no work.
    assert edit_operations(["x" * 200_001], ["y"]).tolist() == [[1, 0, 200_000]]
