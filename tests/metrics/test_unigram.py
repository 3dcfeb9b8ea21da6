"""Precision, recall and F of words, against their definitions."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from truegain.metrics.unigram import Unigram

words = st.lists(st.sampled_from("abcdef"), max_size=12)


def counts(hypothesis: list[str], reference: list[str]) -> list[int]:
    return [(Counter(hypothesis) & Counter(reference)).total(), len(hypothesis), len(reference)]


def f_of(matches: int, spoken: int, wanted: int, beta: float) -> float:
    if matches == 0:
        return 0.0
    precision, recall = matches / spoken, matches / wanted
    return (1 + beta**2) * precision * recall / (beta**2 * precision + recall)


# From Artem Sokolov's slides on significance testing.
REFERENCE = "Israeli officials are responsible for airport security"
SLIDES = {
    "Israeli officials responsibility of airport safety": (3 / 6, 3 / 7, 46),
    "airport security Israeli officials are responsible": (6 / 6, 6 / 7, 92),
}


@pytest.mark.parametrize("system", SLIDES)
def test_the_example_of_the_slides(system: str) -> None:
    precision, recall, f = SLIDES[system]
    for measure, share in (("precision", precision), ("recall", recall)):
        metric = Unigram(measure=measure)
        assert metric.score(metric.statistics([system], [[REFERENCE]])[0]) == pytest.approx(100 * share)
    assert int(Unigram().score(Unigram().statistics([system], [[REFERENCE]])[0])) == f


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
    for measure, value in measures.items():
        statistics = Unigram(measure=measure).statistics(
            [" ".join(hypothesis)], [[" ".join(reference)] for reference in references]
        )
        assert statistics.tolist() == [max(every, key=value)]


def test_nothing_said_or_asked_for_scores_nothing() -> None:
    for measure in ("f", "precision", "recall"):
        metric = Unigram(measure=measure)
        statistics = metric.statistics(["", "", "a"], [["", "a", ""]])
        assert metric.score(statistics.astype(np.float64)).tolist() == [0.0, 0.0, 0.0]


def test_case_and_tokenisers() -> None:
    assert Unigram().statistics(["The house."], [["the house"]])[0].tolist() == [0, 2, 2]
    assert Unigram(lowercase=True, tokenize="13a").statistics(["The house."], [["the house"]])[0].tolist() == [2, 3, 2]
