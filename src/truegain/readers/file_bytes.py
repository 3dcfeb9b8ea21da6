"""The bytes of a file, a piece at a time: decompressed by its ending, or from standard input."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from truegain.errors import InputError
from truegain.file_roles import reads
from truegain.readers.compression import ENDINGS, compression_of, decompressed, under_another_name


@contextmanager
def standard_input() -> Iterator[BinaryIO]:
    """Give its bytes to read; raise InputError if it cannot be read."""
    if sys.stdin is None:
        raise InputError("standard input (-) is closed", hint="give a file, or a pipe to read from")
    try:
        yield sys.stdin.buffer
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", path="standard input") from error


class ByteStream:
    """The bytes of a file, as it was at one moment; a half-written one would be scored like any other.

    Parameters
    ----------
    path : str
        ``-`` is standard input.
    step : int
        How many bytes are read, or decompressed, at once.
    limit : int, optional
        The most bytes of a compressed file, a pipe or a device: a few can stand for more than fits any memory.

    Attributes
    ----------
    name : str
    size : int
        Of the file in bytes, compressed as it is; 0 if that is not known.
    """

    def __init__(self, path: str, step: int, *, limit: int | None = None) -> None:
        self.name = "standard input" if path == "-" else path
        self.size = 0 if path == "-" else _size(path)
        self._path = path
        self._step = step
        self._endless = path == "-"
        self._suffix = Path(path).suffix.lower()
        self._packed = self._suffix in ENDINGS
        self._limit = limit

    def __iter__(self) -> Iterator[bytes]:
        path = self._path
        reads(path)
        if path == "-":
            with standard_input() as stream:
                yield from self._plain(stream)
            return
        try:
            with Path(path).open("rb") as stream:
                before = os.fstat(stream.fileno())
                self._endless = not stat.S_ISREG(before.st_mode)
                try:
                    yield from self._decompressed(stream) if self._packed else self._plain(stream)
                except InputError as error:  # it may end too early because it is still being written
                    self._check_unchanged(before, os.fstat(stream.fileno()), error)
                    raise
                self._check_unchanged(before, os.fstat(stream.fileno()))
        except FileNotFoundError as error:
            raise InputError("there is no such file", path=path) from error
        except IsADirectoryError as error:
            hint = "give the files in it; truegain init FOLDER makes an experiment of a folder"
            raise InputError("this is a directory; a file was expected", path=path, hint=hint) from error
        except (OSError, ValueError) as error:  # ValueError: a name that no file can have
            raise InputError(f"cannot be read: {getattr(error, 'strerror', None) or error}", path=path) from error

    def _check_unchanged(self, before: os.stat_result, after: os.stat_result, error: InputError | None = None) -> None:
        if not self._endless and (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
            raise InputError(
                "it changed while it was read", path=self._path, hint="is it still being written? Wait for its end"
            ) from error

    def _plain(self, stream: BinaryIO) -> Iterator[bytes]:
        size = 0
        while data := stream.read(self._step):
            if size == 0 and (found := compression_of(data)) is not None:
                raise under_another_name(self.name, found)
            size += len(data)
            if self._endless:
                self._check_limit(size, ", the limit for pipes and devices", "give it as a file")
            yield data

    def _decompressed(self, stream: BinaryIO) -> Iterator[bytes]:
        size = 0
        for data in decompressed(stream, self._suffix, self.name, self._step):
            size += len(data)
            self._check_limit(size, " when it is decompressed", "is this the right file?")
            yield data

    def _check_limit(self, size: int, where: str, hint: str) -> None:
        if self._limit is not None and size > self._limit:
            raise InputError(f"it holds more than {self._limit:,} bytes{where}", path=self.name, hint=hint)


def _size(path: str) -> int:
    try:
        return Path(path).stat().st_size
    except (OSError, ValueError):  # said when it is opened
        return 0
