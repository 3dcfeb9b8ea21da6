"""Tables, trn files, and texts matched by their ids."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import truegain as tg
from tests.refusals import refused
from truegain.readers.any_format import read_table, read_text
from truegain.readers.columns import corpus_from_table
from truegain.readers.corpora import read_corpus
from truegain.readers.documents import read_documents
from truegain.readers.formats import Layout
from truegain.readers.matching import Ids
from truegain.readers.memory import corpus_from_memory

REFERENCES = ["the cat sat", "a dog ran", "it was late"]
BASE = ["the cat sits", "a dog runs", "it is late"]
NEW = ["the cat sat", "a dog ran off", "it was late now"]

Write = Callable[..., str]


def outputs(corpus: tg.Corpus, name: str, run: int = 0) -> list[str]:
    return list(corpus.system(name).runs[run].outputs or ())


def test_one_table_holds_everything(write: Write) -> None:
    lines = enumerate(zip(REFERENCES, BASE, NEW, strict=True))
    rows = [f"{i}\td{i // 2}\tnews\t{r}\t{r}!\t{b}\t{n}" for i, (r, b, n) in lines]
    path = write("all.tsv", "id\tdocid\tdomain\tref1\tref2\tbase\tnew", *rows)
    corpus = corpus_from_table(path)
    assert [system.name for system in corpus.systems] == ["base", "new"]
    assert corpus.references == (tuple(REFERENCES), tuple(f"{line}!" for line in REFERENCES))
    assert corpus.documents == ("d0", "d0", "d1")
    assert corpus.domains == ("news",) * 3
    assert corpus.name == "all"
    chosen = corpus_from_table(path, ["new", "old=base"], reference_columns=["ref2"], document_column="domain")
    assert [system.name for system in chosen.systems] == ["new", "old"]
    assert len(chosen.references) == 1
    assert chosen.documents == ("news",) * 3


def test_runs_are_columns_that_match(write: Write) -> None:
    lines = zip(REFERENCES, BASE, NEW, strict=True)
    records = ({"reference": r, "bpe.1": b, "bpe.2": n, "word": f"{b} x"} for r, b, n in lines)
    path = write("all.jsonl", *records)
    corpus = corpus_from_table(path, ["word", "bpe=bpe.*"])
    assert [run.name for run in corpus.system("bpe").runs] == ["bpe.1", "bpe.2"]
    assert outputs(corpus, "bpe", 1) == NEW
    assert len(corpus_from_table(path, ["word", "bpe=bpe.2,bpe.1"]).system("bpe").runs) == 2


def test_missing_references_in_json_lines(write: Write) -> None:
    corpus = corpus_from_table(write("all.jsonl", {"ref1": "a b", "ref2": "a c", "x": "a"}, {"ref1": "d", "x": "d e"}))
    assert corpus.references == (("a b", "d"), ("a c", None))
    assert "nrefs:var" in tg.score(corpus, resamples=10).metrics[0].signature


@pytest.mark.parametrize(
    ("name", "lines", "options", "naming"),
    [
        ("all.tsv", ["ref\tx", "a"], {}, ["1", "2"]),
        ("all.tsv", ["ref\tx", "a\tb"], {"systems": ["y"]}, ["'y'"]),
        ("all.tsv", ["ref\tx", "a\tb"], {"reference_columns": ["reff"]}, ["'ref'"]),
        ("all.tsv", ["ref\tx", "a\tb"], {"id_column": "key"}, []),
        ("all.tsv", ["ref\ta", "x\ty", "z\tw"], {"systems": ["a", "ref"]}, ["'ref'"]),  # a reference or a system
        ("all.tsv", ["id\tref\tx", "1\ta\tb", "2\ta\tb", "1\ta\tb"], {}, ["'1'", "1", "3"]),
        ("all.jsonl", ['{"ref": "a", "x": "b"}', '{"ref": "a", "x": null}'], {}, ["'x'", "2"]),
    ],
)
def test_tables_that_do_not_fit(write: Write, name: str, lines: list[str], options: Any, naming: list[str]) -> None:
    with refused(naming=naming):
        corpus_from_table(write(name, *lines), **options)


def test_json_values_that_are_no_texts(write: Write) -> None:
    table = read_table(write("x.jsonl", {"id": 7, "x": "a", "y": [1, "é"]}, {"id": 8, "z": "b"}))
    columns = {name: list(column) for name, column in table.columns.items()}
    assert columns == {"id": ["7", "8"], "x": ["a", None], "y": ['[1, "é"]', None], "z": [None, "b"]}


@pytest.mark.parametrize(("line", "naming"), [("{", "not JSON"), ("[1]", "JSON object")])
def test_bad_json_lines(write: Write, line: str, naming: str) -> None:
    with refused(line=2, naming=[naming]):
        read_table(write("x.jsonl", '{"x": "a"}', line))
    for read in (corpus_from_table, read_text):
        with refused(naming=["x.jsonl:1"]):
            read(write("x.jsonl", "{}", "{}"))


def test_trn(write: Write) -> None:
    path = write("x.trn", ";; a comment", "the cat sat (spk1-01)", "", "(spk1-02)", "odd (noise) word (spk1-03) ")
    found = read_text(path)
    assert found.lines == ["the cat sat", "", "odd (noise) word"]
    assert found.ids == ("spk1-01", "spk1-02", "spk1-03")
    with refused(line=2):
        read_text(write("y.trn", "a (1)", "no id here"))
    with refused(naming=["z.trn"]):
        read_text(write("z.trn", ";; nothing"))


def test_ids_are_matched_not_assumed(write: Write) -> None:
    reference = write("ref.trn", *(f"{line} (u{i})" for i, line in enumerate(REFERENCES)))
    base = write("base.trn", *(f"{line} (u{i})" for i, line in reversed(list(enumerate(BASE)))))
    new = write("new.jsonl", *({"utt_id": f"u{i}", "text": NEW[i]} for i in (1, 2, 0)))
    in_memory = corpus_from_memory(Path(reference), {"base.trn": Path(base), "new.jsonl": Path(new)})
    for corpus in (read_corpus([base, new], [reference]), in_memory):
        assert corpus.references == (tuple(REFERENCES),)
        assert outputs(corpus, "base.trn") == BASE
        assert outputs(corpus, "new.jsonl") == NEW
    scores = write("s.tsv", "id\tscore", *(f"u{i}\t{i}" for i in (2, 0, 1)))
    scored = read_corpus([base], [reference], scores=[f"base={scores}"])
    assert scored.systems[0].runs[0].scores["score"].tolist() == [0, 1, 2]
    for count, naming in ((4, ["'u3'", "1"]), (2, ["'u2'", "1"])):
        ids = Ids("the texts", tuple(f"u{i}" for i in range(count)))
        with refused(naming=naming):
            read_documents(write("docs.tsv", "id\tdocid", "u2\ty", "u0\tx", "u1\tx"), count, ids=ids)


def test_columns_of_texts_must_be_named_as_they_are(write: Write) -> None:
    path = write("ref.tsv", "key\tsrc\tout", *(f"k{i}\t-\t{line}" for i, line in enumerate(REFERENCES)))
    assert read_text(path, Layout("key", "out")).lines == REFERENCES
    with refused("text_column", naming=["ref.tsv"]):
        read_text(path, Layout(id_column="key"))
    with refused(naming=["'out'"]):
        read_text(path, Layout(text_column="outt"))


def test_several_references_a_line(write: Write) -> None:
    reference = write("ref.tsv", "a b\tc d", "e\tf\tg")
    system = write("x.txt", "a b", "h")
    assert read_corpus([system], [reference], references_per_line=2).references == (("a b", "e"), ("c d", "f\tg"))
    with refused(line=1, naming=["2", "3"]):
        read_corpus([system], [reference], references_per_line=3)


def test_columns_are_named_for_tables_beside_lines(write: Write) -> None:
    lines = write("ref.txt", *REFERENCES)
    rows = [{"doc": "d", "mt_de": text, "note": "x"} for text in BASE]
    corpus = read_corpus([write("base.jsonl", *rows)], [lines], text_column="mt_de")
    assert (list(corpus.references[0]), outputs(corpus, "base")) == (REFERENCES, BASE)
    with refused(naming=["'mt_de'"]):
        read_corpus([write("base.txt", *BASE)], [lines], text_column="mt_de")
