"""Writing files at once and whole."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from truegain.errors import InputError

__all__ = ["write_atomically"]


def write_atomically(path: str | Path, content: str | bytes) -> None:
    """Write a file at once: the old one stays until the new one is whole."""
    given = path
    held = content.encode() if isinstance(content, str) else content
    try:
        path = Path(path).resolve()  # a link stays a link, to the new file
        if path.exists() and not path.is_file():  # a pipe or a device cannot be replaced
            with path.open("wb") as stream:
                stream.write(held)
            return
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".new")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(held)
                stream.flush()
                os.fsync(stream.fileno())
            mode = path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask()
            Path(temporary).chmod(mode)
            Path(temporary).replace(path)
        except BaseException:
            with contextlib.suppress(OSError):
                Path(temporary).unlink()
            raise
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", path=str(given)) from error


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
