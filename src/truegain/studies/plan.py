"""Plan of the segments, documents or runs that a gain takes, and of the gain that can be shown with them."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Annotated, Any, ClassVar

from msgspec import Meta
from msgspec.structs import replace

from truegain.cautions import check_several_units, size_note
from truegain.corpus import Corpus
from truegain.errors import FILE, InputError, Setting
from truegain.executors.processors import available_jobs
from truegain.experiment import Experiment, check_gains, check_options
from truegain.inference.intervals import Alpha, Level
from truegain.inference.power import Plan, plan_of, runs_needed, units_needed
from truegain.inference.results import MetricInfo, Metrics, SystemScore, TestSet, Unit
from truegain.inference.sampling import Sampling, sampling_of
from truegain.metrics.base import Metric
from truegain.metrics.segment_scores import SegmentScores
from truegain.notes import Finding, Note
from truegain.procedures.base import Pair, Trial
from truegain.procedures.raters import held_raters
from truegain.report.model import Cell, Column, Table
from truegain.results import Result
from truegain.rows import Count, MetricKey, NonNegative, Number, Positive, Proportion, Row, field, record, ten_digits
from truegain.settings import plan as settings
from truegain.settings.function import takes
from truegain.settings.plan import LARGEST, PlanOptions
from truegain.studies.given import corpus_of
from truegain.version import __version__
from truegain.view import Digits, digits_of, stacked
from truegain.words import Sentence, chance_text, describe_testset, heading_of, listing, rounded_up, whole

_ASSUMED_SEGMENTS = 1_000  # that variances are written down for without a pilot
_FEW_RUNS = 5
_SIZES = (500, 1_000, 2_000, 5_000)
_SAMPLES = (1, 2, 5, 10, 20)
_COMPUTING = ("unit", "strata", "cache", "engine", "executor")
_COLUMNS = "metric units segments runs standard_error detectable power_asked gain power alpha one_sided unit"

HEADING = Sentence("What does a gain of {system} over {baseline} take?")
DETECTABLE = Sentence("With {size} there is {power} power to detect a gain of {least}.")
TAKES = Sentence("A gain of {gain} takes about {units}.")
ENDLESS = Sentence("No number of {nouns} is enough for a gain of {gain}.")

KNOWN_TO = Sentence("{size}; the numbers needed are known to about ± {off:.0f} %")
FEW_RUNS = Sentence("{runs} runs show little of how runs vary")
OPTIMISTIC = Sentence("The observed gain is often larger than the true one: plan for the least that matters")
SAMPLED = Sentence("{share:.0f} % of the variance in {metric} is sampling ({samples} samples per item)")
TOO_FEW = Sentence("With fewer than {least} {nouns} randomization tests cannot reach p ≤ {alpha:g} for any gain")
THESE_RUNS = Sentence("With one run of each system the claim is about these runs alone: new runs may differ")
ASSUMED = Sentence("Assumed: segment differences with a standard deviation of {sd:.3g}, a design effect of {effect:g}")
RUNS_ASSUMED = Sentence("Assumed: scores of runs with a standard deviation of {sd}, on all segments alike")
ENDING = Sentence("plan of a {test}, {sides}-sided, alpha {alpha:g}")
METHODS = Sentence(
    "Power was computed for a {test} ({sides}-sided, at a level of {level:.10g} %), averaged over the variances that "
    "may be estimated, from {source}, which fall as one over the number of {nouns} (truegain {version})."
)
T_TEST = Sentence("paired t-test over {nouns}")
CROSSED = Sentence("crossed test of new runs and {nouns}")
FROM_PILOT = Sentence("the jackknife variances of the difference in {metrics} on a pilot of {size}")

_Variance = Annotated[float, Meta(ge=0.0, le=LARGEST)]
_Two = tuple[_Variance, _Variance]
_Gain = Annotated[float, Meta(ge=1.0 / LARGEST, le=LARGEST)]
_Units = Annotated[int, field("The number of units.", ge=2, le=10**12)]
_Runs = Annotated[int, Meta(ge=1, le=10**6)]
_Grid = defaultdict[str, dict[str, Cell]]  # of a table: cells by row and heading


class Assumptions(Row):
    """Assumptions in place of measurements."""

    sd: Annotated[_Two | None, field("The standard deviation of segment scores, of either system.")] = None
    correlation: Annotated[float | None, field("The correlation of the two systems' scores.")] = None
    sd_difference: Annotated[float | None, field("The standard deviation of the differences.")] = None
    design_effect: Annotated[float, field("The design effect.")] = 1.0
    run_sd: Annotated[_Two | None, field("The standard deviation over runs, of either system.")] = None


class Size(Row):
    """Size of a test set."""

    units: _Units
    segments: Annotated[Count, field("The number of segments that these have.")]


class Basis(Row):
    """Basis of a plan under one metric."""

    metric: MetricKey
    observed: Annotated[float | None, field("The gain of the second system in the pilot; none without one.")]
    standard_error: Annotated[float | None, field("Of the observed gain, over runs as well if both have several.")]
    gains: Annotated[tuple[_Gain, ...], field("The gains to plan for.")]
    common: Annotated[_Variance, field("The variance over units that all runs have in common.")]
    run_variances: Annotated[_Two, field("The variance over runs, of either system.")]
    interactions: Annotated[_Two, field("The variance of how a run does on single units, of either system.")]
    effective_units: Annotated[float, field("The number of equal units that would vary as much.", ge=1e-6, le=1e12)]
    n_units: Annotated[_Units, field("The number of units that the variances are of.")]
    sampling: Annotated[Sampling | None, field("What comes from samples of items; none if it is not known.")] = None

    @property
    def plan(self) -> Plan:
        """The variances, to be asked for other numbers."""
        return Plan(self.common, self.run_variances, self.interactions, self.effective_units)

    @property
    def share(self) -> float:
        """Number of effective units per unit."""
        return self.effective_units / self.n_units


class Prediction(Row):
    """Prediction for a test set of some size."""

    metric: MetricKey
    units: Annotated[Count, field("The number of units.")]
    segments: Annotated[Number, field("The number of segments, or items.")]
    standard_error: Annotated[NonNegative, field("Of the difference.")]
    detectable: Annotated[NonNegative, field("The least gain that is shown with the power asked for.")]


class Predicted(Prediction):
    """Prediction for a test set of some size, with some runs of each system."""

    runs: Annotated[Count, field("The number of runs of each system.")]
    powers: Annotated[tuple[Proportion, ...], field("For each of the gains of the basis.")]


class PredictedSamples(Prediction):
    """Prediction for a test set of some size, with some samples per item."""

    samples: Annotated[Count | None, field("The samples per item of each system; none: as many as one likes.")]


class Needed(Row):
    """Fewest units that show a gain with these runs of each system, or fewest runs with these units."""

    metric: MetricKey
    gain: Annotated[float, field("The gain to show.")]
    runs: Annotated[Number | None, field("The number of runs of each system; none if no number shows it.")]
    units: Annotated[Number | None, field("The number of units; none if no number shows it.")]
    segments: Annotated[Number | None, field("The number of segments that these have.")]


class PlanResult(Result, tag="plan", kw_only=True, rename={"scores": "systems"}):
    """Probabilities that gains are shown, and what they take.

    ``result.basis("bleu")`` is what the plan for a metric rests on; ``result.predicted`` has a row for each metric,
    size and number of runs.
    """

    title = "How much does it take?"
    study: ClassVar[str] = "plan"

    testset: Annotated[TestSet | None, field("The pilot; none if all is assumed.")] = None
    assumptions: Annotated[Assumptions | None, field("What was assumed; none if a pilot shows all.")] = None
    metrics: Metrics
    scores: Annotated[tuple[SystemScore, ...], field("The scores of the two systems of the pilot.")] = ()
    bases: Annotated[tuple[Basis, ...], field("What is planned from, metric by metric.", min_length=1)]
    pilot_runs: Annotated[tuple[Count, Count] | None, field("The runs of either system in the pilot.")] = None
    sizes: Annotated[tuple[Size, ...], field("The sizes of test sets to plan for.", min_length=1)]
    runs: Annotated[tuple[_Runs, ...], field("The numbers of runs of each system to plan for.", min_length=1)]
    power: Annotated[Level, field("The power with which a gain should be shown.")]
    alpha: Alpha
    one_sided: Annotated[bool, field("Whether the test is one-sided.")]
    unit: Annotated[Unit, field("What varies as a whole.")]
    item: Annotated[str, field("What a row of the test set is called: segment, question or item.")] = "segment"
    segments_per_unit: Annotated[Positive, field("The mean number of segments of a unit.")] = 1.0
    from_observed: Annotated[bool, field("Whether the gains to plan for are those that the pilot showed.")] = False
    predicted: Annotated[tuple[Predicted, ...], field("What to expect of sizes and numbers of runs.")] = ()
    units_needed: Annotated[tuple[Needed, ...], field("The units that gains take, by the number of runs.")] = ()
    runs_needed: Annotated[
        tuple[Needed, ...], field("The runs that gains take, by size, if runs are planned for.")
    ] = ()
    predicted_samples: Annotated[tuple[PredictedSamples, ...], field("What to expect of samples per item.")] = ()

    @property
    def plans_runs(self) -> bool:
        """Return whether it is known, or assumed, how scores vary over runs."""
        return max(self.runs) > 1

    @property
    def usual_runs(self) -> int:
        """The runs of each system that sentences are about: the pilot's, if they are among those planned for."""
        several = [count for count in self.runs if count > 1] or list(self.runs)
        pilot = min(self.pilot_runs or (1, 1))
        return pilot if pilot in several else several[0]

    @property
    def noun(self) -> str:
        """What a unit is called."""
        return {"segment": self.item, "testset": "test set"}.get(self.unit, self.unit)

    @property
    def level(self) -> dict[str, Any]:
        """The level of the planned test, as :class:`truegain.inference.power.Plan` takes it."""
        return {"alpha": self.alpha, "one_sided": self.one_sided}

    def basis(self, metric: str) -> Basis:
        """Return what the plan for a metric rests on."""
        return next(basis for basis in self.bases if basis.metric == metric)

    def heading(self) -> str:
        """See :meth:`truegain.results.Result.heading`."""
        names = list(dict.fromkeys(score.name for score in self.scores))
        return HEADING(baseline=names[0], system=names[1]) if names else self.title

    def used(self) -> tuple[list[str], list[str]]:
        """See :meth:`truegain.results.Result.used`."""
        metrics = [metric.key.partition(":")[0] for metric in self.metrics if self.testset is not None]
        return metrics, ["truegain", "plan", *(["crossed", "runs"] if self.plans_runs else [])]

    def to_records(self) -> list[dict[str, Any]]:
        """Return one record for each metric, size, number of runs and gain."""
        records = []
        for row in self.predicted:
            for gain, power in zip(self.basis(row.metric).gains or [None], row.powers or [None], strict=True):
                records.append(record(_COLUMNS, {"gain": gain, "power": power, "power_asked": self.power}, row, self))
        return records

    def tables(self, decimals: int | None) -> Iterator[Table]:
        """Yield what to expect of sizes and runs, what gains take, and what samples per item bring."""
        power = chance_text(self.power)
        captions = (
            f"Power to detect gains, and the least gain detected with a power of {power}",
            f"What it takes to detect gains with a power of {power}",
            f"The least gain detected with a power of {power}, by samples per item",
        )
        grids = [_grids(self, metric, plan_digits(self, metric, decimals)) for metric in self.metrics]
        for caption, *of_metrics in zip(captions, *grids, strict=True):
            tables = []
            for metric, grid in zip(self.metrics, of_metrics, strict=True):
                rows = tuple((Cell(name), *cells.values()) for name, cells in grid.items())
                if rows:
                    columns = [Column(name, secondary=name == "segments") for name in next(iter(grid.values()))]
                    tables.append(Table((Column(heading_of(metric), "left"), *columns), rows, caption))
            headings = {tuple(column.heading for column in table.columns[1:]) for table in tables}
            yield from [stacked(tables)] if len(headings) == 1 else tables  # gains of metrics may differ


@takes(PlanOptions)
def plan(options: PlanOptions) -> PlanResult:
    """Plan a test set: which gains it will show, and how many segments, documents or runs others take.

    From a pilot, two systems' outputs, which says how their difference varies; or, without any, from ``sd`` and
    ``correlation`` or ``sd_difference``.

    Examples
    --------
    >>> import truegain as tg
    >>> result = tg.plan(sd=12, correlation=0.8, gain=0.5, segment_counts=[1000])
    >>> result.units_needed[0].segments
    1811
    """
    check_options(options)
    settings.check_power(options.power, options.alpha)
    if options.references is None and options.systems is None:
        settings.refuse_what_a_pilot_has(options)
        basis = _from_assumptions(options)
    elif not options.sd is options.correlation is options.sd_difference is None or options.design_effect != 1.0:
        raise TypeError("a pilot shows how segments vary: sd, correlation, sd_difference and design_effect go without")
    else:
        basis = _from_pilot(corpus_of(options), options)
    sides = {True: "one", False: "two"}[options.one_sided]
    asked = PlanResult(
        power=options.power,
        alpha=options.alpha,
        one_sided=options.one_sided,
        signature=(
            f"plan:t|unit:{basis['unit']}|power:{options.power:g}|alpha:{options.alpha:g}|sides:{sides}"
            f"|version:{__version__}"
        ),
        **basis,
    )
    result = _computed(asked, options.sample_counts or _SAMPLES)

    nouns, source = f"{result.noun}s", "assumed variances"
    test = CROSSED(nouns=nouns) if result.plans_runs else T_TEST(nouns=nouns)
    if result.testset is not None:
        labels = listing([metric.label for metric in result.metrics])
        source = FROM_PILOT(metrics=labels, size=whole(result.bases[0].n_units, result.noun))
    slots = {"test": test, "sides": sides, "alpha": options.alpha, "level": 100 * options.alpha, "nouns": nouns}
    return replace(
        result,
        findings=tuple(finding for metric in result.metrics for finding in _findings(result, metric)),
        notes=(*result.notes, *_further_notes(result)),
        ending=ENDING(**slots),
        methods=METHODS(**slots, source=source, version=__version__),
    )


def _from_pilot(corpus: Corpus, options: PlanOptions) -> dict[str, Any]:
    """Return what is asked of how the difference of two systems varies, as fields of the result."""
    if len(corpus.systems) != 2:
        raise InputError(f"a pilot has two systems; got {len(corpus.systems)}", hint="give the outputs of both")
    computing: dict[str, Any] = {name: getattr(options, name) for name in _COMPUTING}
    experiment = Experiment.prepare(
        corpus, options.metrics, seed=0, jobs=available_jobs(options.jobs), progress=options.progress, **computing
    )
    check_several_units(experiment)
    units, per_unit = experiment.units, corpus.segments / experiment.units.count
    counts = (len(corpus.systems[0].runs), len(corpus.systems[1].runs))
    gains, run_sds = settings.checked_gains(options.gain), settings.run_deviations(options)
    if min(counts) > 1 and run_sds is not None:
        raise InputError(
            "the pilot's runs show how runs vary", hint=("leave out ", Setting("run_sd"), ", or give one run of each")
        )
    if any(not 1 <= count <= 1_000_000 for count in options.sample_counts):
        raise InputError(f"a number of samples must be from 1 to a million; got {options.sample_counts}")
    runs = settings.checked_runs(options.run_counts, known=min(counts) > 1 or run_sds is not None)
    sizes = _sizes(options.segment_counts, options.document_counts, units.kind, per_unit)
    around = dict.fromkeys(max(2, count) for count in (round(units.count / 2), *(n * units.count for n in (1, 2, 4))))
    for gain in gains:
        check_gains(experiment, "gain", [gain] * len(experiment.statistics.blocks))
    bases = tuple(_basis(experiment, m, gains, run_sds) for m in range(len(experiment.statistics.blocks)))
    for block, basis in zip(experiment.statistics.blocks, bases, strict=True):
        if options.sample_counts and basis.sampling is None:
            raise InputError(
                f"what samples add to the variance of {block.metric.label} is not known, so they cannot be planned for",
                hint="give several rows of each id, as samples (not raters) of an item, and take their means",
            )
    testset, scores = experiment.testset(), experiment.system_results(None, 1.0 - options.alpha, "percentile")
    held = held_raters(experiment, [b.gains for b in bases], alpha=options.alpha, one_sided=options.one_sided)
    return {
        "testset": testset,
        "assumptions": run_sds and Assumptions(run_sd=run_sds),
        "metrics": experiment.metric_infos(),
        "scores": scores,
        "bases": bases,
        "sizes": sizes or tuple(Size(count, round(count * per_unit)) for count in around),
        "runs": runs,
        "unit": units.kind,
        "item": corpus.item_noun,
        "segments_per_unit": per_unit,
        "from_observed": not gains,
        "pilot_runs": counts,
        "about": describe_testset(testset, scores, corpus.item_noun),
        "notes": (*_pilot_notes(experiment, counts, bases, observed=not gains), *experiment.notes, *held),
    }


def _basis(experiment: Experiment, m: int, gains: tuple[float, ...], run_sds: tuple[float, float] | None) -> Basis:
    """Return what the plan for a metric rests on; runs vary as the pilot's do, or as is assumed."""
    block, units = experiment.statistics.blocks[m], experiment.units
    counts = (len(experiment.corpus.systems[0].runs), len(experiment.corpus.systems[1].runs))
    pilot = plan_of(experiment.runs_of(m, 0), experiment.runs_of(m, 1), experiment.effective_units)
    if min(counts) == 1:
        over_units = pilot.common + sum(pilot.interactions[s] / counts[s] for s in (0, 1))
        pilot = Plan(over_units, _squares(run_sds), (0.0, 0.0), pilot.units)
    if pilot.spread((1, 1)) == 0.0:
        raise InputError(
            f"the difference of the two systems in {block.metric.label} is the same on every {experiment.unit_noun}: "
            "there is nothing to plan from",
            hint="give outputs of two systems that differ",
        )
    pair = Pair(0, 1)
    observed = Trial(experiment, (pair,)).delta((m, pair))
    wanted = gains or tuple(abs(gain) for gain in [observed] if gain)
    variances = (pilot.common, pilot.runs, pilot.interactions, pilot.units)
    sampling = _sampling(experiment, block.metric)
    return Basis(block.key, observed, pilot.spread(counts), wanted, *variances, units.count, sampling)


def _squares(deviations: tuple[float, float] | None) -> tuple[float, float]:
    """Return the variances of assumed deviations; 0 if nothing is assumed."""
    old, new = deviations or (0.0, 0.0)
    return old**2, new**2


def _sampling(experiment: Experiment, metric: Metric) -> Sampling | None:
    """Return what comes from samples of items, if the score is the mean of their means."""
    corpus = experiment.corpus
    if not isinstance(metric, SegmentScores) or metric.over is not None or metric.column is None:
        return None
    if corpus.raters is not None:  # who rates both systems weighs in both
        return None
    old, new = ([run.repeats[metric.column] for run in s.runs if metric.column in run.repeats] for s in corpus.systems)
    if len(old) + len(new) < sum(len(system.runs) for system in corpus.systems):
        return None
    return sampling_of(old, new)


def _pilot_notes(
    experiment: Experiment, counts: tuple[int, int], bases: Sequence[Basis], *, observed: bool
) -> Iterator[Note]:
    """Yield what the pilot is, how well it shows what varies, and what of that is sampling."""
    size = size_note(experiment.corpus, experiment.units, runs=counts)
    off = 100.0 * 1.96 * math.sqrt(2.0 / max(bases[0].effective_units - 1.0, 1.0))
    yield replace(size, text=KNOWN_TO(size=size.text, off=min(off, 100.0)))
    if 1 < min(counts) < _FEW_RUNS:
        yield Note("few-runs", FEW_RUNS(runs=" + ".join(map(str, counts))))
    if observed and any(basis.gains for basis in bases):
        yield Note("observed-gain", OPTIMISTIC())
    for block, basis in zip(experiment.statistics.blocks, bases, strict=True):
        if basis.sampling is not None:
            share, samples = basis.sampling.share(basis.plan), _each(basis.sampling.samples)
            yield Note("sampling", SAMPLED(metric=block.metric.label, share=100.0 * share, samples=samples))


def _each(numbers: tuple[float, float]) -> str:
    """Write a number, or that of either system if they differ."""
    return " and ".join(f"{number:.3g}" for number in dict.fromkeys(numbers))


def _from_assumptions(options: PlanOptions) -> dict[str, Any]:
    """Return what is asked of segment scores that are assumed; the score of a system is their mean."""
    gains, effect = settings.checked_gains(options.gain), options.design_effect
    sds, difference = settings.deviations(options)
    if not 0.0 < effect <= LARGEST:
        raise InputError(f"the design effect must be above 0; got {effect:g}", hint="1: segments are independent")
    run_sds = settings.run_deviations(options)
    variance = difference**2 * effect / _ASSUMED_SEGMENTS
    variances = (variance, _squares(run_sds), (0.0, 0.0), _ASSUMED_SEGMENTS / effect)
    return {
        "assumptions": Assumptions(sds, options.correlation, difference, effect, run_sds),
        "metrics": (MetricInfo("score", "score", True, "assumed"),),
        "bases": (Basis("score", None, None, gains, *variances, _ASSUMED_SEGMENTS),),
        "sizes": _sizes(options.segment_counts or _SIZES, options.document_counts, "segment", 1.0),
        "runs": settings.checked_runs(options.run_counts, known=run_sds is not None),
        "unit": "segment",
        "about": "Planned from assumptions, without a pilot",
        "notes": (Note("assumptions", ASSUMED(sd=difference, effect=effect)),),
    }


def _sizes(segments: Sequence[int], documents: Sequence[int], unit: str, per_unit: float) -> tuple[Size, ...]:
    """Return the sizes asked for, in units and in segments."""
    if documents and unit != "document":
        raise InputError(
            "documents cannot be counted, because they are not the unit",
            hint=("give them (", Setting("documents", FILE), "), or count ", Setting("segment_counts")),
        )
    sizes = [Size(count, round(count * per_unit)) for count in documents]
    for count in segments:
        units = count
        if unit != "segment":
            units = max(2, round(count / per_unit))
        sizes.append(Size(units, count))
    for size, given in zip(sizes, (*documents, *segments), strict=True):
        if not 2 <= given <= 10**12 or size.segments < 2:
            raise InputError(f"a test set must have from 2 segments or documents to 10^12; got {given}")
    return tuple(dict.fromkeys(sizes))


def _computed(asked: PlanResult, sample_counts: Sequence[int]) -> PlanResult:
    """Return the plan with what to expect of sizes, runs and samples, and with what gains take, basis by basis."""
    predicted, by_samples, units, runs = [], [], [], []
    level, wanted = asked.level, {"power": asked.power} | asked.level

    def expect(pilot: Plan, effective: float, count: int) -> tuple[float, float]:
        both = (count, count)
        return pilot.spread(both, units=effective), pilot.detectable(both, units=effective, **wanted)

    for basis in asked.bases:
        metric, pilot, share = basis.metric, basis.plan, basis.share
        for size, count in product(asked.sizes, asked.runs):
            effective = size.units * share
            powers = tuple(pilot.power(gain, (count, count), units=effective, **level) for gain in basis.gains)
            expected = expect(pilot, effective, count)
            predicted.append(Predicted(metric, size.units, size.segments, *expected, count, powers))
        for number, size in product((*dict.fromkeys(sample_counts), None), asked.sizes):
            if basis.sampling is not None:
                expected = expect(basis.sampling.plan(pilot, number), size.units * share, asked.usual_runs)
                by_samples.append(PredictedSamples(metric, size.units, size.segments, *expected, number))
        for gain, count in product(basis.gains, asked.runs):
            fewest = units_needed(pilot, gain, (count, count), share=share, **wanted)
            segments = None if fewest is None else math.ceil(fewest * asked.segments_per_unit)
            units.append(Needed(metric, gain, count, fewest, segments))
        for size, gain in product(asked.sizes, basis.gains):
            if asked.plans_runs:
                fewest = runs_needed(pilot, gain, units=size.units * share, **wanted)
                runs.append(Needed(metric, gain, fewest, size.units, size.segments))
    return replace(
        asked,
        predicted=tuple(predicted),
        predicted_samples=tuple(by_samples),
        units_needed=tuple(units),
        runs_needed=tuple(runs),
    )


def _findings(result: PlanResult, metric: MetricInfo) -> Iterator[Finding]:
    """Yield what is found with the pilot's size, or the first one asked for, and what the first gain takes."""
    digits, basis, runs = plan_digits(result, metric), result.basis(metric.key), result.usual_runs
    mine = [row for row in result.predicted if (row.metric, row.runs) == (metric.key, runs)]
    here = next((row for row in mine if result.testset is not None and row.units == basis.n_units), mine[0])
    size, least = whole(here.units, result.noun), digits.score(here.detectable)
    if result.plans_runs:
        size += f" and {whole(runs, 'run')} of each"
    if digits.percent:
        least += " points in"
    if result.testset is not None:
        least += f" {metric.label}"
    yield Finding(DETECTABLE(size=size, power=chance_text(result.power), least=least))
    for row in [row for row in result.units_needed if (row.metric, row.runs) == (metric.key, runs)][:1]:
        gain = gain_text(row.gain, digits)
        if row.units is None:
            yield Finding(ENDLESS(gain=gain, nouns=f"{result.noun}s"))
        else:
            yield Finding(TAKES(gain=gain, units=whole(rounded_up(row.units), result.noun)))


def _further_notes(result: PlanResult) -> Iterator[Note]:
    """Yield what is assumed and claimed of runs, and that randomization could not be significant whatever the gain."""
    if result.plans_runs and 1 in result.runs:
        yield Note("no-new-runs", THESE_RUNS())
    if result.assumptions is not None and result.assumptions.run_sd is not None:
        yield Note("assumptions", RUNS_ASSUMED(sd=_each(result.assumptions.run_sd)))
    least = math.ceil(-math.log2(result.alpha)) + (not result.one_sided)
    needed = [row.units for row in result.units_needed if row.units is not None]
    if min([*needed, *(size.units for size in result.sizes)]) < least:
        yield Note("few-units", TOO_FEW(least=least, nouns=f"{result.noun}s", alpha=result.alpha))


def plan_digits(result: PlanResult, metric: MetricInfo, decimals: int | None = None) -> Digits:
    """Return how gains are written: as the pilot's scores are, else with enough decimals for what is assumed."""
    if decimals is not None or result.scores:
        return digits_of(result, metric, decimals)
    spread = result.basis(metric.key).plan.spread((1, 1), units=1.0)
    return Digits(2 + (spread < 2.0) + (spread < 0.2))


def gain_text(gain: float, digits: Digits) -> str:
    """Write a gain as scores are written, but as it was given if that is shorter, or needs more decimals."""
    shown = ten_digits(digits.shown(gain))
    for text in (f"{shown:.{min(digits.places, 2)}f}", f"{shown:g}"):
        if float(text) == shown:
            return text
    return digits.score(gain)


def _grids(result: PlanResult, metric: MetricInfo, digits: Digits) -> tuple[_Grid, _Grid, _Grid]:
    """Return what to expect of sizes and runs, what gains take, and what samples bring: cells by row and heading."""
    expected, needed, by_samples = _Grid(dict), _Grid(dict), _Grid(dict)
    for row in (row for row in result.predicted if row.metric == metric.key):
        name = whole(row.units, result.noun)
        if result.plans_runs:
            name += f", {whole(row.runs, 'run')}"
        if result.unit != "segment":
            expected[name]["segments"] = _count(row.segments)
        detectable = Cell(digits.score(row.detectable), value=row.detectable)
        expected[name][f"detectable, {chance_text(result.power)}"] = detectable
        for gain, power in zip(result.basis(metric.key).gains, row.powers, strict=True):
            expected[name][f"power for {gain_text(gain, digits)}"] = Cell(chance_text(power), value=power)

    for units in (row for row in result.units_needed if row.metric == metric.key):
        name = f"{result.noun}s"
        if result.plans_runs:
            name += f", {whole(units.runs or 0, 'run')}"
        needed[name][f"needed for {gain_text(units.gain, digits)}"] = _count(units.units)
    for runs in (row for row in result.runs_needed if row.metric == metric.key):
        name = f"runs, {whole(runs.units or 0, result.noun)}"
        needed[name][f"needed for {gain_text(runs.gain, digits)}"] = _count(runs.runs)

    for sampled in (row for row in result.predicted_samples if row.metric == metric.key):
        name = "any number" if sampled.samples is None else whole(sampled.samples, "sample")
        detectable = Cell(digits.score(sampled.detectable), value=sampled.detectable)
        by_samples[name][whole(sampled.units, result.noun)] = detectable
    return expected, needed, by_samples


def _count(count: int | None) -> Cell:
    return Cell("none" if count is None else f"{count:,}", value=count)
