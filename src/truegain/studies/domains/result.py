"""Result on several test sets."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from truegain.inference.intervals import Alpha
from truegain.inference.results import Metrics
from truegain.results import Result, no_entry
from truegain.rows import Count, Proportion, Seed, field, record
from truegain.settings.domains import BINS
from truegain.studies.domains.parts import (
    Pooled,
    Population,
    SetPair,
    SetScore,
    SetThreshold,
    TestedSet,
    Transfer,
    listed,
)

_COLUMNS = (
    "metric source target drawn_units draws p_above=low p_up_to=high pairs cases same ties share ci_low ci_high "
    "expected significant_same=shown significant_opposite=opposite seed"
)


class DomainsResult(Result, tag="domains", kw_only=True):
    """Extent to which differences between systems hold on other test sets.

    ``result["bleu", "news", "talks"]`` is the transfer from one set to another.
    """

    title = "Does it hold on other test sets?"
    study: ClassVar[str] = "domains"

    sets: Annotated[tuple[TestedSet, ...], field("The test sets, or the domains of one.", min_length=1)]
    metrics: Metrics
    scores: Annotated[tuple[SetScore, ...], field("The score of every system on every set.", min_length=1)]
    pairs: Annotated[tuple[SetPair, ...], field("Every two systems, metric by metric; empty for one set alone.")]
    transfers: Annotated[tuple[Transfer, ...], field("From every set to every other, metric by metric.")]
    populations: Annotated[
        tuple[Population, ...], field("Every set as the population, metric by metric and size by size.")
    ]
    alpha: Annotated[Alpha, field("The level of the tests, which are one-sided.")]
    resamples: Annotated[Count, field("The number of resamples.")]
    draw_resamples: Annotated[Count, field("The number of resamples of each draw.")]
    seed: Annotated[Seed, field("The seed of the resamples.")]
    bins: Annotated[
        tuple[Proportion, ...], field("The ends of the bins of p, rising; one more bin ends at 1.", min_length=1)
    ] = BINS
    pooled: Annotated[
        tuple[Pooled, ...],
        field("All transfers as one, metric by metric; empty for fewer than three sets, and in results without it."),
    ] = ()
    thresholds: Annotated[
        tuple[SetThreshold, ...],
        field("With several sets: what gain is usually significant on each, for every size of draws that all have."),
    ] = ()

    def __getitem__(self, key: tuple[str, str, str]) -> Transfer:
        for one in self.transfers:
            if (one.metric, one.source, one.target) == key:
                return one
        raise no_entry(key, self._keys())

    def _keys(self) -> list[tuple[str, ...]]:
        return [(one.metric, one.source, one.target) for one in self.transfers]

    @property
    def ends(self) -> list[tuple[float, float]]:
        """Return where each bin of p begins and ends."""
        return list(zip((0.0, *self.bins), (*self.bins, 1.0), strict=True))

    @property
    def systems(self) -> tuple[str, ...]:
        """Their names, in order."""
        return tuple(dict.fromkeys(one.system for one in self.scores))

    def population(self, metric: str, name: str, units: int | None = None) -> Population:
        """Return a set as the population; by default with the first size of draws."""
        for one in self.populations:
            if (one.metric, one.set) == (metric, name) and units in (None, one.units):
                return one
        raise KeyError((metric, name, units))

    def verdicts(self) -> list[str]:
        """Say a few sentences for each metric."""
        return list(self._view.verdicts(self))

    def methods(self) -> str:
        """Describe the method in a few sentences, to paste into a paper."""
        return str(self._view.methods(self))

    def used(self) -> tuple[list[str], list[str]]:
        """See :meth:`truegain.results.Result.used`."""
        metrics, found = super().used()
        return metrics, [*found, "bootstrap", "domains"]

    def to_records(self) -> list[dict[str, Any]]:
        """Return one record for each bin of p and the band, of every transfer, of all together, of every population.

        All transfers together have neither source nor target.
        """
        none = {"drawn_units": None, "draws": None}
        together = {"source": None, "target": None, **none}
        return [
            *(record(_COLUMNS, share, one, self, none) for one in self.transfers for share in listed(one)),
            *(record(_COLUMNS, share, one, self, together) for one in self.pooled for share in listed(one)),
            *(
                record(_COLUMNS, {"source": one.set, "target": one.set, "drawn_units": one.units}, share, one, self)
                for one in self.populations
                for share in listed(one)
            ),
        ]
