"""Compressed files: told by how they open, decompressed a piece at a time, refused where they break off."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import BinaryIO

from truegain.errors import InputError

__all__ = ["ENDINGS", "XZ_MEMORY", "compression_of", "decompressed", "under_another_name"]

#: The most memory that the dictionary of an .xz file may ask for, in bytes: xz -9 needs a quarter of it.
XZ_MEMORY = 1 << 28

# Longer than one might write, since a text may begin with BZh.
_OPENINGS = {
    ".gz": re.compile(rb"\x1f\x8b\x08"),
    ".bz2": re.compile(rb"BZh[1-9](1AY&SY|\x17rE8P\x90)"),
    ".xz": re.compile(rb"\xfd7zXZ\x00"),
    ".zst": re.compile(rb"\x28\xb5\x2f\xfd"),
}
# How much of a .zst file is decompressed at a time: four bytes can stand for 128 KiB.
_ZSTD_STEP = 1 << 10

#: The endings of compressed files.
ENDINGS = frozenset(_OPENINGS)


def compression_of(data: bytes) -> str | None:
    """The ending that a file which opens with these bytes should have; None where it is not compressed."""
    return next((suffix for suffix, opening in _OPENINGS.items() if opening.match(data)), None)


def under_another_name(name: str, suffix: str) -> InputError:
    """What to say of a file that is compressed and does not end so."""
    if name == "standard input":
        return InputError("it is compressed", path=name, hint="decompress it before: zcat FILE | truegain …")
    return InputError(
        f"this is a compressed file ({suffix}) under another name", path=name, hint=f"rename it to end in {suffix}"
    )


def decompressed(stream: BinaryIO, suffix: str, name: str, size: int) -> Iterator[bytes]:
    """What a file holds, a piece at a time: a few bytes can stand for more than fits any memory.

    Parameters
    ----------
    stream : binary stream
    suffix : str
        One of :data:`ENDINGS`.
    name : str
        The file.
    size : int
        About the most bytes of a piece.

    Raises
    ------
    InputError
        Where it cannot be decompressed, or breaks off.
    """
    try:
        yield from _READERS[suffix](stream, size)
    except MemoryError:
        raise
    except Exception as error:  # each library has errors of its own: zlib.error, LZMAError, ZstdError, OSError
        raise InputError(
            f"cannot be decompressed as {suffix}: {error}", path=name, hint="is the file whole?"
        ) from error


def _gzip(stream: BinaryIO, size: int) -> Iterator[bytes]:
    import gzip

    held = gzip.GzipFile(fileobj=stream)
    while data := held.read(size):
        yield data


def _bzip2(stream: BinaryIO, size: int) -> Iterator[bytes]:
    import bz2

    held = bz2.BZ2File(stream)
    while data := held.read(size):
        yield data


def _xz(stream: BinaryIO, size: int) -> Iterator[bytes]:
    import lzma

    rest = stream.read(size)
    while rest:
        frame = lzma.LZMADecompressor(memlimit=XZ_MEMORY)
        while not frame.eof:
            if frame.needs_input and not rest:
                rest = stream.read(size)
                if not rest:
                    raise EOFError("the file breaks off")
            data = frame.decompress(rest, size)
            rest = b""
            if data:
                yield data
        rest = frame.unused_data.lstrip(b"\0")  # between files that were joined, zeros may stand
        while not rest and (more := stream.read(size)):
            rest = more.lstrip(b"\0")


def _zstd(stream: BinaryIO, size: int) -> Iterator[bytes]:
    """One frame after the other; a frame that breaks off is an error, which the library's own stream reader hides."""
    import zstandard

    frame = None
    rest = b""
    while rest or (rest := stream.read(_ZSTD_STEP)):
        frame = frame or zstandard.ZstdDecompressor().decompressobj()
        data = frame.decompress(rest)
        rest = frame.unused_data if frame.eof else b""
        if frame.eof:
            frame = None
        if data:
            yield data
    if frame is not None:
        raise EOFError("the file breaks off")


_READERS: dict[str, Callable[[BinaryIO, int], Iterator[bytes]]] = {
    ".gz": _gzip,
    ".bz2": _bzip2,
    ".xz": _xz,
    ".zst": _zstd,
}
