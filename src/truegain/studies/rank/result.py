"""What a ranking found, as tables, sentences and data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from truegain.inference.multiplicity import ADJUSTMENTS
from truegain.inference.results import MetricInfo, SystemScore, TestSet
from truegain.report.model import Document, Paragraph, Picture, Table
from truegain.studies.codec import Filled, OneOf, Shape, Shapes
from truegain.studies.rank.parts import PARTS, Placed, RankedPair
from truegain.studies.rank.sentences import disagreements, methods, remarks, verdicts
from truegain.studies.rank.tables import MATRIX, matrix_table, ranking_table
from truegain.studies.result import Result
from truegain.studies.shapes import ALPHA, METRICS, SCORES, SEED, TEST, UNIT, names_fit, pairs_fit
from truegain.studies.shared_view import decimals_for, describe_testset
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
    claim : str
        What the ranking extends to.
    alpha : float
    unit : str
        What was resampled.
    n_units, resamples, seed : int
    signature : str
        How the ranking was made.
    notes : tuple of str
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
        derived={
            "verdicts": lambda result: result.verdicts(),
            "disagreements": lambda result: disagreements(result),
            "methods": lambda result: result.methods(),
        },
        first=("test", "adjustment", "claim", "alpha", "testset", "unit", "n_units", "resamples", "seed"),
        faults=_faults,
    )
    parts: ClassVar[Shapes] = PARTS

    testset: TestSet
    metrics: tuple[MetricInfo, ...]
    scores: tuple[SystemScore, ...]
    ranking: tuple[Placed, ...]
    pairs: tuple[RankedPair, ...]
    test: str
    adjustment: str
    claim: str
    alpha: float
    unit: str
    n_units: int
    resamples: int
    seed: int
    signature: str
    notes: tuple[str, ...] = ()
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
        """The systems under a metric, the best score first."""
        return [one for one in self.ranking if one.metric == metric]

    def clusters(self, metric: str) -> list[list[str]]:
        """The names of the systems of each cluster under a metric, the best first."""
        found: dict[int, list[str]] = {}
        for one in self.placed(metric):
            found.setdefault(one.cluster, []).append(one.system)
        return list(found.values())

    def pair(self, metric: str, baseline: str, system: str) -> RankedPair:
        """Two systems, in the order in which they were given."""
        for one in self.pairs:
            if (one.metric, one.baseline, one.system) == (metric, baseline, system):
                return one
        raise KeyError((metric, baseline, system))

    def score(self, metric: str, system: str) -> SystemScore:
        """The score of a system under a metric."""
        for one in self.scores:
            if (one.metric, one.name) == (metric, system):
                return one
        raise KeyError((metric, system))

    def verdicts(self) -> list[str]:
        """Who is on top, and how far the systems can be told apart: a sentence or two for each metric."""
        return [text for metric in self.metrics for text in verdicts(self, metric)]

    def methods(self) -> str:
        """A few sentences on the method, to paste into a paper."""
        return methods(self)

    def used(self) -> tuple[list[str], list[str]]:
        """See :meth:`truegain.studies.result.Result.used`."""
        metrics, found = super().used()
        return metrics, list(dict.fromkeys([*found, self.test, self.adjustment]))

    def pictures(self, *, width: int | None = None) -> tuple[Picture, ...]:
        """All pairs as a map (heatmap), metric by metric: the first metric's has the plain name."""
        from truegain.studies.rank.pictures import pictures

        return pictures(self, width)

    def document(self, *, width: int | None = None) -> Document:
        """A table for each metric, the differences of few systems, verdicts, what to know, and the methods."""
        items: list[Table | Paragraph] = [Paragraph(describe_testset(self.testset, self.scores), "title")]
        for metric in self.metrics:
            decimals = decimals_for(metric, self.scores, width)
            items.append(ranking_table(self, metric, decimals))
            if 2 < len(self.placed(metric.key)) <= MATRIX:
                items.append(matrix_table(self, metric, decimals))
        items.extend(Paragraph(text, "verdict") for text in (*self.verdicts(), *disagreements(self)))
        items.extend(Paragraph(f"{text}.") for text in remarks(self))
        items.extend(Paragraph(f"{metric.label}: {metric.signature}", "signature") for metric in self.metrics)
        items.append(Paragraph(f"{self.signature} · inputs {self.testset.fingerprint}", "signature"))
        items.append(Paragraph(self.methods(), "methods"))
        return Document(tuple(items))

    def to_records(self) -> list[dict[str, Any]]:
        """One record a pair."""
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
                "claim": self.claim,
            }
            for one in self.pairs
        ]
