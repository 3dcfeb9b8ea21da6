"""Compressed files: recognised by their first bytes, decompressed piece by piece, refused if they break off."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

from truegain.errors import InputError

#: The most memory that the dictionary of an .xz file may ask for, in bytes: xz -9 needs a quarter of it.
XZ_MEMORY = 1 << 28

# Longer than one might write, since a text may begin with BZh.
_OPENINGS = {
    ".gz": re.compile(rb"\x1f\x8b\x08"),
    ".bz2": re.compile(rb"BZh[1-9](1AY&SY|\x17rE8P\x90)"),
    ".xz": re.compile(rb"\xfd7zXZ\x00"),
    ".zst": re.compile(rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18"),  # a frame, or one to be skipped
}
# How much of a .zst file is decompressed at a time: four bytes can stand for 128 KiB.
_ZSTD_STEP = 1 << 10
_OPENING = 10  # bytes of the longest opening

#: The endings of compressed files.
ENDINGS = frozenset(_OPENINGS)


def compression_of(data: bytes) -> str | None:
    """Return the ending that a file with these first bytes should have; None if it is not compressed."""
    return next((suffix for suffix, opening in _OPENINGS.items() if opening.match(data)), None)


def under_another_name(name: str, suffix: str) -> InputError:
    """Return the error about a file that is compressed and whose name does not say so."""
    if name == "standard input":
        return InputError("it is compressed", path=name, hint="decompress it before: zcat FILE | truegain …")
    return InputError(
        f"this is a compressed file ({suffix}) under another name", path=name, hint=f"rename it to end in {suffix}"
    )


def decompressed(stream: BinaryIO, suffix: str, name: str, size: int) -> Iterator[bytes]:
    """Yield what a file holds, a piece at a time: a few bytes can stand for more than fits any memory.

    Files that were joined are read one after the other; zeros may stand between and behind them. Anything else behind
    the end is refused, whatever the kind of compression: the programs differ there, and some drop it without a word.

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
        If it cannot be decompressed, breaks off, or goes on after its end.
    """
    try:
        yield from _frames(stream, suffix, size)
    except (MemoryError, InputError):
        raise
    except _Broken as error:
        raise InputError(f"cannot be decompressed as {suffix}: {error}", path=name, hint=error.advice) from error
    except Exception as error:  # each library has errors of its own: zlib.error, LZMAError, ZstdError, OSError
        raise InputError(
            f"cannot be decompressed as {suffix}: {error}", path=name, hint="is the file whole?"
        ) from error


class _Broken(Exception):
    def __init__(self, message: str, hint: str = "is the file whole?") -> None:
        super().__init__(message)
        self.advice = hint


def _frames(stream: BinaryIO, suffix: str, size: int) -> Iterator[bytes]:
    make, opening = _FRAMES[suffix], _OPENINGS[suffix]
    step = _ZSTD_STEP if suffix == ".zst" else size
    rest = stream.read(step)
    count = 0
    while rest:
        while len(rest) < _OPENING and (more := stream.read(step)):
            rest += more
        if count and opening.match(rest) is None:
            raise _Broken(
                f"something else follows its end ({rest[:8]!r}…)",
                "were files joined that are not all compressed, or was the file damaged?",
            )
        frame = make()
        while True:
            yield from frame.pieces(rest, size)
            if frame.eof:
                break
            rest = stream.read(step)
            if not rest:
                raise _Broken("the file breaks off")
        count += 1
        rest = frame.unused_data.lstrip(b"\0")
        while not rest and (more := stream.read(step)):
            rest = more.lstrip(b"\0")


class _Gzip:
    def __init__(self) -> None:
        import zlib

        self._held = zlib.decompressobj(wbits=31)  # with the header and the checksum of gzip

    @property
    def eof(self) -> bool:
        return self._held.eof

    @property
    def unused_data(self) -> bytes:
        return self._held.unused_data

    def pieces(self, data: bytes, size: int) -> Iterator[bytes]:
        while data:
            if made := self._held.decompress(data, size):
                yield made
            data = self._held.unconsumed_tail


class _Bounded:
    """Base of bz2 and lzma streams."""

    def __init__(self, held: Any) -> None:
        self._held = held

    @property
    def eof(self) -> bool:
        return bool(self._held.eof)

    @property
    def unused_data(self) -> bytes:
        return bytes(self._held.unused_data)

    def pieces(self, data: bytes, size: int) -> Iterator[bytes]:
        while True:
            if made := self._held.decompress(data, size):
                yield made
            data = b""
            if self._held.eof or self._held.needs_input:
                return


class _Zstd:
    def __init__(self) -> None:
        import zstandard

        self._held = zstandard.ZstdDecompressor().decompressobj()

    @property
    def eof(self) -> bool:
        return bool(self._held.eof)

    @property
    def unused_data(self) -> bytes:
        return self._held.unused_data

    def pieces(self, data: bytes, size: int) -> Iterator[bytes]:
        if made := self._held.decompress(data):
            yield made


def _bzip2() -> _Bounded:
    import bz2

    return _Bounded(bz2.BZ2Decompressor())


def _xz() -> _Bounded:
    import lzma

    return _Bounded(lzma.LZMADecompressor(memlimit=XZ_MEMORY))


_FRAMES: dict[str, Callable[[], _Gzip | _Bounded | _Zstd]] = {".gz": _Gzip, ".bz2": _bzip2, ".xz": _xz, ".zst": _Zstd}
