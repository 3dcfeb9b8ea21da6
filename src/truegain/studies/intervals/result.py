"""Result of a study of intervals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, ClassVar

from truegain.fields import Field, Shape, documented
from truegain.inference.intervals import Alpha
from truegain.inference.results import Metrics, Scores, TestSet, Unit, Units
from truegain.notes import Notes
from truegain.studies.consistency import names_fit
from truegain.studies.intervals.findings import (
    METHODS,
    Method,
    MethodSummary,
    PairFinding,
    ScoreInterval,
    by_pair,
    summarize,
)
from truegain.studies.result import Command, Result, Signature, Version
from truegain.version import __version__


def _faults(result: IntervalsResult) -> Iterator[tuple[str, str]]:
    """Yield what the tables need and do not find."""
    yield from names_fit(result)
    drawn = {(one.metric, one.system, one.method) for one in result.intervals}
    found = {(one.metric, one.baseline, one.system, one.method) for one in result.findings}
    for score in result.scores:
        if not all((score.metric, score.name, method) in drawn for method in METHODS):
            yield "intervals", f"one by each method was expected of {score.name!r} under {score.metric!r}"
    for i, one in enumerate(result.findings):
        if not all((one.metric, one.baseline, one.system, method) in found for method in METHODS):
            yield f"pairs[{i}]", f"this pair was expected by each of the methods {', '.join(METHODS)}"
        tests = METHODS[one.method]
        if not set(one.p) <= set(tests) or (one.method == "both" and not one.p):
            yield (
                f"pairs[{i}].p",
                f"p-values by {' and '.join(tests)} were expected; found {', '.join(one.p) or 'none'}",
            )
    for metric in result.metrics:
        if not any(one.metric == metric.key for one in result.findings):
            yield "pairs", f"none is under {metric.key!r}"


@documented
@dataclass(frozen=True, repr=False)
class IntervalsResult(Result):
    """Intervals of scores by what is drawn, their overlap, and p-values against the size of the gain."""

    title = "Do the intervals overlap?"
    study: ClassVar[str] = "intervals"
    shape: ClassVar[Shape] = Shape(
        derived=("summaries",),
        first=("alpha", "testset", "metrics", "systems", "unit", "n_units", "resamples"),
        faults=_faults,
    )

    testset: Annotated[TestSet, Field("The test set.")]
    metrics: Metrics
    scores: Scores
    intervals: Annotated[tuple[ScoreInterval, ...], Field("The interval of every score by every method.")]
    findings: Annotated[tuple[PairFinding, ...], Field("Every two systems by every method.", key="pairs")]
    alpha: Alpha
    unit: Unit
    n_units: Units
    resamples: Annotated[int, Field("The number of resamples.")]
    signature: Signature
    notes: Notes = ()
    command: Command = ""
    version: Version = __version__

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

    @cached_property
    def summaries(self) -> Annotated[tuple[MethodSummary, ...], Field(key="methods")]:
        """Every method under every metric."""
        return tuple(
            summarize(self.findings, metric.key, method, self.alpha) for metric in self.metrics for method in METHODS
        )

    def used(self) -> tuple[list[str], list[str]]:
        """See :meth:`truegain.studies.result.Result.used`."""
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
