"""What a study of runs found, as tables, figures, sentences and data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from truegain.inference.pvalues import clopper_pearson
from truegain.inference.results import MetricInfo, SystemScore, TestSet, Variability
from truegain.report.model import Cell, Column, Document, Paragraph, Picture, Table, p_text, signed, whole
from truegain.studies.codec import OneOf, Shape, Shapes
from truegain.studies.result import Result
from truegain.studies.shapes import ALPHA, COUNT, METRICS, SCORES, SHARE, TEST, UNIT, names_fit
from truegain.studies.shared_view import decimals_for, describe_testset, variability_tables
from truegain.version import __version__

_WAYS = {"high": "best", "median": "median", "low": "worst"}
_NEUTRAL_WAYS = {"high": "highest", "median": "median", "low": "lowest"}

__all__ = ["Check", "Drawn", "Needed", "Picked", "ReplicateResult", "Spread"]


@dataclass(frozen=True)
class Spread:
    """The middle 95 % of values, and their median."""

    low: float
    median: float
    high: float


@dataclass(frozen=True)
class Picked:
    """One run of each system, chosen by its score: of the system ``new``, of the baseline ``old``."""

    metric: str
    new: str
    old: str
    delta: float
    p: float


@dataclass(frozen=True)
class Drawn:
    """Runs drawn at random: where the gain and p lie, and how often the gain, or its contrary, is significant."""

    metric: str
    test: str
    count: int
    delta: Spread
    p: Spread
    shown: float
    other_way: float


@dataclass(frozen=True)
class Check:
    """The power with so many runs, and how a prediction of it fares.

    Attributes
    ----------
    planned : float
        The power to show the gain planned for, with new runs on new units.
    predicted, found : float
        For the observed gain, where runs and units are drawn from these: what the theory says, and the share of draws
        that were significant. What runs differ by on these very units is all their own then, so there is less power.
    draws : int
    """

    runs: int
    planned: float
    predicted: float
    found: float
    draws: int


@dataclass(frozen=True)
class Needed:
    """How many runs of each system show a gain.

    Attributes
    ----------
    runs : int or None
        None where no number of runs is enough on a test set of this size.
    limit : float
        The power with a thousand runs of each.
    observed : float
        The gain of all runs.
    checks : tuple of Check
        With runs drawn from the pool, up to half of it, and units, with replacement, from the test set.
    """

    metric: str
    gain: float
    power: float
    runs: int | None
    limit: float
    observed: float
    checks: tuple[Check, ...]


def _faults(result: ReplicateResult) -> Iterator[tuple[str, str]]:
    yield from names_fit(result)
    if (found := len({one.name for one in result.scores})) != 2:
        yield "systems", f"two systems were expected; found {found}"


_WAY = Annotated[str, OneOf(tuple(_WAYS))]


@dataclass(frozen=True, repr=False)
class ReplicateResult(Result):
    """How the conclusion depends on the runs."""

    title = "How much do runs vary?"
    study: ClassVar[str] = "replicate"
    shape: ClassVar[Shape] = Shape(
        names={"scores": "systems"},
        types={"metrics": METRICS, "scores": SCORES, "alpha": ALPHA, "unit": UNIT},
        first=("alpha", "testset"),
        faults=_faults,
    )
    parts: ClassVar[Shapes] = {
        Picked: Shape(types={"new": _WAY, "old": _WAY, "p": SHARE}),
        Drawn: Shape(types={"test": TEST, "shown": SHARE, "other_way": SHARE}),
        Check: Shape(types={"planned": SHARE, "predicted": SHARE, "found": SHARE, "draws": COUNT}),
    }

    testset: TestSet
    metrics: tuple[MetricInfo, ...]
    scores: tuple[SystemScore, ...]
    variability: tuple[Variability, ...]
    picked: tuple[Picked, ...]
    drawn: tuple[Drawn, ...]
    needed: tuple[Needed, ...]
    alpha: float
    repetitions: int
    replacement: bool
    resamples: int
    unit: str
    n_units: int
    signature: str
    notes: tuple[str, ...] = ()
    command: str = ""
    version: str = __version__

    def to_records(self) -> list[dict[str, Any]]:
        """One record for each metric, test and number of runs."""
        return [
            {
                "metric": one.metric,
                "test": one.test,
                "runs": one.count,
                "delta_low": one.delta.low,
                "delta_median": one.delta.median,
                "delta_high": one.delta.high,
                "p_low": one.p.low,
                "p_median": one.p.median,
                "p_high": one.p.high,
                "shown": one.shown,
                "other_way": one.other_way,
            }
            for one in self.drawn
        ]

    def pictures(self, *, width: int | None = None) -> tuple[Picture, ...]:
        """The run scores of both systems, and the gain as the number of runs grows."""
        from truegain.report.figures.runs import Band, RunsPanel, RunsPlot, Strip

        panels = []
        for metric in self.metrics:
            strips = [Strip(one.name, one.run_scores) for one in self.scores if one.metric == metric.key]
            bands: dict[int, Band] = {
                one.count: Band(one.count, one.delta.low, one.delta.median, one.delta.high)
                for one in self.drawn
                if one.metric == metric.key
            }
            panels.append(RunsPanel(metric.label, tuple(strips), tuple(bands.values())))
        caption = (
            f"Scores of all runs (left), and the gain of runs drawn {self._how_drawn} by how many are drawn of each "
            f"system (right): the median and the middle 95 % of {whole(self.repetitions, 'draw')}."
        )
        return (Picture("runs", RunsPlot(tuple(panels)), caption),)

    def document(self, *, width: int | None = None) -> Document:
        """For each metric: variability, picked and drawn runs; then what is needed."""
        items: list[Table | Paragraph] = [Paragraph(describe_testset(self.testset, self.scores), "title")]
        for metric in self.metrics:
            decimals = decimals_for(metric, self.scores, width)
            items.extend(variability_tables(metric, self.variability, decimals, self.unit))
            items.append(self._picked_table(metric, decimals))
            if any(one.metric == metric.key for one in self.drawn):
                items.append(self._drawn_table(metric, decimals))
            items.extend(self._checks_table(metric, decimals))
        for metric in self.metrics:
            items.extend(self._sentences(metric, decimals_for(metric, self.scores, width)))
        items.append(
            Paragraph(
                f"Runs were drawn {self._how_drawn}, {whole(self.repetitions, 'time')} for each number; ranges are the "
                f"middle 95 % of draws. Shown: the share of draws with p ≤ {self.alpha:g} in favour of the system that "
                "is better over all runs" + (", and in brackets of the other." if self._any_other_way else ".")
            )
        )
        if any(one.checks for one in self.needed):
            items.append(
                Paragraph(
                    f"Power: of the crossed test, for new runs on new {self._unit_words()}. Redrawn: where runs and "
                    f"{self._unit_words()} are drawn from these, so that what runs differ by on these "
                    f"{self._unit_words()} is all their own and there is less power; found: the share of significant "
                    "draws of that kind, which bears the theory out or does not."
                )
            )
        items.extend(Paragraph(f"{note}.") for note in self.notes)
        items.extend(Paragraph(f"{metric.label}: {metric.signature}", "signature") for metric in self.metrics)
        items.append(Paragraph(f"{self.signature} · inputs {self.testset.fingerprint}", "signature"))
        return Document(tuple(items))

    @property
    def _how_drawn(self) -> str:
        return "with replacement" if self.replacement else "without replacement"

    @property
    def _any_other_way(self) -> bool:
        return any(one.other_way > 0.0 for one in self.drawn)

    def _picked_table(self, metric: MetricInfo, decimals: int) -> Table:
        names = list(dict.fromkeys(score.name for score in self.scores))
        ways = _WAYS if metric.higher_is_better is not None else _NEUTRAL_WAYS
        columns = (Column(f"{metric.label}: one run of each", "left"), Column("Δ"), Column("p ar"))
        rows = tuple(
            (
                Cell(f"{ways[pick.new]} {names[1]}, {ways[pick.old]} {names[0]}"),
                Cell(signed(pick.delta, decimals)),
                Cell(p_text(pick.p)),
            )
            for pick in self.picked
            if pick.metric == metric.key
        )
        return Table(columns, rows, f"Gain in {metric.label} of single runs, picked by their scores")

    def _drawn_table(self, metric: MetricInfo, decimals: int) -> Table:
        drawn = [one for one in self.drawn if one.metric == metric.key]
        tests = list(dict.fromkeys(one.test for one in drawn))
        columns = [Column(f"{metric.label}: runs drawn", "left"), Column("Δ"), Column("95 % of Δ")]
        for test in tests:
            columns += [Column(f"95 % of p {test}"), Column("shown")]
        rows = []
        for count in dict.fromkeys(one.count for one in drawn):
            by_test = {one.test: one for one in drawn if one.count == count}
            delta = next(iter(by_test.values())).delta
            cells = [
                Cell(f"{count}"),
                Cell(signed(delta.median, decimals)),
                Cell(f"{signed(delta.low, decimals)} – {signed(delta.high, decimals)}"),
            ]
            for test in tests:
                one = by_test.get(test)
                cells.append(Cell("" if one is None else f"{p_text(one.p.low)} – {p_text(one.p.high)}"))
                other = f" ({100 * one.other_way:.0f} %)" if one is not None and self._any_other_way else ""
                cells.append(Cell("" if one is None else f"{100 * one.shown:.0f} %{other}"))
            rows.append(tuple(cells))
        caption = f"Gains in {metric.label} and p-values of runs drawn at random"
        return Table(tuple(columns), tuple(rows), caption)

    def _sentences(self, metric: MetricInfo, decimals: int) -> list[Paragraph]:
        said = []
        for one in self.needed:
            if one.metric != metric.key:
                continue
            what = f"a difference of {one.gain:.{decimals}f} {metric.label} with a power of {one.power:g}"
            if one.runs is None:
                text = (
                    f"No number of runs shows {what} on a test set of this size: with a thousand of each the power is "
                    f"{one.limit:.2f}. More {self._unit_words()} would help."
                )
            else:
                text = (
                    f"To show {what}, for new runs on new {self._unit_words()}, takes {one.runs} runs of each system."
                )
            said.append(Paragraph(text, "verdict"))
        return said

    def _checks_table(self, metric: MetricInfo, decimals: int) -> list[Table]:
        rows: list[tuple[Cell, ...]] = []
        for one in self.needed:
            if one.metric != metric.key:
                continue
            gain, observed = (f"{abs(x):.{decimals}f}" for x in (one.gain, one.observed))
            for check in one.checks:
                low, high = clopper_pearson(round(check.found * check.draws), check.draws)
                found = f"{check.found:.2f} ({low:.2f} – {high:.2f})"
                rows.append(
                    (Cell(f"{check.runs}"), Cell(f"{check.planned:.2f}"), Cell(f"{check.predicted:.2f}"), Cell(found))
                )
        if not rows:
            return []
        columns = (
            Column(f"{metric.label}: runs of each", "left"),
            Column(f"power for {gain}"),
            Column(f"redrawn: for {observed}"),
            Column("found"),
        )
        return [Table(columns, tuple(rows), f"Power of the crossed test in {metric.label}, and how often it was found")]

    def _unit_words(self) -> str:
        return {"testset": "test sets"}.get(self.unit, f"{self.unit}s")
