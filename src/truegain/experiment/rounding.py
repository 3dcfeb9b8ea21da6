"""Rounding errors of scores, which distinguish ties from differences."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from truegain.inference.pvalues import rounding
from truegain.statistics import Block

__all__ = ["rounding_of"]

Floats = NDArray[np.float64]


def rounding_of(block: Block, run_scores: Floats, sizes: Floats, loss: Floats) -> Floats:
    """Return what rounding may change in the scores of systems: rounding the statistics, and scoring their sums.

    Parameters
    ----------
    block : Block
    run_scores : array (runs,)
    sizes : array (columns of the metric,)
        Sums of the statistics without their signs: what is lost is relative to these, and a score may be far below.
    loss : array (columns of the metric,)
        What rounding the statistics of segments may have done to the sums.
    """
    lost = np.divide(loss, sizes, out=np.zeros(sizes.size), where=sizes > 0.0)
    with np.errstate(all="ignore"):
        unsigned = np.abs(block.run_scores(sizes))
    largest = np.fmax(np.abs(run_scores), np.where(np.isfinite(unsigned), unsigned, 0.0))
    by_run = rounding(largest) + largest * lost.reshape(-1, block.width).max(1)
    return np.asarray(np.maximum.reduceat(by_run, np.cumsum((0, *block.run_counts))[:-1]))
