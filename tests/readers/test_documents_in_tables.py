"""Documents that tables of one system each name themselves: of texts, and of scores."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.refusals import refused
from truegain.readers.corpora import read_corpus

DOCUMENTS = ("d1", "d1", "d2", "d3", "d3", "d3")
N = len(DOCUMENTS)


def tables(write: Callable[..., str], *documents: Sequence[object], column: str = "doc_id") -> list[str]:
    return [
        write(f"{name}.tsv", f"{column}\tscore", *(f"{one}\t{i + place / 8}" for i, one in enumerate(own)))
        for place, (name, own) in enumerate(zip("abc", documents, strict=False))
    ]


@pytest.mark.parametrize("documents", [DOCUMENTS, (0, 0, 1, 2, 2, 2), ("d1", *"vwxyz"[:4], "d1")])
def test_tables_of_scores(write: Callable[..., str], documents: Sequence[object]) -> None:
    """Numbers are documents, too, and no scores."""
    corpus = read_corpus(tables(write, documents, documents), outputs_are_scores=True)
    assert corpus.documents == tuple(map(str, documents))
    assert list(corpus.systems[0].runs[0].scores or ()) == ["score"]
    assert "Documents are those that a.tsv names" in map(str, corpus.notes)


def test_lists_by_system_and_ids_of_several_columns(write: Callable[..., str]) -> None:
    lists = [{"src": f"s{i}", "COMET": i / 8, "doc": one} for i, one in enumerate(DOCUMENTS)]
    assert read_corpus([write("c.json", {"a": lists, "b": lists})], outputs_are_scores=True).documents == DOCUMENTS
    # Rows are matched by ids that a document is part of, in any order.
    rows = [f"{one}\t{i}\t{i / 8}" for i, one in enumerate(DOCUMENTS)]
    files = [write(f"{name}.tsv", "doc\tseg\tscore", *own) for name, own in (("a", rows), ("b", [*rows[1:], rows[0]]))]
    assert read_corpus(files, outputs_are_scores=True, id_column="doc,seg").documents == DOCUMENTS


def test_other_documents_show_other_rows(write: Callable[..., str]) -> None:
    files = tables(write, DOCUMENTS, DOCUMENTS[::-1])
    with refused("documents", path="b.tsv", naming=["segment 1", "its 'doc_id' is 'd3'", "in a.tsv 'd1'"]):
        read_corpus(files, outputs_are_scores=True)
    given = write("docs.txt", *DOCUMENTS)
    assert read_corpus(files, outputs_are_scores=True, documents=given).documents == DOCUMENTS
    with refused(naming=["'doc_id'", "6"]):
        read_corpus(tables(write, *2 * [(*DOCUMENTS[:-1], "")]), outputs_are_scores=True)


def test_what_names_no_documents(write: Callable[..., str]) -> None:
    items = [f"i{i}" for i in range(N)]
    assert read_corpus(tables(write, items, items), outputs_are_scores=True).documents is None
    some = [*tables(write, DOCUMENTS), write("b.txt", *range(N))]
    assert read_corpus(some, outputs_are_scores=True).documents is None
    log = [{"doc_id": i // 2, "filter": f"f{i % 2}", "filtered_resps": [], "target": 1, "acc": i} for i in range(N)]
    assert read_corpus([write(f"{name}.jsonl", *log) for name in "ab"], outputs_are_scores=True).documents is None
    ratings = tables(write, [1, 2, 2, 3, 3, 1], [1, 1, 2, 3, 3, 1])  # whole numbers alone are scores
    for file in ratings:
        rows = [line.partition("\t")[0] for line in Path(file).read_text().splitlines()]
        write(file, "document", *rows[1:])
    corpus = read_corpus(ratings, outputs_are_scores=True)
    assert (corpus.documents, list(corpus.systems[0].runs[0].scores or ())) == (None, ["document"])


def test_tables_of_texts(write: Callable[..., str]) -> None:
    def file(name: str, documents: Sequence[object] | None) -> str:
        rows = [{"text": f"{name} {i}"} | ({"doc": documents[i]} if documents else {}) for i in range(N)]
        return write(f"{name}.jsonl", *rows)

    systems = [file("a", None), file("b", DOCUMENTS)]
    assert read_corpus(systems, [file("ref", DOCUMENTS)]).documents == DOCUMENTS
    assert read_corpus(systems[:1], [file("ref", [f"i{i}" for i in range(N)])]).documents is None
    assert read_corpus(systems[:1], [file("ref", [{"q": 1}] * N)]).documents is None
    with refused(naming=["'d1'", "'d3'", "b.jsonl", "1", "ref.jsonl"]):
        read_corpus(systems, [file("ref", DOCUMENTS[::-1])])


def test_texts_of_which_some_have_no_document(write: Callable[..., str]) -> None:
    rows = [{"id": i, "ref": f"a {i}", "doc": f"d{i // 2}" if i != 3 else None} for i in range(6)]
    outputs = write("x.jsonl", *({"id": i, "text": f"b {i}"} for i in range(6)))
    reference, documents = write("ref.jsonl", *rows), write("docs.txt", *"aabbcc")
    corpus = read_corpus([outputs], [reference])
    assert corpus.documents is None
    assert any("rows without a value in the column 'doc'" in note.text for note in corpus.notes)
    assert read_corpus([outputs], [reference], documents=documents).documents == tuple("aabbcc")
