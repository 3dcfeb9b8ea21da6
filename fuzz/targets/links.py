"""Word alignments."""

from __future__ import annotations

from contextlib import suppress

from fuzz.held import file
from fuzz.scored import score
from truegain.errors import InputError
from truegain.readers.plain import read_lines

WORDS = [b"0-0 ", b"1p2 ", b"3?4 ", b"-", b"9" * 20]


def check(data: bytes) -> None:
    """Score the lines against the same in another order, by every metric of alignments."""
    with suppress(InputError):
        lines = read_lines(file("fuzzed.txt", data)).lines
        for metric in ("aer", "alignment", "aer:reference_base=1,system_base=1"):
            with suppress(InputError):
                score(metric, lines, [lines[::-1]])
