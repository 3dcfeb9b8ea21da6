"""Standard input as a file: closed, or not to be read, it is refused like any other."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

from truegain.errors import InputError

__all__ = ["standard_input"]


@contextmanager
def standard_input() -> Iterator[BinaryIO]:
    """Give its bytes to read; raise InputError if it cannot be read."""
    if sys.stdin is None:
        raise InputError("standard input (-) is closed", hint="give a file, or a pipe to read from")
    try:
        yield sys.stdin.buffer
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", path="standard input") from error
