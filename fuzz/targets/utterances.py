"""The trn format of speech recognition."""

from __future__ import annotations

from contextlib import suppress

from fuzz.held import file
from fuzz.scored import score
from truegain.errors import InputError
from truegain.readers.any_format import read_text

WORDS = [b" (spk-01)\n", b";; ", b"(", b")", b"\xc2\xa0"]


def check(data: bytes) -> None:
    """Utterances with as many ids, scored."""
    with suppress(InputError):
        read = read_text(file("fuzzed.trn", data))
        if len(read.lines) != len(read.ids or ()):
            raise AssertionError("utterances and ids are not as many")
        score("wer", read.lines, [read.lines[::-1]])
