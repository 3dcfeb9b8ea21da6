"""Means over segments: what metrics have in common that score each segment by itself."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray


class MeanOfSegments:
    """A metric whose statistics are the value of a segment, from 0 to 1, and 1: the score is their mean, in percent."""

    higher_is_better: ClassVar[bool] = True
    reads: ClassVar[Literal["text"]] = "text"
    limits: ClassVar[tuple[float, float]] = (0.0, 100.0)
    denominator: ClassVar[tuple[int, ...]] = (1,)

    def score(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the mean, in percent, of summed statistics (..., 2)."""
        totals = np.asarray(totals, np.float64)
        return np.asarray(100.0 * (totals[..., 0] / np.maximum(totals[..., 1], 1.0)))

    def score_on_device(self, totals: Any) -> Any:
        """Score a tensor as :meth:`score` does; not a number if there is nothing to average."""
        return (100.0 * (totals[..., 0] / totals[..., 1])).where(totals[..., 1] > 0, float("nan"))
