"""Files kept between calls, under a checksum that fits: entries of the cache, stored scores, tuned weights."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import numpy as np

from fuzz.held import file, folder
from truegain.cache import _MAGIC, Cache, _checksum, key_of
from truegain.errors import InputError
from truegain.statistics import scored_once
from truegain.studies.tune import _kept

WORDS = [
    *(b"<i4", b"<i8", b"<f8", b"\0" * 8, b"\1" + b"\0" * 7, b"\2" + b"\0" * 7, b"\3" + b"\0" * 7),
    *(b"\0\0\0\0\0\0\xf0\x7f", b"\xff" * 8, b'{"signature": "s", "inputs": "i", "features": ["a", "b"], "weights": '),
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
