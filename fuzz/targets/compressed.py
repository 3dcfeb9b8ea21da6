"""Compressed files: gz, bz2, xz and zst, whatever they say they hold."""

from __future__ import annotations

from contextlib import suppress

from fuzz.held import file
from truegain.errors import InputError
from truegain.readers.plain import read_bytes

WORDS = [b"\x1f\x8b\x08", b"BZh9", b"1AY&SY", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd", b"\x50\x2a\x4d\x18"]
LIMIT = 1 << 20


def check(data: bytes) -> None:
    """No more than the limit comes out of any of them."""
    for ending in (".gz", ".bz2", ".xz", ".zst"):
        with suppress(InputError):
            held = read_bytes(file(f"fuzzed.txt{ending}", data), limit=LIMIT)
            if len(held) > LIMIT:
                raise AssertionError(f"{len(held)} bytes where {LIMIT} are allowed")
