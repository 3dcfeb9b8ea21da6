"""truegain inspect: from files to what is shown."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest

from tests.cli.said import missing
from truegain.settings.inspect import Tokenizer
from truegain.text.tokenizers import TOKENIZERS

Command = Callable[..., tuple[int, str, str]]
TEXTS = ("inspect", "--ref", "ref.txt", "base.txt", "new.txt")


def test_every_segment_as_csv(command: Command) -> None:
    _, out, _ = command(*TEXTS, "-m", "chrf", "--all", "-f", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [row["segment"] for row in rows] == [str(i) for i in range(1, 25)]


def test_json_file(command: Command, folder: Path) -> None:
    more = ("--length-buckets", "5,11", "--frequencies", "ref.txt", "--tokenize", "none", "-q")
    code, _, err = command(*TEXTS, "-o", "found.json", *more)
    assert code == 0, err
    data = json.loads((folder / "found.json").read_text(encoding="utf-8"))
    assert [one["label"] for one in data["lengths"]] == ["<5", "5–10", "≥11"]
    assert [one["segments"] for one in data["lengths"]] == [0, 0, 24]
    assert (data["frequencies"], data["tokenize"]) == ("ref.txt", "none")


def test_scores_alone_and_beside_texts(command: Command) -> None:
    code, _, err = command("inspect", "-m", "scores", "base.scores", "new.scores")
    assert code == 0, err
    beside = ("--scores", "base=base.scores", "--scores", "new=new.scores", "-m", "scores", "-n", "1")
    code, out, err = command(*TEXTS, *beside)
    assert code == 0, err
    assert "  ref  the small cat" in out


def test_texts_can_be_split_as_for_bleu() -> None:
    assert get_args(Tokenizer) == tuple(name for name in TOKENIZERS if name != "spm")


@pytest.mark.parametrize(
    ("line", "naming"),
    [
        ("base.txt new.txt --length-buckets 10,x", "'10,x'"),
        ("base.txt new.txt --tokenize spm", "'spm'"),
        ("base.txt new.txt --frequencies latin.txt", "latin.txt:2: 0xe4"),
        ("base.txt", "system"),
    ],
)
def test_bad_input(refused: Callable[..., str], folder: Path, line: str, naming: str) -> None:
    (folder / "latin.txt").write_bytes(b"fine\nb\xe4d\n")
    assert not missing(refused("inspect", "--ref", "ref.txt", *line.split()), naming)
