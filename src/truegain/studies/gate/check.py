"""What one metric says of whether a system may pass."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Annotated, Literal

from truegain.inference.claims import Claim
from truegain.inference.pvalues import PValue
from truegain.inference.results import Caveat
from truegain.studies.codec import ENDLESS, Form, OneOf, Shape
from truegain.studies.shapes import LEVEL, P_VALUE, SPREAD, TEST, TESTED_UNIT

__all__ = ["CHECK", "GateCheck", "null_gain"]


@dataclass(frozen=True)
class GateCheck:
    """Whether one metric lets the system pass.

    Attributes
    ----------
    delta : float
        The observed gain, positive where the system is better.
    margin : float or None
        The gain that must be exceeded (better), the loss that is allowed (not-worse); None for no-loss-shown.
    null_gain : float
        What the gain is held against: the margin (better), less than nothing by the margin (not-worse), or 0
        (no-loss-shown).
    alpha : float
        The level of this check: that of the gate, and for no-loss-shown that divided by the number of metrics.
    p_value : PValue
        Of the null hypothesis that the gain is at most ``null_gain`` (better, not-worse), or at least (no-loss-shown).
    lower, upper : float
        One-sided bounds of the gain, each at 1 − alpha; infinite if there are too few data for one. They follow from
        the same distribution as p: ``better`` and ``not-worse`` pass if lower > null_gain, ``no-loss-shown`` if
        upper >= 0.
    alternative : "greater" or "less"
        Which way the test looks.
    test, unit, n_units, null, claim
        As in :class:`truegain.inference.results.Comparison`.
    passed : bool
    same : bool
        Whether the two systems have the same statistics on every segment.
    notes : tuple of str
    caveats : tuple of Caveat
        Why the test rejects more often than its level says on these data.
    """

    metric: str
    delta: float
    margin: float | None
    null_gain: float
    alpha: float
    p_value: PValue
    lower: float = field(metadata={ENDLESS: True})
    upper: float = field(metadata={ENDLESS: True})
    alternative: Literal["greater", "less"]
    test: str
    unit: str
    n_units: int
    null: str
    claim: Claim
    passed: bool
    same: bool
    notes: tuple[str, ...] = ()
    caveats: tuple[Caveat, ...] = ()

    @property
    def shown(self) -> bool:
        """Whether p is small enough: a gain is shown (better, not-worse), or a loss (no-loss-shown)."""
        return self.passed == (self.alternative == "greater")

    @property
    def needed(self) -> float:
        """The gain above which the system passes on this test set, were the spread the same."""
        if self.alternative == "greater":
            return self.null_gain + (self.delta - self.lower)
        return self.null_gain - (self.upper - self.delta)

    @property
    def p(self) -> float:
        """The p-value."""
        return self.p_value.p

    @property
    def p_mc(self) -> tuple[float, float]:
        """The Monte-Carlo interval of the p-value."""
        return self.p_value.interval


def null_gain(require: str, margin: float | None) -> float:
    """Return the gain that a system must be shown to exceed, or, for no-loss-shown, not to fall short of."""
    if margin is None:
        return 0.0
    return (-margin if require == "not-worse" else margin) + 0.0  # without negative zeros


def _finite(value: float) -> tuple[float | None]:
    return (value if math.isfinite(value) else None,)


#: As plain data: what is infinite is null.
CHECK = Shape(
    types={
        "margin": SPREAD | None,
        "alpha": LEVEL,
        "alternative": Annotated[str, OneOf(("greater", "less"))],
        "test": TEST,
        "unit": TESTED_UNIT,
    },
    forms={
        "p_value": P_VALUE,
        "lower": Form({"lower": float | None}, _finite, lambda value: -math.inf if value is None else value),
        "upper": Form({"upper": float | None}, _finite, lambda value: math.inf if value is None else value),
    },
    derived={"needed": lambda check: _finite(check.needed)[0]},
)
