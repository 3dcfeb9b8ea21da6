"""Every kernel on arguments drawn at random, compiled and plain: the same answer from what calls it."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import truegain.kernels
from truegain.inference import dependence
from truegain.kernels import edits, pairs, run, widest
from truegain.resampling import generator
from truegain.text import meteor_alignments, ngram_matches, sentence_hits, words
from truegain.text.ngram_matches import clipped_matches
from truegain.text.paraphrases import PhraseTable, word_fingerprints
from truegain.text.words import (
    CodePoints,
    Sequences,
    Vocabulary,
    characters,
    split_13a,
    split_alphanumeric,
    split_blanks,
)


@cache
def plain(name: str) -> ModuleType:
    """A kernel's source as an ordinary module, whatever is compiled."""
    path = Path(truegain.kernels.__file__).with_name(f"{name}.py")
    spec = importlib.util.spec_from_file_location(f"plain_{name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def same(caller: ModuleType, kernel: str, made: Callable[[], Sequence[Any]]) -> None:
    """What is made with the compiled kernel is made with the plain one."""
    compiled = made()
    with patch.object(caller, kernel, plain(kernel)):
        twin = made()
    assert len(compiled) == len(twin)
    for one, other in zip(compiled, twin, strict=True):
        np.testing.assert_array_equal(one, other)


# Characters of every class that tokenisers tell apart, and any other; halves of characters among them.
CHARACTERS = st.sampled_from("ab12.,-'\" \t\u3000\u00a0&<>()😀é\ud800") | st.characters()
LINES = st.lists(st.text(CHARACTERS, max_size=20), min_size=1, max_size=5)
SEEDS = st.integers(0, 2**64 - 1)


def laid_out(sequences: list[list[int]]) -> Sequences:
    offsets = np.concatenate([[0], np.cumsum([len(one) for one in sequences])]).astype(np.int64)
    return Sequences(np.array([word for one in sequences for word in one], np.int32), offsets)


@given(LINES)
def test_tokens(lines: list[str]) -> None:
    def made() -> list[Any]:
        source = CodePoints.of(lines)
        found: list[Any] = []
        for spans in (
            split_13a(source),
            split_alphanumeric(source),
            *(split_blanks(source, detach_punctuation=detach) for detach in (False, True)),
        ):
            vocabulary = Vocabulary(spans)
            known = vocabulary.look_up(split_blanks(source))
            found += [spans.starts, spans.ends, spans.offsets, vocabulary.words()]
            found += [vocabulary.sequences.symbols, vocabulary.sequences.offsets, known.symbols, known.offsets]
        for keep in (False, True):
            squeezed = characters(source, keep_blanks=keep)
            found += [squeezed.symbols, squeezed.offsets]
        return found

    same(words, "tokens", made)


@given(
    st.integers(1, 5).flatmap(
        lambda most: st.lists(
            st.tuples(
                st.lists(st.integers(-1, most + 1), max_size=15),
                st.lists(st.lists(st.integers(0, most), max_size=15), min_size=1, max_size=3),
            ),
            min_size=1,
            max_size=4,
        )
    ),
    st.integers(1, 7),
)
def test_ngrams(segments: list[tuple[list[int], list[list[int]]]], order: int) -> None:
    said = laid_out([one for one, _ in segments])
    wanted = laid_out([one for _, references in segments for one in references])
    groups = np.concatenate([[0], np.cumsum([len(references) for _, references in segments])]).astype(np.int64)
    same(ngram_matches, "ngrams", lambda: [clipped_matches(said, wanted, groups, order)])


@st.composite
def sentences(draw: st.DrawFn, texts: int) -> sentence_hits.Sentences:
    grouped = draw(
        st.lists(
            st.lists(st.lists(st.integers(0, 4), max_size=70), min_size=1, max_size=3), min_size=texts, max_size=texts
        )
    )
    groups = np.concatenate([[0], np.cumsum([len(text) for text in grouped])]).astype(np.int64)
    return sentence_hits.Sentences(laid_out([one for text in grouped for one in text]), groups)


@given(sentences(2), sentences(4))
def test_subsequences(said: sentence_hits.Sentences, wanted: sentence_hits.Sentences) -> None:
    segments = np.array([0, 0, 1, 1])
    same(sentence_hits, "subsequences", lambda: [sentence_hits.union_hits(said, wanted, segments)])


@given(st.lists(st.tuples(*[st.lists(st.integers(0, 6), max_size=25)] * 2), min_size=1, max_size=4))
def test_edits(made: list[tuple[list[int], list[int]]]) -> None:
    said, wanted = laid_out([one for one, _ in made]), laid_out([one for _, one in made])
    groups = np.arange(len(made) + 1)
    found = []
    for kernel in (edits, plain("edits")):
        counts = np.zeros(len(made), np.int64)
        run(kernel.translation_edits, said.symbols, said.offsets, wanted.symbols, wanted.offsets, groups, 7, counts)
        found.append(counts.tolist())
    assert found[0] == found[1]


@given(
    SEEDS, SEEDS, st.integers(0, 2**32 - 10), st.lists(st.integers(1, 70), min_size=1, max_size=4), st.floats(1, 1e6)
)
def test_draws(seed: int, stream: int, first: int, strata: list[int], length: float) -> None:
    def made() -> list[Any]:
        with patch.object(generator, "_fast", lambda: True):
            keys = generator.resample_keys(seed, stream, first, 4)
            return [
                keys,
                generator.bootstrap_counts(keys, strata[0]),
                generator.bootstrap_bytes(keys, strata[0]),
                generator.stratified_counts(keys, strata),
                generator.stationary_counts(keys, strata[0], length),
            ]

    same(generator, "draws", made)


@given(SEEDS, st.integers(0, 12), st.integers(1, 5), st.integers(1, 4), st.integers(0, 99))
def test_dealing(seed: int, segments: int, runs: int, width: int, drawn: int) -> None:
    values = np.random.default_rng(drawn).integers(-(2**40), 2**40, (segments, runs, width))

    def made() -> list[Any]:
        with patch.object(generator, "_fast", lambda: True):
            return [generator.deal_sums(generator.resample_keys(seed, 1, 0, 3), values)]

    same(generator, "draws", made)


@given(SEEDS, st.lists(st.integers(1, 30), min_size=1, max_size=4), st.integers(0, 99), st.sampled_from([1, 3, 9, 33]))
def test_permuted_products(seed: int, strata: list[int], drawn: int, count: int) -> None:
    """Also by numpy: the same bits."""
    edges = np.cumsum([0, *strata])
    values = np.random.default_rng(drawn).standard_normal((count, edges[-1]))
    keys = generator.resample_keys(seed, 7, 0, 3 * len(strata)).reshape(3, -1)

    def made() -> list[Any]:
        return [dependence._permuted_products(keys, values, edges)]

    (built,) = made()
    for other in (patch.object(dependence, "widest", plain), patch.object(dependence, "compiled", lambda: False)):
        with other:
            np.testing.assert_array_equal(made()[0], built)


@given(st.integers(2, 6), st.integers(1, 40), st.integers(0, 999), st.sampled_from([0.0, 0.5, 1.0, 1.1]))
@pytest.mark.parametrize("build", ["plain vectors", "widest"])
def test_pairs(build: str, systems: int, width: int, drawn: int, factor: float) -> None:
    dice = np.random.default_rng(drawn)
    scores = np.round(dice.normal(size=(systems, width)), 1)  # with ties
    firsts, seconds = (one.astype(np.int64) for one in np.triu_indices(systems, 1))
    centres, limits = np.round(dice.normal(size=(2, firsts.size)), 1)
    limits = np.abs(limits)
    found = []
    for kernel in (pairs if build == "plain vectors" else widest("pairs"), plain("pairs")):
        counts, maxima, sums = np.zeros(firsts.size, np.int64), np.zeros(firsts.size, np.int64), np.zeros(firsts.size)
        room = np.empty((systems + 1, width), np.float32), np.empty((systems + 1, 3)), np.empty(width)
        run(kernel.count_pairs, scores, firsts, seconds, centres, limits, factor, *room, counts)
        run(kernel.square_sums, scores, firsts, seconds, centres, factor, sums)
        steps = firsts, seconds, centres, limits + 0.5, np.sort(limits)
        largest = np.empty(width), np.empty(width, np.int64), np.empty(firsts.size + 1, np.int64)
        run(kernel.count_maxima, scores, *steps, *room, *largest, maxima)
        found.append((counts.tolist(), sums.tolist(), maxima.tolist()))
    assert found[0] == found[1]


PHRASES = "0.5\na b\nc\n0.4\nc\na b\n0.3\nd\ne f\n0.3\na\nf\n0.2\nb c d\na\n0.1\ne\ne e\n"


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("phrases") / "table"
    path.write_text(PHRASES, encoding="utf-8")
    return path


@settings(deadline=None)
@given(
    st.lists(st.tuples(*[st.lists(st.integers(0, 5), max_size=9)] * 2), min_size=1, max_size=3),
    st.sampled_from([1, 2, 40]),
    st.sampled_from([1, 5, 4096]),
)
def test_alignments(table: Path, texts: list[tuple[list[int], list[int]]], beam: int, room: int) -> None:
    """The same alignments, however much room there is at first."""
    said, wanted = (laid_out([pair[side] for pair in texts]) for side in range(2))
    prints = word_fingerprints(list("abcdef"))
    known = meteor_alignments.Words(
        np.arange(6, dtype=np.int32),
        np.array([0, 0, 1, 2, 3, 3], np.int32),
        np.array([1, 2, 2, 5], np.int32),
        np.array([0, 0, 2, 3, 4, 4, 4]),
        np.array([1, 0, 0, 1, 0, 0], np.uint8),
        prints,
    )
    paraphrases = PhraseTable.read(table).of(wanted, prints)
    places = paraphrases.find(said, prints), paraphrases.find(wanted, prints)

    def counts() -> list[Any]:
        pairs = np.arange(len(texts))
        return [
            meteor_alignments.aligned_counts(
                said, wanted, pairs, known, meteor_alignments.MATCHERS, paraphrases, places, beam
            )
        ]

    expected = counts()
    with patch.object(meteor_alignments, "_ROOM", room):
        same(meteor_alignments, "alignments", counts)
        np.testing.assert_array_equal(counts()[0], expected[0])
