"""Files kept between calls, under a checksum that fits: entries of the cache, stored scores, parts, tuned weights."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from pathlib import Path

import numpy as np

from fuzz.held import file, folder
from truegain.cache import _MAGIC, Cache, _checksum, key_of
from truegain.engines.part_files import MAGIC, read_part
from truegain.errors import InputError
from truegain.statistics import scored_once
from truegain.studies.tune.study import _kept

WORDS = [
    *(b"<i4", b"<i8", b"<f8", b"\0" * 8, b"\1" + b"\0" * 7, b"\2" + b"\0" * 7, b"\3" + b"\0" * 7),
    *(b"\0\0\0\0\0\0\xf0\x7f", b"\xff" * 8, b'{"signature": "s", "inputs": "i", "features": ["a", "b"], "weights": '),
    *(b'{"version":"1","part":1,"parts":1,"command":"","calls":[', b'"kind":"count","resamples":1,"arrays":[["<i8",'),
]
_SCORER = "a scorer"
_MARK = {"signature": "s", "inputs": "i", "features": ["a", "b"]}


def entry(key: str, body: bytes) -> bytes:
    """Return an entry of the cache that holds these bytes."""
    return _MAGIC + _checksum(key, body) + body


def check(data: bytes) -> None:
    """Read the same bytes as each of them: finite numbers, or none."""
    file("key.statistics", entry("key", data))
    found = Cache(Path(folder())).get("key")
    if found is not None and not np.isfinite(found).all():
        raise AssertionError(f"an entry holds {found}")
    stored = key_of("segment scores", _SCORER)
    file(f"{stored}.statistics", entry(stored, data))
    scored_once._known.clear()
    scores = scored_once.SegmentScores(Cache(Path(folder())), _SCORER).scores
    if not all(len(digest) == 16 and np.isfinite(score) for digest, score in scores.items()):
        raise AssertionError(f"stored scores are {scores}")
    file("weights.run01.json", data)
    with suppress(InputError):
        weights = _kept(Path(folder()), 1, _MARK)
        if weights is None or not np.isfinite(weights).all() or weights.shape != (2,):
            raise AssertionError(f"weights are {weights}")
    content = MAGIC + data
    with suppress(InputError):
        part = read_part(file("fuzzed.part", content + hashlib.blake2b(content, digest_size=32).digest()))
        for call in part.calls.values():
            for array in call.arrays:
                if np.isinf(array).any() or (array.dtype.kind == "i" and (array < 0).any()):
                    raise AssertionError(f"a part holds {array}")
