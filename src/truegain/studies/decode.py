"""Plain data as frozen dataclasses: the types of the fields say what may be read, and what is said where it is not."""

from __future__ import annotations

import itertools
import math
import types
import typing
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from typing import Annotated, Any, Literal

from truegain.errors import InputError
from truegain.studies.codec import PLAIN, OneOf, Ordered, OrNaN, Rule, Shapes, Within

__all__ = ["read"]

_WHOLE = 2**53  # above it floats skip whole numbers, and so do other readers of JSON; only a rule may allow more
_LARGEST = 1e150  # squares of it are numbers still, and axes can show it; no study takes scores as large
_SHOWN = 40  # characters of what was found


def read(kind: Any, data: Any, shapes: Shapes, place: str = "") -> Any:
    """The value that ``write`` made the data of.

    Parameters
    ----------
    kind : type
        A dataclass; numbers, texts, truth values; tuples and unions of these; ``Annotated`` with a rule of
        :mod:`truegain.studies.codec`.
    data : plain data
    shapes : mapping of type to Shape
    place : str
        Where the data stand, for messages: ``comparisons[3].ci``.

    Raises
    ------
    InputError
        Where the data have another type, or do not fit together.
    """
    return _read(kind, data, _At(shapes, place, kind))


@dataclass(frozen=True)
class _At:
    """Where something is read, and what is to be said to be expected there."""

    shapes: Shapes
    place: str
    asked: Any

    def key(self, key: str, kind: Any) -> _At:
        return _At(self.shapes, f"{self.place}.{key}" if self.place else key, kind)

    def number(self, number: int, kind: Any) -> _At:
        return _At(self.shapes, f"{self.place}[{number}]", kind)

    def misfit(self, data: Any) -> InputError:
        return InputError(f"{self.place or 'the file'}: {_words(self.asked)} was expected; found {_found(data)}")


def _read(kind: Any, data: Any, at: _At) -> Any:
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if origin is Annotated:
        return _annotated(parts[0], parts[1], data, at)
    if origin in (types.UnionType, typing.Union):
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


def _annotated(kind: Any, rule: Rule, data: Any, at: _At) -> Any:
    if isinstance(rule, OrNaN) and (data is None or (isinstance(data, float) and math.isnan(data))):
        return math.nan
    beyond = kind is int and _is_whole(data) and isinstance(rule, Within) and _WHOLE <= rule.high < math.inf
    value = data if beyond else _read(kind, data, at)
    if not rule.holds(value):
        raise at.misfit(data)
    return value


def _union(members: Sequence[Any], data: Any, at: _At) -> Any:
    """A value or null; or one of several classes, told apart by their kinds."""
    if data is None and types.NoneType in members:
        return None
    others = [member for member in members if member is not types.NoneType]
    if len(others) == 1:
        return _read(others[0], data, at)
    if not isinstance(data, Mapping):
        raise at.misfit(data)
    kinds = {at.shapes[member].kind: member for member in others}
    return _object(kinds[_item(data, "kind", Annotated[str, OneOf(tuple(kinds))], at)], data, at)


def _object(kind: Any, data: Any, at: _At) -> Any:
    if not isinstance(data, Mapping):
        raise at.misfit(data)
    shape = at.shapes.get(kind, PLAIN)
    hints = _hints(kind)
    given: dict[str, Any] = {}
    for one in fields(kind):
        form = shape.forms.get(one.name)
        keys = (shape.names.get(one.name, one.name),) if form is None else tuple(form.keys)
        if one.name in shape.optional and not any(key in data for key in keys):
            continue
        if form is None:
            given[one.name] = _item(data, keys[0], shape.types.get(one.name, hints[one.name]), at)
            continue
        parts = [_item(data, key, part, at) for key, part in form.keys.items()]
        try:
            given[one.name] = form.make(*parts)
        except ValueError as error:
            raise InputError(f"{at.key(keys[0], kind).place}: {error}") from None
    made = kind(**given)
    if shape.faults is not None:
        for place, wrong in shape.faults(made):
            raise InputError(f"{at.key(place, kind).place}: {wrong}")
    _check_order(made, at)
    return made


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


@cache
def _hints(kind: type) -> dict[str, Any]:
    return typing.get_type_hints(kind)


_PLAIN_WORDS = {float: "a number", int: "a whole number", str: "a text", bool: "true or false", types.NoneType: "null"}


def _words(kind: Any) -> str:
    """What was expected, in words."""
    if typing.get_origin(kind) is Annotated:
        inner, rule = typing.get_args(kind)
        words: str = rule.words(_words(inner))
        return words
    if typing.get_origin(kind) in (types.UnionType, typing.Union):
        return " or ".join(dict.fromkeys(_words(member) for member in typing.get_args(kind)))
    if typing.get_origin(kind) is tuple:
        parts = typing.get_args(kind)
        return "a list" if parts[-1] is Ellipsis else f"a list of {len(parts)}"
    if typing.get_origin(kind) is Literal:
        return f"one of {', '.join(typing.get_args(kind))}"
    return _PLAIN_WORDS.get(kind, "an object")


def _found(data: Any) -> str:
    """What was found, in words."""
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
