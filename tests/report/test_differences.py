"""Differences between outputs: nothing is lost, and what is marked is what differs."""

from __future__ import annotations

from collections import Counter
from difflib import SequenceMatcher
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from truegain.report import differences
from truegain.report.differences import Stretch, compared, pieces

ANY = st.text(st.characters(codec="utf-8"), max_size=60)
WORDY = st.lists(st.sampled_from(["a", "b", "c", "d.", "(e", "猫", "  ", "\n"]), max_size=14).map(" ".join)


def joined(stretches: tuple[Stretch, ...]) -> str:
    return "".join(one.text for one in stretches)


def words(text: str) -> list[str]:
    return [piece for piece in pieces(text) if not piece.isspace()]


def test_two_outputs_and_a_reference() -> None:
    first, second = compared("the cat sat on a mat.", "the cat sits on the mat", ["the cat sat on the mat."])
    assert first == (
        Stretch("the cat ", "same"),
        Stretch("sat", "changed", True),
        Stretch(" on ", "same"),
        Stretch("a", "changed", False),
        Stretch(" mat", "same"),
        Stretch(".", "changed", True),
    )
    assert second == (
        Stretch("the cat ", "same"),
        Stretch("sits", "changed", False),
        Stretch(" on ", "same"),
        Stretch("the", "changed", True),
        Stretch(" mat", "same"),
    )


def test_words_are_cut_from_the_punctuation_around_them_and_keep_their_vowel_signs() -> None:
    assert pieces('"Don\'t," she  said…') == ['"', "Don't", ",", '"', " ", "she", "  ", "said", "…"]
    assert pieces("हिन्दी में।") == ["हिन्दी", " ", "में", "।"]


def test_where_nothing_is_written_between_words_characters_are_compared() -> None:
    first, second = compared("我喜欢猫", "我爱猫")
    assert [one.text for one in first] == ["我", "喜欢", "猫"]
    assert [one.kind for one in second] == ["same", "changed", "same"]


@given(ANY, ANY, st.lists(ANY, max_size=2))
def test_stretches_joined_are_the_outputs(first: str, second: str, references: list[str]) -> None:
    marked = compared(first, second, references)
    assert joined(marked[0]) == first
    assert joined(marked[1]) == second
    assert all(one.kind == "same" for side in compared(first, first) for one in side)


@given(WORDY, WORDY, st.lists(WORDY, max_size=2))
def test_what_is_the_same_is_the_same_and_as_much_as_can_be(first: str, second: str, references: list[str]) -> None:
    marked = compared(first, second, references)
    same = [[word for one in side if one.kind == "same" for word in words(one.text)] for side in marked]
    assert same[0] == same[1]
    matcher = SequenceMatcher(None, words(first), words(second), autojunk=False)
    assert len(same[0]) >= sum(block.size for block in matcher.get_matching_blocks())
    known: Counter[str] = Counter()
    for reference in references:
        known |= Counter(words(reference))
    for side in marked:
        assert all(one.text for one in side)
        kept = Counter(word for one in side if one.kind == "same" for word in words(one.text))
        found = Counter(word for one in side if one.in_reference for word in words(one.text))
        lost = Counter(
            word for one in side if one.kind == "changed" and not one.in_reference for word in words(one.text)
        )
        for word in {*found, *lost}:
            assert found[word] == min(found[word] + lost[word], max(known[word] - kept[word], 0))
        for one in side:
            assert one.text == one.text.strip() if one.kind == "changed" else not one.in_reference
        assert all((a.kind, a.in_reference) != (b.kind, b.in_reference) for a, b in pairwise(side))


def test_very_long_lines_are_counted_word_by_word(monkeypatch: pytest.MonkeyPatch) -> None:
    assert differences.differences("abca", "cab") == ([False, False, True, True], [True, False, False])
    monkeypatch.setattr(differences, "_MOST_PAIRS", 11)
    assert differences.differences("abca", "cab") == ([False, False, False, True], [False, False, False])
