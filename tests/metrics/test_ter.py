"""TER, segment by segment against sacreBLEU."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.ter import TER as SacreTER

from truegain.metrics.base import References
from truegain.metrics.ter import TER

OPTIONS = [
    dict(zip(("normalized", "no_punct", "asian_support", "case_sensitive"), chosen, strict=True))
    for chosen in itertools.product((False, True), repeat=4)
]

# Pieces that the rules of tercom's tokeniser meet, alone and next to each other.
PIECES = [
    "the", "The", "house", "İstanbul", "ΟΔΟΣ", "'s", "it's", "'", "&quot;", "&amp;", "&amp;lt;", "&lt;", "&", ";", ".",
    ",", "..", "...", "1,000", "3.14", ".5", "5-6", "-", "--", "$", "(", ")", "[", "]", "{", "~", "?", "!", ":", "\"",
    "中", "国語", "ひら", "カタ", "ー", "、", "。", "「", "．", "，", "？", "㌔", "㈱", "豈", "︰", "ㇰ",
    "\n", "\n-", "\t", "\u00a0", "\u3000", "\u2028", "é", "e\u0301", "😀",
]  # fmt: skip

pieces = st.lists(st.tuples(st.sampled_from(PIECES), st.sampled_from(["", " ", "  "])).map("".join), max_size=12)
lines = pieces.map("".join) | st.text(max_size=30)


def sacrebleus(hypotheses: Sequence[str], references: Any, **options: Any) -> list[list[float]]:
    return [list(row) for row in SacreTER(**options)._extract_corpus_statistics(hypotheses, references)]


def ours(hypotheses: Sequence[str], references: References, **options: bool) -> list[list[float]]:
    return [list(row) for row in TER(**options).statistics(hypotheses, references).tolist()]


@settings(deadline=None, max_examples=300)
@given(
    st.lists(st.tuples(lines, lines, st.none() | lines, st.none() | lines), min_size=1, max_size=5),
    st.sampled_from(OPTIONS),
)
def test_every_option_and_several_references_as_sacrebleu(
    rows: list[tuple[str, str, str | None, str | None]], options: dict[str, bool]
) -> None:
    hypotheses = [row[0] for row in rows]
    references = [[row[k] for row in rows] for k in (1, 2, 3)]
    assert ours(hypotheses, references, **options) == sacrebleus(hypotheses, references, **options)


def test_references_are_tokenised_twice() -> None:
    """What sacreBLEU does, too: the second pass resolves what the first has uncovered."""
    assert (
        ours(["<"], [["&amp;lt;"]], normalized=True) == sacrebleus(["<"], [["&amp;lt;"]], normalized=True) == [[0, 1]]
    )


def test_statistics_are_whole_with_one_reference_each_and_means_with_several() -> None:
    assert TER().statistics(["a b"], [["a b"]]).dtype == np.int64
    statistics = TER().statistics(["a b"], [["a b"], ["a b c"]])
    assert statistics.dtype == np.float64
    assert statistics.tolist() == [[0.0, 2.5]]
    # One reference each out of several files.
    references: References = [["a b", None], [None, "a b c"]]
    statistics = TER().statistics(["a b", "a"], references)
    assert statistics.tolist() == [[0, 2], [2, 3]]
    assert statistics.dtype == np.int64


def test_empty_segments_score_as_sacrebleus() -> None:
    for hypothesis, reference in itertools.product(("", "a b"), repeat=2):
        metric = TER()
        expected = SacreTER().sentence_score(hypothesis, [reference]).score
        assert metric.score(metric.statistics([hypothesis], [[reference]]).sum(0)) == expected


def test_the_score_is_of_sums_over_any_leading_axes() -> None:
    totals = np.array([[[3.0, 10.0], [0.0, 0.0]], [[2.0, 0.0], [5.0, 4.0]]])
    assert TER().score(totals).tolist() == [[30.0, 0.0], [100.0, 125.0]]


@pytest.mark.parametrize("options", OPTIONS)
def test_the_signature_has_sacrebleus_fields(options: dict[str, Any]) -> None:
    metric = SacreTER(**options)
    metric._extract_corpus_statistics(["a"], [["a"], ["b"]])
    theirs, mine = str(metric.get_signature()), TER(**options).signature(2)
    assert mine.rpartition("|")[0] == theirs.rpartition("|")[0]
    assert mine.startswith("nrefs:2|case:")
