"""Exact match, to the letter and as SQuAD compares answers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import truegain as tg
from truegain.metrics.exact import ExactMatch
from truegain.text.answers import plain_answer

answers = st.text("aT.'é \t", max_size=4)


@given(st.lists(st.tuples(answers, answers, answers), max_size=6))
def test_a_segment_is_right_if_it_equals_any_reference(rows: list[tuple[str, str, str]]) -> None:
    hypotheses, *references = ([row[i] for row in rows] for i in range(3))
    assert ExactMatch().statistics(hypotheses, references).tolist() == [[a in (b, c), 1] for a, b, c in rows]
    squad = ExactMatch(normalize="squad").statistics(hypotheses, references)
    plain = [[plain_answer(one) for one in row] for row in rows]
    assert squad.tolist() == [[a in (b, c), 1] for a, b, c in plain]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The  Eiffel Tower.", "eiffel tower"),
        ("an apple, a pear", "apple pear"),
        ("another theory", "another theory"),  # articles are whole words
        ("U.S.A.", "usa"),
        ("“the end”", "“ end”"),  # only ASCII punctuation is removed, and a quotation mark ends a word
        ("A", ""),
    ],
)
def test_answers_as_squad_compares_them(text: str, expected: str) -> None:
    assert plain_answer(text) == expected


def test_missing_references_and_the_score() -> None:
    metric = ExactMatch()
    statistics = metric.statistics(["a", "b", "c"], [["a", None, "x"], [None, "b", "y"]])
    assert metric.score(statistics.sum(0)) == pytest.approx(200 / 3)
    assert metric.score(statistics.astype(np.float64)).tolist() == [100.0, 100.0, 0.0]


@pytest.mark.parametrize("metric", ["exact", "accuracy"])
def test_tests_of_rights_and_wrongs_agree(metric: str) -> None:
    """12 segments only the new system has right, 3 only the old one: all these tests are the binomial test here."""
    reference = ["yes"] * 30
    old = ["no"] * 12 + ["yes"] * 18
    new = ["yes"] * 12 + ["no"] * 3 + ["yes"] * 15
    result = tg.compare(
        reference, {"old": old, "new": new}, metrics=[metric], test=["mcnemar", "exact", "sign"], resamples=100
    )
    assert [one.test for one in result.comparisons] == ["mcnemar", "exact", "sign"]
    for found in result.comparisons:
        assert found.delta == pytest.approx(30.0)
        assert found.p_value.p == pytest.approx(0.03515625, rel=1e-9)
