"""Two columns without a header: which holds documents, and which domains."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, pairwise

from truegain.errors import NAME, InputError, Setting

#: The most values of a first column that are taken for domains.
MOST_DOMAINS = 20


def document_column(rows: Sequence[tuple[int, list[str]]], name: str) -> int:
    """Return the position of the column of documents, 0 or 1; the other one holds what documents belong to.

    The second of ``domain⇥document``, as mt-metrics-eval writes it: a few values, each with several of the second
    column. The first of ``document⇥…``: each of its values has one value of the second column. Either way some document
    has several segments.

    Parameters
    ----------
    rows : sequence of (int, list of str)
        Line numbers and fields.
    name : str
        The file.

    Raises
    ------
    InputError
        If there are more than two columns, or their values fit neither.
    """
    hint = (
        "name the columns in a first line, for example domain and docid; ",
        Setting("document_column", NAME),
        " takes a column of another name",
    )
    widths = {len(fields): number for number, fields in reversed(rows)}
    if set(widths) != {2}:
        told = " or ".join(f"{width} columns (line {number:,})" for width, number in sorted(widths.items()))
        raise InputError(f"which column holds the documents? There are {told}, without names", path=name, hint=hint)
    first, second = ([fields[place].strip() for _, fields in rows] for place in (0, 1))
    inside: dict[str, set[str]] = {}
    for one, other in zip(first, second, strict=True):
        inside.setdefault(other, set()).add(one)
    firsts, seconds, pairs = len(set(first)), len(inside), sum(map(len, inside.values()))
    twice = [one for one, own in inside.items() if len(own) > 1]
    # Numbers that begin again in every value of the first column count something inside a document.
    names = 2 * len(twice) < seconds and not any(one.isdecimal() for one in twice)
    if firsts < seconds and pairs < len(rows) and firsts <= MOST_DOMAINS and names:
        return 1
    if seconds <= firsts == pairs < len(rows):
        return 0
    raise InputError(
        f"which of its two columns holds the documents? The first has {firsts:,} different values and the second "
        f"{seconds:,}, on {len(rows):,} lines",
        path=name,
        hint=hint,
    )


def told_apart(documents: Sequence[str], domains: Sequence[str]) -> list[str]:
    """Give documents of one name in several domains names of their own.

    A document whose lines go on from one domain into the next stays one.
    """
    runs = [pair for pair, _ in groupby(zip(documents, domains, strict=True))]
    going_on = {one for (one, _), (other, _) in pairwise(runs) if one == other}
    inside: dict[str, set[str]] = {}
    for document, domain in runs:
        inside.setdefault(document, set()).add(domain)
    twice = {document for document, own in inside.items() if len(own) > 1} - going_on
    return [
        f"{domain}/{document}" if document in twice else document
        for document, domain in zip(documents, domains, strict=True)
    ]
