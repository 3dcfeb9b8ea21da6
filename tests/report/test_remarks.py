"""Remarks on many files are made once."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from truegain.report.remarks import gathered

FILES = [f"runs/a.{i}.txt" for i in range(8)]
TOKENISED = [f"{name}: {100 + i:,} lines end in ' .', as tokenised text does" for i, name in enumerate(FILES)]


def test_a_few_are_made_one_by_one() -> None:
    assert gathered(TOKENISED[:3], FILES) == TOKENISED[:3]


def test_many_are_gathered_where_the_first_was() -> None:
    assert gathered(["before", *TOKENISED, "after"], FILES) == [
        "before",
        f"{TOKENISED[0]}; and so of 7 more files",
        "after",
    ]


def test_what_was_gathered_counts_for_all_its_files() -> None:
    two = [f"{TOKENISED[0]}; and so of 7 more files", f"{TOKENISED[1]}; and so of 1,200 more files"]
    assert gathered(two, FILES) == [f"{TOKENISED[0]}; and so of 1,208 more files"]


def test_lines_by_number() -> None:
    texts = [f"{name}: 2 empty segments (lines {i}, 1,0{i}2), scored as they are" for i, name in enumerate(FILES)]
    texts[3] = f"{FILES[3]}: 12 empty segments (lines 1, 2, 3, 4, 5, …), scored as they are"
    assert len(gathered(texts, FILES)) == 1


def test_other_kinds_and_other_files_stay() -> None:
    other = [f"{name}: something with {i} words in {'abcdefgh'[i]}" for i, name in enumerate(FILES)]
    assert gathered(other, FILES) == other
    assert gathered(TOKENISED, []) == TOKENISED


@given(st.lists(st.sampled_from([*TOKENISED, "x", "y: 3"]), max_size=12))
def test_nothing_is_lost(texts: list[str]) -> None:
    found = gathered(texts, FILES)
    about = {text for text in texts if text in TOKENISED}
    assert [text for text in found if text in ("x", "y: 3")] == list(
        dict.fromkeys(text for text in texts if text not in TOKENISED)
    )
    assert (
        len(found) == len(set(texts)) if len(about) <= 3 else any(f"of {len(about) - 1} more" in one for one in found)
    )
