"""Groups of segments: by domain, document, length or a column of labels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from truegain.corpus import Corpus
from truegain.errors import FILE, InputError, Setting, one_of
from truegain.words import listing

#: What segments can be grouped by, besides columns.
GROUPINGS = ("domain", "document", "length")

_PARTS = 4  # groups by length
_NAMED = 6  # more groups than these are counted, not named


def group_noun(by: str) -> str:
    """Return what a group is called."""
    return "range of length" if by == "length" else by if by in GROUPINGS else "group"


def group_nouns(by: str) -> str:
    """Return what groups are called: ``domains``, ``categories``; ``groups by year_2`` if a column is no plain noun."""
    if by == "length":
        return "ranges of length"
    if not (by.isalpha() and by.islower()) or by.endswith(("s", "x", "z", "ch", "sh")):
        return f"groups by {by}"
    return f"{by[:-1]}ies" if by.endswith("y") and by[-2:-1] not in tuple("aeiou") else f"{by}s"


def named_groups(by: str, names: Sequence[str]) -> str:
    """Name groups, or say how many there are."""
    return listing(list(names)) if len(names) <= _NAMED else f"{len(names)} {group_nouns(by)}"


def check_grouping(corpus: Corpus, by: str, unit: str) -> None:
    """Refuse groups that there are none of, and units that are not within groups."""
    if by not in GROUPINGS and by not in corpus.labels:
        raise one_of("by", by, [*GROUPINGS, *corpus.labels])
    if unit in ("block", "domain", "testset") or (by == "document" and unit == "document"):
        raise InputError(
            (
                f"units must lie within groups, and the groups are {group_nouns(by)}: ",
                Setting("unit", unit),
                " does not go",
            ),
            hint=("leave out ", Setting("unit"), "; segments are the units within documents"),
        )


def unit_within(by: str, unit: str) -> str:
    """Return the unit within groups: segments within documents, else that which was asked for."""
    return "segment" if by == "document" else unit


def group_rows(corpus: Corpus, by: str) -> dict[str, list[int]]:
    """Return the segments of each group, in the order of first appearance, or of length."""
    known = _labels(corpus, by)
    if known is None:
        missing = "references" if by == "length" else f"{by}s"
        beside = (", or with their documents, as in LP.docs: ", Setting("documents", FILE)) if by == "domain" else ()
        raise InputError(f"groups by {by} need {missing}", hint=("give them: ", Setting(missing, FILE), *beside))
    rows: dict[str, list[int]] = {}
    for i, name in enumerate(known):
        if name is None:
            raise InputError(f"segment {i + 1:,} has nothing in the column {by!r}", hint="every segment needs a group")
        rows.setdefault(name, []).append(i)
    if len(rows) < 2:
        raise InputError(
            f"all segments are in one group by {by}: {next(iter(rows))}", hint=("leave out ", Setting("by"))
        )
    return {name: rows[name] for name in _ranges(corpus) if name in rows} if by == "length" else rows


def _labels(corpus: Corpus, by: str) -> Sequence[str | None] | None:
    """Return the group of each segment; None if it is not known."""
    if by == "length":
        return _lengths(corpus)
    own = {"domain": corpus.domains, "document": corpus.documents}.get(by)
    return corpus.labels.get(by) if own is None else own


def _words(corpus: Corpus) -> NDArray[np.int64]:
    """Return the number of words of the first reference of each segment."""
    lines = zip(*corpus.references, strict=True)
    return np.array([len(next((one for one in own if one is not None), "").split()) for own in lines])


def _edges(words: NDArray[np.int64]) -> list[int]:
    """Return the longest segment of each quarter; fewer if quarters end at one length."""
    ends = np.quantile(words, [k / _PARTS for k in range(1, _PARTS + 1)], method="inverted_cdf")
    return sorted({int(end) for end in ends})


def _ranges(corpus: Corpus) -> list[str]:
    words = _words(corpus)
    edges = _edges(words)
    starts = [int(words.min()), *(edge + 1 for edge in edges[:-1])]
    return [f"{low} words" if low == high else f"{low}–{high} words" for low, high in zip(starts, edges, strict=True)]


def _lengths(corpus: Corpus) -> list[str] | None:
    if not corpus.references:
        return None
    words, names = _words(corpus), _ranges(corpus)
    return [names[place] for place in np.searchsorted(_edges(words), words).tolist()]
