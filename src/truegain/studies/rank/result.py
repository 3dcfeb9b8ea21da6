"""Result of a ranking."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar

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
from truegain.results import Result, completed, no_entry, with_metric
from truegain.rows import Number, Seed, field, record
from truegain.studies.rank.parts import Placed, RankedGroup, RankedGroups, RankedPair

_COLUMNS = (
    "metric baseline system baseline_score system_score baseline_standard_error system_standard_error "
    "baseline_cluster system_cluster delta standard_error p p_adjusted adjust better test unit n_units resamples "
    "exceedances seed claim=claim_text claim_runs claim_unit"
)


class RankResult(Result, tag="rank", kw_only=True, rename={"scores": "systems"}):
    """Systems in order, and what is known about their places.

    ``result["bleu", "new"]`` is a system's place under a metric; :meth:`pair` finds two systems.
    """

    title = "Which systems are better than which?"
    study: ClassVar[str] = "rank"

    testset: Annotated[TestSet, field("The test set.")]
    metrics: Metrics
    scores: Scores
    ranking: Annotated[tuple[Placed, ...], field("Metric by metric, the best score first.", min_length=1)]
    pairs: Annotated[tuple[RankedPair, ...], field("Every two systems, metric by metric.", min_length=1)]
    test: Annotated[TestName, field("The test of pairs.")]
    adjust: Adjustment
    claim: Annotated[Claim, field("What the ranking extends to.")]
    alpha: Alpha
    unit: TestedUnit
    n_units: Units
    resamples: Annotated[Number, field("The number of resamples.")]
    seed: Annotated[Seed, field("The seed of the resamples.")]
    standard_errors: StandardErrors = False
    groups: Annotated[RankedGroups | None, field("Rankings by group, if they were asked for.")] = None

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
        return list(self._view.verdicts(self))

    def methods(self) -> str:
        """Describe the method in a few sentences, to paste into a paper."""
        return str(self._view.methods(self))

    def used(self) -> tuple[list[str], list[str]]:
        """See :meth:`truegain.results.Result.used`."""
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
        whole = self.columns()
        records = []
        for one in of.pairs:
            sides = {"baseline": (one.metric, one.baseline), "system": (one.metric, one.system)}
            own: dict[str, Any] = {f"{side}_score": scores[key].score for side, key in sides.items()}
            own |= {f"{side}_standard_error": scores[key].standard_error for side, key in sides.items()}
            own |= {f"{side}_cluster": clusters[key] for side, key in sides.items()}
            own |= {"unit": of.unit, "n_units": of.n_units}
            records.append(record(_COLUMNS, own, one, whole))
        return records
