"""File names cut at their dots, but not inside a version number: ``Llama-3.1``, ``Qwen2.5-7B``."""

from __future__ import annotations

import re
from collections.abc import Iterable

_MAJOR = re.compile(r"(?<!\d)\d{1,2}\Z")
_MINOR = re.compile(r"\d{1,2}(?!\d)")
_PADDED = re.compile(r"0\d+")
_LOG = re.compile(r"((?:.*/)?samples_.+)_\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?(\.jsonl)")


def padded_numbers(names: Iterable[str]) -> set[tuple[str, int]]:
    """Return what precedes each number padded with zeros, and its width: ``bk29.00`` gives ``bk29`` and 2."""
    found: set[tuple[str, int]] = set()
    for name in names:
        parts = name.split(".")
        for place, part in enumerate(parts):
            if _PADDED.fullmatch(part):
                found.add((".".join(parts[:place]), len(part)))
    return found


def name_pieces(name: str, padded: set[tuple[str, int]]) -> list[str]:
    """Cut a name at its dots; a version number stays whole.

    Parameters
    ----------
    name : str
    padded : set of (str, int)
        Of all names, as :func:`padded_numbers` finds them: ``bk29.10`` next to ``bk29.09`` is cut.
    """
    pieces: list[str] = []
    parts = name.split(".")
    for place, part in enumerate(parts):
        counted = part.isdecimal() and (".".join(parts[:place]), len(part)) in padded
        if pieces and not counted and _MAJOR.search(pieces[-1]) and _MINOR.match(part):
            pieces[-1] += f".{part}"
        else:
            pieces.append(part)
    return pieces


def without_time(path: str) -> str:
    """Return the path of a sample log without the time it was written at, which says nothing about the model."""
    return _LOG.sub(r"\1\2", path)


def by_value(name: str) -> str:
    """Return a name whose numbers have no zeros before them: ``run01`` is ``run1``."""
    return re.sub(r"[0-9]+", lambda number: number[0].lstrip("0") or "0", name)


def natural(name: str) -> list[tuple[int, str]]:
    """Return a key that sorts numbers within names by their value: ``id2`` is before ``id10``."""
    parts = re.split(r"([0-9]{1,18})", name)  # longer ones count as several: none is too long for Python
    return [(int(part), "") if part.isdecimal() and part.isascii() else (-1, part) for part in parts if part]
