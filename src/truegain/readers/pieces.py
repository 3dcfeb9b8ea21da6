"""A large text in pieces, for what is only counted."""

from __future__ import annotations

from collections.abc import Iterator

from truegain.errors import InputError
from truegain.readers.blocks import LineBlocks
from truegain.readers.decoding import decode

__all__ = ["read_pieces"]

_BYTES = 1 << 24


def read_pieces(path: str, size: int = _BYTES) -> Iterator[list[str]]:
    """The lines of a file, compressed or not, some megabytes at a time: lists of lines."""
    blocks = LineBlocks(path, size)  # without limits: a text of training may be large, and all of it one line
    lines = 0
    for block in blocks:
        text = decode(block, blocks.name, before=lines)
        if lines == 0:
            text = text.removeprefix("\ufeff")
        found = text.removesuffix("\n").split("\n")
        lines += len(found)
        yield found
    if lines == 0:
        raise InputError("the file is empty", path=blocks.name, hint="is this the right file?")
