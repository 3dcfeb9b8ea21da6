"""Result of scoring: scores with intervals, and scores of single segments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, ClassVar, Self

from truegain.fields import Field, Form, MetricKey, Shape, documented
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
from truegain.notes import Note, Notes
from truegain.rules import OrNaN, Seed
from truegain.studies.consistency import names_fit
from truegain.studies.group_scores import GroupedScores
from truegain.studies.keys import completed, no_entry, with_metric
from truegain.studies.records import record
from truegain.studies.result import Command, Result, Signature, Version
from truegain.version import __version__

Segments = dict[tuple[str, str], tuple[float, ...]]

_GLANCE = 20  # segments whose scores a notebook shows unasked
_COLUMNS = "metric system=name runs score standard_error low=ci_low high=ci_high"


@dataclass(frozen=True)
class _RunSegments:
    """The scores of a run's segments, as data have them."""

    metric: MetricKey
    run: Annotated[str, Field("The run.")]
    scores: Annotated[tuple[Annotated[float, OrNaN()], ...], Field("The score of each segment; none if it has none.")]


def _by_run(given: Sequence[_RunSegments]) -> Segments:
    made = {(one.metric, one.run): one.scores for one in given}
    if len(made) < len(given):
        raise ValueError("a run occurs twice under one metric")
    return made


_BY_RUN = Form(
    {"segments": Annotated[tuple[_RunSegments, ...], Field("Scores of single segments, run by run.")]},
    lambda segments: ([_RunSegments(metric, run, scores) for (metric, run), scores in segments.items()],),
    _by_run,
)


def _faults(result: ScoreResult) -> Iterator[tuple[str, str]]:
    yield from names_fit(result)
    segments = result.testset.segments
    for number, ((metric, run), scores) in enumerate(result.segments.items()):
        place = f"segments[{number}]"
        if len(scores) != segments:
            yield (
                f"{place}.scores",
                f"a list of {segments}, one per segment, was expected; found a list of {len(scores)}",
            )
        if not any(one.key == metric for one in result.metrics):
            yield f"{place}.metric", f"there is no such metric among the metrics; found {metric!r}"
        for other in result.metrics:
            if (other.key, run) not in result.segments:
                yield f"{place}.run", f"{run!r} has no scores of segments under {other.key!r}"


@documented
@dataclass(frozen=True, repr=False)
class ScoreResult(Result):
    """Scores of systems."""

    title = "How good is each system?"
    study: ClassVar[str] = "score"
    shape: ClassVar[Shape] = Shape(first=("alpha", "testset"), faults=_faults)

    testset: Annotated[TestSet, Field("The test set.")]
    metrics: Metrics
    scores: Scores
    alpha: Annotated[Alpha, Field("One less the confidence level of the intervals.")]
    unit: Unit
    n_units: Units
    resamples: Annotated[int, Field("The number of resamples.")]
    seed: Annotated[Seed, Field("The seed of the resamples.")]
    signature: Signature
    notes: Notes = ()
    variability: Annotated[
        tuple[Variability, ...],
        Field("How scores vary over runs and test sets; empty if no system has several runs."),
    ] = ()
    segments: Annotated[
        Segments, _BY_RUN, Field("Scores of single segments by (metric, run), if they were asked for.", optional=True)
    ] = field(default_factory=dict)
    standard_errors: StandardErrors = False
    groups: Annotated[GroupedScores | None, Field("Scores by group, if they were asked for.", optional=True)] = None
    command: Command = ""
    version: Version = __version__

    def __getitem__(self, key: str | tuple[str, str]) -> SystemScore:
        wanted = with_metric(key, self.metrics)
        for one in self.scores:
            if (one.metric, one.name) == wanted:
                return one
        raise no_entry(key, ((one.metric, one.name) for one in self.scores))

    def _keys(self) -> list[tuple[str, ...]]:
        return completed([(one.metric, one.name) for one in self.scores], self.metrics)

    def _at_a_glance(self) -> Self:
        if not self.segments or self.testset.segments <= _GLANCE:
            return self
        text = f"Scores of {self.testset.segments:,} segments: to_pandas() has them, and render() shows them"
        return replace(self, segments={}, notes=(*self.notes, Note("segments", text)))

    def used(self) -> tuple[list[str], list[str]]:
        """See :meth:`truegain.studies.result.Result.used`."""
        metrics, methods = super().used()
        return metrics, methods

    def to_records(self) -> list[dict[str, Any]]:
        """Return one record for each score, then of each group, or for each segment if segments were scored."""
        if not self.segments:
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
            {"segment": i + 1} | {f"{run} {metric}": values[i] for (metric, run), values in self.segments.items()}
            for i in range(self.testset.segments)
        ]
