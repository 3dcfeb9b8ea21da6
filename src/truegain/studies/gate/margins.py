"""The margin of each metric: what was given for all of them, or for each by its name."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from truegain.errors import InputError, one_of
from truegain.settings.gate import Requirement


def margins_of(
    given: float | Mapping[str, float] | None, keys: Sequence[str], require: Requirement
) -> list[float | None]:
    """Return the margin of every metric; None for ``no-loss-shown``, which has none."""
    if require == "no-loss-shown":
        if given is not None:
            raise InputError(
                "no-loss-shown has no margin: it fails only if a loss is shown, however small",
                hint="to rule out a loss above the margin, require not-worse",
            )
        return [None] * len(keys)
    named = _by_metric(given, keys)
    missing = [key for key in keys if key not in named]
    if missing and require == "not-worse":
        raise InputError(
            f"not-worse needs a margin, the largest loss that is allowed; there is none for {', '.join(missing)}",
            hint="give a margin in points of the metric, or require no-loss-shown, which proves nothing",
        )
    for key, margin in named.items():
        if not math.isfinite(margin):
            raise InputError(f"margin must be a finite number; got {margin:g} for {key}")
        if margin < 0.0:
            raise InputError(
                f"margin must be 0 or more; got {margin:g} for {key}",
                hint=f"to allow a loss of up to {-margin:g}, require not-worse with a margin of {-margin:g}"
                if require == "better"
                else "it is the loss that is allowed; to ask for a gain, require better",
            )
    return [named.get(key, 0.0) for key in keys]


def _by_metric(given: float | Mapping[str, float] | None, keys: Sequence[str]) -> dict[str, float]:
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        return dict.fromkeys(keys, float(given))
    named: dict[str, float] = {}
    for name, margin in given.items():
        key = _key(name, keys)
        if key in named:
            raise InputError(f"there are two margins for {key}", hint="give one for each metric")
        named[key] = float(margin)
    return named


def _key(name: str, keys: Sequence[str]) -> str:
    """Return the metric of that name, with its settings or without them."""
    if name in keys:
        return name
    alike = [key for key in keys if key.partition(":")[0] == name]
    if len(alike) == 1:
        return alike[0]
    raise one_of("the metric of a margin", name, list(keys))
