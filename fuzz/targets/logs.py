"""Logs: JSON, an object per line, archives of any bytes, and archives that hold any summaries."""

from __future__ import annotations

import io
import zipfile
from contextlib import suppress

import numpy as np

from fuzz.held import file
from truegain.errors import InputError
from truegain.readers.any_format import read_scores

WORDS = [
    *(b'{"id":', b'"epoch":', b'"scores":', b'{"value":', b'"C"', b'"I"', b'"P"', b"null", b"NaN", b"1e999", b"true"),
    *(b'"metadata":', b'"error":', b'"samples":', b'"eval":', b'"status":', b'"config":', b'"epochs_reducer":', b"[]"),
    *(b'"instance_id":', b'"train_trial_index":', b'"stats":', b'"mean":', b'"perturbation":', b'"run_id":'),
    *(b'"sample_id":', b'"type":', b'"data":', b'"correct":', b'"spec":', b'"final_report":', b'"results":'),
    *(b'"version":', b'"promptIdx":', b'"testIdx":', b'"provider":', b'"namedScores":', b'"failureReason":'),
]


def check(data: bytes) -> None:
    """Finite scores, as many as ids, in every form of log."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        archive.writestr("summaries.json", data)
        archive.writestr("header.json", "{}")
    for name, content in (
        ("fuzzed.json", data),
        ("fuzzed.jsonl", data),
        ("fuzzed.eval", data),
        ("packed.eval", held.getvalue()),
    ):
        with suppress(InputError):
            for table in read_scores(file(name, content)):
                for column, values in table.columns.items():
                    if not np.isfinite(values).all():
                        raise AssertionError(f"{column} is not finite")
                    if table.ids is not None and len(table.ids) != len(values):
                        raise AssertionError("scores and ids are not as many")
