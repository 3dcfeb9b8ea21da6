"""CoNLL-U, trees in brackets and tagged words: what is read, what is refused, and words that must be the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.readers.files import location, write
from tests.refusals import refused
from truegain.errors import InputError
from truegain.readers.any_format import read_text
from truegain.readers.corpora import read_corpus
from truegain.readers.memory import corpus_from_memory
from truegain.readers.tags import TaggedWords
from truegain.readers.treebank import Treebank
from truegain.readers.trees import Tree, parse_tree


def row(identity: int | str, form: str, head: int | str = "_", relation: str = "_") -> str:
    return f"{identity}\t{form}\t_\tX\t_\t_\t{head}\t{relation}\t_\t_"


GOLD = [
    "# newdoc id = one",
    "# sent_id = s1",
    "# text = Vámonos ya.",
    "1-2\tVámonos" + "\t_" * 8,
    row(1, "Vamos", 0, "root"),
    row(2, "nos", 1, "obj"),
    row(3, "ya", 1, "advmod"),
    row("3.1", "empty"),
    row(4, ".", 1, "punct"),
    "",
    "# sent_id = s2",
    row(1, "No", 0, "root"),
    "",
    "# newdoc",
    "# sent_id = s3",
    row(1, "2 000", 2, "nummod"),
    row(2, "casas", 0, "root"),
    "",
]


def test_sentences_ids_and_documents(tmp_path: Path) -> None:
    found = read_text(write(tmp_path / "gold.conllu", GOLD))
    assert found.ids == ("s1", "s2", "s3")
    assert found.documents == ("one", "one", "document 2")
    assert found.notes == ()
    assert isinstance(found, Treebank)
    assert found.words.text == "Vámonosya.No2000casas"
    assert found.lines == [
        "1\tVamos\tX\t0\troot\n2\tnos\tX\t1\tobj\n3\tya\tX\t1\tadvmod\n4\t.\tX\t1\tpunct",
        "1\tNo\tX\t0\troot",
        "1\t2000\tX\t2\tnummod\n2\tcasas\tX\t0\troot",
    ]


def test_no_documents_and_no_ids(tmp_path: Path) -> None:
    bare = read_text(write(tmp_path / "a.conllu", [line for line in GOLD if not line.startswith("#")]))
    assert (bare.ids, bare.documents) == (None, None)
    assert read_text(write(tmp_path / "b.conllu", [line.replace("s3", "s1") for line in GOLD])).ids is None
    late = read_text(write(tmp_path / "c.conllu", GOLD[1:]))
    assert late.documents == ("before the first document",) * 2 + ("document 1",)
    # The last empty line may be missing, and others may be too many.
    whole = read_text(write(tmp_path / "d.conllu", GOLD))
    assert read_text(write(tmp_path / "e.conllu", [*GOLD[:10], "", *GOLD[10:-1]])).lines == whole.lines


def test_other_tokens_and_sentences_are_brought_onto_the_gold_words(tmp_path: Path) -> None:
    gold = write(tmp_path / "gold.conllu", GOLD)
    system = [
        "1-2\tVámonos" + "\t_" * 8,
        row(1, "vamos", 3, "aux"),  # its head is in no gold sentence of its own: "ya" is, and is aligned
        row(2, "se", 1, "obj"),
        row(3, "ya", 0, "root"),
        row(4, ".", 5, "punct"),  # the head is in another sentence of the gold treebank
        row(5, "No", 3, "discourse"),
        row(6, "2", 7, "nummod"),
        row(7, "000", 8, "nummod"),
        row(8, "casas", 3, "obj"),
        "",
    ]
    path = write(tmp_path / "system.conllu", system)
    corpus = read_corpus([path], [gold])
    assert corpus.systems[0].runs[0].outputs == (
        "1\tvamos\tX\t3\taux\n_\tse\tX\t_\tobj\n3\tya\tX\t0\troot\n4\t.\tX\t_\tpunct",
        "1\tNo\tX\t_\tdiscourse",
        "_\t2\tX\t_\tnummod\n_\t000\tX\t_\tnummod\n2\tcasas\tX\t_\tobj",
    )
    assert corpus.documents == ("one", "one", "document 2")
    given = write(tmp_path / "docs.txt", ["x", "y", "z"])
    assert read_corpus([path], [gold], documents=given).documents == ("x", "y", "z")
    from_memory = corpus_from_memory(gold, {"system": Path(path)})
    assert from_memory.systems[0].runs[0].outputs == corpus.systems[0].runs[0].outputs


def test_a_copy_of_the_gold_treebank_is_mentioned(tmp_path: Path) -> None:
    gold = write(tmp_path / "gold.conllu", GOLD)
    copy = write(tmp_path / "copy.conllu", [line for line in GOLD if not line.startswith("#")])
    assert f"{copy}: its outputs are {gold} to the letter" in " ".join(map(str, read_corpus([copy], [gold]).notes))
    with refused(naming=["gold.conllu"]):
        read_corpus([gold], [gold])


def test_zeros_are_the_root_and_sentences_without_one_are_noted(tmp_path: Path) -> None:
    path = write(tmp_path / "a.conllu", [row(1, "a", 0), row(2, "b", 0), "", row(1, "c", 1), ""])
    (note,) = read_text(path).notes
    assert (note.kind, note.file) == ("roots", path)
    assert "2 sentences" in note.text
    assert "sentence 1" in note.text
    zeros = read_text(write(tmp_path / "zeros.conllu", [row(1, "a", 0), "", row(1, "b", "00"), ""]))
    assert isinstance(zeros, Treebank)
    assert zeros.words.heads == [-1, -1]
    assert zeros.lines[1].split("\t")[3] == "0"


@pytest.mark.parametrize(
    ("lines", "line", "naming"),
    [
        (["some text"], 1, ["1 column", 10, "treebank"]),
        ([row(1, "a", 0), row(3, "b", 1)], 2, ["'3'", 2]),
        ([row("x", "a", 0)], 1, ["'x'", 1]),
        ([row(1, "a"), ""], 1, ["HEAD", "'_'", "parsed"]),
        ([row(1, "a", -1), ""], 1, ["HEAD", "'-1'", 0]),
        ([row(1, "a", 0), row(2, "b", 3), ""], 2, ["HEAD", 3, 2]),
        ([row(1, " \u00a0", 0)], 1, ["FORM"]),
        ([row("1-2", "a"), row(1, "b", 0), ""], 3, ["word 1", "up to 2"]),
        ([row("2-3", "a")], 1, ["'2-3'", "1-2"]),
        ([row("1-3", "a"), row(1, "b", 0), row("2-4", "c")], 3, ["'2-4'", "2-3"]),
        ([row("1-x", "a")], 1, ["'1-x'", "1-2"]),
        (["# newdoc", ""], None, []),  # comments alone
    ],
)
def test_odd_treebanks_are_refused(tmp_path: Path, lines: list[str], line: int | None, naming: list[object]) -> None:
    path = write(tmp_path / "odd.conllu", lines)
    with refused(path=path, line=line, naming=naming):
        read_text(path)


def test_another_text_is_refused_where_it_parts(tmp_path: Path) -> None:
    gold = write(tmp_path / "gold.conllu", GOLD)
    system = write(tmp_path / "system.conllu", [line.replace("No", "Na") for line in GOLD])
    with refused(naming=["'a2000casas'", "'o2000casas'", "12", system, gold]):
        read_corpus([system], [gold])
    with refused(naming=["short.conllu:9", "'No2000casas'"]):
        read_corpus([write(tmp_path / "short.conllu", GOLD[:10])], [gold])
    with refused(naming=["system.txt", "gold.conllu"]):  # which is no parse at all
        read_corpus([write(tmp_path / "system.txt", ["a", "b", "c"])], [gold])


# ---- Trees in brackets


def test_words_tags_and_brackets() -> None:
    tree = parse_tree("(S (NP-SBJ (-NONE- *T*-1)) (VP (VBZ is) (NP (DT a) (NN tree))) (-LRB- -LRB-))")
    words, tags = ["*T*-1", "is", "a", "tree", "-LRB-"], ["-NONE-", "VBZ", "DT", "NN", "-LRB-"]
    assert tree == Tree(words, tags, [("S", 0, 5), ("NP-SBJ", 0, 1), ("VP", 1, 4), ("NP", 2, 4)])
    assert [parse_tree(text).words for text in ("", "  ", "()", "(())", "(TOP)", "( (S) )")] == [[]] * 6
    assert parse_tree("(UH Yes)") == Tree(["Yes"], ["UH"], [])


def test_trees_over_several_lines(tmp_path: Path) -> None:
    text = "\n( (S\n    (NP (PRP We))\n\t(VP (VBP see)) ) )\n\n(TOP (INTJ (UH Yes)))(())\n"
    lines = ["((S (NP (PRP We)) (VP (VBP see))))", "(TOP (INTJ (UH Yes)))", "(())"]
    for ending in ("mrg", "ptb", "PARSE"):
        gold = write(tmp_path / f"gold.{ending}", text)
        assert read_text(gold).lines == lines
    system = write(tmp_path / "system.mrg", lines[0])
    with refused(naming=["'(TOP (INTJ (UH Yes)))'", "1", "3", system, gold]):
        read_corpus([system], [gold])


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


def test_the_example_in_a_hint_is_a_tree(tmp_path: Path) -> None:
    with pytest.raises(InputError) as raised:
        read_text(write(tmp_path / "a.mrg", "words\n"))
    hint = raised.value.hint or ""
    assert parse_tree(hint.removeprefix("trees are written ")).words == ["trees", "grow"]


# ---- Tagged words in columns


TAGGED = """-DOCSTART- -X- -X- O

EU NNP B-NP B-ORG
rejects VBZ B-VP O

Peter NNP B-NP B-PER
-DOCSTART- -X- -X- O


BRUSSELS NNP B-NP B-LOC
"""
APART = TAGGED.replace("B-PER\n-DOC", "B-PER\n\n-DOC")


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
    lines = write(tmp_path / "new.txt", "O O\nO\nO\n")  # go with columns
    assert read_corpus([lines], [gold]).systems[0].runs[0].outputs == ("O O", "O", "O")


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
        (TAGGED, 7, ["document"]),
        ("\n-DOCSTART- O\n\n", None, []),
    ],
)
def test_what_are_no_tags(tmp_path: Path, text: str, line: int | None, naming: list[str]) -> None:
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
