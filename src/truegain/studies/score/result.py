"""Result of scoring: scores with intervals, and scores of single segments."""

from __future__ import annotations

import math
from typing import Annotated, Any, ClassVar, Self

from msgspec.structs import replace

from truegain.inference.intervals import Alpha
from truegain.inference.results import (
    Metrics,
    Scores,
    StandardErrors,
    SystemScore,
    TestSet,
    Unit,
    Units,
    Variability,
)
from truegain.notes import Note
from truegain.results import Result, completed, no_entry, with_metric
from truegain.rows import MetricKey, Number, Row, Seed, field, record
from truegain.studies.group_scores import GroupedScores

_GLANCE = 20  # segments whose scores a notebook shows unasked
_COLUMNS = "metric system=name runs score standard_error low=ci_low high=ci_high"


class RunSegments(Row):
    """The scores of a run's segments."""

    metric: MetricKey
    run: Annotated[str, field("The run.")]
    scores: Annotated[tuple[float | None, ...], field("The score of each segment; none if it has none.")]


class ScoreResult(Result, tag="score", kw_only=True, rename={"scores": "systems", "segment_scores": "segments"}):
    """Scores of systems."""

    title = "How good is each system?"
    study: ClassVar[str] = "score"

    testset: Annotated[TestSet, field("The test set.")]
    metrics: Metrics
    scores: Scores
    alpha: Annotated[Alpha, field("One less the confidence level of the intervals.")]
    unit: Unit
    n_units: Units
    resamples: Annotated[Number, field("The number of resamples.")]
    seed: Annotated[Seed, field("The seed of the resamples.")]
    variability: Annotated[
        tuple[Variability, ...],
        field("How scores vary over runs and test sets; empty if no system has several runs."),
    ] = ()
    segment_scores: Annotated[
        tuple[RunSegments, ...], field("Scores of single segments, run by run, if they were asked for.")
    ] = ()
    standard_errors: StandardErrors = False
    groups: Annotated[GroupedScores | None, field("Scores by group, if they were asked for.")] = None

    @property
    def segments(self) -> dict[tuple[str, str], tuple[float, ...]]:
        """Scores of single segments by (metric, run); NaN if a segment has none."""
        return {
            (one.metric, one.run): tuple(math.nan if score is None else score for score in one.scores)
            for one in self.segment_scores
        }

    def __getitem__(self, key: str | tuple[str, str]) -> SystemScore:
        wanted = with_metric(key, self.metrics)
        for one in self.scores:
            if (one.metric, one.name) == wanted:
                return one
        raise no_entry(key, ((one.metric, one.name) for one in self.scores))

    def _keys(self) -> list[tuple[str, ...]]:
        return completed([(one.metric, one.name) for one in self.scores], self.metrics)

    def _at_a_glance(self) -> Self:
        if not self.segment_scores or self.testset.segments <= _GLANCE:
            return self
        text = f"Scores of {self.testset.segments:,} segments: to_pandas() has them, and render() shows them"
        return replace(self, segment_scores=(), notes=(*self.notes, Note("segments", text)))

    def to_records(self) -> list[dict[str, Any]]:
        """Return one record for each score, then of each group, or for each segment if segments were scored."""
        segments = self.segments
        if not segments:
            scores = [record(_COLUMNS, one) for one in self.scores]
            if self.groups is None:
                return scores
            of_groups = [
                record("group", group) | record(_COLUMNS, one) | record("unit n_units", group)
                for group in self.groups.groups
                for one in group.scores
            ]
            whole = {"unit": self.unit, "n_units": self.n_units}
            return [*({"group": ""} | one | whole for one in scores), *of_groups]
        return [
            {"segment": i + 1} | {f"{run} {metric}": values[i] for (metric, run), values in segments.items()}
            for i in range(self.testset.segments)
        ]
