"""Statistics on disk, found again by what they were made from."""

from __future__ import annotations

import contextlib
import hashlib
import math
import os
import stat
import struct
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truegain.atomic_write import replace_file, sweep
from truegain.cache_folder import (
    ENDING,
    CacheInfo,
    default_directory,
    default_limit,
    entries_of,
    info_of,
    looked_through,
)
from truegain.scratch import LinesOnDisk

_MAGIC = b"truegain-statistics-4\n"
_UNFINISHED = ".new-"
_DIGEST = 16
_SIZE = struct.Struct("<Q")
_TYPES = (b"<i4", b"<i8", b"<f8")
_AXES = 2  # statistics are tables, or columns
_LONGEST = 1 << 40  # of an axis
_CONTINUING = -64  # bytes below go on with a character of UTF-8
_LINES = 1 << 16  # of which a fingerprint is made at once


def digest_lines(lines: Sequence[str | None]) -> bytes:
    """Return a fingerprint of a sequence of lines, in which the ends of lines count."""
    found = hashlib.blake2b(digest_size=32)
    if isinstance(lines, LinesOnDisk):  # the same, without making lines of bytes
        for piece in lines.pieces():
            found.update(_lengths(piece).tobytes())
        for piece in lines.pieces():
            found.update(piece.replace(b"\n", b""))
        return found.digest()
    for first in range(0, len(lines), _LINES):
        lengths = [-1 if line is None else len(line) for line in lines[first : first + _LINES]]
        found.update(np.array(lengths, np.int64).tobytes())
    for first in range(0, len(lines), _LINES):
        found.update("".join(filter(None, lines[first : first + _LINES])).encode("utf-8", "surrogatepass"))
    return found.digest()


def _lengths(piece: bytes) -> NDArray[np.int64]:
    """Return the characters of each line: all its bytes but its end, and those that go on with a character."""
    data = np.frombuffer(piece, np.uint8)
    ends = np.flatnonzero(data == ord("\n"))
    lengths = np.diff(ends, prepend=-1) - 1
    if not piece.isascii():
        continuing = np.flatnonzero(data.view(np.int8) < _CONTINUING)
        lengths -= np.diff(np.searchsorted(continuing, ends), prepend=0)
    return lengths


def key_of(*parts: bytes | str) -> str:
    """Return the name of an entry: a fingerprint of everything it depends on."""
    whole = hashlib.blake2b(digest_size=32)
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        whole.update(len(data).to_bytes(8, "little"))
        whole.update(data)
    return whole.hexdigest()


class Cache:
    """A folder of entries, each written at once and checked when it is read.

    Parameters
    ----------
    directory : path, optional
        By default ``$TRUEGAIN_CACHE``, else ``truegain`` under ``$XDG_CACHE_HOME`` or ``~/.cache``.
    limit : int, optional
        The most bytes it may hold, by default ``$TRUEGAIN_CACHE_SIZE`` or 1 GiB; the entries used longest ago go first.
    """

    def __init__(self, directory: Path | None = None, limit: int | None = None) -> None:
        self._default = directory is None and not os.environ.get("TRUEGAIN_CACHE")
        self.directory = directory or default_directory()
        self.limit = default_limit() if limit is None else limit
        # The folder is looked through at the first entry and then now and again: it may hold a great many.
        self._fresh = True
        self._written = 0

    def get(self, key: str) -> NDArray[Any] | None:
        """Return the entry, or None if there is none or it is damaged (then it is removed)."""
        path = self._path(key)
        try:
            status = path.stat()
            if not stat.S_ISREG(status.st_mode) or not _own(status):  # a pipe would be waited for
                return None
            data = np.fromfile(path, np.uint8)  # faster than bytes, where there are many
        except OSError:
            return None
        found = _unpacked(data.data.toreadonly(), key)
        with contextlib.suppress(OSError):
            if found is None:
                path.unlink()
            else:
                os.utime(path)
        return found

    def put(self, key: str, values: NDArray[Any]) -> bool:
        """Write an entry; return whether it is kept. A cache that cannot be written to is no reason to stop.

        An entry larger than the whole cache may be is not written: all others would have to go for nothing.
        """
        body = _packed(values)
        content = _MAGIC + _checksum(key, body) + body
        if len(content) > self.limit:
            return False
        try:
            self._make_directory()
            replace_file(self._path(key), content, prefix=_UNFINISHED, suffix="", mode=0o600, durable=False)
            self._written += len(body)
            if self._written > self.limit // 16 or self._fresh:
                self._shrink()
                return self._path(key).exists()
        except OSError:
            return False
        return True

    def keys(self, beginning: str) -> list[str]:
        """Return the keys of entries that begin so, in order."""
        try:
            return sorted(path.stem for path in self.directory.glob(f"{beginning}*{ENDING}"))
        except OSError:
            return []

    def remove(self, keys: Iterable[str]) -> None:
        """Remove entries, as far as they are there and this user may."""
        for key in keys:
            with contextlib.suppress(OSError):
                self._path(key).unlink()

    def info(self) -> CacheInfo:
        """Count the entries."""
        return info_of(self.directory, self.limit)

    def clear(self) -> int:
        """Remove every entry; give how many there were."""
        sweep(self.directory, prefix=_UNFINISHED, suffix="")
        entries = looked_through(self.directory)
        for _, _, path in entries:
            with contextlib.suppress(OSError):
                path.unlink()
        return len(entries)

    def _make_directory(self) -> None:
        """Make the folder, for this user alone. One in the default place that is open to others is closed to them."""
        try:
            self.directory.parent.mkdir(parents=True, exist_ok=True)
            self.directory.mkdir(mode=0o700)
        except FileExistsError:
            # Where the user has named another folder, its mode is the user's.
            found = self.directory.stat()
            if self._fresh and self._default and _own(found) and stat.S_IMODE(found.st_mode) & 0o077:
                self.directory.chmod(0o700)

    def _shrink(self) -> None:
        self._fresh = False
        self._written = 0
        sweep(self.directory, prefix=_UNFINISHED, suffix="")
        entries = sorted(entries_of(self.directory))
        size = sum(one for _, one, _ in entries)
        for _, one, path in entries:
            if size <= self.limit:
                break
            with contextlib.suppress(OSError):
                path.unlink()
            size -= one

    def _path(self, key: str) -> Path:
        return self.directory / f"{key}{ENDING}"


def _own(found: os.stat_result) -> bool:
    """Return whether this user made a file or folder: whoever else can write to the folder may have put in anything."""
    return not hasattr(os, "geteuid") or found.st_uid == os.geteuid()


def _packed(values: NDArray[Any]) -> bytes:
    """Return the type, the number of axes, their lengths and the numbers, as bytes."""
    kind = values.dtype.newbyteorder("<").str.encode()
    if kind not in _TYPES:
        kind = b"<f8"  # what all statistics become when they are used
    sizes = b"".join(map(_SIZE.pack, values.shape))
    return kind + _SIZE.pack(values.ndim) + sizes + np.ascontiguousarray(values, kind.decode()).tobytes()


def _unpacked(data: memoryview, key: str) -> NDArray[Any] | None:
    """Return what an entry holds; None if it is damaged, or is that of another key under this one's name.

    The checksum is no secret: nothing behind it is believed that :func:`_packed` could not have written.
    """
    body = data[len(_MAGIC) + _DIGEST :]
    if data[: len(_MAGIC) + _DIGEST] != _MAGIC + _checksum(key, body):
        return None
    kind, start = bytes(body[:3]), 3 + _SIZE.size
    if kind not in _TYPES or len(body) < start:
        return None
    (axes,) = _SIZE.unpack_from(body, 3)
    if axes > _AXES or len(body) < start + _SIZE.size * axes:
        return None
    shape = struct.unpack_from(f"<{axes}Q", body, start)
    numbers = body[start + _SIZE.size * axes :]
    if max(shape, default=0) > _LONGEST or math.prod(shape) * int(kind[2:3]) != len(numbers):
        return None
    found = np.frombuffer(numbers, kind.decode())
    return found.reshape(shape) if kind != b"<f8" or np.isfinite(found).all() else None


def _checksum(key: str, body: bytes | memoryview) -> bytes:
    """Return a hash of the key, the length and the CRC of what is kept: a hash of it all takes five times as long."""
    return hashlib.blake2b(f"{key}\n{len(body)} {zlib.crc32(body)}".encode(), digest_size=_DIGEST).digest()
