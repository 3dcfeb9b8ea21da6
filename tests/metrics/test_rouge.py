"""ROUGE, against rouge-score."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer

from tests.refusals import refused
from truegain.metrics.rouge import Rouge1, Rouge2, RougeL, RougeLsum, RougeN

MEASURES = ("precision", "recall", "f")


METRICS: dict[str, Any] = {"rouge1": Rouge1, "rouge2": Rouge2, "rouge3": partial(RougeN, n=3)}
METRICS |= {"rougeL": RougeL, "rougeLsum": RougeLsum}
every_metric = pytest.mark.parametrize("kind", METRICS)

# Few different words, so that many subsequences are as long, and forms of one word.
words = st.sampled_from(["a", "b", "House", "houses", "its", "it's", "ran-running", "É", "2,5", "…", "İt"])
any_characters = st.text(max_size=30).map(lambda text: text.replace("\t", " "))
texts = st.lists(st.lists(words, max_size=12).map(" ".join), max_size=4).map("\n".join) | any_characters


def expected(kind: str, hypothesis: str, references: list[str], stem: bool) -> list[float]:
    return list(RougeScorer([kind], use_stemmer=stem).score_multi(references, hypothesis)[kind])


def found(kind: str, hypothesis: str, references: list[str], **settings_: Any) -> list[float]:
    metrics = [METRICS[kind](measure=measure, **settings_) for measure in MEASURES]
    return [float(metric.statistics([hypothesis], [[one] for one in references])[0, 0]) for metric in metrics]


@pytest.mark.whole
@every_metric
@settings(deadline=None, max_examples=150)
@given(texts, st.lists(texts, min_size=1, max_size=3), st.booleans())
@example("a b", ["a b c d", "b c"], False)
@example("", ["", "a"], False)
def test_a_segment_as_rouge_score(kind: str, hypothesis: str, references: list[str], stem: bool) -> None:
    assert found(kind, hypothesis, references, stem=stem) == expected(kind, hypothesis, references, stem)


def test_the_first_reference_with_the_best_f_counts_whatever_the_measure() -> None:
    # F is 1/2 against both: precision is 1/3 against the first, and 2/3 against the second.
    references = ["a", "a b x x x"]
    assert found("rouge1", "a b c", references) == expected("rouge1", "a b c", references, False)
    assert found("rouge1", "a b c", references) == [1 / 3, 1.0, 0.5]
    assert found("rouge1", "a b c", references[::-1]) == [2 / 3, 0.4, 0.5]


@every_metric
def test_the_score_is_the_mean_over_segments_in_percent(kind: str) -> None:
    metric = METRICS[kind]()
    hypotheses, references = ["a b c d", "x", "a b"], ["a b c e", "y", "a b"]
    statistics = metric.statistics(hypotheses, [references])
    peer = [expected(kind, *pair, False)[2] for pair in zip(hypotheses, [[one] for one in references], strict=True)]
    assert metric.score(statistics.sum(0)) == pytest.approx(100 * np.mean(peer), abs=1e-12)
    assert metric.score(statistics).tolist() == (100 * np.array(peer)).tolist()
    assert metric.score(np.zeros((4, 2))).tolist() == [0.0] * 4


@pytest.mark.parametrize(
    ("separator", "between"),
    [(None, "\n"), (None, "\t"), ("newline", "\n"), ("tab", "\t"), ("<q>", "<q>"), ("\\n", r"\n")],
)
def test_what_stands_between_sentences(separator: str | None, between: str) -> None:
    said, wanted = ["a b c", "d e a"], ["d e f", "c a b", "b d"]
    peer = expected("rougeLsum", "\n".join(said), ["\n".join(wanted)], False)
    assert peer != expected("rougeLsum", " ".join(said), [" ".join(wanted)], False)
    assert found("rougeLsum", between.join(said), [between.join(wanted)], separator=separator) == peer
    for kind in ("rouge1", "rouge2", "rougeL"):  # a separator of letters is no word
        peer = expected(kind, "\n".join(said), ["\n".join(wanted)], False)
        assert found(kind, between.join(said), [between.join(wanted)], separator=separator) == peer


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("length", [63, 64, 65, 130, 200])
def test_sentences_of_more_than_64_words(length: int, count: int) -> None:
    generator = np.random.default_rng(length)
    for kinds in (2, 8, 60):
        drawn = generator.integers(0, kinds, (2, count, length))
        said, wanted = ("\n".join(" ".join(f"w{word}" for word in line) for line in text) for text in drawn)
        assert found("rougeLsum", said, [wanted]) == expected("rougeLsum", said, [wanted], False)


def test_too_long_a_sentence_is_refused() -> None:
    for outputs, references in ((["a", "a " * 50_001], ["a", "a"]), (["a", "a"], ["a", "a " * 50_001])):
        with refused(naming=["2", "50,001", "50,000"]):
            RougeLsum().statistics(outputs, [references])


def test_sentences_end_only_where_it_is_said() -> None:
    assert found("rougeLsum", "b\ta", ["a\tb"], separator="tab")[2] == 1.0
    assert found("rougeLsum", "b\ta", ["a\tb"], separator="newline")[2] == 0.5


def test_advice_where_every_text_is_one_sentence() -> None:
    assert RougeLsum().advice(["a b.", "c"], "new.txt")
    assert RougeLsum().advice(["a", "b\tc"], "new.txt") == []
    assert RougeLsum(separator="<q>").advice(["a", "b\tc"], "new.txt")


def test_stems_of_short_words_are_left_alone_and_missing_references_left_out() -> None:
    assert found("rouge1", "gas", ["ga"], stem=True)[2] == 0.0
    assert found("rouge1", "runs", ["running"], stem=True)[2] == 1.0
    assert Rouge1().statistics(["a", "b"], [[None, "x"], ["a", None]]).tolist() == [[1.0, 1.0], [0.0, 1.0]]
