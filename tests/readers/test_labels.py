"""Labels of systems from a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.readers.files import location, write
from tests.refusals import refused
from truegain.readers.labels import read_labels


def test_names_and_labels(tmp_path: Path) -> None:
    assert read_labels(write(tmp_path / "labels.tsv", "a\tword\n\nb \t bpe\na\tword\n")) == {"a": "word", "b": "bpe"}


@pytest.mark.parametrize(
    ("text", "line", "naming"),
    [
        ("a\tword\nb bpe\n", 2, ["'b bpe'"]),
        ("a\tword\tx\n", 1, ["'a\\tword\\tx'"]),
        ("a\t\n", 1, ["'a\\t'"]),
        ("a\tword\na\tbpe\n", 2, ["'a'", "two", "'word'", "'bpe'"]),
        ("", None, ["empty"]),
    ],
    ids=["space", "three", "empty label", "two labels", "empty"],
)
def test_what_is_something_else(tmp_path: Path, text: str, line: int | None, naming: list[str]) -> None:
    path = write(tmp_path / "labels.tsv", text)
    with refused(naming=[location(path, line), *naming]):
        read_labels(path)
