"""Lines of files: where they end, what stays inside them, and what is said about odd ones."""

from __future__ import annotations

import gzip
import io
import itertools
import lzma
import os
import sys
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.readers.files import COMPRESSORS
from tests.refusals import refused
from truegain.readers import plain
from truegain.readers.plain import read_bytes, read_lines, read_pieces

Patch = pytest.MonkeyPatch

# Lines that do not compress to nothing, so that a file can be cut in the middle of its data.
TEXT = "".join(f"segment {i} has {i * 7919 % 1009} and {i * i * 31 % 9973} in it\n" for i in range(2000)).encode()


def written(folder: Path, data: bytes, name: str = "file.txt") -> str:
    path = folder / name
    path.write_bytes(data)
    return str(path)


@pytest.mark.parametrize(
    ("data", "lines", "kind"),
    [
        ("one\ntwo\n", ["one", "two"], None),
        ("one\ntwo", ["one", "two"], None),
        ("one\n\ntwo\n\n", ["one", "", "two", ""], None),
        ("\n", [""], None),
        ("  one \n\ttwo\n", ["  one ", "\ttwo"], None),
        ("größer\n日本語\n🙂\n", ["größer", "日本語", "🙂"], None),
        # What opens like a compressed file is text.
        ("BZhang came home.\n", ["BZhang came home."], None),
        ("one\rmore\ntwo\nthree\r\rmore\n", ["one\rmore", "two", "three\r\rmore"], "carriage-returns"),
        ("one\r\ntwo\nthree\r\n\r\n", ["one", "two", "three", ""], "line-ends"),
        # An old Macintosh file: one line, all of whose carriage returns are alone.
        ("one\rtwo\rthree\r", ["one\rtwo\rthree\r"], "carriage-returns"),
        ("\ufeffone\ntwo\n", ["one", "two"], "byte-order-mark"),
        ("one\n\ufefftwo\n", ["one", "\ufefftwo"], None),
        # What Python calls the end of a line stays inside.
        *(
            (f"one{mark}more\ntwo{mark}\n{mark}three\n", [f"one{mark}more", f"two{mark}", f"{mark}three"], None)
            for mark in "\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"
        ),
    ],
)
def test_lines_end_at_line_feeds(tmp_path: Path, data: str, lines: list[str], kind: str | None) -> None:
    read = read_lines(written(tmp_path, data.encode()))
    assert read.lines == lines
    assert [note.kind for note in read.notes] == ([] if kind is None else [kind])


@settings(deadline=None, max_examples=50)
@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\n\r\0")), min_size=1))
def test_lines_come_back_as_they_were_written(tmp_path_factory: pytest.TempPathFactory, lines: list[str]) -> None:
    path = written(tmp_path_factory.mktemp("lines"), "".join(line + "\n" for line in lines).encode())
    assert read_lines(path).lines == [lines[0].removeprefix("\ufeff"), *lines[1:]]


@pytest.mark.parametrize(
    ("data", "line", "naming"),
    [
        *((data, None, []) for data in (b"", b"\xef\xbb\xbf")),
        (b"good\nalso good\nbad caf\xe9\n", 3, ["8", "0xe9"]),
        (b"\xff\xefg", 1, ["1", "0xff"]),
        ("é".encode() + b"\xe9\n", 1, ["3", "0xe9"]),
        (b"cut\n\xe6\x97", 2, ["1", "0xe6"]),
        (b"surrogate\n\n \xed\xa0\x80\n", 3, ["2", "0xed"]),
    ],
)
def test_other_encodings_are_refused_at_their_byte(
    tmp_path: Path, data: bytes, line: int | None, naming: list[str]
) -> None:
    """As is a file without a byte, compressed or not."""
    path = written(tmp_path, data)
    with refused(path=path, line=line, naming=naming):
        read_lines(path)
    for suffix, compress in COMPRESSORS.items():
        with refused(line=line, naming=naming):
            read_lines(written(tmp_path, compress(data), f"file{suffix}"))


def test_a_line_up_to_the_limit_is_read_and_a_longer_one_is_not(tmp_path: Path) -> None:
    limit = plain.LINE_LIMIT
    assert len(read_lines(written(tmp_path, b"x" * limit + b"\n")).lines[0]) == limit
    # Characters count, not bytes.
    assert len(read_lines(written(tmp_path, "é".encode() * limit)).lines[0]) == limit
    path = written(tmp_path, b"short\n" + b"x" * (limit + 1) + b"\n")
    with refused(path=path, line=2, naming=["1,000,001", "1,000,000"]):
        read_lines(path)


@pytest.mark.parametrize("suffix", sorted(COMPRESSORS))
def test_compressed_files(tmp_path: Path, suffix: str) -> None:
    """Under any case of the ending; cut off within many blocks, or never compressed, they are refused."""
    packed = COMPRESSORS[suffix](TEXT)
    assert read_bytes(written(tmp_path, packed, f"FILE{suffix.upper()}")) == TEXT
    for data in (packed[: len(packed) * 3 // 10], packed[: len(packed) * 9 // 10], packed[:-1], TEXT):
        path = written(tmp_path, data, f"file.txt{suffix}")
        with refused(path=path, naming=[suffix]):
            read_lines(path)
    # What is compressed twice is not opened twice.
    path = written(tmp_path, COMPRESSORS[suffix](packed), f"twice.txt{suffix}")
    assert read_bytes(path) == packed
    with refused(line=1, naming=["8", "UTF-8"]):
        read_lines(path)


def test_a_dash_is_standard_input(monkeypatch: Patch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("größer\r\nzwei\n".encode()), "latin-1"))
    read = read_lines("-")
    assert read.name == "standard input"
    assert read.lines == ["größer", "zwei"]
    for packed in (COMPRESSORS[".gz"](b"text"), b"x" * 1_001):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(packed)))
        with refused():
            read_bytes("-", limit=1_000)


@pytest.mark.whole
@pytest.mark.parametrize("suffix", sorted(COMPRESSORS))
def test_a_few_bytes_do_not_become_a_flood(tmp_path: Path, suffix: str) -> None:
    held = 64 << 20
    path = written(tmp_path, COMPRESSORS[suffix](bytes(held)), f"flood{suffix}")
    tracemalloc.start()
    try:
        with refused(naming=["1,000"]):
            read_bytes(str(path), limit=1_000)
        assert tracemalloc.get_traced_memory()[1] < held / 2
    finally:
        tracemalloc.stop()
    assert len(read_bytes(str(path), limit=held)) == held


def test_an_xz_file_cannot_ask_for_any_memory(tmp_path: Path) -> None:
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": 1 << 30}]
    with refused(naming=["large.xz"]):
        read_bytes(written(tmp_path, lzma.compress(b"x" * 100, filters=filters), "large.xz"))
    assert read_bytes(written(tmp_path, lzma.compress(TEXT) + bytes(8) + lzma.compress(TEXT), "padded.xz")) == TEXT * 2


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no /dev/zero")
def test_what_has_no_end_is_read_up_to_the_limit() -> None:
    with refused(naming=["1,000", "pipe"]):
        read_bytes("/dev/zero", limit=1_000)


@pytest.mark.parametrize("change", ["grows", "shrinks", "written again"])
def test_a_file_that_changes_while_it_is_read_is_refused(tmp_path: Path, monkeypatch: Patch, change: str) -> None:
    path = Path(written(tmp_path, TEXT))
    original = os.fstat
    calls: list[int] = []

    def meanwhile(handle: int) -> os.stat_result:
        if calls:
            path.write_bytes({"grows": TEXT * 2, "shrinks": TEXT[:3], "written again": TEXT[::-1]}[change])
            os.utime(path, ns=(1, 1))
        calls.append(handle)
        return original(handle)

    monkeypatch.setattr(os, "fstat", meanwhile)
    with refused(naming=["file.txt"]):
        read_bytes(str(path))


# ---- Large texts in pieces


@pytest.mark.parametrize("size", [1, 7, 10_000])
@pytest.mark.parametrize("ending", ["", "\n"])
def test_no_line_is_lost_or_cut(tmp_path: Path, size: int, ending: str) -> None:
    lines = ["one two", "", "drei é 漢字", "a\u2028b", "x" * 50]
    data = ("\ufeff" + "\n".join(lines) + ending).encode()
    path = written(tmp_path, gzip.compress(data), "text.gz")
    assert list(itertools.chain.from_iterable(read_pieces(path, size))) == lines
    for odd, line, naming in ((data.replace(b"\xe2\x80\xa8", b"\xe4"), 4, ["2", "8", "UTF-8"]), (b"", None, ["empty"])):
        with refused(line=line, naming=naming):
            list(read_pieces(written(tmp_path, odd), size))


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
