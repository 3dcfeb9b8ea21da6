"""Differences of scores with the sign that makes them gains."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from truegain.metrics.base import Metric

__all__ = ["gain"]


def gain(metric: Metric, old: NDArray[np.float64], new: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the difference of scores, positive if the new is better, or higher if neither is better."""
    return old - new if metric.higher_is_better is False else new - old
