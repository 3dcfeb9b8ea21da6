"""Stored results with every value at its bounds: refused with the place, or shown in every format."""

from __future__ import annotations

import copy
import itertools
import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import pytest

from tests.studies.test_stored import MAKERS, data_of, ways
from truegain.errors import InputError
from truegain.report import FORMATS
from truegain.studies.stored import parse

NUMBERS: tuple[Any, ...] = (0, 1, -1, 2, 2**53 - 1, 2**53, 2**63, 2**64 - 1, 1e308, -1e308, 5e-324, 0.5, -0.5, None)
TEXTS = ("", "x", "a\nb\x00\x1b[1m", "y" * 300, "\ud800", None, 3)
TOGETHER = 16  # changes in one result
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


Change = Callable[[Any], Any]


def new_kinds(name: str) -> dict[str, list[tuple[Any, ...]]]:
    """Return the places of a result that no result before it of the same study has: those are tried there."""
    known = {kind for one in before(name) for kind in ways(one)}
    return {kind: places for kind, places in ways(name).items() if kind not in known}


def before(name: str) -> Iterator[str]:
    for one in itertools.takewhile(lambda one: one != name, MAKERS):
        if data_of(one)["study"] == data_of(name)["study"]:
            yield one


def changes(name: str) -> Iterator[tuple[str, Change]]:
    """One value changed, or left out; or all values of a kind at once."""
    base = data_of(name)
    for kind, places in new_kinds(name).items():
        for way in dict.fromkeys((places[0], places[-1])):
            for value in others(at(base, way)):
                yield f"{way} = {value!r}", partial(put, places=[way], value=value)
            yield f"{way} left out", partial(left_out, way=way)
        for value in (0, 1, 1e308, -1e308, 5e-324) if isinstance(at(base, places[0]), float) else ():
            yield f"all {kind} = {value!r}", partial(put, places=places, value=value)


def left_out(data: Any, way: tuple[Any, ...]) -> Any:
    holder = copy.copy(at(data, way[:-1]))
    del holder[way[-1]]
    return put(data, [way[:-1]], holder)


def show(changed: Any) -> None:
    """Show a result in every format that is not made of another, and read what was written."""
    result = parse(changed)
    for format in FORMATS:
        if format not in ("html", "terminal", "tsv", "json"):  # their text is made of what the others are
            result.render(format)
    written = result.render("json")
    assert parse(json.loads(written)).render("json") == written


def show_together(base: Any, several: Sequence[tuple[str, Change]]) -> None:
    """Show changes that are accepted alone in one result, which is as much work as one; alone if they do not fit."""
    together = base
    try:
        for _, change in several:
            together = change(together)
        parse(together)
    except (InputError, LookupError, TypeError):  # what one changes, another needs
        if len(several) > 1:
            half = len(several) // 2
            show_together(base, several[:half])
            show_together(base, several[half:])
            return
    try:
        show(together)
    except Exception as error:
        raise AssertionError(" and ".join(what for what, _ in several)) from error


@pytest.mark.slow
@pytest.mark.parametrize("name", MAKERS)
def test_every_value_at_its_bounds(name: str) -> None:
    base = data_of(name)
    accepted = []
    for what, change in changes(name):
        try:
            parse(change(base))
        except InputError:
            continue
        accepted.append((what, change))
    # Neighbours are changes of one value: those that are far apart fit together.
    apart = -(-len(accepted) // TOGETHER)
    for first in range(apart):
        show_together(base, accepted[first::apart])


@pytest.mark.whole
def test_each_kind_of_place_is_tried_once() -> None:
    """No place of any result is left out."""
    tried: dict[str, set[str]] = {}
    for name in MAKERS:
        own = tried.setdefault(data_of(name)["study"], set())
        assert not own & new_kinds(name).keys()
        own.update(new_kinds(name))
        assert ways(name).keys() <= own
