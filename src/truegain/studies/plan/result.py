"""What a plan says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from truegain.inference.power import Plan
from truegain.inference.results import MetricInfo, SystemScore, TestSet
from truegain.studies import view_of
from truegain.studies.codec import Filled, OneOf, Shape, Shapes, Within
from truegain.studies.result import Result
from truegain.studies.shapes import ALPHA, COUNT, LEVEL, METRICS, SHARE, SPREAD, names_fit
from truegain.version import __version__

__all__ = ["Assumptions", "Basis", "PlanResult", "Predicted", "RunsNeeded", "Size", "UnitsNeeded"]


@dataclass(frozen=True)
class Assumptions:
    """What was not measured but assumed.

    Attributes
    ----------
    sd : (float, float) or None
        The standard deviation of segment scores, of either system.
    correlation : float or None
        Of the two systems' scores.
    sd_difference : float or None
        The standard deviation of the differences; None where a pilot shows it.
    design_effect : float
    run_sd : (float, float) or None
        The standard deviation over runs, of either system.
    """

    sd: tuple[float, float] | None = None
    correlation: float | None = None
    sd_difference: float | None = None
    design_effect: float = 1.0
    run_sd: tuple[float, float] | None = None


@dataclass(frozen=True)
class Size:
    """Of a test set: its units, and how many segments these have."""

    units: int
    segments: int


@dataclass(frozen=True)
class Basis:
    """What is planned from, under one metric.

    Attributes
    ----------
    observed : float or None
        The gain in the pilot, positive where the second system is better.
    standard_error : float or None
        Of the observed gain: over units, and over runs where both systems have several.
    gains : tuple of float
        To plan for.
    common, run_variances, interactions : float
        What the variance of the difference is made of, see :class:`truegain.inference.power.Plan`.
    effective_units : float
        The number of equal units that would vary as much.
    n_units : int
        That the variances were measured on, or are written down for.
    """

    metric: str
    observed: float | None
    standard_error: float | None
    gains: tuple[float, ...]
    common: float
    run_variances: tuple[float, float]
    interactions: tuple[float, float]
    effective_units: float
    n_units: int

    @property
    def plan(self) -> Plan:
        """The variances, to be asked for other numbers."""
        return Plan(self.common, self.run_variances, self.interactions, self.effective_units)

    @property
    def share(self) -> float:
        """How many effective units a unit is."""
        return self.effective_units / self.n_units


@dataclass(frozen=True)
class Predicted:
    """What to expect of a test set of some size, with some runs of each system.

    Attributes
    ----------
    standard_error : float
        Of the difference.
    detectable : float
        The minimum detectable gain: the least that is shown with the power asked for.
    powers : tuple of float
        For each of the gains of the basis.
    """

    metric: str
    units: int
    segments: int
    runs: int
    standard_error: float
    detectable: float
    powers: tuple[float, ...]


@dataclass(frozen=True)
class UnitsNeeded:
    """The fewest units that show a gain with so many runs of each system; None where no number does."""

    metric: str
    gain: float
    runs: int
    units: int | None
    segments: int | None


@dataclass(frozen=True)
class RunsNeeded:
    """The fewest runs of each system that show a gain on a test set of that size; None where no number does."""

    metric: str
    gain: float
    units: int
    segments: int
    runs: int | None


def _faults(result: PlanResult) -> Iterator[tuple[str, str]]:
    yield from names_fit(result)
    if [one.metric for one in result.bases] != [metric.key for metric in result.metrics]:
        yield "bases", "one basis a metric was expected, in the order of the metrics"
        return
    yield from _faults_of_source(result)
    combinations = [(basis, size, runs) for basis in result.bases for size in result.sizes for runs in result.runs]
    expected = [(basis.metric, size, runs, len(basis.gains)) for basis, size, runs in combinations]
    if [(one.metric, Size(one.units, one.segments), one.runs, len(one.powers)) for one in result.predicted] != expected:
        yield "predicted", "a prediction for each metric, size and number of runs was expected, with a power a gain"
    gained = [(basis.metric, gain) for basis in result.bases for gain in basis.gains]
    if [(one.metric, one.gain, one.runs) for one in result.units_needed] != [
        (metric, gain, runs) for metric, gain in gained for runs in result.runs
    ]:
        yield "units_needed", "an answer for each metric, gain and number of runs was expected"
    if [(one.metric, Size(one.units, one.segments), one.gain) for one in result.runs_needed] != [
        (basis.metric, size, gain)
        for basis in result.bases
        for size in (result.sizes if result.plans_runs else ())
        for gain in basis.gains
    ]:
        yield "runs_needed", "an answer for each metric, size and gain was expected where runs are planned for"


def _faults_of_source(result: PlanResult) -> Iterator[tuple[str, str]]:
    """A plan rests on a pilot, with all that belongs to it, or on assumptions."""
    piloted = result.testset is not None
    given = result.assumptions
    if (result.pilot_runs is not None) != piloted:
        yield "pilot_runs", "null was expected without a test set, and a list of 2 with one"
    for place, basis in enumerate(result.bases):
        if (basis.observed is not None, basis.standard_error is not None) != (piloted, piloted):
            yield f"bases[{place}].observed", "null was expected without a test set, and a number with one"
        names = [score.name for score in result.scores if score.metric == basis.metric]
        if len(names) != (2 if piloted else 0):
            yield "systems", f"{'two systems' if piloted else 'none'} were expected; found {len(names)}"
    if len({score.name for score in result.scores}) > 2:
        yield "systems", "the same two systems were expected under every metric"
    if given is not None and (given.sd is None) != (given.correlation is None):
        yield "assumptions.correlation", "sd and correlation go together"
    if not piloted and (given is None or given.sd_difference is None):
        yield "assumptions", "a plan without a pilot rests on sd_difference, and there is none"


_LARGE = 1e100  # squares of it are numbers still
_VARIANCE = Annotated[float, Within(0.0, _LARGE)]
_GAIN = Annotated[float, Within(1.0 / _LARGE, _LARGE)]
_UNITS = Annotated[int, Within(2, 1e12)]
_RUNS = Annotated[int, Within(1, 1e6)]


@dataclass(frozen=True, repr=False)
class PlanResult(Result):
    """How likely gains are to be shown, and what it takes.

    ``result.basis("bleu")`` is what the plan for a metric rests on; ``result.predicted`` has a row for each metric,
    size and number of runs.

    Attributes
    ----------
    testset : TestSet or None
        The pilot; None where all is assumed.
    assumptions : Assumptions or None
    pilot_runs : (int, int) or None
        The runs of either system in the pilot.
    sizes : tuple of Size
    runs : tuple of int
        Of each system.
    power : float
        With which a gain should be shown.
    one_sided : bool
    unit : str
        What varies as a whole.
    segments_per_unit : float
    from_observed : bool
        Whether the gains to plan for are those that the pilot showed.
    """

    title = "How much does it take?"
    study: ClassVar[str] = "plan"
    shape: ClassVar[Shape] = Shape(
        names={"scores": "systems"},
        types={
            "metrics": METRICS,
            "bases": Annotated[tuple[Basis, ...], Filled()],
            "sizes": Annotated[tuple[Size, ...], Filled()],
            "runs": Annotated[tuple[_RUNS, ...], Filled()],
            "power": LEVEL,
            "alpha": ALPHA,
            "unit": Annotated[str, OneOf(("segment", "document", "domain", "testset"))],
            "segments_per_unit": Annotated[float, Within(0.0, open=True)],
            "pilot_runs": tuple[COUNT, COUNT] | None,
        },
        prose=("verdicts", "methods"),
        first=("alpha", "power", "one_sided", "testset"),
        faults=_faults,
    )
    parts: ClassVar[Shapes] = {
        Size: Shape(types={"units": _UNITS, "segments": COUNT}),
        Basis: Shape(
            types={
                "gains": tuple[_GAIN, ...],
                "common": _VARIANCE,
                "run_variances": tuple[_VARIANCE, _VARIANCE],
                "interactions": tuple[_VARIANCE, _VARIANCE],
                "effective_units": Annotated[float, Within(1e-6, 1e12)],
                "n_units": _UNITS,
            }
        ),
        Predicted: Shape(
            types={
                "runs": COUNT,
                "units": COUNT,
                "powers": tuple[SHARE, ...],
                "standard_error": SPREAD,
                "detectable": SPREAD,
            }
        ),
    }

    testset: TestSet | None
    assumptions: Assumptions | None
    metrics: tuple[MetricInfo, ...]
    scores: tuple[SystemScore, ...]
    bases: tuple[Basis, ...]
    pilot_runs: tuple[int, int] | None
    sizes: tuple[Size, ...]
    runs: tuple[int, ...]
    power: float
    alpha: float
    one_sided: bool
    unit: str
    segments_per_unit: float
    from_observed: bool
    signature: str
    predicted: tuple[Predicted, ...] = ()
    units_needed: tuple[UnitsNeeded, ...] = ()
    runs_needed: tuple[RunsNeeded, ...] = ()
    notes: tuple[str, ...] = ()
    command: str = ""
    version: str = __version__

    @property
    def plans_runs(self) -> bool:
        """Whether it is known, or assumed, how scores vary over runs."""
        return max(self.runs) > 1

    def basis(self, metric: str) -> Basis:
        """What the plan for a metric rests on."""
        return next(one for one in self.bases if one.metric == metric)

    def decimals(self, metric: MetricInfo, decimals: int | None = None) -> int:
        """How many decimals gains are shown with."""
        return int(view_of(self.study).decimals_of(self, metric, decimals))

    def verdicts(self, decimals: int | None = None) -> list[str]:
        """A sentence or two for each metric."""
        return list(view_of(self.study).verdicts(self, decimals))

    def methods(self) -> str:
        """A sentence or two on the method, to paste into a report."""
        return str(view_of(self.study).methods(self))

    def used(self) -> tuple[list[str], list[str]]:
        """See :meth:`truegain.studies.result.Result.used`."""
        metrics = [] if self.testset is None else [metric.key.partition(":")[0] for metric in self.metrics]
        return metrics, ["truegain", "plan", *(["crossed"] if self.plans_runs else [])]

    def to_records(self) -> list[dict[str, Any]]:
        """One record for each metric, size, number of runs and gain."""
        records = []
        for one in self.predicted:
            gains = self.basis(one.metric).gains
            for gain, found in zip(gains, one.powers, strict=True) if gains else [(None, None)]:
                records.append(
                    {
                        "metric": one.metric,
                        "units": one.units,
                        "segments": one.segments,
                        "runs": one.runs,
                        "standard_error": one.standard_error,
                        "detectable": one.detectable,
                        "power_asked": self.power,
                        "gain": gain,
                        "power": found,
                        "alpha": self.alpha,
                        "one_sided": self.one_sided,
                        "unit": self.unit,
                    }
                )
        return records
