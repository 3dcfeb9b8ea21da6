"""Flat records of results, by the keys that their fields have in JSON."""

from __future__ import annotations

import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from operator import attrgetter, itemgetter
from typing import Annotated, Any, cast

from truegain.fields import Described, derived_of, fields_of, is_union
from truegain.studies.codec import write_field

_Getter = Callable[[Any], Any]
_KNOWN: dict[type, dict[str, _Getter]] = {}


def record(columns: str, *sources: Any) -> dict[str, Any]:
    """Return a flat record: each column from the first source that has it.

    Parameters
    ----------
    columns : str
        Names between blanks; ``column=name`` for a column of another name.
    sources : mappings and dataclasses
        A dataclass has its fields and derived properties by their keys in JSON. Of two ends it has ``key_low`` and
        ``key_high``, of an object in it ``key_inner``; all are None if it has none.
    """
    pairs = (one.partition("=") for one in columns.split())
    return {column: _value(name or column, sources) for column, _, name in pairs}


def _value(name: str, sources: tuple[Any, ...]) -> Any:
    for source in sources:
        if isinstance(source, Mapping):
            if name in source:
                return source[name]
        elif (get := _getters(type(source)).get(name)) is not None:
            return get(source)
    raise KeyError(name)


def _getters(kind: type) -> dict[str, _Getter]:
    """Return how each column of a class is found in one of its objects."""
    known = _KNOWN.get(kind)
    if known is None:
        known = _KNOWN[kind] = {}
        for one in (*fields_of(kind), *derived_of(kind)):
            get = attrgetter(one.name)
            if one.form is None:
                known |= _flat(one, get)
            for place, part in enumerate(one.parts):
                known |= _flat(part, _then(get, _part(one, place)))
            for part in one.beside:
                known |= _flat(part, _then(get, attrgetter(part.name)))
    return known


def _flat(one: Described, get: _Getter) -> dict[str, _Getter]:
    key, kind = one.key or one.name, _bare(one.kind)
    if is_dataclass(kind):
        return {f"{key}_{name}": _then(get, own) for name, own in _getters(cast("type", kind)).items()}
    parts = typing.get_args(kind)
    if typing.get_origin(kind) is tuple and len(parts) == 2 and parts[1] is not Ellipsis:
        return {f"{key}_{end}": _then(get, itemgetter(place)) for place, end in enumerate(("low", "high"))}
    return {key: lambda holder: write_field(one, get(holder))}


def _part(one: Described, place: int) -> _Getter:
    """Return how one of the keys of a form is found in the value of its field."""
    assert one.form is not None
    take = one.form.take
    return lambda own: take(own)[place]


def _then(get: _Getter, further: _Getter) -> _Getter:
    def both(holder: Any) -> Any:
        value = get(holder)
        return None if value is None else further(value)

    return both


def _bare(kind: Any) -> Any:
    """Return a type without its rules, and without None."""
    if typing.get_origin(kind) is Annotated:
        return _bare(typing.get_args(kind)[0])
    if is_union(kind):
        others = [one for one in typing.get_args(kind) if one is not types.NoneType]
        return _bare(others[0]) if len(others) == 1 else kind
    return kind
