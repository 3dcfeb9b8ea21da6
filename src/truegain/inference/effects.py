"""Effect sizes: how large a difference is, whether or not it is real."""

from __future__ import annotations

import math
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from truegain.rows import Number, Row, field


class Effect(Row):
    """The size of a difference over segments."""

    wins: Annotated[Number, field("The number of segments on which the system is better than the baseline.")]
    ties: Annotated[Number, field("The number of segments on which both are as good.")]
    losses: Annotated[Number, field("The number of segments on which the system is worse.")]
    standardized: Annotated[
        float | None, field("The mean difference in standard deviations of the differences; none if these are all 0.")
    ]


def effect_of(differences: NDArray[np.float64], slack: float = 0.0) -> Effect:
    """Return the size of a difference, from the paired differences of segments.

    Parameters
    ----------
    differences : array
        One per segment, positive if the system is better than the baseline.
    slack : float
        Differences up to this are ties.
    """
    wins = int(np.count_nonzero(differences > slack))
    losses = int(np.count_nonzero(differences < -slack))
    return Effect(wins, differences.size - wins - losses, losses, standardized_mean(differences, slack))


def standardized_mean(differences: NDArray[np.float64], slack: float = 0.0) -> float | None:
    """Return Cohen's d_z (1988, ch. 2): the mean over the standard deviation, with n - 1 in its denominator.

    Differences up to ``slack`` are taken as 0. None if there is no standard deviation: for fewer than two differences,
    and if they are all within slack of each other.
    """
    if differences.size < 2:
        return None
    settled = np.where(np.abs(differences) > slack, differences, 0.0)
    low, high = float(settled.min()), float(settled.max())
    if high - low <= slack:
        return None
    scaled = settled / max(high, -low)  # squares of the smallest floats would be 0, and of the largest infinite
    return float(scaled.mean()) / math.sqrt(float(scaled.var(ddof=1)))
