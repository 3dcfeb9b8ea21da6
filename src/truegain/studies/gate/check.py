"""What one metric says of whether a system may pass."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Annotated, Literal

from truegain.inference.pvalues import PValue
from truegain.studies.codec import ENDLESS, Form, OneOf, Shape
from truegain.studies.shapes import P_VALUE, TEST, TESTED_UNIT

__all__ = ["CHECK", "GateCheck"]


@dataclass(frozen=True)
class GateCheck:
    """Whether one metric lets the system pass.

    Attributes
    ----------
    delta : float
        The observed gain, positive where the system is better.
    min_gain : float
        What it is held against.
    p_value : PValue
        Of the null hypothesis that the gain is at most ``min_gain`` (better), or at least (not-worse).
    lower, upper : float
        One-sided bounds of the gain, each at 1 − alpha; infinite where there are too few data for one. They follow from
        the same distribution as p: ``better`` passes where lower > min_gain, ``not-worse`` where upper >= min_gain.
    alternative : "greater" or "less"
        Which way the test looks.
    test, unit, n_units, null, claim
        As in :class:`truegain.inference.results.Comparison`.
    passed : bool
    same : bool
        Whether the two systems have the same statistics on every segment.
    notes : tuple of str
    """

    metric: str
    delta: float
    min_gain: float
    p_value: PValue
    lower: float = field(metadata={ENDLESS: True})
    upper: float = field(metadata={ENDLESS: True})
    alternative: Literal["greater", "less"]
    test: str
    unit: str
    n_units: int
    null: str
    claim: str
    passed: bool
    same: bool
    notes: tuple[str, ...] = ()

    @property
    def needed(self) -> float:
        """The gain above which the system passes on this test set, were the spread the same."""
        if self.alternative == "greater":
            return self.min_gain + (self.delta - self.lower)
        return self.min_gain - (self.upper - self.delta)

    @property
    def p(self) -> float:
        """The p-value."""
        return self.p_value.p

    @property
    def p_mc(self) -> tuple[float, float]:
        """The Monte-Carlo interval of the p-value."""
        return self.p_value.interval


def _finite(value: float) -> tuple[float | None]:
    return (value if math.isfinite(value) else None,)


#: As plain data: what is infinite is null.
CHECK = Shape(
    types={"alternative": Annotated[str, OneOf(("greater", "less"))], "test": TEST, "unit": TESTED_UNIT},
    forms={
        "p_value": P_VALUE,
        "lower": Form({"lower": float | None}, _finite, lambda value: -math.inf if value is None else value),
        "upper": Form({"upper": float | None}, _finite, lambda value: math.inf if value is None else value),
    },
    derived={"needed": lambda check: _finite(check.needed)[0]},
)
