"""The news language: what it says, how it varies, and that it reads well."""

from __future__ import annotations

import re
from collections import Counter
from itertools import groupby

import numpy as np
import pytest
import sacrebleu

from benchmarks.simulation import vocabulary
from benchmarks.simulation.language import ParallelText, write_parallel_text
from benchmarks.simulation.phrases import Choice, Draws, Form, Slot, fill, inflect, parse, pluralise, render

SEGMENTS = 2000


def write(segments: int, seed: int = 1, renderings: int = 2) -> ParallelText:
    streams = [np.random.default_rng([seed, number]) for number in range(renderings + 1)]
    return write_parallel_text(segments=segments, plan=streams[0], renderers=streams[1:])


@pytest.fixture(scope="module")
def text() -> ParallelText:
    return write(SEGMENTS)


def tokens(sentence: str) -> list[str]:
    return re.findall(r"\w+(?:[-'.,]\w+)*|[^\w\s]", sentence)


def test_one_seed_gives_one_text_and_a_further_rendering_leaves_the_others_alone(text: ParallelText) -> None:
    assert write(SEGMENTS) == text
    assert write(SEGMENTS, seed=2).renderings != text.renderings
    more = write(SEGMENTS, renderings=3)
    assert (more.renderings[:2], more.documents) == (text.renderings, text.documents)


def test_sentences_are_those_of_news(text: ParallelText) -> None:
    first = text.renderings[0]
    lengths = np.array([len(tokens(sentence)) for sentence in first])
    assert 20 <= lengths.mean() <= 23
    assert lengths.std() > 7
    assert np.mean((lengths - lengths.mean()) ** 3) > 0.3 * lengths.std() ** 3
    assert len({word.lower() for sentence in first for word in tokens(sentence) if word.isalpha()}) > 1100
    assert len(set(first)) > 0.9 * SEGMENTS


def test_references_agree_as_far_as_translators_do_and_in_names_and_figures(text: ParallelText) -> None:
    first, second = (rendering[:1000] for rendering in text.renderings)
    assert 35 < sacrebleu.corpus_bleu(second, [first]).score < 55
    for pair in zip(*text.renderings, strict=True):
        figures = [Counter(re.findall(r"\d+(?:[.,]\d+)*", sentence)) for sentence in pair]
        cities = [Counter(city for city in vocabulary.CITIES if city in sentence) for sentence in pair]
        assert (figures[0], cities[0]) == (figures[1], cities[1]), pair


#: Of articles, repetition, blanks, punctuation and capitals, and the notation of the vocabulary.
FAULTS = (
    *(r"\b[Aa] [aeio]", r"\b[Aa]n [bcdfgjklmnpqrstvwxyz]", r"\b(\w+) \1\b", r"\s\s|^\s|\s$|[^\S ]", r"\s[,.?:]"),
    *(r"[,.:?]{2}", r'"[a-z]', r"^[a-z]", r"[][{}<>|()*+]", r",\"?$", r"(?:fares|prices)es"),
)


def test_sentences_read_well(text: ParallelText) -> None:
    for sentence in (sentence for rendering in text.renderings for sentence in rendering):
        assert [fault for fault in FAULTS if re.search(fault, sentence)] == [], sentence
        assert sentence.count('"') in (0, 2, 4), sentence


def test_documents_are_contiguous_and_unequal(text: ParallelText) -> None:
    sizes = [(name, len(list(segments))) for name, segments in groupby(text.documents)]
    assert len({name for name, _ in sizes}) == len(sizes)
    assert len({size for _, size in sizes}) > 10
    assert {name.split("-")[0] for name, _ in sizes} == {topic.name for topic in vocabulary.TOPICS}


@pytest.mark.parametrize("segments", [1, 3, 4, 5, 21, 22, 23, 47])
def test_any_number_of_segments_can_be_had(segments: int) -> None:
    for seed in range(5):
        small = write(segments, seed)
        assert [len(rendering) for rendering in small.renderings] == [segments, segments]
        sizes = Counter(small.documents).values()
        assert sum(sizes) == segments
        assert min(segments, 4) <= min(sizes) <= max(sizes) <= 20


def test_words_are_inflected() -> None:
    verbs: list[tuple[str, Form, str]] = [
        ("justify", "past", "justified"),
        ("delay", "past", "delayed"),
        ("throw out", "participle", "thrown out"),
        ("approve", "ing", "approving"),
        ("scrap", "past", "scrapped"),
    ]
    assert [inflect(verb, form) for verb, form, _ in verbs] == [right for *_, right in verbs]
    nouns = {"strategy": "strategies", "branch": "branches", "bonus": "bonuses", "survey": "surveys"}
    assert {noun: pluralise(noun) for noun in nouns} == nouns


def test_the_notation_is_read() -> None:
    assert parse("a [b|c [d|e]] {f}") == ("a", Choice(("b", ("c", Choice(("d", "e"))))), Slot("f"))
    with pytest.raises(ValueError, match="unbalanced"):
        parse("a] b")
    draws = Draws(np.random.default_rng(3))
    assert render(fill(parse("in {city}"), {"city": "Halden"}), draws) == "In Halden"
    with pytest.raises(ValueError, match="city"):
        render(parse("in {city}"), draws)
    counts = Counter(render(parse("one|two|three"), draws) for _ in range(3000))
    assert counts["One"] > 1500
    assert min(counts["Two"], counts["Three"]) > 500


@pytest.mark.parametrize("topic", vocabulary.TOPICS, ids=lambda topic: topic.name)
def test_the_tables_of_a_topic_fit_together(topic: vocabulary.Topic) -> None:
    actions = (*topic.decisions_for, *topic.decisions_against, *topic.comments)
    assert {key for _, keys in actions for key in keys.split()} == set(topic.things)
    assert {kind for _, kind in topic.measures} <= {"money", "count", "rate", "change"}
    for verbs, _ in actions:
        assert not re.search(r" (on|to|for|into)\b", verbs), "its passive would not read well"
