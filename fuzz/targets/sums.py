"""Files of sums: what is read is merged, and shown."""

from __future__ import annotations

import hashlib
import json
import random
import struct
from contextlib import suppress

from fuzz.held import file
from fuzz.targets.results import changed as changed_json
from truegain.errors import InputError
from truegain.streaming.sums import MAGIC, to_bytes
from truegain.streaming.sums_file import read_sums
from truegain.studies.merge.study import merge

LONGEST = 200_000
_DIGEST = 16
_START = len(MAGIC) + 8


def check(data: bytes) -> None:
    """Read sums, write them again, and merge them."""
    with suppress(InputError):
        sums = read_sums(file("fuzzed.sums", data))
        to_bytes(sums)
        merge(sums).render("terminal")


def changed(data: bytes, generator: random.Random) -> bytes | None:
    """Return the same with some values and numbers changed, under a checksum that fits; None if it is no such file."""
    body = data[:-_DIGEST]
    if not data.startswith(MAGIC) or len(body) < _START:
        return None
    (length,) = struct.unpack_from("<Q", body, len(MAGIC))
    header, numbers = body[_START : _START + length], bytearray(body[_START + length :])
    if generator.random() < 0.6:
        other = changed_json(header, generator)
        if other is None:
            return None
        header = json.dumps(json.loads(other)).encode()
    for _ in range(generator.choice((0, 1, 1, 3))):
        if len(numbers) >= 8:
            place = 8 * generator.randrange(len(numbers) // 8)
            value = generator.choice((0, 1, -1, 2**62, -(2**63), 2**63 - 1, generator.randrange(-(10**6), 10**6)))
            struct.pack_into("<q", numbers, place, value)
    whole = MAGIC + struct.pack("<Q", len(header)) + header + bytes(numbers)
    return whole + hashlib.blake2b(whole, digest_size=_DIGEST).digest()
