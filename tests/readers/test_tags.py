"""Tagged words in columns."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.readers.files import location, write
from tests.refusals import refused
from truegain.readers.any_format import read_text
from truegain.readers.corpora import read_corpus
from truegain.readers.tags import TaggedWords

GOLD = """-DOCSTART- -X- -X- O

EU NNP B-NP B-ORG
rejects VBZ B-VP O

Peter NNP B-NP B-PER
-DOCSTART- -X- -X- O


BRUSSELS NNP B-NP B-LOC
"""
APART = GOLD.replace("B-PER\n-DOC", "B-PER\n\n-DOC")


def test_sentences_and_documents(tmp_path: Path) -> None:
    found = read_text(write(tmp_path / "gold.conll", APART))
    assert isinstance(found, TaggedWords)
    assert found.lines == ["B-ORG O", "B-PER", "B-LOC"]
    assert found.words == [["EU", "rejects"], ["Peter"], ["BRUSSELS"]]
    assert found.documents == ("document 1", "document 1", "document 2")
    assert found.places == [3, 6, 11]


def test_tabs_and_no_documents(tmp_path: Path) -> None:
    found = read_text(write(tmp_path / "gold.bio", "New York\tB-LOC\nis\tO\n \n\n\nbig\tO"))
    assert isinstance(found, TaggedWords)
    assert found.lines == ["B-LOC O", "O"]
    assert found.words == [["New York", "is"], ["big"]]
    assert found.documents is None


@pytest.mark.parametrize("ending", ["conll", "bio", "iob", "iob2", "bioes"])
def test_endings_and_documents_as_units(tmp_path: Path, ending: str) -> None:
    gold = write(tmp_path / f"gold.{ending}", APART)
    corpus = read_corpus([write(tmp_path / f"new.{ending}", APART.replace("B-ORG", "B-PER"))], [gold])
    assert corpus.documents == ("document 1", "document 1", "document 2")
    assert corpus.systems[0].runs[0].outputs == ("B-PER O", "B-PER", "B-LOC")


def test_lines_of_tags_go_with_columns(tmp_path: Path) -> None:
    gold = write(tmp_path / "gold.conll", "a B-X\nb O\n\nc O\n")
    assert read_corpus([write(tmp_path / "new.txt", "O O\nO\n")], [gold]).systems[0].runs[0].outputs == ("O O", "O")


def test_documents_must_agree_where_both_have_them(tmp_path: Path) -> None:
    gold = write(tmp_path / "gold.conll", "-DOCSTART- O\n\na O\n\n-DOCSTART- O\n\nb O\n")
    with refused(naming=["'document 1'", "new.conll", "2", "'document 2'"]):
        read_corpus([write(tmp_path / "new.conll", "-DOCSTART- O\n\na O\n\nb B-X\n")], [gold])
    without = write(tmp_path / "without.conll", "a O\n\nb B-X\n")
    assert read_corpus([without], [gold]).documents == ("document 1", "document 2")
    assert read_corpus([without], [gold], documents=write(tmp_path / "docs.txt", "x\ny\n")).documents == ("x", "y")


@pytest.mark.parametrize(
    ("text", "line", "naming"),
    [
        ("a O\n\nb\n", 3, ["'b'", "EU B-ORG"]),
        ("a\tO\nb\t\n", 2, ["'b'"]),
        (GOLD, 7, ["document"]),
        ("\n-DOCSTART- O\n\n", None, []),
    ],
)
def test_what_is_refused_by_line(tmp_path: Path, text: str, line: int | None, naming: list[str]) -> None:
    path = write(tmp_path / "a.conll", text)
    with refused(naming=[location(path, line), *naming]):
        read_text(path)


@pytest.mark.parametrize(
    ("text", "line", "naming"), [("a O\n\nx O\nc O\n", 3, ["'x'", "'b'"]), ("a O\n\nb O\n", 4, ["'c'"])]
)
def test_other_words_are_refused_where_they_stand(tmp_path: Path, text: str, line: int, naming: list[str]) -> None:
    gold = write(tmp_path / "gold.conll", "a O\n\n\nb O\nc O\n")
    new = write(tmp_path / "new.conll", text)
    with refused(path=new, line=line, naming=["sentence 2", f"({gold}", f"line {line + 1})", *naming]):
        read_corpus([new], [gold])
