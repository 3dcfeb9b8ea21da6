"""Stored results: what is read is shown, in every format (as a page one of eight, which takes longest), and used."""

from __future__ import annotations

import json
import math
import random
import zlib
from contextlib import suppress
from copy import deepcopy
from typing import Any

import truegain as tg
from fuzz.held import file
from truegain.errors import InputError
from truegain.report import FORMATS
from truegain.results import load

LONGEST = 200_000
_VALUES: tuple[Any, ...] = (
    *(
        None,
        True,
        False,
        0,
        1,
        -1,
        2,
        3,
        0.5,
        -0.5,
        1e-320,
        1e308,
        -1e308,
        2**53,
        2**64,
        10**30,
        "",
        "a",
        "b",
        "x" * 500,
    ),
    *("bleu", "\ud800", "\n", "\x1b[31m", "</script>", "\\end{table}", "&", [], {}, [[]], [0, 0], [1, 0], ["a", "b"]),
)


def check(data: bytes) -> None:
    """Read a result, and render its formats."""
    with suppress(InputError):
        result = load(file("fuzzed.json", data))
        for format in FORMATS:
            if format == "html" and zlib.crc32(data) % 8:
                continue
            with suppress(InputError):
                result.render(format)
        with suppress(InputError):  # as a profile
            for one in tg.significance(result, [0.1, 0.5]).gains if result.study == "threshold" else ():
                if not 0.0 <= one.probability <= 1.0:
                    raise AssertionError(f"{one} is no probability")


def changed(data: bytes, generator: random.Random) -> bytes | None:
    """Return the JSON with some of its values changed, taken out, doubled or exchanged; None if it is no JSON."""
    try:
        whole = json.loads(data)
    except (ValueError, RecursionError):
        return None
    for _ in range(generator.choice((1, 1, 1, 2, 5))):
        places = list(_places(whole))
        if not places:
            break
        home, key = generator.choice(places)
        kind = generator.randrange(6)
        if kind == 0:
            del home[key]
        elif kind == 1 and isinstance(home, list):
            home.insert(key, home[key])
        elif kind == 2:
            other, place = generator.choice(places)
            home[key] = json.loads(json.dumps(other[place]))
        else:
            home[key] = _near(home[key], generator) if kind == 3 else deepcopy(generator.choice(_VALUES))
    return json.dumps(whole).encode()


def _near(value: Any, generator: random.Random) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        whole = int(value) if math.isfinite(value) else 0
        return generator.choice((value + 1, -value, value * 2, whole / 3, whole))
    if isinstance(value, str):
        return generator.choice((value + value, value[:1], value.upper(), f"{value} "))
    return deepcopy(generator.choice(_VALUES))


def _places(value: Any) -> Any:
    """Where every value stands: the object or list that holds it, and its key there."""
    for key, one in list(value.items() if isinstance(value, dict) else enumerate(value)):
        yield value, key
        if isinstance(one, dict | list):
            yield from _places(one)
