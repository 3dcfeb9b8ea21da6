"""What a study of intervals found, as tables, figures, sentences and data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from truegain.inference.distributions import normal_cdf, normal_quantile
from truegain.inference.results import MetricInfo, SystemScore, TestSet
from truegain.report.model import Cell, Column, Document, Paragraph, Picture, Table, decimal, p_text, signed
from truegain.studies.codec import Shape, Shapes
from truegain.studies.intervals.findings import (
    METHODS,
    PARTS,
    Method,
    MethodSummary,
    PairFinding,
    ScoreInterval,
    summarize,
)
from truegain.studies.result import Result
from truegain.studies.shapes import ALPHA, METRICS, SCORES, UNIT, names_fit
from truegain.studies.shared_view import decimals_for, describe_testset, heading_of, interval_text, name_cell
from truegain.version import __version__

__all__ = ["IntervalsResult"]

_SHORT: dict[Method, str] = {"one-run": "one run", "all-runs": "all runs", "runs": "runs", "both": "both"}
_COLUMNS: dict[Method, tuple[str, ...]] = {
    "one-run": ("one bs", "one ar"),
    "all-runs": ("all bs", "all ar"),
    "runs": ("runs bs", "runs ar"),
    "both": ("crossed",),
}
_JUDGE = "crossed"
_CURVE = 401  # points


def _faults(result: IntervalsResult) -> Iterator[tuple[str, str]]:
    """What the tables would look for in vain."""
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


@dataclass(frozen=True, repr=False)
class IntervalsResult(Result):
    """Intervals of scores by what is drawn, their overlap, and p-values against the size of the gain."""

    title = "Do the intervals overlap?"
    study: ClassVar[str] = "intervals"
    shape: ClassVar[Shape] = Shape(
        names={"scores": "systems", "findings": "pairs"},
        types={"metrics": METRICS, "scores": SCORES, "alpha": ALPHA, "unit": UNIT},
        derived={"methods": lambda result: result.summaries},
        first=("alpha", "testset", "metrics", "systems", "unit", "n_units", "resamples"),
        faults=_faults,
    )
    parts: ClassVar[Shapes] = PARTS

    testset: TestSet
    metrics: tuple[MetricInfo, ...]
    scores: tuple[SystemScore, ...]
    intervals: tuple[ScoreInterval, ...]
    findings: tuple[PairFinding, ...]
    alpha: float
    unit: str
    n_units: int
    resamples: int
    signature: str
    notes: tuple[str, ...] = ()
    command: str = ""
    version: str = __version__

    def interval(self, metric: str, system: str, method: Method) -> ScoreInterval:
        """The interval of a system's score by a method."""
        for one in self.intervals:
            if (one.metric, one.system, one.method) == (metric, system, method):
                return one
        raise KeyError((metric, system, method))

    def finding(self, metric: str, baseline: str, system: str, method: Method) -> PairFinding:
        """What a method says on two systems, in the order in which they were given."""
        for one in self.findings:
            if (one.metric, one.baseline, one.system, one.method) == (metric, baseline, system, method):
                return one
        raise KeyError((metric, baseline, system, method))

    @cached_property
    def summaries(self) -> tuple[MethodSummary, ...]:
        """Every method under every metric."""
        return tuple(
            summarize(self.findings, metric.key, method, self.alpha) for metric in self.metrics for method in METHODS
        )

    def to_records(self) -> list[dict[str, Any]]:
        """One record for each pair and metric."""
        records = []
        for by_method in self._pairs():
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

    def _pairs(self) -> list[dict[Method, PairFinding]]:
        """The findings of each pair and metric together."""
        pairs: dict[tuple[str, str, str], dict[Method, PairFinding]] = {}
        for one in self.findings:
            pairs.setdefault((one.metric, one.baseline, one.system), {})[one.method] = one
        return list(pairs.values())

    def pictures(self, *, width: int | None = None) -> tuple[Picture, ...]:
        """The intervals by method, and p against the size of the gain."""
        from truegain.report.figures.intervals import Cloud, IntervalsPanel, IntervalsPlot, Whisker

        panels = []
        for metric in self.metrics:
            whiskers = [
                Whisker(one.system, self._label(one.method), one.interval.low, one.score, one.interval.high)
                for one in self.intervals
                if one.metric == metric.key
            ]
            mine = [one for one in self.findings if one.metric == metric.key]
            farthest = 1.05 * max(abs(one.delta) for one in mine) or 1.0
            clouds = []
            for summary in self.summaries:
                if summary.metric == metric.key:
                    method = summary.method
                    points = [
                        [(abs(one.delta), one.p[test]) for one in mine if one.method == method and test in one.p]
                        for test in METHODS[method]
                    ]
                    curve = _curve(summary.s_diff_at_alpha.median, farthest, self.alpha)
                    hollow = points[0] if len(points) > 1 else []
                    clouds.append(Cloud(self._label(method), points[-1], hollow, curve))
            panels.append(IntervalsPanel(metric.label, tuple(whiskers), tuple(clouds)))
        caption = (
            f"{100 * (1 - self.alpha):g} % intervals of scores by what is drawn (left), and p by the size of the "
            f"difference of two systems (right, with {self.alpha:g} as a line): {self.n_units:,} {self._units}, "
            f"{self.resamples:,} resamples."
        )
        return (Picture("intervals", IntervalsPlot(tuple(panels), self.alpha), caption),)

    def document(self, *, width: int | None = None) -> Document:
        """For each metric: intervals, overlaps, p-values and what they come to; then what to know."""
        items: list[Table | Paragraph] = [Paragraph(describe_testset(self.testset, self.scores), "title")]
        for metric in self.metrics:
            decimals = decimals_for(metric, self.scores, width)
            items.append(self._interval_table(metric, decimals))
            items.extend(self._pair_tables(metric, decimals))
            items.append(self._method_table(metric, decimals))
        for metric in self.metrics:
            items.extend(self._verdicts(metric, decimals_for(metric, self.scores, width)))
        items.extend(Paragraph(f"{text}.") for text in [*self._remarks(), *self.notes])
        items.extend(Paragraph(f"{metric.label}: {metric.signature}", "signature") for metric in self.metrics)
        items.append(Paragraph(f"{self.signature} · inputs {self.testset.fingerprint}", "signature"))
        return Document(tuple(items))

    @property
    def _units(self) -> str:
        return {"testset": "test sets"}.get(self.unit, f"{self.unit}s")

    def _label(self, method: Method) -> str:
        """What is drawn, and of what."""
        alone = method in ("one-run", "all-runs")
        return f"{self._units}, {_SHORT[method]}" if alone else {"both": f"{self._units} and runs"}.get(method, "runs")

    def _interval_table(self, metric: MetricInfo, decimals: int) -> Table:
        level = f"{100 * (1 - self.alpha):g} %"
        columns = (
            Column(heading_of(metric), "left"),
            Column("score"),
            *(Column(f"{level}, {_SHORT[method]}") for method in METHODS),
        )
        rows = []
        # With the number of runs, unless all systems have as many: the title names them then.
        counted = len({score.runs for score in self.scores}) > 1
        for score in self.scores:
            if score.metric == metric.key:
                found = (self.interval(metric.key, score.name, method).interval for method in METHODS)
                cells = [Cell(interval_text(one.low, one.high, lambda x: decimal(x, decimals))) for one in found]
                name = name_cell(score.name, score.runs if counted else 1)
                rows.append((name, Cell(decimal(score.score, decimals)), *cells))
        return Table(columns, tuple(rows), f"{level} intervals of {metric.label} by what is drawn")

    def _pair_tables(self, metric: MetricInfo, decimals: int) -> list[Table]:
        """Overlaps and p-values, the largest gain first."""
        pairs = [one for one in self._pairs() if one["both"].metric == metric.key]
        pairs.sort(key=lambda one: -abs(one["both"].delta))
        overlaps, p_values = [], []
        for pair in pairs:
            first = pair["both"]
            who = Cell(f"{first.system} − {first.baseline}")
            delta = Cell(signed(first.delta, decimals))
            shown = (Cell(f"{pair[method].overlap:.2f}") for method in METHODS)
            overlaps.append((who, delta, Cell(signed(pair["one-run"].delta, decimals)), *shown))
            p_values.append((who, delta, *(self._p_cell(pair[m].p.get(test)) for m in METHODS for test in METHODS[m])))
        overlap_columns = (Column("Δ"), Column("Δ one run"), *(Column(_SHORT[method]) for method in METHODS))
        p_columns = (Column("Δ"), *(Column(heading) for method in METHODS for heading in _COLUMNS[method]))
        return [
            Table(
                (Column(f"{metric.label}: overlap", "left"), *overlap_columns),
                tuple(overlaps),
                f"How much the intervals of {metric.label} overlap, from 0 to 1",
            ),
            Table(
                (Column(f"{metric.label}: p", "left"), *p_columns),
                tuple(p_values),
                f"P-values of the differences in {metric.label}, by bootstrap (bs) and randomization (ar)",
            ),
        ]

    def _p_cell(self, p: float | None) -> Cell:
        return Cell("–", "quiet") if p is None else Cell(p_text(p), "strong" if p <= self.alpha else "plain")

    def _method_table(self, metric: MetricInfo, decimals: int) -> Table:
        columns = (
            Column(f"{metric.label}: drawn", "left"),
            Column("test", "left"),
            Column("differ"),
            Column("as crossed"),
            Column("bs as ar"),
            Column(f"S_diff at p = {self.alpha:g}"),
        )
        rows = []
        for summary in self.summaries:
            if summary.metric != metric.key:
                continue
            gain = summary.s_diff_at_alpha
            reach = f"{gain.median:.{decimals}f} ({interval_text(gain.low, gain.high, lambda x: f'{x:.{decimals}f}')})"
            for number, test in enumerate(summary.tests):
                same = "" if number or summary.same is None else _of(summary.same, test.pairs)
                rows.append(
                    (
                        Cell("" if number else _SHORT[summary.method]),
                        Cell(test.test),
                        Cell(_of(test.significant, test.pairs)),
                        Cell("" if test.test == _JUDGE else _of(test.as_crossed, test.pairs)),
                        Cell(same),
                        Cell("" if number else reach),
                    )
                )
        caption = f"Decisions by method, and the difference in {metric.label} at which p is {self.alpha:g}"
        return Table(columns, tuple(rows), caption)

    def _verdicts(self, metric: MetricInfo, decimals: int) -> list[Paragraph]:
        mine = {_SHORT[one.method]: one for one in self.summaries if one.metric == metric.key}
        judge = mine["both"].tests[0]
        told = _of(judge.significant, judge.pairs)
        said = (
            f"{metric.label}: the crossed test tells {told} pairs apart for new runs on new {self._units} "
            f"(p ≤ {self.alpha:g})."
        )
        if judge.significant:
            counts = ", ".join(f"{one.overlapping_though_apart} by {name}" for name, one in mine.items())
            said += f" Pairs among these whose intervals overlap all the same: {counts}."
        apart = [f"{one.apart_though_undecided} by {name}" for name, one in mine.items() if one.apart_though_undecided]
        if apart:
            said += f" Pairs that it does not tell apart though their intervals do not overlap: {', '.join(apart)}."
        gains = ", ".join(f"{one.s_diff_at_alpha.median:.{decimals}f} by {name}" for name, one in mine.items())
        reach = f"The difference in {metric.label} at which p reaches {self.alpha:g}, median over pairs: {gains}."
        return [Paragraph(said, "verdict"), Paragraph(reach, "verdict")]

    def _remarks(self) -> list[str]:
        """What the words mean, and what overlap does not."""
        units = self._units
        remarks = [
            f"One run: {units} are drawn, and the median run of each system is scored (Koehn 2004; Riezler and "
            f"Maxwell 2005). All runs: {units} are drawn, and the score is the mean over runs (Clark et al. 2011). "
            "Runs: runs are drawn, and the test set stays as it is (Fu et al.). Both: Student's t with the variances "
            f"over {units} and runs",
            "Two intervals that overlap are no evidence that the systems do not differ: both are scored on the same "
            f"{units}, so what moves one score often moves the other too, and even of independent scores the "
            "difference varies less than the two intervals, laid end to end, suggest. Go by the p-value, or by an "
            "interval of the difference",
            "Overlap: the area that both fitted normal curves have in common, as a share of what either covers, "
            "inside the intervals; 0: apart, 1: the same (Fu et al.)",
            "P-values by bootstrap (bs) and randomization (ar), two-sided, not adjusted for the number of pairs. "
            f"S_diff: the size of the difference. Its value at p = {self.alpha:g} is not that of the tests beside it: "
            f"over {units} it is that of swapping (all runs at once), over runs half of Welch's interval, over both "
            "half of the crossed test's, which must also pass the former",
            "The bootstraps of Riezler and Maxwell and of Fu et al. take absolute values before they centre, as "
            "published, which makes p too small: it counts one side only where the difference is large, and is far "
            "from 1 where there is none",
        ]
        if any(metric.higher_is_better is False for metric in self.metrics):
            remarks.append("Δ is positive where the first of two systems is better, also where lower scores are better")
        return remarks


def _curve(s_diff: float, farthest: float, alpha: float) -> list[tuple[float, float]]:
    """The p-value of a normal test by the size of the gain, given where it is alpha; none where any gain is enough."""
    if s_diff <= 0.0:
        return []
    quantile = normal_quantile(1.0 - alpha / 2.0)
    places = np.linspace(0.0, farthest, _CURVE).tolist()
    return [(place, 2.0 * normal_cdf(-quantile * place / s_diff)) for place in places]


def _of(count: int, total: int) -> str:
    return f"{count} of {total}" if total else "–"
