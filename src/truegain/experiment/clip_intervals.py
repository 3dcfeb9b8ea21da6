"""No interval ends beyond what its score can reach: few units make wide ones."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from truegain.inference.intervals import Interval
from truegain.metrics.base import Metric
from truegain.metrics.segment_scores import SegmentScores

#: The least and the greatest score.
Limits = tuple[float, float]

#: Of a score that nothing is known of.
ANY: Limits = (-math.inf, math.inf)


def limits_of(metric: Metric, statistics: Sequence[NDArray[np.float64]] = ()) -> Limits:
    """Return the limits of a score.

    A metric says so itself. Of segment scores from elsewhere the range is not known, but shares and ratings show it:
    if none is below 0 or above 1 (or 100), and one is 0 or 1 (or 100), their mean cannot pass these ends.

    Parameters
    ----------
    metric : Metric
    statistics : sequence of arrays (segments, columns)
        Of the runs that the score is of, if they are known.
    """
    found: Limits | None = getattr(metric, "limits", None)
    if found is not None:
        return found
    if not statistics or not isinstance(metric, SegmentScores) or metric.over is not None:
        return ANY
    scores = [own[:, :: len(metric.statistic_names)] for own in statistics]
    low, high = min(float(own.min()) for own in scores), max(float(own.max()) for own in scores)
    top = next((end for end in (1.0, 100.0) if high <= end), math.inf)
    return (0.0, top) if low == 0.0 or (low > 0.0 and high == top) else ANY


def clip(interval: Interval, limits: Limits) -> Interval:
    """Clip the interval of a score to its limits."""
    low, high = limits
    return replace(interval, low=max(interval.low, low), high=min(interval.high, high))


def clip_difference(interval: Interval, limits: Limits) -> Interval:
    """Clip the ends of a difference of two scores to the least and the greatest that it can be, if there are ends."""
    low, high = limits
    return replace(
        interval,
        low=interval.low if math.isinf(interval.low) else max(interval.low, low - high),
        high=interval.high if math.isinf(interval.high) else min(interval.high, high - low),
    )
