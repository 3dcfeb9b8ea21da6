"""The edits of TER, against sacreBLEU's own search."""

from __future__ import annotations

import importlib.util
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from sacrebleu.metrics.lib_ter import translation_edit_rate

from truegain.kernels import edits, run

Words = list[int]
Pair = tuple[Words, Words]

# The edits that sacreBLEU 2.6.0 finds for each of the stress pairs, which takes it minutes.
STRESS_EDITS = Path(__file__).with_name("ter_stress_edits.txt")


def laid_out(sequences: Sequence[Words]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    offsets = np.zeros(len(sequences) + 1, np.int64)
    np.cumsum([len(one) for one in sequences], out=offsets[1:])
    return np.array([word for one in sequences for word in one], np.int32), offsets


def count(pairs: Sequence[Pair], kernel: ModuleType = edits) -> list[int]:
    hypotheses, references = laid_out([pair[0] for pair in pairs]), laid_out([pair[1] for pair in pairs])
    result = np.zeros(len(pairs), np.int64)
    groups = np.arange(len(pairs) + 1)
    symbols = int(references[0].max(initial=-1)) + 1
    run(kernel.translation_edits, *hypotheses, *references, groups, symbols, result)
    return [int(edits) for edits in result]


def count_by_sacrebleu(pairs: Sequence[Pair]) -> list[int]:
    return [
        translation_edit_rate([str(word) for word in hypothesis], [str(word) for word in reference])[0]
        for hypothesis, reference in pairs
    ]


class Dice:
    """Draws that are the same under every version of Python."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed).random

    def between(self, low: int, high: int) -> int:
        return low + int(self._random() * (high - low + 1))

    def words(self, length: int, vocabulary: int) -> Words:
        return [self.between(0, vocabulary - 1) for _ in range(length)]

    def disturbed(self, words: Words, changes: int, vocabulary: int) -> Words:
        words = list(words)
        for _ in range(changes):
            place, kind = self.between(0, len(words)), self.between(0, 3)
            if kind == 0:
                del words[place : place + 1]
            elif kind == 1:
                words.insert(place, self.between(0, vocabulary + 2))
            elif kind == 2:
                words[place : place + 1] = [self.between(0, vocabulary + 2)]
            else:
                size = self.between(1, 12)
                block = words[place : place + size]
                del words[place : place + size]
                place = self.between(0, len(words))
                words[place:place] = block
        return words


def stress_pairs() -> Iterator[Pair]:
    """A thousand pairs that are hard in one way or another."""
    dice = Dice(20060808)
    for _ in range(300):  # unrelated, of few different words
        vocabulary = dice.between(1, 6)
        yield dice.words(dice.between(0, 30), vocabulary), dice.words(dice.between(0, 30), vocabulary)
    for _ in range(250):  # many changes and shifts
        vocabulary = dice.between(5, 60)
        words = dice.words(dice.between(10, 50), vocabulary)
        yield dice.disturbed(words, dice.between(1, 20), vocabulary), words
    for _ in range(150):  # long, of many different words
        words = dice.words(dice.between(60, 200), 400)
        yield dice.disturbed(words, dice.between(1, 50), 400), words
    for _ in range(50):  # long, of few different words
        vocabulary = dice.between(2, 10)
        words = dice.words(dice.between(60, 120), vocabulary)
        yield dice.disturbed(words, dice.between(1, 20), vocabulary), words
    for _ in range(100):  # one side much longer than the other
        few, many = dice.words(dice.between(0, 5), 8), dice.words(dice.between(30, 260), 40)
        yield (few, many) if dice.between(0, 1) else (many, few)
    for _ in range(100):  # the beam drifts: lengths differ by some twenty words
        words = dice.words(dice.between(60, 120), 300)
        cut, size = dice.between(0, len(words)), dice.between(10, 40)
        shorter = dice.disturbed(words[:cut] + words[cut + size :], dice.between(1, 10), 300)
        yield (shorter, words) if dice.between(0, 1) else (words, shorter)
    for _ in range(50):  # turned round: everything matches, far from where it stands
        words = dice.words(dice.between(5, 110), 1000)
        turn = dice.between(0, len(words))
        yield words[turn:] + words[:turn], words


@pytest.fixture(scope="module")
def plain_form() -> ModuleType:
    """The kernel's source, run as plain Python."""
    source = Path(edits.__file__).with_name("edits.py")
    specification = importlib.util.spec_from_file_location("plain_edits", source)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    assert module.__file__ == str(source)
    return module


def test_a_thousand_hard_pairs_have_the_edits_that_sacrebleu_found() -> None:
    expected = [int(line) for line in STRESS_EDITS.read_text().split()]
    assert len(expected) == 1000
    assert count(list(stress_pairs())) == expected


@pytest.mark.slow
def test_the_edits_on_file_are_sacrebleus() -> None:
    assert count_by_sacrebleu(list(stress_pairs())) == [int(line) for line in STRESS_EDITS.read_text().split()]


@pytest.mark.whole
@settings(deadline=None, max_examples=300)
@given(st.integers(1, 8).flatmap(lambda most: st.tuples(*[st.lists(st.integers(0, most), max_size=14)] * 2)))
def test_small_pairs_have_sacrebleus_edits(pair: Pair) -> None:
    assert count([pair]) == count_by_sacrebleu([pair])


@pytest.mark.whole
@settings(deadline=None, max_examples=25)
@given(st.lists(st.integers(0, 50), min_size=20, max_size=45, unique=True), st.data())
def test_shuffled_pairs_have_sacrebleus_edits(words: Words, data: st.DataObject) -> None:
    shuffled = data.draw(st.permutations(words))
    kept = data.draw(st.integers(0, len(words)))
    pair = words[:kept] + [word for word in shuffled if word in words[kept:]], words
    assert count([pair]) == count_by_sacrebleu([pair])


@pytest.mark.whole
def test_the_plain_form_counts_as_the_compiled_one(plain_form: ModuleType) -> None:
    pairs = [pair for pair in stress_pairs() if len(pair[0]) + len(pair[1]) <= 160][::12]
    pairs += [pair for pair in stress_pairs() if len(pair[0]) + len(pair[1]) > 160][::40]
    assert len(pairs) > 60
    assert count(pairs, plain_form) == count(pairs)


def test_pairs_do_not_influence_each_other() -> None:
    pairs = list(stress_pairs())[::7]
    assert [count([pair])[0] for pair in pairs] == count(pairs)


def test_each_reference_of_a_segment_is_counted() -> None:
    hypothesis, references = [1, 2, 3, 4], [[1, 2, 3, 4], [3, 4, 1, 2], [], [1, 2, 5]]
    result = np.zeros(4, np.int64)
    run(
        edits.translation_edits,
        *laid_out([[7], hypothesis, []]),
        *laid_out(references),
        np.array([0, 0, 3, 4]),
        6,
        result,
    )
    assert result.tolist() == [0, 1, 4, 3]


def test_words_that_no_reference_has_match_nothing() -> None:
    assert count([([-1, -1, 99], [0, 1, 2])]) == [3]
    assert count([([-1, 0, 1], [0, 1, 2])]) == [2]
    assert count([([5], [])]) == [1]
    assert count([]) == []


def test_a_shift_counts_once_whatever_its_length() -> None:
    words = list(range(30))
    assert count([(words[10:20] + words[:10] + words[20:], words)]) == [1]


def test_a_shift_of_eleven_words_takes_two() -> None:
    words = list(range(60))
    assert count([(words[11:40] + words[:11] + words[40:], words)]) == [2]


def test_no_shift_reaches_further_than_fifty_words() -> None:
    words = list(range(60))
    near, far = [*words[1:51], 0, *words[51:]], [*words[1:52], 0, *words[52:]]
    assert count([(near, words), (far, words)]) == count_by_sacrebleu([(near, words), (far, words)]) == [1, 2]


@pytest.mark.whole
def test_the_beam_cuts_off_paths_as_in_sacrebleu() -> None:
    """Forty words stand thirty places off: deleting and inserting thirty is cheaper than replacing all, but too far."""
    words = list(range(70))
    pair = list(range(100, 130)) + words[:40], words
    assert count([pair]) == count_by_sacrebleu([pair])
