"""Content of segments as one number: the same wherever they stand, so that a shard that is given twice is found."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from truegain.errors import InputError, Setting
from truegain.notes import Note

# A polynomial of the hashes of rows: it depends on their order, and those of two ranges that touch can be joined.
_PRIME = (1 << 61) - 1
_TELLING_TEXTS, _TELLING_SCORES = 2, 30  # so many segments are not equal to others by chance
_BASE = 0x0F1D_2C3B_4A59_6877

#: No content is larger.
LARGEST_CONTENT = _PRIME - 1
#: The content of no segment at all.
NOTHING = 0


def row_hashes(rows: Sequence[Sequence[str]]) -> NDArray[np.uint64]:
    """Return a hash of each segment: of its references, its outputs, and its document if there is one."""
    made = bytearray()
    for row in rows:
        made += hashlib.blake2b("\n".join(row).encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return np.frombuffer(made, "<u8").astype(np.uint64)


def numbered(hashes: NDArray[np.uint64], first: int) -> int:
    """Return the sum of hashes of segments and their numbers, modulo 2^64: the same in whatever order they are added.

    Parameters
    ----------
    hashes : array of uint64
    first : int
        The number of the first segment.
    """
    with np.errstate(over="ignore"):
        mixed = hashes ^ (np.arange(first, first + hashes.size, dtype=np.uint64) * np.uint64(0x9E37_79B9_7F4A_7C15))
        for shift, factor in ((30, 0xBF58_476D_1CE4_E5B9), (27, 0x94D0_49BB_1331_11EB)):
            mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
        return int((mixed ^ (mixed >> np.uint64(31))).sum(dtype=np.uint64))


def content_after(content: int, hashes: NDArray[np.uint64]) -> int:
    """Return the content of segments and those that follow them."""
    for one in hashes.tolist():
        content = (content * _BASE + one + 1) % _PRIME
    return content


def joined_content(content: int | None, following: int | None, segments: int) -> int | None:
    """Return the content of a range and of the ``segments`` that follow it; None if one is not known."""
    if content is None or following is None:
        return None
    return (content * pow(_BASE, segments, _PRIME) + following) % _PRIME


class Repeats:
    """Find a shard that was summed twice, under other numbers."""

    def __init__(self) -> None:
        self._small = 0
        self._seen: dict[tuple[int, int], tuple[str, int]] = {}

    def add(self, name: str, ranges: Sequence[tuple[int, int]], contents: Sequence[int | None], *, texts: bool) -> None:
        """Refuse a range of segments whose content a range before had.

        Parameters
        ----------
        name : str
            The file.
        ranges : sequence of (int, int)
        contents : sequence of int or None
        texts : bool
            Whether segments are texts; scores are sooner equal by chance.
        """
        for (first, last), content in zip(ranges, contents, strict=True):
            if content is None:
                continue
            count = last - first
            other, start = self._seen.setdefault((count, content), (name, first))
            if (other, start) == (name, first):
                continue
            if count < (_TELLING_TEXTS if texts else _TELLING_SCORES):
                self._small += 1
                continue
            raise InputError(
                f"segments {first + 1:,} to {last:,} are segments {start + 1:,} to {start + count:,} of {other} again, "
                "line by line, under other numbers",
                path=name,
                hint=(
                    "every segment counts once: was one shard summed twice, with two values of ",
                    Setting("first"),
                    "? If the test set does repeat itself, sum both parts as one shard",
                ),
            )

    def notes(self) -> list[Note]:
        """Say how many shards are equal to others, but so small that this can be chance."""
        if not self._small:
            return []
        what = "1 shard repeats another" if self._small == 1 else f"{self._small:,} shards repeat others"
        text = f"{what} line by line; so small ones can be equal by chance, and all were counted"
        return [Note("repeated-shards", text)]
