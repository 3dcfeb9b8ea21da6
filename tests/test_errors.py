"""What users see when something is wrong."""

from __future__ import annotations

import pytest

from truegain.errors import InputError, TruegainError, one_of


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (InputError("it is odd"), "it is odd"),
        (InputError("it is odd", path="a.txt"), "a.txt: it is odd"),
        (InputError("it is odd", path="a.txt", line=3), "a.txt:3: it is odd"),
        (InputError("it is odd", hint="mend it"), "it is odd\n  mend it"),
        (InputError("it is odd", path="a.txt", line=3, hint="mend it"), "a.txt:3: it is odd\n  mend it"),
    ],
)
def test_where_what_and_the_way_out(error: InputError, text: str) -> None:
    assert str(error) == text
    assert error.message == "it is odd"
    assert isinstance(error, TruegainError)


def test_one_of_names_the_choices_and_the_nearest_if_it_is_near() -> None:
    error = one_of("a metric", "blue", ["bleu", "chrf", "scores"])
    assert str(error) == "a metric must be one of bleu, chrf, scores; got 'blue'\n  did you mean 'bleu'?"
    assert one_of("a metric", "perplexity", ["bleu", "chrf"]).hint is None
    assert "got 7" in str(one_of("it", 7, ["a", "b"]))


@pytest.mark.parametrize(
    ("given", "meant"), [("BLEU", "bleu"), ("ChrF", "chrf"), ("13A", "13a"), ("Word_Order", "word_order")]
)
def test_one_of_sees_through_capitals(given: str, meant: str) -> None:
    assert one_of("it", given, ["bleu", "chrf", "13a", "word_order"]).hint == f"did you mean {meant!r}?"
