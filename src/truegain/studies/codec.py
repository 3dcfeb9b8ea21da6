"""Frozen dataclasses as plain data, by what the annotations of their fields say.

:mod:`truegain.studies.decode` reads it again.
"""

from __future__ import annotations

import math
from dataclasses import fields, is_dataclass
from functools import cache
from types import NoneType
from typing import Any, TypeVar

from truegain.fields import Described, derived_of, fields_of, shape_of
from truegain.rules import OrInfinite, ten_digits
from truegain.studies import view_of

_T = TypeVar("_T")
_LEAVES = (float, int, str, NoneType)  # looked for first, because there are many; a union would be made each time


def keep_digits(value: _T) -> _T:
    """Return what JSON keeps, all through a frozen structure: ten significant digits, and NaN for what is no number."""
    return _kept(value)  # type: ignore[no-any-return]


def _kept(value: Any) -> Any:
    if isinstance(value, float):
        return ten_digits(value) if math.isfinite(value) else math.nan
    if isinstance(value, _LEAVES):
        return value
    if isinstance(value, tuple):
        return tuple(_kept(one) for one in value)
    if isinstance(value, dict):
        return {key: _kept(one) for key, one in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        held = ((name, getattr(value, name)) for name in _given(type(value)))
        return type(value)(**{name: own if _endless(value, name, own) else _kept(own) for name, own in held})
    return value


@cache
def _given(kind: type) -> tuple[str, ...]:
    """Return the fields that an object is made of."""
    return tuple(one.name for one in fields(kind) if one.init)


def _endless(holder: Any, name: str, own: Any) -> bool:
    """Return whether a field is infinite, and may be."""
    if not (isinstance(own, float) and math.isinf(own)):
        return False
    rules = next(one.rules for one in fields_of(type(holder)) if one.name == name)
    return any(isinstance(rule, OrInfinite) for rule in rules)


def write(value: Any) -> Any:
    """Return dataclasses as dictionaries, tuples as lists, all through."""
    if isinstance(value, _LEAVES):
        return value
    if isinstance(value, list | tuple):
        return [write(one) for one in value]
    if isinstance(value, dict):
        return {key: write(one) for key, one in value.items()}
    shape = shape_of(type(value))
    data: dict[str, Any] = {"kind": shape.kind} if shape.kind else {}
    for one in fields_of(type(value)):
        own = getattr(value, one.name)
        if (one.optional and not own and not isinstance(own, float)) or not one.key:  # 0.0 is a value
            continue
        if one.form is None:
            data[one.key] = write_field(one, own)
            continue
        taken = one.form.take(own) if own is not None else [None] * len(one.form.keys)
        data.update(zip(one.form.keys, map(write, taken), strict=True))
        data.update(
            {part.key: write_field(part, None if own is None else getattr(own, part.name)) for part in one.beside}
        )
    data.update({one.key: write_field(one, getattr(value, one.name)) for one in derived_of(type(value))})
    if shape.prose:
        told = view_of(value.study).prose(value)
        data.update({key: write(told[key]) for key in shape.prose})
    return {key: data[key] for key in shape.first if key in data} | data


def write_field(one: Described, value: Any) -> Any:
    """Return the value of a field as plain data; None for an infinity that the field may have."""
    if one.rules and isinstance(value, float) and math.isinf(value):
        return None if any(isinstance(rule, OrInfinite) for rule in one.rules) else value
    return write(value)
