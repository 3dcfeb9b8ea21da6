"""No interval ends beyond what its metric can reach: few units make wide ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from truegain.inference.intervals import Interval
from truegain.statistics import Block

__all__ = ["within", "within_differences"]


def within(interval: Interval, block: Block) -> Interval:
    """The interval of a score, between the least and the greatest that the metric has."""
    low, high = _limits(block)
    return replace(interval, low=max(interval.low, low), high=min(interval.high, high))


def within_differences(interval: Interval, block: Block) -> Interval:
    """The interval of a difference, between the least and the greatest that two scores can have."""
    low, high = _limits(block)
    return replace(interval, low=max(interval.low, low - high), high=min(interval.high, high - low))


def _limits(block: Block) -> tuple[float, float]:
    found: tuple[float, float] = getattr(block.metric, "limits", (-np.inf, np.inf))
    return found
