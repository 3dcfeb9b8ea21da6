"""Files as bytes, some whole lines at a time and never held: compressed or not, or standard input."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from truegain.errors import InputError
from truegain.file_roles import reads
from truegain.readers.compression import ENDINGS, compression_of, decompressed, under_another_name
from truegain.readers.plain import too_long
from truegain.readers.standard_input import standard_input

__all__ = ["LineBlocks"]


class LineBlocks:
    """The bytes of a file, in blocks that end where a line does; a line longer than a block is a block.

    Parameters
    ----------
    path : str
        ``-`` is standard input.
    step : int
        How many bytes are read, or decompressed, at once.
    longest : int, optional
        The most characters of a line; by default there is no such limit.

    Attributes
    ----------
    name : str
    size : int
        Of the file in bytes, compressed as it is; 0 where that is not known.
    consumed : int
        How much of it was read.
    """

    def __init__(self, path: str, step: int, *, longest: int | None = None) -> None:
        self.name = "standard input" if path == "-" else path
        self.size = 0 if path == "-" else _size(path)
        self.consumed = 0
        self._path = path
        self._step = step
        self._longest = longest

    def __iter__(self) -> Iterator[bytes]:
        begun: list[bytes] = []  # of a line whose end has not come yet
        waiting = lines = 0
        for data in self._bytes():
            cut = data.rfind(b"\n") + 1
            if cut:
                lines += data.count(b"\n")
                yield b"".join([*begun, data[:cut]])
                begun, waiting = [], 0
            begun.append(data[cut:])
            waiting += len(data) - cut
            if self._longest is not None and waiting > 4 * self._longest:  # a character has four bytes at most
                raise too_long(f"more than {self._longest:,}", self.name, lines + 1)
        if waiting:
            yield b"".join(begun)

    def _bytes(self) -> Iterator[bytes]:
        path = self._path
        reads(path)
        if path == "-":
            with standard_input() as stream:
                yield from self._plain(stream)
            return
        suffix = Path(path).suffix.lower()
        try:
            with Path(path).open("rb") as stream:
                before = os.fstat(stream.fileno())
                if suffix in ENDINGS:
                    yield from self._decompressed(stream, suffix)
                else:
                    yield from self._plain(stream)
                after = os.fstat(stream.fileno())
        except FileNotFoundError as error:
            raise InputError("there is no such file", path=path) from error
        except IsADirectoryError as error:
            raise InputError("this is a directory; a file was expected", path=path) from error
        except (OSError, ValueError) as error:  # ValueError: a name that no file can have
            raise InputError(f"cannot be read: {getattr(error, 'strerror', None) or error}", path=path) from error
        changed = (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns)
        if stat.S_ISREG(before.st_mode) and changed:
            raise InputError(
                "it changed while it was read", path=path, hint="is it still being written? Wait for its end"
            )

    def _plain(self, stream: BinaryIO) -> Iterator[bytes]:
        begun = False
        while data := stream.read(self._step):
            if not begun:
                begun = True
                if (found := compression_of(data)) is not None:
                    raise under_another_name(self.name, found)
            self.consumed += len(data)
            yield data

    def _decompressed(self, stream: BinaryIO, suffix: str) -> Iterator[bytes]:
        for data in decompressed(stream, suffix, self.name, self._step):
            self.consumed = stream.tell() if stream.seekable() else 0
            yield data


def _size(path: str) -> int:
    try:
        return Path(path).stat().st_size
    except (OSError, ValueError):  # said when it is opened
        return 0
