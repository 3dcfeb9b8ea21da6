"""Files read a few lines at a time: the lines that are read at once, and the same refusals."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from tests.refusals import refused
from truegain.errors import InputError
from truegain.readers import streams
from truegain.readers.plain import LINE_LIMIT, read_lines
from truegain.readers.streams import LineStream, pieces

PACK: dict[str, Callable[[bytes], bytes]] = {
    ".txt": lambda data: data,
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zst": zstandard.compress,
}


def write(folder: Path, name: str, data: bytes | str) -> str:
    path = folder / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return str(path)


@pytest.mark.parametrize("ending", PACK)
def test_every_kind_of_file(tmp_path: Path, ending: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "_BYTES", 1000)
    lines = [f"line {i} é 猫 {'x' * (i % 300)}" for i in range(700)]
    stream = LineStream(write(tmp_path, f"a{ending}", PACK[ending]("\n".join(lines).encode())))
    assert stream.first() == lines[0]
    assert list(stream) == lines
    assert stream.consumed == stream.size > 0
    assert stream.notes() == []


@pytest.mark.parametrize("ending", PACK)
def test_joined_files(tmp_path: Path, ending: str) -> None:
    data = PACK[ending](b"a\nb\n") + PACK[ending](b"c\n")
    assert list(LineStream(write(tmp_path, f"a{ending}", data))) == ["a", "b", "c"]


LINES = st.binary(max_size=12) | st.text("ab\r\n\ufeff\u2028é", max_size=30).map(str.encode)


@given(LINES, st.integers(1, 9))
def test_the_lines_of_a_file_read_at_once(data: bytes, size: int) -> None:
    """Whatever the bytes, and however they come: the same lines, or a refusal of the same words."""
    folder = Path("/dev/shm") if Path("/dev/shm").is_dir() else Path(os.environ.get("TMPDIR", "/tmp"))
    path = folder / f"truegain-streams-{os.getpid()}.txt"
    path.write_bytes(data)
    found: list[list[str] | str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(streams, "_BYTES", size)
        for at_once in (True, False):
            try:
                found.append(read_lines(str(path)).lines if at_once else list(LineStream(str(path))))
            except InputError as error:
                found.append(str(error))
    path.unlink()
    assert found[0] == found[1]


def test_notes(tmp_path: Path) -> None:
    stream = LineStream(write(tmp_path, "a.txt", b"\xef\xbb\xbfone\r\ntw\ro\r\nthree\n"))
    assert list(stream) == ["one", "tw\ro", "three"]
    said = "\n".join(map(str, stream.notes()))
    assert "byte order mark" in said
    assert "2 lines end in \\r\\n" in said
    assert "inside a line" in said


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    class Stdin:
        buffer = io.BytesIO(b"a\nb")

    monkeypatch.setattr(sys, "stdin", Stdin)
    stream = LineStream("-")
    assert list(stream) == ["a", "b"]
    assert (stream.name, stream.size) == ("standard input", 0)
    Stdin.buffer = io.BytesIO(gzip.compress(b"a"))
    with refused():
        list(LineStream("-"))


@pytest.mark.parametrize("ending", [".gz", ".bz2", ".xz", ".zst"])
@pytest.mark.parametrize("how", ["cut", "other"])
def test_broken_archives(tmp_path: Path, ending: str, how: str) -> None:
    whole = PACK[ending]("\n".join(str(i * i) for i in range(5000)).encode())
    data = whole[: len(whole) // 2] if how == "cut" else b"no such thing\n" * 20
    with refused(naming=[ending]):
        list(LineStream(write(tmp_path, f"a{ending}", data)))


def test_a_compressed_file_under_another_name(tmp_path: Path) -> None:
    with refused(naming=["a.txt"]):
        list(LineStream(write(tmp_path, "a.txt", gzip.compress(b"a"))))


@pytest.mark.parametrize("name", ["a.xml", "a.sgm", "a.trn", "a.conllu", "a.jsonl", "a.mrg", "a.conll", "a.jsonl.gz"])
def test_segments_that_are_no_lines(tmp_path: Path, name: str) -> None:
    with refused(naming=["truegain.compare"]):
        LineStream(write(tmp_path, name, "x\n"))


@pytest.mark.parametrize(("name", "message"), [("none.txt", []), (".", []), ("a\0b", [])])
def test_no_file(tmp_path: Path, name: str, message: list[str]) -> None:
    with refused(naming=message):
        list(LineStream(str(tmp_path / name)))


def test_empty_files(tmp_path: Path) -> None:
    with refused(naming=["a.txt"]):
        list(LineStream(write(tmp_path, "a.txt", b"")))
    with refused(naming=["segment"]):
        list(LineStream(iter(()), "generated"))


def test_long_lines_are_refused_before_they_are_held(tmp_path: Path) -> None:
    path = write(tmp_path, "a.txt", b"short\n" + b"x" * (9 * LINE_LIMIT))
    stream = LineStream(path)
    with refused(naming=["a.txt:2", "1,000,000"]):
        list(stream)
    assert stream.consumed < 6 * LINE_LIMIT
    with refused(line=1, naming=["b.txt", "1,000,001"]):
        list(LineStream(write(tmp_path, "b.txt", b"x" * (LINE_LIMIT + 1))))
    with refused(line=1, naming=["1,000,001", "character"]):
        list(LineStream(["x" * (LINE_LIMIT + 1)], "generated"))


def test_the_place_of_what_is_not_utf_8(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "_BYTES", 7)
    with refused(naming=["a.txt:4", "3"]):
        list(LineStream(write(tmp_path, "a.txt", b"one\ntwo\nthree\nab\xff\n")))


def test_a_file_that_grows_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "_BYTES", 2)
    path = write(tmp_path, "a.txt", "a\nb\n")
    lines = iter(LineStream(path))
    assert next(lines) == "a"
    with Path(path).open("a") as more:
        more.write("c\n")
    with refused(naming=["a.txt"]):
        list(lines)


def test_lines_that_are_no_strings() -> None:
    with refused(naming=["2", "segment"]):
        list(LineStream(["a", 3], "generated"))  # type: ignore[list-item]


# ---- Several files


def test_pieces_by_lines_and_by_characters() -> None:
    def cut(**options: int) -> list[int]:
        found = list(pieces([LineStream([f"{i}" * 10 for i in range(9)]) for _ in range(2)], **options))
        assert [row for piece in found for row in piece] == [(f"{i}" * 10,) * 2 for i in range(9)]
        return [len(piece) for piece in found]

    assert cut() == [9]
    assert cut(lines=4) == [4, 4, 1]
    assert cut(characters=50) == [3, 3, 3]
    assert cut(characters=1) == [1] * 9


@pytest.mark.parametrize("short", [0, 1])
def test_files_of_different_lengths(short: int) -> None:
    given = [LineStream([f"x{i}" for i in range(5 if i_am == short else 7)], f"file{i_am}") for i_am in (0, 1)]
    with refused(path=f"file{short}", line=5, naming=["after 5 lines", f"file{1 - short} goes on", "line 6", "'x5'"]):
        list(pieces(given, lines=2))
