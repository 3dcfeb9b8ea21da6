"""Ratings of mt-metrics-eval: errors that raters marked, and MQM of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import truegain as tg
from tests.conftest import read_gzip
from tests.readers import files
from tests.refusals import refused
from truegain.metrics.lookup import make_metric
from truegain.readers.corpora import read_corpus

MAJOR = {"category": "accuracy/mistranslation", "severity": "major"}
MINOR = {"category": "Style/Unnatural or awkward", "severity": "Minor"}
COMMA = {"category": "fluency/punctuation", "severity": "minor"}
HEAVY_COMMA = {"category": "fluency/punctuation", "severity": "major"}
NOTHING = {"category": "non-translation!", "severity": "major"}
SOURCE = {"category": "source issue", "severity": "major"}
CREATIVE = {"category": "accuracy/creative reinterpretation", "severity": "minor"}
NEUTRAL = {"category": "other", "severity": "neutral"}
CRITICAL = {"category": "accuracy/addition", "severity": "critical"}
#: What each subtracts by WMT's scheme.
ERRORS = [MAJOR, MINOR, COMMA, HEAVY_COMMA, NOTHING, SOURCE, CREATIVE, NEUTRAL]
WEIGHTS = [5, 1, 0.1, 5, 25, 0, 0, 0]

Ratings = dict[str, list[list[dict[str, str]] | None]]


def write(path: Path, ratings: Ratings) -> str:
    rows = ((system, own) for system, given in ratings.items() for own in given)
    lines = [f"{system}\t{None if own is None else json.dumps({'errors': own})}" for system, own in rows]
    return files.write(path, lines)


def read(*paths: str) -> tg.Corpus:
    return read_corpus(paths, outputs_are_scores=True)


def segment_scores(corpus: tg.Corpus, metric: str = "mqm") -> dict[str, list[float]]:
    made: Any = make_metric(metric)
    return {one.name: made.statistics(one.runs[0].scores)[:, 0].tolist() for one in corpus.systems}


@pytest.mark.parametrize("name", ["x.mqm.rater1.seg.rating", "x.txt"])
def test_each_error_has_the_weight_of_its_class(tmp_path: Path, name: str) -> None:
    segments = [[error] for error in ERRORS]
    path = write(tmp_path / name, {"a": [*segments, [], [MAJOR, MINOR, MINOR]], "b": [[]] * (len(segments) + 2)})
    found = segment_scores(read(path))
    assert found["a"] == pytest.approx([*(-weight for weight in WEIGHTS), 0, -7])
    assert found["b"] == [0] * 10
    own = segment_scores(read(path), "mqm:major=10,minor=2,punctuation=0")
    assert own["a"] == pytest.approx([-10, -2, 0, -10, -25, 0, 0, 0, 0, -14])


def test_raters_are_averaged_and_files_are_one_table(tmp_path: Path) -> None:
    one = write(tmp_path / "x.mqm.ann.seg.rating", {"a": [[MAJOR], None, [MINOR]], "b": [[], None, []]})
    two = write(tmp_path / "x.mqm.bob.seg.rating", {"a": [[], [MINOR], None], "b": [[MINOR], [], None]})
    for both in ((one, two), (two, one)):
        corpus = read(*both)
        assert segment_scores(corpus) == {"a": [-2.5, -1, -1], "b": [-0.5, 0, 0]}
        assert any("3 items × 1 to 2 ratings" in str(note) for note in corpus.notes)
    corpus = read(write(tmp_path / "y.seg.rating", {"a": [[MINOR], []], "b": [[], []], "c": [None, None]}))
    assert [one.name for one in corpus.systems] == ["a", "b"]
    assert "no segment of 'c' was rated: the system is left out" in map(str, corpus.notes)


def test_ratings_of_two_test_sets_are_not_one_table(tmp_path: Path) -> None:
    """Their segments have the same numbers, and systems often the same names; nor does a rater rate an item twice."""
    one = write(tmp_path / "en-de.mqm.merged.seg.rating", {"a": [[MAJOR], []], "b": [[], [MINOR]]})
    two = write(tmp_path / "zh-en.mqm.rater1.seg.rating", {"a": [[], [MAJOR]], "b": [[MINOR], []]})
    with refused(naming=["'zh-en.mqm'", "'en-de.mqm'"]):
        read(one, two)
    for name in ("bob.seg.rating", "ann.txt"):  # a name that says nothing
        read(one, write(tmp_path / name, {"a": [[], []], "b": [[], []]}))
    one = write(tmp_path / "x.mqm.ann.seg.rating", {"a": [[MAJOR], None], "b": [[], None]})
    (tmp_path / "more").mkdir()
    more = tmp_path / "more/x.mqm.ann.seg.rating"
    assert segment_scores(read(one, write(more, {"a": [None, [MINOR]], "b": [None, []]}))) == {
        "a": [-5, -1],
        "b": [0, 0],
    }
    with refused(naming=["'ann'", "'1'", "x.mqm.ann.seg.rating"]):
        read(one, write(more, {"b": [None, [MINOR]], "a": [[MAJOR], [MINOR]]}))


def test_critical_errors_need_a_weight(tmp_path: Path) -> None:
    path = write(tmp_path / "x.seg.rating", {"a": [[CRITICAL], [MINOR], []], "b": [[], [], []]})
    with refused("metrics", naming=["1", "10"]):
        segment_scores(read(path))
    assert segment_scores(read(path), "mqm:critical=10")["a"] == [-10, -1, 0]
    # One rater alone marked such errors.
    one = write(tmp_path / "x.mqm.ann.seg.rating", {"a": [[CRITICAL], []], "b": [[], []]})
    two = write(tmp_path / "x.mqm.bob.seg.rating", {"a": [[], []], "b": [[], []]})
    assert segment_scores(read(one, two), "mqm:critical=10")["a"] == [-5, 0]


@pytest.mark.parametrize("weight", ["-1", "nan", "inf"])
def test_weights_are_numbers(weight: str) -> None:
    with refused():
        make_metric(f"mqm:minor={weight}")


BROKEN = {
    "no list": ('a\t{"errors": 1}\na\tNone\n', "a rating has no list of errors"),
    "no errors": ('a\t{"error": []}\na\tNone\n', "a rating has no list of errors"),
    "no severity": ('a\tNone\na\t{"errors": [{"category": "other"}]}\n', "an error has no category or no severity"),
    "no object": ('a\tNone\na\t{"errors": [1]}\n', "an error has no category or no severity"),
    "severity": ('a\tNone\na\t{"errors": [{"category": "x", "severity": "bad"}]}\n', "severity 'bad'"),
    "not JSON": ('a\tNone\na\t{"errors": [}\n', "not JSON"),
    "nobody": ("a\tNone\na\tNone\nb\tNone\nb\tNone\n", "there are no ratings in it"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_file_is_refused(tmp_path: Path, what: str) -> None:
    text, said = BROKEN[what]
    path = files.write(tmp_path / "x.seg.rating", text)
    with refused(naming=[said, "x.seg.rating"]):
        read(path)


def test_ratings_are_neither_text_nor_other_scores(tmp_path: Path) -> None:
    path = write(tmp_path / "x.txt", {"a": [[MINOR], []], "b": [[], []]})
    with refused("metrics", line=1, naming=["x.txt"]):
        read_corpus([path, path], [path])
    with refused(naming=["'major'"]):
        segment_scores(read(files.write(tmp_path / "s.tsv", "x\ty\n1\t2\n3\t4\n")))


@pytest.mark.whole
@pytest.mark.parametrize(("pair", "raters"), [("en-de", ["merged"]), ("zh-en", [f"rater{i}" for i in range(1, 9)])])
def test_ratings_of_wmt23_give_its_segment_scores(shared_data: Path, pair: str, raters: list[str]) -> None:
    folder = shared_data / "wmt23_mtme" / "human-scores"
    gold: dict[str, list[float]] = {}
    for line in read_gzip(folder / f"{pair}.mqm.seg.score.gz"):
        system, score = line.split("\t")
        gold.setdefault(system, []).append(np.nan if score == "None" else float(score))
    paths = [folder / f"{pair}.mqm.{name}.seg.rating.gz" for name in raters]
    rated: dict[str, Any] = {}
    for path in paths:
        given: dict[str, list[bool]] = {}
        for line in read_gzip(path):
            system, _, errors = line.partition("\t")
            given.setdefault(system, []).append(errors != "None")
        rated = {system: rated.get(system, False) | np.array(own) for system, own in given.items()}
    found = segment_scores(read(*map(str, paths)))
    assert {name for name, own in rated.items() if own.any()} == found.keys()
    kept = np.array([rated[name] for name in found]).all(axis=0)
    assert kept.sum() == {"en-de": 460, "zh-en": 1174}[pair]  # of refA three segments have a score, and no rating
    for name, own in found.items():
        np.testing.assert_allclose(own, np.array(gold[name])[kept], rtol=0, atol=1e-9)
