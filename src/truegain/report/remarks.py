"""Remarks on files: what is said of many of them is said once."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from truegain.errors import WARNING

__all__ = ["gathered"]

_MANY = 3  # files of which a remark is made one by one
_NUMBER = re.compile(r"\d+(?:[,.]\d+)*")
_MORE = re.compile(r"; and so of (?P<count>[\d,]+) more files?$")


def gathered(texts: Sequence[str], files: Collection[str]) -> list[str]:
    """Return the remarks in order; of a kind that more than three files have, the first, and how many more there are.

    Remarks are of one kind if they differ by the file they begin with, ``FILE: …`` or ``Warning: FILE: …``, and by
    numbers alone.

    Parameters
    ----------
    texts : sequence of str
        Gathered ones among them count for all their files.
    files : collection of str
        The names that a remark may begin with.
    """
    names = set(files)
    kinds: dict[str, list[str]] = {}
    for text in texts:
        kinds.setdefault(_kind(text, names) or text, []).append(text)
    found = []
    for kind, same in kinds.items():
        distinct = list(dict.fromkeys(same))
        counts = [_count(text) for text in distinct]
        if kind in distinct or (len(distinct) <= _MANY and max(counts) == 1):
            found += distinct
        else:
            more = sum(counts) - 1
            found.append(f"{_MORE.sub('', distinct[0])}; and so of {more:,} more file{'' if more == 1 else 's'}")
    return found


def _kind(text: str, files: Collection[str]) -> str | None:
    """Return what a remark on a file says whatever the file; None if it is about something else."""
    start = len(WARNING) if text.startswith(WARNING) else 0
    for place in (match.start() for match in re.finditer(": ", text)):
        if text[start:place] in files:
            plain = _NUMBER.sub("#", _MORE.sub("", text[place:]))
            return text[:start] + "FILE" + re.sub(r"#(, [#…])+", "#", plain)
    return None


def _count(text: str) -> int:
    more = _MORE.search(text)
    return 1 if more is None else 1 + int(more["count"].replace(",", ""))
