"""Result of a gate."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from truegain.inference.intervals import Alpha
from truegain.inference.results import MetricInfo, Metrics, Scores, TestSet, Unit, Units
from truegain.results import Result
from truegain.rows import Baseline, Number, Seed, System, field, record
from truegain.settings.gate import Requirement
from truegain.studies.gate.check import GateCheck

if TYPE_CHECKING:
    from truegain.report.model import Document, Table

_COLUMNS = (
    "metric baseline system passed require baseline_score system_score delta p resamples test unit n_units alternative "
    "null claim=claim_text claim_runs claim_unit notes caveats margin null_gain alpha lower upper same needed p_mc_low "
    "p_mc_high"
)


class GateResult(Result, tag="gate", kw_only=True, rename={"scores": "systems"}):
    """Decision on whether a system may pass, and its reasons.

    ``result.passed`` is the answer, and the truth value; ``result["bleu"]`` is what one metric says.
    """

    study: ClassVar[str] = "gate"

    testset: Annotated[TestSet, field("The test set.")]
    metrics: Metrics
    scores: Scores
    checks: Annotated[tuple[GateCheck, ...], field("One per metric; all must pass.", min_length=1)]
    baseline: Baseline
    system: System
    require: Annotated[Requirement, field("What was required of the system.")]
    alpha: Annotated[Alpha, field("The level of the tests, which are one-sided.")]
    unit: Unit
    n_units: Units
    resamples: Annotated[Number, field("The number of resamples.")]
    seed: Annotated[Seed, field("The seed of the resamples.")]
    passed: Annotated[bool, field("Whether every metric lets the system pass.")] = False

    title = "May it pass?"

    def __post_init__(self) -> None:
        self._derive(passed=all(one.passed for one in self.checks))

    def heading(self) -> str:
        """Name the candidate and the baseline before the question."""
        return f"{self.system} against {self.baseline}: may it pass?"

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
        return str(self._view.headline(self))

    def reasons(self, decimals: int | None = None) -> list[str]:
        """Say a sentence or two for each metric."""
        return list(self._view.reasons(self, decimals))

    def methods(self) -> str:
        """Describe the method in a sentence or two."""
        return str(self._view.methods(self))

    def answer(self, *, decimals: int | None = None) -> Document:
        """Return the headline and the reasons alone."""
        document: Document = self._view.answer(self, decimals)
        return document

    def table(self, *, decimals: int | None = None, words: tuple[str, str] = ("pass", "FAIL")) -> Table:
        """Return a table with a row for each metric; ``words`` for what passes and what does not."""
        table: Table = self._view.table(self, decimals, words)
        return table

    def remarks(self) -> list[str]:
        """Return what to know, metric by metric and in all."""
        return [str(note) for note in self._view.remarks(self)]

    def summary(self) -> str:
        """Write the result in GitHub's Markdown, as a workflow shows it next to the build."""
        return str(self._view.summary(self))

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
