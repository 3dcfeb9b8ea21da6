"""What an engine does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from truegain.resampling.design import Design
from truegain.resampling.units import UnitTable

__all__ = ["Engine", "Reduce"]

#: From totals (columns, resamples) to what is kept of them (rows, resamples).
Reduce = Callable[[NDArray[np.float64]], NDArray[np.float64]]


class Engine(Protocol):
    """Something that computes the totals of many resamples."""

    def resample(
        self,
        design: Design,
        table: UnitTable,
        resamples: int,
        reduce: Reduce,
        progress: Callable[[int], None] | None = None,
        *,
        first: int = 0,
    ) -> NDArray[np.float64]:
        """Reduce the totals of resamples ``first`` to ``first + resamples``; the result does not depend on the chunks.

        Totals are exact. ``reduce`` must treat every resample alone. Gives an array (rows, resamples); parts made one
        after the other are, side by side, what would have been made at once.
        """
        ...

    def deal(
        self,
        seed: int,
        values: NDArray[np.int64],
        resamples: int,
        reduce: Reduce,
        progress: Callable[[int], None] | None = None,
    ) -> NDArray[np.float64]:
        """Reduce the sums of statistics (units, runs, k) whose runs are dealt out anew in every unit.

        ``reduce`` gets sums (resamples, runs, k), and gives an array (rows, resamples).
        """
        ...
