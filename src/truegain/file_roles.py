"""Files that a command reads and writes: no file may be both, and no two outputs may be one file."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO

from truegain.errors import InputError

#: A device and an inode, which links share; or the path of a file that is not there yet.
Identity = tuple[int, int] | str
Name = str | os.PathLike[str]


class _Roles:
    def __init__(self) -> None:
        self.inputs: dict[Identity, str] = {}
        self.outputs: dict[Identity, str] = {}


#: The files of the command that is running; None in Python programs, which may read what they have written.
_roles: _Roles | None = None


@contextmanager
def separate_files() -> Iterator[None]:
    """Refuse, until the block ends, to write what is read and to write one file twice."""
    global _roles
    before, _roles = _roles, _Roles()
    try:
        yield
    finally:
        _roles = before


def reads(path: Name) -> None:
    """Note that a file is read; ``-`` is standard input.

    Raises
    ------
    InputError
        If the command writes to it.
    """
    if _roles is None or (known := _of_stream(sys.stdin) if os.fspath(path) == "-" else identity(path)) is None:
        return
    name = "standard input" if os.fspath(path) == "-" else os.fspath(path)
    _roles.inputs.setdefault(known, name)
    if known in _roles.outputs:
        raise _written_over(_roles.outputs[known], name)
    if known == _of_stream(sys.stdout):
        raise _written_over("standard output", name)


def writes(path: Name) -> None:
    """Note, before any work is done, that a file will be written.

    Raises
    ------
    InputError
        If the command reads it, or writes it for another purpose.
    """
    check_write(path)
    if _roles is not None and (known := identity(path)) is not None:
        if known in _roles.outputs:
            raise InputError(
                "two outputs would go to this file, and one be lost",
                path=os.fspath(path),
                hint="give them different names",
            )
        _roles.outputs[known] = os.fspath(path)


def check_write(path: Name) -> None:
    """Refuse to write a file that the command has read."""
    if _roles is not None and (known := identity(path)) in _roles.inputs:
        raise _written_over(os.fspath(path), _roles.inputs[known])


def identity(path: Name) -> Identity | None:
    """Return what distinguishes a file from others, by whatever name; None for pipes and devices."""
    from pathlib import Path  # `--help` does without it

    try:
        found = Path(path).stat()
    except (OSError, ValueError):  # ValueError: a zero byte in the name
        with suppress(OSError, ValueError, RuntimeError):  # RuntimeError: links in a circle
            return str(Path(path).resolve())
        return None
    return (found.st_dev, found.st_ino) if stat.S_ISREG(found.st_mode) else None


def _of_stream(stream: IO[str] | None) -> Identity | None:
    """Return the identity of the file that a standard stream goes to or comes from, if it is one."""
    with suppress(OSError, ValueError, AttributeError):  # closed, or no file
        found = os.fstat(stream.fileno())  # type: ignore[union-attr]
        return (found.st_dev, found.st_ino) if stat.S_ISREG(found.st_mode) else None
    return None


def _written_over(output: str, source: str) -> InputError:
    same = "" if os.path.normpath(output) == os.path.normpath(source) else f", {source},"
    return InputError(
        f"this file is an input{same} and would be written over", path=output, hint="name another file for the output"
    )
