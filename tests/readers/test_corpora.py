"""From files, or from what Python programs hold, to a corpus; and the sources of segments."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import truegain as tg
from tests.readers.files import write
from tests.refusals import refused
from truegain.corpus import Corpus, Run, System
from truegain.metrics.bleu import BLEU
from truegain.readers.columns import corpus_from_table
from truegain.readers.corpora import read_corpus
from truegain.readers.experiment_file import read_experiment
from truegain.readers.memory import corpus_from_memory
from truegain.studies.transfer import by_domain

REFERENCE = ["the cat sat", "a dog ran off", "it was late"]
BASE = ["the cat sits", "a dog ran", "it was late"]
NEW = ["the cat sat", "a dog ran off", "it is late"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, lines in (("ref", REFERENCE), ("base", BASE), ("new", NEW)):
        write(tmp_path / f"{name}.txt", lines)
    return tmp_path


def scores_of(corpus: Corpus, column: str) -> dict[str, list[float]]:
    return {run.name: run.scores[column].tolist() for system in corpus.systems for run in system.runs}


def test_systems_references_and_documents(folder: Path) -> None:
    write(folder / "ref2.txt", NEW[::-1])
    write(folder / "docs.txt", ["x", "x", "y"])
    corpus = read_corpus(["base.txt", "best=new.txt"], ["ref.txt", "ref2.txt"], documents="docs.txt")
    assert corpus.name == "ref"
    assert read_corpus(["base.txt"], ["ref.txt"], name="newstest").name == "newstest"
    assert corpus.segments == 3
    assert corpus.references == (tuple(REFERENCE), tuple(NEW[::-1]))
    names = [(one.name, [run.name for run in one.runs]) for one in corpus.systems]
    assert names == [("base", ["base.txt"]), ("best", ["new.txt"])]
    assert corpus.system("best").runs[0].outputs == tuple(NEW)
    assert corpus.documents == ("x", "x", "y")
    assert corpus.notes == ()


def test_standard_input_as_reference_and_as_system(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def with_input(systems: list[str], references: list[str]) -> Corpus:
        data = (folder / "new.txt").read_bytes()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        return read_corpus(systems, references)

    assert with_input(["base.txt", "-"], ["ref.txt"]).system("stdin").runs[0].name == "standard input"
    assert with_input(["base.txt"], ["-"]).references == (tuple(NEW),)
    write(folder / "new-", BASE)
    assert with_input(["new-"], ["-"]).references == (tuple(NEW),)


@pytest.mark.parametrize(
    ("scores", "naming"),
    [
        (["base=s", "newer=s"], ["'newer'", "base, new"]),
        (["base=s"], ["'new'"]),
        (["base=s", "new=s,s"], ["'new'"]),
        (["s"], ["s: ", "truegain.read_corpus(…", 'scores=["base=s"])']),
        (["base=s", "new=none"], ["none: "]),
        (["base=s", "new=two"], ["two", 2]),
    ],
)
def test_scores_that_do_not_fit_the_systems_are_refused(folder: Path, scores: list[str], naming: list[object]) -> None:
    write(folder / "s", ["1", "2", "3"])
    write(folder / "two", ["4", "5"])
    with refused(naming=naming):
        read_corpus(["base.txt", "new.txt"], ["ref.txt"], scores=scores)


@pytest.mark.parametrize(
    ("values", "scores"),
    [
        ([1, 2.5, 3], [1.0, 2.5, 3.0]),
        (np.array([1, 2.5, 3], np.float32), [1.0, 2.5, 3.0]),
        ((np.float64(1), np.float64(2.5), np.int64(3)), [1.0, 2.5, 3.0]),
        ([True, False, True], [1.0, 0.0, 1.0]),
        (np.array([True, False, True]), [1.0, 0.0, 1.0]),
        (np.array([[1.0, 2.0, 5.0], [3.0, 4.0, 6.0]]), [[1.0, 2.0, 5.0], [3.0, 4.0, 6.0]]),
    ],
)
def test_numbers_and_truth_values_in_memory_are_scores(values: Any, scores: list[Any]) -> None:
    """An array with two axes is several runs."""
    (system,) = corpus_from_memory(None, {"base": values}).systems
    assert {run.outputs for run in system.runs} == {None}
    assert [run.scores["score"].tolist() for run in system.runs] == (scores if np.ndim(values) == 2 else [scores])


@pytest.mark.parametrize(
    ("reference", "systems", "naming"),
    [
        (REFERENCE, {"base": []}, ["'base'"]),
        ([], {"base": BASE}, ["reference"]),
        (REFERENCE, {}, ["score"]),
        # The references are transposed.
        ([[line, line + " indeed"] for line in REFERENCE], {"base": BASE, "new": NEW}, ["3", "2", "reference"]),
        *(
            (REFERENCE, {"base": BASE, "new": ["a", odd, "c"]}, ["2", kind])
            for odd, kind in ((None, "missing"), (b"bytes", "bytes"), (3, "int"), (["a"], "list"))
        ),
        *(
            (None, {"base": [1.0, 2.0], "new": [1.0, odd]}, ["'new'", "2", odd])
            for odd in (float("nan"), float("inf"), -float("inf"))
        ),
        *((None, {"s": [0.5, odd]}, ["'s'", f"'{odd}'", "2"]) for odd in (None, True, "0.5")),
        (None, {"s": [None, 0.5]}, ["'s'", "'None'", "1"]),
        (None, {"s": [True, 1]}, ["'s'", "'1'", "2"]),
    ],
)
def test_what_is_refused_in_memory(reference: Any, systems: dict[str, Any], naming: list[object]) -> None:
    """Nothing to compare, something else than texts or scores, scores that are not finite."""
    with refused(naming=naming):
        corpus_from_memory(reference, systems)


def test_lists_and_files_in_memory(folder: Path) -> None:
    systems: dict[str, Any] = {"base": folder / "base.txt", "both": [folder / "new.txt", BASE]}
    corpus = corpus_from_memory([REFERENCE, NEW[::-1]], systems, documents=["x", "x", "y"])
    assert corpus.references == (tuple(REFERENCE), tuple(NEW[::-1]))
    assert corpus_from_memory(str(folder / "ref.txt"), systems).references == (tuple(REFERENCE),)
    assert corpus.documents == ("x", "x", "y")
    assert [run.outputs for run in corpus.system("both").runs] == [tuple(NEW), tuple(BASE)]
    names = [[run.name for run in system.runs] for system in corpus.systems]
    assert names == [[os.fspath(folder / "base.txt")], [os.fspath(folder / "new.txt"), "both.2"]]


LINES = ["the cat sat", "a dog ran", "it was late"]


def test_a_list_of_names_of_files_is_not_taken_for_segments(folder: Path) -> None:
    names = [str(folder / f"{name}.txt") for name in ("ref", "base")]
    with refused(naming=names[:1]):
        corpus_from_memory(LINES, {"base": names})
    assert len(corpus_from_memory(Path(names[0]), {"base": [Path(names[1])]}).systems[0].runs) == 1


def test_arguments_that_are_something_else() -> None:
    with refused(naming=["system"]):
        corpus_from_memory(LINES, [LINES])  # type: ignore[arg-type]
    corpus = corpus_from_memory(LINES, {"s": ["x", "y", "z"]})
    with pytest.raises(TypeError, match="holds its systems"):
        tg.score(corpus, documents=["a", "b", "c"])
    with refused(naming=["'truegain.metrics.bleu.BLEU'"]):
        tg.score(corpus, metrics=[BLEU])  # type: ignore[list-item]
    for options in ({"resamples": 1e2}, {"seed": None}, {"jobs": 1.5}):
        with refused(naming=["number"]):
            tg.score(corpus, **options)
    assert tg.score(corpus, metrics="chrf", resamples=10).metrics[0].key == "chrf"


def test_an_array_with_a_row_per_segment_is_asked_about() -> None:
    scores = np.arange(12.0).reshape(6, 2)
    with refused(naming=["'s'", "6", "2"]):
        corpus_from_memory(None, {"s": scores})
    assert [len(corpus_from_memory(None, {"s": given}).systems[0].runs) for given in (scores.T, list(scores))] == [2, 6]


@pytest.mark.parametrize("segment", ["", ".", "..", " "])
def test_segments_that_could_be_folders_are_segments(segment: str) -> None:
    assert corpus_from_memory(["a", "b"], {"silent": [segment] * 2}).systems[0].runs[0].outputs == (segment,) * 2


def test_lines_as_python_reads_them_have_no_ends() -> None:
    corpus = corpus_from_memory([f"{line}\n" for line in LINES], {"base": [f"{line}\r\n" for line in LINES]})
    assert corpus.references == (tuple(LINES),)
    assert corpus.systems[0].runs[0].outputs == tuple(LINES)
    # Runs of one system and a system that is called as one of them are not the same.
    first, second, third = ["x", "y", "z"], ["x", "y", "w"], ["x", "y", "v"]
    runs = tg.score(LINES, {"a": [first, third], "a.1": second}, segments=True, resamples=10)
    assert sorted(run for _, run in runs.segments) == ["a.1: a.1", "a.2", "a: a.1"]


# ---- Sources of segments: each with its own segment, whatever they come in


NUMBERS = range(6)
ORDER = (3, 0, 5, 1, 4, 2)


def objects(folder: Path, name: str, what: str, order: Any = NUMBERS) -> str:
    return write(folder / name, [{"id": f"s{i}", "text": f"{what} {i}"} for i in order])


def check(corpus: Corpus) -> None:
    """The source of a segment has the number of its reference and outputs."""
    assert corpus.sources is not None
    for i in range(corpus.segments):
        texts = [corpus.sources[i], corpus.references[0][i], *(one.runs[0].outputs[i] for one in corpus.systems)]  # type: ignore[index]
        assert len({str(text).split()[-1] for text in texts}) == 1, texts


def test_sources_are_matched_by_ids(tmp_path: Path) -> None:
    texts = [objects(tmp_path, "a.jsonl", "output", ORDER)], [objects(tmp_path, "ref.jsonl", "reference")]
    corpus = read_corpus(*texts, sources=objects(tmp_path, "src.jsonl", "source", ORDER[::-1]))
    check(corpus)
    assert [one.role for one in corpus.inputs.files] == ["reference", "outputs", "source"]
    assert corpus.inputs.pairing == "id"
    with refused(naming=["src.txt"]):  # which has none
        read_corpus(*texts, sources=write(tmp_path / "src.txt", [f"source {i}" for i in NUMBERS]))


def test_the_column_of_sources_is_taken_before_that_of_texts(tmp_path: Path) -> None:
    rows = [{"id": f"s{i}", "source": f"source {i}", "text": f"output {i}"} for i in ORDER]
    path = write(tmp_path / "all.jsonl", rows)
    for column in (None, "text"):
        corpus = read_corpus([path], [objects(tmp_path, "ref.jsonl", "reference")], sources=path, text_column=column)
        check(corpus)
        assert str(corpus.sources[0]).startswith("source")  # type: ignore[index]


def test_an_experiment_with_a_table_names_no_source(tmp_path: Path) -> None:
    write(tmp_path / "src.txt", ["a"])
    write(tmp_path / "t.csv", ["id,ref,a,b", "1,x,y,z"])
    with refused(naming=["'t'"]):
        read_experiment(write(tmp_path / "e.toml", '[[testset]]\nname = "t"\ntable = "t.csv"\nsource = "src.txt"\n'))


def test_an_experiment_matches_them_too(tmp_path: Path) -> None:
    objects(tmp_path, "a.jsonl", "output", ORDER)
    objects(tmp_path, "b.jsonl", "output", ORDER[::-1])
    objects(tmp_path, "ref.jsonl", "reference")
    objects(tmp_path, "src.jsonl", "source", ORDER[2:] + ORDER[:2])
    systems, testset = '[systems]\na = "a.jsonl"\nb = "b.jsonl"', '[[testset]]\nname = "t"\nreference = "ref.jsonl"'
    (corpus,) = read_experiment(write(tmp_path / "e.toml", [systems, testset, 'source = "src.jsonl"'])).corpora()
    check(corpus)


def test_xml_holds_one(tmp_path: Path) -> None:
    segments = "".join(f'<seg id="{i}">{{}} {i}</seg>' for i in NUMBERS)
    source, reference, output = (f"<p>{segments.format(*[word] * 6)}</p>" for word in ("source", "reference", "output"))
    document = (
        f'<doc id="d" origlang="de"><src lang="de">{source}</src><ref lang="en" translator="A">{reference}</ref>'
        f'<hyp system="x" language="en">{output}</hyp></doc>'
    )
    path = write(tmp_path / "t.xml", f'<?xml version="1.0"?><dataset id="t">{document}</dataset>')
    check(read_corpus([path], [path], sources=path))
    segment = '<refset setid="t"><doc docid="d"><seg id="1">a</seg></doc></refset>'
    with refused(naming=["plain.sgm"]):
        read_corpus([path], [path], sources=write(tmp_path / "plain.sgm", segment))


def test_parts_of_a_corpus_keep_theirs() -> None:
    outputs = tuple(f"output {i}" for i in NUMBERS)
    references, sources = ([f"{what} {i}" for i in NUMBERS] for what in ("reference", "source"))
    systems = [System("x", (Run("x", outputs),))]
    corpus = Corpus.build(systems, [references], sources=sources, domains=[str(i % 2) for i in NUMBERS])
    check(corpus.of_segments([4, 1]))
    for one in by_domain(corpus):
        assert one.segments == 3
        check(one)
    with refused(naming=["5", "6", "source"]):
        Corpus.build(systems, [outputs], sources=["a"] * 5)


def test_a_long_table_or_a_wide_one_has_its_own(tmp_path: Path) -> None:
    for column in ("src", "source", "Source"):
        rows = [f"s{i},source {i},reference {i},output {i},output {i}\n" for i in ORDER]
        check(corpus_from_table(write(tmp_path / "t.csv", f"id,{column},ref,a,b\n{''.join(rows)}")))
    rows = [f"{s},s{i},source {i},reference {i},output {i}\n" for s in "ab" for i in (ORDER if s == "a" else NUMBERS)]
    table = f"system,id,source,reference,output\n{''.join(rows)}"
    check(corpus_from_table(write(tmp_path / "t.csv", table)))
    corpus = corpus_from_table(write(tmp_path / "t.csv", table.replace("source 3", "another", 1)))
    assert corpus.sources is None
    assert "'source'" in str(corpus.notes)


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_programs_give_frames_sequences_or_files(tmp_path: Path, frame: Any) -> None:
    lines = [f"source {i}" for i in NUMBERS]
    path = write(tmp_path / "src.txt", lines)
    texts = [f"reference {i}" for i in NUMBERS], {"x": [f"output {i}" for i in NUMBERS]}
    for sources in (lines, Path(path), path):
        corpus = corpus_from_memory(*texts, sources=sources)
        check(corpus)
        assert corpus.inputs.files[-1].role == "source"
    with refused("sources"):
        corpus_from_memory(None, {"x": [1.0] * 6}, sources=["a"] * 6)
    data = frame({name: [f"{name} {i}" for i in ORDER] for name in ("source", "reference", "a", "b")})
    corpus = corpus_from_memory(None, data)
    check(corpus)
    assert [system.name for system in corpus.systems] == ["a", "b"]
    with refused(naming=["source"]):
        corpus_from_memory(None, data, sources=["x"] * 6)
