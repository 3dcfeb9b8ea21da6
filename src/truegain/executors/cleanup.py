"""Leave nothing behind: private folders that go with the program."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from truegain.errors import InputError
from truegain.executors.undisturbed import undisturbed

#: What to do where temporary files do not fit.
TMPDIR = "see that there is room, or name another folder by the variable TMPDIR"
_made: set[tuple[int, str]] = set()  # by which process, and where


@contextmanager
def private_folder(prefix: str, parent: str | None = None) -> Iterator[Path]:
    """Make a folder that only this user can look into, and remove it at the end.

    If a signal interrupts its removal, it is removed when the program ends.

    Parameters
    ----------
    prefix : str
    parent : str, optional
        By default the system's folder for temporary files.
    """
    with undisturbed():
        try:
            made = os.getpid(), tempfile.mkdtemp(prefix=prefix, dir=parent)  # of mode 0700
        except OSError as error:
            raise InputError(
                f"no folder can be made for temporary files: {error.strerror or error}", hint=TMPDIR
            ) from error
        _made.add(made)
    try:
        yield Path(made[1])
    finally:
        _remove(made)


def _remove(made: tuple[int, str]) -> None:
    with undisturbed():
        shutil.rmtree(made[1], ignore_errors=True)
        if not os.path.lexists(made[1]):
            _made.discard(made)


@atexit.register
def _remove_all() -> None:
    for made in list(_made):
        if made[0] == os.getpid():  # a copy of this process has no part in them
            _remove(made)
