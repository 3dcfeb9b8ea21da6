"""Does the sign of a difference hold elsewhere? All pairs by their p-values on one test set, counted on another."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from truegain.inference.all_pairs import AllPairs, pairs_of
from truegain.inference.distributions import normal_cdf
from truegain.inference.pvalues import clopper_pearson

#: Around .05, as Berg-Kirkpatrick et al. (2012) look at it: both ends belong to it.
BAND = (0.04, 0.06)

_HELD = 4_000_000  # numbers held at once where systems are resampled


@dataclass(frozen=True)
class Signs:
    """All pairs on one test set.

    Attributes
    ----------
    deltas : array (pairs,)
        Differences, second system less first, positive if the second is better; exactly 0 if they are the same.
    p : array (pairs,)
        One-sided: that the better of the two is no better. 1 if neither is.
    spreads : array (pairs,)
        Standard errors of the differences.
    """

    deltas: NDArray[np.float64]
    p: NDArray[np.float64]
    spreads: NDArray[np.float64]


def signs_of(pairs: AllPairs) -> Signs:
    """Return differences, one-sided p-values and standard errors from resamples that all pairs share."""
    deltas = np.where(np.abs(pairs.deltas) <= pairs.slacks, 0.0, pairs.deltas)
    return Signs(deltas, one_sided(pairs), pairs.spreads())


def one_sided(pairs: AllPairs) -> NDArray[np.float64]:
    """Return each pair's p of the paired bootstrap for the better system, shifted by the observed difference.

    As :func:`truegain.inference.pvalues.bootstrap_test`, with the alternative on the side of the difference.
    """
    p = (pairs.wins() + 1) / (pairs.resampled.shape[1] + 1)
    return np.where(np.abs(pairs.deltas) <= pairs.slacks, 1.0, p)


@dataclass(frozen=True)
class Kinds:
    """Kinds of cases by p: each of its bins, then all p up to alpha, then those around .05.

    Attributes
    ----------
    bins : tuple of float
        The ends of the bins, rising: (0, .01] and so on; one more ends at 1.
    alpha : float
    """

    bins: tuple[float, ...]
    alpha: float

    @property
    def ends(self) -> list[tuple[float, float]]:
        """Return where each kind begins and ends."""
        return [*zip((0.0, *self.bins), (*self.bins, 1.0), strict=True), (0.0, self.alpha), BAND]

    def of(self, p: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Return whether each p is of each kind: shape (…, kinds, pairs) for p of (…, pairs)."""
        lows, highs = (np.array(ends)[:, None] for ends in zip(*self.ends, strict=True))
        given = p[..., None, :]
        inside = (given > lows) & (given <= highs)
        inside[..., -1, :] |= p == BAND[0]
        return np.asarray(inside)


def expected_agreement(source: Signs, target: Signs) -> NDArray[np.float64]:
    """Return the probability that each pair has the same sign on another test set *of the same domain*.

    The difference there has the observed one as its mean, and the variances of both test sets: the prediction if only
    this difference is known.
    """
    spreads = np.sqrt(source.spreads**2 + target.spreads**2)
    sizes = np.abs(source.deltas)
    return np.array(
        [
            normal_cdf(size / spread) if spread > 0.0 else 1.0 if size > 0.0 else 0.5
            for size, spread in zip(sizes.tolist(), spreads.tolist(), strict=True)
        ]
    )


@dataclass(frozen=True)
class Agreement:
    """Share of pairs whose signs agree, each counted once or more often, and its interval for other systems.

    Attributes
    ----------
    systems : int
    cases, same : array (pairs,)
        How often each pair counts, and how often its sign is the same, a tie being half.
    """

    systems: int
    cases: NDArray[np.float64]
    same: NDArray[np.float64]

    @cached_property
    def share(self) -> float | None:
        """Share of all cases; None if there are none."""
        total = float(self.cases.sum())
        return float(self.same.sum()) / total if total else None

    def interval(self, drawn: NDArray[np.float32], level: float) -> tuple[float, float] | None:
        """Return the interval of the share if systems, not pairs, are the sample.

        Percentiles over resamples of the systems, in which a pair counts as often as both of its systems together; and
        at least as wide as if the pairs were independent (Clopper and Pearson), for they are no better than that.

        Parameters
        ----------
        drawn : array (resamples, systems)
            How often each system is drawn.
        level : float
        """
        share = self.share
        if share is None:
            return None
        held = np.flatnonzero(self.cases)
        firsts, seconds = (one[held] for one in pairs_of(self.systems))
        cases, same = self.cases[held], self.same[held]
        shares = []
        step = max(1, _HELD // held.size)
        for start in range(0, len(drawn), step):
            part = drawn[start : start + step].astype(np.float64)
            weights = part[:, firsts] * part[:, seconds]
            totals = weights @ cases
            kept = totals > 0.0
            shares.append((weights @ same)[kept] / totals[kept])
        tail = (1.0 - level) / 2.0
        found = np.concatenate(shares)
        low, high = np.quantile(found, [tail, 1.0 - tail]).tolist() if found.size else (share, share)
        # A tie is half a success, and Clopper and Pearson count whole ones: the next below, and the next above.
        below, above = int(np.floor(share * held.size + 1e-9)), int(np.ceil(share * held.size - 1e-9))
        least, most = clopper_pearson(below, held.size, level)[0], clopper_pearson(above, held.size, level)[1]
        return min(low, least, share), max(high, most, share)
