"""Shares of agreeing signs, by p: from one set to another, and on draws from a population."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from truegain.inference.agreement import Agreement, Kinds, Signs, expected_agreement
from truegain.studies.domains.draws import Counted
from truegain.studies.domains.parts import Pooled, Population, Share, Transfer


@dataclass(frozen=True)
class Level:
    """Kinds of cases and systems that all shares have in common.

    Attributes
    ----------
    kinds : Kinds
        With the alpha up to which p is significant; intervals have the level 1 − alpha.
    systems : int
    drawn : array (resamples, systems)
        Resamples of the systems.
    """

    kinds: Kinds
    systems: int
    drawn: NDArray[np.float32]

    def share(
        self,
        ends: tuple[float, float],
        cases: NDArray[np.float64],
        same: NDArray[np.float64],
        ties: float,
        expected: float,
        significant: tuple[int, int] | None = None,
    ) -> Share:
        """Return the share among pairs, each counted ``cases`` times; ``expected`` and ``ties`` are sums over cases."""
        agreement = Agreement(self.systems, cases, same)
        count = int(cases.sum())
        shown, opposite = (None, None) if significant is None else significant
        return Share(
            low=ends[0],
            high=ends[1],
            pairs=int(np.count_nonzero(cases)),
            cases=count,
            same=float(same.sum()),
            ties=int(ties),
            share=agreement.share,
            ci=agreement.interval(self.drawn, 1.0 - self.kinds.alpha),
            expected=expected / count if count else None,
            shown=shown,
            opposite=opposite,
        )


@dataclass(frozen=True)
class Compared:
    """All pairs on one set and on another, counted by kinds of p on the first; shape (kinds, pairs).

    Attributes
    ----------
    cases, same, ties, expected, shown, opposite : array (kinds, pairs)
        See :class:`truegain.studies.domains.parts.Share`.
    undirected : int
    """

    cases: NDArray[np.float64]
    same: NDArray[np.float64]
    ties: NDArray[np.float64]
    expected: NDArray[np.float64]
    shown: NDArray[np.float64]
    opposite: NDArray[np.float64]
    undirected: int

    def __add__(self, other: Compared) -> Compared:
        """Return the counts of both together."""
        return Compared(
            self.cases + other.cases,
            self.same + other.same,
            self.ties + other.ties,
            self.expected + other.expected,
            self.shown + other.shown,
            self.opposite + other.opposite,
            self.undirected + other.undirected,
        )

    def shares(self, level: Level) -> list[Share]:
        """Return the share of each kind."""
        return [
            level.share(
                ends,
                self.cases[kind],
                self.same[kind],
                float(self.ties[kind].sum()),
                float(self.expected[kind].sum()),
                (int(self.shown[kind].sum()), int(self.opposite[kind].sum())),
            )
            for kind, ends in enumerate(level.kinds.ends)
        ]


def compared(here: Signs, there: Signs, kinds: Kinds) -> Compared:
    """Return how often the signs of all pairs on one set are those on another."""
    directed = here.deltas != 0.0
    ties = there.deltas == 0.0
    agree = np.sign(here.deltas) == np.sign(there.deltas)
    shown = (there.p <= kinds.alpha) & ~ties
    cases = (kinds.of(here.p) & directed).astype(np.float64)
    return Compared(
        cases=cases,
        same=cases * np.where(ties, 0.5, agree),
        ties=cases * ties,
        expected=cases * expected_agreement(here, there),
        shown=cases * (shown & agree),
        opposite=cases * (shown & ~agree),
        undirected=int((~directed).sum()),
    )


def transfer_of(metric: str, source: str, target: str, counted: Compared, level: Level) -> Transfer:
    """Return the transfer from one set to another."""
    *bins, significant, band = counted.shares(level)
    return Transfer(metric, source, target, counted.undirected, tuple(bins), significant, band)


def pooled_of(metric: str, counted: Sequence[Compared], level: Level) -> Pooled:
    """Return all transfers under a metric as one."""
    total = sum(counted[1:], counted[0])
    *bins, significant, band = total.shares(level)
    return Pooled(metric, len(counted), total.undirected, tuple(bins), significant, band)


def population_of(name: str, metric: str, size: int, draws: int, counted: Counted, level: Level) -> Population:
    """Return what was counted on draws from a set of that name, under a metric."""
    *bins, significant, band = [
        level.share(
            ends,
            counted.cases[kind],
            counted.same[kind],
            float(counted.ties[kind].sum()),
            float(counted.cases[kind].sum() - counted.p[kind]),
        )
        for kind, ends in enumerate(level.kinds.ends)
    ]
    return Population(
        metric=metric,
        set=name,
        units=size,
        draws=draws,
        undirected=counted.undirected,
        bins=tuple(bins),
        significant=significant,
        band=band,
        wrong=counted.wrong / (draws * counted.cases.shape[1]),
    )
