"""Result of a study of intervals."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from truegain.inference.intervals import Alpha
from truegain.inference.results import Metrics, Scores, TestSet, Unit, Units
from truegain.results import Result
from truegain.rows import Number, field
from truegain.studies.intervals.findings import (
    METHODS,
    Method,
    MethodSummary,
    PairFinding,
    ScoreInterval,
    by_pair,
    summarize,
)


class IntervalsResult(
    Result,
    tag="intervals",
    kw_only=True,
    rename={"scores": "systems", "findings": "pairs", "summaries": "methods"},
):
    """Intervals of scores by what is drawn, their overlap, and p-values against the size of the gain."""

    title = "Do the intervals overlap?"
    study: ClassVar[str] = "intervals"

    testset: Annotated[TestSet, field("The test set.")]
    metrics: Metrics
    scores: Scores
    intervals: Annotated[tuple[ScoreInterval, ...], field("The interval of every score by every method.")]
    findings: Annotated[tuple[PairFinding, ...], field("Every two systems by every method.")]
    alpha: Alpha
    unit: Unit
    n_units: Units
    resamples: Annotated[Number, field("The number of resamples.")]
    summaries: Annotated[tuple[MethodSummary, ...], field("Every method under every metric.")] = ()

    def __post_init__(self) -> None:
        methods = ((metric.key, method) for metric in self.metrics for method in METHODS)
        self._derive(summaries=tuple(summarize(self.findings, *one, self.alpha) for one in methods))

    def interval(self, metric: str, system: str, method: Method) -> ScoreInterval:
        """Return the interval of a system's score by a method."""
        for one in self.intervals:
            if (one.metric, one.system, one.method) == (metric, system, method):
                return one
        raise KeyError((metric, system, method))

    def finding(self, metric: str, baseline: str, system: str, method: Method) -> PairFinding:
        """Return what a method says on two systems, in the order in which they were given."""
        for one in self.findings:
            if (one.metric, one.baseline, one.system, one.method) == (metric, baseline, system, method):
                return one
        raise KeyError((metric, baseline, system, method))

    def used(self) -> tuple[list[str], list[str]]:
        """See :meth:`truegain.results.Result.used`."""
        metrics, found = super().used()
        return metrics, [*found, "intervals"]

    def to_records(self) -> list[dict[str, Any]]:
        """Return one record for each pair and metric."""
        records = []
        for by_method in by_pair(self.findings):
            first = by_method["both"]
            record: dict[str, Any] = {
                "metric": first.metric,
                "baseline": first.baseline,
                "system": first.system,
                "delta": first.delta,
                "delta_one_run": by_method["one-run"].delta,
            }
            for method, one in by_method.items():
                name = method.replace("-", "_")
                record[f"overlap_{name}"] = one.overlap
                record.update({f"p_{test}": one.p.get(test) for test in METHODS[method]})
                record[f"s_diff_at_alpha_{name}"] = one.s_diff_at_alpha
            records.append(record)
        return records
