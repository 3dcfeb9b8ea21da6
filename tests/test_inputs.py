"""What was read is part of every result."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import truegain as tg
from tests.refusals import refused
from truegain.corpus import Run, System
from truegain.inputs import IN_MEMORY, InputFile, Inputs
from truegain.readers.columns import corpus_from_table
from truegain.readers.corpora import read_corpus
from truegain.readers.experiment_file import read_experiment
from truegain.results import parse

ROWS = 24
LINES = [f"the cat number {i} sat on the mat" for i in range(ROWS)]
DOCUMENTS = [f"d{i // 3}" for i in range(ROWS)]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    monkeypatch.chdir(tmp_path)

    def written(name: str, *rows: object) -> str:
        Path(name).write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
        return name

    return written


def outputs(number: int) -> list[str]:
    return [line.replace("cat", "dog") if (i * 7 + number) % 5 < 2 else line for i, line in enumerate(LINES)]


def test_texts_runs_and_documents(write: Callable[..., str]) -> None:
    write("ref.txt", *LINES)
    for number, name in enumerate(("base.1", "base.2", "new")):
        write(f"{name}.txt", *outputs(number))
    write("docs.tsv", "docid\tdomain", *(f"{one}\tnews" for one in DOCUMENTS))
    corpus = read_corpus(["base=base.1.txt,base.2.txt", "new.txt"], ["ref.txt"], documents="docs.tsv")
    assert corpus.inputs == Inputs(
        (
            InputFile("ref.txt", "reference", ROWS),
            InputFile("base.1.txt", "outputs", ROWS, "base"),
            InputFile("base.2.txt", "outputs", ROWS, "base"),
            InputFile("new.txt", "outputs", ROWS, "new"),
            InputFile("docs.tsv", "documents", ROWS, column="docid"),
            InputFile("docs.tsv", "domains", ROWS, column="domain"),
        ),
        documents="docs.tsv",
        domains="docs.tsv",
    )
    assert corpus.inputs.runs == {"base": 2, "new": 1}
    assert not any("paired" in note for note in map(str, corpus.notes))


def test_scores_by_id_with_samples(write: Callable[..., str]) -> None:
    for name in ("base", "new"):
        write(f"{name}.tsv", "qid\tscore", *(f"q{i % 4}\t{i}" for i in range(11)))
    corpus = read_corpus(["base.tsv", "new.tsv"], outputs_are_scores=True)
    assert corpus.inputs.pairing == "id"
    assert corpus.inputs.files[1] == InputFile("new.tsv", "scores", 11, "new", None, "qid", (2, 3))
    assert "Rows were paired by the ids in the column 'qid'" in map(str, corpus.notes)


def test_a_table(write: Callable[..., str]) -> None:
    path = write("all.tsv", "id\tdoc\tref\ta", *(f"{i}\td\t{line}\tx" for i, line in enumerate(LINES)))
    assert corpus_from_table(path).inputs == Inputs(
        (
            InputFile(path, "reference", ROWS, column="ref"),
            InputFile(path, "outputs", ROWS, "a", "a"),
            InputFile(path, "documents", ROWS, column="doc"),
        ),
        documents=path,
    )


def test_documents_that_a_file_names_itself(write: Callable[..., str]) -> None:
    segments = "".join(f'<seg id="{i}">{line}</seg>' for i, line in enumerate(LINES))
    sides = f'<ref translator="A">{segments}</ref><hyp system="s">{segments.replace("cat", "dog")}</hyp>'
    path = write("set.xml", f'<dataset><doc id="d1">{sides}</doc></dataset>')
    corpus = read_corpus([path], [path])
    assert (corpus.inputs.documents, corpus.inputs.pairing) == (path, "id")
    assert f"Documents are those that {path} names" in map(str, corpus.notes)


def test_what_a_program_gives_is_in_memory(write: Callable[..., str]) -> None:
    path = Path(write("ref.txt", *LINES))
    result = tg.compare(path, {"a": outputs(0), "b": [outputs(1), outputs(2)]}, documents=DOCUMENTS, resamples=20)
    assert result.testset.inputs == Inputs(
        (
            InputFile(str(path), "reference", ROWS),
            InputFile(IN_MEMORY, "outputs", ROWS, "a"),
            InputFile(IN_MEMORY, "outputs", ROWS, "b"),
            InputFile(IN_MEMORY, "outputs", ROWS, "b"),
        ),
        documents=IN_MEMORY,
    )


def test_development_sets_and_experiment_files(write: Callable[..., str]) -> None:
    for name in ("ref.txt", "src.txt", "devref.txt"):
        write(name, *LINES)
    for number, name in enumerate(("a1", "a2", "b1", "b2")):
        write(f"{name}.txt", *outputs(number))
        write(f"dev.{name}.txt", *outputs(number + 1))
    systems = ['a = ["a1.txt", "a2.txt"]', 'b = ["b1.txt", "b2.txt"]']
    path = write(
        "e.toml",
        "resamples = 50",
        "[[testset]]\nname = 'one'\nreference = 'ref.txt'\nsource = 'src.txt'\ndomain = 'news'\n[testset.systems]",
        *systems,
        "[development]\nreference = 'devref.txt'\n[development.systems]",
        *(line.replace('"a', '"dev.a').replace('"b', '"dev.b') for line in systems),
    )
    assert read_experiment(path).corpora()[0].inputs.domains == "the experiment file"
    files = tg.run(path)["one"].testset.inputs.files
    assert [file.role for file in files if file.system is None] == ["reference", "source", "development reference"]
    assert sum(file.role == "development outputs" for file in files) == 4


GENERATOR = np.random.default_rng(3)
SINGLE = {name: GENERATOR.normal(size=40) + number / 2 for number, name in enumerate("ab")}
#: That of an experiment, and those that put them together themselves; tests of stored results hold how they come back.
RESULTS: dict[str, Callable[[], Any]] = {
    "score": lambda: tg.score(None, SINGLE, metrics=["scores"], resamples=50),
    "domains": lambda: tg.domains(None, SINGLE, metrics=["scores"], resamples=50, draws=5, draw_resamples=20),
    "pool": lambda: tg.pool([_corpus("x", 0), _corpus("y", 2)], resamples=50),
}


def _corpus(name: str, first: int) -> tg.Corpus:
    systems = [System(one, (Run(one, tuple(outputs(number))),)) for number, one in enumerate("ab", first)]
    return tg.Corpus.build(systems, [LINES], name=name)


def inputs_in(data: Any) -> list[dict[str, Any]]:
    """All that is under the key ``inputs``, anywhere."""
    if isinstance(data, list):
        return [one for part in data for one in inputs_in(part)]
    if not isinstance(data, dict):
        return []
    return [
        *([data["inputs"]] if "inputs" in data else []),
        *(one for part in data.values() for one in inputs_in(part)),
    ]


@pytest.mark.parametrize("study", RESULTS)
def test_every_result_says_what_was_read(study: str) -> None:
    found = inputs_in(json.loads(RESULTS[study]().render("json")))
    assert found
    for inputs in found:
        assert {file["system"] for file in inputs["files"]} >= {"a", "b"}
        assert all(file["rows"] in (ROWS, 40) for file in inputs["files"])
        assert {file["role"] for file in inputs["files"]} <= {"reference", "outputs", "scores"}


def test_a_result_with_impossible_inputs_is_refused() -> None:
    data = json.loads(RESULTS["score"]().render("json"))
    for key, value in (("samples", [0, 2]), ("role", "odd")):
        changed = json.loads(json.dumps(data))
        changed["testset"]["inputs"]["files"][0][key] = value
        with refused(naming=[f"testset.inputs.files[0].{key}"]):
            parse(changed)
