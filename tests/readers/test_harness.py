"""Sample logs of the LM Evaluation Harness, written by hand after its version 0.4."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.refusals import refused
from truegain.readers.any_format import read_scores
from truegain.readers.corpora import read_corpus
from truegain.readers.scores import ScoreTable

Write = Callable[..., str]


def sample(doc_id: Any, **metrics: Any) -> dict[str, Any]:
    """A record as the harness writes it for a task with choices; the target may be a number, and is no score."""
    return {
        "doc_id": doc_id,
        "doc": {"ctx": "A man", "label": "1"},
        "target": 1,
        "arguments": {"gen_args_0": {"arg_0": "A man", "arg_1": " runs"}},
        "resps": [[["-12.5", "False"]], [["-11.0", "True"]]],
        "filtered_resps": [["-12.5", "False"], ["-11.0", "True"]],
        "doc_hash": "5ac1",
        "prompt_hash": "77b0",
        "target_hash": "6b86",
        **metrics,
    }


def listed(doc_id: int, filter_: str, **metrics: Any) -> dict[str, Any]:
    """The same of a newer version, which names the filter and the metrics."""
    return sample(doc_id, filter=filter_, metrics=list(metrics), **metrics)


@pytest.fixture
def log(write: Write) -> Write:
    def log(*records: dict[str, Any], name: str = "samples_x_2024-05-01T10-20-30.123456.jsonl") -> str:
        return write(name, *records)

    return log


def one(path: str) -> ScoreTable:
    (table,) = read_scores(path)
    return table


def columns(path: str) -> dict[str, list[float]]:
    return {name: values.tolist() for name, values in one(path).columns.items()}


def test_metrics_become_columns_and_documents_ids(log: Write, write: Write) -> None:
    path = log(sample(0, acc=1.0, acc_norm=0.0), sample(1, acc=0.0, acc_norm=1.0))
    assert columns(path) == {"acc": [1.0, 0.0], "acc_norm": [0.0, 1.0]}
    assert (one(path).ids, one(path).notes) == (("0", "1"), ())
    assert columns(log(sample(0, acc=1.0))) == {"acc": [1.0]}
    assert columns(log(sample(0, acc=True), sample(1, acc=False))) == {"acc": [1.0, 0.0]}
    # Only what is listed is a metric.
    assert columns(log({**listed(0, "none", exact_match=1.0), "length_bonus": 7})) == {"exact_match": [1.0]}
    # A list of samples, as version 0.4.0 wrote it.
    path = write("gpt2_x.jsonl", json.dumps([sample(0, acc=1.0), sample(1, acc=0.0)], indent=2))
    assert columns(path) == {"acc": [1.0, 0.0]}


def test_several_filters_are_apart(log: Write) -> None:
    strict = [listed(i, "strict-match", exact_match=float(i == 0)) for i in (0, 1)]
    path = log(*strict, *(listed(i, "flexible-extract", exact_match=1.0) for i in (1, 0)))
    assert columns(path) == {"exact_match@strict-match": [1.0, 0.0], "exact_match@flexible-extract": [1.0, 1.0]}
    assert one(path).ids == ("0", "1")
    # A metric that left a document out is passed over.
    path = log(listed(0, "x", acc=1.0), listed(0, "y", acc=1.0), listed(1, "x", acc=1.0))
    assert columns(path) == {"acc@x": [1.0, 1.0]}
    (note,) = one(path).notes
    assert (note.kind, "'1'" in note.text) == ("lacking-scores", True)
    assert note.text.startswith("acc@y did not score 1 of 2 items")


def test_logs_are_matched_by_document(log: Write) -> None:
    first = log(sample(0, acc=1.0), sample(1, acc=0.0), name="a/samples_x.jsonl")
    second = log(sample(1, acc=0.0), sample(0, acc=1.0), name="b/samples_x.jsonl")
    corpus = read_corpus([first, second], outputs_are_scores=True)
    assert [system.name for system in corpus.systems] == ["a", "b"]
    assert [system.runs[0].scores["acc"].tolist() for system in corpus.systems] == [[1.0, 0.0], [1.0, 0.0]]
    third = log(sample(0, acc=1.0), sample(2, acc=0.0), name="c/samples_x.jsonl")
    with refused(naming=["1", "2", "'1'"]):
        read_corpus([first, third], outputs_are_scores=True)


@pytest.mark.parametrize(
    ("records", "message"),
    [
        ([sample(0, acc=1.0), sample(0, acc=1.0)], ["2", "doc_id", "0"]),
        ([listed(0, "x", acc=1.0), listed(0, "x", acc=1.0)], ["'x'", "2", "doc_id", "0"]),
        ([sample(0, acc=1.0), sample(None, acc=1.0)], ["'doc_id'", "2"]),
        ([sample(0, acc=1.0), sample(1)], ["'1'", "1", "2"]),
        ([sample(0), sample(1, acc=1.0)], ["'0'", "1", "2"]),
        ([sample(0, acc="no"), sample(1, acc=1.0)], []),
        ([sample(0, acc=1.0), sample(1, acc=float("nan"))], ["'acc'", "doc_id", "1"]),
        ([sample(0, bleu=["a", "b"])], []),
        ([sample(0)], []),
    ],
)
def test_what_is_refused(log: Write, records: list[dict[str, Any]], message: list[str]) -> None:
    with refused(naming=message):
        read_scores(log(*records))


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [("doc_hash", "b" * 60, ["doc_hash", "b" * 39, '"5ac1"']), ("target", "other", ["target", '"other"'])],
)
def test_logs_of_different_documents_are_refused(log: Write, key: str, value: str, told: list[str]) -> None:
    """Unless one does not say what was asked."""
    one = log(sample(0, acc=1.0), sample(1, acc=0.0), name="samples_a.jsonl")
    other = log(sample(1, acc=0.0, **{key: value}), sample(0, acc=1.0), name="samples_b.jsonl")
    with refused(path=other, naming=["item 1", one, *told]):
        read_corpus([one, other], outputs_are_scores=True)
    silent = log(sample(1, acc=0.0, doc_hash=None), sample(0, acc=1.0, doc_hash=None), name="samples_b.jsonl")
    assert read_corpus([one, silent], outputs_are_scores=True).segments == 2


def test_what_is_no_number_is_a_sum_and_a_count_or_passed_over(log: Write) -> None:
    path = log(sample(0, acc=1.0, inst=[True, False, True]), sample(1, acc=0.0, inst=[]))
    assert columns(path) == {"acc": [1.0, 0.0], "inst.sum": [2.0, 0.0], "inst.count": [3.0, 0.0]}
    (note,) = one(path).notes
    assert "scores:column=inst.sum,over=inst.count" in note.text
    for value in ([-31.4, 12], ["a reference", "an output"], "text", {"a": 1.0}):
        path = log(sample(0, acc=1.0, odd=value), sample(1, acc=0.0, odd=value))
        assert columns(path) == {"acc": [1.0, 0.0]}
        assert [(note.kind, note.text.split()[0]) for note in one(path).notes] == [("no-numbers", "odd")]
