"""Hypotheses with features: lists of Moses and JSON lines, and what is refused."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from benchmarks.data import REAL_DATA
from tests.readers.files import write
from tests.refusals import refused
from truegain.metrics.bleu import BLEU
from truegain.readers.hypotheses import Hypotheses, read_hypotheses

MOSES = REAL_DATA / "moses_mert" / "extractor"
needs_moses = pytest.mark.skipif(not MOSES.exists(), reason="TRUEGAIN_DATA has no moses_mert")
LINES = [
    "0||| a cat sat ||| lm= -1.5 tm= -2 -3 ||| -9",
    "0 ||| the cat ||| lm= -2 tm= 0 1 ||| -10",
    "1 ||| a dog ||| lm= 0.5 tm= 1e-3 4 ||| 1",
    "3 ||| an end ||| lm= 7 tm= -1 -1 ||| 2",
]


def read(folder: Path, lines: list[str], segments: int = 4, *features: str) -> Hypotheses:
    return read_hypotheses([write(folder / "list.txt", lines)], segments, features)


def same(one: Hypotheses, other: Hypotheses) -> bool:
    arrays = ((one.edges, other.edges), (one.values, other.values))
    return (one.features, one.texts) == (other.features, other.texts) and all(np.array_equal(*both) for both in arrays)


def test_a_list_of_moses(tmp_path: Path) -> None:
    found = read(tmp_path, LINES)
    assert found.features == ("lm", "tm_0", "tm_1")
    assert found.edges.tolist() == [0, 2, 3, 3, 4]
    assert found.texts == ("a cat sat", "the cat", "a dog", "an end")
    assert found.values.tolist() == [[-1.5, -2, -3], [-2, 0, 1], [0.5, 1e-3, 4], [7, -1, -1]]
    said = f"{tmp_path / 'list.txt'}: no hypothesis of segment 2: the output is empty there"
    assert list(map(str, found.notes)) == [said]
    assert read(tmp_path, LINES, 4, "tm_1").values.tolist() == [[-3], [1], [4], [-1]]
    with refused(naming=["'ml'"]):
        read(tmp_path, LINES, 4, "ml")
    assert read(tmp_path, ["0 ||| a ||| -1 2 ||| 0", "0 ||| b ||| 3 4 ||| 0"], 1).features == ("F_0", "F_1")


@pytest.mark.parametrize(
    ("lines", "line", "naming"),
    [
        (["4 ||| x ||| lm= 1 ||| 0"], 1, [4]),
        ([LINES[0], "0 ||| x ||| lm= 1 ||| 0"], 2, ["lacks", "'tm_0'"]),
        (["0 ||| x ||| lm= 1 ||| 0", LINES[0]], 2, ["'tm_0'"]),
        *(([f"0 ||| x ||| lm= {odd} ||| 0"], 1, ["'lm'", f"'{odd}'"]) for odd in ("nan", "1e999", "x")),
        (["0 ||| x ||| lm= tm= 1 ||| 0"], 1, ["'lm'", "no value"]),
        (["0 ||| x ||| lm= 1 lm= 2 ||| 0"], 1, ["'lm'", "twice"]),
        ([LINES[0], LINES[2]], None, ["no segment", "two"]),
        ([], None, ["empty"]),
        *(([f"0 ||| x ||| lm= 1 ||| {odd}"], 1, ["total", f"'{odd}'"]) for odd in ("nan", "-inf")),
        (["a line"], 1, ["list"]),
        ([LINES[0], ""], 2, ["empty"]),
    ],
)
def test_what_is_refused(tmp_path: Path, lines: list[str], line: int | None, naming: list[object]) -> None:
    with refused(line=line, naming=naming):
        read(tmp_path, lines)


FEATURES = {"a": 1}


@pytest.mark.parametrize(
    ("record", "naming"),
    [
        ({"text": "x", "features": FEATURES}, ["id"]),
        ({"id": "0", "text": "x", "features": FEATURES}, ["id"]),
        ({"id": 0, "features": FEATURES}, ["text"]),
        ({"id": 0, "text": "x"}, ["no features"]),
        ({"id": 0, "text": "x", "features": {"a": "1"}}, ["'a'", "'1'"]),
        ({"id": 0, "text": "x", "features": FEATURES, "total": "1"}, ["total", "'1'"]),
        ({"id": 0, "text": "x", "features": {"a": 10**400}}, ["'a'", "large"]),
        ({"id": 0, "text": "x", "features": {}}, ["no features"]),
        ({"id": 0, "text": "x", "features": {"a": True}}, ["'a'", "True"]),
        ({"id": 0, "text": "x\ny", "features": FEATURES}, ["line break"]),
        ({"id": 0, "text": "x\r", "features": FEATURES}, ["line break"]),
        ({"id": 0, "text": "\ud800", "features": FEATURES}, ["character"]),
        ({"id": 0, "text": "x" * 1_000_001, "features": FEATURES}, ["1,000,001"]),
    ],
)
def test_what_is_refused_in_json(tmp_path: Path, record: dict[str, object], naming: list[object]) -> None:
    path = write(tmp_path / "list.jsonl", [record])
    with refused(path=path, line=1, naming=naming):
        read_hypotheses([path], 4)


@needs_moses
def test_statistics_are_those_of_moses_extractor() -> None:
    references = (MOSES / "reference").read_text(encoding="utf-8").splitlines()
    theirs: dict[str, list[list[float]]] = {"FEATURES": [], "SCORES": []}
    at = ""
    with gzip.open(MOSES / "expected.txt.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            said = line.partition("=")[2]
            if "_TXT_BEGIN" in said:
                at = said.partition("_")[0]
            elif at and "_TXT_END" not in said and said.strip():
                theirs[at].append([float(one) for one in said.split()])
    files = sorted(map(str, MOSES.glob("nbest.*.gz")))
    found = read_hypotheses(files, len(references))
    segments = np.repeat(np.arange(len(references)), np.diff(found.edges))
    own = np.asarray(BLEU(tokenize="none").statistics(list(found.texts), [[references[i] for i in segments]]), float)
    by_turns = np.column_stack([own[:, [2 + n, 6 + n]] for n in range(4)] + [own[:, 1]])
    pairs = {(*a, *b) for a, b in zip(found.values.tolist(), by_turns.tolist(), strict=True)}
    wanted = {(*a, *b) for a, b in zip(theirs["FEATURES"], theirs["SCORES"], strict=True)}
    assert len(wanted) > 900
    assert wanted <= pairs


def test_the_order_of_lines_does_not_choose_the_order_of_features(tmp_path: Path) -> None:
    lines = ["0 ||| a ||| tm= 1 lm= 2 ||| 0", "0 ||| b ||| lm= 3 tm= 4 ||| 0"]
    found, turned = (read(tmp_path, own, 1) for own in (lines, lines[::-1]))
    assert found.features == turned.features == ("lm", "tm")
    assert found.values.tolist() == turned.values.tolist() == [[2.0, 1.0], [3.0, 4.0]]
    same = [line.replace("lm= 3 tm= 4", "tm= 4 lm= 3") for line in lines]
    assert read(tmp_path, same, 1).features == ("tm", "lm"), "the order of the file if it has one"
