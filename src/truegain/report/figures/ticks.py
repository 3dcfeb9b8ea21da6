"""Ticks of axes, and what is written beside them: round numbers, as many as have space."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

from truegain.report.figures.widths import width_of

#: Places, and what is written at each.
Ticks = Sequence[tuple[float, str]]

_STEPS = (1.0, 2.0, 2.5, 5.0)
_MOST = 7  # of an axis, at most
_BETWEEN = 0.1  # inches from one label to the next, at least
_FINEST = 1e-9  # of the numbers themselves: closer ones cannot be told apart
_SLACK = 1e-9  # of a step: what lies so little beyond an end is at the end
_LONG = 1e-4, 1e7  # numbers all smaller than the first, or some as large as the other, are written with exponents


def nice_ticks(low: float, high: float, most: int, *, whole: bool = False) -> list[float]:
    """Return at least one round number from low to high, with at most ``most`` equal steps over the whole range.

    Parameters
    ----------
    low, high : float
        The ends: finite, and low less than high.
    most : int
    whole : bool
        Whether ticks are whole numbers.
    """
    least = max((high - low) / most, _FINEST * max(abs(low), abs(high)), 1e-300)
    first = math.floor(math.log10(least))
    for power in itertools.count(first):
        for factor in _STEPS:
            step = factor * 10.0**power
            if step < least * (1.0 - _SLACK) or (whole and step % 1.0):
                continue
            start, stop = math.ceil(low / step - _SLACK), math.floor(high / step + _SLACK)
            # A whole multiple of the step, rounded as it is written: no 0.30000000000000004.
            found = [round(place * step, max(0, 1 - power)) for place in range(start, stop + 1)]
            if found:
                return found
            middle = (low + high) / 2.0
            near = round(middle, max(0, 2 - power))
            return [near if low <= near <= high else middle]
    raise AssertionError


def numbers(places: Sequence[float]) -> list[str]:
    """Write the places of ticks with the decimals that they all need, and no more; with a true minus sign."""
    largest = max(map(abs, places), default=0.0)
    steps = [abs(b - a) for a, b in itertools.pairwise(places)] or [largest]
    small = min(steps)
    if largest and not _LONG[0] <= largest < _LONG[1]:
        written = [_short_exponent(place) for place in places]
    else:
        decimals = next((d for d in range(12) if all(_exact(place, d, small) for place in places)), 12)
        written = [f"{place + 0.0:.{decimals}f}" for place in places]
    return [text.replace("-", "−") for text in written]


def _exact(place: float, decimals: int, step: float) -> bool:
    return abs(round(place, decimals) - place) <= 1e-6 * (step or 1.0)


def _short_exponent(number: float) -> str:
    if number == 0.0:
        return "0"
    mantissa, _, exponent = f"{number:.9e}".partition("e")
    return f"{mantissa.rstrip('0').rstrip('.')}e{int(exponent)}"


def spaced_ticks(low: float, high: float, inches: float, size: float) -> list[tuple[float, str]]:
    """Return ticks of a horizontal axis of that width: as many as have space for what is written under them."""
    for most in range(_MOST, 0, -1):
        places = nice_ticks(low, high, most)
        labels = numbers(places)
        if len(places) < 2:
            break
        between = (places[1] - places[0]) / (high - low) * inches
        if max(width_of(label, size) for label in labels) + _BETWEEN <= between:
            break
    return list(zip(places, labels, strict=True))


def round_numbers(low: float, high: float) -> list[float]:
    """Return a few round numbers from low to high, about evenly on a logarithmic axis."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    for steps in ((1.0,), (1.0, 3.0), (1.0, 2.0, 5.0), (1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0)):
        found = [round(step * 10.0**power, 12) for power in powers for step in steps]
        found = [place for place in found if low <= place <= high]
        if len(found) >= 3:
            return found
    step = (high - low) / 4.0
    digits = max(0, 1 - math.floor(math.log10(step)))
    return sorted({place for i in range(1, 4) if low <= (place := round(low + i * step, digits)) <= high})


def log_ticks(low: float, high: float) -> tuple[list[tuple[float, str]], list[float]]:
    """Return ticks of a logarithmic axis, powers of ten if there are enough, and the places of small ones between."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    tens = [10.0**power for power in powers if low <= 10.0**power <= high]
    if len(tens) < 2:
        return [(place, f"{place:g}") for place in round_numbers(low, high)], []
    between = [factor * 10.0**power for power in powers for factor in range(2, 10)]
    tens = tens[:: math.ceil(len(tens) / _MOST)]
    return [(ten, f"{ten:g}") for ten in tens], [place for place in between if low <= place <= high]


def count_ticks(low: float, high: float, inches: float, size: float, *, between: float) -> list[tuple[float, str]]:
    """Return round counts for a logarithmic axis of that width, as many as have space."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    each = inches / (math.log10(high) - math.log10(low))
    for steps in ((1, 2, 5), (1, 3), (1,)):
        places = [step * 10**power for power in powers for step in steps if low <= step * 10**power <= high]
        labels = [f"{place:,}" for place in places]
        room = [math.log10(b / a) * each for a, b in itertools.pairwise(places)]
        if all(width_of(label, size) + between <= one for label, one in zip(labels, room, strict=False)):
            break
    return [(float(place), label) for place, label in zip(places, labels, strict=True)]


def percent(place: float) -> str:
    """Write a share in hundredths."""
    return f"{100.0 * place:.0f}%"
