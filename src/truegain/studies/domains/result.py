"""Result on several test sets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from truegain.fields import Field, Shape, documented
from truegain.inference.intervals import Alpha
from truegain.inference.results import Metrics
from truegain.notes import Notes
from truegain.rules import Count, Filled, Proportion, Seed
from truegain.settings.domains import BINS
from truegain.studies import view_of
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
from truegain.studies.keys import no_entry
from truegain.studies.records import record
from truegain.studies.result import METHODS, VERDICTS, Command, Result, Signature, Version
from truegain.version import __version__

_COLUMNS = (
    "metric source target drawn_units draws p_above=low p_up_to=high pairs cases same ties share ci_low ci_high "
    "expected significant_same=shown significant_opposite=opposite seed"
)


def _faults(result: DomainsResult) -> Iterator[tuple[str, str]]:
    sets = [one.name for one in result.sets]
    if len(set(sets)) < len(sets):
        yield "sets", f"a set occurs twice: {', '.join(sets)}"
    if not result.transfers and not result.populations:
        yield "transfers", "a list that is not empty was expected where nothing was drawn"
    metrics = [one.key for one in result.metrics]
    if len(set(metrics)) < len(metrics):
        yield "metrics", f"a metric occurs twice: {', '.join(metrics)}"
    several = len(sets) > 1
    expected = [(m, a, b) for m in metrics for a in sets for b in sets if a != b]
    if [(one.metric, one.source, one.target) for one in result.transfers] != expected:
        yield "transfers", "one from every set to every other was expected, metric by metric"
    systems = result.systems
    scored = [(one.metric, one.set, one.system) for one in result.scores]
    if sorted(scored) != sorted((m, a, s) for m in metrics for a in sets for s in systems):
        yield "scores", "one score of every system on every set was expected, metric by metric"
    pairs = [(one.metric, one.baseline, one.system) for one in result.pairs]
    wanted = [(m, a, b) for m in metrics for i, a in enumerate(systems) for b in systems[i + 1 :]]
    if pairs != (wanted if several else []):
        yield "pairs", "every two systems were expected, metric by metric, where there are several sets, and else none"
    for place, pair in enumerate(result.pairs):
        if not len(pair.deltas) == len(pair.p) == len(sets):
            yield f"pairs[{place}].deltas", f"{len(sets)} differences and p-values were expected, one per set"
    if result.pooled and [one.metric for one in result.pooled] != metrics:
        yield "pooled", "one was expected for each metric, or none"
    bins = [(f"transfers[{place}].bins", one.bins) for place, one in enumerate(result.transfers)]
    bins += [(f"pooled[{place}].bins", one.bins) for place, one in enumerate(result.pooled)]
    bins += [(f"populations[{place}].bins", one.bins) for place, one in enumerate(result.populations)]
    for where, held in bins:
        if [(one.low, one.high) for one in held] != result.ends:
            known = ", ".join(f"{low:g} to {high:g}" for low, high in result.ends)
            yield where, f"a list of the bins of p, {known}, was expected"
    for place, one in enumerate(result.populations):
        if one.set not in sets:
            yield f"populations[{place}].set", f"one of the sets {', '.join(sets)} was expected; found {one.set!r}"
        if one.metric not in metrics:
            known = ", ".join(metrics)
            yield f"populations[{place}].metric", f"one of the metrics {known} was expected; found {one.metric!r}"
    sizes = sorted({(one.metric, one.units) for one in result.thresholds})
    known_sets = sorted((one.metric, one.set, one.units) for one in result.thresholds)
    if known_sets != sorted((m, a, n) for m, n in sizes for a in sets) or not {m for m, _ in sizes} <= set(metrics):
        yield "thresholds", "one was expected for every set, metric by metric and size by size"
    for place, threshold in enumerate(result.thresholds):
        if len(threshold.errors) * len(metrics) != len(result.pairs):
            yield f"thresholds[{place}].errors", "one number for every two systems was expected"


@documented
@dataclass(frozen=True, repr=False)
class DomainsResult(Result):
    """Extent to which differences between systems hold on other test sets.

    ``result["bleu", "news", "talks"]`` is the transfer from one set to another.
    """

    title = "Does it hold on other test sets?"
    study: ClassVar[str] = "domains"
    shape: ClassVar[Shape] = Shape(
        prose={"verdicts": VERDICTS, "methods": METHODS},
        first=("alpha", "resamples", "draw_resamples", "seed", "sets"),
        faults=_faults,
    )

    sets: Annotated[tuple[TestedSet, ...], Filled(), Field("The test sets, or the domains of one.")]
    metrics: Metrics
    scores: Annotated[tuple[SetScore, ...], Filled(), Field("The score of every system on every set.")]
    pairs: Annotated[tuple[SetPair, ...], Field("Every two systems, metric by metric; empty for one set alone.")]
    transfers: Annotated[tuple[Transfer, ...], Field("From every set to every other, metric by metric.")]
    populations: Annotated[
        tuple[Population, ...], Field("Every set as the population, metric by metric and size by size.")
    ]
    alpha: Annotated[Alpha, Field("The level of the tests, which are one-sided.")]
    resamples: Annotated[Count, Field("The number of resamples.")]
    draw_resamples: Annotated[Count, Field("The number of resamples of each draw.")]
    seed: Annotated[Seed, Field("The seed of the resamples.")]
    signature: Signature
    bins: Annotated[
        tuple[Proportion, ...], Filled(), Field("The ends of the bins of p, rising; one more bin ends at 1.")
    ] = BINS
    pooled: Annotated[
        tuple[Pooled, ...],
        Field("All transfers as one, metric by metric; empty for fewer than three sets, and in results without it."),
    ] = ()
    thresholds: Annotated[
        tuple[SetThreshold, ...],
        Field("With several sets: what gain is usually significant on each, for every size of draws that all have."),
    ] = ()
    notes: Notes = ()
    command: Command = ""
    version: Version = __version__

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
        return list(view_of(self.study).verdicts(self))

    def methods(self) -> str:
        """Describe the method in a few sentences, to paste into a paper."""
        return str(view_of(self.study).methods(self))

    def used(self) -> tuple[list[str], list[str]]:
        """See :meth:`truegain.studies.result.Result.used`."""
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
