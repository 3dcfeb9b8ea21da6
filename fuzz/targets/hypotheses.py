"""Lists of hypotheses with features, read as lists and as JSON lines, and tuned on."""

from __future__ import annotations

from contextlib import suppress

import numpy as np

import truegain as tg
from fuzz.held import file
from truegain.errors import InputError
from truegain.readers.hypotheses import Hypotheses, read_hypotheses

WORDS = [
    *(b"0 ||| ", b" ||| ", b"|||", b"1||| x ||| lm= -1 ||| -0.5\n", b"lm= ", b"tm= 1 2", b"F0: ", b"nan", b"1e308"),
    *(b"-1e308", b"5e-324", b"1e999", b"9" * 20, b'{"id":', b'"text":', b'"features":', b'"total":', b"{}", b"\n"),
]
REFERENCES = ["the cat sat", "a dog", "", "it was 1,000.5 old"]


def check(data: bytes) -> None:
    """Read the same in any order of lines, and choose outputs of finite score."""
    for name in ("fuzzed.nbest", "fuzzed.jsonl"):
        path = file(name, data)
        for segments in (None, len(REFERENCES)):
            with suppress(InputError):
                found = read_hypotheses([path], segments)
                _check(found, segments)
                turned = file(f"turned-{name}", b"\n".join([*data.removesuffix(b"\n").split(b"\n")[::-1], b""]))
                with suppress(InputError):  # the features of the first line are asked of the others
                    _check_same(found, read_hypotheses([turned], segments, found.features))
        for optimizer in ("mert", "pro", "mira"):
            with suppress(InputError):
                more = {"restarts": 1} if optimizer == "mert" else {}
                result = tg.tune(REFERENCES, path, optimizer=optimizer, runs=1, jobs=1, **more)  # type: ignore[arg-type]
                if not all(np.isfinite(one) for run in result.runs for one in (*run.weights, run.scores[0] or 0.0)):
                    raise AssertionError("weights or scores are not finite")


def _check(found: Hypotheses, segments: int | None) -> None:
    if found.values.shape != (len(found.texts), len(found.features)) or not np.isfinite(found.values).all():
        raise AssertionError("values are not as many as hypotheses and features, or not finite")
    if found.edges[-1] != len(found.texts) or (np.diff(found.edges) < 0).any():
        raise AssertionError("lists are not of these hypotheses")
    if segments is not None and len(found.edges) != segments + 1:
        raise AssertionError("lists are not as many as segments")


def _check_same(one: Hypotheses, other: Hypotheses) -> None:
    same = one.texts == other.texts and np.array_equal(one.edges, other.edges)
    if not same or not np.array_equal(one.values, other.values):
        raise AssertionError("the order of lines matters")
