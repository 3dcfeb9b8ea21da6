"""CER, against jiwer."""

from __future__ import annotations

import jiwer
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from truegain.metrics.cer import CER

lines = st.text("ab c\u00e9\u4e2d\U0001f600\t", max_size=60)


@settings(deadline=None, max_examples=300)
@given(lines, lines)
def test_the_counts_of_a_segment_are_jiwers(hypothesis: str, reference: str) -> None:
    expected = jiwer.process_characters([reference], [hypothesis])
    substitutions, deletions, insertions, characters = CER().statistics([hypothesis], [[reference]])[0]
    assert (substitutions, deletions, insertions) == (expected.substitutions, expected.deletions, expected.insertions)
    assert characters - substitutions - deletions == expected.hits


@settings(deadline=None, max_examples=50)
@given(st.lists(st.tuples(lines, lines), min_size=1, max_size=10))
def test_the_score_of_a_corpus_is_jiwers(pairs: list[tuple[str, str]]) -> None:
    hypotheses, references = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    score = CER().score(CER().statistics(hypotheses, [references]).sum(0))
    assert score == pytest.approx(100 * jiwer.cer(references, hypotheses), abs=1e-10)


def test_of_several_references_the_lowest_rate_counts() -> None:
    assert CER().statistics(["ab"], [["a"], ["abcde"]]).tolist() == [[0, 3, 0, 5]]


def test_spaces_count_but_not_around_the_line_and_case_does() -> None:
    assert CER().statistics([" a  b "], [["a b"]]).tolist() == [[0, 0, 1, 3]]
    assert CER().statistics(["ABc"], [["abc"]])[0, 0] == 2
    assert CER(lowercase=True).statistics(["ABc"], [["abc"]])[0, 0] == 0
