"""Document ids: plain, in a table, under a header."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.readers.files import write
from tests.refusals import kinds, refused
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


@pytest.mark.parametrize("heading", ["docid", "doc_id", "doc", "document", "document_id", "DocID"])
def test_a_header_that_speaks_of_documents_is_understood(tmp_path: Path, heading: str) -> None:
    path = written(tmp_path, f"segment\t{heading}\n1\ta\n2\tb\n")
    assert read(path, 2) == (["a", "b"], [f"{path}: documents from its column {heading!r}"])


@pytest.mark.parametrize(
    ("text", "column", "documents"),
    [
        ("a\na\n b \n", None, ["a", "a", "b"]),
        ("docid\na\nb\n", None, ["a", "b"]),
        ("doc\ndoc\nb\n", None, ["doc", "doc", "b"]),  # reads like a header; the count says that it is an id
        ("doc\ttopic\na\tnews\nb\tsport\n", "topic", ["news", "sport"]),
    ],
)
def test_an_id_a_line_or_a_column_by_name(tmp_path: Path, text: str, column: str | None, documents: list[str]) -> None:
    found, notes = read(written(tmp_path, text), len(documents), column)
    assert (found, bool(notes)) == (documents, text.startswith("docid"))


def test_windows_line_ends_do_not_become_part_of_ids(tmp_path: Path) -> None:
    found = read_documents(written(tmp_path, "a\tx\r\na\tx\r\nb\ty\r\n"), 3)
    assert found.documents == ["a", "a", "b"]
    assert "line-ends" in kinds(found.notes)


@pytest.mark.parametrize(
    ("text", "segments", "column", "naming"),
    [
        ("a\nb\nc\n", 1234, None, ["1,234", 3, "document_column"]),
        ("a\nb\nc\n", 1234, "a", ["1,234", 2, "document_column"]),
        ("\ufeff", 2, None, []),
    ],
)
def test_what_does_not_fit(tmp_path: Path, text: str, segments: int, column: str | None, naming: list[object]) -> None:
    path = written(tmp_path, text)
    with refused(path=path, naming=naming):
        read(path, segments, column)


@pytest.mark.parametrize(
    ("text", "segments", "column", "line"),
    [
        ("a\n\nb\n", 3, None, 2),
        ("a\n  \nb\n", 3, None, 2),
        ("a\tx\na\tx\n\ty\n", 3, None, 3),
        ("x\tdocs\n1\ta\n2\t\n", 2, "docs", 3),
        ("x\tdocs\n1\ta\n2\n", 2, "docs", 3),
        ("x\tdocid\n1\ta\n2\t\n", 2, None, 3),  # the header is a line of the file, whoever found it
    ],
)
def test_an_empty_id_is_refused(tmp_path: Path, text: str, segments: int, column: str | None, line: int) -> None:
    path = written(tmp_path, text)
    with refused(path=path, line=line, naming=["no document id"]):
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
