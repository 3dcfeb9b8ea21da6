"""Labels of systems from a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from truegain.errors import InputError
from truegain.readers.labels import read_labels


def write(folder: Path, text: str) -> str:
    path = folder / "labels.tsv"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_names_and_labels(tmp_path: Path) -> None:
    assert read_labels(write(tmp_path, "a\tword\n\nb \t bpe\na\tword\n")) == {"a": "word", "b": "bpe"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\tword\nb bpe\n", ":2: a name, a tab and a label were expected; found 'b bpe'"),
        ("a\tword\tx\n", ":1: a name, a tab and a label were expected; found 'a\\tword\\tx'"),
        ("a\t\n", ":1: a name, a tab and a label were expected; found 'a\\t'"),
        ("a\tword\na\tbpe\n", ":2: 'a' has two labels, 'word' and 'bpe'"),
        ("", ": the file is empty"),
    ],
    ids=["space", "three", "empty label", "two labels", "empty"],
)
def test_what_is_something_else(tmp_path: Path, text: str, message: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(InputError) as caught:
        read_labels(path)
    assert str(caught.value).startswith(f"{path}{message}")
