"""Characters that Unicode writes in several ways, é as one character or as two: which texts differ in that alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from unicodedata import is_normalized, normalize

import numpy as np
from numpy.typing import NDArray

#: Characters of which no text can be anything but composed: most of Latin, Cyrillic, Han, Kana and Hangul, and marks of
#: punctuation. That is looked up for many lines at once; only texts with others are looked at line by line.
SAFE_RANGES = (
    (0x0000, 0x0300),
    (0x0400, 0x0483),
    (0x2010, 0x2060),
    (0x20A0, 0x20C0),
    (0x3001, 0x302A),
    (0x3041, 0x3099),
    (0x309B, 0x3130),
    (0x3400, 0xA000),
    (0xAC00, 0xD7A4),
    (0xFF01, 0xFF61),
)
_LINES = 64  # looked up at once


@cache
def _safe() -> NDArray[np.bool_]:
    table = np.zeros(0x10000, bool)
    for first, last in SAFE_RANGES:
        table[first:last] = True
    return table


def _is_safe(text: str) -> bool:
    if text.isascii():
        return True
    units = np.frombuffer(text.encode("utf-16-le", "surrogatepass"), "<u2")
    # Nearly all of Latin is far faster to tell than what has to be looked up.
    return bool(units.max() < SAFE_RANGES[0][1] or _safe().take(units).all())


def not_composed(lines: Sequence[str | None]) -> list[int]:
    """Return which lines are not in normal form C, from 0."""
    suspects = [(i, line) for i, line in enumerate(lines) if line is not None and not line.isascii()]
    if _is_safe("".join(line for _, line in suspects)):
        return []
    found: list[int] = []
    for first in range(0, len(suspects), _LINES):
        part = suspects[first : first + _LINES]
        if not _is_safe("".join(line for _, line in part)):
            found += [i for i, line in part if not is_normalized("NFC", line)]
    return found


def differing_forms(lines: Sequence[str | None], others: Sequence[str | None], suspects: Iterable[int]) -> int:
    """Count the lines in which two texts write the same character in two ways, so that it does not match.

    Parameters
    ----------
    lines, others : sequences of str or None
        Outputs and a reference, say, as many of both.
    suspects : iterable of int
        The lines that are not in normal form C in one of the two, from :func:`not_composed`; no others can count.
    """
    return sum(_differ(lines[number] or "", others[number] or "") for number in set(suspects))


def _differ(text: str, other: str) -> bool:
    mine, theirs = set(text), set(other)
    return bool((set(normalize("NFC", text)) - mine) & theirs or (set(normalize("NFC", other)) - theirs) & mine)


def name_key(name: str) -> str:
    """Return what two names share that look the same, white space around and between words ignored."""
    return " ".join(normalize("NFC", name).split())
