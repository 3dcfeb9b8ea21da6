"""Tokenisers against sacreBLEU's, on any text; words of letters and digits, and words numbered by their stems."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import pytest
import sentencepiece
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import _get_tokenizer

from tests.refusals import refused
from truegain.text.porter import stem
from truegain.text.stems import StemVocabulary
from truegain.text.tokenizers import split_into_words, tokenizer_signature
from truegain.text.words import CodePoints, Vocabulary, characters, split_alphanumeric, split_blanks

# Characters that the rules are about, more often than chance would bring them.
SPECIAL = (
    ".,-0123456789 \t\x0b\x1c\x85\xa0\u2028\u3000'\"()[]{}<>&;:/\\|~^_`!?@#$%*+=abcXYZé中文字“”—€½٣\U0001f600\ufeff"
)
text = st.text(st.one_of(st.sampled_from(SPECIAL), st.characters(exclude_categories=["Cs"])), max_size=60)
entities = st.lists(st.sampled_from(["&quot;", "&amp;", "&lt;", "&gt;", "&amp;lt;", "<skipped>", "a", " ", "."])).map(
    "".join
)


@pytest.mark.whole
@pytest.mark.parametrize("name", ["13a", "none", "intl", "zh", "char"])
@settings(max_examples=300)
@given(lines=st.lists(st.one_of(text, entities), min_size=1, max_size=6))
def test_as_sacrebleu(name: str, lines: list[str]) -> None:
    theirs = _get_tokenizer(name)()
    assert split_into_words(lines, name).texts() == [theirs(line.rstrip()).split() for line in lines]


def test_13a_on_newlines_inside_segments() -> None:
    lines = ["a-\nb c\nd.\n", "no-\n", "<skip-\nped> &am-\np;"]
    theirs = _get_tokenizer("13a")()
    assert split_into_words(lines, "13a").texts() == [theirs(line.rstrip()).split() for line in lines]


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("ja-mecab", ["今日はいい天気です。", "", "東京へ行きました"]),
        ("ko-mecab", ["오늘 날씨가 좋습니다.", "", "서울에 갔습니다"]),
    ],
)
def test_mecab(name: str, lines: list[str]) -> None:
    theirs = _get_tokenizer(name)()
    assert split_into_words(lines, name).texts() == [theirs(line.rstrip()).split() for line in lines]
    assert tokenizer_signature(name) == theirs.signature()


def test_sentencepiece_with_a_model_of_the_users(tmp_path: Path) -> None:
    lines = ["the committee approved the new budget", "the budget was approved", "a new committee"] * 20
    corpus = tmp_path / "corpus.txt"
    corpus.write_text("\n".join(lines))
    prefix = tmp_path / "model"
    sentencepiece.SentencePieceTrainer.train(
        input=str(corpus), model_prefix=str(prefix), vocab_size=40, minloglevel=2, hard_vocab_limit=False
    )
    model = f"{prefix}.model"
    processor = sentencepiece.SentencePieceProcessor(model_file=model)
    found = split_into_words(lines[:3], "spm", model).texts()
    assert found == [processor.EncodeAsPieces(line) for line in lines[:3]]
    assert found[0][0].startswith("▁")
    assert tokenizer_signature("spm", model).startswith("spm-")


def test_sentencepiece_needs_a_model(tmp_path: Path) -> None:
    with refused():
        split_into_words(["a"], "spm")
    with refused():
        tokenizer_signature("spm", str(tmp_path / "absent.model"))
    (tmp_path / "broken.model").write_bytes(b"no model")
    with refused():
        split_into_words(["a"], "spm", str(tmp_path / "broken.model"))


def test_unknown_tokenizer_suggests() -> None:
    with refused(naming=["intl"]):
        tokenizer_signature("intll")


@given(lines=st.lists(st.text(max_size=40), min_size=1, max_size=5))
def test_split_blanks_is_str_split(lines: list[str]) -> None:
    assert split_blanks(CodePoints.of(lines)).texts() == [line.split() for line in lines]


@given(lines=st.lists(st.text(max_size=40), min_size=1, max_size=5), keep=st.booleans())
def test_characters(lines: list[str], keep: bool) -> None:
    found = characters(CodePoints.of(lines), keep_blanks=keep)
    expected = [line if keep else "".join(line.split()) for line in lines]
    edges = found.offsets.tolist()
    assert ["".join(map(chr, found.symbols[a:b])) for a, b in itertools.pairwise(edges)] == expected


@given(known=st.lists(text, min_size=1, max_size=4), other=st.lists(text, min_size=1, max_size=4))
def test_vocabulary_numbers_equal_words_equally(known: list[str], other: list[str]) -> None:
    vocabulary = Vocabulary(split_blanks(CodePoints.of(known)))
    numbers: dict[str, int] = {}
    expected = [numbers.setdefault(word, len(numbers)) for line in known for word in line.split()]
    assert vocabulary.sequences.symbols.tolist() == expected
    assert len(vocabulary) == len(numbers)
    found = vocabulary.look_up(split_blanks(CodePoints.of(other))).symbols.tolist()
    assert found == [numbers.get(word, -1) for line in other for word in line.split()]


@given(st.lists(st.text(), max_size=4))
def test_all_but_letters_and_digits_is_between_words(texts: list[str]) -> None:
    lower = [text.lower() for text in texts]
    found = split_alphanumeric(CodePoints.of(lower)).texts()
    assert found == [re.findall("[a-z0-9]+", text) for text in lower]


def test_words_of_a_vocabulary_stand_by_their_numbers() -> None:
    vocabulary = Vocabulary(split_alphanumeric(CodePoints.of(["b a b", "", "c a"])))
    assert vocabulary.words() == ["b", "a", "c"]
    assert vocabulary.sequences.symbols.tolist() == [0, 1, 0, 2, 1]


forms = st.lists(st.sampled_from(["house", "houses", "housing", "it", "its", "was", "1990s", "news"]), max_size=8)


@given(forms, forms)
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
