"""Designs: which random weights a resample gives the units."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from truegain.errors import InputError
from truegain.resampling.generator import bootstrap_counts, resample_keys, swap_masks
from truegain.resampling.units import Units

__all__ = ["Design", "Scheme", "check_seed"]

Scheme = Literal["bootstrap", "swap"]
_STREAMS: dict[Scheme, int] = {"bootstrap": 1, "swap": 2}


@dataclass(frozen=True)
class Design:
    """Weights of the units in every resample: a pure function of seed, scheme, resample number and the unit's position.

    Attributes
    ----------
    units : Units
    scheme : "bootstrap" or "swap"
        Draw as many units as there are, with replacement (weights are counts); or choose each with probability one half
        (weights are 0 and 1).
    seed : int
    """

    units: Units
    scheme: Scheme
    seed: int

    def keys(self, first: int, last: int) -> NDArray[np.uint64]:
        """The keys of resamples ``first`` to ``last``."""
        return resample_keys(self.seed, _STREAMS[self.scheme], first, last - first)

    def weights(self, first: int, last: int) -> NDArray[np.float32] | NDArray[np.uint8]:
        """The weights of resamples ``first`` to ``last``, shape (resamples, units)."""
        keys = self.keys(first, last)
        if self.scheme == "bootstrap":
            return bootstrap_counts(keys, self.units.count)
        return swap_masks(keys, self.units.count)


def check_seed(seed: int) -> int:
    """A seed is a whole number from 0 to 2^64 - 1."""
    if not 0 <= seed < 2**64:
        raise InputError(f"the seed must be from 0 to 2^64 - 1; got {seed}")
    return seed
