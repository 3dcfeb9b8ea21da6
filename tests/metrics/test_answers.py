"""Labels, tags and answers that are right, by their definitions and as SQuAD compares them."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.refusals import refused
from truegain.metrics.accuracy import Accuracy
from truegain.metrics.exact import ExactMatch
from truegain.metrics.squad_f1 import SquadF1
from truegain.metrics.tag_accuracy import TagAccuracy
from truegain.text.answers import plain_answer

# ---- Accuracy


def test_a_label_is_the_line_without_white_space_around_it() -> None:
    metric = Accuracy()
    statistics = metric.statistics(["pos", " neg\t", "Neu", "a b"], [["pos", "neg", "neu", "a  b"]])
    assert statistics.tolist() == [[1, 1], [1, 1], [0, 1], [0, 1]]
    assert metric.score(statistics.sum(0)) == 50.0
    assert metric.statistics(["x", "y"], [["x", "a"], ["b", None]]).tolist() == [[1, 1], [0, 1]]  # any reference


def _advice(outputs: list[str], references: list[str]) -> str:
    notes = Accuracy().advice_beside(outputs, [references], "b.txt")
    assert all(note.warning for note in notes)
    return " ".join(map(str, notes))


def test_labels_that_no_reference_has_are_told() -> None:
    assert all(told in _advice(["A", "b"] * 10, ["a", "B"] * 10) for told in ("'A', 'b'", "'B', 'a'"))
    found = _advice(["spam", "Spam", "ham", "eggs"] * 10, ["spam", "ham"] * 20)
    assert all(told in found for told in ("'Spam'", "10", "'spam'"))
    assert all(told in _advice(["0", "1.0"] * 10, ["0", "1"] * 10) for told in ("'1.0'", "10"))


def test_honest_labels_are_not() -> None:
    """Labels that only differ, labels in two cases in the reference, and answers in words."""
    assert not _advice(["ham", "eggs"] * 10, ["spam", "ham"] * 10)
    assert not _advice(["a", "A"] * 10, ["A", "a"] * 10)
    assert not _advice([f"Town {i}" for i in range(20)], [f"town {i}" for i in range(20)])


# ---- Tags


def test_right_tags_over_all() -> None:
    metric = TagAccuracy()
    statistics = metric.statistics(["DT NN", "", "VB NN NN"], [["DT NN", "", "VB VB NN"]])
    assert statistics.tolist() == [[2, 2], [0, 0], [2, 3]]
    assert metric.score(statistics.sum(0)) == pytest.approx(80.0)
    assert metric.score(np.zeros((2, 2))).tolist() == [100.0, 100.0]
    with refused(naming=["1", "3", "2"]):
        metric.statistics(["A B C"], [["A B"]])


# ---- Exact match

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


# ---- F of the words of answers

words_of_answers = st.lists(st.sampled_from(["the", "cat", "Cat.", "mat", "a", "2"]), max_size=6).map(" ".join)


def f1(given_: str, wanted: str) -> float:
    """As version 2.0 of SQuAD's evaluation has it."""
    said, asked = plain_answer(given_).split(), plain_answer(wanted).split()
    if not said or not asked:
        return float(said == asked)
    same = (Counter(said) & Counter(asked)).total()
    if same == 0:
        return 0.0
    precision, recall = same / len(said), same / len(asked)
    return 2 * precision * recall / (precision + recall)


@given(st.lists(st.tuples(words_of_answers, words_of_answers, words_of_answers), min_size=1, max_size=5))
def test_the_best_reference_counts_and_the_score_is_the_mean(rows: list[tuple[str, str, str]]) -> None:
    metric = SquadF1()
    hypotheses, *references = ([row[i] for row in rows] for i in range(3))
    statistics = metric.statistics(hypotheses, references)
    expected = [max(f1(a, b), f1(a, c)) for a, b, c in rows]
    assert statistics[:, 0].tolist() == pytest.approx(expected)
    assert metric.score(statistics.sum(0)) == pytest.approx(100 * sum(expected) / len(expected))


def test_no_answer_and_missing_references() -> None:
    assert SquadF1().statistics(["", "the", "cat", ""], [["", "", "", "cat"]])[:, 0].tolist() == [1.0, 1.0, 0.0, 0.0]
    assert SquadF1().statistics(["a cat", "b"], [[None, "b c"], ["the cat", None]])[:, 0].tolist() == [1.0, 2 / 3]
