"""Large texts in pieces."""

from __future__ import annotations

import gzip
import itertools
import tracemalloc
from pathlib import Path

import pytest

from tests.refusals import refused
from truegain.readers.plain import read_pieces


@pytest.mark.parametrize("size", [1, 7, 10_000])
@pytest.mark.parametrize("ending", ["", "\n"])
def test_no_line_is_lost_or_cut(tmp_path: Path, size: int, ending: str) -> None:
    lines = ["one two", "", "drei é 漢字", "a\u2028b", "x" * 50]
    path = tmp_path / "text.gz"
    path.write_bytes(gzip.compress(("\ufeff" + "\n".join(lines) + ending).encode()))
    assert list(itertools.chain.from_iterable(read_pieces(str(path), size))) == lines


@pytest.mark.parametrize("size", [1, 1000])
@pytest.mark.parametrize(
    ("data", "line", "naming"),
    [(b"good\nbetter\nb\xe4d\n", 3, ["2", "8", "UTF-8"]), (b"", None, ["empty"])],
)
def test_bytes_that_are_no_text(tmp_path: Path, size: int, data: bytes, line: int | None, naming: list[str]) -> None:
    path = tmp_path / "text"
    path.write_bytes(data)
    with refused(line=line, naming=naming):
        list(read_pieces(str(path), size))


def test_only_a_piece_is_held(tmp_path: Path) -> None:
    """A few bytes stand for 64 MiB, and the first piece comes before the rest is decompressed."""
    path = tmp_path / "text.gz"
    with gzip.open(path, "wb", compresslevel=1) as stream:
        for _ in range(64):
            stream.write(b"a line of some words\n" * 50_000)
    tracemalloc.start()
    try:
        found = read_pieces(str(path), 1 << 20)
        assert next(found)[0] == "a line of some words"
        assert next(found)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 1 << 25
