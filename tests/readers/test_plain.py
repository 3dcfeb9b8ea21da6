"""Lines of files: where they end, what stays inside them, and what is said about odd ones."""

from __future__ import annotations

import bz2
import errno
import gzip
import io
import lzma
import os
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.refusals import refused
from truegain.errors import InputError
from truegain.readers import plain
from truegain.readers.plain import read_bytes, read_lines

COMPRESSORS: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zst": lambda data: zstandard.ZstdCompressor().compress(data),
}
# Lines that do not compress to nothing, so that a file can be cut in the middle of its data.
TEXT = "".join(f"segment {i} has {i * 7919 % 1009} and {i * i * 31 % 9973} in it\n" for i in range(2000)).encode()


def written(folder: Path, data: bytes, name: str = "file.txt") -> str:
    path = folder / name
    path.write_bytes(data)
    return str(path)


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        ("one\ntwo\n", ["one", "two"]),
        ("one\ntwo", ["one", "two"]),
        ("one\n\ntwo\n\n", ["one", "", "two", ""]),
        ("\n", [""]),
        ("  one \n\ttwo\n", ["  one ", "\ttwo"]),
        ("größer\n日本語\n🙂\n", ["größer", "日本語", "🙂"]),
    ],
)
def test_lines_end_at_line_feeds(tmp_path: Path, data: str, lines: list[str]) -> None:
    read = read_lines(written(tmp_path, data.encode()))
    assert read.lines == lines
    assert read.notes == ()


@pytest.mark.parametrize("mark", ["\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029"])
def test_what_python_calls_a_line_end_stays_inside(tmp_path: Path, mark: str) -> None:
    read = read_lines(written(tmp_path, f"one{mark}more\ntwo{mark}\n{mark}three\n".encode()))
    assert read.lines == [f"one{mark}more", f"two{mark}", f"{mark}three"]


def test_a_lone_carriage_return_is_kept_and_said(tmp_path: Path) -> None:
    path = written(tmp_path, b"one\rmore\ntwo\nthree\r\rmore\n")
    read = read_lines(path)
    assert read.lines == ["one\rmore", "two", "three\r\rmore"]
    assert tuple(map(str, read.notes)) == (f"{path}: a carriage return stands inside 2 lines and was kept there",)


def test_windows_line_ends_are_accepted_and_said(tmp_path: Path) -> None:
    path = written(tmp_path, b"one\r\ntwo\nthree\r\n\r\n")
    read = read_lines(path)
    assert read.lines == ["one", "two", "three", ""]
    assert tuple(map(str, read.notes)) == (f"{path}: 3 of 4 lines end in \\r\\n; the \\r was left out",)


def test_a_carriage_return_at_the_very_end_is_no_line_end(tmp_path: Path) -> None:
    # An old Macintosh file: one line, all of whose carriage returns are alone.
    read = read_lines(written(tmp_path, b"one\rtwo\rthree\r"))
    assert read.lines == ["one\rtwo\rthree\r"]
    assert not any("\\r\\n" in note for note in map(str, read.notes))


def test_a_byte_order_mark_is_left_out_and_said(tmp_path: Path) -> None:
    path = written(tmp_path, b"\xef\xbb\xbfone\ntwo\n")
    read = read_lines(path)
    assert read.lines == ["one", "two"]
    assert tuple(map(str, read.notes)) == (f"{path}: a byte order mark at its start was left out",)


def test_a_byte_order_mark_elsewhere_is_text(tmp_path: Path) -> None:
    assert read_lines(written(tmp_path, "one\n\ufefftwo\n".encode())).lines == ["one", "\ufefftwo"]


@settings(deadline=None, max_examples=50)
@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\n\r\0")), min_size=1))
def test_lines_come_back_as_they_were_written(tmp_path_factory: pytest.TempPathFactory, lines: list[str]) -> None:
    text = "".join(line + "\n" for line in lines)
    path = written(tmp_path_factory.mktemp("lines"), text.encode())
    assert read_lines(path).lines == [lines[0].removeprefix("\ufeff"), *lines[1:]]


@pytest.mark.parametrize("data", [b"", b"\xef\xbb\xbf"])
def test_an_empty_file_is_refused(tmp_path: Path, data: bytes) -> None:
    path = written(tmp_path, data)
    with pytest.raises(InputError, match="the file is empty") as caught:
        read_lines(path)
    assert caught.value.path == path
    assert caught.value.hint is not None


@pytest.mark.parametrize(
    ("data", "line", "message"),
    [
        (b"good\nalso good\nbad caf\xe9\n", 3, "byte 8 of the line (0xe9) is not UTF-8"),
        (b"\xff\xefg", 1, "byte 1 of the line (0xff) is not UTF-8"),
        ("é".encode() + b"\xe9\n", 1, "byte 3 of the line (0xe9) is not UTF-8"),
        (b"cut\n\xe6\x97", 2, "byte 1 of the line (0xe6) is not UTF-8"),
        (b"surrogate\n\n \xed\xa0\x80\n", 3, "byte 2 of the line (0xed) is not UTF-8"),
    ],
)
def test_other_encodings_are_refused_with_line_and_byte(tmp_path: Path, data: bytes, line: int, message: str) -> None:
    path = written(tmp_path, data)
    with pytest.raises(InputError) as caught:
        read_lines(path)
    assert caught.value.message == message
    assert (caught.value.path, caught.value.line) == (path, line)
    assert "iconv" in str(caught.value.hint)


def test_a_line_up_to_the_limit_is_read_and_a_longer_one_is_not(tmp_path: Path) -> None:
    limit = plain.LINE_LIMIT
    assert len(read_lines(written(tmp_path, b"x" * limit + b"\n")).lines[0]) == limit
    # Characters count, not bytes.
    assert len(read_lines(written(tmp_path, "é".encode() * limit)).lines[0]) == limit
    path = written(tmp_path, b"short\n" + b"x" * (limit + 1) + b"\n")
    with pytest.raises(InputError, match=r"the line has 1,000,001 characters; the limit is 1,000,000") as caught:
        read_lines(path)
    assert (caught.value.path, caught.value.line) == (path, 2)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    path = str(tmp_path / "nowhere.txt")
    with refused(path=path):
        read_lines(path)


def test_a_directory_is_no_file(tmp_path: Path) -> None:
    with refused(path=str(tmp_path)):
        read_lines(str(tmp_path))


@pytest.mark.parametrize(("number", "reason"), [(errno.EACCES, "Permission denied"), (errno.EIO, "Input/output error")])
def test_what_the_system_refuses_to_read_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, reason: str
) -> None:
    path = written(tmp_path, b"one\n")

    def refuse(self: Path, mode: str) -> bytes:
        raise OSError(number, reason, str(self))

    monkeypatch.setattr(Path, "open", refuse)
    with refused(path=path, naming=[reason]):
        read_lines(path)


@pytest.mark.parametrize("suffix", COMPRESSORS)
def test_compressed_files_are_read(tmp_path: Path, suffix: str) -> None:
    assert read_bytes(written(tmp_path, COMPRESSORS[suffix](TEXT), f"file.txt{suffix}")) == TEXT
    assert read_bytes(written(tmp_path, COMPRESSORS[suffix](TEXT), f"FILE{suffix.upper()}")) == TEXT


@pytest.mark.parametrize("suffix", COMPRESSORS)
def test_compressed_parts_one_after_the_other_are_read(tmp_path: Path, suffix: str) -> None:
    compress = COMPRESSORS[suffix]
    path = written(tmp_path, compress(TEXT) + compress(b"and more\n"), f"file{suffix}")
    assert read_bytes(path) == TEXT + b"and more\n"


@pytest.mark.parametrize("suffix", COMPRESSORS)
@pytest.mark.parametrize("kept", [0.3, 0.9, -1])
def test_a_truncated_compressed_file_is_refused(tmp_path: Path, suffix: str, kept: float) -> None:
    whole = COMPRESSORS[suffix](TEXT)
    end = -1 if kept < 0 else int(len(whole) * kept)
    path = written(tmp_path, whole[:end], f"file.txt{suffix}")
    with refused(path=path, naming=[suffix]):
        read_lines(path)


@pytest.mark.parametrize("suffix", COMPRESSORS)
def test_plain_text_under_a_compressed_name_is_refused(tmp_path: Path, suffix: str) -> None:
    with refused(naming=[suffix]):
        read_lines(written(tmp_path, TEXT, f"file.txt{suffix}"))


@pytest.mark.parametrize("suffix", COMPRESSORS)
def test_a_compressed_file_under_another_name_is_told_by_its_content(tmp_path: Path, suffix: str) -> None:
    path = written(tmp_path, COMPRESSORS[suffix](TEXT), "file.txt")
    with refused(path=path, naming=[suffix]):
        read_lines(path)


def test_text_that_opens_like_a_compressed_file_is_text(tmp_path: Path) -> None:
    assert read_lines(written(tmp_path, b"BZhang came home.\nHe was tired.\n")).lines[0] == "BZhang came home."


@pytest.mark.parametrize("suffix", COMPRESSORS)
def test_a_compressed_file_with_nothing_in_it_is_empty(tmp_path: Path, suffix: str) -> None:
    with refused(naming=["empty"]):
        read_lines(written(tmp_path, COMPRESSORS[suffix](b""), f"file{suffix}"))


def test_a_dash_is_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("größer\r\nzwei\n".encode()), "latin-1"))
    read = read_lines("-")
    assert read.name == "standard input"
    assert read.lines == ["größer", "zwei"]
    assert tuple(map(str, read.notes)) == ("standard input: 1 of 2 lines end in \\r\\n; the \\r was left out",)


def test_compressed_standard_input_is_said_to_be_so(monkeypatch: pytest.MonkeyPatch) -> None:
    import gzip
    import io
    from types import SimpleNamespace

    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(gzip.compress(b"text"))))
    with refused():
        read_lines("-")


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


@pytest.mark.parametrize("suffix", sorted(COMPRESSORS))
def test_files_joined_after_compression_are_read_to_the_end(tmp_path: Path, suffix: str) -> None:
    compress = COMPRESSORS[suffix]
    path = written(tmp_path, compress(TEXT) + compress(b"more\n"), f"joined{suffix}")
    assert read_bytes(path) == TEXT + b"more\n"


@pytest.mark.parametrize("suffix", sorted(COMPRESSORS))
def test_what_is_compressed_twice_is_not_opened_twice(tmp_path: Path, suffix: str) -> None:
    compress = COMPRESSORS[suffix]
    once = compress(TEXT)  # not again below: gzip writes the time
    path = written(tmp_path, compress(once), f"twice.txt{suffix}")
    assert read_bytes(path) == once
    with refused(line=1, naming=["8", "UTF-8"]):
        read_lines(path)


def test_an_xz_file_cannot_ask_for_any_memory(tmp_path: Path) -> None:
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": 1 << 30}]
    path = written(tmp_path, lzma.compress(b"x" * 100, filters=filters), "large.xz")
    with refused(naming=["large.xz"]):
        read_bytes(path)
    zeros = written(tmp_path, lzma.compress(TEXT) + bytes(8) + lzma.compress(TEXT), "padded.xz")
    assert read_bytes(zeros) == TEXT * 2


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no /dev/zero")
def test_what_has_no_end_is_read_up_to_the_limit() -> None:
    with refused(naming=["1,000", "pipe"]):
        read_bytes("/dev/zero", limit=1_000)


def test_standard_input_is_read_up_to_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"x" * 1_001)))
    with refused(naming=["1,000", "pipe"]):
        read_bytes("-", limit=1_000)


@pytest.mark.parametrize("change", ["grows", "shrinks", "written again"])
def test_a_file_that_changes_while_it_is_read_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
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
