"""Segment scores made elsewhere: every form they come in, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.readers.files import write
from tests.refusals import refused
from truegain.errors import InputError
from truegain.readers.any_format import read_scores
from truegain.readers.scores import SCORE


def columns(path: str) -> dict[str, list[float]]:
    (table,) = read_scores(path)
    assert table.system is None
    return {name: values.tolist() for name, values in table.columns.items()}


def test_one_number_a_line(tmp_path: Path) -> None:
    path = write(tmp_path / "scores.txt", "0.5\n -1 \n1e-3\n+2\n")
    assert columns(path) == {SCORE: [0.5, -1.0, 0.001, 2.0]}
    (table,) = read_scores(path)
    assert table.name == path
    assert table.columns[SCORE].dtype == np.float64
    write(tmp_path / "scores.txt", "0.5\r\n0.25\r\n")  # line ends of Windows are said
    assert columns(path) == {SCORE: [0.5, 0.25]}
    (note,) = read_scores(path)[0].notes
    assert (note.kind, note.file, "2 of 2" in note.text) == ("line-ends", path, True)


OBJECTS = [{"x": 0.1}, {"x": 2}]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("id\tCOMET\tsource\terrors\nseg1\t0.8\ta b\t2\nseg2\t0.9\t3\t0\n", {"COMET": [0.8, 0.9], "errors": [2, 0]}),
        ("COMET\n0.8\n0.9\n", {"COMET": [0.8, 0.9]}),
        # A column is decided by its first value that is not missing.
        ("COMET\tcomment\tother\n0.8\t-\tNA\n0.9\tgood\tNA\n", {"COMET": [0.8, 0.9]}),
        ("\tCOMET\nx\t0.8\ny\t0.9\n", {"COMET": [0.8, 0.9]}),  # as pandas writes the index of a data frame
        ('{"src": "a", "x": 0.8, "ok": true}\n{"src": "b", "x": 1, "ok": false}\n', {"x": [0.8, 1], "ok": [1, 0]}),
        ('{"src": "a", "COMET": 0.8}\n', {"COMET": [0.8]}),  # a single line is a single segment
        ("true\nFalse\n TRUE \n", {SCORE: [1, 0, 1]}),
        ("passed\ntrue\nfalse\ntrue\n", {"passed": [1, 0, 1]}),
        ('{"x": true}\n{"x": false}\n{"x": true}\n', {"x": [1, 0, 1]}),
        ("[true, false, true]", {SCORE: [1, 0, 1]}),
        *((json.dumps([0.1, 2], indent=indent), {SCORE: [0.1, 2]}) for indent in (None, 2)),
        *((json.dumps(OBJECTS, indent=indent), {"x": [0.1, 2]}) for indent in (None, 2)),
    ],
)
def test_columns_of_numbers(tmp_path: Path, text: str, expected: dict[str, list[float]]) -> None:
    """What is no number in any row is no score; true and false are 1 and 0."""
    assert columns(write(tmp_path / "scores.txt", text)) == expected


@pytest.mark.parametrize(
    ("first", "naming"),
    [
        *((first, f"'{first}'") for first in ("NA", "n/a", "-", "", "1,0", "50%", "1_000", "\uff11\uff12", "None")),
        ("nan", "nan"),
        ("Infinity", "inf"),
        ("true", "'0.5'"),
    ],
)
@pytest.mark.parametrize("header", ["", "COMET\n", "text\tCOMET\n"])
def test_a_first_segment_is_never_lost_as_a_header(tmp_path: Path, first: str, naming: str, header: str) -> None:
    """One rule for lines and tables."""
    cell = "x\t" if "\t" in header else ""
    path = write(tmp_path / "scores.txt", f"{header}{cell}{first}\n{cell}0.5\n{cell}0.75\n")
    with refused(path=path, line=(2 if header else 1) + (first == "true"), naming=[naming]):
        read_scores(path)


@pytest.mark.parametrize("indent", [None, 4])
def test_the_json_of_comet(tmp_path: Path, indent: int | None) -> None:
    texts = [{"src": "a", "mt": "b", "ref": "c"}, {"src": "d", "mt": "e"}]
    scores = {"out/sys1.txt": [0.8, 0.7], "out/sys2.txt": [0.6, 0.5]}
    document = {name: [{**texts[i], "COMET": own[i]} for i in (0, 1)] for name, own in scores.items()}
    tables = read_scores(write(tmp_path / "comet.json", json.dumps(document, indent=indent)))
    found = [(table.system, {name: own.tolist() for name, own in table.columns.items()}) for table in tables]
    assert found == [(name, {"COMET": own}) for name, own in scores.items()]


@pytest.mark.parametrize(
    ("text", "line", "naming"),
    [
        ("0.5\nx\n", 2, ["'x'"]),
        ("0.5\n\n0.7\n", 2, ["''"]),
        ("0.5\nnan\n", 2, ["nan"]),
        ("inf\n0.5\n", 1, ["inf"]),
        ("0.5\n1e999\n", 2, ["inf"]),
        ("0.5\t0.6\n1\t2\n", 1, ["columns"]),
        ("a\tb\n1\t2\n1\n", 3, ["1 field", 2]),
        ("a\tb\n1\t2\n1\tNaN\n", 3, ["nan"]),
        ("a\tb\n1\t2\n1\tx\n", 3, ["'x'"]),
        ("a\tb\nx\ty\n", 2, ["number"]),
        ('{"x": 1}\n{"x": null}\n', 2, ["'x'", "None"]),
        ('{"x": 1}\n{"y": 1}\n', 2, ["'x'", "None"]),
        ('{"x": 1}\n{"x": true}\n', 2, ["'x'", "True"]),
        ('{"x": 1}\n{"x": NaN}\n', 2, ["nan"]),
        ('{"x": 1}\n{"x": -Infinity}\n', 2, ["-inf"]),
        ('{"x": true}\n{"x": 1}\n', 2, ["'x'", "1", "true or false"]),
        ('{"x": null, "y": 1}\n{"x": 0.5, "y": 1}\n', 1, ["'x'", "None"]),
        ('{"y": 1}\n{"x": 0.5, "y": 1}\n', 1, ["'x'", "None"]),
        ('{"x": "NA", "y": 1}\n{"x": 0.5, "y": 1}\n', 1, ["'x'", "NA"]),
        ('{"x": 1}\n{"x": 2\n', 2, ["JSON"]),
        ('{"x": 1}\n[1]\n', 2, ["object"]),
        ('{"x": "1"}\n{"x": "2"}\n', 1, ["number", "first"]),
        ("COMET\n", None, ["scores.txt"]),
        ('{"sys": []}', None, ["no segments"]),
        ("[]", None, ["no segments"]),
        ("[[1], [2]]", None, ["segment 1"]),
        ('{"sys": [{"x": 1}, "y"]}', None, ["segment 2", "'sys'"]),
        ('["0.5"]', None, ["segment 1"]),
        *(  # a table begins with names
            (f"{first}\n0.5\ty\n0.75\tz\n", 1, [])
            for first in ("NA\tx", "COMET\t-", "5\tx", "1,0\tx", "x\ttrue", "\t", "x\t\uff11")
        ),
    ],
)
def test_unusable_scores_are_refused_by_line(tmp_path: Path, text: str, line: int | None, naming: list[object]) -> None:
    path = write(tmp_path / "scores.txt", text)
    with refused(path=path, line=line, naming=naming):
        read_scores(path)


def test_a_bad_score_in_the_json_of_comet_is_found_by_system_and_segment(tmp_path: Path) -> None:
    document = {"sys1": [{"COMET": 0.8}, {"COMET": 0.7}], "sys2": [{"COMET": 0.6}, {"COMET": float("nan")}]}
    with pytest.raises(InputError) as caught:
        read_scores(write(tmp_path / "scores.txt", json.dumps(document)))
    assert all(told in caught.value.message for told in ("nan", "segment 2", "sys2"))
    # All of it may stand in one line: a number of a line would lead nowhere.
    assert caught.value.line in (None, 1)


@pytest.mark.parametrize(
    "text",
    ["[" * 200_000, f"[1{'0' * 400}, 1]", f"[1{'0' * 5000}, 1]", f'{{"x": 1}}\n{{"x": 1{"0" * 400}}}\n', "\ufeff", "{"],
    ids=["deep", "large", "larger than can be read", "large in a line", "byte order mark", "cut"],
)
def test_hostile_files_get_an_answer(tmp_path: Path, text: str) -> None:
    path = write(tmp_path / "scores.txt", text)
    with refused(path=path):
        read_scores(path)
