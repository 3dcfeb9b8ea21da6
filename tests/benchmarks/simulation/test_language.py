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


def test_one_seed_gives_one_text(text: ParallelText) -> None:
    assert write(SEGMENTS) == text
    assert write(SEGMENTS, seed=2).renderings != text.renderings


def test_a_further_rendering_leaves_the_others_alone(text: ParallelText) -> None:
    more = write(SEGMENTS, renderings=3)
    assert more.renderings[:2] == text.renderings
    assert more.documents == text.documents


def test_lengths_vary_and_lean_to_the_right(text: ParallelText) -> None:
    lengths = np.array([len(tokens(sentence)) for sentence in text.renderings[0]])
    words = [len(sentence.split()) for sentence in text.renderings[0]]
    assert 20 <= lengths.mean() <= 23
    assert lengths.std() > 7
    assert np.mean((lengths - lengths.mean()) ** 3) > 0.3 * lengths.std() ** 3
    assert min(words) == 3
    assert 45 <= max(words) <= 65


def test_the_vocabulary_is_large(text: ParallelText) -> None:
    types = {word.lower() for sentence in text.renderings[0] for word in tokens(sentence) if word.isalpha()}
    assert len(types) > 1100
    assert len(set(text.renderings[0])) > 0.9 * SEGMENTS


def test_sentences_show_the_marks_of_news(text: ParallelText) -> None:
    joined = "\n".join(text.renderings[0])
    for pattern in ('"', "%", "percent", "€", r"\d,\d{3}", r"\bon \d+ \w+ber\b", r"\w-\w", "although", r"\?$", "who "):
        assert re.search(pattern, joined, re.MULTILINE), pattern


def test_references_agree_as_far_as_translators_do(text: ParallelText) -> None:
    first, second = (rendering[:1000] for rendering in text.renderings)
    assert 35 < sacrebleu.corpus_bleu(second, [first]).score < 55


def test_references_agree_in_names_and_figures(text: ParallelText) -> None:
    for first, second in zip(*text.renderings, strict=True):
        figures = [Counter(re.findall(r"\d+(?:[.,]\d+)*", sentence)) for sentence in (first, second)]
        assert figures[0] == figures[1], (first, second)
        cities = [Counter(city for city in vocabulary.CITIES if city in sentence) for sentence in (first, second)]
        assert cities[0] == cities[1], (first, second)


@pytest.mark.parametrize(
    "fault",
    [
        r"\b[Aa] [aeio]",
        r"\b[Aa]n [bcdfgjklmnpqrstvwxyz]",
        r"\b(\w+) \1\b",  # the same word twice
        r"\s\s|^\s|\s$|[^\S ]",
        r"\s[,.?:]",
        r"[,.:?]{2}",
        r'"[a-z]',
        r"^[a-z]",
        r"[][{}<>|()*+]",  # the notation of the vocabulary
        r",\"?$",
        r"(?:fares|prices)es",  # plural of a plural
    ],
)
def test_sentences_read_well(text: ParallelText, fault: str) -> None:
    for sentence in (sentence for rendering in text.renderings for sentence in rendering):
        assert not re.search(fault, sentence), sentence


def test_quotation_marks_come_in_pairs(text: ParallelText) -> None:
    counts = Counter(sentence.count('"') for rendering in text.renderings for sentence in rendering)
    assert set(counts) == {0, 2, 4}


def test_documents_are_contiguous_and_unequal(text: ParallelText) -> None:
    sizes = [(name, len(list(segments))) for name, segments in groupby(text.documents)]
    assert len({name for name, _ in sizes}) == len(sizes)
    assert all(4 <= size <= 20 for _, size in sizes)
    assert len({size for _, size in sizes}) > 10
    assert {name.split("-")[0] for name, _ in sizes} == {topic.name for topic in vocabulary.TOPICS}


@pytest.mark.parametrize("segments", [1, 3, 4, 5, 21, 22, 23, 47])
@pytest.mark.parametrize("seed", range(5))
def test_any_number_of_segments_can_be_had(segments: int, seed: int) -> None:
    small = write(segments, seed)
    assert [len(rendering) for rendering in small.renderings] == [segments, segments]
    sizes = Counter(small.documents).values()
    assert sum(sizes) == segments
    assert min(sizes) >= min(segments, 4)
    assert max(sizes) <= 20


@pytest.mark.parametrize(
    ("verb", "form", "expected"),
    [
        ("approve", "past", "approved"),
        ("approve", "ing", "approving"),
        ("justify", "past", "justified"),
        ("delay", "past", "delayed"),
        ("throw out", "participle", "thrown out"),
        ("throw out", "past", "threw out"),
        ("call off", "ing", "calling off"),
        ("scrap", "past", "scrapped"),
        ("reject", "base", "reject"),
    ],
)
def test_verbs_are_inflected(verb: str, form: Form, expected: str) -> None:
    assert inflect(verb, form) == expected


@pytest.mark.parametrize(
    ("noun", "expected"),
    [
        ("plan", "plans"),
        ("strategy", "strategies"),
        ("branch", "branches"),
        ("bonus", "bonuses"),
        ("survey", "surveys"),
    ],
)
def test_nouns_are_made_plural(noun: str, expected: str) -> None:
    assert pluralise(noun) == expected


def test_the_notation_is_read() -> None:
    assert parse("plan") == "plan"
    assert parse("plan|scheme") == Choice(("plan", "scheme"))
    assert parse("a [b|c [d|e]] {f}") == ("a", Choice(("b", ("c", Choice(("d", "e"))))), Slot("f"))
    with pytest.raises(ValueError, match="unbalanced"):
        parse("a] b")


def test_renderings_prefer_the_first_wording_and_use_the_others() -> None:
    draws = Draws(np.random.default_rng(3))
    counts = Counter(render(parse("one|two|three"), draws) for _ in range(3000))
    assert counts["One"] > 1500
    assert min(counts["Two"], counts["Three"]) > 500


def test_an_open_slot_is_not_rendered() -> None:
    draws = Draws(np.random.default_rng(3))
    assert render(fill(parse("in {city}"), {"city": "Halden"}), draws) == "In Halden"
    with pytest.raises(ValueError, match="city"):
        render(parse("in {city}"), draws)


@pytest.mark.parametrize("topic", vocabulary.TOPICS, ids=lambda topic: topic.name)
def test_the_tables_of_a_topic_fit_together(topic: vocabulary.Topic) -> None:
    actions = (*topic.decisions_for, *topic.decisions_against, *topic.comments)
    used = {key for _, keys in actions for key in keys.split()}
    assert used == set(topic.things)
    assert {kind for _, kind in topic.measures} <= {"money", "count", "rate", "change"}
    for verbs, _ in actions:
        assert not re.search(r" (on|to|for|into)\b", verbs), "its passive would not read well"
