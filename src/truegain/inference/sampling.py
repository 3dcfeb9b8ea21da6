"""Part of a difference's variance that comes from the samples of items, and plans with more of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated

import numpy as np
from msgspec import Meta

from truegain.inference.power import Plan
from truegain.repeats import Repeats
from truegain.rows import Count, Row, field

_Mean = Annotated[float, Meta(ge=1.0, le=1e12)]
_Variance = Annotated[float, Meta(ge=0.0, le=1e100)]
_Two = tuple[_Variance, _Variance]


class Sampling(Row):
    """Part of the variance that comes from the samples of items; samples of two systems are independent."""

    samples: Annotated[
        tuple[_Mean, _Mean], field("The mean number of samples per item in the pilot, of either system.")
    ]
    within: Annotated[_Two, field("The variance of the score of a run that comes from its samples, of either system.")]
    single: Annotated[_Two, field("The same with one sample per item.")]
    runs: Annotated[tuple[Count, Count], field("The runs of either system in the pilot.")]

    def plan(self, pilot: Plan, samples: float | None) -> Plan:
        """Return the plan with another number of samples per item; None: so many that they do not vary."""
        share = 0.0 if samples is None else 1.0 / samples
        return self._with(pilot, (share * self.single[0], share * self.single[1]))

    def doubled(self, pilot: Plan) -> Plan:
        """Return the plan with twice the samples of every item."""
        return self._with(pilot, (self.within[0] / 2.0, self.within[1] / 2.0))

    def share(self, pilot: Plan) -> float:
        """Return the part of the variance over units in the pilot that comes from samples; 1 if it is all."""
        in_all = pilot.common + self._of_difference(pilot.interactions)
        within = self._of_difference(self.within)
        return within / in_all if within < in_all else 1.0

    def _with(self, pilot: Plan, within: tuple[float, float]) -> Plan:
        """Put another part in the place of the pilot's; what is left between items is not below 0."""
        if min(self.runs) > 1:  # samples are drawn for each run, so that they vary from run to run
            parts = zip(pilot.interactions, self.within, within, strict=True)
            old, new = (max(in_all - own, 0.0) + other for in_all, own, other in parts)
            return replace(pilot, interactions=(old, new))
        between = max(pilot.common - self._of_difference(self.within), 0.0)
        return replace(pilot, common=between + self._of_difference(within))

    def _of_difference(self, within: tuple[float, float]) -> float:
        return sum(variance / count for variance, count in zip(within, self.runs, strict=True))


def sampling_of(old: Sequence[Repeats], new: Sequence[Repeats]) -> Sampling | None:
    """Return the part of the variance that comes from samples; None if a run has no item with two of them.

    The variance of an item's mean is s²/K, with s² without bias from its K samples; an item with one sample is taken
    to vary as the others of its run do on average. The score is the mean over the n items, so these sum to
    Σ s²/K / n².

    Parameters
    ----------
    old, new : sequence of Repeats
        The samples of each run of either system.
    """
    parts = [[_part(run) for run in runs] for runs in (old, new)]
    if any(part is None for own in parts for part in own):
        return None
    (within_old, single_old, count_old), (within_new, single_new, count_new) = (
        tuple(np.mean([part for part in own if part is not None], axis=0).tolist()) for own in parts
    )
    return Sampling((count_old, count_new), (within_old, within_new), (single_old, single_new), (len(old), len(new)))


def _part(run: Repeats) -> tuple[float, float, float] | None:
    """Return the variance of a run's mean that comes from samples, that of single samples, and the mean number."""
    variances = run.variances()
    known = run.counts > 1
    if not known.any():
        return None
    each = np.where(known, variances, variances[known].mean())
    return (float((each / run.counts).sum()) / each.size**2, float(each.sum()) / each.size**2, float(run.counts.mean()))
