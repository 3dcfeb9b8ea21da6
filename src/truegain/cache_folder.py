"""The folder of the cache, its size and its limit: without numpy, for ``truegain --version``."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import NamedTuple

from truegain.errors import InputError

ENDING = ".statistics"
DEFAULT_LIMIT = 1 << 30


class CacheInfo(NamedTuple):
    """Folder of the cache, and its size."""

    directory: Path
    entries: int
    size: int
    limit: int


def info_of(directory: Path, limit: int) -> CacheInfo:
    """Count the entries of a folder."""
    entries = looked_through(directory)
    return CacheInfo(directory, len(entries), sum(size for _, size, _ in entries), limit)


def looked_through(directory: Path) -> list[tuple[float, int, Path]]:
    """Return the entries, or say why the folder cannot be read."""
    try:
        return entries_of(directory)
    except OSError as error:
        raise InputError(f"the cache cannot be read: {error.strerror}", path=str(directory)) from error


def entries_of(directory: Path) -> list[tuple[float, int, Path]]:
    """Return when each entry was last used, its size and its path; none where there is no folder."""
    try:
        paths = [path for path in directory.iterdir() if path.name.endswith(ENDING)]
    except (FileNotFoundError, NotADirectoryError):
        return []
    found = []
    for path in paths:
        with contextlib.suppress(OSError):
            status = path.stat()
            found.append((status.st_mtime, status.st_size, path))
    return found


def default_limit() -> int:
    """Return ``$TRUEGAIN_CACHE_SIZE``, or 1 GiB."""
    return bytes_in_environment("TRUEGAIN_CACHE_SIZE", DEFAULT_LIMIT)


def bytes_in_environment(name: str, otherwise: int) -> int:
    """Return the number of bytes that a variable of the environment holds, if it is set."""
    given = os.environ.get(name)
    if not given:
        return otherwise
    if not given.isdecimal():
        raise InputError(f"{name} must be a number of bytes; it is {given!r}", hint="for example 1000000000")
    return int(given)


def default_directory() -> Path:
    """Return ``$TRUEGAIN_CACHE``, or ``truegain`` where this user's caches are."""
    if chosen := os.environ.get("TRUEGAIN_CACHE"):
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME")
    try:
        return (Path(base) if base else Path.home() / ".cache") / "truegain"
    except RuntimeError:  # a user without a home, as in some containers: a place where nothing can be kept
        return Path(os.devnull) / "truegain"
