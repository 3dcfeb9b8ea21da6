"""Leave nothing behind: private folders that go with the program."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from truegain.errors import InputError

#: What to do where temporary files do not fit.
TMPDIR = "see that there is room, or name another folder by the variable TMPDIR"


@contextmanager
def private_folder(prefix: str, parent: str | None = None) -> Iterator[Path]:
    """Make a folder that only this user can look into, and remove it at the end.

    Parameters
    ----------
    prefix : str
    parent : str, optional
        By default the system's folder for temporary files.
    """
    try:
        folder = tempfile.TemporaryDirectory(prefix=prefix, dir=parent, ignore_cleanup_errors=True)
    except OSError as error:
        raise InputError(
            f"no folder can be made for temporary files: {error.strerror or error}", hint=TMPDIR
        ) from error
    with folder as made:
        yield Path(made)
