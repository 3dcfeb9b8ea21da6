"""Unions of longest common subsequences, against the table and the way back through it."""

from __future__ import annotations

from collections import Counter
from itertools import chain

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.refusals import refused
from truegain.text.sentence_hits import Sentences, union_hits
from truegain.text.words import Sequences

Text = list[list[int]]


def sentences(texts: list[Text]) -> Sentences:
    words = list(chain.from_iterable(texts))
    offsets = np.cumsum([0, *map(len, words)])
    symbols = np.array(list(chain.from_iterable(words)), np.int32)
    return Sentences(Sequences(symbols, offsets), np.cumsum([0, *map(len, texts)]))


def common(wanted: list[int], said: list[int]) -> set[int]:
    """The places of one longest common subsequence: words of the reference are left out rather than the others."""
    table = np.zeros((len(wanted) + 1, len(said) + 1), int)
    for i, one in enumerate(wanted):
        for j, other in enumerate(said):
            table[i + 1, j + 1] = table[i, j] + 1 if one == other else max(table[i, j + 1], table[i + 1, j])
    places = set()
    i, j = len(wanted), len(said)
    while i and j:
        if wanted[i - 1] == said[j - 1]:
            i, j = i - 1, j - 1
            places.add(i)
        elif table[i, j - 1] > table[i - 1, j]:
            j -= 1
        else:
            i -= 1
    assert len(places) == table[-1, -1]
    return places


def definition(said: Text, wanted: Text) -> int:
    left = Counter(chain.from_iterable(said))
    hits: Counter[int] = Counter()
    for sentence in wanted:
        hits.update(sentence[i] for i in set().union(*(common(sentence, one) for one in said)))
    return (hits & left).total()


def text(most: int, symbols: int) -> st.SearchStrategy[Text]:
    return st.lists(st.lists(st.integers(0, symbols), max_size=most), min_size=1, max_size=3)


@settings(deadline=None, max_examples=300)
@given(st.lists(st.tuples(text(9, 4), st.lists(text(9, 3), max_size=2)), max_size=3))
def test_every_reference_as_defined(pairs: list[tuple[Text, list[Text]]]) -> None:
    # 4 is said and never asked for: it has no number in the vocabulary of the references.
    said = [[[-1 if word == 4 else word for word in sentence] for sentence in pair[0]] for pair in pairs]
    wanted = [reference for _, references in pairs for reference in references]
    segments = np.repeat(np.arange(len(pairs)), [len(references) for _, references in pairs])
    found = union_hits(sentences(said), sentences(wanted), segments)
    assert found.tolist() == [definition(said[segment], one) for segment, one in zip(segments, wanted, strict=True)]


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("length", [63, 64, 65, 130, 200])
def test_sentences_of_more_than_64_words(length: int, count: int) -> None:
    generator = np.random.default_rng(length)
    for symbols in (2, 8, 60):
        said, wanted = ([generator.integers(0, symbols, length).tolist() for _ in range(count)] for _ in range(2))
        found = union_hits(sentences([said]), sentences([wanted]), np.array([0]))
        assert found.tolist() == [definition(said, wanted)]


def test_too_long_a_sentence_is_refused() -> None:
    long, short = [[[0]], [[0] * 50_001]], [[[0]], [[0]]]
    for said, wanted in ((long, short), (short, long)):
        with refused(naming=["2", "50,001", "50,000"]):
            union_hits(sentences(said), sentences(wanted), np.array([0, 1]))
