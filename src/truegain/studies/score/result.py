"""What was found of each system: scores with intervals, and scores of single segments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar

from truegain.inference.results import MetricInfo, SystemScore, TestSet, Variability, Weights
from truegain.studies.codec import Form, OrNaN, Shape, Shapes
from truegain.studies.result import Result
from truegain.studies.shapes import ALPHA, METRICS, SCORES, SEED, UNIT, names_fit
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
    weights : "poisson" or None
        "poisson" if every unit has a weight of its own in every resample, as in sums of shards; None if as many units
        are drawn as there are.
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
    weights: Weights = None
    command: str = ""
    version: str = __version__

    def __getitem__(self, key: tuple[str, str]) -> SystemScore:
        metric, system = key
        for one in self.scores:
            if (one.metric, one.name) == (metric, system):
                return one
        raise KeyError(key)

    def used(self) -> tuple[list[str], list[str]]:
        """See :meth:`truegain.studies.result.Result.used`."""
        metrics, methods = super().used()
        return metrics, methods if self.weights is None else [*methods, "poisson-bootstrap"]

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
