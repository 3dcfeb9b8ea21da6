"""Rules for values beyond their types; they stand in ``Annotated``, with the type."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

_ELEVEN_DIGITS = 1e10


def ten_digits(value: float) -> float:
    """Return the nearest number of ten significant digits; the largest, which would become infinity, as it is."""
    value = float(value)
    if value.is_integer() and abs(value) < _ELEVEN_DIGITS:  # as most statistics are
        return value
    rounded = float(f"{value:.10g}")
    return rounded if math.isfinite(rounded) else value


class Rule:
    """A condition on values of a type; by itself it holds for all."""

    def holds(self, value: Any) -> bool:
        """Return whether a value of the type meets it."""
        return True

    def words(self, kind: str) -> str:
        """Return what is expected, given the words for the type."""
        return kind


@dataclass(frozen=True)
class Within(Rule):
    """Numbers from low to high; ``open`` leaves out the ends."""

    low: float
    high: float = math.inf
    open: bool = False

    def holds(self, value: float) -> bool:
        """Return whether the number lies there."""
        return self.low < value < self.high if self.open else self.low <= value <= self.high

    def words(self, kind: str) -> str:
        """Return ``a number from 0 to 1``, ``a number above 0``."""
        if self.high == math.inf:
            return f"{kind} {'above' if self.open else 'from'} {self.low:g}{'' if self.open else ' on'}"
        ends = ("between", "and") if self.open else ("from", "to")
        return f"{kind} {ends[0]} {self.low:g} {ends[1]} {self.high:g}"


@dataclass(frozen=True)
class OneOf(Rule):
    """Texts of a list."""

    choices: tuple[str, ...]

    def holds(self, value: str) -> bool:
        """Return whether the text is among them."""
        return value in self.choices

    def words(self, kind: str) -> str:
        """Return ``one of a, b, c``."""
        return f"one of {', '.join(self.choices)}"


@dataclass(frozen=True)
class Filled(Rule):
    """A list that is not empty."""

    def holds(self, value: Sequence[Any]) -> bool:
        """Return whether there is something in it."""
        return len(value) > 0

    def words(self, kind: str) -> str:
        """Return ``a list that is not empty``."""
        return f"{kind} that is not empty"


@dataclass(frozen=True)
class Ordered(Rule):
    """The two ends of an interval, of which the first is not above the second, to the digits that JSON keeps."""

    def holds(self, value: tuple[float, float]) -> bool:
        """Return whether the ends are in their order."""
        return ten_digits(value[0]) <= ten_digits(value[1])

    def words(self, kind: str) -> str:
        """Return ``a list of 2, the lower end first,``."""
        return f"{kind}, the lower end first,"


@dataclass(frozen=True)
class OrNaN(Rule):
    """A number, or NaN, which is null in JSON."""

    def words(self, kind: str) -> str:
        """Return ``a number or null``."""
        return f"{kind} or null"


@dataclass(frozen=True)
class OrInfinite(Rule):
    """A number, or the infinity of one sign, which is null in JSON."""

    infinity: float

    def words(self, kind: str) -> str:
        """Return ``a number or null``."""
        return f"{kind} or null"


Proportion = Annotated[float, Within(0.0, 1.0)]
NonNegative = Annotated[float, Within(0.0)]
Positive = Annotated[float, Within(0.0, open=True)]
Count = Annotated[int, Within(1)]
Seed = Annotated[int, Within(0, 2**64 - 1)]
