"""Inputs that are large in the wrong place: read or refused in seconds, where looking at each part anew takes hours."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import truegain as tg
from tests.refusals import refused
from truegain.metrics.lookup import make_metric
from truegain.readers.documents import read_documents

BLANKS = " " * 900_000
DIGITS = "9" * 5_000
WORD = "1\ta\t_\tX\t_\t_\t{}\tx\t_\t_\n"

FILES = {
    "blanks-in-an-utterance": ("a.trn", f"x{BLANKS}y\nx{BLANKS}(u-1)\n"),
    "blanks-in-a-segment": ("a.sgm", f'<refset><doc docid="d"><seg>x{BLANKS}y</seg></doc></refset>'),
    "blanks-in-xml": ("a.xml", f"<d><doc><ref><seg>x{BLANKS}y</seg></ref><hyp><seg>x</seg></hyp></doc></d>"),
    "blanks-in-the-id-of-a-document": ("a.conllu", f"# newdoc id = x{BLANKS}y\n{WORD.format(0)}"),
    "blanks-in-the-id-of-a-sentence": ("a.conllu", f"# sent_id = x{BLANKS}y\n{WORD.format(0)}"),
    "digits-of-a-head": ("a.conllu", WORD.format(DIGITS)),
    "digits-of-a-token": ("a.conllu", f"1-{DIGITS}\tab\t_\t_\t_\t_\t_\t_\t_\t_\n{WORD.format(0)}"),
    "quotes-in-a-tag": ("a.sgm", "<seg " + "'\"" * 200_000),
    "tags-without-an-end": ("a.sgm", "<seg a='" * 100_000),
    "a-key-for-each-row": ("a.jsonl", "".join(f'{{"k{i}": 1}}\n' for i in range(60_000))),
    "brackets-that-open": ("a.mrg", "(S " * 300_000),
    "brackets-around-brackets": ("a.mrg", "(S " * 200_000 + "(N x)" + ")" * 200_000),
    "columns": ("a.tsv", "\t".join(map(str, range(200_000))) + "\n" + "\t" * 199_999 + "\n"),
}

SCORE = ("score", "-R", "10", "-j", "1", "--no-cache")


def ends(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A command in a process of its own, which is stopped after minutes: it should take a second or two."""
    command = [sys.executable, "-m", "truegain", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=180)


@pytest.mark.parametrize("case", FILES)
def test_a_file_is_read_or_refused(case: str, tmp_path: Path) -> None:
    name, content = FILES[case]
    (tmp_path / name).write_text(content, encoding="utf-8")
    given = ["--table", name] if name.endswith(("jsonl", "tsv")) else ["--ref", name, name]
    answer = ends(tmp_path, *SCORE, *given)
    assert answer.returncode in (0, 2), answer.stderr
    assert "Traceback" not in answer.stderr


def test_links_of_many_digits_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(f"0-{DIGITS}\n")
    (tmp_path / "r.txt").write_text("0-0\n")
    answer = ends(tmp_path, *SCORE, "-m", "aer", "--ref", "r.txt", "a.txt")
    assert (answer.returncode, answer.stdout) == (2, "")
    assert "is not a link" in answer.stderr


@pytest.mark.parametrize(
    "setting", ["bleu:max_ngram_order", "chrf:char_order", "chrf:word_order", "chrf:beta", "rouge:n"]
)
@pytest.mark.parametrize("value", ["101000", "9" * 400])
def test_orders_beyond_all_texts_are_refused(setting: str, value: str) -> None:
    with refused(naming=[setting]):
        make_metric(f"{setting}={value}")


LINES = ["a b c", "d e f"]
RUNS = {"x": [["a", "b"], ["a", "c"]], "y": [["a b", "c"], ["d", "c"]]}
STUDIES = ("compare", "score", "rank", "gate", "replicate", "intervals", "domains")


@pytest.mark.parametrize("value", [10**12 + 1, 10**30])
@pytest.mark.parametrize("study", [*STUDIES, "calibrate"])
def test_more_resamples_than_an_array_can_hold_are_refused(study: str, value: int) -> None:
    with refused(naming=["1,000,000,000,000", "number"]):
        getattr(tg, study)(LINES, RUNS, resamples=value)


@pytest.mark.parametrize("alpha", [1e-320, 1e-16, 1 - 1e-16])
@pytest.mark.parametrize("study", STUDIES)
def test_levels_that_no_float_tells_from_0_or_1_are_refused(study: str, alpha: float) -> None:
    with refused(naming=[repr(alpha)]):
        getattr(tg, study)(LINES, RUNS, alpha=alpha)


@pytest.mark.parametrize(
    ("study", "name"),
    [("calibrate", "repetitions"), ("replicate", "repetitions"), ("domains", "draws"), ("domains", "draw_resamples")],
)
def test_more_repetitions_and_draws_than_can_be_are_refused(study: str, name: str) -> None:
    with refused(naming=["number"]):
        getattr(tg, study)(LINES, RUNS, **{name: 10**30})


def test_more_items_of_a_draw_than_can_be_are_refused() -> None:
    with refused(naming=["number"]):
        tg.domains(LINES, RUNS, sizes=[10**30])


def test_more_references_a_line_than_there_are(tmp_path: Path) -> None:
    (tmp_path / "r.txt").write_text("a\tb\nc\td\n")
    (tmp_path / "a.txt").write_text("a\nx\n")
    line = (*SCORE, "--ref", "r.txt", "a.txt", "--num-refs")
    assert ends(tmp_path, *line, "2").returncode == 0
    answer = ends(tmp_path, *line, str(2**64))
    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr.startswith(f"truegain: r.txt:1: 2 references where {2**64} were expected")


def test_a_key_with_a_tab_shifts_no_column(tmp_path: Path) -> None:
    path = tmp_path / "docs.jsonl"
    path.write_text('{"a\\tb": "x", "doc": "d1", "c": "y"}\n{"a\\tb": "x", "doc": "d2", "c": "y"}\n')
    assert read_documents(str(path), 2).documents == ["d1", "d2"]


def test_a_key_that_stands_twice_among_many(tmp_path: Path) -> None:
    pairs = [f'"k{i}": 0' for i in range(300_000)]
    (tmp_path / "a.json").write_text("{" + ", ".join([*pairs, pairs[-1]]) + "}")
    answer = ends(tmp_path, "render", "a.json")
    assert answer.returncode == 2
    assert "'k299999'" in answer.stderr


def test_keys_that_most_rows_lack_are_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("".join(json.dumps({f"k{i}": "x"}) + "\n" for i in range(5_000)))
    answer = ends(tmp_path, *SCORE, "--table", "a.jsonl")
    assert answer.returncode == 2
    assert "4,096 different keys in the first 4,096 rows, and most lack most of them" in answer.stderr


@pytest.mark.parametrize(
    "given",
    [{"sd": 1e308, "correlation": 0.5}, {"sd_difference": 1e308}, {"sd_difference": 1.0, "run_sd": (1e308, 1.0)}],
)
def test_deviations_whose_square_is_no_number_are_refused(given: dict[str, Any]) -> None:
    with refused(naming=["100", "308"]):
        tg.plan(gain=1.0, **given)


def test_a_system_of_a_set_that_no_file_can_be_called(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "r.txt").write_text("a\n")
    answer = ends(tmp_path, "domains", "--set", "one", "--ref", "r.txt", "x" * 300)
    assert (answer.returncode, answer.stdout) == (2, "")
    assert "there is no such file" in answer.stderr
