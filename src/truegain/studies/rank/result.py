"""Result of a ranking."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from truegain.fields import Field, Shape, documented
from truegain.inference.claims import Claim
from truegain.inference.intervals import Alpha
from truegain.inference.results import (
    Adjustment,
    Metrics,
    Scores,
    StandardErrors,
    SystemScore,
    TestedUnit,
    TestName,
    TestSet,
    Units,
)
from truegain.notes import Notes
from truegain.rules import Filled, Seed
from truegain.studies import view_of
from truegain.studies.consistency import names_fit, pairs_fit
from truegain.studies.keys import completed, no_entry, with_metric
from truegain.studies.rank.parts import Placed, RankedGroup, RankedGroups, RankedPair
from truegain.studies.records import record
from truegain.studies.result import METHODS, VERDICTS, Command, Result, Signature, Version
from truegain.version import __version__

_COLUMNS = (
    "metric baseline system baseline_score system_score baseline_standard_error system_standard_error "
    "baseline_cluster system_cluster delta standard_error p p_adjusted adjust better test unit n_units resamples "
    "exceedances seed claim=claim_text claim_runs claim_unit"
)


def _faults(result: RankResult) -> Iterator[tuple[str, str]]:
    yield from names_fit(result)
    for metric in result.metrics:
        scored = [one.name for one in result.scores if one.metric == metric.key]
        mine = result.placed(metric.key)
        if sorted(one.system for one in mine) != sorted(scored):
            yield "ranking", f"every system once was expected under {metric.key!r}"
        elif [one.place for one in mine] != list(range(1, len(scored) + 1)):
            yield "ranking", f"the systems in their order, from place 1 on, were expected under {metric.key!r}"
        yield from pairs_fit(result, metric.key)


@documented
@dataclass(frozen=True, repr=False)
class RankResult(Result):
    """Systems in order, and what is known about their places.

    ``result["bleu", "new"]`` is a system's place under a metric; :meth:`pair` finds two systems.
    """

    title = "Which systems are better than which?"
    study: ClassVar[str] = "rank"
    shape: ClassVar[Shape] = Shape(
        prose={
            "verdicts": VERDICTS,
            "disagreements": Annotated[tuple[str, ...], Field("The pairs on which metrics disagree, in sentences.")],
            "methods": METHODS,
        },
        first=("test", "adjust", "claim", "alpha", "testset", "unit", "n_units", "resamples", "seed"),
        faults=_faults,
    )

    testset: Annotated[TestSet, Field("The test set.")]
    metrics: Metrics
    scores: Scores
    ranking: Annotated[tuple[Placed, ...], Filled(), Field("Metric by metric, the best score first.")]
    pairs: Annotated[tuple[RankedPair, ...], Filled(), Field("Every two systems, metric by metric.")]
    test: Annotated[TestName, Field("The test of pairs.")]
    adjust: Adjustment
    claim: Annotated[Claim, Field("What the ranking extends to.")]
    alpha: Alpha
    unit: TestedUnit
    n_units: Units
    resamples: Annotated[int, Field("The number of resamples.")]
    seed: Annotated[Seed, Field("The seed of the resamples.")]
    signature: Signature
    notes: Notes = ()
    standard_errors: StandardErrors = False
    groups: Annotated[RankedGroups | None, Field("Rankings by group, if they were asked for.", optional=True)] = None
    command: Command = ""
    version: Version = __version__

    def __getitem__(self, key: str | tuple[str, str]) -> Placed:
        wanted = with_metric(key, self.metrics)
        for one in self.ranking:
            if (one.metric, one.system) == wanted:
                return one
        raise no_entry(key, ((one.metric, one.system) for one in self.ranking))

    def _keys(self) -> list[tuple[str, ...]]:
        return completed([(one.metric, one.system) for one in self.ranking], self.metrics)

    def __iter__(self) -> Iterator[Placed]:
        return iter(self.ranking)

    def placed(self, metric: str) -> list[Placed]:
        """Return the systems under a metric, the best score first."""
        return [one for one in self.ranking if one.metric == metric]

    def clusters(self, metric: str) -> list[list[str]]:
        """Return the names of the systems of each cluster under a metric, the best first."""
        found: dict[int, list[str]] = {}
        for one in self.placed(metric):
            found.setdefault(one.cluster, []).append(one.system)
        return list(found.values())

    def pair(self, metric: str, baseline: str, system: str) -> RankedPair:
        """Return two systems, in the order in which they were given."""
        for one in self.pairs:
            if (one.metric, one.baseline, one.system) == (metric, baseline, system):
                return one
        raise KeyError((metric, baseline, system))

    def score(self, metric: str, system: str) -> SystemScore:
        """Return the score of a system under a metric."""
        for one in self.scores:
            if (one.metric, one.name) == (metric, system):
                return one
        raise KeyError((metric, system))

    def verdicts(self) -> list[str]:
        """Say who is on top, and how far the systems differ significantly: a sentence or two for each metric."""
        return list(view_of(self.study).verdicts(self))

    def methods(self) -> str:
        """Describe the method in a few sentences, to paste into a paper."""
        return str(view_of(self.study).methods(self))

    def used(self) -> tuple[list[str], list[str]]:
        """See :meth:`truegain.studies.result.Result.used`."""
        metrics, found = super().used()
        return metrics, list(dict.fromkeys([*found, self.test, self.adjust]))

    def to_records(self) -> list[dict[str, Any]]:
        """Return one record per pair; then, with groups, one for each pair in each group."""
        records = self._records(self)
        if self.groups is None:
            return records
        of_groups = [{"group": one.group} | pair for one in self.groups.groups for pair in self._records(one)]
        return [*({"group": ""} | one for one in records), *of_groups]

    def _records(self, of: RankResult | RankedGroup) -> list[dict[str, Any]]:
        scores = {(one.metric, one.name): one for one in of.scores}
        clusters = {(one.metric, one.system): one.cluster for one in of.ranking}
        records = []
        for one in of.pairs:
            sides = {"baseline": (one.metric, one.baseline), "system": (one.metric, one.system)}
            own: dict[str, Any] = {f"{side}_score": scores[key].score for side, key in sides.items()}
            own |= {f"{side}_standard_error": scores[key].standard_error for side, key in sides.items()}
            own |= {f"{side}_cluster": clusters[key] for side, key in sides.items()}
            own |= {"unit": of.unit, "n_units": of.n_units}
            records.append(record(_COLUMNS, own, one, self))
        return records
