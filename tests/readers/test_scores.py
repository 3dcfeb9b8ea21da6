"""Segment scores made elsewhere: every form they come in, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.refusals import refused
from truegain.errors import InputError
from truegain.readers.any_format import read_scores
from truegain.readers.scores import SCORE


def written(folder: Path, text: str, name: str = "scores.txt") -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8", newline="")
    return str(path)


def columns(path: str) -> dict[str, list[float]]:
    (table,) = read_scores(path)
    assert table.system is None
    return {name: values.tolist() for name, values in table.columns.items()}


def test_one_number_a_line(tmp_path: Path) -> None:
    path = written(tmp_path, "0.5\n -1 \n1e-3\n+2\n")
    assert columns(path) == {SCORE: [0.5, -1.0, 0.001, 2.0]}
    assert read_scores(path)[0].name == path


def test_numbers_are_double_precision(tmp_path: Path) -> None:
    (table,) = read_scores(written(tmp_path, "0.1\n"))
    assert table.columns[SCORE].dtype == np.float64
    assert table.columns[SCORE][0] == 0.1


def test_a_table_with_texts_and_numbers(tmp_path: Path) -> None:
    path = written(tmp_path, "id\tCOMET\tsource\terrors\nseg1\t0.8\ta b\t2\nseg2\t0.9\t3\t0\n")
    assert columns(path) == {"COMET": [0.8, 0.9], "errors": [2.0, 0.0]}


def test_a_table_of_one_column(tmp_path: Path) -> None:
    assert columns(written(tmp_path, "COMET\n0.8\n0.9\n")) == {"COMET": [0.8, 0.9]}


def test_windows_line_ends_are_said(tmp_path: Path) -> None:
    path = written(tmp_path, "0.5\r\n0.25\r\n")
    assert columns(path) == {SCORE: [0.5, 0.25]}
    assert tuple(map(str, read_scores(path)[0].notes)) == (f"{path}: 2 of 2 lines end in \\r\\n; the \\r was left out",)


def test_json_lines(tmp_path: Path) -> None:
    path = written(tmp_path, '{"src": "a", "COMET": 0.8, "ok": true}\n{"src": "b", "COMET": 1, "ok": false}\n')
    assert columns(path) == {"COMET": [0.8, 1.0], "ok": [1.0, 0.0]}


@pytest.mark.parametrize(
    "text",
    [
        "true\nFalse\n TRUE \n",
        "passed\ntrue\nfalse\ntrue\n",
        '{"x": true}\n{"x": false}\n{"x": true}\n',
        "[true, false, true]",
    ],
)
def test_truth_values_are_one_and_nought(tmp_path: Path, text: str) -> None:
    assert list(columns(written(tmp_path, text)).values()) == [[1.0, 0.0, 1.0]]


def test_columns_are_decided_by_the_first_value_that_is_not_missing(tmp_path: Path) -> None:
    path = written(tmp_path, "COMET\tcomment\tother\n0.8\t-\tNA\n0.9\tgood\tNA\n")
    assert columns(path) == {"COMET": [0.8, 0.9]}


def test_a_column_without_a_name(tmp_path: Path) -> None:
    """As pandas writes the index of a data frame."""
    assert columns(written(tmp_path, "\tCOMET\nx\t0.8\ny\t0.9\n")) == {"COMET": [0.8, 0.9]}


@pytest.mark.parametrize(
    ("first", "message"),
    [
        ("NA", "'NA' is not a number"),
        ("n/a", "'n/a' is not a number"),
        ("-", "'-' is not a number"),
        ("", "'' is not a number"),
        ("1,0", "'1,0' is not a number"),
        ("50%", "'50%' is not a number"),
        ("1_000", "'1_000' is not a number"),
        ("\uff11\uff12", "'\uff11\uff12' is not a number"),
        ("None", "'None' is not a number"),
        ("nan", "the score is nan"),
        ("Infinity", "the score is inf"),
        ("true", "'0.5' is neither true nor false"),
    ],
)
@pytest.mark.parametrize("header", ["", "COMET\n", "text\tCOMET\n"])
def test_a_first_segment_is_never_lost_as_a_header(tmp_path: Path, first: str, message: str, header: str) -> None:
    """One rule for lines and tables."""
    cell = "x\t" if "\t" in header else ""
    path = written(tmp_path, f"{header}{cell}{first}\n{cell}0.5\n{cell}0.75\n")
    line = (2 if header else 1) + (first == "true")
    with pytest.raises(InputError) as caught:
        read_scores(path)
    assert message in caught.value.message
    assert (caught.value.path, caught.value.line) == (path, line)


@pytest.mark.parametrize("first", ["NA\tx", "COMET\t-", "5\tx", "1,0\tx", "x\ttrue", "\t", "x\t\uff11"])
def test_a_table_begins_with_names(tmp_path: Path, first: str) -> None:
    path = written(tmp_path, f"{first}\n0.5\ty\n0.75\tz\n")
    with refused(line=1):
        read_scores(path)


def test_a_single_json_line_is_a_single_segment(tmp_path: Path) -> None:
    assert columns(written(tmp_path, '{"src": "a", "COMET": 0.8}\n')) == {"COMET": [0.8]}


@pytest.mark.parametrize("indent", [None, 2])
def test_a_json_list_of_numbers_or_objects(tmp_path: Path, indent: int | None) -> None:
    assert columns(written(tmp_path, json.dumps([0.1, 2], indent=indent))) == {SCORE: [0.1, 2.0]}
    assert columns(written(tmp_path, json.dumps([{"x": 0.1}, {"x": 2}], indent=indent))) == {"x": [0.1, 2.0]}


@pytest.mark.parametrize("indent", [None, 4])
def test_the_json_of_comet(tmp_path: Path, indent: int | None) -> None:
    document = {
        "out/sys1.txt": [{"src": "a", "mt": "b", "ref": "c", "COMET": 0.8}, {"src": "d", "mt": "e", "COMET": 0.7}],
        "out/sys2.txt": [{"src": "a", "mt": "f", "ref": "c", "COMET": 0.6}, {"src": "d", "mt": "g", "COMET": 0.5}],
    }
    tables = read_scores(written(tmp_path, json.dumps(document, indent=indent), "comet.json"))
    assert [table.system for table in tables] == ["out/sys1.txt", "out/sys2.txt"]
    assert [table.columns["COMET"].tolist() for table in tables] == [[0.8, 0.7], [0.6, 0.5]]
    assert all(list(table.columns) == ["COMET"] for table in tables)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("0.5\nx\n", 2, "'x' is not a number"),
        ("0.5\n\n0.7\n", 2, "'' is not a number"),
        ("0.5\nnan\n", 2, "the score is nan"),
        ("inf\n0.5\n", 1, "the score is inf"),
        ("0.5\n-inf\n", 2, "the score is -inf"),
        ("0.5\n1e999\n", 2, "the score is inf"),
        ("0.5\t0.6\n1\t2\n", 1, "the first line of a table must name its columns"),
        ("a\ta\n1\t2\n", 1, "two columns have the same name"),
        ("a\tb\n1\t2\n1\n", 3, "1 field where the header has 2"),
        ("a\tb\n1\t2\n1\tNaN\n", 3, "the score is nan"),
        ("a\tb\n1\t2\n1\tx\n", 3, "'x' is not a number"),
        ("a\tb\nx\ty\n", 2, "number"),
        ('{"x": 1}\n{"x": null}\n', 2, "'x' is None; a number was expected"),
        ('{"x": 1}\n{"y": 1}\n', 2, "'x' is None; a number was expected"),
        ('{"x": 1}\n{"x": true}\n', 2, "'x' is True; a number was expected"),
        ('{"x": 1}\n{"x": NaN}\n', 2, "the score is nan"),
        ('{"x": 1}\n{"x": -Infinity}\n', 2, "the score is -inf"),
        ('{"x": true}\n{"x": 1}\n', 2, "'x' is 1; true or false was expected"),
        ('{"x": null, "y": 1}\n{"x": 0.5, "y": 1}\n', 1, "'x' is None; a number was expected"),
        ('{"y": 1}\n{"x": 0.5, "y": 1}\n', 1, "'x' is None; a number was expected"),
        ('{"x": "NA", "y": 1}\n{"x": 0.5, "y": 1}\n', 1, "'x' is NA; a number was expected"),
        ("a\tb\n1\t-\n1\t2\n", 2, "'-' is not a number"),
        ("a\tb\n1\t0,5\n1\t0,6\n", 2, "'0,5' is not a number"),
        ('{"x": 1}\n{"x": 2\n', 2, "not JSON"),
        ('{"x": 1}\n[1]\n', 2, "each line must be a JSON object"),
        ('{"x": "1"}\n{"x": "2"}\n', 1, "is a number in the first segment"),
    ],
)
def test_what_cannot_be_used_is_refused_with_its_line(tmp_path: Path, text: str, line: int, message: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(InputError) as caught:
        read_scores(path)
    assert message in caught.value.message
    assert (caught.value.path, caught.value.line) == (path, line)


def test_a_header_alone_is_refused(tmp_path: Path) -> None:
    with refused(naming=["scores.txt"]):
        read_scores(written(tmp_path, "COMET\n"))


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({"sys": []}, "there are no segments in it"),
        ([], "there are no segments in it"),
        ([[1], [2]], "segment 1 is neither a number nor an object"),
        ({"sys": [{"x": 1}, "y"]}, "segment 2 of 'sys' is neither a number nor an object"),
        (["0.5"], "segment 1 is neither a number nor an object"),
    ],
)
def test_json_of_another_form_is_refused(tmp_path: Path, document: Any, message: str) -> None:
    path = written(tmp_path, json.dumps(document))
    with pytest.raises(InputError, match=message) as caught:
        read_scores(path)
    assert caught.value.path == path


def test_a_bad_score_in_the_json_of_comet_is_found_by_system_and_segment(tmp_path: Path) -> None:
    document = {"sys1": [{"COMET": 0.8}, {"COMET": 0.7}], "sys2": [{"COMET": 0.6}, {"COMET": float("nan")}]}
    path = written(tmp_path, json.dumps(document))
    with pytest.raises(InputError, match="nan") as caught:
        read_scores(path)
    # All of it may stand in one line: a number of a line would lead nowhere.
    assert caught.value.line in (None, 1)
    assert "segment 2" in caught.value.message
    assert "sys2" in caught.value.message


@pytest.mark.parametrize(
    "text",
    ["[" * 200_000, f"[1{'0' * 400}, 1]", f"[1{'0' * 5000}, 1]", f'{{"x": 1}}\n{{"x": 1{"0" * 400}}}\n', "\ufeff", "{"],
    ids=["deep", "large", "larger than can be read", "large in a line", "byte order mark", "cut"],
)
def test_hostile_files_get_an_answer(tmp_path: Path, text: str) -> None:
    path = written(tmp_path, text)
    with refused(path=path):
        read_scores(path)
