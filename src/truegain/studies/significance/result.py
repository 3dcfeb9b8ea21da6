"""Result of a prediction whether reported gains are significant."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from truegain.fields import Field, Shape, documented
from truegain.inference.intervals import ALPHAS
from truegain.inference.results import Metrics, TestSet, Unit, Units
from truegain.notes import Notes
from truegain.rules import Count, Filled, OneOf, Positive, Proportion, Seed, Within
from truegain.studies import view_of
from truegain.studies.records import record
from truegain.studies.result import METHODS, VERDICTS, Command, Result, Signature, Version
from truegain.version import __version__

_COLUMNS = "metric gain probability low high group pairs systems segments alpha unit n_units draws seed"


def _gain_faults(one: ReportedGain) -> Iterator[tuple[str, str]]:
    if (one.low is None) != (one.high is None):
        yield "high", "low and high are null together or not at all"


@documented
@dataclass(frozen=True)
class ReportedGain:
    """A reported gain and the probability that it is significant."""

    shape: ClassVar[Shape] = Shape(faults=_gain_faults)

    gain: Annotated[Positive, Field("The gain, in points of the metric.")]
    probability: Annotated[Proportion, Field("The probability that it is significant.")]
    low: Annotated[
        Proportion | None, Field("The lower end of its 95 % interval over systems; none if there are too few.")
    ]
    high: Annotated[
        Proportion | None, Field("The upper end of its 95 % interval over systems; none if there are too few.")
    ]


def _faults(result: SignificanceResult) -> Iterator[tuple[str, str]]:
    if len(result.metrics) != 1:
        yield "metrics", f"one metric was expected; found {len(result.metrics)}"


@documented
@dataclass(frozen=True, repr=False)
class SignificanceResult(Result):
    """Significance of reported gains, predicted from the pairs of systems of a profile."""

    title = "Is a reported gain significant?"
    study: ClassVar[str] = "significance"
    shape: ClassVar[Shape] = Shape(
        prose={"verdicts": VERDICTS, "methods": METHODS},
        first=("alpha", "testset", "segments", "unit", "n_units", "draws", "seed"),
        faults=_faults,
    )

    testset: Annotated[TestSet, Field("The test set of the profile.")]
    metrics: Metrics
    gains: Annotated[tuple[ReportedGain, ...], Filled(), Field("The gains, as they were asked for.")]
    group: Annotated[
        str,
        OneOf(("all", "same")),
        Field("The pairs of the profile that it is predicted from: all, or those of similar systems."),
    ]
    pairs: Annotated[Count, Field("The number of these pairs.")]
    systems: Annotated[Count, Field("The number of systems in them.")]
    segments: Annotated[Count, Field("The number of segments of the test set that the gains are of.")]
    alpha: Annotated[
        float, Within(ALPHAS[0] / 2, 0.5, open=True), Field("The level of the tests, which are one-sided.")
    ]
    unit: Unit
    n_units: Units
    draws: Annotated[int, Field("The number of draws of systems, for the intervals; 0 if there are none.")]
    seed: Annotated[Seed, Field("The seed of the draws.")]
    signature: Signature
    notes: Notes = ()
    command: Command = ""
    version: Version = __version__

    def __iter__(self) -> Iterator[ReportedGain]:
        return iter(self.gains)

    def verdicts(self) -> list[str]:
        """Say how probable it is that each gain is significant."""
        return list(view_of(self.study).verdicts(self))

    def methods(self) -> str:
        """Describe the method in a few sentences, to paste into a paper."""
        return str(view_of(self.study).methods(self))

    def used(self) -> tuple[list[str], list[str]]:
        """See :meth:`truegain.studies.result.Result.used`."""
        metrics, found = super().used()
        return metrics, [*found, "threshold"]

    def to_records(self) -> list[dict[str, Any]]:
        """Return one record per gain."""
        return [record(_COLUMNS, {"metric": self.metrics[0].key}, one, self) for one in self.gains]
