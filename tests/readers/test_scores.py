"""Segment scores made elsewhere: every form they come in, what is refused, and what their names say."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.readers.files import location, write
from tests.refusals import refused
from truegain.readers import plain
from truegain.readers.any_format import read_scores, read_table, read_text
from truegain.readers.columns import corpus_from_table
from truegain.readers.directions import lower_by_files, lower_by_name, never_negative
from truegain.readers.formats import Layout
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


@pytest.mark.parametrize(
    "text",
    [f"[1{'0' * 400}, 1]", f"[1{'0' * 5000}, 1]", f'{{"x": 1}}\n{{"x": 1{"0" * 400}}}\n', "{"],
    ids=["large", "larger than can be read", "large in a line", "cut"],
)
def test_hostile_files_get_an_answer(tmp_path: Path, text: str) -> None:
    path = write(tmp_path / "scores.txt", text)
    with refused(path=path):
        read_scores(path)


# ---- Names of scores of which lower ones are better


LOWER = """
errors n_errors error_rate errors_per_1k WER ter characTER PER mqm MQM_score accuracy_errors no_of_errors Fehler
latency_ms latencyMs Latency(ms) responseTime time_s edit_time ttft elapsed_ms duration seconds ms real_time_factor
cost_usd price loss loss_on_dev nll word_perplexity ppl bits_per_byte cross_entropy mae rmse MetricX-24 metricx_24_xl
toxicity_score hallucination_rate failures timeouts false_positives false_negative edit_distance edit_rate PE_effort
rank mean_rank place Rang deductions severity minor major brier memory_mb
"""
OTHERS = """
score comet accuracy f1 answer water character pass_rate lossless errorless response_quality majority harmlessness
time_saved cost_saving error_free on_time neg_loss 1-TER 100-WER -MetricX tokens_per_second comet_per_cost timestamp
rank_correlation rank_accuracy mean_reciprocal_rank error_span_f1 error_handling hallucination_detection
brevity_penalty edit_similarity levenshtein_ratio logical_deduction per_segment
"""


@pytest.mark.parametrize(
    ("name", "lower"), [*((name, True) for name in LOWER.split()), *((name, False) for name in ("", *OTHERS.split()))]
)
def test_names_of_scores_of_which_lower_ones_are_better(name: str, lower: bool) -> None:
    assert lower_by_name(name) is lower


#: Files, and what of their names says that lower scores are better, if anything does.
FILES: dict[str, str | None] = {
    "a/TER.seg.score": "TER",
    "MetricX-24-XL.seg.score.gz": "MetricX-24-XL",
    "en-de.mqm.seg.score": "mqm",
    "latency_ms.base.csv latency_ms.new.csv": "latency_ms",
    "MetricX-24.csv": "MetricX-24",
    **dict.fromkeys(["1-TER.seg.score", "a.ms.tsv b.ms.tsv", "a.en-ms.COMET.seg.score", "per.scores"]),
    **dict.fromkeys(["rank8.csv rank16.csv", "ter.scores bleu.scores", "loss_ablation.csv"]),
    **dict.fromkeys(["loss/base.csv loss/new.csv", ""]),
}


@pytest.mark.parametrize("files", FILES)
def test_names_of_files(files: str) -> None:
    assert lower_by_files(files.split()) == FILES[files]


def test_penalties_below_zero_are_better_if_higher() -> None:
    assert never_negative([np.array([0.0, np.nan]), np.array([2.0])])
    for values in ([-1.0, 2.0], [0.0, 0.0], [np.nan], []):
        assert not never_negative([np.array(values)])


# ---- Tables separated by commas or semicolons, and JSON on one line


@pytest.mark.parametrize("separator", [",", ";"])
@pytest.mark.parametrize("name", ["a.CSV", "a.txt"])
def test_scores_between_commas_or_semicolons(tmp_path: Path, separator: str, name: str) -> None:
    text = "id,score,comment\n1,0.5,short\n2,0.25,more\n".replace(",", separator)
    (table,) = read_scores(write(tmp_path / name, text))
    assert table.ids == ("1", "2")
    assert table.columns["score"].tolist() == [0.5, 0.25]


FIELD = st.text(st.sampled_from('ab,;"\n é'), max_size=6)


@given(
    rows=st.lists(st.lists(FIELD, min_size=3, max_size=3), min_size=1, max_size=6),
    separator=st.sampled_from(",;"),
    end=st.sampled_from(["\n", "\r\n"]),
)
def test_every_field_comes_back(rows: list[list[str]], separator: str, end: str) -> None:
    text = io.StringIO()
    csv.writer(text, delimiter=separator, lineterminator=end).writerows([["one", "two", "three"], *rows])
    with TemporaryDirectory() as folder:
        table = read_table(write(Path(folder) / "a.csv", text.getvalue()))
    assert [list(row) for row in zip(*table.columns.values(), strict=True)] == rows


@pytest.mark.parametrize(
    ("text", "line", "naming"),
    [
        ('id,text,score\n1,"two\nlines",0.5\n2,"three\n\nlines",bad\n', 4, ["'bad'"]),  # a row's first line
        ("a;b,c\n1,2,3\n", 1, ["commas", "semicolons"]),
        ("id,score\n1,0.5\n2\n", 3, ["1 field", 2]),
        ("id,score\n1,0.5,7\n", 2, ["3 fields", 2]),
        ("id,score\n1,0.5\n\n2,0.5\n", 3, ["empty", 2]),
        ('id,score\n1,0.5\n2,"0.5\n3,0.5\n', 3, ["CSV"]),
        ('id,score\n1,"0".5\n', 2, ["CSV"]),
        ("id,score, score\n1,2,3\n", 1, ["two", "'score'"]),
        ("id,score\n", None, ["no rows"]),
        ("1,0.5\n2,0.25\n", 1, ["'1'"]),
        ("id;score\n1;0,5\n", 2, ["'0,5'"]),
    ],
)
def test_a_broken_table_is_refused(tmp_path: Path, text: str, line: int | None, naming: list[object]) -> None:
    path = write(tmp_path / "a.csv", text)
    with refused(naming=[location(path, line), *naming]):
        read_scores(path)


def test_json_on_one_line_may_be_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain, "LINE_LIMIT", 100)
    rows = [{"id": f"q{i}", "score": i / 2} for i in range(50)]
    (table,) = read_scores(write(tmp_path / "list.json", json.dumps(rows)))
    assert table.columns["score"].tolist() == [i / 2 for i in range(50)]
    with refused(line=1, naming=["text.txt", "100"]):
        read_text(write(tmp_path / "text.txt", f"[{'x' * 101}\n"))


@pytest.mark.parametrize(
    ("fields", "separator", "told"),
    [
        ("1.769 741 12.345", ";", True),
        ("1.769 741", ",", False),
        *((fields, ";", False) for fields in ("1.769 74", "1.769 741 0.812", "1.769 741.5", "1.769 2.112", "741 1769")),
    ],
)
def test_dots_that_separate_thousands_are_told(tmp_path: Path, fields: str, separator: str, told: bool) -> None:
    rows = [f"id{separator}ms", *(f"{i}{separator}{field}" for i, field in enumerate(fields.split()))]
    notes = read_scores(write(tmp_path / "a.csv", rows))[0].notes
    said = [str(note) for note in notes if note.kind == "thousands"]
    assert [all(one in text for one in ("'ms'", "741", "1.769")) for text in said] == [True] * told


def test_texts_and_a_whole_comparison(tmp_path: Path) -> None:
    path = write(tmp_path / "all.csv", 'id,docid,ref,base\n1,d1,"a cat, black","a ""cat"""\n2,d1,b,b\n')
    corpus = corpus_from_table(path)
    assert corpus.references[0] == ("a cat, black", "b")
    assert corpus.systems[0].runs[0].outputs == ('a "cat"', "b")
    assert corpus.documents == ("d1", "d1")
    assert read_text(path, Layout(text_column="ref")).lines == ["a cat, black", "b"]
    lines = ["Well, he said; then he went.", "So, it ended."]
    assert read_text(write(tmp_path / "ref.txt", lines)).lines == lines
    (table,) = read_scores(write(tmp_path / "a.txt", "errors, in points\n1\n2\n"))
    assert table.columns["errors, in points"].tolist() == [1.0, 2.0]
