"""Result of a ranking."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from truegain.inference.claims import Claim
from truegain.inference.multiplicity import ADJUSTMENTS
from truegain.inference.results import MetricInfo, SystemScore, TestSet
from truegain.notes import Note
from truegain.studies import view_of
from truegain.studies.codec import Filled, OneOf, Shape
from truegain.studies.rank.parts import Placed, RankedPair
from truegain.studies.result import Result
from truegain.studies.shapes import ALPHA, METRICS, SCORES, SEED, TEST, UNIT, names_fit, pairs_fit
from truegain.version import __version__

__all__ = ["RankResult"]


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


@dataclass(frozen=True, repr=False)
class RankResult(Result):
    """Systems in order, and what is known about their places.

    ``result["bleu", "new"]`` is a system's place under a metric; :meth:`pair` finds two systems.

    Attributes
    ----------
    testset : TestSet
    metrics : tuple of MetricInfo
    scores : tuple of SystemScore
    ranking : tuple of Placed
        Metric by metric, the best score first.
    pairs : tuple of RankedPair
        Every two systems, metric by metric.
    test, adjustment : str
        How pairs were tested, and their p-values adjusted.
    claim : Claim
        What the ranking extends to.
    alpha : float
    unit : str
        What was resampled.
    n_units, resamples, seed : int
    signature : str
        How the ranking was made.
    notes : tuple of Note
    """

    title = "Which systems are better than which?"
    study: ClassVar[str] = "rank"
    shape: ClassVar[Shape] = Shape(
        names={"scores": "systems"},
        types={
            "metrics": METRICS,
            "scores": SCORES,
            "ranking": Annotated[tuple[Placed, ...], Filled()],
            "pairs": Annotated[tuple[RankedPair, ...], Filled()],
            "test": TEST,
            "adjustment": Annotated[str, OneOf(ADJUSTMENTS)],
            "alpha": ALPHA,
            "seed": SEED,
            "unit": UNIT,
        },
        prose=("verdicts", "disagreements", "methods"),
        first=("test", "adjustment", "claim", "alpha", "testset", "unit", "n_units", "resamples", "seed"),
        faults=_faults,
    )

    testset: TestSet
    metrics: tuple[MetricInfo, ...]
    scores: tuple[SystemScore, ...]
    ranking: tuple[Placed, ...]
    pairs: tuple[RankedPair, ...]
    test: str
    adjustment: str
    claim: Claim
    alpha: float
    unit: str
    n_units: int
    resamples: int
    seed: int
    signature: str
    notes: tuple[Note, ...] = ()
    command: str = ""
    version: str = __version__

    def __getitem__(self, key: tuple[str, str]) -> Placed:
        for one in self.ranking:
            if (one.metric, one.system) == key:
                return one
        raise KeyError(key)

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
        return metrics, list(dict.fromkeys([*found, self.test, self.adjustment]))

    def to_records(self) -> list[dict[str, Any]]:
        """Return one record per pair."""
        scores = {(one.metric, one.name): one.score for one in self.scores}
        clusters = {(one.metric, one.system): one.cluster for one in self.ranking}
        return [
            {
                "metric": one.metric,
                "baseline": one.baseline,
                "system": one.system,
                "baseline_score": scores[one.metric, one.baseline],
                "system_score": scores[one.metric, one.system],
                "baseline_cluster": clusters[one.metric, one.baseline],
                "system_cluster": clusters[one.metric, one.system],
                "delta": one.delta,
                "p": one.p,
                "p_adjusted": one.p_adjusted,
                "adjustment": self.adjustment,
                "better": one.better,
                "test": self.test,
                "unit": self.unit,
                "n_units": self.n_units,
                "resamples": self.resamples,
                "exceedances": one.exceedances,
                "seed": self.seed,
                "claim": str(self.claim),
                "claim_runs": self.claim.runs,
                "claim_unit": self.claim.unit,
            }
            for one in self.pairs
        ]
