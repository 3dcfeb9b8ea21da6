"""Plain text: one segment a line, compressed or not, or standard input."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from truegain.errors import InputError

__all__ = ["LINE_LIMIT", "Lines", "read_bytes", "read_lines"]

#: The longest line that is accepted, in characters: beyond it a file is not one segment a line.
LINE_LIMIT = 1_000_000

_MAGIC = {b"\x1f\x8b": ".gz", b"BZh": ".bz2", b"\xfd7zXZ\x00": ".xz", b"\x28\xb5\x2f\xfd": ".zst"}


@dataclass(frozen=True)
class Lines:
    """The lines of a file, and what should be said about it."""

    name: str
    lines: list[str]
    notes: tuple[str, ...] = ()


def read_bytes(path: str) -> bytes:
    """The content of a file, decompressed after its ending; ``-`` is standard input.

    Raises
    ------
    InputError
        Where it cannot be read, or is compressed in another way than its name says.
    """
    if path == "-":
        return sys.stdin.buffer.read()
    try:
        data = Path(path).read_bytes()
    except FileNotFoundError as error:
        raise InputError("there is no such file", path=path) from error
    except IsADirectoryError as error:
        raise InputError("this is a directory; a file was expected", path=path) from error
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", path=path) from error
    return _decompress(data, path)


def _decompress(data: bytes, path: str) -> bytes:
    found = next((suffix for magic, suffix in _MAGIC.items() if data.startswith(magic)), None)
    suffix = Path(path).suffix.lower()
    if suffix not in _MAGIC.values():
        if found is not None:
            raise InputError(
                f"this is a compressed file ({found}) under another name",
                path=path,
                hint=f"rename it to end in {found}",
            )
        return data
    try:
        if suffix == ".gz":
            import gzip

            return gzip.decompress(data)
        if suffix == ".bz2":
            import bz2

            return bz2.decompress(data)
        if suffix == ".xz":
            import lzma

            return lzma.decompress(data)
        import zstandard

        with zstandard.ZstdDecompressor().stream_reader(data, read_across_frames=True) as stream:
            return bytes(stream.read())
    except (
        Exception
    ) as error:  # each library has errors of its own: EOFError, zlib.error, LZMAError, ZstdError, OSError
        raise InputError(
            f"cannot be decompressed as {suffix}: {error}", path=path, hint="is the file whole?"
        ) from error


def read_lines(path: str) -> Lines:
    r"""Read one segment a line.

    Lines end at ``\n`` and nowhere else: a lone ``\r``, U+2028 or ``\x0b`` stays inside its line. ``\r\n`` is accepted
    and said.
    """
    name = "standard input" if path == "-" else path
    data = read_bytes(path)
    if not data:
        raise InputError("the file is empty", path=name, hint="is this the right file?")
    text = _decode(data, name)
    notes = []
    if text.startswith("\ufeff"):
        text = text[1:]
        notes.append(f"{name}: a byte order mark at its start was left out")
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    if "\r" in text:
        ends = sum(line.endswith("\r") for line in lines)
        if ends:
            lines = [line.removesuffix("\r") for line in lines]
            notes.append(f"{name}: {ends:,} of {len(lines):,} lines end in \\r\\n; the \\r was left out")
        inside = sum("\r" in line for line in lines)
        if inside:
            notes.append(f"{name}: a carriage return stands inside {inside:,} lines and was kept there")
    for number, line in enumerate(lines, 1):
        if len(line) > LINE_LIMIT:
            raise InputError(
                f"the line has {len(line):,} characters; the limit is {LINE_LIMIT:,}",
                path=name,
                line=number,
                hint="one segment a line is expected; does the file use other line ends?",
            )
    return Lines(name, lines, tuple(notes))


def _decode(data: bytes, name: str) -> str:
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
