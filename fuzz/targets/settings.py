"""Metrics with their settings, as they are written on a command line."""

from __future__ import annotations

from contextlib import suppress

from fuzz.scored import score
from truegain.errors import InputError
from truegain.metrics.lookup import make_metric
from truegain.options import split_specification
from truegain.registry import METRICS, OF_SCORES

WORDS = [
    *(name.encode() + b":" for name in METRICS),
    *(b"tokenize=", b"lowercase=true", b"smooth_method=", b"smooth_value=", b"max_ngram_order=", b"char_order="),
    *(b"word_order=", b"beta=", b"n=", b"measure=", b"alpha=", b"normalize=", b"reference_base=", b"case="),
    *(b"nan", b"inf", b"-1", b"1e400", b"0", b"9" * 20, b"13a", b"intl", b"char", b"zh", b"none", b",", b"precision"),
]
LONGEST = 200
_OUTPUTS = ["the cat sat on the mat", "", "a b c"]
_REFERENCES = [["the cat is on the mat", "x", "a b c"]]


def check(data: bytes) -> None:
    """Check that a metric that can be made can score."""
    specification = data.decode("utf-8", "replace")
    with suppress(InputError):
        if split_specification(specification)[0] in OF_SCORES:  # it has columns of numbers, and no texts
            make_metric(specification).signature(1)
        else:
            score(specification, _OUTPUTS, _REFERENCES)
