"""Plain text, a segment a line, and what every text goes through: the lines whole, and in pieces."""

from __future__ import annotations

from contextlib import suppress

from fuzz.held import file
from truegain.errors import InputError
from truegain.readers.plain import read_lines, read_pieces

WORDS = [b"\r\n", b"\xef\xbb\xbf", b"\xc2\x85", b"\xe2\x80\xa8", b"\x00", b"\x1f\x8b\x08", b"\xed\xa0\x80"]


def check(data: bytes) -> None:
    """Check that the lines, joined again, are the text, and that the pieces are the same lines."""
    path = file("fuzzed.txt", data)
    with suppress(InputError):
        read = read_lines(path)
        if not read.notes and "\n".join(read.lines) != data.decode().removesuffix("\n"):
            raise AssertionError("the lines are not those of the file")
        pieces = [line for piece in read_pieces(path, size=16) for line in piece]
        if not read.notes and pieces != read.lines:
            raise AssertionError(f"{len(pieces)} lines in pieces, {len(read.lines)} at once")
