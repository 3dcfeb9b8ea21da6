"""Measures and tests by name."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from truegain.agreement.judged import Array, Judged, Resampled
from truegain.agreement.segment_level import ItemKendall, SegmentPearson, TieAccuracy
from truegain.agreement.system_level import PairwiseAccuracy, SoftAccuracy, SystemPearson


class Measure(Protocol):
    """Measure of the agreement of metrics with people.

    Attributes
    ----------
    name, label : str
    smooth : bool
        Whether the jackknife serves it; a count of pairs of systems needs the bootstrap.
    """

    name: str
    label: str
    smooth: bool

    def __init__(self, judged: Judged, *, resamples: int, seed: int) -> None: ...

    def values(self) -> Array:
        """Return the measure of each metric."""

    def chance(self) -> Array:
        """Return what each metric would have by chance."""

    def replicates(self, resampled: Resampled) -> list[Array]:
        """Return the measure of each metric, row by row, over all systems and without each."""

    def system_swaps(self, masks: NDArray[np.bool_]) -> tuple[Array, Array]:
        """Return differences of all pairs of metrics, observed and swapped by system."""


MEASURES: dict[str, type[Measure]] = {
    kind.name: kind
    for kind in (PairwiseAccuracy, SoftAccuracy, SystemPearson, TieAccuracy, ItemKendall, SegmentPearson)
}

_SWAPS = {"perm-sys": "system_swaps", "perm-both": "cell_swaps", "pair-swaps": "pair_swaps"}


def measures_of(test: str) -> list[str]:
    """Return the measures that a test can compare metrics by."""
    return [name for name, kind in MEASURES.items() if hasattr(kind, _SWAPS.get(test, "values"))]
