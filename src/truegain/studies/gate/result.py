"""Result of a gate."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from truegain.fields import Baseline, Field, Shape, System, documented
from truegain.inference.intervals import Alpha
from truegain.inference.results import MetricInfo, Metrics, Scores, TestSet, Unit, Units
from truegain.notes import Notes
from truegain.rules import Filled, Seed
from truegain.settings.gate import Requirement
from truegain.studies import view_of
from truegain.studies.consistency import names_fit
from truegain.studies.gate.check import GateCheck, null_gain
from truegain.studies.records import record
from truegain.studies.result import METHODS, Command, Result, Signature, Version
from truegain.version import __version__

if TYPE_CHECKING:
    from truegain.report.model import Document, Table

_COLUMNS = (
    "metric baseline system passed require baseline_score system_score delta p resamples test unit n_units alternative "
    "null claim=claim_text claim_runs claim_unit notes caveats margin null_gain alpha lower upper same needed p_mc_low "
    "p_mc_high"
)


def _faults(result: GateResult) -> Iterator[tuple[str, str]]:
    yield from names_fit(result)
    for key, name in (("baseline", result.baseline), ("system", result.system)):
        for metric in result.metrics:
            if not any((one.metric, one.name) == (metric.key, name) for one in result.scores):
                yield key, f"{name!r} has no score under {metric.key!r} among the systems"
    if [one.metric for one in result.checks] != [metric.key for metric in result.metrics]:
        yield "checks", "one check a metric was expected, in the order of the metrics"
    for number, one in enumerate(result.checks):
        for key in ("baseline", "system"):
            if getattr(one, key) != getattr(result, key):
                yield f"checks[{number}].{key}", f"{getattr(result, key)!r} was expected; found {getattr(one, key)!r}"
        if one.alternative != result.alternative:
            yield f"checks[{number}].alternative", f"{result.alternative!r} was expected; found {one.alternative!r}"
        if (one.margin is None) != (result.require == "no-loss-shown"):
            yield f"checks[{number}].margin", f"{'no margin' if one.margin is not None else 'a margin'} was expected"
        elif one.null_gain != (expected := null_gain(result.require, one.margin)):
            yield f"checks[{number}].null_gain", f"{expected:g} was expected; found {one.null_gain:g}"


@documented
@dataclass(frozen=True, repr=False)
class GateResult(Result):
    """Decision on whether a system may pass, and its reasons.

    ``result.passed`` is the answer, and the truth value; ``result["bleu"]`` is what one metric says.
    """

    study: ClassVar[str] = "gate"
    shape: ClassVar[Shape] = Shape(
        derived=("passed",),
        prose={
            "headline": Annotated[str, Field("Whether it passed and why, in one line.")],
            "reasons": Annotated[tuple[str, ...], Field("A sentence or two for each metric.")],
            "methods": METHODS,
        },
        first=("passed", "require", "alpha", "testset", "baseline", "system", "unit", "n_units", "resamples", "seed"),
        faults=_faults,
    )

    testset: Annotated[TestSet, Field("The test set.")]
    metrics: Metrics
    scores: Scores
    checks: Annotated[tuple[GateCheck, ...], Filled(), Field("One per metric; all must pass.")]
    baseline: Baseline
    system: System
    require: Annotated[Requirement, Field("What was required of the system.")]
    alpha: Annotated[Alpha, Field("The level of the tests, which are one-sided.")]
    unit: Unit
    n_units: Units
    resamples: Annotated[int, Field("The number of resamples.")]
    seed: Annotated[Seed, Field("The seed of the resamples.")]
    signature: Signature
    notes: Notes = ()
    command: Command = ""
    version: Version = __version__

    title = "May it pass?"

    def heading(self) -> str:
        """Name the candidate and the baseline before the question."""
        return f"{self.system} against {self.baseline}: may it pass?"

    @property
    def passed(self) -> bool:
        """True if every metric lets the system pass."""
        return all(one.passed for one in self.checks)

    def __bool__(self) -> bool:
        return self.passed

    @property
    def alternative(self) -> Literal["greater", "less"]:
        """Direction in which the tests look."""
        return "less" if self.require == "no-loss-shown" else "greater"

    def __getitem__(self, metric: str) -> GateCheck:
        for one in self.checks:
            if one.metric == metric:
                return one
        raise KeyError(metric)

    def __iter__(self) -> Iterator[GateCheck]:
        return iter(self.checks)

    def metric(self, key: str) -> MetricInfo:
        """Return a metric as it was used."""
        return next(one for one in self.metrics if one.key == key)

    def headline(self) -> str:
        """Say in one line whether it passed and why."""
        return str(view_of(self.study).headline(self))

    def reasons(self, decimals: int | None = None) -> list[str]:
        """Say a sentence or two for each metric."""
        return list(view_of(self.study).reasons(self, decimals))

    def methods(self) -> str:
        """Describe the method in a sentence or two."""
        return str(view_of(self.study).methods(self))

    def answer(self, *, decimals: int | None = None) -> Document:
        """Return the headline and the reasons alone."""
        document: Document = view_of(self.study).answer(self, decimals)
        return document

    def table(self, *, decimals: int | None = None, words: tuple[str, str] = ("pass", "FAIL")) -> Table:
        """Return a table with a row for each metric; ``words`` for what passes and what does not."""
        table: Table = view_of(self.study).table(self, decimals, words)
        return table

    def remarks(self) -> list[str]:
        """Return what to know, metric by metric and in all."""
        return [str(note) for note in view_of(self.study).remarks(self)]

    def summary(self) -> str:
        """Write the result in GitHub's Markdown, as a workflow shows it next to the build."""
        return str(view_of(self.study).summary(self))

    def to_records(self) -> list[dict[str, Any]]:
        """Return one record per metric."""
        scores = {(one.metric, one.name): one.score for one in self.scores}
        return [
            record(
                _COLUMNS,
                {
                    "baseline_score": scores[one.metric, one.baseline],
                    "system_score": scores[one.metric, one.system],
                    "caveats": [caveat.text for caveat in one.caveats],
                    "notes": [str(note) for note in one.notes],
                },
                one,
                self,
            )
            for one in self.checks
        ]
