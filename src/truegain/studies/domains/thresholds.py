"""Gain that is usually significant on test sets of one size, set by set."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from truegain.inference.all_pairs import pairs_of
from truegain.inference.distributions import normal_quantile
from truegain.inference.thresholds import drawn_interval, drawn_percentiles, percentile
from truegain.studies.domains.draws import Counted
from truegain.studies.domains.parts import SetThreshold, TestedSet
from truegain.studies.domains.shares import Level

_FEWEST_SYSTEMS = 3  # for an interval


def common_sizes(sizes: Sequence[Sequence[int]]) -> list[int]:
    """Return the sizes of drawn test sets that all sets have; none if there is one set."""
    return [size for size in sizes[0] if all(size in own for own in sizes)] if len(sizes) > 1 else []


def set_thresholds(
    metric: str, size: int, sets: Sequence[TestedSet], counted: Sequence[Counted], level: Level
) -> list[SetThreshold]:
    """Return the threshold on each set under a metric, from what was counted on draws of that size.

    Each pair would be significant at the normal quantile times its standard error on a draw, the root mean square over
    draws. The threshold is the 95th percentile over pairs, as that of :func:`truegain.threshold`; its ratio is to the
    mean of all sets. Intervals are over draws of the systems, the same ones on every set, and over the draws of
    units. Empty if on some set no difference varies.
    """
    if not all(one.errors.any() for one in counted):
        return []
    quantile = normal_quantile(1.0 - level.kinds.alpha)
    gains = [quantile * percentile(one.errors[one.errors > 0.0]) for one in counted]
    mean = float(np.mean(gains))
    drawn = [quantile * _drawn(one, level, size / tested.n_units) for one, tested in zip(counted, sets, strict=True)]
    together = np.mean(drawn, axis=0)
    several = min(_distinct(one.errors, level.systems) for one in counted) >= _FEWEST_SYSTEMS

    def ends(observed: float, values: NDArray[np.float64]) -> tuple[float, float] | tuple[None, None]:
        if not several:
            return None, None
        return drawn_interval(observed, values, level.systems, ratio=True, level=1.0 - level.kinds.alpha)

    found = []
    for tested, one, gain, own in zip(sets, counted, gains, drawn, strict=True):
        (low, high), (ratio_low, ratio_high) = ends(gain, own), ends(gain / mean, own / together)
        found.append(
            SetThreshold(
                metric=metric,
                set=tested.name,
                units=size,
                segments=size * tested.segments / tested.n_units,
                gain=gain,
                low=low,
                high=high,
                ratio=gain / mean,
                ratio_low=ratio_low,
                ratio_high=ratio_high,
                errors=tuple(one.errors.tolist()),
            )
        )
    return found


def _drawn(one: Counted, level: Level, share: float) -> NDArray[np.float64]:
    """Return the percentile of standard errors for other systems and other units: one for each draw of systems.

    Draws of units have a ``share`` of the set's units, and so vary more than the whole set would, or less.
    """
    firsts, seconds = pairs_of(level.systems)
    held = one.errors > 0.0
    by_systems = drawn_percentiles(one.errors[held], firsts[held], seconds[held], level.drawn.astype(np.float64))
    moved = np.log(one.usual[one.usual > 0.0])
    moved = (moved - moved.mean()) * np.sqrt(share)
    return np.asarray(by_systems * np.exp(np.resize(moved, by_systems.size)))


def _distinct(errors: NDArray[np.float64], systems: int) -> int:
    """Count the systems without copies of others."""
    return systems - np.unique(pairs_of(systems)[1][errors == 0.0]).size
