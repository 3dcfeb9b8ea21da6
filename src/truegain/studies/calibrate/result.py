"""What a calibration found, as tables, sentences and data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from truegain.inference.results import MetricInfo, TestSet
from truegain.report.model import Cell, Column, Document, Paragraph, Picture, Table, Tone, signed, whole
from truegain.studies.calibrate.measured import LEVELS, TOLERATED, Measured, Power, Rate, Verdict
from truegain.studies.codec import Filled, OneOf, Shape, Shapes
from truegain.studies.result import Result
from truegain.studies.shapes import COUNT, METRICS, SHARE, TEST, UNIT, names_fit
from truegain.version import __version__

__all__ = ["CalibrationResult"]

_TONES: dict[Verdict, Tone] = {
    "keeps its level": "good",
    "no excess found": "plain",
    "too often": "bad",
    "too rarely": "plain",
}


def _rate_dict(rate: Rate) -> dict[str, Any]:
    return {
        "level": rate.level,
        "rejections": rate.rejections,
        "rate": rate.rate,
        "ci": list(rate.interval),
    }


_NULL_UNIT = Annotated[str, OneOf(("segment", "document", "block", "domain", "testset", "run"))]
_P_VALUES = Annotated[tuple[SHARE, ...], Filled()]


def _faults(result: CalibrationResult) -> Iterator[tuple[str, str]]:
    yield from names_fit(result)
    if (result.null_block_length is not None) != (result.null_unit == "block"):
        wanted = "a number" if result.null_unit == "block" else "null"
        yield "null_block_length", f"of the unit {result.null_unit!r}, {wanted} was expected"


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
    null_unit : str
        What was swapped as a whole to make datasets, or "run": what was dealt out.
    n_null_units : int
        The number of these that the data have.
    null_block_length : int, optional
        The number of segments of a block, if blocks were swapped.
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
            "null_unit": _NULL_UNIT,
            "n_null_units": COUNT,
            "null_block_length": COUNT | None,
            "unit": UNIT,
            "alternative": Annotated[str, OneOf(("two-sided", "greater", "less"))],
        },
        first=(
            *("testset", "metrics", "systems", "how", "null_unit", "n_null_units", "null_block_length"),
            *("unit", "n_units", "repetitions", "resamples", "alternative"),
        ),
        derived={"about_new_runs": lambda one: one.about_new_runs},
        faults=_faults,
    )
    parts: ClassVar[Shapes] = {
        Measured: Shape(
            types={"test": TEST, "p": _P_VALUES},
            derived={
                "rates": lambda one: [_rate_dict(rate) for rate in one.rates],
                "verdict": lambda one: one.verdict,
                "needed": lambda one: one.needed,
                "quantiles": lambda one: one.quantiles,
            },
            first=("metric", "test", "rates", "verdict", "needed", "quantiles"),
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
    null_unit: str
    n_null_units: int
    null_block_length: int | None
    unit: str
    n_units: int
    repetitions: int
    resamples: int
    alternative: str
    signature: str
    notes: tuple[str, ...] = ()
    command: str = ""
    version: str = __version__

    def __getitem__(self, key: tuple[str, str]) -> Measured:
        for one in self.measured:
            if (one.metric, one.test) == key:
                return one
        raise KeyError(key)

    def __iter__(self) -> Iterator[Measured]:
        return iter(self.measured)

    @property
    def about_new_runs(self) -> bool:
        """Whether the null hypothesis is about new runs."""
        return self.null_unit == "run"

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
        """Say which tests keep their level, in a sentence for each outcome."""
        labels = {metric.key: metric.label for metric in self.metrics}
        said = []
        for verdict, opening in self._openings().items():
            who = [
                f"{one.test} ({labels[one.metric]}{_unsettled(one)})" for one in self.measured if one.verdict == verdict
            ]
            if who:
                tone: Tone = "bad" if verdict == "too often" else "plain"
                said.append(Paragraph(f"{opening}: {', '.join(who)}.", "verdict", tone))
        return said

    def _openings(self) -> dict[Verdict, str]:
        datasets = whole(self.repetitions, "dataset")
        return {
            "keeps its level": f"Keeps its level: at 5 %, a rate above {5 * TOLERATED:g} % is excluded",
            "no excess found": f"No excess found, but {datasets} cannot exclude one",
            "too often": (
                "Finds a difference between runs of one system too often to be read as about new runs"
                if self.about_new_runs  # the null is about new runs, and not every test is
                else "Rejects true null hypotheses too often"
            ),
            "too rarely": "Rejects true null hypotheses more rarely than at 5 %, which costs power only",
        }

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


def _unsettled(one: Measured) -> str:
    """Say what cannot be excluded, and how many datasets would settle it."""
    if one.needed is None:
        return ""
    return f", up to {100 * one.size.interval[1]:.1f} %; at this rate {one.needed:,} datasets would settle it"
