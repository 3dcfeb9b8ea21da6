"""Document ids: plain, in a table, under a header, and those that tables of one system name themselves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.readers.files import write
from tests.refusals import kinds, refused
from truegain.readers.corpora import read_corpus
from truegain.readers.documents import read_documents, read_domains
from truegain.readers.matching import Ids
from truegain.readers.memory import corpus_from_memory


def written(folder: Path, text: str) -> str:
    return write(folder / "docs.txt", text)


def read(path: str, segments: int, column: str | None = None) -> tuple[list[str], list[str]]:
    grouping = read_documents(path, segments, column=column)
    assert grouping.documents is not None
    return grouping.documents, list(map(str, grouping.notes))


def lines(*rows: tuple[str, str, int]) -> str:
    """Two columns without a header, each row as often as it says."""
    return "".join(f"{first}\t{second}\n" * times for first, second, times in rows)


#: As mt-metrics-eval writes them: few domains, and documents that lie in one each.
MTME = lines(("news", "n1", 2), ("news", "n2", 1), ("social", "s1", 1), ("social", "s2", 3))


HEADINGS = ("docid", "doc_id", "doc", "document", "document_id", "DocID")


def test_domain_and_document_are_both(tmp_path: Path) -> None:
    path = written(tmp_path, MTME)
    found = read_documents(path, 7)
    assert found.documents == ["n1", "n1", "n2", "s1", "s2", "s2", "s2"]
    assert found.domains == ["news"] * 3 + ["social"] * 4
    assert [(note.kind, note.file) for note in found.notes] == [("columns", path)]
    assert read_domains(path, 7) == found
    domains = read_domains(path, 7, with_documents=False)
    assert (domains.documents, domains.domains) == (None, found.domains)
    assert [(note.kind, note.file) for note in domains.notes] == [("columns", path)]


def test_documents_beside_domains_give_way_to_others(tmp_path: Path) -> None:
    path = written(tmp_path, MTME)
    texts: Any = ([f"a b {i}" for i in range(7)], {"x": [f"a {i}" for i in range(7)]})
    assert corpus_from_memory(*texts, domains=path).documents == ("n1", "n1", "n2", "s1", "s2", "s2", "s2")
    other = tuple("abcdefg")
    assert corpus_from_memory(*texts, domains=path, documents=other).documents == other


def test_document_and_something_coarser(tmp_path: Path) -> None:
    path = written(tmp_path, lines(("d1", "cz", 2), ("d2", "cz", 1), ("d3", "de", 2)))
    found = read_documents(path, 5)
    assert (found.documents, found.domains) == (["d1", "d1", "d2", "d3", "d3"], None)
    assert "documents from its first" in str(found.notes[0])
    domains = read_domains(path, 5)
    assert (domains.documents, domains.domains) == (found.documents, ["cz", "cz", "cz", "de", "de"])
    assert all(told in str(domains.notes[0]) for told in ("documents from its first", "domains from its second"))


def test_documents_of_one_name_in_two_domains_are_two(tmp_path: Path) -> None:
    rows = lines(("news", "a", 2), ("news", "c", 1), ("news", "d", 1), ("social", "b", 2), ("social", "c", 2))
    for text in (rows, "domain\tdocid\n" + rows):
        found = read_documents(written(tmp_path, text), 8)
        assert found.documents == ["a", "a", "news/c", "d", "b", "b", "social/c", "social/c"]
        assert "documents" in kinds(found.notes)
    # One that goes on in another domain is one.
    rows = lines(("talk", "a", 2), ("slides", "a", 1), ("talk", "b", 1))
    assert read_documents(written(tmp_path, "domain\tdocid\n" + rows), 4).documents == ["a", "a", "a", "b"]


@pytest.mark.parametrize(
    "text",
    [
        lines(("1", "a", 1), ("2", "a", 1), ("3", "b", 1), ("4", "b", 1)),  # id, document
        lines(("a", "1", 1), ("a", "2", 1), ("b", "3", 1), ("b", "4", 1)),  # document, id
        lines(("a", "1", 2), ("a", "2", 2), ("a", "3", 1), ("b", "1", 3), ("b", "2", 1)),  # document, paragraph
        lines(*((f"d{i}", f"d{i}p{j}", 2) for i in range(30) for j in range(3))),  # document, paragraph
        lines(("a", "x", 2), ("a", "y", 2), ("b", "x", 2), ("b", "y", 2)),  # crossed
        "a\tx\t1\na\tx\t2\nb\tx\t3\n",
        "a\tx\na\nb\ty\n",
    ],
)
def test_columns_that_can_be_taken_in_two_ways_are_refused(tmp_path: Path, text: str) -> None:
    for read_one in (read_documents, read_domains):
        with refused(naming=["document_column"]):
            read_one(written(tmp_path, text), text.count("\n"))


def test_a_header_may_name_domains_too(tmp_path: Path) -> None:
    path = written(tmp_path, "segid\tdocid\tgenre\n1\ta\tnews\n2\tb\tsport\n")
    found = read_documents(path, 2)
    assert (found.documents, found.domains) == (["a", "b"], ["news", "sport"])
    assert str(found.notes[-1]) == f"{path}: domains from its column 'genre'"
    # A column that is asked for as documents is not the domains, too; one of domains needs one of documents.
    assert read_documents(path, 2, column="genre").domains is None
    path = written(tmp_path, "genre\tstory\nnews\ta\nsport\tb\n")
    with refused("document_column", naming=["docs.txt"]):
        read_documents(path, 2, domain_column="genre")
    with refused(naming=["'stories'", "'story'", path]):  # the nearest
        read(path, 2, "stories")


@pytest.mark.parametrize(
    ("text", "segments", "column", "line", "naming"),
    [
        ("a\nb\nc\n", 1234, None, None, ["1,234", 3, "document_column"]),
        ("a\nb\nc\n", 1234, "a", None, ["1,234", 2, "document_column"]),
        ("\ufeff", 2, None, None, []),
        ("a\n\nb\n", 3, None, 2, ["no document id"]),
        ("a\n  \nb\n", 3, None, 2, ["no document id"]),
        ("a\tx\na\tx\n\ty\n", 3, None, 3, ["no document id"]),
        ("x\tdocs\n1\ta\n2\t\n", 2, "docs", 3, ["no document id"]),
        ("x\tdocs\n1\ta\n2\n", 2, "docs", 3, ["no document id"]),
        ("x\tdocid\n1\ta\n2\t\n", 2, None, 3, ["no document id"]),  # the header is a line, whoever found it
    ],
)
def test_what_does_not_fit(
    tmp_path: Path, text: str, segments: int, column: str | None, line: int | None, naming: list[object]
) -> None:
    path = written(tmp_path, text)
    with refused(path=path, line=line, naming=naming):
        read(path, segments, column)


@pytest.mark.parametrize(
    ("pair", "segments", "domains", "documents"), [("en-de", 557, 4, 192), ("zh-en", 1976, 3, 179)]
)
def test_files_of_mt_metrics_eval(shared_data: Path, pair: str, segments: int, domains: int, documents: int) -> None:
    found = read_documents(str(shared_data / f"wmt23_mtme/documents/{pair}.docs.gz"), segments)
    assert (len(set(found.domains or ())), len(set(found.documents or ()))) == (domains, documents)


def test_a_table_is_matched_by_the_column_that_other_files_call_ids(tmp_path: Path) -> None:
    path = written(tmp_path, "doc_id\tpassage\tdomain\n2\tb\ty\n0\ta\tx\n1\ta\tx\n")
    ids = Ids("the log", ("0", "1", "2"), column="doc_id")
    assert read_documents(path, 3, column="passage", ids=ids).documents == ["a", "a", "b"]
    domains = read_domains(path, 3, ids=ids)
    assert (domains.domains, domains.files[0].id_column) == (["x", "x", "y"], "doc_id")
    # A column that was named for documents is not taken for ids.
    only = written(tmp_path, "doc_id\n2\n0\n1\n")
    assert read_documents(only, 3, column="doc_id", ids=ids).documents == ["2", "0", "1"]


def test_documents_that_may_be_ids_are_not_passed_over(tmp_path: Path) -> None:
    ids = Ids("the scores", ("0", "1", "2"), column="id")
    path = written(tmp_path, "doc_id\tdomain\n2\ty\n0\tx\n1\tx\n")
    with refused("id_column", naming=["docs.txt"]):
        read_domains(path, 3, ids=ids)
    with refused("id_column", naming=["docs.txt"]):
        read_documents(path, 3, column="domain", ids=ids)
    with refused(naming=["docs.txt"]):
        read_documents(path, 3, column="domain")
    of_several = written(tmp_path, "doc_id\tdomain\nd1\ty\nd2\tx\nd2\tx\n")
    assert read_domains(of_several, 3, ids=ids).domains == ["y", "x", "x"]


@pytest.mark.parametrize(
    ("text", "column", "documents", "notes"),
    [
        ("a\na\n b \n", None, "aab", set()),
        ("docid\na\nb\n", None, "ab", {"columns"}),
        *((f"segment\t{heading}\n1\ta\n2\tb\n", None, "ab", {"columns"}) for heading in HEADINGS),
        ("doc\ndoc\nb\n", None, ["doc", "doc", "b"], set()),  # reads like a header; the count says that it is an id
        ("doc\ttopic\na\tnews\nb\tsport\n", "topic", ["news", "sport"], set()),
        ("a\tx\r\na\tx\r\nb\ty\r\n", None, "aab", {"line-ends", "columns"}),
    ],
)
def test_an_id_a_line_or_a_column(
    tmp_path: Path, text: str, column: str | None, documents: Sequence[str], notes: set[str]
) -> None:
    found = read_documents(written(tmp_path, text), len(documents), column=column)
    assert found.documents == list(documents)
    assert kinds(found.notes) == notes


DOCUMENTS = ("d1", "d1", "d2", "d3", "d3", "d3")
N = len(DOCUMENTS)


def tables(write: Callable[..., str], *documents: Sequence[object], column: str = "doc_id") -> list[str]:
    return [
        write(f"{name}.tsv", f"{column}\tscore", *(f"{one}\t{i + place / 8}" for i, one in enumerate(own)))
        for place, (name, own) in enumerate(zip("abc", documents, strict=False))
    ]


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
