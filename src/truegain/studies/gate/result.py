"""What a gate found, as a table, sentences and data."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from truegain.inference.results import MetricInfo, SystemScore, TestSet
from truegain.report.model import Cell, Column, Document, Paragraph, Passages, Table, Tone, decimal, p_text, signed
from truegain.settings.gate import Requirement
from truegain.studies.codec import Filled, Shape, Shapes, write
from truegain.studies.gate.check import CHECK, GateCheck, null_gain
from truegain.studies.gate.sentences import confidence, headline, methods, reason
from truegain.studies.gate.summary import summary
from truegain.studies.null_gain import as_given
from truegain.studies.result import Result
from truegain.studies.shapes import ALPHA, METRICS, SCORES, SEED, UNIT, names_fit
from truegain.studies.shared_view import decimals_for, describe_testset, heading_of
from truegain.version import __version__

__all__ = ["GateResult"]


def _faults(result: GateResult) -> Iterator[tuple[str, str]]:
    yield from names_fit(result)
    for key, name in (("baseline", result.baseline), ("system", result.system)):
        for metric in result.metrics:
            if not any((one.metric, one.name) == (metric.key, name) for one in result.scores):
                yield key, f"{name!r} has no score under {metric.key!r} among the systems"
    if [one.metric for one in result.checks] != [metric.key for metric in result.metrics]:
        yield "checks", "one check a metric was expected, in the order of the metrics"
    for number, one in enumerate(result.checks):
        if one.alternative != result.alternative:
            yield f"checks[{number}].alternative", f"{result.alternative!r} was expected; found {one.alternative!r}"
        if (one.margin is None) != (result.require == "no-loss-shown"):
            yield f"checks[{number}].margin", f"{'no margin' if one.margin is not None else 'a margin'} was expected"
        elif one.null_gain != (expected := null_gain(result.require, one.margin)):
            yield f"checks[{number}].null_gain", f"{expected:g} was expected; found {one.null_gain:g}"


@dataclass(frozen=True, repr=False)
class GateResult(Result):
    """Whether a system may pass, and why.

    ``result.passed`` is the answer; ``result["bleu"]`` is what one metric says.

    Attributes
    ----------
    testset : TestSet
    metrics : tuple of MetricInfo
    scores : tuple of SystemScore
    checks : tuple of GateCheck
        One a metric; all must pass.
    baseline, system : str
    require : "better", "not-worse" or "no-loss-shown"
    alpha : float
        Of one-sided tests.
    unit : str
        What was resampled.
    n_units, resamples, seed : int
    signature : str
        How the tests were made.
    notes : tuple of str
    command : str
        What was typed, where it was typed.
    """

    study: ClassVar[str] = "gate"
    shape: ClassVar[Shape] = Shape(
        names={"scores": "systems"},
        types={
            "metrics": METRICS,
            "scores": SCORES,
            "checks": Annotated[tuple[GateCheck, ...], Filled()],
            "alpha": ALPHA,
            "seed": SEED,
            "unit": UNIT,
        },
        derived={
            "passed": lambda result: result.passed,
            "headline": lambda result: result.headline(),
            "reasons": lambda result: result.reasons(),
            "methods": lambda result: result.methods(),
        },
        first=("passed", "require", "alpha", "testset", "baseline", "system", "unit", "n_units", "resamples", "seed"),
        faults=_faults,
    )
    parts: ClassVar[Shapes] = {GateCheck: CHECK}

    testset: TestSet
    metrics: tuple[MetricInfo, ...]
    scores: tuple[SystemScore, ...]
    checks: tuple[GateCheck, ...]
    baseline: str
    system: str
    require: Requirement
    alpha: float
    unit: str
    n_units: int
    resamples: int
    seed: int
    signature: str
    notes: tuple[str, ...] = ()
    command: str = ""
    version: str = __version__

    title = "May it pass?"

    @property
    def passed(self) -> bool:
        """Whether every metric lets the system pass."""
        return all(one.passed for one in self.checks)

    @property
    def alternative(self) -> Literal["greater", "less"]:
        """Which way the tests look."""
        return "less" if self.require == "no-loss-shown" else "greater"

    def __getitem__(self, metric: str) -> GateCheck:
        for one in self.checks:
            if one.metric == metric:
                return one
        raise KeyError(metric)

    def __iter__(self) -> Iterator[GateCheck]:
        return iter(self.checks)

    def metric(self, key: str) -> MetricInfo:
        """A metric as it was used."""
        return next(one for one in self.metrics if one.key == key)

    def headline(self) -> str:
        """Whether it passed and why, in one line."""
        return headline(self)

    def reasons(self, width: int | None = None) -> list[str]:
        """A sentence or two for each metric."""
        return [reason(self, one, width) for one in self.checks]

    def methods(self) -> str:
        """A sentence or two on the method."""
        return methods(self)

    def answer(self, *, width: int | None = None) -> Document:
        """The headline and the reasons alone."""
        items = [
            Paragraph(text, "verdict", _tone(one.passed))
            for text, one in zip(self.reasons(width), self.checks, strict=True)
        ]
        return Document((Paragraph(self.headline(), "verdict", _tone(self.passed)), *items))

    def document(self, *, width: int | None = None) -> Document:
        """The headline, a table, why, what to know, signatures, and the methods sentence."""
        first, *reasons = self.answer(width=width).items
        items: list[Table | Paragraph | Passages] = [
            first,
            Paragraph(describe_testset(self.testset, self.scores), "title"),
        ]
        items += [self.table(width=width), *reasons]
        items += [Paragraph(f"{note}.") for note in self.remarks()]
        items += [Paragraph(f"{metric.label}: {metric.signature}", "signature") for metric in self.metrics]
        items.append(Paragraph(f"{self.signature} · inputs {self.testset.fingerprint}", "signature"))
        items.append(Paragraph(self.methods(), "methods"))
        return Document(tuple(items))

    def summary(self) -> str:
        """The result in GitHub's Markdown: what a workflow shows beside the build."""
        return summary(self)

    def remarks(self) -> list[str]:
        """What to know, metric by metric and in all."""
        own = [
            f"{self.metric(one.metric).label}: {note}" if len(self.checks) > 1 else note[:1].upper() + note[1:]
            for one in self.checks
            for note in (*one.notes, *(caveat.text for caveat in one.caveats if not one.shown))
        ]
        if any(metric.higher_is_better is False for metric in self.metrics):
            own.insert(0, "Δ is positive where the system is better, also where lower scores are better")
        return [*own, *self.notes]

    def table(self, *, width: int | None = None, words: tuple[str, str] = ("pass", "FAIL")) -> Table:
        """A row a metric; ``words`` for what passes and what does not."""
        level = confidence(self.checks[0])
        asked = "must not be shown" if self.require == "no-loss-shown" else "must be shown"
        columns = (
            Column("", "left"),
            Column(self.baseline),
            Column(self.system),
            Column("Δ"),
            Column(asked),
            Column("p"),
            Column(f"{level} bound"),
            Column("passes at"),
            Column("", "left"),
        )
        rows = []
        for one in self.checks:
            metric = self.metric(one.metric)
            decimals = decimals_for(metric, self.scores, width)
            scores = {score.name: score.score for score in self.scores if score.metric == one.metric}
            sign = "<" if self.require == "no-loss-shown" else ">"
            rows.append(
                (
                    Cell(heading_of(metric)),
                    *(Cell(decimal(scores[name], decimals)) for name in (self.baseline, self.system)),
                    Cell(signed(one.delta, decimals), _tone(one.passed)),
                    Cell(f"{sign} {as_given(one.null_gain)}"),
                    Cell(p_text(one.p)),
                    Cell(self._bound_text(one, decimals)),
                    Cell("none" if math.isinf(one.needed) else f"> {signed(one.needed, decimals)}"),
                    Cell(words[0] if one.passed else words[1], _tone(one.passed)),
                )
            )
        caption = f"The gain of {self.system} over {self.baseline}, and what it must be"
        return Table(columns, tuple(rows), caption)

    def _bound_text(self, one: GateCheck, decimals: int) -> str:
        """How small the gain may be; how large, if a loss is shown."""
        loss = self.require == "no-loss-shown" and not one.passed
        bound = one.upper if loss else one.lower
        return "none" if math.isinf(bound) else f"{'≤' if loss else '≥'} {signed(bound, decimals)}"

    def to_records(self) -> list[dict[str, Any]]:
        """One record a metric."""
        records = []
        for one in self.checks:
            record = write(one, self._shapes())
            low, high = record.pop("p_mc")
            for key in ("exceedances", "p_sequence"):
                record.pop(key)
            scores = {score.name: score.score for score in self.scores if score.metric == one.metric}
            records.append(
                {
                    "metric": record.pop("metric"),
                    "baseline": self.baseline,
                    "system": self.system,
                    "passed": record.pop("passed"),
                    "require": self.require,
                    "baseline_score": scores[self.baseline],
                    "system_score": scores[self.system],
                    **record,
                    "p_mc_low": low,
                    "p_mc_high": high,
                }
            )
        return records


def _tone(passed: bool) -> Tone:
    return "good" if passed else "bad"
