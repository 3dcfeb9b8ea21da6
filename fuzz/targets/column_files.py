"""Tables in Parquet and Arrow: bytes of any kind, behind the mark of each format."""

from __future__ import annotations

from contextlib import suppress

import numpy as np

from fuzz.held import file
from truegain.errors import InputError
from truegain.readers.any_format import read_table
from truegain.readers.corpora import read_corpus

WORDS = [b"PAR1", b"ARROW1\0\0", b"\xff\xff\xff\xff", b"\0\0\0\0", b"\x7f\xff\xff\xff", b"system", b"id", b"score"]


def check(data: bytes) -> None:
    """Read columns of one length, and systems of finite scores."""
    path = file("fuzzed.parquet", data)
    with suppress(InputError):
        table = read_table(path)
        if {len(column) for column in table.columns.values()} != {len(table)}:
            raise AssertionError("columns of different lengths")
    with suppress(InputError):
        for system in read_corpus([path], outputs_are_scores=True).systems:
            if not all(np.isfinite(own).all() for run in system.runs for own in run.scores.values()):
                raise AssertionError(f"{system.name} has scores that are not finite")
