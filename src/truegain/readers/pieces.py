"""A large text in pieces, for what is only counted."""

from __future__ import annotations

from collections.abc import Iterator

from truegain.errors import InputError
from truegain.readers.plain import decode, read_bytes

__all__ = ["read_pieces"]

_BYTES = 1 << 24


def read_pieces(path: str, size: int = _BYTES) -> Iterator[list[str]]:
    """The lines of a file, compressed or not, some megabytes at a time: lists of lines."""
    name = "standard input" if path == "-" else path
    data = read_bytes(path, limit=None)  # a text of training may be large
    if not data:
        raise InputError("the file is empty", path=name, hint="is this the right file?")
    first = 3 if data.startswith(b"\xef\xbb\xbf") else 0
    lines = 0
    while first < len(data):
        end = data.find(b"\n", first + size)
        piece = data[first : len(data) if end < 0 else end + 1]
        text = decode(piece, name, before=lines)
        found = text.removesuffix("\n").split("\n")
        lines += len(found)
        first += len(piece)
        yield found
