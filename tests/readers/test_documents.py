"""Document ids: plain, in a table, under a header."""

from __future__ import annotations

from pathlib import Path

import pytest

from truegain.errors import InputError
from truegain.readers.documents import read_documents


def written(folder: Path, text: str) -> str:
    path = folder / "docs.txt"
    path.write_text(text, encoding="utf-8", newline="")
    return str(path)


def read(path: str, segments: int, column: str | None = None) -> tuple[list[str], list[str]]:
    grouping = read_documents(path, segments, column=column)
    return grouping.documents, list(grouping.notes)


def test_one_id_a_line(tmp_path: Path) -> None:
    assert read(written(tmp_path, "a\na\n b \n"), 3) == (["a", "a", "b"], [])


def test_the_first_of_several_columns_is_said(tmp_path: Path) -> None:
    path = written(tmp_path, "a\t1\nb\t2\n")
    assert read(path, 2) == (["a", "b"], [f"{path}: documents from the first of its 2 columns"])


@pytest.mark.parametrize("heading", ["docid", "doc_id", "doc", "document", "document_id", "DocID"])
def test_a_header_that_speaks_of_documents_is_understood(tmp_path: Path, heading: str) -> None:
    path = written(tmp_path, f"segment\t{heading}\n1\ta\n2\tb\n")
    assert read(path, 2) == (["a", "b"], [f"{path}: documents from its column {heading!r}"])


def test_a_header_without_further_columns(tmp_path: Path) -> None:
    assert read(written(tmp_path, "docid\na\nb\n"), 2)[0] == ["a", "b"]


def test_a_first_line_that_reads_like_a_header_is_an_id_where_the_count_says_so(tmp_path: Path) -> None:
    assert read(written(tmp_path, "doc\ndoc\nb\n"), 3)[0] == ["doc", "doc", "b"]


def test_a_column_by_name(tmp_path: Path) -> None:
    path = written(tmp_path, "doc\ttopic\na\tnews\nb\tsport\n")
    assert read(path, 2, "topic") == (["news", "sport"], [])


def test_windows_line_ends_do_not_become_part_of_ids(tmp_path: Path) -> None:
    ids, notes = read(written(tmp_path, "a\tx\r\nb\ty\r\n"), 2)
    assert ids == ["a", "b"]
    assert any("\\r\\n" in note for note in notes)


def test_an_unknown_column_is_refused_with_the_nearest(tmp_path: Path) -> None:
    path = written(tmp_path, "doc\ttopic\na\tnews\n")
    with pytest.raises(InputError) as caught:
        read(path, 1, "topics")
    assert str(caught.value) == (
        f"{path}: the column of documents must be one of doc, topic; got 'topics'\n  did you mean 'topic'?"
    )


@pytest.mark.parametrize(("column", "count"), [(None, "3"), ("a", "2")])
def test_a_wrong_count_is_refused(tmp_path: Path, column: str | None, count: str) -> None:
    path = written(tmp_path, "a\nb\nc\n")
    with pytest.raises(InputError, match=f"{count} document ids for 1,234 segments") as caught:
        read(path, 1234, column)
    assert caught.value.path == path
    assert "--docs-column" in str(caught.value.hint)


@pytest.mark.parametrize(
    ("text", "segments", "column", "line"),
    [
        ("a\n\nb\n", 3, None, 2),
        ("a\n  \nb\n", 3, None, 2),
        ("a\tx\n\ty\n", 2, None, 2),
        ("x\tdocs\n1\ta\n2\t\n", 2, "docs", 3),
        ("x\tdocs\n1\ta\n2\n", 2, "docs", 3),
        ("x\tdocid\n1\ta\n2\t\n", 2, None, 3),  # the header is a line of the file, whoever found it
    ],
)
def test_an_empty_id_is_refused_with_its_line(
    tmp_path: Path, text: str, segments: int, column: str | None, line: int
) -> None:
    path = written(tmp_path, text)
    with pytest.raises(InputError, match="there is no document id") as caught:
        read(path, segments, column)
    assert (caught.value.path, caught.value.line) == (path, line)


def test_a_file_that_is_only_a_byte_order_mark_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        read(written(tmp_path, "\ufeff"), 2)
