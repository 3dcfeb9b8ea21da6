"""Check of one metric at a gate."""

from __future__ import annotations

import math
from typing import Annotated, Literal

from truegain.inference.intervals import Level
from truegain.inference.results import TestedPair, TestName
from truegain.rows import NonNegative, field


class GateCheck(TestedPair, kw_only=True, rename={"lower_end": "lower", "upper_end": "upper", "gain_needed": "needed"}):
    """Pair of systems under a metric that lets the system pass, or not."""

    test: TestName
    alternative: Annotated[Literal["greater", "less"], field("The side that the test looks at.")]
    margin: Annotated[
        NonNegative | None,
        field("The gain that must be exceeded (better), the loss that is allowed (not-worse); none for no-loss-shown."),
    ]
    null_gain: Annotated[
        float,
        field(
            "What the gain is held against: the margin (better), less than nothing by the margin (not-worse), or 0 "
            "(no-loss-shown). The null hypothesis is that the gain is at most that (better, not-worse), or at least."
        ),
    ]
    alpha: Annotated[
        Level,
        field(
            "The level of this check: that of the gate, and for no-loss-shown that divided by the number of metrics."
        ),
    ]
    lower_end: Annotated[
        float | None,
        field(
            "The one-sided lower bound of the gain at 1 − alpha, from the same distribution as p: better and not-worse "
            "pass if it is above null_gain. None if there are too few data."
        ),
    ]
    upper_end: Annotated[
        float | None,
        field(
            "The one-sided upper bound of the gain at 1 − alpha: no-loss-shown passes if it is at least 0. None "
            "if there are too few data."
        ),
    ]
    passed: Annotated[bool, field("Whether this metric lets the system pass.")]
    same: Annotated[bool, field("Whether the two systems have the same statistics on every segment.")]
    gain_needed: Annotated[
        float | None,
        field(
            "The gain above which (no-loss-shown: from which on) the system passes here, were the spread the same; "
            "none if there is none."
        ),
    ] = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self._derive(gain_needed=None if math.isinf(self.needed) else self.needed)

    @property
    def lower(self) -> float:
        """The lower bound, of which there may be none."""
        return -math.inf if self.lower_end is None else self.lower_end

    @property
    def upper(self) -> float:
        """The upper bound, of which there may be none."""
        return math.inf if self.upper_end is None else self.upper_end

    @property
    def shown(self) -> bool:
        """Return whether p is small enough: a gain is shown (better, not-worse), or a loss (no-loss-shown)."""
        return self.passed == (self.alternative == "greater")

    @property
    def needed(self) -> float:
        """The gain that it takes to pass, infinite if there is none."""
        if self.alternative == "greater":
            return self.null_gain + (self.delta - self.lower)
        return self.null_gain - (self.upper - self.delta)


def null_gain(require: str, margin: float | None) -> float:
    """Return the gain that a system must be shown to exceed, or, for no-loss-shown, not to fall short of."""
    if margin is None:
        return 0.0
    return (-margin if require == "not-worse" else margin) + 0.0  # without negative zeros
