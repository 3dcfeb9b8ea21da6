"""Keys of an experiment file: what each may hold, and what is said if it holds something else."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from truegain.errors import InputError, Text, excerpt
from truegain.settings.option import Described, described
from truegain.settings.pool import PoolOptions

#: The options that have a key, by their keys.
SETTINGS = {one.key: one for one in described(PoolOptions) if one.key}
_MOST_RESAMPLES = 10**9


@dataclass(frozen=True)
class Place:
    """Place in the file.

    Attributes
    ----------
    path : str
    lines : tuple of str
        Of the file.
    first, last : int
        Between which lines, from 0, to look for keys.
    table : str
        What the table is called in messages.
    """

    path: str
    lines: tuple[str, ...]
    first: int
    last: int
    table: str = ""

    def error(self, message: Text, key: str | None = None, *, hint: Text | None = None) -> InputError:
        """Return an error about a key, with its line if that can be found."""
        return InputError(message, path=self.path, line=None if key is None else self.line(key), hint=hint)

    def line(self, key: str) -> int | None:
        """Return the only line on which a key is set, from 1; None if there are several, or none that can be seen."""
        name = re.escape(key)
        pattern = re.compile(rf"""^\s*\[*\s*(?:["']?\w+["']?\s*\.\s*)*["']?{name}["']?\s*[=.\]]""")
        for part in (range(self.first, self.last), range(len(self.lines))):  # a set may have it from elsewhere
            found = [i for i in part if pattern.match(self.lines[i])]
            if found:
                return found[0] + 1 if len(found) == 1 else None
        return None

    def inside(self, header: str, number: int | None = None) -> Place:
        """Return the part of the file under a header such as ``[[testset]]``, of several the one with that number."""
        pattern = re.compile(rf"^\s*\[+\s*{re.escape(header)}\s*\]+")
        starts = [i for i, line in enumerate(self.lines) if pattern.match(line)]
        name = header if number is None else f"{header} {number + 1}"
        place = number or 0
        if place >= len(starts):
            return Place(self.path, self.lines, self.first, self.last, name)
        last = starts[place + 1] if place + 1 < len(starts) else len(self.lines)
        return Place(self.path, self.lines, starts[place], last, name)


Check = Callable[[Any, str, Place], Any]


@dataclass(frozen=True)
class Table:
    """Keys of a table, and what each is turned into; ``hint``: where to read about them."""

    keys: Mapping[str, Check]
    hint: str = "truegain init writes a file with all keys explained"


def checked(table: Table, data: Any, place: Place) -> dict[str, Any]:
    """Return the values of a table, each as its check has it.

    Raises
    ------
    InputError
        For a key that is not known, with the nearest one that is, and for a value of another type.
    """
    name = place.table
    if not isinstance(data, Mapping):
        raise place.error(f"{name}: a table was expected; found {_words(data)}", hint=table.hint)
    for key in data:
        if key not in table.keys:
            from difflib import get_close_matches

            near = get_close_matches(key.lower(), table.keys, n=1)
            known = f"did you mean {near[0]!r}?" if near else f"known keys: {', '.join(table.keys)}"
            raise place.error(f"there is no key {key!r}{f' in {name}' if name else ''}", key, hint=known)
    return {key: table.keys[key](value, key, place) for key, value in data.items()}


def _words(value: Any) -> str:
    """Describe the value that was found."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return excerpt(value)
    if isinstance(value, Mapping):
        return "a table"
    if isinstance(value, list):
        return "a list"
    return f"{value}"[:40]


def _misfit(value: Any, key: str, place: Place, wanted: str) -> InputError:
    return place.error(f"{key}: {wanted} was expected; found {_words(value)}", key)


def _text(value: Any, key: str, place: Place) -> str:
    if not isinstance(value, str) or not value or not value.isprintable():
        raise _misfit(value, key, place, "a text")
    return value


def _texts(value: Any, key: str, place: Place) -> tuple[str, ...]:
    """Return a text, or a list of them, as a tuple."""
    ones = value if isinstance(value, list) else [value]
    if not ones or not all(isinstance(one, str) and one and one.isprintable() for one in ones):
        raise _misfit(value, key, place, "a text, or a list of texts,")
    return tuple(ones)


def _choice(value: Any, key: str, place: Place) -> str:
    choices = SETTINGS[key].choices
    if value not in choices:
        raise _misfit(value, key, place, f"one of {', '.join(choices)}")
    return str(value)


def _choices(value: Any, key: str, place: Place) -> tuple[str, ...]:
    ones = value if isinstance(value, list) else [value]
    if not ones:
        raise _misfit(value, key, place, "a test, or a list of them,")
    return tuple(_choice(one, key, place) for one in ones)


def _flag(value: Any, key: str, place: Place) -> bool:
    if not isinstance(value, bool):
        raise _misfit(value, key, place, "true or false")
    return value


def _number(low: float, high: float) -> Check:
    wanted = "a number" if math.isinf(low) else f"a number between {low:g} and {high:g}"

    def check(value: Any, key: str, place: Place) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not low < value < high:
            raise _misfit(value, key, place, wanted)
        return float(value)

    return check


def _whole(low: int, high: int) -> Check:
    def check(value: Any, key: str, place: Place) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise _misfit(value, key, place, f"a whole number from {low} to {high}")
        return value

    return check


def _resamples(value: Any, key: str, place: Place) -> int | str:
    if value == "auto":
        return "auto"
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= _MOST_RESAMPLES:
        raise _misfit(value, key, place, f"a whole number from 1 to {_MOST_RESAMPLES}, or auto,")
    return value


def _metrics(value: Any, key: str, place: Place) -> tuple[str, ...]:
    """Return metrics given as texts, ``bleu:tokenize=intl``, or as tables with the settings as keys."""
    ones: Sequence[Any] = value if isinstance(value, list) else [value]
    if not ones:
        raise _misfit(value, key, place, "a metric, or a list of metrics,")
    found = tuple(_metric(one, key, place) for one in ones)
    twice = next((one for one in found if found.count(one) > 1), None)
    if twice is not None:
        raise place.error(f"metrics: {twice!r} occurs twice", key)
    return found


def _metric(value: Any, key: str, place: Place) -> str:
    if isinstance(value, str) and value and value.isprintable():
        return value
    if not isinstance(value, Mapping) or not isinstance(value.get("name"), str):
        wanted = 'a metric such as "bleu:tokenize=intl", or {name = "bleu", tokenize = "intl"},'
        raise _misfit(value, key, place, wanted)
    settings = []
    for setting, given in value.items():
        if setting == "name":
            continue
        if not isinstance(given, str | int | float):
            raise place.error(f"metrics: {setting}: a text or a number was expected; found {_words(given)}", key)
        text = str(given).lower() if isinstance(given, bool) else str(given)
        if "," in text or "," in setting or "=" in setting:
            raise place.error(f"metrics: {setting}: a setting cannot hold a comma; found {_words(given)}", key)
        settings.append(f"{setting}={text}")
    return f"{value['name']}:{','.join(settings)}" if settings else str(value["name"])


def _files(value: Any, key: str, place: Place) -> dict[str, tuple[str, ...]]:
    """Return names of systems with the files of their runs, patterns among them."""
    if not isinstance(value, Mapping):
        raise _misfit(value, key, place, 'a table such as {base = "base.txt", new = "new.*.txt"}')
    found = {}
    for name, files in value.items():
        if not name or "=" in name or "," in name or not name.isprintable():
            raise place.error(f"{key}: a system cannot be named {name!r}", name, hint="without = and commas")
        found[name] = _texts(files, name, place)
    return found


def _tables(value: Any, key: str, place: Place) -> list[Any]:
    if not isinstance(value, list) or not all(isinstance(one, Mapping) for one in value):
        raise place.error(
            f"{key}: tables were expected; found {_words(value)}", key, hint=f"begin each with a line [[{key}]]"
        )
    return value


def _table(value: Any, key: str, place: Place) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise _misfit(value, key, place, "a table")
    return value


def _check_of(one: Described) -> Check:
    """Return what a setting may hold, by the type of its option."""
    if one.choices:
        return _choices if one.option.many else _choice
    if bool in one.kinds:
        return _flag
    if float in one.kinds:
        return _number(*(one.option.between or (-math.inf, math.inf)))
    if int in one.kinds:
        return _whole(0, 2**64 - 1) if len(one.kinds) == 1 else _resamples
    return _text


EXPERIMENT = Table(
    {
        "name": _text,
        "metrics": _metrics,
        **{key: _check_of(one) for key, one in SETTINGS.items()},
        "outputs": _texts,
        "systems": _files,
        "testset": _tables,
        "development": _table,
    }
)
TESTSET = Table(
    {
        "name": _text,
        "reference": _texts,
        "source": _text,
        "documents": _text,
        "document_column": _text,
        "domains": _text,
        "domain_column": _text,
        "domain": _text,
        "id_column": _text,
        "system_column": _text,
        "run_column": _text,
        "repeat_column": _text,
        "rater_column": _text,
        "text_column": _text,
        "references_per_line": _whole(1, 1000),
        "table": _texts,
        "reference_column": _texts,
        "systems": _files,
        "scores": _files,
    }
)
DEVELOPMENT = Table(
    {
        "reference": _texts,
        "id_column": _text,
        "text_column": _text,
        "references_per_line": _whole(1, 1000),
        "systems": _files,
    }
)
