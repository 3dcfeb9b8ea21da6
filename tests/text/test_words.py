"""Words of letters and digits, and words numbered by their stems."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from truegain.text.codepoints import CodePoints
from truegain.text.porter import stem
from truegain.text.stems import StemVocabulary
from truegain.text.words import Vocabulary, split_alphanumeric

lines = st.lists(st.text(), max_size=4)


@given(lines)
def test_all_but_letters_and_digits_is_between_words(texts: list[str]) -> None:
    lower = [text.lower() for text in texts]
    found = split_alphanumeric(CodePoints.of(lower)).texts()
    assert found == [re.findall("[a-z0-9]+", text) for text in lower]


def test_words_of_a_vocabulary_stand_by_their_numbers() -> None:
    vocabulary = Vocabulary(split_alphanumeric(CodePoints.of(["b a b", "", "c a"])))
    assert vocabulary.words() == ["b", "a", "c"]
    assert vocabulary.sequences.symbols.tolist() == [0, 1, 0, 2, 1]


texts = st.lists(st.sampled_from(["house", "houses", "housing", "it", "its", "was", "1990s", "news"]), max_size=8)


@given(texts, texts)
def test_equal_stems_have_equal_numbers(known: list[str], other: list[str]) -> None:
    def stemmed(word: str) -> str:
        return stem(word) if len(word) > 3 else word

    vocabulary = StemVocabulary(split_alphanumeric(CodePoints.of([" ".join(known)])))
    stems = list(dict.fromkeys(map(stemmed, known)))
    assert len(vocabulary) == len(stems)
    assert vocabulary.sequences.symbols.tolist() == [stems.index(stemmed(word)) for word in known]
    found = vocabulary.look_up(split_alphanumeric(CodePoints.of([" ".join(other)])))
    expected = [stems.index(stemmed(word)) if stemmed(word) in stems else -1 for word in other]
    assert found.symbols.tolist() == expected
    assert found.offsets.tolist() == [0, len(other)]
