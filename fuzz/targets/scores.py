"""Segment scores: numbers, tables, JSON of several kinds, sample logs of the LM Evaluation Harness."""

from __future__ import annotations

from contextlib import suppress

import numpy as np

from fuzz.held import file
from truegain.errors import InputError
from truegain.readers.any_format import read_scores
from truegain.readers.corpora import read_corpus

WORDS = [
    *(b'{"doc_id":', b'"filtered_resps":', b'"filter":', b'"metrics":', b'"target":', b'"acc":', b'"doc_hash":'),
    *(
        b"[true,false]",
        b"NaN",
        b"Infinity",
        b"1e999",
        b"1_000",
        b"null",
        b'"id":',
        b'"score":',
        b"\t",
        b"9" * 20,
        b",",
        b'"',
        b"None",
        b"annotator",
        b",TGT,",
        b'"human1":',
        b'"esa_score":',
    ),
]


def check(data: bytes) -> None:
    """Tables of finite numbers, and systems of them."""
    for name in ("fuzzed.jsonl", "fuzzed.json", "fuzzed.csv"):
        _check(file(name, data))


def _check(path: str) -> None:
    with suppress(InputError):
        for table in read_scores(path):
            for column, values in table.columns.items():
                if not np.isfinite(values[~np.isnan(values)]).all():
                    raise AssertionError(f"{column} is not finite")
                if table.ids is not None and len(table.ids) != len(values):
                    raise AssertionError("scores and ids are not as many")
    for systems in ([path, f"again={path}"], [path]):
        with suppress(InputError):
            for system in read_corpus(systems, outputs_are_scores=True).systems:
                if not all(np.isfinite(own).all() for run in system.runs for own in run.scores.values()):
                    raise AssertionError(f"{system.name} has scores that are not finite")
