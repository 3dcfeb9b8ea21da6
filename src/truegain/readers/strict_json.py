"""JSON by one rule, wherever it is read: no key twice in an object, and NaN only if nobody uses it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NoReturn

from truegain.errors import InputError

_HINT = "which of the two values is meant? Keep that one"
_TYPES = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "null"}


class _Twice(InputError):
    """A key that occurs twice in one object, of which Python would keep the second."""


def strict_loads(text: str, *, constants: bool = True) -> Any:
    """Return the value that a text in JSON stands for.

    Parameters
    ----------
    text : str
    constants : bool
        Whether NaN and Infinity, which Python writes and JSON does not know, are read. Tables of other programs may
        have them in columns that nobody asks for; whoever uses a number refuses what is not finite.

    Raises
    ------
    InputError
        If a key occurs twice in one object, or a constant is not allowed.
    ValueError, RecursionError
        If it is not JSON, or cannot be read.
    """
    return (_WITH_CONSTANTS if constants else _WITHOUT).decode(text)


def parse_json(text: str, path: str | None = None, line: int | None = None) -> Any:
    """Return the value that a text in JSON stands for; all that is wrong with it is an InputError with its place."""
    try:
        return strict_loads(text)
    except InputError as error:
        raise InputError(error.said, path=path, line=line, hint=_HINT if isinstance(error, _Twice) else None) from error
    except json.JSONDecodeError as error:
        empty = "" if text.strip() else "; there is nothing in it"
        raise InputError(
            f"not JSON: {error.msg} (column {error.colno}){empty}", path=path, line=line or error.lineno
        ) from error
    except (ValueError, RecursionError) as error:  # numbers of thousands of digits, thousands of brackets
        raise InputError("this JSON is too large or too deep to be read", path=path, line=line) from error


def parse_json_lines(lines: Sequence[str], path: str) -> Any:
    """Return the value that all lines together stand for; None if they are not one value, but perhaps one per line.

    Raises
    ------
    InputError
        If a key occurs twice in one object, with its line if every line is a value of its own.
    """
    try:
        return strict_loads("\n".join(lines))
    except _Twice as error:
        raise InputError(error.said, path=path, line=_line_of_twice(lines), hint=_HINT) from error
    except (ValueError, RecursionError):
        return None


def type_name(value: object) -> str:
    """Return what a value is, in words: ``a list``."""
    return _TYPES.get(type(value), "a number")


def _line_of_twice(lines: Sequence[str]) -> int | None:
    for number, line in enumerate(lines, 1):
        try:
            strict_loads(line)
        except _Twice:
            return number
        except (ValueError, RecursionError):
            return None
    return None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _Twice(f"the key {key!r} occurs twice in one object")
            seen.add(key)
    return made


def _no_number(name: str) -> NoReturn:
    raise InputError(f"{name} is not a number in JSON; truegain writes null if there is none")


# json.loads would build a decoder for each line of a file.
_WITH_CONSTANTS = json.JSONDecoder(object_pairs_hook=_object)
_WITHOUT = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_no_number)
