"""Bytes as a file of a name, in memory where that is possible: what is fuzzed reads files."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path

__all__ = ["file", "folder"]

_MEMORY = Path("/dev/shm")


@cache
def folder() -> Path:
    """Return a folder of this process, gone with it."""
    made = Path(tempfile.mkdtemp(prefix="truegain-fuzz-", dir=_MEMORY if _MEMORY.is_dir() else None))
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return made


def file(name: str, data: bytes | str) -> str:
    """Return the path of a file with this content."""
    path = folder() / name
    path.write_bytes(data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data)
    return str(path)
