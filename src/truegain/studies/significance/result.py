"""Result of a prediction whether reported gains are significant."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar

from truegain.inference.intervals import ALPHAS
from truegain.inference.results import Metrics, TestSet, Unit, Units
from truegain.results import Result
from truegain.rows import Count, Number, Positive, Proportion, Row, Seed, field, record

_COLUMNS = "metric gain probability low high group pairs systems segments alpha unit n_units draws seed"


class ReportedGain(Row):
    """A reported gain and the probability that it is significant."""

    gain: Annotated[Positive, field("The gain, in points of the metric.")]
    probability: Annotated[Proportion, field("The probability that it is significant.")]
    low: Annotated[
        Proportion | None, field("The lower end of its 95 % interval over systems; none if there are too few.")
    ]
    high: Annotated[
        Proportion | None, field("The upper end of its 95 % interval over systems; none if there are too few.")
    ]


class SignificanceResult(Result, tag="significance", kw_only=True):
    """Significance of reported gains, predicted from the pairs of systems of a profile."""

    title = "Is a reported gain significant?"
    study: ClassVar[str] = "significance"

    testset: Annotated[TestSet, field("The test set of the profile.")]
    metrics: Metrics
    gains: Annotated[tuple[ReportedGain, ...], field("The gains, as they were asked for.", min_length=1)]
    group: Annotated[
        str,
        field("The pairs of the profile that it is predicted from: all, or those of similar systems."),
    ]
    pairs: Annotated[Count, field("The number of these pairs.")]
    systems: Annotated[Count, field("The number of systems in them.")]
    segments: Annotated[Count, field("The number of segments of the test set that the gains are of.")]
    alpha: Annotated[float, field("The level of the tests, which are one-sided.", gt=ALPHAS[0] / 2, lt=0.5)]
    unit: Unit
    n_units: Units
    draws: Annotated[Number, field("The number of draws of systems, for the intervals; 0 if there are none.")]
    seed: Annotated[Seed, field("The seed of the draws.")]

    def __iter__(self) -> Iterator[ReportedGain]:
        return iter(self.gains)

    def verdicts(self) -> list[str]:
        """Say how probable it is that each gain is significant."""
        return list(self._view.verdicts(self))

    def methods(self) -> str:
        """Describe the method in a few sentences, to paste into a paper."""
        return str(self._view.methods(self))

    def used(self) -> tuple[list[str], list[str]]:
        """See :meth:`truegain.results.Result.used`."""
        metrics, found = super().used()
        return metrics, [*found, "threshold"]

    def to_records(self) -> list[dict[str, Any]]:
        """Return one record per gain."""
        return [record(_COLUMNS, {"metric": self.metrics[0].key}, one, self) for one in self.gains]
