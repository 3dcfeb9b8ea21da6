"""From files, or from what Python programs hold, to a corpus."""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import truegain as tg
from tests.readers.files import write
from tests.refusals import refused
from truegain.corpus import Corpus
from truegain.errors import InputError
from truegain.readers.corpora import read_corpus
from truegain.readers.memory import corpus_from_memory

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


def comet(**systems: list[int]) -> str:
    return json.dumps({name: [{"src": "s", "COMET": value} for value in values] for name, values in systems.items()})


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


def test_what_is_odd_about_files_is_noted(folder: Path) -> None:
    (folder / "odd.txt").write_bytes(b"\xef\xbb\xbfone\r\n\r\nthree\rmore\r\n")
    corpus = read_corpus(["odd.txt"], ["ref.txt"])
    assert corpus.systems[0].runs[0].outputs == ("one", "", "three\rmore")
    kinds = ["byte-order-mark", "line-ends", "carriage-returns", "empty-segments"]
    assert [(note.kind, note.file) for note in corpus.notes] == [(kind, "odd.txt") for kind in kinds]
    assert "3 of 3" in corpus.notes[1].text
    assert "line 2" in corpus.notes[3].text


def test_standard_input_as_reference_and_as_system(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def with_input(systems: list[str], references: list[str]) -> Corpus:
        data = (folder / "new.txt").read_bytes()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        return read_corpus(systems, references)

    assert with_input(["base.txt", "-"], ["ref.txt"]).system("stdin").runs[0].name == "standard input"
    assert with_input(["base.txt"], ["-"]).references == (tuple(NEW),)
    write(folder / "new-", BASE)
    assert with_input(["new-"], ["-"]).references == (tuple(NEW),)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    "inputs",
    [
        {"systems": ["-"], "references": ["-"]},
        {"systems": ["base=-"], "references": ["-"]},
        {"systems": ["base.txt"], "references": ["-", "-"]},
        {"systems": ["-"], "references": ["ref.txt"], "documents": "-"},
        {"systems": ["base.txt"], "references": ["-"], "documents": "-"},
        {"systems": ["-"], "references": ["ref.txt"], "scores": ["stdin=-"]},
    ],
)
def test_standard_input_is_read_once(monkeypatch: pytest.MonkeyPatch, inputs: dict[str, Any]) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a\nb\nc\n")))
    with refused():
        read_corpus(**inputs)


def test_files_of_scores_as_systems_and_as_runs(folder: Path) -> None:
    write(folder / "one.tsv", ["0.5", "0.25", "1"])
    write(folder / "two.tsv", ["who\tCOMET", "a\t0.5", "b\t0.5", "c\t0.5"])
    corpus = read_corpus(["one.tsv", "two.tsv"], outputs_are_scores=True)
    assert (corpus.name, corpus.segments) == ("scores", 3)
    assert [system.name for system in corpus.systems] == ["one", "two"]
    one, two = (system.runs[0].scores for system in corpus.systems)
    assert (one["score"].tolist(), two["COMET"].tolist()) == ([0.5, 0.25, 1.0], [0.5] * 3)
    for i in (1, 2):
        write(folder / f"base.{i}", [str(i), "2", "3"])
    (system,) = read_corpus(["base=base.?"], outputs_are_scores=True).systems
    assert [(run.name, run.scores["score"][0]) for run in system.runs] == [("base.1", 1.0), ("base.2", 2.0)]


def test_scores_with_ids_and_scores_without_are_not_mixed(folder: Path) -> None:
    write(folder / "one.txt", ["0.5", "0.25", "1"])
    write(folder / "two.tsv", ["id\tscore", "c\t0.5", "b\t0.6", "a\t0.7"])
    for order in (["one.txt", "two.tsv"], ["two.tsv", "one.txt"]):
        with refused(naming=["one.txt", "two.tsv"]):
            read_corpus(order, outputs_are_scores=True)


def test_scores_beside_texts_by_system(folder: Path) -> None:
    write(folder / "b.scores", ["1", "2", "3"])
    write(folder / "n.scores", ["4", "5", "6"])
    corpus = read_corpus(["base.txt", "new.txt"], ["ref.txt"], scores=["new=n.scores", "base=b.scores"])
    assert scores_of(corpus, "score") == {"base.txt": [1, 2, 3], "new.txt": [4, 5, 6]}
    assert corpus.systems[0].runs[0].outputs == tuple(BASE)


@pytest.mark.parametrize("names", [("base.txt", "new.txt"), ("./base.txt", "./new.txt"), ("out/base.de", "out/new.de")])
def test_the_json_of_comet_is_matched_by_path_or_by_name(folder: Path, names: tuple[str, str]) -> None:
    """As the scores of systems, and of runs, that are given as texts; or of systems of its own."""
    held = {names[1]: [4, 5, 6], names[0]: [1, 2, 3]}
    (folder / "comet.json").write_text(comet(**held))
    given = [["base.txt", "new.txt"], ["both=base.txt,new.txt"]]
    for systems in given if "base.txt" in names[0] else given[:1]:  # runs are known by their paths alone
        corpus = read_corpus(systems, ["ref.txt"], scores=["comet.json"])
        assert scores_of(corpus, "COMET") == {"base.txt": [1, 2, 3], "new.txt": [4, 5, 6]}
    alone = read_corpus(["comet.json"], outputs_are_scores=True)
    assert [system.name for system in alone.systems] == ["new", "base"]
    assert scores_of(alone, "COMET") == held


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


def test_lists_in_memory() -> None:
    corpus = corpus_from_memory(REFERENCE, {"base": BASE, "new": [NEW, BASE]}, documents=["x", "x", "y"])
    assert corpus.references == (tuple(REFERENCE),)
    assert [[run.name for run in system.runs] for system in corpus.systems] == [["base"], ["new.1", "new.2"]]
    assert corpus.documents == ("x", "x", "y")
    several = corpus_from_memory([REFERENCE, NEW[::-1]], {"base": BASE})
    assert several.references == (tuple(REFERENCE), tuple(NEW[::-1]))


def test_files_in_memory(folder: Path) -> None:
    systems: dict[str, Any] = {"base": folder / "base.txt", "both": [folder / "new.txt", BASE]}
    corpus = corpus_from_memory(str(folder / "ref.txt"), systems)
    assert corpus.references == (tuple(REFERENCE),)
    assert corpus.system("base").runs[0].name == os.fspath(folder / "base.txt")
    assert [run.outputs for run in corpus.system("both").runs] == [tuple(NEW), tuple(BASE)]


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
    ],
)
def test_what_is_refused_in_memory(reference: Any, systems: dict[str, Any], naming: list[object]) -> None:
    """Nothing to compare, something else than texts, scores that are not finite."""
    with refused(naming=naming):
        corpus_from_memory(reference, systems)


@pytest.mark.parametrize("documents", [[1, 1, 2], np.array(["x", "x", "y"])])
def test_documents_of_other_types_work_or_are_refused(documents: Any) -> None:
    with contextlib.suppress(InputError):
        result = tg.compare(REFERENCE, {"base": BASE, "new": NEW}, documents=documents, resamples=20)
        assert result["bleu", "new"].n_units == 2
