"""Work for engines: designs and data, and what is kept of every resample."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from truegain.resampling.design import Design
from truegain.resampling.units import UnitTable
from truegain.statistics import Block

if TYPE_CHECKING:
    from truegain.engines.pairs import PairQuestion

#: From the sums of some resamples to what is kept of them (rows, resamples), every resample alone. An instance of a
#: class at the top of a module, where it is to be sent to other processes.
Reduce = Callable[[NDArray[np.float64]], NDArray[np.float64]]


@dataclass(frozen=True)
class Resampling:
    """Draw or swap units; ``reduce`` gets their totals (columns, resamples)."""

    design: Design
    table: UnitTable
    reduce: Reduce


@dataclass(frozen=True)
class Dealing:
    """Permutation of runs in every unit: statistics (units, runs, k); ``reduce`` gets (resamples, runs, k)."""

    seed: int
    values: NDArray[np.int64]
    reduce: Reduce


@dataclass(frozen=True)
class Counting:
    """Draw units, and count pairs of systems by their scores: one question per metric."""

    design: Design
    table: UnitTable
    blocks: tuple[Block, ...]
    questions: tuple[PairQuestion, ...]
