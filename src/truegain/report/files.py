"""Atomic writing of files."""

from __future__ import annotations

from pathlib import Path

from truegain.atomic_write import is_stream, replace_file, sweep, umask
from truegain.errors import InputError
from truegain.file_roles import check_write


def write_atomically(path: str | Path, content: str | bytes) -> None:
    """Write a file at once: the old one stays until the new one is whole; write to a pipe or a device as it is."""
    check_write(path)
    given = path
    held = content.encode() if isinstance(content, str) else content
    try:
        if is_stream(path):
            with Path(path).open("wb") as stream:
                stream.write(held)
            return
        path = Path(path).resolve()  # a link stays a link, to the new file
        mode = path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~umask()
        # A name of the greatest length has no room for more.
        names = {"prefix": f".{path.name[:_MOST]}.", "suffix": ".new"}
        sweep(path.parent, **names)
        replace_file(path, held, mode=mode, durable=True, **names)
    except (OSError, RuntimeError) as error:  # RuntimeError: links in a circle, as Python before 3.13 has it
        raise InputError(f"cannot be written: {getattr(error, 'strerror', None) or error}", path=str(given)) from error


_MOST = 50  # characters, of four bytes at most, of the 255 that a name may have
