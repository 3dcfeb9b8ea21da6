"""Characters that Unicode writes in several ways, é as one character or as two: which texts differ in that alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from unicodedata import is_normalized, normalize

__all__ = ["differing_forms", "name_key", "not_composed"]


def not_composed(lines: Sequence[str | None]) -> list[int]:
    """Return which lines are not in normal form C, from 0."""
    return [
        number
        for number, line in enumerate(lines)
        if line is not None and not line.isascii() and not is_normalized("NFC", line)
    ]


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
    """Return what two names share that look the same: white space around and between words sets nothing apart."""
    return " ".join(normalize("NFC", name).split())
