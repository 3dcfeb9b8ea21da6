"""JSON of COMET 2.2: what ``comet-score`` and ``comet-compare`` write with ``--to_json``, and what a model predicts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.readers.files import write
from tests.refusals import refused
from truegain.corpus import Corpus
from truegain.readers.any_format import read_scores
from truegain.readers.corpora import read_corpus

SCORES = {"out/base.txt": [0.5, 0.75, 0.25], "out/new.txt": [0.5, 0.875, 0.125], "out/third.txt": [0.0, 1.0, 0.5]}
SOURCES = ["eins", "zwei", "drei"]
SPANS = {"errors": [{"text": "x", "start": 0, "end": 1, "severity": "minor"}]}


def score_json(*, errors: bool) -> dict[str, Any]:
    """Return what comet-score writes: a list of segments per file, with the error spans of XCOMET if it finds some."""
    rows = {file: zip(range(3), SOURCES, own, strict=True) for file, own in SCORES.items()}
    return {
        file: [
            {"src": source, "mt": f"{file} {place}", "ref": "x", "COMET": score} | (SPANS if errors and place else {})
            for place, source, score in own
        ]
        for file, own in rows.items()
    }


def compare_json() -> dict[str, Any]:
    """Return what comet-compare writes."""
    bootstrap = {"x-mean": 0.5, "y-mean": 0.5, "ties (%)": 0.1, "x_wins (%)": 0.5, "y_wins (%)": 0.4}
    tests = {"bootstrap_resampling": bootstrap, "paired_t-test": {"statistic": 0.1, "p_value": 0.9}}
    return {
        "model": "Unbabel/wmt22-comet-da",
        "statistical_results": [{"x_name": "out/base.txt", "y_name": "out/new.txt", **tests}],
        "source": SOURCES,
        "translations": [{"name": name, "mt": ["x", "y", "z"], "scores": own} for name, own in SCORES.items()],
        "reference": ["a", "b", "c"],
    }


def columns(corpus: Corpus) -> dict[str, list[float]]:
    return {system.name: system.runs[0].scores["COMET"].tolist() for system in corpus.systems}


FOUND = {Path(name).stem: own for name, own in SCORES.items()}


@pytest.mark.parametrize("indent", [None, 4])
@pytest.mark.parametrize("made", ["score", "spans", "compare"])
@pytest.mark.parametrize("name", ["comet.json", "comet.txt"])
def test_all_systems_of_a_file(tmp_path: Path, made: str, indent: int | None, name: str) -> None:
    found = compare_json() if made == "compare" else score_json(errors=made == "spans")
    path = write(tmp_path / name, json.dumps(found, ensure_ascii=False, indent=indent))
    assert columns(read_corpus([path], outputs_are_scores=True)) == FOUND


def test_the_name_of_a_file_is_that_of_its_only_system(tmp_path: Path) -> None:
    whole = score_json(errors=False)
    with refused(naming=["'mine'", "3"]):
        read_corpus([f"mine={write(tmp_path / 'all.json', [whole])}"], outputs_are_scores=True)
    path = write(tmp_path / "one.json", [{"out/base.txt": whole["out/base.txt"]}])
    assert columns(read_corpus([f"mine={path}"], outputs_are_scores=True)) == {"mine": FOUND["base"]}
    # The prediction of a model.
    held = {name: {"scores": own, "system_score": sum(own) / 3} for name, own in FOUND.items()}
    paths = [write(tmp_path / f"{name}.json", [own]) for name, own in held.items()]
    assert columns(read_corpus(paths, outputs_are_scores=True)) == FOUND


def test_scores_beside_texts(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    files = [write(tmp_path / name, "x\ny\nz\n") for name in ("out/base.txt", "out/new.txt")]
    reference = write(tmp_path / "ref.txt", "a\nb\nc\n")
    corpus = read_corpus(files, [reference], scores=[write(tmp_path / "comet.json", [compare_json()])])
    assert columns(corpus) == {name: FOUND[name] for name in ("base", "new")}
    other = write(tmp_path / "comet.json", [compare_json() | {"reference": ["x", "y", "z"]}])
    with refused(naming=["'ref'", "'x'", "1", "'a'", "ref.txt"]):
        read_corpus(files, [reference], scores=[other])


def changed(place: int, **values: Any) -> dict[str, Any]:
    found = compare_json()
    found["translations"][place] |= values
    return found


BASE = "'out/base.txt'"


@pytest.mark.parametrize(
    ("found", "naming"),
    [
        (compare_json() | {"translations": 3}, ["translation 1"]),
        (changed(1, name=None), ["translation 2", "name"]),
        (changed(2, scores="0.5"), ["translation 3", "scores"]),
        (changed(1, name="out/base.txt"), ["translation 2", BASE, "twice"]),
        (changed(2, mt=["x", "y"]), ["translation 3", 3, "'out/third.txt'", 2]),
        (changed(0, scores=[1, 2]), ["translation 1", 2, BASE, 3]),
        (changed(0, scores=[1, "good", 2]), ["segment 2", BASE, "'COMET'", "good"]),
        (changed(0, scores=[1, None, 2]), ["segment 2", BASE, "'COMET'", "None"]),
        ({"scores": [1, "x"], "system_score": 1}, ["segment 2", "'COMET'", "x"]),
        ({"scores": [], "system_score": 1}, ["no segments"]),
        ({"model": "x", "translations": []}, ["nothing", "number"]),
    ],
)
def test_a_broken_file_is_refused(tmp_path: Path, found: Any, naming: list[object]) -> None:
    path = write(tmp_path / "comet.json", [found])
    with refused(path=path, naming=naming):
        read_scores(path)


@pytest.mark.parametrize("last", ["", "out/base.txt\tscore: 0.5000\n"])
def test_what_comet_score_prints_leads_to_its_json(tmp_path: Path, last: str) -> None:
    lines = [f"out/base.txt\tSegment {place}\tscore: {own:.4f}\n" for place, own in enumerate(SCORES["out/base.txt"])]
    with refused(naming=["--to"]):
        read_scores(write(tmp_path / "base.out", "".join(lines) + last))
