"""Plain data as frozen dataclasses: the annotations of the fields say what may be read."""

from __future__ import annotations

import itertools
import math
import types
import typing
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, is_dataclass
from typing import Annotated, Any, Literal

from truegain.errors import InputError
from truegain.fields import Described, fields_of, is_union, shape_of
from truegain.rules import OneOf, Ordered, OrInfinite, OrNaN, Rule, Within

_WHOLE = 2**53  # above it floats skip whole numbers, and so do other readers of JSON; only a rule may allow more
_LARGEST = 1e150  # squares of it are numbers still, and axes can show it; no study takes scores as large
_SHOWN = 40  # characters of what was found


def read(kind: Any, data: Any, place: str = "") -> Any:
    """Return the value that ``write`` made the data of.

    Parameters
    ----------
    kind : type
        A dataclass; numbers, texts, truth values; tuples and unions of these; ``Annotated`` with rules of
        :mod:`truegain.rules`.
    data : plain data
    place : str
        Where the data stand, for messages: ``comparisons[3].ci``.

    Raises
    ------
    InputError
        If the data have another type, or do not fit together.
    """
    return _read(kind, data, _At(place, kind))


@dataclass(frozen=True)
class _At:
    """A place in the data, and what is expected there."""

    place: str
    asked: Any

    def key(self, key: str, kind: Any) -> _At:
        return _At(f"{self.place}.{key}" if self.place else key, kind)

    def number(self, number: int, kind: Any) -> _At:
        return _At(f"{self.place}[{number}]", kind)

    def misfit(self, data: Any) -> InputError:
        return InputError(f"{self.place or 'the file'}: {_words(self.asked)} was expected; found {_found(data)}")


def _read(kind: Any, data: Any, at: _At) -> Any:
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if origin is Annotated:
        return _annotated(parts[0], [one for one in parts[1:] if isinstance(one, Rule)], data, at)
    if is_union(kind):
        return _union(parts, data, at)
    if is_dataclass(kind):
        return _object(kind, data, at)
    if origin is tuple and isinstance(data, list | tuple):
        if parts[-1] is Ellipsis:
            return _list(parts[0], data, at)
        if len(data) == len(parts):
            pairs = enumerate(zip(parts, data, strict=True))
            return tuple(_read(part, one, at.number(i, part)) for i, (part, one) in pairs)
    elif origin is Literal and data in parts:
        return data
    elif kind is float and _is_number(data):
        return float(data)
    elif (kind is int and _is_count(data)) or (kind in (str, bool) and isinstance(data, kind)):
        return data
    raise at.misfit(data)


def _list(kind: Any, data: Sequence[Any], at: _At) -> tuple[Any, ...]:
    # Numbers at once: there may be a million scores of segments.
    numbers = kind in (float, Annotated[float, OrNaN()])
    return tuple(
        one if numbers and type(one) is float and abs(one) <= _LARGEST else _read(kind, one, at.number(i, kind))
        for i, one in enumerate(data)
    )


def _is_number(data: Any) -> bool:
    return (isinstance(data, float) or _is_whole(data)) and abs(data) <= _LARGEST  # NaN is not


def _is_count(data: Any) -> bool:
    return _is_whole(data) and 0 <= data < _WHOLE


def _is_whole(data: Any) -> bool:
    return isinstance(data, int) and not isinstance(data, bool)


def _annotated(kind: Any, rules: Sequence[Rule], data: Any, at: _At) -> Any:
    for rule in rules:
        if isinstance(rule, OrNaN) and (data is None or (isinstance(data, float) and math.isnan(data))):
            return math.nan
        if isinstance(rule, OrInfinite) and (data is None or data == rule.infinity):
            return rule.infinity
    beyond = kind is int and _is_whole(data) and any(_allows_more(rule) for rule in rules)
    value = data if beyond else _read(kind, data, at)
    if not all(rule.holds(value) for rule in rules):
        raise at.misfit(data)
    return value


def _allows_more(rule: Rule) -> bool:
    return isinstance(rule, Within) and _WHOLE <= rule.high < math.inf


def _union(members: Sequence[Any], data: Any, at: _At) -> Any:
    """Read a value or null; or one of several classes, distinguished by their kinds."""
    if data is None and types.NoneType in members:
        return None
    others = [member for member in members if member is not types.NoneType]
    if len(others) == 1:
        return _read(others[0], data, at)
    if not isinstance(data, Mapping):
        raise at.misfit(data)
    kinds = {shape_of(member).kind: member for member in others}
    return _object(kinds[_item(data, "kind", Annotated[str, OneOf(tuple(kinds))], at)], data, at)


def _object(kind: Any, data: Any, at: _At) -> Any:
    if not isinstance(data, Mapping):
        raise at.misfit(data)
    given: dict[str, Any] = {}
    for one in fields_of(kind):
        keys = (one.key,) if one.form is None else tuple(one.form.keys)
        if not one.key or (one.optional and not any(key in data for key in keys)):
            continue
        given[one.name] = _item(data, one.key, one.kind, at) if one.form is None else _formed(one, data, at)
    made = kind(**given)
    faults = shape_of(kind).faults
    if faults is not None:
        for place, wrong in faults(made):
            raise InputError(f"{at.key(place, kind).place}: {wrong}")
    _check_order(made, at)
    return made


def _formed(one: Described, data: Mapping[str, Any], at: _At) -> Any:
    """Return the value of a field that stands under several keys, or under one in another form."""
    assert one.form is not None
    keys = [part.key for part in one.parts]
    values = [_item(data, part.key, part.kind, at) for part in one.parts]
    try:
        if one.nullable and None in values:
            if any(value is not None for value in values):
                raise ValueError(f"{', '.join(keys[:-1])} and {keys[-1]} are null together or not at all")
            return None
        return one.form.make(*values)
    except ValueError as error:
        raise InputError(f"{at.key(keys[0], one.kind).place}: {error}") from None


def _check_order(made: Any, at: _At) -> None:
    """Refuse a low value above a high one, in any class that has both."""
    names = [name for name in ("low", "median", "high") if getattr(made, name, None) is not None]
    for first, second in itertools.pairwise(names):
        low, high = getattr(made, first), getattr(made, second)
        if not Ordered().holds((low, high)):
            place = at.key(second, type(made)).place
            raise InputError(f"{place}: a number from {first} on, {low:g}, was expected; found {high:g}")


def _item(data: Mapping[str, Any], key: str, kind: Any, at: _At) -> Any:
    if key not in data:
        raise InputError(f"{at.key(key, kind).place} is missing; {_words(kind)} was expected")
    return _read(kind, data[key], at.key(key, kind))


_PLAIN_WORDS = {float: "a number", int: "a whole number", str: "a text", bool: "true or false", types.NoneType: "null"}


def _words(kind: Any) -> str:
    """Return what was expected, in words."""
    if typing.get_origin(kind) is Annotated:
        inner, *rules = typing.get_args(kind)
        words = _words(inner)
        for rule in rules:
            words = rule.words(words) if isinstance(rule, Rule) else words
        return words
    if is_union(kind):
        return " or ".join(dict.fromkeys(_words(member) for member in typing.get_args(kind)))
    if typing.get_origin(kind) is tuple:
        parts = typing.get_args(kind)
        return "a list" if parts[-1] is Ellipsis else f"a list of {len(parts)}"
    if typing.get_origin(kind) is Literal:
        return f"one of {', '.join(typing.get_args(kind))}"
    return _PLAIN_WORDS.get(kind, "an object")


def _found(data: Any) -> str:
    """Return what was found, in words."""
    if data is None:
        return "null"
    if isinstance(data, bool):
        return "true" if data else "false"
    if isinstance(data, str):
        return f"the text {data if len(data) <= _SHOWN else data[:_SHOWN] + '…'!r}"
    if isinstance(data, Mapping):
        return "an object"
    if isinstance(data, list | tuple):
        numbers = len(data) == 2 and all(map(_is_number, data))
        return f"[{data[0]}, {data[1]}]" if numbers else f"a list of {len(data)}"
    limit = _WHOLE if isinstance(data, int) else _LARGEST
    return "a number that is too large" if limit <= abs(data) < math.inf else f"the number {data}"
