"""Sequences that Python programs give: one value per segment, in one order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set, ValuesView
from typing import Any

import numpy as np

from truegain.errors import InputError, excerpt
from truegain.readers.cells import is_empty, label_text
from truegain.readers.frames import has_ids, is_frame


def in_order(given: Any, name: str) -> list[Any]:
    """Return the values of a sequence.

    Raises
    ------
    InputError
        If it is something else, or an iterator that was read before.
    """
    check_ordered(given, name)
    found = list(given)
    if not found and isinstance(given, Iterator):
        raise InputError(
            f"{name}: the {type(given).__name__} has nothing left; it can be read only once",
            hint=f"give a list, or make the {type(given).__name__} again",
        )
    return found


def check_ordered(given: Any, name: str) -> None:
    """Refuse what is no sequence, or has no order by which segments could be paired."""
    kind = type(given).__name__
    if isinstance(given, Set | ValuesView):
        raise InputError(
            f"{name} is a {kind}, and segments are paired by their order",
            hint="give a list in the order of the segments",
        )
    if isinstance(given, Mapping):
        raise InputError(
            f"{name} is a {kind}; one value per segment was expected, in their order",
            hint="give a list: [values[one] for one in ids], with the same ids for every input",
        )
    if is_frame(given):
        raise InputError(f"{name} is a data frame; a sequence was expected", hint="give one of its columns")
    if isinstance(given, np.ndarray) and given.ndim == 0:
        raise InputError(f"{name} is one value; a sequence was expected, one value per segment", hint="give a list")
    if isinstance(given, bytes) or not isinstance(given, Iterable):
        raise InputError(f"{name} is {kind}; a sequence was expected, one value per segment", hint="give a list")


def check_indexes(given: Mapping[str, Any]) -> None:
    """Refuse series of pandas whose labels are not the same in the same order: segments are paired by position.

    Parameters
    ----------
    given : mapping of str to object
        Arguments by name; mappings and lists are searched for series. Others are paired by position.
    """
    labelled = [found for name, one in given.items() for found in _labelled(name, one)]
    for name, one in labelled[1:]:
        first, (index, other) = labelled[0][0], (_index(own) for own in (labelled[0][1], one))
        if len(index) != len(other) or index.equals(other):
            continue  # those of other lengths are refused as such
        labels = set(index)
        if len(labels) == len(index) and labels == set(other):
            raise InputError(
                f"{name} has the labels of {first} in another order, and segments are paired by position",
                hint=f"to pair by label, give {name}.loc[{first}.index]; by position, .to_numpy() of both",
            )
        raise InputError(
            f"the index of {name} has other labels than that of {first}: which rows belong together?",
            hint="give both the ids of segments as their index; or .to_numpy() of both, to pair by position",
        )


def _labelled(name: str, given: Any) -> Iterator[tuple[str, Any]]:
    """Yield the series that have labels, each by the expression that it is in Python."""
    if _index(given) is not None:
        if not (is_frame(given) and has_ids(given)):
            yield name, given
    elif isinstance(given, Mapping):
        for key, one in given.items():
            yield from _labelled(f"{name}[{key!r}]", one)
    elif isinstance(given, list | tuple) and not (given and isinstance(given[0], str | int | float)):
        for place, one in enumerate(given):
            yield from _labelled(f"{name}[{place}]", one)


def _index(value: Any) -> Any:
    """Return the labels of a series of pandas; None for what has none."""
    index = getattr(value, "index", None)
    return index if callable(getattr(index, "equals", None)) else None


def label_stream(given: Iterable[Any], what: str) -> Iterator[str]:
    """Yield names of documents or domains as texts.

    Raises
    ------
    InputError
        If one is missing, or they are of several types: 1 and "1" would be the same, or True and 1.
    """
    first: tuple[str, Any] | None = None
    for number, one in enumerate(given, 1):
        if is_empty(one):
            raise InputError(f"there is no {what} for segment {number:,}: {one!r}", hint="every segment needs one")
        kind = _kind(one)
        first = first or (kind, one)
        if kind != first[0]:
            raise InputError(
                f"the {what} of segment 1 is {excerpt(str(first[1]))}, {first[0]}, and that of segment {number:,} is "
                f"{excerpt(str(one))}, {kind}",
                hint="give all as text: [str(one) for one in …], if equal texts mean the same",
            )
        yield label_text(one)


def _kind(value: Any) -> str:
    if isinstance(value, str):
        return "a text"
    if isinstance(value, bool | np.bool_):
        return "a truth value"
    return "a number" if isinstance(value, int | float | np.number) else f"a {type(value).__name__}"
