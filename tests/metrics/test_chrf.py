"""chrF and chrF++ against sacreBLEU, segment by segment."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics import CHRF as Peer

from tests.refusals import refused
from truegain.metrics.chrf import CHRF

line = st.one_of(
    st.lists(st.sampled_from(["the", "(cat)", "sat.", "...", "-", "mat!", "Ünï", "中文", "😀", "a"]), max_size=8).map(
        " ".join
    ),
    st.text(max_size=25),
)


options_of_both = st.fixed_dictionaries(
    {
        **{"lowercase": st.booleans(), "whitespace": st.booleans(), "eps_smoothing": st.booleans()},
        **{
            "beta": st.sampled_from([1, 2, 3]),
            "char_order": st.sampled_from([6, 3, 1]),
            "word_order": st.integers(0, 2),
        },
    }
)


@pytest.mark.whole
@settings(max_examples=200)
@given(st.lists(st.tuples(line, line, line), min_size=1, max_size=4), options_of_both, st.integers(1, 2))
def test_as_sacrebleu(segments: list[tuple[str, str, str]], options: dict[str, Any], references: int) -> None:
    hypotheses = [one[0] for one in segments]
    sides = [[one[1 + r] for one in segments] for r in range(references)]
    ours, peer = CHRF(**options), Peer(**options)
    expected = [list(row) for row in peer._extract_corpus_statistics(hypotheses, sides)]
    found = ours.statistics(hypotheses, sides)
    assert found.tolist() == expected
    assert ours.statistics(hypotheses, ours.prepare(sides)).tolist() == expected
    rows = np.vstack([found, found.sum(0)])
    for row, value in zip(rows.tolist(), ours.score(rows.astype(float)), strict=True):
        assert value == pytest.approx(peer._compute_score_from_stats(row).score, abs=1e-9)


def test_missing_references_as_sacrebleu() -> None:
    hypotheses = ["the cat sat", "on the mat", "a dog"]
    sides: list[list[str | None]] = [["the cat", None, "dog"], [None, "the mat", "a dig"]]
    for words in (0, 2):
        expected = [list(row) for row in Peer(word_order=words)._extract_corpus_statistics(hypotheses, sides)]
        assert CHRF(word_order=words).statistics(hypotheses, sides).tolist() == expected


def test_a_very_long_segment() -> None:
    generator = np.random.default_rng(4)
    hypothesis, reference = (" ".join(generator.choice(["aa", "ab", "ba!", "c"], 3000)) for _ in range(2))
    for words in (0, 2):
        expected = list(Peer(word_order=words)._extract_corpus_statistics([hypothesis], [[reference]])[0])
        assert CHRF(word_order=words).statistics([hypothesis], [[reference]])[0].tolist() == expected


@pytest.mark.parametrize(
    "options", [{}, {"word_order": 2}, {"lowercase": True}, {"eps_smoothing": True}, {"whitespace": True}]
)
def test_signature_and_label_as_sacrebleu(options: dict[str, int]) -> None:
    peer = Peer(**options)
    score = peer.corpus_score(["a b"], [["a b"]])
    ours = CHRF(**options)  # type: ignore[arg-type]
    assert ours.signature().rpartition("|version")[0] == str(peer.get_signature()).rpartition("|version")[0]
    assert ours.label == score.name
    assert "beta:3" in CHRF(beta=3).signature()  # where it matters


def test_no_reference() -> None:
    with refused():
        CHRF().statistics(["a"], [])


@pytest.mark.parametrize(("made", "asked"), [(0, 2), (2, 0)])
def test_references_prepared_for_other_orders_are_refused(made: int, asked: int) -> None:
    prepared = CHRF(word_order=made).prepare([["a cat sat"]])
    with pytest.raises(ValueError, match="another order of words"):
        CHRF(word_order=asked).statistics(["a cat sat"], prepared)
