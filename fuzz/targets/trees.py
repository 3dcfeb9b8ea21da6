"""Trees in brackets, over several lines and one a line."""

from __future__ import annotations

from contextlib import suppress

from fuzz.held import file
from fuzz.scored import score
from truegain.errors import InputError
from truegain.readers.any_format import read_text
from truegain.readers.plain import read_lines

WORDS = [b"(S ", b"(NP ", b"(NN word)", b"(-NONE- *)", b"))", b"( (", b"()", b"-LRB-", b"NP-SBJ=1"]


def check(data: bytes) -> None:
    """Trees that are read can be scored, against themselves and turned round."""
    path = file("fuzzed.mrg", data)
    with suppress(InputError):
        trees = read_text(path).lines
        score("parseval", trees, [trees])
        score("parseval", trees[::-1], [trees])
    with suppress(InputError):
        lines = read_lines(path).lines
        score("parseval", lines, [lines[::-1]])
