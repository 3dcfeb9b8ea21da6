"""Base forms and synsets."""

from __future__ import annotations

import pytest

from truegain.text.synonyms import Synsets

SYNSETS = Synsets.read(
    ["area", "1", "region", "1 2", "attache", "3", "attach", "4", "levy", "5", "go", "6", "bos", "7", "axe", "8"],
    ["go", "goes went gone"],
)


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("area", [1]),
        ("regions", [1, 2]),
        ("attached", [3]),  # the first base form is the only one
        ("attaching", [3]),
        ("levies", [5]),
        ("went", [6]),
        ("going", [6]),
        ("boss", []),  # no plural
        ("axes", [8]),
        ("as", []),
        ("unknown", []),
        ("", []),
    ],
)
def test_synsets(word: str, expected: list[int]) -> None:
    assert SYNSETS.of([word]) == [expected]
    assert SYNSETS.of(["area", word, word]) == [[1], expected, expected]
