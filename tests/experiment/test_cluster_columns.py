"""Columns that by their names say which segments belong together are named if they are not the unit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import truegain as tg
from truegain.readers.corpora import read_corpus

N = 40


def notes(folder: Path, column: str, values: list[Any], **options: Any) -> list[str]:
    """Compare two systems in a table with that column; return the texts of notes on it."""
    rng = np.random.default_rng(1)
    path = folder / "table.csv"
    rows = [f"{i},{values[i]},{system},{rng.random():.3f}" for system in ("base", "new") for i in range(N)]
    path.write_text("\n".join([f"id,{column},system,score", *rows]) + "\n", encoding="utf-8")
    documents = options.pop("document_column", None)
    corpus = read_corpus([str(path)], outputs_are_scores=True, document_column=documents)
    result = tg.compare(corpus, metrics=["scores:column=score"], resamples=50, **options)
    return [note.text for note in result.notes if note.kind == "cluster-column"]


@pytest.mark.parametrize("column", ["passage", "Passage ID", "subject_id", "story", "conversation-id"])
@pytest.mark.parametrize("letter", ["p", ""])
def test_a_column_whose_values_repeat_is_named_with_what_to_type(tmp_path: Path, column: str, letter: str) -> None:
    """Be its values texts or numbers."""
    (text,) = notes(tmp_path, column, [f"{letter}{i // 5}" for i in range(N)])
    assert repr(column) in text
    assert f"option docs-column: {column}" in text


def test_nothing_is_said_of_other_columns(tmp_path: Path) -> None:
    """One value per segment, one for all, or a name that says nothing."""
    passages = [f"p{i // 5}" for i in range(N)]
    assert notes(tmp_path, "passage", [f"p{i}" for i in range(N)]) == []
    assert notes(tmp_path, "passage", ["p"] * N) == []
    assert notes(tmp_path, "difficulty", passages) == []
    assert notes(tmp_path, "subject", passages) == []  # what questions are about
    assert notes(tmp_path, "document", passages) == []  # which are the unit
    assert notes(tmp_path, "passage", passages, document_column="passage") == []
    assert notes(tmp_path, "passage", passages, unit="segment") == []
