"""Trees in brackets: what is read, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.readers.files import location, write
from tests.refusals import refused
from truegain.errors import InputError
from truegain.readers.any_format import read_text
from truegain.readers.corpora import read_corpus
from truegain.readers.trees import Tree, parse_tree


def test_words_tags_and_brackets() -> None:
    tree = parse_tree("(S (NP-SBJ (-NONE- *T*-1)) (VP (VBZ is) (NP (DT a) (NN tree))) (-LRB- -LRB-))")
    words, tags = ["*T*-1", "is", "a", "tree", "-LRB-"], ["-NONE-", "VBZ", "DT", "NN", "-LRB-"]
    assert tree == Tree(words, tags, [("S", 0, 5), ("NP-SBJ", 0, 1), ("VP", 1, 4), ("NP", 2, 4)])


@pytest.mark.parametrize("text", ["", "  ", "()", "(())", "(TOP)", "( (S) )"])
def test_trees_of_no_word_and_of_one(text: str) -> None:
    assert parse_tree(text).words == []
    assert parse_tree("(UH Yes)") == Tree(["Yes"], ["UH"], [])


def test_trees_over_several_lines(tmp_path: Path) -> None:
    text = "\n( (S\n    (NP (PRP We))\n\t(VP (VBP see)) ) )\n\n(TOP (INTJ (UH Yes)))(())\n"
    found = read_text(write(tmp_path / "a.mrg", text)).lines
    assert found == ["((S (NP (PRP We)) (VP (VBP see))))", "(TOP (INTJ (UH Yes)))", "(())"]


@pytest.mark.parametrize("ending", ["mrg", "ptb", "PARSE"])
def test_endings(tmp_path: Path, ending: str) -> None:
    gold = write(tmp_path / f"gold.{ending}", "(S (A a)\n (B b))\n")
    corpus = read_corpus([write(tmp_path / f"system.{ending}", "(S (X (A a)\n (B b)))\n")], [gold])
    assert corpus.references == (("(S (A a) (B b))",),)
    assert corpus.systems[0].runs[0].outputs == ("(S (X (A a) (B b)))",)


@pytest.mark.parametrize(
    ("text", "line", "naming"),
    [
        ("(S (A a))\n)\n", 2, ["closed", "not opened"]),
        ("(S (A a))\nwords\n", 2, ["'words'"]),
        ("(S (A a))\n\n(S (A a)\n (B b)\n", 3, ["not closed", "1 )"]),
        ("(S (A a))\n(S (A a)\n b)\n", 2, ["'b'", "bracket S"]),
        ("(S a b)\n", 1, ["'a'", "bracket S"]),
        ("\n\n", None, []),
    ],
)
def test_what_is_no_tree_is_refused_by_line(tmp_path: Path, text: str, line: int | None, naming: list[str]) -> None:
    path = write(tmp_path / "a.mrg", text)
    with refused(naming=[location(path, line), *naming]):
        read_text(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(S (A a)", ["1"]),
        ("(S (A a)))", ["')'"]),
        ("(S (A a)) (S (A a))", ["'('"]),
        ("a house", ["'a'"]),
        ("(S (A a", ["'a'"]),
    ],
)
def test_what_is_not_one_tree(text: str, message: list[str]) -> None:
    with refused(naming=message):
        parse_tree(text)


def test_trees_are_counted_as_trees(tmp_path: Path) -> None:
    gold = write(tmp_path / "gold.mrg", "(S (A a)\n (B b))\n\n(S\n (C c))\n")
    system = write(tmp_path / "system.mrg", "(S (A a)\n (B b))\n\n")
    with refused(naming=["'(S (C c))'", "1", "2", system, gold]):
        read_corpus([system], [gold])


def test_the_example_in_a_hint_is_a_tree(tmp_path: Path) -> None:
    with pytest.raises(InputError) as raised:
        read_text(write(tmp_path / "a.mrg", "words\n"))
    hint = raised.value.hint or ""
    assert parse_tree(hint.removeprefix("trees are written ")).words == ["trees", "grow"]
