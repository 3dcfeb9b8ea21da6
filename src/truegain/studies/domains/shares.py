"""Shares of agreeing signs, by p: from one set to another, and on draws from a population."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from truegain.inference.agreement import BAND, EDGES, Agreement, Signs, bins_of, expected_agreement
from truegain.studies.domains.draws import Counted
from truegain.studies.domains.parts import Population, Share, Transfer

__all__ = ["Level", "population_of", "transfer_of"]


@dataclass(frozen=True)
class Level:
    """Level and systems that all shares have in common.

    Attributes
    ----------
    alpha : float
        Up to which p is significant; intervals have the level 1 − alpha.
    systems : int
    drawn : array (resamples, systems)
        Resamples of the systems.
    """

    alpha: float
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
            ci=agreement.interval(self.drawn, 1.0 - self.alpha),
            expected=expected / count if count else None,
            shown=shown,
            opposite=opposite,
        )


def _bins() -> list[tuple[float, float]]:
    return list(zip((0.0, *EDGES[:-1]), EDGES, strict=True))


def transfer_of(metric: str, source: tuple[str, Signs], target: tuple[str, Signs], level: Level) -> Transfer:
    """Return the transfer from one set to another, each by its name and the signs of all pairs on it."""
    here, there = source[1], target[1]
    directed = here.deltas != 0.0
    ties = there.deltas == 0.0
    agree = np.sign(here.deltas) == np.sign(there.deltas)
    same = np.where(ties, 0.5, agree)
    expected = expected_agreement(here, there)
    shown = (there.p <= level.alpha) & ~ties

    def share(ends: tuple[float, float], inside: NDArray[np.bool_]) -> Share:
        held = inside & directed
        significant = int((held & shown & agree).sum()), int((held & shown & ~agree).sum())
        cases = held.astype(np.float64)
        return level.share(
            ends, cases, cases * same, float((held & ties).sum()), float(expected[held].sum()), significant
        )

    bins = bins_of(here.p)
    return Transfer(
        metric=metric,
        source=source[0],
        target=target[0],
        undirected=int((~directed).sum()),
        bins=tuple(share(ends, bins == number) for number, ends in enumerate(_bins())),
        significant=share((0.0, level.alpha), here.p <= level.alpha),
    )


def population_of(name: str, metric: str, size: int, draws: int, counted: Counted, level: Level) -> Population:
    """Return what was counted on draws from a set of that name, under a metric."""
    ends = [*_bins(), (0.0, level.alpha), BAND]
    shares = [
        level.share(
            one,
            counted.cases[kind],
            counted.same[kind],
            float(counted.ties[kind].sum()),
            float(counted.cases[kind].sum() - counted.p[kind]),
        )
        for kind, one in enumerate(ends)
    ]
    return Population(
        metric=metric,
        set=name,
        units=size,
        draws=draws,
        undirected=counted.undirected,
        bins=tuple(shares[:-2]),
        significant=shares[-2],
        band=shares[-1],
        wrong=counted.wrong / (draws * counted.cases.shape[1]),
    )
