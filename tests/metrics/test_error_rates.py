"""WER and CER, against jiwer, and PER, against its definition."""

from __future__ import annotations

from collections import Counter
from typing import Any

import jiwer
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from truegain.metrics.cer import CER
from truegain.metrics.per import PER
from truegain.metrics.wer import WER

# Few different words, so that many alignments are as short; blanks other than spaces are words to jiwer.
lines = st.lists(st.sampled_from(["a", "b", "c", "ab", "é", "."]), max_size=40).map(" ".join)
characters = st.text("ab c\u00e9\u4e2d\U0001f600\t", max_size=60)
of_both = pytest.mark.parametrize(
    ("metric", "texts", "process", "rate"),
    [(WER(), lines, jiwer.process_words, jiwer.wer), (CER(), characters, jiwer.process_characters, jiwer.cer)],
    ids=["wer", "cer"],
)


@of_both
@settings(deadline=None, max_examples=300)
@given(data=st.data())
def test_the_counts_of_a_segment_are_jiwers(metric: Any, texts: Any, process: Any, rate: Any, data: Any) -> None:
    hypothesis, reference = data.draw(texts), data.draw(texts)
    expected = process([reference], [hypothesis])
    substitutions, deletions, insertions, units = metric.statistics([hypothesis], [[reference]])[0]
    assert (substitutions, deletions, insertions) == (expected.substitutions, expected.deletions, expected.insertions)
    assert units - substitutions - deletions == expected.hits


@of_both
@settings(deadline=None, max_examples=50)
@given(data=st.data())
def test_the_score_of_a_corpus_is_jiwers(metric: Any, texts: Any, process: Any, rate: Any, data: Any) -> None:
    pairs = data.draw(st.lists(st.tuples(texts, texts), min_size=1, max_size=15))
    hypotheses, references = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    score = metric.score(metric.statistics(hypotheses, [references]).sum(0))
    assert score == pytest.approx(100 * rate(references, hypotheses), abs=1e-10)


def test_long_segments_are_counted_as_jiwer_counts_them() -> None:
    rng = np.random.default_rng(7)
    for vocabulary in (3, 30, 3000):
        said, wanted = (" ".join(f"w{k}" for k in rng.integers(vocabulary, size=size)) for size in (700, 650))
        own = jiwer.process_words(wanted, said)
        expected = [own.substitutions, own.deletions, own.insertions]
        assert WER().statistics([said], [[wanted]])[0, :3].tolist() == expected


@pytest.mark.parametrize(
    ("metric", "outputs", "references", "expected"),
    [
        # The first reference with the lowest rate counts, not that with the fewest errors; missing ones are left out.
        (WER(), ["a b"], [["a"], ["a b c d e"]], [[0, 3, 0, 5]]),
        (WER(), ["a b"], [["a x"], ["a b x y"], ["a"]], [[1, 0, 0, 2]]),
        (WER(), ["a", "b"], [[None, "x"], ["a", None]], [[0, 0, 0, 1], [1, 0, 0, 1]]),
        (CER(), ["ab"], [["a"], ["abcde"]], [[0, 3, 0, 5]]),
        (WER(), ["The House"], [["the house"]], [[2, 0, 0, 2]]),
        (WER(lowercase=True), ["The House"], [["the house"]], [[0, 0, 0, 2]]),
        (WER(), ["Yes."], [["Yes"]], [[1, 0, 0, 1]]),
        (WER(tokenize="13a"), ["Yes."], [["Yes"]], [[0, 0, 1, 1]]),
        (CER(), [" a  b "], [["a b"]], [[0, 0, 1, 3]]),  # spaces count, but not around the line
        (CER(), ["ABc"], [["abc"]], [[2, 0, 0, 3]]),
        (CER(lowercase=True), ["ABc"], [["abc"]], [[0, 0, 0, 3]]),
        (PER(lowercase=True, tokenize="13a"), ["The house."], [["the house is red"]], [[2, 4]]),
    ],
)
def test_by_hand(metric: Any, outputs: list[str], references: Any, expected: list[list[int]]) -> None:
    assert metric.statistics(outputs, references).tolist() == expected


words = st.lists(st.sampled_from("abcdef"), max_size=12)


def errors(hypothesis: list[str], reference: list[str]) -> int:
    matches = (Counter(hypothesis) & Counter(reference)).total()
    return max(len(hypothesis), len(reference)) - matches


@given(st.lists(st.tuples(words, st.tuples(words, words, words)), max_size=5))
def test_per_has_the_errors_of_the_reference_with_the_lowest_rate(rows: list[Any]) -> None:
    sides = [[" ".join(references[k]) for _, references in rows] for k in range(3)]
    expected = []
    for hypothesis, references in rows:
        best = min(references, key=lambda one: errors(hypothesis, one) / max(len(one), 1))
        expected.append([errors(hypothesis, best), len(best)])
    assert PER().statistics([" ".join(hypothesis) for hypothesis, _ in rows], sides).tolist() == expected


def test_the_score_of_per() -> None:
    assert PER().score(np.array([2, 4])) == 50.0
