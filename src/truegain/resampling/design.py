"""Designs: which random weights a resample gives the units."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from truegain.errors import InputError
from truegain.resampling.generator import (
    bootstrap_bytes,
    resample_keys,
    stationary_counts,
    stratified_counts,
    swap_masks,
)
from truegain.resampling.streams import Stream
from truegain.resampling.units import Units

Scheme = Literal["bootstrap", "swap"]
_MANY = 1 << 17  # units, of which weights are counted in bytes
_STREAMS: dict[Scheme, Stream] = {"bootstrap": Stream.BOOTSTRAP, "swap": Stream.SWAPS}


@dataclass(frozen=True)
class Design:
    """Weights of the units in every resample: a pure function of seed, scheme, resample number and the unit's position.

    Attributes
    ----------
    units : Units
    scheme : "bootstrap" or "swap"
        Draw as many units as there are, with replacement (weights are counts, and their sum is the number of units);
        or choose each with probability one half (weights are 0 and 1). Units in strata are drawn within each stratum
        (Davison and Hinkley 1997, section 3.2), blocks by the stationary bootstrap (Politis and Romano 1994). A swap is
        of one unit at a time, so strata do not matter to it, and blocks have none.
    seed : int
    """

    units: Units
    scheme: Scheme
    seed: int

    def __post_init__(self) -> None:
        if self.scheme == "swap" and self.units.kind == "block":
            raise ValueError("blocks begin and end elsewhere in every resample: they can be drawn, not swapped")

    @property
    def draws_alike(self) -> bool:
        """Every draw is of all units, each as likely as any other: there are no strata and no blocks."""
        return self.scheme == "bootstrap" and self.units.mean_length is None and len(self.units.strata) == 1

    def keys(self, first: int, last: int) -> NDArray[np.uint64]:
        """Return the keys of resamples ``first`` to ``last``."""
        stream = Stream.BLOCKS if self.units.kind == "block" else _STREAMS[self.scheme]
        return resample_keys(self.seed, stream, first, last - first)

    def weights(self, first: int, last: int) -> NDArray[np.float32] | NDArray[np.uint8]:
        """Return the weights of resamples ``first`` to ``last``, shape (resamples, units)."""
        keys = self.keys(first, last)
        if self.scheme == "swap":
            return swap_masks(keys, self.units.count)
        if (
            self.draws_alike
            and self.units.count >= _MANY
            and (counts := bootstrap_bytes(keys, self.units.count)) is not None
        ):
            return counts
        if self.units.mean_length is not None:
            return stationary_counts(keys, self.units.count, self.units.mean_length)
        return stratified_counts(keys, self.units.strata)


def check_seed(seed: int) -> int:
    """Return the seed; refuse one that is not from 0 to 2^64 - 1."""
    if not 0 <= seed < 2**64:
        raise InputError(f"the seed must be from 0 to 2^64 - 1; got {seed}")
    return seed
