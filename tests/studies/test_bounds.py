"""Stored results with every value at its bounds: refused with the place, or shown in every format."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.studies.test_stored import MAKERS, data_of, ways
from truegain.errors import InputError
from truegain.report import FORMATS
from truegain.studies.stored import parse

NUMBERS: tuple[Any, ...] = (0, 1, -1, 2, 2**53 - 1, 2**53, 2**63, 2**64 - 1, 1e308, -1e308, 5e-324, 0.5, -0.5, None)
TEXTS = ("", "x", "a\nb\x00\x1b[1m", "y" * 300, "\ud800", None, 3)
LISTS: tuple[Any, ...] = ([], [0, 0], [1, 0], [1e308, -1e308], [-1e308, 1e308], None)


def at(data: Any, way: tuple[Any, ...]) -> Any:
    for step in way:
        data = data[step]
    return data


def put(data: Any, places: list[tuple[Any, ...]], value: Any) -> Any:
    """Return data with another value in these places; what is not on the way to them is shared."""
    for way in places:
        data = put_at(data, way, value)
    return data


def put_at(data: Any, way: tuple[Any, ...], value: Any) -> Any:
    if not way:
        return copy.deepcopy(value)
    changed = copy.copy(data)
    changed[way[0]] = put_at(data[way[0]], way[1:], value)
    return changed


def others(value: Any) -> Iterator[Any]:
    """What a value may be changed to."""
    if isinstance(value, bool):
        yield from (not value, None)
    elif isinstance(value, int | float):
        yield from (*NUMBERS, value + 1, -value, 2 * value)
    elif isinstance(value, str):
        yield from TEXTS
    elif isinstance(value, list):
        yield from (*LISTS, value[::-1], value[:-1], value + value[-1:], value * 2)
        if value and all(isinstance(number, int | float) for number in value):
            yield from ([number] * len(value) for number in (0, 1, -1, 1e308, -1e308, 5e-324))
    elif value is None:
        yield from (*NUMBERS, *TEXTS, *LISTS)
    else:
        yield from ({}, None)


def changes(name: str) -> Iterator[tuple[str, Any]]:
    """One value changed, or left out; or all values of a kind at once."""
    base = data_of(name)
    for kind, places in ways(name).items():
        for way in dict.fromkeys((places[0], places[-1])):
            for value in others(at(base, way)):
                yield f"{way} = {value!r}", put(base, [way], value)
            holder = copy.copy(at(base, way[:-1]))
            del holder[way[-1]]
            without = put(base, [way[:-1]], holder)
            yield f"{way} left out", without
        for value in (0, 1, 1e308, -1e308, 5e-324) if isinstance(at(base, places[0]), float) else ():
            yield f"all {kind} = {value!r}", put(base, places, value)


@pytest.mark.slow
@pytest.mark.parametrize("name", MAKERS)
def test_every_value_at_its_bounds(name: str) -> None:
    for what, changed in changes(name):
        try:
            result = parse(changed)
        except InputError:
            continue
        try:
            for format in FORMATS:
                if format not in ("html", "terminal", "tsv", "json"):  # their text is made of what the others are
                    result.render(format)
            written = result.render("json")
            assert parse(json.loads(written)).render("json") == written
        except Exception as error:
            raise AssertionError(what) from error
