"""Plain text: one segment a line, compressed or not, or standard input."""

from __future__ import annotations

import io
import os
import re
import stat
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from truegain.errors import InputError

__all__ = [
    "LINES_LIMIT",
    "LINE_LIMIT",
    "MAGIC",
    "SIZE_LIMIT",
    "XZ_MEMORY",
    "ZSTD_STEP",
    "Lines",
    "decode",
    "ending",
    "read_bytes",
    "read_lines",
]

#: The longest line that is accepted, in characters: beyond it a file is not one segment a line.
LINE_LIMIT = 1_000_000

#: The most lines of a file: each takes memory, an empty one too.
LINES_LIMIT = 20_000_000

#: The most that a compressed file, one in XML or SGML, a pipe or a device may hold, in bytes.
SIZE_LIMIT = 1 << 29

#: The most memory that the dictionary of an .xz file may ask for, in bytes: xz -9 needs a quarter of it.
XZ_MEMORY = 1 << 28

#: How compressed files open: longer than one might write, since a text may begin with BZh.
MAGIC = {
    ".gz": re.compile(rb"\x1f\x8b\x08"),
    ".bz2": re.compile(rb"BZh[1-9](1AY&SY|\x17rE8P\x90)"),
    ".xz": re.compile(rb"\xfd7zXZ\x00"),
    ".zst": re.compile(rb"\x28\xb5\x2f\xfd"),
}


@dataclass(frozen=True)
class Lines:
    """The segments of a file, what should be said about it, and their ids and documents where it has them."""

    name: str
    lines: list[str]
    notes: tuple[str, ...] = ()
    ids: tuple[str, ...] | None = None
    documents: tuple[str, ...] | None = None
    structure: str | None = None  # what segments are that are not text: see Corpus.structures

    def fit(self, other: Lines) -> Lines:
        """Bring another text onto the segments of this one: lines of text have them already."""
        return other


def ending(path: str) -> str:
    """What a file's name ends in, in lower case; the ending of a compressed file says nothing of what is in it."""
    pure = Path(path)
    return (pure.with_suffix("") if pure.suffix.lower() in MAGIC else pure).suffix.lower()


def read_bytes(path: str, *, limit: int | None = SIZE_LIMIT) -> bytes:
    """The content of a file, decompressed after its ending; ``-`` is standard input.

    Parameters
    ----------
    path : str
    limit : int, optional
        How much a compressed file may hold, in bytes: a few can stand for more than fits any memory.

    Raises
    ------
    InputError
        Where it cannot be read, is compressed in another way than its name says, or holds too much.
    """
    if path == "-":
        data = _bounded(sys.stdin.buffer, "standard input", limit)
        if any(magic.match(data) for magic in MAGIC.values()):
            raise InputError(
                "it is compressed", path="standard input", hint="decompress it before: zcat FILE | truegain …"
            )
        return data
    try:
        with Path(path).open("rb") as stream:
            data = _whole(stream, path, limit)
    except FileNotFoundError as error:
        raise InputError("there is no such file", path=path) from error
    except IsADirectoryError as error:
        raise InputError("this is a directory; a file was expected", path=path) from error
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", path=path) from error
    return _decompress(data, path, limit)


def _whole(stream: BinaryIO, path: str, limit: int | None) -> bytes:
    """All of a file, as it was at one moment; a half-written one would be scored like any other."""
    before = os.fstat(stream.fileno())
    if not stat.S_ISREG(before.st_mode):
        return _bounded(stream, path, limit)
    data = stream.read()
    after = os.fstat(stream.fileno())
    if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
        raise InputError("it changed while it was read", path=path, hint="is it still being written? Wait for its end")
    return data


def _bounded(stream: BinaryIO, name: str, limit: int | None) -> bytes:
    """What a pipe or a device gives, which need not have an end."""
    data = stream.read(-1 if limit is None else limit + 1)
    if limit is not None and len(data) > limit:
        raise InputError(
            f"it holds more than {limit:,} bytes, the limit for pipes and devices", path=name, hint="give it as a file"
        )
    return data


def _decompress(data: bytes, path: str, limit: int | None) -> bytes:
    found = next((suffix for suffix, magic in MAGIC.items() if magic.match(data)), None)
    suffix = Path(path).suffix.lower()
    if suffix not in MAGIC:
        if found is not None:
            raise InputError(
                f"this is a compressed file ({found}) under another name",
                path=path,
                hint=f"rename it to end in {found}",
            )
        return data
    try:
        held = _DECOMPRESSORS[suffix](data, -1 if limit is None else limit + 1)
    except MemoryError:
        raise
    except (
        Exception
    ) as error:  # each library has errors of its own: EOFError, zlib.error, LZMAError, ZstdError, OSError
        raise InputError(
            f"cannot be decompressed as {suffix}: {error}", path=path, hint="is the file whole?"
        ) from error
    if limit is not None and len(held) > limit:
        raise InputError(
            f"it holds more than {limit:,} bytes when it is decompressed", path=path, hint="is this the right file?"
        )
    return held


# Each decompresses no more than so many bytes (all of them for -1), whatever a few bytes say they stand for.


def _gzip(data: bytes, most: int) -> bytes:
    import gzip

    return gzip.GzipFile(fileobj=io.BytesIO(data)).read(most)


def _bzip2(data: bytes, most: int) -> bytes:
    import bz2

    return bz2.BZ2File(io.BytesIO(data)).read(most)


def _xz(data: bytes, most: int) -> bytes:
    import lzma

    parts: list[bytes] = []
    size = 0
    rest = data
    while rest and (most < 0 or size < most):
        frame = lzma.LZMADecompressor(memlimit=XZ_MEMORY)
        while not frame.eof and (most < 0 or size < most):
            parts.append(frame.decompress(rest, -1 if most < 0 else most - size))
            size += len(parts[-1])
            rest = b""
            if frame.needs_input and not frame.eof:
                raise EOFError("the file breaks off")
        rest = frame.unused_data.lstrip(b"\0") if frame.eof else b""  # between files that were joined, zeros may stand
    return b"".join(parts)


def _zstd(data: bytes, most: int) -> bytes:
    """One frame after the other; a frame that breaks off is an error, which the library's own stream reader hides."""
    import zstandard

    parts: list[bytes] = []
    size = place = 0
    frame = None
    while place < len(data) and (most < 0 or size < most):
        frame = frame or zstandard.ZstdDecompressor().decompressobj()
        piece = data[place : place + ZSTD_STEP]
        parts.append(frame.decompress(piece))
        size += len(parts[-1])
        place += len(piece) - len(frame.unused_data)
        if frame.eof:
            frame = None
    if frame is not None and place >= len(data):
        raise EOFError("the file breaks off")
    return b"".join(parts)


#: How much of a .zst file is decompressed at a time: four bytes can stand for 128 KiB.
ZSTD_STEP = 1 << 10
_DECOMPRESSORS: dict[str, Callable[[bytes, int], bytes]] = {".gz": _gzip, ".bz2": _bzip2, ".xz": _xz, ".zst": _zstd}


def read_lines(path: str) -> Lines:
    r"""Read one segment a line.

    Lines end at ``\n`` and nowhere else: a lone ``\r``, U+2028 or ``\x0b`` stays inside its line. ``\r\n`` is accepted
    and said.
    """
    name = "standard input" if path == "-" else path
    data = read_bytes(path)
    if (count := data.count(b"\n")) > LINES_LIMIT:
        raise InputError(
            f"it has {count:,} lines; the limit is {LINES_LIMIT:,}", path=name, hint="one segment a line is expected"
        )
    text = decode(data, name)
    notes = []
    if text.startswith("\ufeff"):
        text = text[1:]
        notes.append(f"{name}: a byte order mark at its start was left out")
    if not text:
        raise InputError("the file is empty", path=name, hint="is this the right file?")
    lines = text.split("\n")
    last = lines.pop()  # what stands after the last line end
    if "\r" in text:
        ends = sum(line.endswith("\r") for line in lines)
        if ends:
            lines = [line.removesuffix("\r") for line in lines]
            notes.append(f"{name}: {ends:,} of {len(lines):,} lines end in \\r\\n; the \\r was left out")
        inside = sum("\r" in line for line in [*lines, last])
        if inside:
            where = "a line" if inside == 1 else f"{inside:,} lines"
            notes.append(f"{name}: a carriage return stands inside {where} and was kept there")
    if last:
        lines.append(last)
    for number, line in enumerate(lines, 1):
        if len(line) > LINE_LIMIT:
            raise InputError(
                f"the line has {len(line):,} characters; the limit is {LINE_LIMIT:,}",
                path=name,
                line=number,
                hint="one segment a line is expected; does the file use other line ends?",
            )
    return Lines(name, lines, tuple(notes))


def decode(data: bytes, name: str) -> str:
    """The text of a file in UTF-8; what is not is refused with its place."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - (data.rfind(b"\n", 0, error.start) + 1) + 1
        raise InputError(
            f"byte {column} of the line (0x{data[error.start]:02x}) is not UTF-8",
            path=name,
            line=line,
            hint="convert the file: iconv -f LATIN1 -t UTF-8 (or whatever its encoding is)",
        ) from error
