"""Notes: their words, what of many is said once, and what is stored of them."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

import truegain as tg
from truegain.inference.results import Caveat
from truegain.notes import Note, gathered

FILES = [f"runs/a.{i}.txt" for i in range(8)]
TOKENISED = [Note("tokenised-text", f"{100 + i:,} lines end in ' .'", file=name) for i, name in enumerate(FILES)]
BEFORE, AFTER = Note("x", "before"), Note("x", "after")


@pytest.mark.parametrize(
    ("note", "text"),
    [
        (Note("few-units", "with 3 units"), "with 3 units"),
        (Note("few-units", "with 3 units").about("BLEU"), "BLEU: with 3 units"),
        (Note("few-units", "with 3 units").about("BLEU").about("news"), "news: BLEU: with 3 units"),
        (Note("few-units", "with 3 units").capitalized(), "With 3 units"),
        (Note("copy", "it is ref", file="a.txt", warning=True), "Warning: a.txt: it is ref"),
        (Note("copy", "it is ref", "news", "a.txt", 1), "news: a.txt: it is ref; and so of 1 more file"),
    ],
)
def test_words(note: Note, text: str) -> None:
    assert str(note) == text


def test_many_are_gathered_where_the_first_was_and_a_few_are_not() -> None:
    assert gathered(TOKENISED[:3]) == TOKENISED[:3]
    assert gathered([BEFORE, *TOKENISED, AFTER]) == [BEFORE, replace(TOKENISED[0], more=7), AFTER]
    # What was gathered before counts for all its files.
    two = [replace(TOKENISED[0], more=7), replace(TOKENISED[1], more=1_200)]
    assert gathered(two) == [replace(TOKENISED[0], more=1_208)]


def test_other_kinds_and_scopes_stay_whatever_they_say() -> None:
    kinds = [replace(note, kind=f"kind-{i}", text="the same") for i, note in enumerate(TOKENISED)]
    scopes = [replace(note, scope=f"set {i}") for i, note in enumerate(TOKENISED)]
    assert gathered([*kinds, *scopes]) == [*kinds, *scopes]


@given(st.lists(st.sampled_from([*TOKENISED, BEFORE, AFTER]), max_size=12))
def test_nothing_is_lost(notes: list[Note]) -> None:
    found = gathered(notes)
    about = {note for note in notes if note.file}
    assert [note for note in found if not note.file] == list(dict.fromkeys(note for note in notes if not note.file))
    assert len(found) == len(set(notes)) if len(about) <= 3 else any(note.more == len(about) - 1 for note in found)


@pytest.mark.parametrize(
    "note", [BEFORE, Note("a", "b", "c", "d", 4, "e", warning=True), Caveat("size", "b", summary="c")]
)
def test_a_stored_note_is_the_same_again_and_holds_what_is_set(note: Note) -> None:
    data = msgspec.to_builtins(note)
    assert msgspec.convert(data, type(note)) == note
    assert set(data) == {
        "kind",
        "text",
        *(key for key in ("scope", "file", "more", "summary", "warning") if getattr(note, key)),
    }


def test_a_result_tells_its_notes_by_kind_and_shows_them_again() -> None:
    reference = ["a cat sat on a mat", "it is late", ""] * 4
    result = tg.compare(
        reference, {"a": ["a cat sat on a", "it is late", ""] * 4, "b": reference}, resamples=20, metrics=["bleu"]
    )
    kinds = {note["kind"] for note in result.to_dict()["notes"]}
    assert {"reference-as-system", "empty-segments", "few-units", "few-resamples"} <= kinds
    answer, warning, table = (str(result).index(text) for text in ("in BLEU", "Warning: b: its outputs", "BLEU ↑"))
    assert answer < warning < table


def test_notes_of_many_comparisons_are_said_once_without_their_figures() -> None:
    systems = {"base": [50.0] * 40} | {f"s{i}": [51.0] * (i + 1) + [50.0] * (39 - i) for i in range(4)}
    said = " ".join(str(tg.compare(None, systems, metrics=["scores"], resamples=99, test="ar")).split())
    assert "So few items differ that no exact p of randomization is below 0.05" in said
    assert "only 2 of 40" not in said
