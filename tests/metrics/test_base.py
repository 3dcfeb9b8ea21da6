"""What all metrics share: the references of a segment, their number and choice, signatures and labels."""

from __future__ import annotations

import itertools
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from truegain.metrics.base import gain, reference_count, segment_references, signature
from truegain.metrics.lookup import distinct_labels, make_metrics
from truegain.metrics.pairs import first_least, take
from truegain.text.words import Sequences
from truegain.version import __version__

ROWS = st.lists(st.tuples(*[st.none() | st.text("ab", max_size=3)] * 3), max_size=6)


@given(rows=ROWS, count=st.integers(1, 3))
def test_every_segment_has_its_references_in_their_order(rows: list[tuple[str | None, ...]], count: int) -> None:
    references = [[row[i] for row in rows] for i in range(count)]
    lines, groups = segment_references(references)
    assert groups.dtype == np.int64
    assert groups.tolist()[0] == 0
    assert len(groups) == len(rows) + 1
    found = [lines[a:b] for a, b in itertools.pairwise(groups)]
    assert found == [[line for line in row[:count] if line is not None] for row in rows]


def test_references_of_different_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="shorter"):
        segment_references([["a", "b"], ["c"]])
    with pytest.raises(ValueError, match="shorter"):
        reference_count([["a", None], ["c"]])


@pytest.mark.parametrize(
    ("references", "count"),
    [
        ([["a", "b"]], 1),
        ([["a", "b"], ["c", "d"], ["e", "f"]], 3),
        ([["a", None], [None, "d"]], 1),
        ([["a", "b"], [None, "d"]], "var"),
        ([["a", "b"], ["c", "d"], [None, None]], 2),
        ([], 0),
    ],
)
def test_the_number_of_references(references: list[list[str | None]], count: int | str) -> None:
    assert reference_count(references) == count


def test_a_signature_has_its_fields_in_order_and_the_version_last() -> None:
    found = signature(nrefs=1, case=True, effective=False, tok="13a", smooth=0)
    assert found == f"nrefs:1|case:yes|effective:no|tok:13a|smooth:0|version:{__version__}"
    assert signature() == f"version:{__version__}"


@pytest.mark.parametrize(("better", "sign"), [(True, 1.0), (False, -1.0), (None, 1.0)])
def test_a_gain_is_positive_where_the_new_is_better(better: bool | None, sign: float) -> None:
    metric: Any = SimpleNamespace(higher_is_better=better)
    assert gain(metric, np.array([3.0, 5.0]), np.array([4.0, 2.0])).tolist() == [sign, -3.0 * sign]


# ---- The choice among references


@given(st.lists(st.lists(st.integers(0, 4), min_size=1, max_size=4), max_size=6))
def test_the_first_least_value_of_each_group(groups: list[list[int]]) -> None:
    edges = np.cumsum([0, *map(len, groups)])
    values = np.array([value for group in groups for value in group], np.int64)
    expected = [int(edge) + group.index(min(group)) for edge, group in zip(edges[:-1], groups, strict=True)]
    assert first_least(values, edges).tolist() == expected


@given(st.lists(st.lists(st.integers(0, 9), max_size=4), min_size=1, max_size=5), st.data())
def test_sequences_are_taken_as_often_as_named(lists: list[list[int]], data: st.DataObject) -> None:
    rows = data.draw(st.lists(st.integers(0, len(lists) - 1), max_size=8))
    flat = np.array([symbol for one in lists for symbol in one], np.int32)
    taken = take(Sequences(flat, np.cumsum([0, *map(len, lists)])), np.array(rows, np.int64))
    parts = np.split(taken.symbols, taken.offsets[1:-1]) if rows else []
    assert [part.tolist() for part in parts] == [lists[row] for row in rows]


# ---- No two metrics of a study have one label


@pytest.mark.parametrize(
    ("asked", "labels"),
    [
        (["bleu", "chrf"], ["BLEU", "chrF2"]),
        (["rouge1", "rouge1:stem=true"], ["ROUGE-1 (stem=no)", "ROUGE-1 (stem=yes)"]),
        (["las", "las:measure=recall", "uas:measure=precision"], ["LAS", "LAS recall", "UAS precision"]),
        (["las", "las:subtypes=true"], ["LAS", "LAS with subtypes"]),
        (["parseval", "parseval:labelled=false"], ["PARSEVAL F1", "Unlabelled PARSEVAL F1"]),
        (["parseval:errors=zero", "parseval:errors=skip"], ["PARSEVAL F1 (errors=zero)", "PARSEVAL F1 (errors=skip)"]),
        (["aer", "aer:system_base=1", "bleu"], ["AER (system_base=default)", "AER (system_base=1)", "BLEU"]),
        (["bleu", "bleu:tokenize=intl"], ["BLEU (tokenize=default)", "BLEU (tokenize=intl)"]),
        (["wer", "wer:lowercase=false"], ["WER (wer)", "WER (wer:lowercase=false)"]),
        (
            ["ter", "ter:asian_support=false", "ter:asian_support=true"],
            ["TER (ter)", "TER (ter:asian_support=false)", "TER (ter:asian_support=true)"],
        ),
    ],
)
def test_labels_tell_metrics_apart(asked: list[str], labels: list[str]) -> None:
    assert list(distinct_labels(make_metrics(asked)).values()) == labels


@pytest.mark.parametrize(("name", "label"), [("rougeL", "ROUGE-L"), ("ROUGELsum", "ROUGE-Lsum")])
def test_rouge_goes_by_any_case(name: str, label: str) -> None:
    (metric,) = make_metrics([name]).values()
    assert metric.label == label
