"""Text as a terminal may show it: names and outputs of systems can hold commands to the terminal."""

from __future__ import annotations

import dataclasses
from typing import Any, TypeVar, cast

_Kind = TypeVar("_Kind")

# The controls of ASCII (but for the tab and the line end) and of Latin-1, halves of characters, and what turns the
# direction of all that follows. What joins letters and sets scripts apart is part of texts, and stays.
_STRANGE = [*range(9), *range(11, 32), *range(127, 160), 0x202D, 0x202E, *range(0xD800, 0xE000)]
_SHOWN = dict.fromkeys(_STRANGE, "�")


def printable(text: str) -> str:
    """Return the text with a mark in the place of whatever a terminal might obey."""
    return text if text.isascii() and text.isprintable() else text.translate(_SHOWN)


def printable_parts(value: _Kind) -> _Kind:
    """Make texts printable all through a structure of dataclasses and tuples."""
    if isinstance(value, str):
        return cast("_Kind", printable(value))
    if isinstance(value, tuple):
        return cast("_Kind", tuple(printable_parts(one) for one in value))
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        known: dict[str, Any] = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
        return dataclasses.replace(value, **{name: printable_parts(one) for name, one in known.items()})
    return value
