"""WER, against jiwer."""

from __future__ import annotations

import jiwer
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from truegain.metrics.wer import WER

# Few different words, so that many alignments are as short; blanks other than spaces are words to jiwer.
lines = st.lists(st.sampled_from(["a", "b", "c", "ab", "é", "."]), max_size=40).map(" ".join)


@settings(deadline=None, max_examples=300)
@given(lines, lines)
def test_the_counts_of_a_segment_are_jiwers(hypothesis: str, reference: str) -> None:
    expected = jiwer.process_words([reference], [hypothesis])
    substitutions, deletions, insertions, words = WER().statistics([hypothesis], [[reference]])[0]
    assert (substitutions, deletions, insertions) == (expected.substitutions, expected.deletions, expected.insertions)
    assert words - substitutions - deletions == expected.hits


@settings(deadline=None, max_examples=50)
@given(st.lists(st.tuples(lines, lines), min_size=1, max_size=20))
def test_the_score_of_a_corpus_is_jiwers(pairs: list[tuple[str, str]]) -> None:
    hypotheses, references = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    score = WER().score(WER().statistics(hypotheses, [references]).sum(0))
    assert score == pytest.approx(100 * jiwer.wer(references, hypotheses), abs=1e-10)


def test_long_segments_are_counted_as_jiwer_counts_them() -> None:
    rng = np.random.default_rng(7)
    for vocabulary in (3, 30, 3000):
        said, wanted = (" ".join(f"w{k}" for k in rng.integers(vocabulary, size=size)) for size in (700, 650))
        expected = jiwer.process_words(wanted, said)
        assert WER().statistics([said], [[wanted]])[0, :3].tolist() == [
            expected.substitutions,
            expected.deletions,
            expected.insertions,
        ]


def test_of_several_references_the_first_with_the_lowest_rate_counts_not_the_fewest_errors() -> None:
    assert WER().statistics(["a b"], [["a"], ["a b c d e"]]).tolist() == [[0, 3, 0, 5]]
    assert WER().statistics(["a b"], [["a x"], ["a b x y"], ["a"]]).tolist() == [[1, 0, 0, 2]]
    # Those that are missing are left out.
    assert WER().statistics(["a", "b"], [[None, "x"], ["a", None]]).tolist() == [[0, 0, 0, 1], [1, 0, 0, 1]]


def test_case_and_tokenisers() -> None:
    assert WER().statistics(["The House"], [["the house"]])[0, 0] == 2
    assert WER(lowercase=True).statistics(["The House"], [["the house"]])[0, 0] == 0
    assert WER().statistics(["Yes."], [["Yes"]]).tolist() == [[1, 0, 0, 1]]
    assert WER(tokenize="13a").statistics(["Yes."], [["Yes"]]).tolist() == [[0, 0, 1, 1]]
