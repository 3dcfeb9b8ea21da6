"""What was found of each system: scores with intervals, and scores of single segments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar

from truegain.inference.results import MetricInfo, SystemScore, TestSet, Variability
from truegain.report.model import Cell, Column, Document, Paragraph, Picture, Table, decimal
from truegain.studies.codec import Form, OrNaN, Shape, Shapes
from truegain.studies.result import Result
from truegain.studies.shapes import ALPHA, METRICS, SCORES, SEED, UNIT, names_fit
from truegain.studies.shared_view import (
    decimals_for,
    describe_testset,
    heading_of,
    interval_text,
    name_cell,
    variability_tables,
)
from truegain.version import __version__

__all__ = ["ScoreResult", "Segments"]

Segments = dict[tuple[str, str], tuple[float, ...]]


@dataclass(frozen=True)
class _RunSegments:
    """The scores of a run's segments, as data have them."""

    metric: str
    run: str
    scores: tuple[float, ...]


def _by_run(given: Sequence[_RunSegments]) -> Segments:
    made = {(one.metric, one.run): one.scores for one in given}
    if len(made) < len(given):
        raise ValueError("a run is there twice under one metric")
    return made


def _faults(result: ScoreResult) -> Iterator[tuple[str, str]]:
    yield from names_fit(result)
    segments = result.testset.segments
    for number, ((metric, run), scores) in enumerate(result.segments.items()):
        place = f"segments[{number}]"
        if len(scores) != segments:
            yield f"{place}.scores", f"a list of {segments}, one a segment, was expected; found a list of {len(scores)}"
        if not any(one.key == metric for one in result.metrics):
            yield f"{place}.metric", f"there is no such metric among the metrics; found {metric!r}"
        for other in result.metrics:
            if (other.key, run) not in result.segments:
                yield f"{place}.run", f"{run!r} has no scores of segments under {other.key!r}"


@dataclass(frozen=True, repr=False)
class ScoreResult(Result):
    """Scores of systems.

    Attributes
    ----------
    testset : TestSet
    metrics : tuple of MetricInfo
    scores : tuple of SystemScore
    segments : dict
        Scores of single segments by (metric, run), where they were asked for.
    signature : str
        How the intervals were made.
    """

    title = "How good is each system?"
    study: ClassVar[str] = "score"
    shape: ClassVar[Shape] = Shape(
        names={"scores": "systems"},
        types={"metrics": METRICS, "scores": SCORES, "alpha": ALPHA, "seed": SEED, "unit": UNIT},
        forms={
            "segments": Form(
                {"segments": tuple[_RunSegments, ...]},
                lambda segments: ([_RunSegments(metric, run, scores) for (metric, run), scores in segments.items()],),
                _by_run,
            )
        },
        optional=("segments",),
        first=("alpha", "testset"),
        faults=_faults,
    )
    parts: ClassVar[Shapes] = {
        _RunSegments: Shape(types={"scores": tuple[Annotated[float, OrNaN()], ...]}),
    }

    testset: TestSet
    metrics: tuple[MetricInfo, ...]
    scores: tuple[SystemScore, ...]
    alpha: float
    unit: str
    n_units: int
    resamples: int
    seed: int
    signature: str
    notes: tuple[str, ...] = ()
    variability: tuple[Variability, ...] = ()
    segments: Segments = field(default_factory=dict)
    command: str = ""
    version: str = __version__

    def __getitem__(self, key: tuple[str, str]) -> SystemScore:
        metric, system = key
        for one in self.scores:
            if (one.metric, one.name) == (metric, system):
                return one
        raise KeyError(key)

    def to_records(self) -> list[dict[str, Any]]:
        """One record for each score, or for each segment where segments were scored."""
        if not self.segments:
            return [
                {
                    "metric": one.metric,
                    "system": one.name,
                    "runs": one.runs,
                    "score": one.score,
                    "low": None if one.interval is None else one.interval.low,
                    "high": None if one.interval is None else one.interval.high,
                }
                for one in self.scores
            ]
        return [
            {"segment": i + 1} | {f"{run} {metric}": values[i] for (metric, run), values in self.segments.items()}
            for i in range(self.testset.segments)
        ]

    def pictures(self, *, width: int | None = None) -> tuple[Picture, ...]:
        """The scores with their intervals (scores), and run scores where there are several (runs)."""
        from truegain.studies.score.pictures import pictures

        return pictures(self, width)

    def document(self, *, width: int | None = None) -> Document:
        """A table of scores, a metric a column pair."""
        items: list[Table | Paragraph] = [Paragraph(describe_testset(self.testset, self.scores), "title")]
        items.extend(self._segment_tables(width))
        for metric in self.metrics:
            decimals = decimals_for(metric, self.scores, width)
            items.append(self._table(metric, decimals))
            items.extend(variability_tables(metric, self.variability, decimals, self.unit))
        items.extend(Paragraph(f"{note}.") for note in self.notes)
        items.extend(Paragraph(f"{metric.label}: {metric.signature}", "signature") for metric in self.metrics)
        items.append(Paragraph(f"{self.signature} · inputs {self.testset.fingerprint}", "signature"))
        return Document(tuple(items))

    def _arranged(self, layout: str, width: int | None) -> Document:
        from truegain.studies.layouts.arrange import arranged

        return arranged(self, layout, width)

    def _table(self, metric: MetricInfo, decimals: int) -> Table:
        rows = []
        for one in self.scores:
            if one.metric != metric.key:
                continue
            interval = (
                ""
                if one.interval is None
                else interval_text(one.interval.low, one.interval.high, lambda x: decimal(x, decimals))
            )
            rows.append((name_cell(one.name, one.runs), Cell(decimal(one.score, decimals)), Cell(interval)))
        level = f"{100 * (1 - self.alpha):g} % CI"
        columns = (Column(heading_of(metric), "left"), Column("score"), Column(level))
        return Table(columns, tuple(rows), f"{metric.label} of each system")

    def _segment_tables(self, width: int | None) -> list[Table]:
        """A table for each run, so that any number of systems can be read."""
        decimals = {metric.key: decimals_for(metric, self.scores, width) for metric in self.metrics}
        tables = []
        for run in dict.fromkeys(run for _, run in self.segments):
            own = {metric.key: self.segments[metric.key, run] for metric in self.metrics}
            columns = (Column(run, "left"), *(Column(metric.label) for metric in self.metrics))
            rows = tuple(
                (Cell(f"{i + 1}"), *(Cell(decimal(values[i], decimals[key])) for key, values in own.items()))
                for i in range(self.testset.segments)
            )
            tables.append(Table(columns, rows, f"Scores of the segments of {run}"))
        return tables
