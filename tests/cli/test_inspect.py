"""truegain inspect: from files to what is shown."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest
from click.testing import CliRunner, Result

from truegain.cli.main import group
from truegain.errors import InputError
from truegain.settings.inspect import Tokenizer
from truegain.text.tokenizers import TOKENIZERS

Run = Callable[..., Result]


@pytest.fixture
def run(folder: Path) -> Run:
    def inside(*arguments: str) -> Result:
        return CliRunner().invoke(group, ["inspect", *arguments], prog_name="truegain")

    return inside


def test_two_files(run: Run) -> None:
    done = run("--ref", "ref.txt", "--docs", "docs.txt", "base.txt", "new.txt", "-n", "2", "--no-cache")
    assert done.exit_code == 0, done.output
    assert "Segments that speak most for new (BLEU)" in done.output
    assert "BLEU ↑ by document" in done.output
    assert "BLEU ↑ by reference length" in done.output
    assert "words by frequency" in done.output
    assert "more often right in new" in done.output
    assert "\x1b" not in done.output


def test_every_segment_as_csv(run: Run) -> None:
    done = run("--ref", "ref.txt", "base.txt", "new.txt", "-m", "chrf", "--all", "-f", "csv")
    rows = list(csv.DictReader(io.StringIO(done.output)))
    assert [row["segment"] for row in rows] == [str(i) for i in range(1, 25)]


def test_json_file(run: Run, folder: Path) -> None:
    done = run(
        *("--ref", "ref.txt", "base.txt", "new.txt", "-o", "found.json", "--length-buckets", "5,11"),
        *("--frequencies", "ref.txt", "--tokenize", "none", "-q"),
    )
    assert done.exit_code == 0, done.output
    data = json.loads((folder / "found.json").read_text(encoding="utf-8"))
    assert [one["label"] for one in data["lengths"]] == ["<5", "5–10", "≥11"]
    assert [one["segments"] for one in data["lengths"]] == [0, 0, 24]
    assert (data["frequencies"], data["tokenize"]) == ("ref.txt", "none")


def test_scores(run: Run) -> None:
    done = run("-m", "scores", "base.scores", "new.scores")
    assert done.exit_code == 0, done.output
    assert "There are no texts" in done.output


def test_scores_beside_texts(run: Run) -> None:
    done = run(
        *("--ref", "ref.txt", "base.txt", "new.txt", "--scores", "base=base.scores", "--scores", "new=new.scores"),
        *("-m", "scores", "-n", "1"),
    )
    assert done.exit_code == 0, done.output
    assert "  ref  the small cat" in done.output
    assert "words by frequency" in done.output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--length-buckets", "10,x"), "'10,x' is not a list of whole numbers, such as 10,20,30"),
        (("--count", "-1"), "-1 is not in the range x>=0"),
        (("--tokenize", "spm"), "'spm' is not one of"),
    ],
)
def test_usage(run: Run, arguments: tuple[str, ...], message: str) -> None:
    done = run("--ref", "ref.txt", "base.txt", "new.txt", *arguments)
    assert done.exit_code == 2
    assert message in done.output


def test_bad_input(run: Run, folder: Path) -> None:
    (folder / "bad.txt").write_bytes(b"fine\nb\xe4d\n")
    for arguments, message in (
        (("base.txt",), "there is only one system"),
        (("base.txt", "new.txt", "third=base.txt"), "two can be inspected"),
        (("base.txt", "new.txt", "--length-buckets", "20,10"), "that rise"),
        (("base.txt", "new.txt", "--frequencies", "bad.txt"), "bad.txt:2: byte 2 of the line (0xe4) is not UTF-8"),
    ):
        done = run("--ref", "ref.txt", *arguments)
        assert isinstance(done.exception, InputError)
        assert message in str(done.exception)


def test_texts_can_be_split_as_for_bleu() -> None:
    assert get_args(Tokenizer) == tuple(name for name in TOKENIZERS if name != "spm")
