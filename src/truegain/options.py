"""Settings written as text, ``name:key=value,key=value``, turned into typed values."""

from __future__ import annotations

import dataclasses
import types
import typing
from typing import Any

from truegain.errors import InputError, one_of

_YES = {"true", "yes", "1", "on"}
_NO = {"false", "no", "0", "off"}


def split_specification(specification: str) -> tuple[str, dict[str, str]]:
    """Split ``name:key=value,…`` into the name and its settings, still as text."""
    name, _, rest = specification.partition(":")
    settings: dict[str, str] = {}
    for item in filter(None, rest.split(",")):
        key, equals, value = item.partition("=")
        if not equals:
            raise InputError(
                f"{specification!r}: the setting {item!r} has no value", hint=f"write {name}:{key.strip()}=VALUE"
            )
        key = key.strip().replace("-", "_")
        if key in settings:
            raise InputError(f"{specification!r}: {key} is set twice")
        settings[key] = value.strip()
    return name.strip(), settings


def parse_settings(cls: type[Any], name: str, settings: dict[str, str]) -> dict[str, Any]:
    """Turn textual settings into the types of the fields of a dataclass."""
    hints = typing.get_type_hints(cls)
    fields = {field.name: hints[field.name] for field in dataclasses.fields(cls) if field.init}
    parsed = {}
    for key, text in settings.items():
        if key not in fields:
            if not fields:
                raise InputError(f"{name} takes no settings; got {key!r}")
            raise one_of(f"a setting of {name}", key, sorted(fields))
        parsed[key] = _convert(text, fields[key], f"{name}:{key}")
    return parsed


def _convert(text: str, kind: Any, what: str) -> Any:
    allowed = typing.get_args(kind) if isinstance(kind, types.UnionType) else (kind,)
    if bool in allowed:
        if text.lower() in _YES | _NO:
            return text.lower() in _YES
        raise InputError(f"{what} must be true or false; got {text!r}")
    for number in (int, float):
        if number in allowed:
            try:
                return number(text)
            except ValueError as error:
                if number is int and float in allowed:
                    continue
                noun = "a whole number" if number is int else "a number"
                raise InputError(f"{what} must be {noun}; got {text!r}") from error
    return text
