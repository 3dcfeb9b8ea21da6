"""Scores of people and of metrics, ratings with errors, documents: held against each other by ``agree``.

The parts of an input, between lines ``====``, are people's scores, a metric's, and those of whole systems.
"""

from __future__ import annotations

from contextlib import suppress

import numpy as np

import truegain as tg
from fuzz.held import file
from truegain.errors import InputError

WORDS = [
    *(b"a\t", b"b\t", b"None", b"\t", b"\n====\n", b"refA\t", b"Human-A\t", b"1e308", b"-1e308", b"5e-324", b"nan"),
    *(
        b'{"errors": []}',
        b'{"category": "',
        b'"severity": "minor"}',
        b"system,id,score\n",
        b'{"system": "',
        b'"score":',
    ),
]
_NAMES = ("fuzzed.seg.score", "fuzzed.mqm.r.seg.rating", "fuzzed.csv", "fuzzed.jsonl")


def check(data: bytes) -> None:
    """Agreements within their range, and probabilities that are some."""
    people, *others = data.split(b"\n====\n")
    file("fuzzed.sys.score", others[1] if len(others) > 1 else people)
    metric = file("metric.csv", others[0] if others else people)
    for name in _NAMES:
        with suppress(InputError):
            result = tg.agree(file(name, people), {"m": metric, "n": file(f"again-{name}", people)}, resamples=9)
            values = np.array(
                [[one.value, one.standard_error, one.interval.low, one.interval.high] for one in result.agreement]
            )
            if not np.isfinite(values).all() or (abs(values[:, 0]) > 1.0).any():
                raise AssertionError(f"agreements are {values}")
            if not all(0.0 <= one.p <= one.p_adjusted <= 1.0 for one in result.pairs):
                raise AssertionError("p-values are none")
