"""Result of tuning weights."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Annotated, Any, ClassVar

from truegain.fields import Field, Shape, documented
from truegain.inference.results import Metrics
from truegain.inputs import Inputs
from truegain.notes import Notes
from truegain.rules import Count, OneOf, Seed
from truegain.studies.result import METHODS, VERDICTS, Command, Result, Signature, Version
from truegain.version import __version__


@documented
@dataclass(frozen=True)
class TunedSet:
    """Test set whose outputs were chosen by the weights."""

    name: Annotated[str, Field('Its name; "dev" for the development set.')]
    segments: Annotated[Count, Field("The number of segments.")]
    hypotheses: Annotated[Count, Field("The number of hypotheses.")]
    first: Annotated[
        float | None,
        Field("The score of the hypotheses with the highest totals in the lists; none without these, or references."),
    ]
    best: Annotated[
        float | None, Field("The score of the best hypotheses that a greedy search found; none without references.")
    ]
    worst: Annotated[float | None, Field("The score of the worst.")]
    s_sel: Annotated[
        float | None,
        Field(
            "Over test sets: the mean over runs of the bootstrap's standard deviation; none without references, or "
            "with one segment."
        ),
    ]


@documented
@dataclass(frozen=True)
class TunedRun:
    """Weights that were tuned once."""

    number: Annotated[Count, Field("The number of the run.")]
    scores: Annotated[tuple[float | None, ...], Field("The score on each set; none without references.")]
    weights: Annotated[tuple[float, ...], Field("The weight of each feature.")]
    same_as: Annotated[int | None, Field("An earlier run with the same outputs on every set; none if there is none.")]


def _faults(result: TuneResult) -> Iterator[tuple[str, str]]:
    if not result.runs or not result.sets:
        yield "runs", "at least one run and one set were expected"
    for place, one in enumerate(result.runs):
        if len(one.scores) != len(result.sets):
            yield f"runs[{place}].scores", f"{len(result.sets)} were expected, one per set; found {len(one.scores)}"
        if len(one.weights) != len(result.features):
            yield f"runs[{place}].weights", f"{len(result.features)} were expected; found {len(one.weights)}"
        if one.number != place + 1:
            yield f"runs[{place}].number", f"{place + 1} was expected; found {one.number}"
        if one.same_as is not None and not 0 < one.same_as < one.number:
            yield f"runs[{place}].same_as", f"an earlier run was expected; found {one.same_as}"
        for found, known in zip(one.scores, result.sets, strict=False):
            if (found is None) != (known.best is None):
                yield f"runs[{place}].scores", "a score was expected exactly for sets with references"
    for place, known in enumerate(result.sets):
        if known.s_sel is not None and (known.best is None or known.segments < 2):
            yield f"sets[{place}].s_sel", "a spread over test sets needs references and two segments"
    if len(result.metrics) != 1:
        yield "metrics", f"one metric was expected; found {len(result.metrics)}"


@documented
@dataclass(frozen=True, repr=False)
class TuneResult(Result):
    """Weights of several runs, and what they choose."""

    title = "How much does tuning vary?"
    study: ClassVar[str] = "tune"
    shape: ClassVar[Shape] = Shape(
        first=("optimizer", "sets"), prose={"verdicts": VERDICTS, "methods": METHODS}, faults=_faults
    )

    optimizer: Annotated[str, OneOf(("mert", "pro", "mira")), Field("The optimizer.")]
    sets: Annotated[tuple[TunedSet, ...], Field("The development set, and those that weights were applied to.")]
    metrics: Metrics
    features: Annotated[tuple[str, ...], Field("The features.")]
    runs: Annotated[tuple[TunedRun, ...], Field("The runs.")]
    restarts: Annotated[int | None, Field("The number of random starts of each run; none if there are no starts.")]
    seed: Annotated[Seed, Field("The seed.")]
    inputs: Annotated[Inputs, Field("What was read, set by set.")]
    fingerprint: Annotated[str, Field("A digest of all that was read.")]
    signature: Signature
    notes: Notes = ()
    command: Command = ""
    version: Version = __version__

    @property
    def distinct(self) -> int:
        """The number of runs with outputs of their own."""
        return sum(one.same_as is None for one in self.runs)

    def scores(self, place: int) -> tuple[float, ...]:
        """Return the scores of the runs on a set; none without references."""
        return tuple(score for one in self.runs if (score := one.scores[place]) is not None)

    def mean(self, place: int) -> float | None:
        """Return the mean score of the runs on a set."""
        own = self.scores(place)
        return fmean(own) if own else None

    def deviation(self, place: int) -> float | None:
        """Return the standard deviation of the scores of the runs on a set."""
        own = self.scores(place)
        return stdev(own) if len(own) > 1 else None

    def gain(self, place: int) -> float | None:
        """Return the mean score of the runs less that of the first hypotheses; none if one of them is not known."""
        mean, first = self.mean(place), self.sets[place].first
        return None if mean is None or first is None else mean - first

    def used(self) -> tuple[list[str], list[str]]:
        """See :meth:`truegain.studies.result.Result.used`."""
        metrics, found = super().used()
        return metrics, [*found, self.optimizer, "runs"]

    def to_records(self) -> list[dict[str, Any]]:
        """Return one record for each run."""
        return [
            {
                "run": one.number,
                **{known.name: score for known, score in zip(self.sets, one.scores, strict=True)},
                **{f"weight {name}": own for name, own in zip(self.features, one.weights, strict=True)},
                "same_as": one.same_as,
            }
            for one in self.runs
        ]
