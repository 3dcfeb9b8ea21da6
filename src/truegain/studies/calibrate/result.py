"""What a calibration found, as tables, sentences and data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal

import numpy as np

from truegain.inference.intervals import quantiles
from truegain.inference.pvalues import clopper_pearson
from truegain.inference.results import MetricInfo, TestSet
from truegain.report.model import Cell, Column, Document, Paragraph, Picture, Table, Tone, signed, whole
from truegain.studies.codec import Filled, OneOf, Shape, Shapes
from truegain.studies.result import Result
from truegain.studies.shapes import METRICS, SHARE, TEST, UNIT, names_fit
from truegain.version import __version__

__all__ = ["LEVELS", "CalibrationResult", "Measured", "Power", "Rate"]

#: The levels at which rejections are counted.
LEVELS = (0.01, 0.05, 0.10)
_QUANTILES = 101

Verdict = Literal["keeps its level", "too often", "too rarely"]
_TONES: dict[Verdict, Tone] = {"keeps its level": "good", "too often": "bad", "too rarely": "plain"}


@dataclass(frozen=True)
class Rate:
    """How often a test rejected at a level."""

    level: float
    rejections: int
    repetitions: int

    @property
    def rate(self) -> float:
        """The share of rejections."""
        return self.rejections / self.repetitions

    @cached_property
    def interval(self) -> tuple[float, float]:
        """Its 95 % Clopper–Pearson interval."""
        return clopper_pearson(self.rejections, self.repetitions)


def _rates(p: tuple[float, ...]) -> tuple[Rate, ...]:
    return tuple(Rate(level, sum(one <= level for one in p), len(p)) for level in LEVELS)


@dataclass(frozen=True)
class Measured:
    """P-values of a test on datasets without a difference."""

    metric: str
    test: str
    p: tuple[float, ...]

    @cached_property
    def rates(self) -> tuple[Rate, ...]:
        """Rejections at each of :data:`LEVELS`."""
        return _rates(self.p)

    @property
    def size(self) -> Rate:
        """Rejections at 5 %."""
        return self.rates[1]

    @property
    def verdict(self) -> Verdict:
        """Whether 5 % lies within the interval of the rate measured there; if not, on which side.

        At the other levels only what is beyond a 99.9 % interval counts: three looks would else be wrong too often.
        """
        beyond = (clopper_pearson(rate.rejections, rate.repetitions, 0.999)[0] > rate.level for rate in self.rates)
        if self.size.interval[0] > self.size.level or any(beyond):
            return "too often"
        return "too rarely" if self.size.interval[1] < self.size.level else "keeps its level"

    @cached_property
    def quantiles(self) -> tuple[float, ...]:
        """Quantiles 0, .01, …, 1 of the p-values, for a plot against those of a uniform variable."""
        levels = tuple(np.linspace(0.0, 1.0, _QUANTILES).tolist())
        return tuple(quantiles(np.array(self.p), levels))


@dataclass(frozen=True)
class Power:
    """P-values of a test on datasets with a known gain: the one asked for, and the mean of what was made."""

    metric: str
    test: str
    gain: float
    reached: float
    p: tuple[float, ...]

    @cached_property
    def rates(self) -> tuple[Rate, ...]:
        """Rejections at each of :data:`LEVELS`."""
        return _rates(self.p)


def _rate_dict(rate: Rate) -> dict[str, Any]:
    return {
        "level": rate.level,
        "rejections": rate.rejections,
        "rate": rate.rate,
        "ci": list(rate.interval),
    }


_P_VALUES = Annotated[tuple[SHARE, ...], Filled()]


@dataclass(frozen=True, repr=False)
class CalibrationResult(Result):
    """How often tests reject on data without a difference, and with a known one.

    ``result["bleu", "ar"]`` is what was measured of a test under a metric.

    Attributes
    ----------
    how : str
        How datasets without a difference were made.
    measured : tuple of Measured
    power : tuple of Power
        Empty where no gain was asked for.
    unit : str
        What tests resample whose unit can be chosen.
    n_units : int
        In one dataset.
    """

    title = "Can the test be trusted?"
    study: ClassVar[str] = "calibrate"
    shape: ClassVar[Shape] = Shape(
        types={
            "metrics": METRICS,
            "systems": Annotated[tuple[str, ...], Filled()],
            "measured": Annotated[tuple[Measured, ...], Filled()],
            "unit": UNIT,
            "alternative": Annotated[str, OneOf(("two-sided", "greater", "less"))],
        },
        first=("testset", "metrics", "systems", "how", "unit", "n_units", "repetitions", "resamples", "alternative"),
        faults=names_fit,
    )
    parts: ClassVar[Shapes] = {
        Measured: Shape(
            types={"test": TEST, "p": _P_VALUES},
            derived={
                "rates": lambda one: [_rate_dict(rate) for rate in one.rates],
                "verdict": lambda one: one.verdict,
                "quantiles": lambda one: one.quantiles,
            },
            first=("metric", "test", "rates", "verdict", "quantiles"),
        ),
        Power: Shape(
            types={"test": TEST, "p": _P_VALUES},
            derived={"rates": lambda one: [_rate_dict(rate) for rate in one.rates]},
            first=("metric", "test", "gain", "reached", "rates"),
        ),
    }

    testset: TestSet
    metrics: tuple[MetricInfo, ...]
    systems: tuple[str, ...]
    how: str
    measured: tuple[Measured, ...]
    power: tuple[Power, ...]
    unit: str
    n_units: int
    repetitions: int
    resamples: int
    alternative: str
    signature: str
    notes: tuple[str, ...] = ()
    about_new_runs: bool = False
    command: str = ""
    version: str = __version__

    def __getitem__(self, key: tuple[str, str]) -> Measured:
        for one in self.measured:
            if (one.metric, one.test) == key:
                return one
        raise KeyError(key)

    def __iter__(self) -> Iterator[Measured]:
        return iter(self.measured)

    def to_records(self) -> list[dict[str, Any]]:
        """One record for each metric, test and level."""
        measured: list[Measured | Power] = [*self.measured, *self.power]
        return [
            {
                "metric": one.metric,
                "test": one.test,
                "gain": one.gain if isinstance(one, Power) else 0.0,
                "level": rate.level,
                "rejections": rate.rejections,
                "repetitions": rate.repetitions,
                "rate": rate.rate,
                "low": rate.interval[0],
                "high": rate.interval[1],
            }
            for one in measured
            for rate in one.rates
        ]

    def pictures(self, *, width: int | None = None) -> tuple[Picture, ...]:
        """The p-values' quantiles against those of a uniform variable."""
        from truegain.report.figures.quantiles import Curve, QuantilePanel, QuantilePlot

        panels = tuple(
            QuantilePanel(
                metric.label, tuple(Curve(one.test, one.quantiles) for one in self.measured if one.metric == metric.key)
            )
            for metric in self.metrics
        )
        caption = (
            f"Quantiles of p-values on {whole(self.repetitions, 'dataset')} without a difference ({self.how}) against "
            "those of a uniform variable; below the line p is too small, and the test rejects too often."
        )
        return (Picture("quantiles", QuantilePlot(panels), caption),)

    def document(self, *, width: int | None = None) -> Document:
        """A table for each metric, what to know, and signatures."""
        decimals = 1 if width is None else width
        items: list[Table | Paragraph] = [Paragraph(self._title(), "title")]
        for metric in self.metrics:
            items.append(self._sizes(metric, decimals))
        items.extend(self._verdicts())
        for metric in self.metrics:
            items.extend(self._powers(metric, decimals))
        items.append(Paragraph(f"Rejections in % of {self.repetitions:,} datasets, with their 95 % intervals."))
        items.extend(Paragraph(f"{note}.") for note in self.notes)
        items.extend(Paragraph(f"{metric.label}: {metric.signature}", "signature") for metric in self.metrics)
        items.append(Paragraph(f"{self.signature} · inputs {self.testset.fingerprint}", "signature"))
        return Document(tuple(items))

    def _title(self) -> str:
        who = " and ".join(self.systems)
        return f"{self.testset.name}  {who} · {self.how} · {whole(self.repetitions, 'dataset')}"

    def _sizes(self, metric: MetricInfo, decimals: int) -> Table:
        rows = []
        for one in self.measured:
            if one.metric == metric.key:
                cells = [Cell(_rate_text(rate, decimals)) for rate in one.rates]
                rows.append((Cell(one.test), *cells, Cell(one.verdict, _TONES[one.verdict])))
        columns = (
            Column(f"{metric.label}, no difference", "left"),
            *(Column(f"at {100 * level:g} %") for level in LEVELS),
            Column("", "left"),
        )
        return Table(columns, tuple(rows), f"Rejections without a difference in {metric.label}")

    def _verdicts(self) -> list[Paragraph]:
        """Which tests keep their level, in a sentence for each outcome."""
        said = []
        words = {
            "keeps its level": "The measured rates are compatible with the levels",
            "too often": "Rejects true null hypotheses too often",
            "too rarely": "Rejects true null hypotheses more rarely than at 5 %, which costs power only",
        }
        if self.about_new_runs:  # the null is about new runs, and not every test is
            words["too often"] = "Finds a difference between runs of one system too often to be read as about new runs"
        labels = {metric.key: metric.label for metric in self.metrics}
        for verdict, opening in words.items():
            who = [f"{one.test} ({labels[one.metric]})" for one in self.measured if one.verdict == verdict]
            if who:
                tone: Tone = "bad" if verdict == "too often" else "plain"
                said.append(Paragraph(f"{opening}: {', '.join(who)}.", "verdict", tone))
        return said

    def _powers(self, metric: MetricInfo, decimals: int) -> list[Table | Paragraph]:
        powers = [one for one in self.power if one.metric == metric.key]
        if not powers:
            return []
        rows = tuple((Cell(one.test), *(Cell(_rate_text(rate, decimals)) for rate in one.rates)) for one in powers)
        columns = (
            Column(f"{metric.label}, gain of {signed(powers[0].gain, 3)}", "left"),
            *(Column(f"at {100 * level:g} %") for level in LEVELS),
        )
        reached = f"The mean gain in {metric.label} of the datasets with one was {signed(powers[0].reached, 3)}."
        return [Table(columns, rows, f"Power with a known gain in {metric.label}"), Paragraph(reached)]


def _rate_text(rate: Rate, decimals: int) -> str:
    low, high = rate.interval
    return f"{100 * rate.rate:.{decimals}f} ({100 * low:.{decimals}f} – {100 * high:.{decimals}f})"
