"""Scores of which some are missing: files of mt-metrics-eval, and ratings of people."""

from __future__ import annotations

from pathlib import Path

import pytest

import truegain as tg
from tests.readers.files import write
from tests.refusals import refused
from truegain.readers.columns import corpus_from_table
from truegain.readers.corpora import read_corpus


def scored(values: dict[str, list[float | None]]) -> str:
    return "".join(f"{system}\t{value}\n" for system, own in values.items() for value in own)


HALF: dict[str, list[float | None]] = {"b": [1, None, 3, -4.5, 0], "a": [2, None, 1e-3, 4, 7]}


def columns(corpus: tg.Corpus) -> dict[str, list[float]]:
    return {system.name: system.runs[0].scores["score"].tolist() for system in corpus.systems}


@pytest.mark.parametrize("name", ["x.seg.score", "x.txt", "x.tsv", "x"])
def test_segments_without_a_score_are_left_out(tmp_path: Path, name: str) -> None:
    docs = write(tmp_path / "docs", "n\td1\nn\td1\nn\td2\nt\td3\nt\td3\n")
    lines = scored(HALF).splitlines(keepends=True)
    mixed = [line for pair in zip(lines[:5], lines[5:], strict=True) for line in pair]  # systems may alternate
    for own in (lines, mixed):
        corpus = read_corpus([write(tmp_path / name, "".join(own))], documents=docs, outputs_are_scores=True)
        assert columns(corpus) == {"a": [2, 1e-3, 4, 7], "b": [1, 3, -4.5, 0]}
        assert (corpus.documents, corpus.domains) == (("d1", "d2", "d3", "d3"), ("n", "n", "t", "t"))
        (note,) = [one for one in corpus.notes if one.kind == "not-rated"]
        assert all(told in note.text for told in ("1 of 5", "4 are compared"))


def test_systems_that_lack_different_segments(tmp_path: Path) -> None:
    values: dict[str, list[float | None]] = {**HALF, "c": [None, 1, 2, 3, None]}
    path = write(tmp_path / "x", scored(values))
    corpus = read_corpus([path], outputs_are_scores=True)
    assert columns(corpus) == {"a": [1e-3, 4], "b": [3, -4.5], "c": [2, 3]}
    (note,) = [one for one in corpus.notes if one.kind == "not-rated"]
    assert note.warning
    assert all(told in note.text for told in ("3 of 5", "'c' has scores of 3", "2 are compared"))
    chosen = corpus_from_table(path, ["a", "b"], scores=True)
    assert (chosen.segments, [system.name for system in chosen.systems]) == (4, ["a", "b"])
    # Segments that nobody rated are told apart from those that some system lacks.
    values = {"a": [None, 1, 2, 3, 4], "b": [None, 2, None, 2, 1]}
    apart = read_corpus([write(tmp_path / "y", scored(values))], outputs_are_scores=True)
    nobody, some = (one for one in apart.notes if one.kind == "not-rated")
    assert (nobody.warning, some.warning) == (False, True)
    assert "1 of 5" in nobody.text
    assert all(told in some.text for told in ("1 of 4", "'b' has scores of 3", "3 are compared"))


def test_scores_beside_texts(tmp_path: Path) -> None:
    texts = {name: write(tmp_path / f"{name}.txt", "".join(f"{name} {i}\n" for i in range(5))) for name in "abr"}
    path = write(tmp_path / "x.seg.score", scored({**HALF, "c": [1, 2, 3, 4, 5]}))
    corpus = read_corpus([texts["a"], texts["b"]], [texts["r"]], scores=[path])
    assert columns(corpus) == {"a": [2, 1e-3, 4, 7], "b": [1, 3, -4.5, 0]}
    assert corpus.references == (("r 0", "r 2", "r 3", "r 4"),)
    assert corpus.systems[0].runs[0].outputs == ("a 0", "a 2", "a 3", "a 4")
    assert f"{path}: scores of 1 other system are not used" in map(str, corpus.notes)
    other = write(tmp_path / "other.seg.score", Path(path).read_text().replace("b\t", "new\t"))
    named = read_corpus([texts["a"], f"new={texts['b']}"], [texts["r"]], scores=[f"a={path}", f"new={other}"])
    assert columns(named) == {"a": [2, 1e-3, 4, 7], "new": [1, 3, -4.5, 0]}
    with refused(naming=["'new'"]):
        read_corpus([f"new={texts['b']}"], [texts["r"]], scores=[f"new={path}"])


RATINGS = """system,seg_id,annotator,score
a,1,7,80
a,1,8,60
a,2,7,50
b,2,9,40
b,1,7,30
b,3,7,20
a,4,7,10
b,4,7,5
"""


def test_ratings_are_averaged_and_need_not_be_complete(tmp_path: Path) -> None:
    header, *rows = RATINGS.splitlines(keepends=True)
    parts = [write(tmp_path / f"{i}.csv", "".join([header, *rows[i::2]])) for i in range(2)]
    # Two samples of each output, rated by the same people, are no mistake.
    samples = write(tmp_path / "samples.csv", "".join([header, *rows, *rows]))
    for files in ([write(tmp_path / "esa.csv", RATINGS)], parts, [samples]):
        corpus = read_corpus(files, outputs_are_scores=True)
        assert columns(corpus) == {"a": [70, 50, 10], "b": [30, 40, 5]}
        told = ["raters from 'annotator'", "scores from 'score'", "1 of 4 segments"]
        told += ["3 items × 1 to 2 ratings of a"] if files != [samples] else []
        assert not [one for one in told if not any(one in str(note) for note in corpus.notes)]
    with refused(line=len(rows) + 2, naming=["2"]):
        read_corpus([write(tmp_path / "esa.csv", "".join([header, *rows, rows[0]]))], outputs_are_scores=True)


@pytest.mark.parametrize(
    ("text", "line", "naming"),
    [
        ("a\t1\na\t2\nb\t1\t3\nb\t2\n", 3, [3]),
        ("a\t1\na\t2\n\nb\t1\nb\t2\n", 3, ["no system"]),
        ("a\t1\na\t2\n\t1\nb\t2\n", 3, ["no system"]),
        ("a\t1\na\t2\nb 1\nb\t2\n", 3, [1]),
        ("a\t1\na\tgood\nb\t1\nb\t2\n", 2, ["'good'"]),
        ("a\t1\na\tNA\nb\t1\nb\t2\n", 2, ["'NA'"]),
        ("a\t1\na\tinf\nb\t1\nb\t2\n", 2, ["inf"]),
        ("a\t1\na\t2\nb\t1\n", None, ["'b'", 1, "'a'", 2]),
        ("a\t1\na\t2\nb\tNone\nb\tNone\n", None, ["'b'"]),
        ("a\t1\na\tNone\nb\tNone\nb\t2\n", None, ["none of 2"]),
        ("a\t1\na\tNone\nb\t3\nb\t2\n", None, ["one of 2"]),
        ("s1\t1\ns2\t2\n", 1, ["columns"]),  # ids, not systems
    ],
)
def test_a_broken_file_is_refused(tmp_path: Path, text: str, line: int | None, naming: list[object]) -> None:
    with refused(line=line, naming=naming):
        read_corpus([write(tmp_path / "x.seg.score", text)], outputs_are_scores=True)


def test_what_else_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "x.seg.score", scored(HALF))
    with refused("metrics", line=1, naming=["x.seg.score"]):
        read_corpus([path], [path])
    with refused(naming=["'id'"]):
        read_corpus([f"a={path}"], outputs_are_scores=True, id_column="id")
    with refused(naming=["x.sys.score"]):
        read_corpus([write(tmp_path / "x.sys.score", "a\t1\nb\t2\n")], outputs_are_scores=True)
    with refused(naming=["1", "4", "'3'"]):  # without raters, a row that is missing is a mistake
        read_corpus([write(tmp_path / "x.csv", RATINGS.replace("annotator", "epoch"))], outputs_are_scores=True)


@pytest.mark.whole
@pytest.mark.parametrize("pair", ["en-de", "zh-en"])
def test_means_are_those_of_mt_metrics_eval(shared_data: Path, pair: str) -> None:
    """Its ``.sys.score``; its figures of agreement are those of tests/parity/test_mtme.py."""
    folder = shared_data / "wmt23_mtme" / "human-scores"
    for kind in ("mqm", "da-sqm"):
        lines = (folder / f"{pair}.{kind}.sys.score").read_text().split("\n")
        published = {system: float(score) for system, _, score in (line.partition("\t") for line in lines if line)}
        corpus = read_corpus([str(folder / f"{pair}.{kind}.seg.score.gz")], outputs_are_scores=True)
        means = {system.name: float(system.runs[0].scores["score"].mean()) for system in corpus.systems}
        assert means == pytest.approx(published, abs=1e-9)
