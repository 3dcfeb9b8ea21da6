"""Spans in tags, against seqeval, whose default is conlleval."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from seqeval.metrics import f1_score, precision_score, recall_score
from seqeval.metrics.sequence_labeling import get_entities

from tests.refusals import refused
from truegain.metrics.spans import SpanF1

# In any order, so that many are not what any scheme allows.
tags = st.sampled_from([*(f"{mark}-{kind}" for mark in "BIES" for kind in ("PER", "LOC-X")), *"OBIES"])
sentences = st.lists(st.tuples(tags, tags), max_size=12)


@pytest.mark.whole
@settings(deadline=None, max_examples=500)
@given(sentences)
def test_the_counts_of_a_sentence_are_seqevals(pairs: list[tuple[str, str]]) -> None:
    gold, system = [one for one, _ in pairs], [other for _, other in pairs]
    wanted, found = set(get_entities(gold)), set(get_entities(system))
    counts = SpanF1().statistics([" ".join(system)], [[" ".join(gold)]])
    assert counts.tolist() == [[len(wanted & found), len(wanted), len(found)]]


@settings(deadline=None, max_examples=100)
@given(st.lists(sentences, min_size=1, max_size=5))
def test_the_scores_are_seqevals(corpus: list[list[tuple[str, str]]]) -> None:
    gold, system = ([[pair[side] for pair in sentence] for sentence in corpus] for side in (0, 1))
    lines = [[" ".join(sentence) for sentence in side] for side in (gold, system)]
    totals = SpanF1().statistics(lines[1], [lines[0]]).sum(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of tags that are no BIO
        for measure, peer in (("f", f1_score), ("precision", precision_score), ("recall", recall_score)):
            if totals[1] and totals[2]:  # of nothing, seqeval has 0 and a warning
                assert SpanF1(measure=measure).score(totals) == pytest.approx(100 * peer(gold, system))


SCHEMES = ["B-PER I-PER O B-LOC", "I-PER I-PER O I-LOC", "I-PER B-PER I-PER"]  # IOB2, and IOB1, where B parts two
SCHEMES += ["B-PER E-PER S-LOC O", "B-PER L-PER U-LOC O", "B-PER M-PER E-PER S-PER", "B-PER I-LOC"]


@pytest.mark.parametrize(("line", "spans"), [*((one, 2) for one in SCHEMES), ("O O", 0), ("", 0)])
def test_schemes(line: str, spans: int) -> None:
    assert SpanF1().statistics([line], [[line]]).tolist() == [[spans] * 3]


def test_a_span_must_have_the_same_ends_and_type_but_not_the_same_scheme() -> None:
    gold = "B-PER I-PER O B-LOC"
    for system, correct in (("B-PER O O B-LOC", 1), ("B-PER I-PER O B-PER", 1), ("O B-PER O O", 0)):
        assert SpanF1().statistics([system], [[gold]])[0, 0] == correct
    assert SpanF1().statistics(["B-PER E-PER S-LOC"], [["B-PER I-PER B-LOC"]]).tolist() == [[2, 2, 2]]


def test_one_type_and_nothing_wanted_and_nothing_found() -> None:
    assert SpanF1(type="LOC").statistics(["B-PER B-LOC"], [["B-LOC B-LOC"]]).tolist() == [[1, 2, 1]]
    assert SpanF1().score(np.zeros(3)) == 100.0


@pytest.mark.parametrize("tag", ["X-PER", "B_PER", "per", "O-PER", "0"])
def test_what_is_no_tag(tag: str) -> None:
    with refused(naming=[tag, "2"]):
        SpanF1().statistics(["O", tag], [["O", "O"]])
    with refused(naming=[tag, "1"]):
        SpanF1().prepare([[tag]])


def test_other_numbers_of_tags_and_types_that_the_reference_does_not_have_are_refused() -> None:
    with refused(naming=["2", "1"]):
        SpanF1().statistics(["O O", "O"], [["O O", "O O"]])
    with refused(naming=["XXX"]):
        SpanF1(type="XXX").statistics(["B-XXX O"], [["B-PER B-LOC"]])
    with refused(naming=["PER"]):
        SpanF1(type="PER").statistics(["B-PER O"], [["O O"]])
