"""Result of tuning weights."""

from __future__ import annotations

from statistics import fmean, stdev
from typing import Annotated, Any, ClassVar, Literal

from truegain.inference.results import Metrics
from truegain.inputs import Inputs
from truegain.results import Result
from truegain.rows import Count, Number, Row, Seed, field


class TunedSet(Row):
    """Test set whose outputs were chosen by the weights."""

    name: Annotated[str, field('Its name; "dev" for the development set.')]
    segments: Annotated[Count, field("The number of segments.")]
    hypotheses: Annotated[Count, field("The number of hypotheses.")]
    first: Annotated[
        float | None,
        field("The score of the hypotheses with the highest totals in the lists; none without these, or references."),
    ]
    best: Annotated[
        float | None, field("The score of the best hypotheses that a greedy search found; none without references.")
    ]
    worst: Annotated[float | None, field("The score of the worst.")]
    s_sel: Annotated[
        float | None,
        field(
            "Over test sets: the mean over runs of the bootstrap's standard deviation; none without references, or "
            "with one segment."
        ),
    ]


class TunedRun(Row):
    """Weights that were tuned once."""

    number: Annotated[Count, field("The number of the run.")]
    scores: Annotated[tuple[float | None, ...], field("The score on each set; none without references.")]
    weights: Annotated[tuple[float, ...], field("The weight of each feature.")]
    same_as: Annotated[
        Number | None, field("An earlier run with the same outputs on every set; none if there is none.")
    ]


class TuneResult(Result, tag="tune", kw_only=True):
    """Weights of several runs, and what they choose."""

    title = "How much does tuning vary?"
    study: ClassVar[str] = "tune"

    optimizer: Annotated[Literal["mert", "pro", "mira"], field("The optimizer.")]
    sets: Annotated[tuple[TunedSet, ...], field("The development set, and those that weights were applied to.")]
    metrics: Metrics
    features: Annotated[tuple[str, ...], field("The features.")]
    runs: Annotated[tuple[TunedRun, ...], field("The runs.")]
    restarts: Annotated[Number | None, field("The number of random starts of each run; none if there are no starts.")]
    seed: Annotated[Seed, field("The seed.")]
    inputs: Annotated[Inputs, field("What was read, set by set.")]
    fingerprint: Annotated[str, field("A digest of all that was read.")]

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
        """See :meth:`truegain.results.Result.used`."""
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
