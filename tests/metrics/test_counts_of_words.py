"""Precision, recall and F of words, against their definitions, the ratio of lengths, and what such ratios share."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from truegain.metrics.base import References
from truegain.metrics.length import Length
from truegain.metrics.ratios import FScore, share
from truegain.metrics.unigram import Unigram

words = st.lists(st.sampled_from("abcdef"), max_size=12)


def counts(hypothesis: list[str], reference: list[str]) -> list[int]:
    return [(Counter(hypothesis) & Counter(reference)).total(), len(hypothesis), len(reference)]


def f_of(matches: int, spoken: int, wanted: int, beta: float) -> float:
    if matches == 0:
        return 0.0
    precision, recall = matches / spoken, matches / wanted
    return (1 + beta**2) * precision * recall / (beta**2 * precision + recall)


@given(st.lists(st.tuples(words, words), max_size=5), st.sampled_from([0.5, 1.0, 2.0]))
def test_sums_over_the_corpus_are_those_of_the_definition(
    pairs: list[tuple[list[str], list[str]]], beta: float
) -> None:
    metric = Unigram(beta=beta)
    statistics = metric.statistics([" ".join(pair[0]) for pair in pairs], [[" ".join(pair[1]) for pair in pairs]])
    assert statistics.tolist() == [counts(*pair) for pair in pairs]
    matches, spoken, wanted = statistics.sum(0).tolist()
    assert metric.score(statistics.sum(0)) == pytest.approx(100 * f_of(matches, spoken, wanted, beta))


@given(words, st.lists(words, min_size=1, max_size=4))
def test_of_several_references_the_best_for_the_measure_counts(
    hypothesis: list[str], references: list[list[str]]
) -> None:
    every = [counts(hypothesis, reference) for reference in references]
    measures = {
        "f": lambda c: 2 * c[0] / max(c[1] + c[2], 1),
        "precision": lambda c: c[0] / max(c[1], 1),
        "recall": lambda c: c[0] / max(c[2], 1),
    }
    sides = [[" ".join(reference)] for reference in references]
    for measure, value in measures.items():
        found = Unigram(measure=measure).statistics([" ".join(hypothesis)], sides)
        assert found.tolist() == [max(every, key=value)]


def test_nothing_said_or_asked_for_scores_nothing() -> None:
    for measure in ("f", "precision", "recall"):
        metric = Unigram(measure=measure)
        statistics = metric.statistics(["", "", "a"], [["", "a", ""]])
        assert metric.score(statistics.astype(np.float64)).tolist() == [0.0, 0.0, 0.0]


def test_case_and_tokenisers() -> None:
    assert Unigram().statistics(["The house."], [["the house"]])[0].tolist() == [0, 2, 2]
    assert Unigram(lowercase=True, tokenize="13a").statistics(["The house."], [["the house"]])[0].tolist() == [2, 3, 2]
    assert Length(tokenize="13a").statistics(["Yes."], [["Yes"]]).tolist() == [[2, 1]]


# ---- The ratio of lengths


def test_words_of_hypothesis_and_the_closest_reference_of_two_as_close_the_shorter() -> None:
    statistics = Length().statistics(["a b c", "", "a"], [["a b", "x", ""]])
    assert statistics.tolist() == [[3, 2], [0, 1], [1, 0]]
    assert Length().score(statistics.sum(0)) == pytest.approx(400 / 3)
    references: References = [["a b c d", "a b c d", None], ["a b", "a", "a b c"]]
    assert Length().statistics(["a b c", "a b", ""], references).tolist() == [[3, 2], [2, 1], [0, 3]]
    assert Length().score(np.array([[0.0, 0.0], [2.0, 0.0], [1.0, 2.0]])).tolist() == [100.0, 200.0, 50.0]


# ---- What ratios of counts share


@dataclass(frozen=True)
class Things(FScore):
    name: ClassVar[str] = "things"


TOTALS = np.array([[3.0, 4.0, 6.0], [0.0, 4.0, 0.0], [0.0, 0.0, 2.0], [0.0, 0.0, 0.0]])


@pytest.mark.parametrize(
    ("measure", "expected"),
    [("f", [60.0, 0.0, 0.0, 100.0]), ("precision", [50.0, 100.0, 0.0, 100.0]), ("recall", [75.0, 0.0, 100.0, 100.0])],
)
def test_scores(measure: str, expected: list[float]) -> None:
    assert Things(measure=measure).score(TOTALS).tolist() == expected
    assert Things(measure=measure).score(TOTALS[None]).tolist() == [expected]
    assert Things(measure=measure).score(TOTALS[0]) == expected[0]


def test_f_knows_only_the_sum_of_wanted_and_found() -> None:
    metric = Things()
    assert metric.merged == ((0,), (1, 2))
    summed = np.stack([TOTALS[:, list(group)].sum(-1) for group in metric.merged], -1)
    assert metric.score(summed).tolist() == metric.score(TOTALS).tolist()
    assert Things(measure="recall").merged is None


def test_a_share_of_nothing() -> None:
    assert share(np.array([1.0, 0.0]), np.array([4.0, 0.0])).tolist() == [25.0, 100.0]
    assert share(np.array([1.0, 0.0]), np.array([4.0, 0.0]), of_nothing=0.0).tolist() == [25.0, 0.0]
