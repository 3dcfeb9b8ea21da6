"""Definitions of scorers, and what their programs may leave as results; nothing is run."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import numpy as np

from fuzz.held import file
from truegain.errors import InputError
from truegain.metrics.scorer import Scorer
from truegain.scorers.definition import PLACEHOLDERS, Definition
from truegain.scorers.program import checked
from truegain.scorers.user_file import defined, with_file

WORDS = [
    *(b"[scorer.x]\n", b"command = [", b'"a", ', b'"{output}"', b'"{result}"', b'"{jsonl}"', b'"{', b"}", b"reads = ["),
    *(b'"source"', b"limits = [0, 1]\n", b'model = "', b"lower_is_better = true\n", b'version = "1"\n', b"label = "),
    *(b"0.5\n", b"id,score\n", b'{"score": ', b'{"a": [{"COMET": 0.5}]}', b"nan", b"1e999", b"\n"),
]
_KINDS = ("txt", "json", "jsonl", "csv", "tsv")


def check(data: bytes) -> None:
    """Commands keep their number of arguments, whatever is put in; results are finite scores, one for each segment."""
    with suppress(InputError), with_file(file("fuzzed.toml", data)):
        for one in defined().values():
            for value in ("x", "; {output} $(y)", "{result}"):
                filled = one.filled(dict.fromkeys(PLACEHOLDERS, value))
                if len(filled) != len(one.command) or filled[0] != one.command[0]:
                    raise AssertionError(f"{one.command} became {filled}")
    for kind in _KINDS:
        for column in (None, "COMET"):
            scorer = Scorer(Definition("x", ("a", "{output}", "{result}"), "X", result=kind, column=column))
            with suppress(InputError):
                scores = scorer._read(Path(file(f"result.{kind}", data)))
                found = checked(scores, scorer.definition, len(scores))
                if found.ndim != 1 or not np.isfinite(found).all():
                    raise AssertionError(f"scores are {found}")
