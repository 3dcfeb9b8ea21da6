"""WMT's files of general translation: JSON lines of documents, outputs and segments, and ratings of people."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest

from tests.readers.files import location, write
from tests.refusals import refused
from truegain.corpus import Corpus
from truegain.readers.columns import corpus_from_table
from truegain.readers.corpora import read_corpus

Records = list[dict[str, Any]]

DOCUMENTS = [f"cs-de_DE_#_{domain}_#_doc{i}" for domain in ("news", "social") for i in range(2)]


def documents() -> Records:
    same = {"src_lang": "cs", "tgt_lang": "de_DE", "src_text": "jedna\n\ndva", "video": None}
    found = []
    for i, name in enumerate(DOCUMENTS):
        refs = {"refA": {"ref": f"eins {i}\n\nzwei"}, "refB": {"ref": f"ein {i}"}}
        found.append({"doc_id": name, **same, "domain": name.split("_#_")[1], "refs": refs})
    return found


def outputs(system: str) -> Records:
    return [{"doc_id": name, "hypothesis": f"{system} {i}\n\nzwei"} for i, name in enumerate(DOCUMENTS)]


def segments() -> Records:
    """Eight segments; B was rated twice, and the last segment was not rated."""
    found = []
    for place in range(8):
        scores = {
            "Sys-1.5": {"human1": 10 * place, "annotator1": "x", "errors1": [], "times1": [1, 2]},
            "B": {"human1": 50, "annotator1": "y", "errors1": [], "human2": 60, "annotator2": "z", "errors2": []},
        }
        texts = {"refA": f"r {place}", "Sys-1.5": f"a {place}", "B": f"b {place}", "C": f"c {place}"}
        rated = {"scores": scores if place < 7 else {}, "src_text": f"s {place}", "tgt_text": texts}
        found.append({**rated, "doc_id": f"{DOCUMENTS[place // 2]}_#_{place % 2}"})
    return found


def esa() -> Records:
    same = {"src": "s", "tgt": "t", "domain": "news"}
    spans = [{"start_i": 1, "end_i": 2, "severity": "minor"}]
    found = []
    for document, segment, system in itertools.product(range(3), range(2), "AB"):
        item = {"langs": "en-cs", "line_id": 2 * document + segment, **same, "doc_id": f"doc{document}"}
        score = str(10 * document + segment) if system == "A" else 5.5
        rated = {"esa_spans": spans, "esa_score": score, "system": system, "annotator": f"u{document}"}
        found.append({**item, **rated})
    return found


APPRAISE = """engces1,ende-tutorial1,1000001,TGT,eng,ces,0,ende-tutorial1,False,[],1.5,1.5
engces1,A,0,TGT,eng,ces,80,doc0,False,"[{""start_i"":54,""end_i"":57,""severity"":""minor""}]",2.5,3.5
engces1,A,1,TGT,eng,ces,60,doc0,False,[],2.5,3.5
engces1,A,1,TGT,eng,ces,70,doc0,False,[],2.5,9.5
engces2,A,0,TGT,eng,ces,90,doc0,False,[],2.5,3.5
engces2,B,0,TGT,eng,ces,40,doc0,False,[],2.5,3.5
engces1,B,0,BAD,eng,ces,1,doc0#bad,False,[],2.5,3.5
engces1,B,0,REF,eng,ces,100,doc0,False,[],2.5,3.5
engces1,B,1,TGT,eng,ces,30,doc0,False,[],2.5,3.5
engces1,B,1,TGT,eng,ces,35,doc0,True,[],2.5,3.5
engces1,B,2,TGT,eng,ces,20,doc1#incomplete,False,[],2.5,3.5
engces1,B,2,TGT,eng,ces,25,doc1,False,[],2.5,3.5
"""


def scores(corpus: Corpus) -> dict[str, list[float]]:
    return {system.name: system.runs[0].scores["score"].tolist() for system in corpus.systems}


def test_a_document_per_line(tmp_path: Path) -> None:
    reference = write(tmp_path / "wmt25-genmt.jsonl", documents())
    systems = [write(tmp_path / f"{name}.jsonl", outputs(name)[::step]) for name, step in (("A", -1), ("B", 1))]
    corpus = read_corpus(systems, [reference])
    assert corpus.references == (tuple(f"eins {i}\n\nzwei" for i in range(4)), tuple(f"ein {i}" for i in range(4)))
    assert corpus.systems[0].runs[0].outputs == tuple(f"A {i}\n\nzwei" for i in range(4))
    assert ("documents", reference) in [(note.kind, note.file) for note in corpus.notes]
    assert read_corpus(systems, [f"{reference}:refB"]).references == corpus.references[1:]


def test_other_objects_with_a_hypothesis_are_a_table(tmp_path: Path) -> None:
    """The id of a document may stand on the lines of several segments."""
    records = {name: [{"doc_id": "d", "hypothesis": f"{name} {i}"} for i in range(3)] for name in "ar"}
    paths = [write(tmp_path / f"{name}.jsonl", own) for name, own in records.items()]
    corpus = read_corpus(paths[:1], paths[1:])
    assert (corpus.segments, corpus.inputs.pairing) == (3, "line")
    # So are WMT's own if columns are named.
    paths = [write(tmp_path / f"{name}.jsonl", outputs(name)) for name in "AR"]
    corpus = read_corpus(paths[:1], paths[1:], id_column="doc_id", text_column="hypothesis")
    assert [file.column for file in corpus.inputs.files] == ["hypothesis", "hypothesis"]


def test_segments_with_all_outputs(tmp_path: Path) -> None:
    path = write(tmp_path / "wmt25-genmt-humeval.jsonl", segments())
    corpus = read_corpus([path], [path])
    assert [system.name for system in corpus.systems] == ["Sys-1.5", "B", "C"]
    assert corpus.references == (tuple(f"r {i}" for i in range(8)),)
    assert corpus.documents == tuple(DOCUMENTS[i // 2] for i in range(8))
    both = read_corpus([f"{path}:B", f"one={path}:Sys-1.5"], [f"{path}:refA"])
    assert [system.name for system in both.systems] == ["B", "one"]


def test_ratings_of_segments(tmp_path: Path) -> None:
    path = write(tmp_path / "wmt25-genmt-humeval.jsonl", segments())
    corpus = read_corpus([path], outputs_are_scores=True)
    assert scores(corpus) == {"B": [55] * 7, "Sys-1.5": [10 * i for i in range(7)]}
    assert corpus.domains == ("news",) * 4 + ("social",) * 3
    (note,) = (note for note in corpus.notes if note.kind == "not-rated")
    assert all(told in note.text for told in ("1 of 8", "7 are compared"))
    beside = read_corpus([f"{path}:B", f"{path}:Sys-1.5"], [f"{path}:refA"], scores=[path])
    assert scores(beside) == scores(corpus)
    assert beside.references == (tuple(f"r {i}" for i in range(7)),)


def test_lists_of_ratings_and_a_rating_per_line(tmp_path: Path) -> None:
    ratings = {"B": [{"human": 10, "annotator": "x"}, {"score": 30, "annotator": "y"}], "C": [{"human": 5}]}
    records = [{**one, "scores": ratings} for one in segments()]
    corpus = read_corpus([write(tmp_path / "control.jsonl", records)], outputs_are_scores=True)
    assert scores(corpus) == {"B": [20] * 8, "C": [5] * 8}
    # And a rating per line.
    corpus = read_corpus([write(tmp_path / "wmt24_esa.jsonl", esa())], outputs_are_scores=True)
    assert scores(corpus) == {"A": [0, 1, 10, 11, 20, 21], "B": [5.5] * 6}
    assert corpus.documents == ("doc0", "doc0", "doc1", "doc1", "doc2", "doc2")


@pytest.mark.parametrize("name", ["wave0.csv", "wave0.txt", "wave0"])
def test_appraise(tmp_path: Path, name: str) -> None:
    path = write(tmp_path / name, APPRAISE)
    corpus = read_corpus([path], outputs_are_scores=True)
    assert scores(corpus) == {"A": [85, 70], "B": [40, 30]}
    left = (
        "2 control items (",
        "1 items of a tutorial",
        "1 scores of whole documents",
        "1 items that fill a task (documents marked with #)",
        "1 ratings that the same person gave again later",
    )
    said = "\n".join(str(note) for note in corpus.notes if note.kind == "left-out")
    assert not [one for one in (*(f"{path}: {one}" for one in left), "BAD", "REF", "CHK") if one not in said]
    assert any(str(one).startswith("Warning: 1 of 3 segments lack a score of some system") for one in corpus.notes)
    assert scores(corpus_from_table(path, ["B"], scores=True)) == {"B": [40, 30, 25]}
    first, *rows = APPRAISE.splitlines(keepends=True)
    turned = write(tmp_path / "b.csv", "".join([first, *reversed(rows)]))
    parts = [write(tmp_path / f"{i}.csv", "".join(own)) for i, own in enumerate((rows[:4], rows[4:]))]
    for files in ([turned], parts):
        assert scores(read_corpus(files, outputs_are_scores=True)) == scores(corpus)


def changed(records: Records, place: int, **values: Any) -> Records:
    return [*records[:place], {**records[place], **values}, *records[place + 1 :]]


RATED, TRANSLATED = segments(), documents()
#: What a file holds, the line that is wrong, and what an error must name.
BROKEN_TEXTS: list[tuple[Records, int | None, list[object]]] = [
    (changed(RATED, 2, tgt_text={"refA": "r", "B": "b"}), 3, ["'Sys-1.5'"]),
    (changed(RATED, 2, tgt_text={**RATED[0]["tgt_text"], "D": "d"}), 3, ["'D'"]),
    (changed(TRANSLATED, 1, refs={}), 2, ["'refA'"]),
    (changed(TRANSLATED, 1, refs={"refA": {"ref": 3}}), 2, ["'refA'"]),
    (changed(RATED, 1, tgt_text=[1]), 2, ["'tgt_text'"]),
    (changed(RATED, 4, doc_id=None), 5, ["'doc_id'"]),
    (changed(TRANSLATED, 3, doc_id="en-cs_CZ_#_news_#_d"), None, [2, "cs-de_DE", "en-cs_CZ"]),
    ([{**one, "refs": {}} for one in TRANSLATED], None, ["reference"]),
]


BROKEN_RATINGS: list[tuple[list[Any] | str, int | None, list[object]]] = [
    (changed(RATED, 1, scores={"B": 3}), 2, ["'B'"]),
    (changed(esa(), 1, esa_score="good"), 2, ["'esa_score'", "good"]),
    (changed(esa(), 1, esa_score=None), 2, ["'esa_score'", "None"]),
    (changed(RATED, 0, scores={"B": {"human1": 1e999}}), 1, ["inf"]),
    (changed(esa(), 5, system=""), 6, ["'system'"]),
    (changed(esa(), 5, langs="en-de"), None, [2, "en-cs", "en-de"]),
    ([{**one, "scores": {}} for one in RATED], None, ["no ratings"]),
    ([esa()[0], [1]], 2, ["object"]),
    (APPRAISE + "u,A,1,XYZ,eng,ces,1,d,False,[],1,2\n", 13, ["'XYZ'"]),
    (APPRAISE + "u,A,1,TGT,eng\n", 13, [5, 11]),
    (APPRAISE + "u,A,1,TGT,eng,ces,good,d,False,[],1,2\n", 13, ["'good'"]),
    (APPRAISE + 'u,A,1,TGT,eng,ces,1,d,False,"[],1,2\n', 13, ["CSV"]),
    (APPRAISE + "u,A,1,TGT,eng,deu,1,d,False,[],1,2\n", None, [2, "deu"]),
    (APPRAISE.replace("TGT", "CHK"), None, ["no ratings"]),
]


@pytest.mark.parametrize(
    ("ratings", "content", "line", "naming"),
    [*((False, *one) for one in BROKEN_TEXTS), *((True, *one) for one in BROKEN_RATINGS)],
)
def test_broken_files_are_refused(
    tmp_path: Path, ratings: bool, content: list[Any] | str, line: int | None, naming: list[object]
) -> None:
    path = write(tmp_path / ("a.csv" if isinstance(content, str) else "a.jsonl"), content)
    system, references = (path, []) if ratings else (write(tmp_path / "b.jsonl", outputs("b")), [path])
    with refused(naming=[location(path, line), *naming]):
        read_corpus([system], references, outputs_are_scores=ratings)


def test_what_else_is_refused(tmp_path: Path) -> None:
    with refused(naming=["'x'"]):
        read_corpus([write(tmp_path / "a.jsonl", outputs("a")) + ":x"], [write(tmp_path / "refs.jsonl", documents())])
    for name, content in (("a.csv", APPRAISE), ("b.jsonl", esa())):
        with refused(naming=["'seg'"]):
            read_corpus([f"a={write(tmp_path / name, content)}"], outputs_are_scores=True, id_column="seg")
