"""BLEU against sacreBLEU, segment by segment."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU as Peer

from truegain.metrics.bleu import BLEU

WORDS = [
    *("the", "cat", "sat", "on", "mat", ".", ",", "3.5", "U.S.", "(x)", "10-20", "&quot;", "don't", "The"),
    *("中文", "😀"),
]
words = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)
line = st.one_of(words, st.text(max_size=30))
SMOOTHINGS = [("none", None), ("floor", None), ("floor", 0.01), ("add-k", None), ("add-k", 2.5), ("exp", None)]


def peer_statistics(peer: Peer, hypotheses: list[str], references: list[list[str]]) -> list[list[int]]:
    return [list(row) for row in peer._extract_corpus_statistics(hypotheses, references)]


@settings(max_examples=150)
@given(
    segments=st.lists(st.tuples(line, line, line), min_size=1, max_size=5),
    tokenize=st.sampled_from(["13a", "none", "intl", "zh", "char"]),
    lowercase=st.booleans(),
    order=st.sampled_from([1, 2, 4, 6]),
    references=st.integers(1, 2),
)
def test_statistics_as_sacrebleu(
    segments: list[tuple[str, str, str]], tokenize: str, lowercase: bool, order: int, references: int
) -> None:
    hypotheses = [one[0] for one in segments]
    sides = [[one[1 + r] for one in segments] for r in range(references)]
    ours = BLEU(tokenize=tokenize, lowercase=lowercase, max_ngram_order=order)
    peer = Peer(tokenize=tokenize, lowercase=lowercase, max_ngram_order=order, force=True)
    assert ours.statistics(hypotheses, sides).tolist() == peer_statistics(peer, hypotheses, sides)
    assert ours.statistics(hypotheses, ours.prepare(sides)).tolist() == peer_statistics(peer, hypotheses, sides)


@pytest.mark.parametrize(("method", "value"), SMOOTHINGS)
@pytest.mark.parametrize("effective", [False, True])
@given(data=st.data())
def test_score_as_sacrebleu(method: str, value: float | None, effective: bool, data: st.DataObject) -> None:
    order = data.draw(st.sampled_from([1, 2, 4, 5]))
    length = data.draw(st.integers(0, 12))
    counts = [max(0, length - n) for n in range(order)]
    correct = [data.draw(st.integers(0, count)) for count in counts]
    reference = data.draw(st.integers(0, 15))
    row = [length, reference, *correct, *counts]
    ours = BLEU(smooth_method=method, smooth_value=value, effective_order=effective, max_ngram_order=order)
    peer = Peer(smooth_method=method, smooth_value=value, effective_order=effective, max_ngram_order=order)
    expected = peer._compute_score_from_stats(list(row)).score
    alone = ours.score(np.array(row, float))
    assert float(alone) == pytest.approx(expected, abs=1e-9)
    regular = [40, 41, *(30 - 3 * n for n in range(order)), *(40 - n for n in range(order))]
    stacked = ours.score(np.array([[regular, row], [row, regular]], float))
    assert stacked.shape == (2, 2)
    assert stacked[0, 1] == stacked[1, 0] == alone, "a score depends on its neighbours"


def test_missing_references_as_sacrebleu() -> None:
    hypotheses = ["the cat sat", "on the mat", "a dog"]
    sides: list[list[str | None]] = [["the cat", "on a mat", "dog"], [None, "the mat", None]]
    expected = [list(row) for row in Peer(force=True)._extract_corpus_statistics(hypotheses, sides)]
    assert BLEU().statistics(hypotheses, sides).tolist() == expected


def test_five_thousand_tokens() -> None:
    generator = np.random.default_rng(2)
    hypothesis, reference = (" ".join(generator.choice(WORDS, 5000)) for _ in range(2))
    expected = peer_statistics(Peer(force=True), [hypothesis], [[reference]])
    assert BLEU().statistics([hypothesis], [[reference]]).tolist() == expected


@pytest.mark.parametrize(
    "settings_",
    [
        *({}, {"lowercase": True}, {"tokenize": "intl"}, {"effective_order": True}, {"trg_lang": "zh"}),
        *({"smooth_method": "floor"}, {"smooth_method": "add-k", "smooth_value": 0.5}),
    ],
)
def test_signature_has_sacrebleus_fields(settings_: dict[str, object]) -> None:
    peer = Peer(**settings_)
    peer.corpus_score(["a b"], [["a b"], ["a c"]])
    theirs = str(peer.get_signature()).rpartition("|version")[0]
    assert BLEU(**settings_).signature(2).rpartition("|version")[0] == theirs  # type: ignore[arg-type]
    # The order is in it where it matters.
    assert "order:2" in BLEU(max_ngram_order=2).signature()
    assert "order" not in BLEU().signature()


def test_single_segments_use_the_effective_order() -> None:
    assert BLEU().for_segments == BLEU(effective_order=True)


def test_advice_on_tokenised_text() -> None:
    tokenised = ["the cat sat ."] * 100
    assert "tokenize" in str(BLEU().advice(tokenised, "new.txt")[0])
    assert BLEU().advice(tokenised[:99], "new.txt") == []
    assert BLEU(tokenize="none").advice(tokenised, "new.txt") == []
