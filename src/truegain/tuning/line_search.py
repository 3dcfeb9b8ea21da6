"""The best point on a line of weights: exact, for any metric of sums (Och 2003)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from truegain.kernels import envelopes, run
from truegain.tuning.lists import Lists

#: The narrowest interval between two changes that is chosen, by the distance of the weights from zero.
_NARROW = 1e-6


@dataclass(frozen=True)
class Best:
    """Best point of a line: the step along the direction, and its quality."""

    step: float
    quality: float


def best_on_line(lists: Lists, weights: NDArray[np.float64], direction: NDArray[np.float64]) -> Best:
    """Return the middle of the interval with the best quality of the corpus.

    Between two changes of any list's best hypothesis the corpus is the same. Of intervals with the same quality the
    widest is taken, then the one nearest to zero. In an interval without an end the point lies as far beyond the last
    change as a tenth of the way between the outermost ones, at least 0.1. Intervals narrower than a millionth are left
    out: rounding would decide which hypothesis is best there.
    """
    values, slopes = lists.scores(weights), lists.scores(direction)
    rows = len(values)
    firsts, points = np.empty(lists.count, np.int64), np.empty(rows)
    before, after = np.empty(rows, np.int64), np.empty(rows, np.int64)
    changes = run(envelopes.envelopes, lists.edges, values, slopes, firsts, points, before, after)
    order = np.argsort(points[:changes], kind="stable")
    points, before, after = points[order], before[order], after[order]
    totals = np.empty((changes + 1, lists.statistics.shape[1]))
    totals[0] = lists.statistics[firsts].sum(axis=0) + lists.rest
    np.subtract(lists.statistics[after], lists.statistics[before], out=totals[1:])
    np.cumsum(totals, axis=0, out=totals)
    if not changes:
        return Best(0.0, float(lists.quality(totals)[0]))
    margin = max(0.1, 0.1 * float(points[-1] - points[0]))
    ends = np.concatenate([[points[0] - 2 * margin], points, [points[-1] + 2 * margin]])
    widths = np.diff(ends)
    usable = widths > _NARROW * max(1.0, float(np.abs(weights).max()))
    quality = np.where(usable, lists.quality(totals), -np.inf)
    middles = ends[:-1] + widths / 2
    best = np.lexsort((np.abs(middles), -widths, -quality))[0]
    return Best(float(middles[best]), float(quality[best]))
