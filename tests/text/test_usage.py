"""How often n-grams are used and matched, against a naive count."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import only_with_all
from truegain.text.tokenizers import TOKENIZERS, split_into_words
from truegain.text.usage import SideBySide

Ngrams = Counter[tuple[str, ...]]


def ngrams(words: list[str], order: int) -> Ngrams:
    return Counter(tuple(words[i : i + order]) for i in range(len(words) - order + 1))


def naive(
    references: list[list[str | None]], outputs: list[list[str]], tokenize: str, order: int
) -> dict[tuple[str, ...], tuple[int, ...]]:
    """For every n-gram: wanted, then produced and matched of each output."""
    wanted: Ngrams = Counter()
    produced: list[Ngrams] = [Counter() for _ in outputs]
    matched: list[Ngrams] = [Counter() for _ in outputs]
    for i in range(len(outputs[0])):
        most: Ngrams = Counter()
        for side in references:
            line = side[i]
            if line is not None:
                most |= ngrams(split_into_words([line], tokenize).texts()[0], order)
        wanted += most
        for number, output in enumerate(outputs):
            own = ngrams(split_into_words([output[i]], tokenize).texts()[0], order)
            produced[number] += own
            matched[number] += own & most
    kinds = {*wanted, *(kind for one in produced for kind in one)}
    return {kind: (wanted[kind], *(one[kind] for one in produced), *(one[kind] for one in matched)) for kind in kinds}


def found(
    references: list[list[str | None]], outputs: list[list[str]], tokenize: str, most: int
) -> list[dict[tuple[str, ...], tuple[int, ...]]]:
    texts = SideBySide(references, outputs, tokenize)
    told = []
    for usage in texts.usages(most):
        rows = zip(
            usage.places.tolist(),
            usage.wanted.tolist(),
            usage.produced.T.tolist(),
            usage.matched.T.tolist(),
            strict=True,
        )
        told.append({texts.ngram(place, usage.order): (w, *p, *m) for place, w, p, m in rows})
    return told


words = st.lists(st.sampled_from(["a", "b", "the", "cat,", "é", "漢字", "\u200d", "x\u2028y"]), max_size=8).map(
    " ".join
)


@given(
    st.integers(1, 5).flatmap(
        lambda n: st.tuples(
            st.lists(st.lists(st.none() | words, min_size=n, max_size=n), min_size=1, max_size=3),
            st.lists(st.lists(words, min_size=n, max_size=n), min_size=2, max_size=2),
        )
    ),
    st.sampled_from(["13a", "none"]),
)
def test_as_counted_by_hand(sides: tuple[list[list[str | None]], list[list[str]]], tokenize: str) -> None:
    references, outputs = sides
    told = found(references, outputs, tokenize, 4)
    for order in range(1, 5):
        assert told[order - 1] == naive(references, outputs, tokenize, order)


#: Their dictionaries are large, and only make test-all installs them.
WITH_DICTIONARY = ("ja-mecab", "ko-mecab")


@pytest.mark.parametrize(
    "tokenize", [*sorted({*TOKENIZERS} - {"spm", *WITH_DICTIONARY}), *only_with_all(*WITH_DICTIONARY)]
)
def test_every_tokenizer(tokenize: str) -> None:
    references: list[list[str | None]] = [["the cat sat", "猫が座った"]]
    outputs = [["the cat sits", "猫が立った"], ["a cat sat", "猫座った"]]
    assert found(references, outputs, tokenize, 2)[1] == naive(references, outputs, tokenize, 2)


def test_nothing_at_all() -> None:
    texts = SideBySide([["", ""]], [["", ""], ["", ""]], "13a")
    assert [usage.wanted.size for usage in texts.usages(4)] == [0, 0, 0, 0]
    assert texts.reference_lengths.tolist() == [0.0, 0.0]


def test_reference_lengths_are_means_over_the_references_there_are() -> None:
    texts = SideBySide([["a b c", "a"], ["a b", None]], [["a", "b"], ["c", "d"]], "none")
    assert texts.reference_lengths.tolist() == [2.5, 1.0]


def test_frequencies_in_another_text() -> None:
    texts = SideBySide([["the cat sat."]], [["the dog."], ["a cat"]], "13a")
    words = next(iter(texts.usages(1)))
    counts = texts.frequencies([["The the the", "cat cats cat."], ["the end."]])[texts.word_numbers(words)]
    by_word = {texts.ngram(place, 1)[0]: count for place, count in zip(words.places.tolist(), counts, strict=True)}
    assert by_word == {"the": 3, "cat": 2, "sat": 0, ".": 2, "dog": 0, "a": 0}


def test_a_word_as_a_string() -> None:
    spans = split_into_words(["naïve 🙂 漢字", "x\ud800y"], "none")
    assert [spans.word(i) for i in range(4)] == ["naïve", "🙂", "漢字", "x\ud800y"]
