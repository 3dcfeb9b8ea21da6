"""What the sizes of the default tests are held against."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchmarks.calibration.scenarios import Outcome
from truegain.studies.calibrate import Measured, Rate

__all__ = ["Bound", "Checked", "bound_of", "checked"]

_SWAPPED = ("segments", "ties", "documents", "heavy", "binary", "real")
_SELDOM_ALLOWED = ("ties", "heavy", "binary")  # too few rejections are in the nature of such data, and cost power only
_MANY = 200


@dataclass(frozen=True)
class Bound:
    """What a rate of rejections at 5 % should lie between."""

    low: float
    high: float

    def __str__(self) -> str:
        """In per cent."""
        return f"≤ {100 * self.high:.1f}" if self.low == 0.0 else f"{100 * self.low:g}–{100 * self.high:g}"

    def verdict(self, size: Rate) -> str:
        """Whether it does; where it does not, whether Monte-Carlo error may be the reason."""
        if self.low <= size.rate <= self.high:
            return "yes"
        low, high = size.interval
        return "within error" if low <= self.high and high >= self.low else "**no**"


@dataclass(frozen=True)
class Checked:
    """A size and its bound."""

    outcome: Outcome
    measured: Measured
    bound: Bound

    @property
    def verdict(self) -> str:
        """See :meth:`Bound.verdict`."""
        return self.bound.verdict(self.measured.size)


def bound_of(outcome: Outcome, measured: Measured) -> Bound | None:
    """Return the bound of a default test on data made by swapping; None for others."""
    if outcome.group not in _SWAPPED:
        return None
    if measured.test == "ar":
        return Bound(0.0, 0.05 + 3.0 * (0.05 * 0.95 / measured.size.repetitions) ** 0.5)
    if measured.test == "bootstrap":
        low, high = (0.035, 0.07) if outcome.units < _MANY else (0.04, 0.065)
        return Bound(0.0 if outcome.group in _SELDOM_ALLOWED else low, high)
    return None


def checked(outcomes: Sequence[Outcome]) -> Iterator[Checked]:
    """Every size that has a bound."""
    for outcome in outcomes:
        for measured in outcome.measured.values():
            bound = bound_of(outcome, measured)
            if bound is not None:
                yield Checked(outcome, measured, bound)
