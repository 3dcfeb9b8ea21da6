"""Plain text: one segment a line, compressed or not, or standard input."""

from __future__ import annotations

import io
import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from truegain.errors import InputError
from truegain.file_roles import reads
from truegain.readers.compression import ENDINGS, compression_of, decompressed, under_another_name
from truegain.readers.decoding import decode
from truegain.readers.standard_input import standard_input

__all__ = [
    "LINES_LIMIT",
    "LINE_LIMIT",
    "SIZE_LIMIT",
    "Lines",
    "ending",
    "read_bytes",
    "read_lines",
    "too_long",
]

#: The longest line that is accepted, in characters: beyond it a file is not one segment a line.
LINE_LIMIT = 1_000_000

#: The most lines of a file: each takes memory, an empty one too.
LINES_LIMIT = 20_000_000

#: The most that a compressed file, one in XML or SGML, a pipe or a device may hold, in bytes.
SIZE_LIMIT = 1 << 29

_PIECE = 1 << 20  # decompressed at once


@dataclass(frozen=True)
class Lines:
    """The segments of a file, what should be said about it, and their ids and documents where it has them."""

    name: str
    lines: list[str]
    notes: tuple[str, ...] = ()
    ids: tuple[str, ...] | None = None
    documents: tuple[str, ...] | None = None
    structure: str | None = None  # what segments are that are not text: see Corpus.structures
    column: str | None = None  # of texts, and of ids, in a table
    id_column: str | None = None

    def fit(self, other: Lines) -> Lines:
        """Bring another text onto the segments of this one: lines of text have them already."""
        return other


def ending(path: str) -> str:
    """What a file's name ends in, in lower case; the ending of a compressed file says nothing of what is in it."""
    pure = Path(path)
    return (pure.with_suffix("") if pure.suffix.lower() in ENDINGS else pure).suffix.lower()


def read_bytes(path: str, *, limit: int = SIZE_LIMIT) -> bytes:
    """The content of a file, decompressed after its ending; ``-`` is standard input.

    Parameters
    ----------
    path : str
    limit : int
        The most bytes of a compressed file, a pipe or a device: a few can stand for more than fits any memory.

    Raises
    ------
    InputError
        Where it cannot be read, is compressed in another way than its name says, or holds too much.
    """
    reads(path)
    if path == "-":
        with standard_input() as stream:
            data = _bounded(stream, "standard input", limit)
        if (found := compression_of(data)) is not None:
            raise under_another_name("standard input", found)
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


def _whole(stream: BinaryIO, path: str, limit: int) -> bytes:
    """All of a file, as it was at one moment; a half-written one would be scored like any other."""
    before = os.fstat(stream.fileno())
    if not stat.S_ISREG(before.st_mode):
        return _bounded(stream, path, limit)
    data = stream.read()
    after = os.fstat(stream.fileno())
    if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
        raise InputError("it changed while it was read", path=path, hint="is it still being written? Wait for its end")
    return data


def _bounded(stream: BinaryIO, name: str, limit: int) -> bytes:
    """What a pipe or a device gives, which need not have an end."""
    data = stream.read(limit + 1)
    if len(data) > limit:
        raise InputError(
            f"it holds more than {limit:,} bytes, the limit for pipes and devices", path=name, hint="give it as a file"
        )
    return data


def _decompress(data: bytes, path: str, limit: int) -> bytes:
    suffix = Path(path).suffix.lower()
    if suffix not in ENDINGS:
        if (found := compression_of(data)) is not None:
            raise under_another_name(path, found)
        return data
    parts: list[bytes] = []
    size = 0
    for part in decompressed(io.BytesIO(data), suffix, path, _PIECE):
        parts.append(part)
        size += len(part)
        if size > limit:
            raise InputError(
                f"it holds more than {limit:,} bytes when it is decompressed", path=path, hint="is this the right file?"
            )
    return b"".join(parts)


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
            raise too_long(f"{len(line):,}", name, number)
    return Lines(name, lines, tuple(notes))


def too_long(size: str, name: str, number: int) -> InputError:
    """What to say of a line beyond :data:`LINE_LIMIT`."""
    return InputError(
        f"the line has {size} characters; the limit is {LINE_LIMIT:,}",
        path=name,
        line=number,
        hint="one segment a line is expected; does the file use other line ends?",
    )
