"""Dictionaries in one array: what is found is what was packed, and nothing that cannot have been packed is believed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from truegain.text import packed_texts
from truegain.text.packed_texts import PackedTexts

TEXTS = {"area": "1", "region": "1 2", "": "nothing", "größer": "", "\ud800": "\udfff\n", "a\x00": "\x00"}

_texts = st.dictionaries(st.text(max_size=4), st.text(max_size=9), max_size=12)


@given(_texts, st.lists(st.text(max_size=4)))
def test_what_was_packed_is_found(texts: dict[str, str], others: list[str]) -> None:
    packed = PackedTexts.from_array(PackedTexts.pack(texts).array)
    assert packed is not None
    assert packed.find([*texts, *others]) == texts
    assert packed.find(others) == {key: texts[key] for key in others if key in texts}


def test_odd_texts() -> None:
    assert PackedTexts.pack(TEXTS).find([*TEXTS, "a", "are", "area1", "\x00"]) == TEXTS
    assert PackedTexts.pack({}).find(["a"]) == {}
    assert PackedTexts.pack(TEXTS).find([]) == {}


def test_keys_with_the_same_fingerprint_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed_texts, "word_fingerprints", lambda words: np.full(len(words), 7, np.uint64))
    assert PackedTexts.pack(TEXTS).find([*TEXTS, "unknown"]) == TEXTS


@pytest.mark.parametrize(
    "wrong",
    [
        lambda array: array[:0],
        lambda array: array[1:],
        lambda array: array[:-1],
        lambda array: np.append(array, 0),
        lambda array: -array,
        lambda array: np.r_[-1, array[1:]],
        lambda array: np.r_[2**62, array[1:]],
        lambda array: np.r_[array[0] + 1, array[1:]],
        lambda array: np.r_[array[0] - 1, array[1:]],
        lambda array: np.r_[array[0], array[1 : 1 + len(TEXTS)][::-1], array[1 + len(TEXTS) :]],
        lambda array: np.r_[array[: 1 + len(TEXTS)], -1, array[2 + len(TEXTS) :]],
        lambda array: np.r_[array[: 2 + len(TEXTS)], 2**62, array[3 + len(TEXTS) :]],
        lambda array: np.r_[array[: 2 + len(TEXTS)], 2**62, -(2**62) - 1, array[4 + len(TEXTS) :]],
    ],
)
def test_an_array_that_cannot_have_been_packed(wrong: object) -> None:
    assert callable(wrong)
    array = PackedTexts.pack(TEXTS).array
    assert PackedTexts.from_array(array) is not None
    assert PackedTexts.from_array(wrong(array)) is None
