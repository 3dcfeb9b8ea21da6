"""Rows are matched by their ids in every kind of file, and samples of one item are averaged."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import truegain as tg
from tests.refusals import refused
from truegain.errors import InputError
from truegain.readers.any_format import read_scores
from truegain.readers.columns import corpus_from_table
from truegain.readers.corpora import read_corpus
from truegain.readers.matching import count_rows

Write = Callable[..., str]

ITEMS = [f"q{i:03d}" for i in range(12)]
RANDOM = np.random.default_rng(7)
SCORES = {name: RANDOM.normal(size=len(ITEMS)).round(3).tolist() for name in ("a", "b")}
ORDER = RANDOM.permutation(len(ITEMS)).tolist()


def scored(*files: str, **options: Any) -> tg.Corpus:
    return read_corpus(files, outputs_are_scores=True, **options)


def scores_of(corpus: tg.Corpus) -> dict[str, list[float]]:
    return {system.name: system.runs[0].scores["score"].tolist() for system in corpus.systems}


def table(values: list[float], order: list[int] | None = None, column: str = "key") -> list[str]:
    places = range(len(values)) if order is None else order
    return [f"{column}\tscore", *(f"{ITEMS[i]}\t{values[i]}" for i in places)]


def json_rows(values: list[float], order: list[int] | None = None, column: str = "key") -> list[dict[str, object]]:
    places = range(len(values)) if order is None else order
    return [{column: ITEMS[i], "score": values[i]} for i in places]


@pytest.mark.parametrize("form", ["tsv", "jsonl", "comet"])
def test_scores_are_matched_by_the_column_that_is_named(write: Write, form: str) -> None:
    if form == "comet":
        files = [write("c.json", {"a": json_rows(SCORES["a"]), "b": json_rows(SCORES["b"], ORDER)})]
    else:
        rows: Callable[..., Any] = table if form == "tsv" else json_rows
        files = [write(f"a.{form}", *rows(SCORES["a"])), write(f"b.{form}", *rows(SCORES["b"], ORDER))]
    assert scores_of(scored(*files, id_column="key")) == SCORES
    with refused(naming=[files[0], "'nosuch'"]):
        scored(*files, id_column="nosuch")
    reference, *systems = texts(write, "key")
    names = [f"{name}={path}" for name, path in zip(SCORES, systems, strict=True)]
    given = files if form == "comet" else [f"{name}={path}" for name, path in zip(SCORES, files, strict=True)]
    assert scores_of(read_corpus(names, [reference], scores=given, id_column="key")) == SCORES


@pytest.mark.parametrize("column", ["question_id", "item", "task_id", "Prompt_ID"])
def test_usual_names_of_ids_need_not_be_told(write: Write, column: str) -> None:
    files = [write(f"{name}.tsv", *table(SCORES[name], own, column)) for name, own in (("a", None), ("b", ORDER))]
    assert scores_of(scored(*files)) == SCORES


def test_rows_in_another_order_are_seen_by_any_column_of_texts(write: Write) -> None:
    first, second = write("a.tsv", *table(SCORES["a"])), write("b.tsv", *table(SCORES["b"], ORDER))
    with refused(naming=["b.tsv", "a.tsv", "truegain.read_corpus", "id_column"]):
        scored(first, second)
    third = write("c.tsv", *(row.replace("q", "r") for row in table(SCORES["b"], ORDER)))
    assert scored(first, third).segments == len(ITEMS)  # other texts say nothing


def test_two_columns_of_ids_must_name_the_same_items(write: Write) -> None:
    rows = [f"{i}\tq{i // 2}\t{i}" for i in range(6)]
    path = write("a.tsv", "id\tquestion_id\tscore", *rows)
    with refused(naming=["'id'", "'question_id'"]):
        read_scores(path)
    assert read_scores(path, "question_id")[0].columns["id"].tolist() == [0.5, 2.5, 4.5]
    same = write("b.tsv", "id\tquestion_id\tscore", *(f"{i}\tq{i}\t{i}" for i in range(6)))
    assert read_scores(same)[0].id_column == "id"


def test_columns_of_other_names_are_not_compared(write: Write) -> None:
    first = write("a.tsv", "comet", "1", "2")
    second = write("b.tsv", "bleurt", "3", "4")
    with refused(naming=["'bleurt'", "'comet'", "a.tsv"]):
        scored(first, second)
    assert scored(first, write("c.txt", "3", "4")).segments == 2


def test_texts_of_one_id_are_refused(write: Write) -> None:
    texts = write("a.jsonl", *({"id": i // 2, "text": "x"} for i in range(4)))
    with refused(naming=["'0'", "1", "2"]):
        read_corpus([texts], [texts])
    everything = write("all.tsv", "id\tref\ta", "1\tx\ty", "1\tx\tz")
    with refused(naming=["'1'", "1", "2"]):
        corpus_from_table(everything)


TEXTS = {"ref": "the cat sat number", "a": "a cat sat number", "b": "the cat is number"}
DOCUMENTS = [f"d{i // 3}" for i in range(len(ITEMS))]


def texts(write: Write, key: str | None = None) -> list[str]:
    """The reference and two systems, in one order, with ids in this column or without."""
    lines = {name: [f"{text} {i}" for i in range(len(ITEMS))] for name, text in TEXTS.items()}
    if key is None:
        return [write(f"{name}.txt", *own) for name, own in lines.items()]
    rows = {name: [{key: item, "text": one} for item, one in zip(ITEMS, lines[name], strict=True)] for name in lines}
    return [write(f"{name}.{key}.jsonl", *own) for name, own in rows.items()]


def groups(values: list[str], *, column: str = "docid", order: list[int] | None = None, key: str = "key") -> list[str]:
    places = range(len(ITEMS)) if order is None else order
    return [f"{key}\t{column}", *(f"{ITEMS[i]}\t{values[i]}" for i in places)]


@pytest.mark.parametrize("kind", ["documents", "domains"])
@pytest.mark.parametrize("column", ["docid", "domain", "topic"])
def test_documents_are_matched_by_the_column_that_is_named(write: Write, kind: str, column: str) -> None:
    reference, *systems = texts(write, "key")
    given: dict[str, Any] = {kind: write("groups.tsv", *groups(DOCUMENTS, column=column, order=ORDER))}
    corpus = read_corpus(systems, [reference], id_column="key", **given)
    assert getattr(corpus, kind) == tuple(DOCUMENTS)
    assert f"groups.tsv: {kind} from its column {column!r}" in map(str, corpus.notes)
    files = [write(f"{name}.tsv", *table(values)) for name, values in SCORES.items()]
    assert getattr(scored(*files, id_column="key", **given), kind) == tuple(DOCUMENTS)
    if kind == "domains":
        named = write("named.tsv", "a\tb", *(f"x\t{one}" for one in DOCUMENTS))
        reference, *systems = texts(write)
        assert read_corpus(systems, [reference], domains=named, domain_column="b").domains == tuple(DOCUMENTS)
        with refused(naming=["'c'"]):
            read_corpus(systems, [reference], domains=named, domain_column="c")


@pytest.mark.parametrize(
    ("kind", "rows", "message"),
    [
        ("documents", ["d", "d"], "2 document ids for 12 segments"),
        ("domains", ["d", "d"], "2 domains for 12 segments"),
        ("documents", [*DOCUMENTS[1:], ""], "groups.tsv:12: there is no document id"),
        ("domains", [*DOCUMENTS[1:], ""], "groups.tsv:12: there is no domain"),
    ],
)
def test_domains_are_not_called_documents(write: Write, kind: str, rows: list[str], message: str) -> None:
    reference, *systems = texts(write)
    given: dict[str, Any] = {kind: write("groups.tsv", *rows)}
    with pytest.raises(InputError, match=message) as caught:
        read_corpus(systems, [reference], **given)
    assert ("document" in str(caught.value)) == (kind == "documents")


@pytest.mark.parametrize("kind", ["documents", "domains"])
def test_ids_on_one_side_only(write: Write, kind: str) -> None:
    name = "docid" if kind == "documents" else "domain"
    plain, with_ids = texts(write), texts(write, "key")

    def read(reference: str, *systems: str, rows: list[str], **more: Any) -> tg.Corpus:
        given: dict[str, Any] = {kind: write("groups.tsv", *rows)}
        return read_corpus(systems, [reference], **given, **more)

    # ids that stand for nothing in the texts
    with refused(naming=["'id'", "groups.tsv"]):
        read(*plain, rows=groups(DOCUMENTS, column=name, order=ORDER, key="id"))
    # ids that count the rows, or those of each document
    for numbers in (range(12), range(1, 13), (i % 3 + 1 for i in range(12))):
        rows = [f"id\t{name}", *(f"{number}\t{one}" for number, one in zip(numbers, DOCUMENTS, strict=True))]
        assert getattr(read(*plain, rows=rows), kind) == tuple(DOCUMENTS)
    # no ids, and a header with other columns
    rows = [f"nr\t{name}", *(f"x\t{one}" for one in DOCUMENTS)]
    with refused("id_column", naming=["groups.tsv"]):
        read(*texts(write, "id"), rows=rows)
    # no ids, and nothing else
    corpus = read(*with_ids, rows=DOCUMENTS, id_column="key")
    assert getattr(corpus, kind) == tuple(DOCUMENTS)
    (said,) = (note.text for note in corpus.notes if note.kind == "taken-in-order")
    assert all(told in said for told in ("groups.tsv has no ids", "ref.key.jsonl"))


@pytest.mark.parametrize("kind", ["log", "long"])
def test_lines_without_ids_beside_items_that_are_sorted_by_theirs(write: Write, kind: str) -> None:
    def read(order: list[int], **grouping: Any) -> tg.Corpus:
        log = kind == "log"
        log_rows = [{"doc_id": i, "target": "x", "filtered_resps": ["x"], "acc": SCORES["a"][i]} for i in order]
        rows = [{"system": name, "id": i, "score": SCORES[name][i]} for name in SCORES for i in order]
        name = write("samples_task_1.jsonl" if log else "long.jsonl", *(log_rows if log else rows))
        return scored(name, **grouping)

    lines = write("lines.txt", *DOCUMENTS)
    for role, column in (("documents", "document"), ("domains", "domain")):
        assert getattr(read(list(range(12)), **{role: lines}), role) == tuple(DOCUMENTS)
        with refused(path=lines, naming=["no ids", ".jsonl are not in the order", "columns id", "'0'", f" {column}"]):
            read(ORDER, **{role: lines})
        rows = [f"id\t{column}", *(f"{i}\t{DOCUMENTS[i]}" for i in ORDER)]
        assert getattr(read(ORDER, **{role: write("table.tsv", *rows)}), role) == tuple(DOCUMENTS)


def test_documents_of_samples_must_agree(write: Write) -> None:
    files = [write(f"{name}.tsv", *(table(values) + table(values)[1:])) for name, values in SCORES.items()]
    rows = groups(DOCUMENTS) + groups(DOCUMENTS, order=ORDER)[1:]
    corpus = scored(*files, id_column="key", documents=write("docs.tsv", *rows))
    assert corpus.documents == tuple(DOCUMENTS)
    odd = write("odd.tsv", *rows, f"{ITEMS[3]}\tother")
    with refused(naming=["odd.tsv:26", "5", "26"]):
        scored(*files, id_column="key", documents=odd)


#: Ids, and the groups that they are in.
COUNTING = ("0 1 2", "1 2 3", "1 2 1 2, a a b b", "1 2 0 1, a a b b")
OTHERS = ("2 3 4", "1 3 2", "1 2 1 2", "1 2 2 1, a a b b", "01 02", "a b")


@pytest.mark.parametrize("rows", [*COUNTING, *OTHERS])
def test_which_ids_count_rows(rows: str) -> None:
    ids, _, groups = rows.partition(",")
    assert count_rows(ids.split(), groups.split() or None) is (rows in COUNTING)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"systems": ["a.trn"], "references": ["r.trn"], "id_column": "key"}, ["'key'", "r.trn"]),
        ({"systems": ["a.trn"], "references": ["r.trn"], "text_column": "out"}, ["'out'"]),
        ({"systems": ["a.tsv"], "outputs_are_scores": True, "text_column": "out"}, ["'out'"]),
        ({"systems": ["a.txt"], "outputs_are_scores": True, "id_column": "key"}, ["'key'"]),
        ({"systems": ["a.tsv"], "references": ["r.trn"], "outputs_are_scores": True}, []),
        ({"systems": ["a.tsv"], "outputs_are_scores": True, "references_per_line": 2}, []),
        ({"systems": ["a.tsv"], "outputs_are_scores": True, "document_column": "d"}, ["'d'"]),
        ({"systems": ["a.tsv"], "outputs_are_scores": True, "domain_column": "d"}, ["'d'"]),
        ({"systems": ["log.jsonl"], "outputs_are_scores": True, "id_column": "doc_hash"}, ["'doc_id'"]),
    ],
)
def test_options_that_do_not_apply(write: Write, options: dict[str, Any], message: list[str]) -> None:
    write("r.trn", "x (u1)", "y (u2)")
    write("a.trn", "x (u1)", "z (u2)")
    write("a.txt", "1", "2")
    write("a.tsv", "id\tscore", "u1\t1", "u2\t2")
    write("log.jsonl", *({"doc_id": i, "filtered_resps": [], "acc": 1.0, "doc_hash": f"h{i}"} for i in range(2)))
    with refused(naming=message):
        read_corpus(**options)


def test_samples_of_an_item_are_averaged_in_any_order(write: Write) -> None:
    """To the bit."""
    values = (RANDOM.normal(size=(5, len(ITEMS))) * 10.0 ** RANDOM.integers(-8, 8, (5, len(ITEMS)))).tolist()
    rows = [f"{item}\t{value!r}" for own in values for item, value in zip(ITEMS, own, strict=True)]
    (first,) = read_scores(write("a.tsv", "key\tscore", *rows), "key")
    assert first.columns["score"] == pytest.approx(np.mean(values, axis=0))
    assert first.ids == tuple(ITEMS)
    assert [note.kind for note in first.notes] == ["samples"]
    assert all(told in str(first.notes[0]) for told in ("a.tsv: ", "12 items × 5 samples", "'key'"))
    for trial in range(10):
        mixed = np.random.default_rng(trial).permutation(rows).tolist()
        (second,) = read_scores(write("b.tsv", "key\tscore", *mixed), "key")
        one, other = (dict(zip(own.ids or (), own.columns["score"], strict=True)) for own in (first, second))
        assert one == other
    (read,) = read_scores(write("b.tsv", "key\tscore", *rows[2:]), "key")
    assert "12 items × 4 to 5 samples" in str(read.notes[0])
