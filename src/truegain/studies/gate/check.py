"""Check of one metric at a gate."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from truegain.fields import Field, Shape, documented
from truegain.inference.intervals import Level
from truegain.inference.results import TestedPair, TestName
from truegain.rules import NonNegative, OrInfinite


@documented
@dataclass(frozen=True, kw_only=True)
class GateCheck(TestedPair):
    """Pair of systems under a metric that lets the system pass, or not."""

    shape: ClassVar[Shape] = Shape(derived=("needed",))

    test: TestName
    alternative: Annotated[Literal["greater", "less"], Field("The side that the test looks at.")]
    margin: Annotated[
        NonNegative | None,
        Field("The gain that must be exceeded (better), the loss that is allowed (not-worse); none for no-loss-shown."),
    ]
    null_gain: Annotated[
        float,
        Field(
            "What the gain is held against: the margin (better), less than nothing by the margin (not-worse), or 0 "
            "(no-loss-shown). The null hypothesis is that the gain is at most that (better, not-worse), or at least."
        ),
    ]
    alpha: Annotated[
        Level,
        Field(
            "The level of this check: that of the gate, and for no-loss-shown that divided by the number of metrics."
        ),
    ]
    lower: Annotated[
        float,
        OrInfinite(-math.inf),
        Field(
            "The one-sided lower bound of the gain at 1 − alpha, from the same distribution as p: better and not-worse "
            "pass if it is above null_gain. Null in JSON if there are too few data."
        ),
    ]
    upper: Annotated[
        float,
        OrInfinite(math.inf),
        Field(
            "The one-sided upper bound of the gain at 1 − alpha: no-loss-shown passes if it is at least 0. Null in "
            "JSON if there are too few data."
        ),
    ]
    passed: Annotated[bool, Field("Whether this metric lets the system pass.")]
    same: Annotated[bool, Field("Whether the two systems have the same statistics on every segment.")]

    @property
    def shown(self) -> bool:
        """Return whether p is small enough: a gain is shown (better, not-worse), or a loss (no-loss-shown)."""
        return self.passed == (self.alternative == "greater")

    @property
    def needed(self) -> Annotated[float, OrInfinite(math.inf)]:
        """The gain above which (no-loss-shown: from which on) the system passes here, were the spread the same."""
        if self.alternative == "greater":
            return self.null_gain + (self.delta - self.lower)
        return self.null_gain - (self.upper - self.delta)


def null_gain(require: str, margin: float | None) -> float:
    """Return the gain that a system must be shown to exceed, or, for no-loss-shown, not to fall short of."""
    if margin is None:
        return 0.0
    return (-margin if require == "not-worse" else margin) + 0.0  # without negative zeros
