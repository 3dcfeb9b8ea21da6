"""Words of two tokenisations of one text, against the official script of the CoNLL shared tasks."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from udtools.udeval import evaluate, load_conllu

from truegain.metrics.dependency import LAS, UAS
from truegain.readers.same_words import align_words
from truegain.readers.treebank import on_gold_words, parse_conllu

RELATIONS = ["nsubj", "nmod", "nmod:poss", "root"]


@dataclass
class Words:
    starts: list[int]
    ends: list[int]
    multiword: list[bool]
    forms: list[str]


def tokenised(*tokens: str) -> Words:
    """Tokens; one with a colon is a multiword token and its words: ``du:de le``."""
    words = Words([], [], [], [])
    place = 0
    for token in tokens:
        surface, _, inside = token.partition(":")
        for form in inside.split() or [surface]:
            words.starts.append(place)
            words.ends.append(place + len(surface))
            words.multiword.append(bool(inside))
            words.forms.append(form)
        place += len(surface)
    return words


@pytest.mark.parametrize(
    ("gold", "system", "expected"),
    [
        (["can", "not", "go"], ["can", "not", "go"], [0, 1, 2]),
        (["cannot", "go"], ["can", "not", "go"], [-1, -1, 1]),
        (["can", "not", "go"], ["cannot", "go"], [-1, 2]),
        (["abc", "d"], ["ab", "cd"], [-1, -1]),
        (["du:de le", "pain"], ["du:de le", "pain"], [0, 1, 2]),
        (["du:de le", "pain"], ["du:De LE", "pain"], [0, 1, 2]),
        (["du:de le", "pain"], ["du:à le", "pain"], [-1, 1, 2]),
        (["du:de le", "pain"], ["d", "u", "pain"], [-1, -1, 2]),
        (["vamonos:vamos nos"], ["vamo", "nos"], [-1, 1]),
        # The multiword tokens overlap: the stretch goes on to where both end.
        (["ab:a x", "cd:c d", "e"], ["a", "bc:b c", "d", "e"], [0, -1, 2, 3, 4]),
        # A word that ends inside the other side's multiword token has no counterpart.
        (["abc", "d"], ["a", "bc:b c", "d"], [-1, -1, -1, 1]),
    ],
)
def test_by_hand(gold: list[str], system: list[str], expected: list[int]) -> None:
    assert align_words(tokenised(*gold), tokenised(*system)) == expected


@st.composite
def treebanks(draw: st.DrawFn, text: str) -> str:
    """The text with any tokens, multiword tokens, sentences and trees."""
    forms = st.sampled_from(["a", "b", "ab", "A", "Ba"])
    tokens: list[tuple[str, list[str]]] = []
    while text:
        length = draw(st.integers(1, min(4, len(text))))
        inside = draw(st.lists(forms, min_size=2, max_size=3)) if draw(st.booleans()) else []
        tokens.append((text[:length], inside))
        text = text[length:]
    written = []
    while tokens:
        count = draw(st.integers(1, len(tokens)))
        written.append(draw(sentences(tokens[:count])))
        tokens = tokens[count:]
    return "\n".join(written)


@st.composite
def sentences(draw: st.DrawFn, tokens: list[tuple[str, list[str]]]) -> str:
    number = sum(len(inside) or 1 for _, inside in tokens)
    order = draw(st.permutations(range(1, number + 1)))
    heads = {order[0]: 0}
    for place, word in enumerate(order[1:], 1):
        heads[word] = order[draw(st.integers(0, place - 1))]
    rows = []
    word = 0
    for surface, inside in tokens:
        if inside:
            rows.append(f"{word + 1}-{word + len(inside)}\t{surface}" + "\t_" * 8)
        for form in inside or [surface]:
            word += 1
            relation = draw(st.sampled_from(RELATIONS))
            rows.append(f"{word}\t{form}\t_\tX\t_\t_\t{heads[word]}\t{relation}\t_\t_")
    return "".join(f"{row}\n" for row in rows)


@st.composite
def pairs(draw: st.DrawFn) -> tuple[str, str]:
    text = draw(st.text("abAB", min_size=1, max_size=24))
    return draw(treebanks(text)) + "\n", draw(treebanks(text)) + "\n"


@pytest.mark.whole
@settings(deadline=None, max_examples=300)
@given(pairs())
def test_the_counts_are_those_of_the_official_script(pair: tuple[str, str]) -> None:
    gold, system = (parse_conllu(one.split("\n"), name) for one, name in zip(pair, ("gold", "system"), strict=True))
    official: Any = evaluate(*(load_conllu(io.StringIO(one), "", {}) for one in pair))
    wanted, given = on_gold_words(gold, gold), on_gold_words(gold, system)
    for metric, name in ((UAS(), "UAS"), (LAS(), "LAS")):
        score = official[name]
        counts = [score.correct, score.gold_total, score.system_total]
        assert metric.statistics(given, [wanted]).sum(0).tolist() == counts
    aligned = sum(one >= 0 for one in align_words(gold, system))
    assert aligned == official["Words"].correct
