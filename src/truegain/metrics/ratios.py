"""Precision, recall and F of counts, over any leading axes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["f_score", "share"]


def share(part: NDArray[np.float64], whole: NDArray[np.float64], otherwise: NDArray[np.float64]) -> NDArray[np.float64]:
    """Divide a part by the whole, in percent; where there is no whole, take what is given instead."""
    ratio = np.divide(part, whole, out=np.array(otherwise, np.float64), where=whole > 0)
    return np.asarray(100.0 * ratio)


def f_score(
    correct: NDArray[np.float64], wanted: NDArray[np.float64], found: NDArray[np.float64]
) -> NDArray[np.float64]:
    """F1 in percent, twice the correct over the wanted and the found; 100 where nothing is wanted and nothing found."""
    return share(2.0 * correct, wanted + found, np.ones_like(correct))
