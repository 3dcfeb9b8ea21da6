"""What a merge of sums found."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from truegain.inference.claims import Claim
from truegain.inference.multiplicity import ADJUSTMENTS
from truegain.inference.results import MetricInfo, SystemScore, TestSet
from truegain.studies import view_of
from truegain.studies.codec import OneOf, Shape, Shapes
from truegain.studies.merge.parts import MERGE_TESTS, PARTS, MergedPair
from truegain.studies.result import Result
from truegain.studies.shapes import ALPHA, METRICS, SCORES, SEED, names_fit
from truegain.version import __version__

__all__ = ["MergeResult"]


def _faults(result: MergeResult) -> Iterator[tuple[str, str]]:
    yield from names_fit(result)
    for metric in result.metrics:
        scored = [one.name for one in result.scores if one.metric == metric.key]
        if result.baseline is not None and result.baseline not in scored:
            yield "baseline", f"{result.baseline!r} has no score under {metric.key!r} among the systems"
        if any(one.interval is None for one in result.scores if one.metric == metric.key):
            yield "systems", f"every score was expected to have an interval under {metric.key!r}"
        others = [name for name in scored if name != result.baseline]
        expected = [] if result.baseline is None else others
        if [one.system for one in result.of(metric.key)] != expected:
            yield "pairs", f"every system but the baseline, in order, was expected under {metric.key!r}"
    for number, one in enumerate(result.pairs):
        if one.baseline != result.baseline:
            yield f"pairs[{number}].baseline", f"{result.baseline!r} was expected; found {one.baseline!r}"
        if one.p(result.test) is None:
            yield f"pairs[{number}].p_ar", "the test that decides has no p-value"


@dataclass(frozen=True, repr=False)
class MergeResult(Result):
    """Scores of systems, and each system against the baseline, from sums alone.

    ``result["bleu", "new"]`` is a system against the baseline under a metric.

    Attributes
    ----------
    testset : TestSet
    metrics : tuple of MetricInfo
    scores : tuple of SystemScore
    pairs : tuple of MergedPair
        Metric by metric; none where there is one system.
    baseline : str or None
        None where there is one system.
    test : str
        By which test verdicts go: "ar" or "poisson-bootstrap".
    adjustment : str
        For the number of systems, metric by metric.
    claim : Claim
        What the verdicts extend to.
    alpha : float
    unit : "segment" or "document"
        What has a weight of its own.
    n_units, resamples, seed : int
    signature : str
    notes : tuple of str
    """

    title = "Is the gain real?"
    study: ClassVar[str] = "merge"
    shape: ClassVar[Shape] = Shape(
        names={"scores": "systems"},
        types={
            "metrics": METRICS,
            "scores": SCORES,
            "test": Annotated[str, OneOf(MERGE_TESTS)],
            "adjustment": Annotated[str, OneOf(ADJUSTMENTS)],
            "alpha": ALPHA,
            "seed": SEED,
            "unit": Annotated[str, OneOf(("segment", "document"))],
        },
        prose=("verdicts", "methods"),
        first=("test", "adjustment", "claim", "alpha", "testset", "baseline", "unit", "n_units", "resamples", "seed"),
        faults=_faults,
    )
    parts: ClassVar[Shapes] = PARTS

    testset: TestSet
    metrics: tuple[MetricInfo, ...]
    scores: tuple[SystemScore, ...]
    pairs: tuple[MergedPair, ...]
    baseline: str | None
    test: str
    adjustment: str
    claim: Claim
    alpha: float
    unit: str
    n_units: int
    resamples: int
    seed: int
    signature: str
    notes: tuple[str, ...] = ()
    command: str = ""
    version: str = __version__

    def __getitem__(self, key: tuple[str, str]) -> MergedPair:
        for one in self.pairs:
            if (one.metric, one.system) == key:
                return one
        raise KeyError(key)

    def __iter__(self) -> Iterator[MergedPair]:
        return iter(self.pairs)

    def of(self, metric: str) -> list[MergedPair]:
        """The comparisons under a metric."""
        return [one for one in self.pairs if one.metric == metric]

    def score(self, metric: str, system: str) -> SystemScore:
        """The score of a system under a metric."""
        for one in self.scores:
            if (one.metric, one.name) == (metric, system):
                return one
        raise KeyError((metric, system))

    def verdicts(self, decimals: int | None = None) -> list[str]:
        """The answers, a sentence for each comparison."""
        return list(view_of(self.study).verdicts(self, decimals))

    def methods(self) -> str:
        """A few sentences on the method, to paste into a paper."""
        return str(view_of(self.study).methods(self))

    def used(self) -> tuple[list[str], list[str]]:
        """See :meth:`truegain.studies.result.Result.used`."""
        metrics, found = super().used()
        tests = ["ar"] if any(one.p_ar is not None for one in self.pairs) else []
        adjusting = [self.adjustment] if self.pairs else []
        return metrics, list(dict.fromkeys([*found, *tests, "poisson-bootstrap", *adjusting]))

    def to_records(self) -> list[dict[str, Any]]:
        """One record a comparison; a score, where there is one system."""
        if not self.pairs:
            return [
                {
                    "metric": one.metric,
                    "system": one.name,
                    "score": one.score,
                    "ci_low": None if one.interval is None else one.interval.low,
                    "ci_high": None if one.interval is None else one.interval.high,
                    "unit": self.unit,
                    "n_units": self.n_units,
                    "resamples": self.resamples,
                    "seed": self.seed,
                }
                for one in self.scores
            ]
        return [
            {
                "metric": one.metric,
                "baseline": one.baseline,
                "system": one.system,
                "baseline_score": self.score(one.metric, one.baseline).score,
                "system_score": self.score(one.metric, one.system).score,
                "delta": one.delta,
                "ci_low": one.interval.low,
                "ci_high": one.interval.high,
                "ci_method": one.interval.method,
                "p_ar": one.p_ar,
                "p_ar_adjusted": one.p_ar_adjusted,
                "p_bootstrap": one.p_bootstrap,
                "p_bootstrap_adjusted": one.p_bootstrap_adjusted,
                "adjustment": self.adjustment,
                "test": self.test,
                "significant": one.significant,
                "better": one.better,
                "unit": self.unit,
                "n_units": self.n_units,
                "resamples": self.resamples,
                "seed": self.seed,
                "claim": str(self.claim),
                "claim_runs": self.claim.runs,
                "claim_unit": self.claim.unit,
            }
            for one in self.pairs
        ]
