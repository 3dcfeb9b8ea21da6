"""Claims: words, and what several have in common."""

from __future__ import annotations

import re

import msgspec
import pytest

from truegain.inference.claims import Claim, narrowest


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        (Claim("this output of each", "segment"), "this output of each on new segments"),
        (Claim("new runs", "segment", alike=True), r"new runs on new segments\W+if runs of both vary alike"),
        (Claim("this run of each", "document"), "this run of each on new documents"),
        (Claim("new runs"), "new runs on this test set"),
        (Claim("new runs", test_sets=True), "new runs on these test sets"),
        (Claim("these runs", "segment", test_sets=True), "these runs on new segments of these test sets"),
        (Claim("these runs", "test set", test_sets=True), "these runs on new test sets"),
        (Claim("this run", "segment", about="mean score"), r"this run on new segments\W+by the mean score of segments"),
        (Claim("new runs", training_data=True), "new training data of this size and new runs on this test set"),
        (Claim("this run", "segment", raters=True), "this run on new segments with new raters"),
    ],
)
def test_words(claim: Claim, text: str) -> None:
    assert re.fullmatch(text, str(claim))


def test_a_claim_stands_in_json_with_its_words() -> None:
    claim = Claim("new runs", "document", test_sets=True, about="mean score")
    data = msgspec.to_builtins(claim)
    assert data["text"] == str(claim)
    assert msgspec.convert(data, Claim) == claim


def test_of_several_the_narrowest() -> None:
    new, these, this = Claim("new runs", "segment"), Claim("these runs", "segment"), Claim("this run", "segment")
    assert narrowest([new, new]) == new
    assert narrowest([this]) == this
    assert narrowest([new, this]) == narrowest([this, these]) == these
    assert narrowest([these, Claim("new runs")]) == Claim("these runs")


def test_what_is_about_new_runs() -> None:
    assert Claim("new runs").new_runs is True
    assert Claim("these runs").new_runs is False


def test_in_fewer_words_only_training_data_are_worded_otherwise() -> None:
    assert Claim("new runs", "document", training_data=True).brief == "new training data and runs on new documents"
    assert Claim("this run", "document").brief == "this run on new documents"


def test_of_several_only_what_all_extend_to() -> None:
    widest = Claim("new runs", "segment", test_sets=True, about="mean score", training_data=True, raters=True)
    same_score = narrowest([widest, Claim("new runs", "document", about="mean score", training_data=True)])
    assert same_score == Claim("new runs", None, test_sets=True, about="mean score", training_data=True)
    with_raters = narrowest([widest, Claim("new runs", "segment", raters=True)])
    assert with_raters == Claim("new runs", "segment", test_sets=True, raters=True)
    three = narrowest([widest, Claim("new runs", about="median score"), Claim("new runs", "segment")])
    assert three == Claim("new runs", test_sets=True)
