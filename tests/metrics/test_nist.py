"""NIST against a plain twin of the formula, mteval's own figures, and nltk where nltk agrees with mteval."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.translate.nist_score import corpus_nist

import truegain as tg
from truegain.cache import Cache
from truegain.metrics.nist import NIST
from truegain.readers.memory import corpus_from_memory
from truegain.statistics import collect

Words = list[str]
Ngram = tuple[str, ...]

HYPOTHESES = [
    *("Bayern won 3:0 and the crowd was the happy crowd.", "The bank on Tuesday lowered the rate of 0.5%."),
    *("In Zürich it is 10-15 degrees.", ""),
]
FIRST = [
    *("Bayern won 3:0, and the crowd was happy.", "The bank cut its rate by 0.5% on Tuesday."),
    *("It's 10-15 degrees in Zürich today.", "Yes."),
]
SECOND = [
    *("Bayern beat them 3:0 and the crowd cheered.", "On Tuesday, the bank lowered its rate by 0.5%."),
    *("Today it is 10-15 degrees in ZÜRICH.", "Yes, indeed."),
]
REFERENCES = [FIRST, SECOND]
# What mteval-v13a's own scoring and tokenisers give for these: the corpus, then its segments, with both references; and
# the corpus with the first alone. Its options are -c (keep the case) and --international-tokenization.
MTEVAL = {
    (False, "13a"): (4.9865423228, [5.49911494, 4.88952536, 4.63123102, 0.0], 3.6585476603),
    (False, "intl"): (4.4553509732, [4.74154807, 4.77468671, 3.79415503, 0.0], 3.2771279350),
    (True, "13a"): (4.9814006366, [5.50177544, 4.30669351, 5.31988498, 0.0], 3.8181728946),
    (True, "intl"): (4.3856069227, [4.74532114, 4.20333872, 4.30464969, 0.0], 3.6157899516),
}


def score(metric: NIST, hypotheses: list[str], references: list[list[str | None]] | list[list[str]]) -> float:
    return float(metric.score(metric.statistics(hypotheses, references).sum(0)))


def grams(words: Words, n: int) -> Counter[Ngram]:
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))


def twin(hypotheses: list[Words], references: list[list[Words]], order: int = 5) -> float:
    """Doddington's formula with mteval's rules, order by order; the references of each segment are a list."""
    everything = [one for several in references for one in several]
    words = sum(map(len, everything))
    counts: Counter[Ngram] = Counter()
    for one in everything:
        for n in range(1, order + 1):
            counts += grams(one, n)

    def information(ngram: Ngram) -> float:
        alone = len(ngram) == 1 or ngram[:-1] == ("0",)  # nothing stands before, or what Perl takes for nothing
        return math.log2((words if alone else counts[ngram[:-1]]) / counts[ngram])

    total = 0.0
    for n in range(1, order + 1):
        matched, said = 0.0, 0
        for hypothesis, several in zip(hypotheses, references, strict=True):
            most: Counter[Ngram] = Counter()
            for one in several:
                most |= grams(one, n)
            common = grams(hypothesis, n) & most
            matched += sum(information(ngram) * count for ngram, count in common.items())
            said += max(len(hypothesis) - n + 1, 0)
        total += matched / said if said else 0.0
    length = sum(map(len, hypotheses))
    wanted = sum(sum(map(len, several)) / len(several) for several in references)
    if length >= wanted:
        return total
    if length == 0:
        return 0.0
    beta = math.log(0.5) / math.log(2 / 3) ** 2
    return total * math.exp(beta * math.log(length / wanted) ** 2)


line = st.lists(st.sampled_from(["a", "b", "c", "0", "1"]), max_size=9).map(" ".join)


@settings(max_examples=150)
@given(
    segments=st.lists(st.tuples(line, line, st.none() | line, st.none() | line), min_size=1, max_size=6),
    order=st.integers(1, 6),
)
def test_as_the_formula_says(segments: list[tuple[str, str, str | None, str | None]], order: int) -> None:
    hypotheses = [one[0] for one in segments]
    sides: list[list[str | None]] = [[one[r] for one in segments] for r in (1, 2, 3)]
    expected = twin(
        [one.split() for one in hypotheses],
        [[side.split() for side in one[1:] if side is not None] for one in segments],
        order,
    )
    assert score(NIST(tokenize="none", max_ngram_order=order), hypotheses, sides) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(("lowercase", "tokenize"), MTEVAL)
def test_as_mteval(lowercase: bool, tokenize: str) -> None:
    metric = NIST(lowercase=lowercase, tokenize=tokenize)
    corpus, segments, first = MTEVAL[lowercase, tokenize]
    assert score(metric, HYPOTHESES, REFERENCES) == pytest.approx(corpus, abs=1e-6)
    assert metric.score(metric.statistics(HYPOTHESES, REFERENCES)).tolist() == pytest.approx(segments, abs=1e-6)
    assert score(metric, HYPOTHESES, REFERENCES[:1]) == pytest.approx(first, abs=1e-6)


def test_two_words_by_hand() -> None:
    # Four words, a twice: a tells 1 bit, b 2 bits, and b after a 1 bit.
    found = NIST().statistics(["a b"], [["a b a c"]])
    assert found.tolist() == [[4.0, 3.0, 1.0, 0.0, 0.0, 0.0, 2.0, 1.0, 0.0, 0.0, 0.0]]
    penalty = math.exp(math.log(0.5) * (math.log(2) / math.log(1.5)) ** 2)
    assert float(NIST().score(found[0])) == pytest.approx(penalty * (3 / 2 + 1 / 1), abs=1e-12)


def test_half_the_score_at_two_thirds_of_the_length() -> None:
    metric = NIST(max_ngram_order=1)
    full, two_thirds, longer = ([30.0, 10.0 * length, length] for length in (30.0, 20.0, 40.0))
    assert metric.score(np.array([full, two_thirds, longer])).tolist() == pytest.approx([10.0, 5.0, 10.0], abs=1e-12)


def test_nothing_said_and_nothing_wanted_and_nothing_long_enough() -> None:
    assert score(NIST(), ["", ""], [["a b", "c"]]) == 0.0
    assert score(NIST(), ["a", ""], [["", ""]]) == 0.0
    assert score(NIST(), ["a", "b"], [["a", "b"]]) == 1.0  # of two words each tells one bit


@settings(max_examples=60)
@given(segments=st.lists(st.tuples(line, line), min_size=1, max_size=6))
def test_as_nltk_with_one_reference(segments: list[tuple[str, str]]) -> None:
    """nltk cannot do without n-grams of an order, so that one segment is long; and it knows what 0 is."""
    pairs = [(a.replace("0", "o"), b.replace("0", "o")) for a, b in [*segments, ("a b c d e f", "a b c e f d")]]
    expected = corpus_nist([[b.split()] for _, b in pairs], [a.split() for a, _ in pairs])
    found = score(NIST(tokenize="none"), [a for a, _ in pairs], [[b for _, b in pairs]])
    assert found == pytest.approx(expected, abs=1e-6)


def test_weights_are_of_the_whole_test_set() -> None:
    metric = NIST()
    alone = metric.statistics(["a b"], [["a b"]])[0]
    among = metric.statistics(["a b", "x"], [["a b", "a a a a a a"]])[0]
    assert alone[1] == 2.0
    assert among[1] == pytest.approx(math.log2(8 / 7) + 3, abs=1e-6)


def test_statistics_are_multiples_of_a_power_of_two() -> None:
    found = NIST().statistics(HYPOTHESES, REFERENCES)[:, 1:] * 2.0**24
    np.testing.assert_array_equal(found, np.rint(found))


def test_a_cache_knows_every_reference(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    systems = {"one": ["the cat sat", "a dog"]}
    for last in ("a dog", "the dog", "the cat"):  # the first segment is the same in all, but not its weights
        corpus = corpus_from_memory(["the cat", last + " ran"], systems)
        expected = collect(corpus, {"nist": NIST()}).values
        for _ in range(2):
            found = collect(corpus, {"nist": NIST()}, cache=cache).values
            np.testing.assert_array_equal(found, expected)
    assert cache.info().entries == 3


def test_what_is_claimed_is_conditional_on_the_weights() -> None:
    systems = {"one": HYPOTHESES, "two": HYPOTHESES[::-1]}
    for metric, times in (("nist", 1), ("bleu", 0)):
        notes = tg.compare(REFERENCES, systems, metrics=[metric, f"{metric}:lowercase=true"], resamples=9).notes
        assert sum("conditional on them" in str(note) for note in notes) == times
