"""PER: errors of bags of words."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from truegain.metrics.per import PER
from truegain.metrics.wer import WER

words = st.lists(st.sampled_from("abcdef"), max_size=12)


def errors(hypothesis: list[str], reference: list[str]) -> int:
    matches = (Counter(hypothesis) & Counter(reference)).total()
    return max(len(hypothesis), len(reference)) - matches


@given(st.lists(st.tuples(words, words), max_size=5))
def test_errors_are_those_of_the_definition(pairs: list[tuple[list[str], list[str]]]) -> None:
    statistics = PER().statistics([" ".join(pair[0]) for pair in pairs], [[" ".join(pair[1]) for pair in pairs]])
    assert statistics.tolist() == [[errors(*pair), len(pair[1])] for pair in pairs]


@given(words, st.lists(words, min_size=1, max_size=4))
def test_of_several_references_the_lowest_rate_counts(hypothesis: list[str], references: list[list[str]]) -> None:
    statistics = PER().statistics([" ".join(hypothesis)], [[" ".join(reference)] for reference in references])
    best = min(references, key=lambda reference: errors(hypothesis, reference) / max(len(reference), 1))
    assert statistics.tolist() == [[errors(hypothesis, best), len(best)]]


@given(words, words)
def test_order_is_left_aside_so_no_more_errors_than_in_order(hypothesis: list[str], reference: list[str]) -> None:
    said, wanted = [" ".join(hypothesis)], [[" ".join(reference)]]
    in_order = WER().statistics(said, wanted)[0, :3].sum()
    assert PER().statistics(said, wanted)[0, 0] <= in_order
    assert PER().statistics([" ".join(sorted(hypothesis))], wanted).tolist() == PER().statistics(said, wanted).tolist()


def test_score() -> None:
    metric = PER(lowercase=True, tokenize="13a")
    assert metric.score(metric.statistics(["The house."], [["the house is red"]])[0]) == 50.0
