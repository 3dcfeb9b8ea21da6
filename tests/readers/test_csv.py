"""Tables separated by commas or semicolons, and JSON on one line."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.readers.files import location, write
from tests.refusals import refused
from truegain.readers import plain
from truegain.readers.any_format import read_scores, read_table, read_text
from truegain.readers.columns import corpus_from_table
from truegain.readers.documents import read_documents
from truegain.readers.formats import Layout


@pytest.mark.parametrize("separator", [",", ";"])
@pytest.mark.parametrize("name", ["a.csv", "a.CSV", "a.txt"])
def test_scores(tmp_path: Path, separator: str, name: str) -> None:
    text = "id,score,comment\n1,0.5,short\n2,0.25,more\n".replace(",", separator)
    (table,) = read_scores(write(tmp_path / name, text))
    assert table.ids == ("1", "2")
    assert table.columns["score"].tolist() == [0.5, 0.25]


FIELD = st.text(st.sampled_from('ab,;"\n é'), max_size=6)


@given(
    rows=st.lists(st.lists(FIELD, min_size=3, max_size=3), min_size=1, max_size=6),
    separator=st.sampled_from(",;"),
    end=st.sampled_from(["\n", "\r\n"]),
)
def test_every_field_comes_back(rows: list[list[str]], separator: str, end: str) -> None:
    text = io.StringIO()
    csv.writer(text, delimiter=separator, lineterminator=end).writerows([["one", "two", "three"], *rows])
    with TemporaryDirectory() as folder:
        table = read_table(write(Path(folder) / "a.csv", text.getvalue()))
    assert [list(row) for row in zip(*table.columns.values(), strict=True)] == rows


@pytest.mark.parametrize(
    ("text", "line", "naming"),
    [
        ('id,text,score\n1,"two\nlines",0.5\n2,"three\n\nlines",bad\n', 4, ["'bad'"]),  # a row's first line
        ("a;b,c\n1,2,3\n", 1, ["commas", "semicolons"]),
        ("id,score\n1,0.5\n2\n", 3, ["1 field", 2]),
        ("id,score\n1,0.5,7\n", 2, ["3 fields", 2]),
        ("id,score\n1,0.5\n\n2,0.5\n", 3, ["empty", 2]),
        ('id,score\n1,0.5\n2,"0.5\n3,0.5\n', 3, ["CSV"]),
        ('id,score\n1,"0".5\n', 2, ["CSV"]),
        ("id,score, score\n1,2,3\n", 1, ["two", "'score'"]),
        ("id,score\n", None, ["no rows"]),
        ("1,0.5\n2,0.25\n", 1, ["'1'"]),
        ("id;score\n1;0,5\n", 2, ["'0,5'"]),
    ],
)
def test_a_broken_table_is_refused(tmp_path: Path, text: str, line: int | None, naming: list[object]) -> None:
    path = write(tmp_path / "a.csv", text)
    with refused(naming=[location(path, line), *naming]):
        read_scores(path)


def test_texts_documents_and_a_whole_comparison(tmp_path: Path) -> None:
    path = write(
        tmp_path / "all.csv", 'id,docid,ref,base,new\n1,d1,"a cat, black",a cat,"a ""cat"""\n2,d1,b,b,b\n3,d2,c,c,c\n'
    )
    corpus = corpus_from_table(path)
    assert [system.name for system in corpus.systems] == ["base", "new"]
    assert corpus.references[0] == ("a cat, black", "b", "c")
    assert (corpus.system("new").runs[0].outputs or ())[0] == 'a "cat"'
    assert read_documents(path, 3).documents == ["d1", "d1", "d2"]
    assert read_text(path, Layout(text_column="ref")).lines == ["a cat, black", "b", "c"]
    assert read_text(write(tmp_path / "r.csv", "id,ref\n1,a\n2,b\n")).lines == ["a", "b"]


def test_commas_in_text_and_in_a_name_separate_no_columns(tmp_path: Path) -> None:
    lines = ["Well, he said; then he went.", "So, it ended."]
    assert read_text(write(tmp_path / "ref.txt", lines)).lines == lines
    (table,) = read_scores(write(tmp_path / "a.txt", "errors, in points\n1\n2\n"))
    assert table.columns["errors, in points"].tolist() == [1.0, 2.0]


def test_json_on_one_line_may_be_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain, "LINE_LIMIT", 100)
    rows = [{"id": f"q{i}", "score": i / 2} for i in range(50)]
    (table,) = read_scores(write(tmp_path / "list.json", json.dumps(rows)))
    assert table.columns["score"].tolist() == [i / 2 for i in range(50)]
    both = read_scores(write(tmp_path / "comet.json", json.dumps({"base": rows, "new": rows})))
    assert [one.system for one in both] == ["base", "new"]
    texts = [{"id": str(i), "ref": "r", "base": "b", "new": "n"} for i in range(9)]
    assert len(corpus_from_table(write(tmp_path / "all.json", json.dumps(texts))).references[0]) == 9
    monkeypatch.setattr(plain, "SIZE_LIMIT", 200)
    with refused(line=1, naming=["list.json"]):
        read_scores(write(tmp_path / "list.json", json.dumps(rows)))
    with refused(line=1, naming=["text.txt", "100"]):
        read_text(write(tmp_path / "text.txt", f"[{'x' * 101}\n"))


@pytest.mark.parametrize(
    ("fields", "separator", "told"),
    [
        ("1.769 741 12.345", ";", True),
        ("1.769 741", ",", False),
        *((fields, ";", False) for fields in ("1.769 74", "1.769 741 0.812", "1.769 741.5", "1.769 2.112", "741 1769")),
    ],
)
def test_dots_that_separate_thousands_are_told(tmp_path: Path, fields: str, separator: str, told: bool) -> None:
    rows = [f"id{separator}ms", *(f"{i}{separator}{field}" for i, field in enumerate(fields.split()))]
    notes = read_scores(write(tmp_path / "a.csv", rows))[0].notes
    said = [str(note) for note in notes if note.kind == "thousands"]
    assert [all(one in text for one in ("'ms'", "741", "1.769")) for text in said] == [True] * told
