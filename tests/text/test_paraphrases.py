"""Entries of a table, for the texts at hand."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from truegain.text import paraphrases
from truegain.text.paraphrases import Paraphrases, PhraseTable, word_fingerprints
from truegain.text.words import Sequences

WORDS = ["in", "order", "to", "premier", "prime", "minister", "é"]
PRINTS = word_fingerprints(WORDS)
TABLE = "0.5\nin order to\nto\n0.4\nprime minister\npremier\n0.1\nto\nin order to\n0.1\nfor\nwith\n0.2\né\nin\n"


def texts(*lines: str) -> Sequences:
    numbers = [[WORDS.index(word) for word in line.split()] for line in lines]
    offsets = np.cumsum([0, *map(len, numbers)]).astype(np.int64)
    return Sequences(np.array([one for line in numbers for one in line], np.int32), offsets)


def table(path: Path, text: str = TABLE) -> Path:
    with gzip.open(path / "table.gz", "wt", encoding="utf-8") as stream:
        stream.write(text)
    return path / "table.gz"


@pytest.mark.parametrize("block", [7, 40, 1 << 20])
def test_what_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    monkeypatch.setattr(paraphrases, "_READ", block)
    found = PhraseTable.read(table(tmp_path)).of(texts("in order to", "premier"), PRINTS)
    assert found.longest == 3
    assert found.forward.size == 2  # of "in order to", and of "to"
    assert found.backward.size == 4  # to "to", "premier", "in order to", "in"
    where = found.find(texts("prime minister to", "é"), PRINTS)
    assert where.rows[:, :2].tolist() == [[0, 2], [2, 1], [0, 1]]
    assert where.offsets.tolist() == [0, 2, 3]


def test_no_entries(tmp_path: Path) -> None:
    assert Paraphrases.none().find(texts("in order to"), PRINTS).rows.shape == (0, 3)
    assert PhraseTable.read(table(tmp_path, "")).of(texts("in"), PRINTS).forward.size == 0


@pytest.mark.parametrize("block", [7, 40, 1 << 20])
def test_every_entry_in_its_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    monkeypatch.setattr(paraphrases, "_READ", block)
    found = PhraseTable.read(table(tmp_path, "1\nto\nin\n1\nto\né\n1\nin\nto\n1\nto\nto\n"))
    phrase = {word: phrases_of_one(word) for word in ("to", "in", "é")}
    firsts = np.repeat(found.firsts, np.diff(found.ends, prepend=0)).tolist()
    expected = [("to", "in"), ("to", "é"), ("in", "to"), ("to", "to")]
    assert list(zip(firsts, found.seconds.tolist(), strict=True)) == [(phrase[a], phrase[b]) for a, b in expected]


def phrases_of_one(word: str) -> int:
    """A phrase of one word has another fingerprint than the word."""
    return int(paraphrases._all_phrases(texts(word), PRINTS, 1)[0])
