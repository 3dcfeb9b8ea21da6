"""F of the words of answers, against SQuAD's definition."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from truegain.metrics.squad_f1 import SquadF1
from truegain.text.answers import plain_answer

answers = st.lists(st.sampled_from(["the", "cat", "Cat.", "mat", "a", "2"]), max_size=6).map(" ".join)


def f1(given_: str, wanted: str) -> float:
    """As version 2.0 of the evaluation has it."""
    said, asked = plain_answer(given_).split(), plain_answer(wanted).split()
    if not said or not asked:
        return float(said == asked)
    same = (Counter(said) & Counter(asked)).total()
    if same == 0:
        return 0.0
    precision, recall = same / len(said), same / len(asked)
    return 2 * precision * recall / (precision + recall)


@given(st.lists(st.tuples(answers, answers, answers), min_size=1, max_size=5))
def test_the_best_reference_counts_and_the_score_is_the_mean(rows: list[tuple[str, str, str]]) -> None:
    metric = SquadF1()
    statistics = metric.statistics([row[0] for row in rows], [[row[1] for row in rows], [row[2] for row in rows]])
    expected = [max(f1(a, b), f1(a, c)) for a, b, c in rows]
    assert statistics[:, 0].tolist() == pytest.approx(expected)
    assert metric.score(statistics.sum(0)) == pytest.approx(100 * sum(expected) / len(expected))


def test_no_answer_and_missing_references() -> None:
    assert SquadF1().statistics(["", "the", "cat", ""], [["", "", "", "cat"]])[:, 0].tolist() == [1.0, 1.0, 0.0, 0.0]
    found = SquadF1().statistics(["a cat", "b"], [[None, "b c"], ["the cat", None]])
    assert found[:, 0].tolist() == [1.0, 2 / 3]
