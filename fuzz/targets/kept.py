"""Entries of the cache and parts of a resampling, under a checksum that fits: finite numbers, or none."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from pathlib import Path

import numpy as np

from fuzz.held import file, folder
from truegain.cache import Cache
from truegain.engines.part_files import MAGIC, read_part
from truegain.errors import InputError

WORDS = [
    *(b"<i4", b"<i8", b"<f8", b"\0" * 8, b"\1" + b"\0" * 7, b"\2" + b"\0" * 7, b"\0\0\0\0\0\0\xf0\x7f", b"\xff" * 8),
    *(b'{"version":"1","part":1,"parts":1,"command":"","calls":[', b'"kind":"count","resamples":1,"arrays":[["<i8",'),
]
_ENTRY = b"truegain-statistics-3\n"


def check(data: bytes) -> None:
    """Read the same bytes as an entry, and as a part."""
    sealed = _ENTRY + hashlib.blake2b(b"key\n" + data, digest_size=16).digest() + data
    file("key.statistics", sealed)
    found = Cache(Path(folder())).get("key")
    if found is not None and not np.isfinite(found).all():
        raise AssertionError(f"an entry holds {found}")
    content = MAGIC + data
    with suppress(InputError):
        part = read_part(file("fuzzed.part", content + hashlib.blake2b(content, digest_size=32).digest()))
        for call in part.calls.values():
            for array in call.arrays:
                if np.isinf(array).any() or (array.dtype.kind == "i" and (array < 0).any()):
                    raise AssertionError(f"a part holds {array}")
