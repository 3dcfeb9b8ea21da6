"""Plan of the segments, documents or runs that a gain takes, and of the gain that can be shown with them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Annotated, Any, ClassVar

from msgspec import Meta
from msgspec.structs import replace

from truegain.cautions import size_note
from truegain.corpus import Corpus
from truegain.errors import FILE, InputError, Setting, Way
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
from truegain.settings.function import takes
from truegain.settings.plan import (
    LARGEST,
    PlanOptions,
    check_power,
    checked_gains,
    checked_runs,
    deviations,
    refuse_what_a_pilot_has,
    run_deviations,
)
from truegain.studies.given import corpus_of
from truegain.version import __version__
from truegain.view import Digits, digits_of, stacked
from truegain.words import Sentence, chance_text, describe_testset, heading_of, listing, rounded_up, whole

#: What units are called.
NOUNS = {"document": "document", "domain": "domain", "testset": "test set"}
_PAIR = Pair(0, 1)
_ASSUMED = 1_000  # segments that variances are written down for, where there is no pilot
_SIZES = (500, 1_000, 2_000, 5_000)
_SAMPLES = (1, 2, 5, 10, 20)
_SCORE = MetricInfo("score", "score", True, "assumed")
_SIDES = {True: "one", False: "two"}
_FEW_RUNS = 5
_MOSTLY = 0.96  # of the variance within items, so that more samples detect within 2 % of what more items do
_COLUMNS = "metric units segments runs standard_error detectable power_asked gain power alpha one_sided unit"

HEADING = Sentence("What does a gain of {system} over {baseline} take?")
ASSUMPTIONS = Sentence("Planned from assumptions, without a pilot")
DETECTABLE = Sentence("With {size} there is {power} power to detect a {gain} of {least}.")
TAKES = Sentence(
    "With {size} there is {power} power to detect a {gain} of {least}; for {wanted} it takes about {units}."
)
ENDLESS = Sentence(
    "With {size} there is {power} power to detect a {gain} of {least}; for {wanted} no number of {nouns} is enough."
)
OBSERVED = Sentence("the observed {gain}")
MORE_ITEMS = Sentence(
    "Twice the {nouns} detect {items}, twice the samples {samples}, no number of samples less than {least}: more "
    "{nouns} help more."
)
MORE_SAMPLES = Sentence("Twice the {nouns} detect {items}, twice the samples {samples}: more samples help as much.")

KNOWN_TO = Sentence("{size}; the numbers needed are known to about ± {off:.0f} %")
FEW_RUNS = Sentence("{runs} runs show little of how runs vary")
OPTIMISTIC = Sentence("An observed gain is often larger than the true one: plan for the least that matters")
SAMPLED = Sentence("{share:.0f} % of the variance is sampling ({samples} samples per item)")
NO_VARIANCE_BETWEEN = Sentence(
    "Samples vary within items as much as means of items differ; the variance between items is taken for 0"
)
NO_VARIANCE_PARTS = Sentence("{label} has no variance parts between and within items")
TOO_FEW = Sentence("With fewer than {least} {nouns} randomization tests cannot reach p ≤ {alpha:g} for any gain")
THESE_RUNS = Sentence("With one run of each system the claim is about these runs alone: new runs may differ.")
SCORES_ASSUMED = Sentence(
    "Assumed: segment scores with a standard deviation of {sd}, correlated by {correlation:g} between systems; a "
    "system's score is their mean"
)
DIFFERENCE_ASSUMED = Sentence(
    "Assumed: segment differences with a standard deviation of {difference:.3g}; a system's score is a mean of segments"
)
EFFECT_ASSUMED = Sentence("Assumed: segments of a document are alike, by a design effect of {effect:g}")
RUNS_ASSUMED = Sentence("Assumed: scores of runs with a standard deviation of {sd}, on all segments alike")
SMALL_EFFECT = Sentence(
    "A design effect of {effect:g} makes variances smaller, as if segments of a document made up for each other; "
    "segments that are alike have one above 1"
)
ENDING = Sentence("plan of a paired t-test over {nouns}, {sides}, alpha {alpha:g}")
ENDING_OF_RUNS = Sentence("plan of a crossed test of new runs and {nouns}, {sides}, alpha {alpha:g}")
METHODS = Sentence(
    "Power was computed for a paired t-test over {nouns} ({sides}, at a level of {level:.10g} %) from the noncentral t "
    "distribution (truegain {version})."
)
METHODS_OF_RUNS = Sentence(
    "Power was computed for the crossed test of runs and {nouns} ({sides}, at a level of {level:.10g} %), averaged "
    "over the variances that may be estimated (truegain {version})."
)
FROM_PILOT = Sentence(
    "Variances over {nouns} fall as one over their number; they are the jackknife variances of the difference in "
    "{metrics} on a pilot of {size}, and other {nouns} are taken to vary as these do."
)
FROM_ASSUMPTIONS = Sentence("Variances over {nouns} fall as one over their number; they were assumed.")

_Variance = Annotated[float, Meta(ge=0.0, le=LARGEST)]
_Two = tuple[_Variance, _Variance]
_Gain = Annotated[float, Meta(ge=1.0 / LARGEST, le=LARGEST)]
_Units = Annotated[int, field("The number of units.", ge=2, le=10**12)]
_Runs = Annotated[int, Meta(ge=1, le=10**6)]


class Assumptions(Row):
    """Assumptions in place of measurements."""

    sd: Annotated[_Two | None, field("The standard deviation of segment scores, of either system.")] = None
    correlation: Annotated[float | None, field("The correlation of the two systems' scores.")] = None
    sd_difference: Annotated[
        float | None, field("The standard deviation of the differences; none if a pilot shows it.")
    ] = None
    design_effect: Annotated[float, field("The design effect.")] = 1.0
    run_sd: Annotated[_Two | None, field("The standard deviation over runs, of either system.")] = None


class Size(Row):
    """Size of a test set."""

    units: _Units
    segments: Annotated[Count, field("The number of segments that these have.")]


class Basis(Row):
    """Basis of a plan under one metric."""

    metric: MetricKey
    observed: Annotated[
        float | None,
        field("The gain in the pilot, positive if the second system is better; none without a pilot."),
    ]
    standard_error: Annotated[
        float | None,
        field("Of the observed gain: over units, and over runs if both systems have several; none without a pilot."),
    ]
    gains: Annotated[tuple[_Gain, ...], field("The gains to plan for.")]
    common: Annotated[_Variance, field("The variance over units that all runs have in common.")]
    run_variances: Annotated[_Two, field("The variance over runs, of either system.")]
    interactions: Annotated[_Two, field("The variance of how a run does on single units, of either system.")]
    effective_units: Annotated[float, field("The number of equal units that would vary as much.", ge=1e-6, le=1e12)]
    n_units: Annotated[
        _Units, field("The number of units that the variances were measured on, or are written down for.")
    ]
    sampling: Annotated[
        Sampling | None,
        field("What comes from samples of items; none if there is one of each, or nothing is known."),
    ] = None

    @property
    def plan(self) -> Plan:
        """The variances, to be asked for other numbers."""
        return Plan(self.common, self.run_variances, self.interactions, self.effective_units)

    @property
    def share(self) -> float:
        """Number of effective units per unit."""
        return self.effective_units / self.n_units


class Predicted(Row):
    """Prediction for a test set of some size, with some runs of each system."""

    metric: MetricKey
    units: Annotated[Count, field("The number of units.")]
    segments: Annotated[Number, field("The number of segments.")]
    runs: Annotated[Count, field("The number of runs of each system.")]
    standard_error: Annotated[NonNegative, field("Of the difference.")]
    detectable: Annotated[
        NonNegative, field("The minimum detectable gain: the least that is shown with the power asked for.")
    ]
    powers: Annotated[tuple[Proportion, ...], field("For each of the gains of the basis.")]


class UnitsNeeded(Row):
    """Fewest units that show a gain with these runs of each system."""

    metric: MetricKey
    gain: Annotated[float, field("The gain to show.")]
    runs: Annotated[Number, field("The number of runs of each system.")]
    units: Annotated[Number | None, field("The number of units; none if no number shows it.")]
    segments: Annotated[Number | None, field("The number of segments that these have; none if no number shows it.")]


class RunsNeeded(Row):
    """The fewest runs of each system that show a gain on a test set of that size."""

    metric: MetricKey
    gain: Annotated[float, field("The gain to show.")]
    units: Annotated[Number, field("The number of units.")]
    segments: Annotated[Number, field("The number of segments.")]
    runs: Annotated[Number | None, field("The number of runs of each system; none if no number shows it.")]


class PredictedSamples(Row):
    """Prediction for a test set of some size, with some samples per item."""

    metric: MetricKey
    units: Annotated[Count, field("The number of units.")]
    segments: Annotated[Number, field("The number of segments, or items.")]
    samples: Annotated[Count | None, field("The samples per item of each system; none: as many as one likes.")]
    standard_error: Annotated[NonNegative, field("Of the difference.")]
    detectable: Annotated[NonNegative, field("The minimum detectable gain.")]


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
    scores: Annotated[
        tuple[SystemScore, ...],
        field("The scores of the two systems of the pilot; empty if all is assumed."),
    ] = ()
    bases: Annotated[tuple[Basis, ...], field("What is planned from, metric by metric.", min_length=1)]
    pilot_runs: Annotated[
        tuple[Count, Count] | None, field("The runs of either system in the pilot; none without a pilot.")
    ] = None
    sizes: Annotated[tuple[Size, ...], field("The sizes of test sets to plan for.", min_length=1)]
    runs: Annotated[tuple[_Runs, ...], field("The numbers of runs of each system to plan for.", min_length=1)]
    power: Annotated[Level, field("The power with which a gain should be shown.")]
    alpha: Alpha
    one_sided: Annotated[bool, field("Whether the test is one-sided.")]
    unit: Annotated[Unit, field("What varies as a whole.")]
    item: Annotated[str, field("What a row of the test set is called: segment, question or item.")] = "segment"
    segments_per_unit: Annotated[Positive, field("The mean number of segments of a unit.")] = 1.0
    from_observed: Annotated[bool, field("Whether the gains to plan for are those that the pilot showed.")] = False
    predicted: Annotated[tuple[Predicted, ...], field("What to expect, for each metric, size and number of runs.")] = ()
    units_needed: Annotated[
        tuple[UnitsNeeded, ...], field("The units needed, for each metric, gain and number of runs.")
    ] = ()
    runs_needed: Annotated[
        tuple[RunsNeeded, ...],
        field("The runs needed, for each metric, size and gain; empty if runs are not planned for."),
    ] = ()
    predicted_samples: Annotated[
        tuple[PredictedSamples, ...],
        field("What to expect of more samples per item, for each metric, number of samples and size."),
    ] = ()

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
        return NOUNS.get(self.unit, self.item)

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
        metrics = [] if self.testset is None else [metric.key.partition(":")[0] for metric in self.metrics]
        return metrics, ["truegain", "plan", *(["crossed", "runs"] if self.plans_runs else [])]

    def to_records(self) -> list[dict[str, Any]]:
        """Return one record for each metric, size, number of runs and gain."""
        records = []
        for row in self.predicted:
            gains = self.basis(row.metric).gains
            for gain, power in zip(gains, row.powers, strict=True) if gains else [(None, None)]:
                records.append(record(_COLUMNS, {"gain": gain, "power": power, "power_asked": self.power}, row, self))
        return records

    def tables(self, decimals: int | None) -> Iterator[Table]:
        """Yield what to expect of sizes and runs, what gains take, and what samples per item bring."""
        digits = {metric.key: plan_digits(self, metric, decimals) for metric in self.metrics}
        planned = [metric for metric in self.metrics if self.basis(metric.key).gains]
        sampled = [metric for metric in self.metrics if self.basis(metric.key).sampling is not None]
        for make, metrics in ((_expected, self.metrics), (_needed, planned), (_samples, sampled)):
            yield from _sections([make(self, metric, digits[metric.key]) for metric in metrics])


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
    check_power(options.power, options.alpha)
    if options.references is None and options.systems is None:
        if options.document_counts:
            raise TypeError("document_counts need a pilot with documents; design_effect stands for them here")
        refuse_what_a_pilot_has(options)
        return _from_assumptions(options)
    if not options.sd is options.correlation is options.sd_difference is None or options.design_effect != 1.0:
        raise TypeError("a pilot shows how segments vary: sd, correlation, sd_difference and design_effect go without")
    return _from_pilot(corpus_of(options), options)


def _from_pilot(corpus: Corpus, options: PlanOptions) -> PlanResult:
    """Plan from how the difference of two systems varies, and what that means for other sizes."""
    experiment = _pilot(corpus, options)
    counts = (len(corpus.systems[0].runs), len(corpus.systems[1].runs))
    piloted = min(counts) > 1
    if piloted and options.run_sd is not None:
        raise InputError(
            "the pilot's runs show how runs vary", hint=("leave out ", Setting("run_sd"), ", or give one run of each")
        )
    gains, run_sds = checked_gains(options.gain), run_deviations(options)
    planned_runs = checked_runs(options.run_counts, known=piloted or run_sds is not None)
    units = experiment.units
    per_unit = corpus.segments / units.count
    around = dict.fromkeys(max(2, count) for count in (round(units.count / 2), *(n * units.count for n in (1, 2, 4))))
    sizes = _sizes(options.segment_counts, options.document_counts, units.kind, per_unit)
    sizes = sizes or tuple(Size(count, round(count * per_unit)) for count in around)
    for gain in gains:
        check_gains(experiment, "gain", [gain] * len(experiment.statistics.blocks))
    trial = Trial(experiment, (_PAIR,), alpha=options.alpha, resamples=1)
    bases = [_basis(trial, m, counts, gains, run_sds) for m in range(len(experiment.statistics.blocks))]
    samples, notes = _checked_samples(experiment, bases, options.sample_counts)
    testset, scores = experiment.testset(), experiment.system_results(None, 1.0 - options.alpha, "percentile")
    asked = PlanResult(
        testset=testset,
        assumptions=None if run_sds is None else Assumptions(run_sd=run_sds),
        metrics=experiment.metric_infos(),
        scores=scores,
        bases=tuple(bases),
        sizes=sizes,
        runs=planned_runs,
        power=options.power,
        alpha=options.alpha,
        one_sided=options.one_sided,
        unit=units.kind,
        item=corpus.item_noun,
        segments_per_unit=per_unit,
        from_observed=not gains,
        pilot_runs=counts,
        about=describe_testset(testset, scores, corpus.item_noun),
        notes=(
            *_pilot_notes(experiment, counts, bases, observed=not gains),
            *experiment.notes,
            *notes,
            *held_raters(experiment, [b.gains for b in bases], alpha=options.alpha, one_sided=options.one_sided),
        ),
        signature=_signature(units.kind, options),
    )
    return _answered(asked, samples)


def _pilot(corpus: Corpus, options: PlanOptions) -> Experiment:
    """Return the experiment with the two systems of a pilot."""
    if len(corpus.systems) != 2:
        python = 'truegain.plan("ref.txt", {"base": "base.txt", "new": "new.txt"})'
        raise InputError(
            f"a pilot has two systems; got {len(corpus.systems)}",
            hint=("give the outputs of both: ", Way("truegain plan --ref ref.txt base.txt new.txt", python)),
        )
    experiment = Experiment.prepare(
        corpus,
        options.metrics,
        unit=options.unit,
        strata=options.strata,
        seed=0,
        jobs=available_jobs(options.jobs),
        cache=options.cache,
        engine=options.engine,
        executor=options.executor,
        progress=options.progress,
    )
    if experiment.units.count < 2:
        raise InputError("one segment does not show how segments vary", hint="give a pilot of a hundred or more")
    return experiment


def _basis(
    trial: Trial, m: int, counts: tuple[int, int], gains: tuple[float, ...], run_sds: tuple[float, float] | None
) -> Basis:
    """Return what the plan for a metric rests on; runs vary as the pilot's do, or as is assumed."""
    experiment = trial.experiment
    block = experiment.statistics.blocks[m]
    pilot = plan_of(experiment.runs_of(m, 0), experiment.runs_of(m, 1), experiment.effective_units)
    if min(counts) == 1:
        over_units = pilot.common + sum(pilot.interactions[s] / counts[s] for s in (0, 1))
        pilot = Plan(over_units, _over_runs(run_sds), (0.0, 0.0), pilot.units)
    if pilot.spread((1, 1)) == 0.0:
        raise InputError(
            f"the difference of the two systems in {block.metric.label} is the same on every {experiment.units.noun}: "
            "there is nothing to plan from",
            hint="give outputs of two systems that differ",
        )
    observed = trial.delta((m, _PAIR))
    wanted = gains or ((abs(observed),) if observed else ())
    variances = (pilot.common, pilot.runs, pilot.interactions, pilot.units)
    sampling = _sampling(experiment, block.metric)
    return Basis(block.key, observed, pilot.spread(counts), wanted, *variances, experiment.units.count, sampling)


def _sampling(experiment: Experiment, metric: Metric) -> Sampling | None:
    """Return what comes from samples of items, if the score is the mean of their means."""
    if not isinstance(metric, SegmentScores) or metric.over is not None or metric.column is None:
        return None
    if experiment.corpus.raters is not None:  # who rates both systems weighs in both
        return None
    old, new = ([run.repeats.get(metric.column) for run in system.runs] for system in experiment.corpus.systems)
    if None in (*old, *new):
        return None
    return sampling_of([run for run in old if run is not None], [run for run in new if run is not None])


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
            scope = block.metric.label if len(bases) > 1 else ""
            yield Note("sampling", SAMPLED(share=100.0 * share, samples=samples), scope=scope)
            if share == 1.0:
                yield Note("no-variance-between", NO_VARIANCE_BETWEEN(), scope=scope)


def _checked_samples(
    experiment: Experiment, bases: Sequence[Basis], asked: Sequence[int]
) -> tuple[tuple[int, ...], list[Note]]:
    """Return the numbers of samples per item to plan for, and which metrics have no variance parts."""
    if any(not 1 <= count <= 1_000_000 for count in asked):
        raise InputError(f"a number of samples must be from 1 to a million; got {', '.join(map(str, asked))}")
    corpus = experiment.corpus
    if corpus.raters is not None and asked:
        raise InputError(
            f"ratings by the same {corpus.rater_noun}s are not independent samples, so none is planned",
            hint=("leave out ", Setting("sample_counts")),
        )
    blocks = zip(experiment.statistics.blocks, bases, strict=True)
    without = [NO_VARIANCE_PARTS(label=block.metric.label) for block, basis in blocks if basis.sampling is None]
    repeated = any(run.repeats for system in corpus.systems for run in system.runs) and corpus.raters is None
    if asked and without and repeated:
        raise InputError(
            f"{without[0]}, so samples per item cannot be planned for",
            hint=(
                "leave out ",
                Setting("sample_counts"),
                ", or take means: ",
                Setting("metrics", ("scores:column=NAME",)),
            ),
        )
    if asked and without:
        raise InputError(
            "the pilot has one score per item, so samples per item cannot be planned for",
            hint="rows of one id are samples of an item: give several of each item, of both systems",
        )
    notes = [Note("no-variance-parts", text) for text in without] if repeated else []
    return tuple(dict.fromkeys(asked)) or _SAMPLES, notes


def _from_assumptions(options: PlanOptions) -> PlanResult:
    """Plan from what is assumed of the scores of segments; the score of a system is their mean."""
    gains, design_effect = checked_gains(options.gain), options.design_effect
    sds, difference = deviations(options)
    if not 0.0 < design_effect <= LARGEST:
        raise InputError(
            f"the design effect must be above 0; got {design_effect:g}", hint="1: segments are independent"
        )
    run_sds = run_deviations(options)
    variance = difference**2 * design_effect / _ASSUMED
    variances = (variance, _over_runs(run_sds), (0.0, 0.0), _ASSUMED / design_effect)
    basis = Basis(_SCORE.key, None, None, gains, *variances, _ASSUMED)
    assumptions = Assumptions(sds, options.correlation, difference, design_effect, run_sds)
    asked = PlanResult(
        assumptions=assumptions,
        metrics=(_SCORE,),
        bases=(basis,),
        sizes=_sizes(options.segment_counts, (), "segment", 1.0) or tuple(Size(count, count) for count in _SIZES),
        runs=checked_runs(options.run_counts, known=run_sds is not None),
        power=options.power,
        alpha=options.alpha,
        one_sided=options.one_sided,
        unit="segment",
        about=ASSUMPTIONS(),
        notes=tuple(_assumption_notes(assumptions)),
        signature=_signature("segment", options),
    )
    return _answered(asked)


def _assumption_notes(given: Assumptions) -> Iterator[Note]:
    """Yield what was assumed of segments."""
    if given.sd is None:
        yield Note("assumptions", DIFFERENCE_ASSUMED(difference=given.sd_difference))
    else:
        yield Note("assumptions", SCORES_ASSUMED(sd=_each(given.sd), correlation=given.correlation))
    if given.design_effect < 1.0:
        yield Note("design-effect", SMALL_EFFECT(effect=given.design_effect))
    elif given.design_effect > 1.0:
        yield Note("assumptions", EFFECT_ASSUMED(effect=given.design_effect))


def _each(numbers: tuple[float, float]) -> str:
    """Write a number, or that of either system if they differ."""
    return " and ".join(f"{number:.3g}" for number in dict.fromkeys(numbers))


def _over_runs(deviations: tuple[float, float] | None) -> tuple[float, float]:
    """Return the variances over runs that are assumed; 0 if nothing is."""
    return (0.0, 0.0) if deviations is None else (deviations[0] ** 2, deviations[1] ** 2)


def _signature(unit: str, options: PlanOptions) -> str:
    level, sides = f"power:{options.power:g}|alpha:{options.alpha:g}", _SIDES[options.one_sided]
    return f"plan:t|unit:{unit}|{level}|sides:{sides}|version:{__version__}"


def _answered(asked: PlanResult, samples: Sequence[int] = ()) -> PlanResult:
    """Return the plan with everything that follows from the variances, and with its sentences."""
    result = replace(
        asked,
        predicted=tuple(_predictions(asked)),
        units_needed=tuple(_units_needed(asked)),
        runs_needed=tuple(_runs_needed(asked)),
        predicted_samples=tuple(_with_samples(asked, (*samples, None))),
    )
    sides = f"{_SIDES[asked.one_sided]}-sided"
    ending, methods = (ENDING_OF_RUNS, METHODS_OF_RUNS) if asked.plans_runs else (ENDING, METHODS)
    slots = {"nouns": f"{asked.noun}s", "sides": sides, "alpha": asked.alpha, "level": 100 * asked.alpha}
    if asked.testset is None:
        source = FROM_ASSUMPTIONS(**slots)
    else:
        labels, size = listing([metric.label for metric in asked.metrics]), whole(asked.bases[0].n_units, asked.noun)
        source = FROM_PILOT(**slots, metrics=labels, size=size)
    return replace(
        result,
        findings=tuple(finding for metric in asked.metrics for finding in _findings(result, metric)),
        notes=(*asked.notes, *_further_notes(result)),
        ending=ending(**slots),
        methods=f"{methods(**slots, version=asked.version)} {source}",
    )


def _predictions(asked: PlanResult) -> Iterator[Predicted]:
    """Predict for each size and number of runs."""
    for basis in asked.bases:
        pilot = basis.plan
        for size in asked.sizes:
            effective = size.units * basis.share
            for count in asked.runs:
                both = (count, count)
                error = pilot.spread(both, units=effective)
                detectable = pilot.detectable(both, power=asked.power, units=effective, **asked.level)
                powers = tuple(pilot.power(gain, both, units=effective, **asked.level) for gain in basis.gains)
                yield Predicted(basis.metric, size.units, size.segments, count, error, detectable, powers)


def _units_needed(asked: PlanResult) -> Iterator[UnitsNeeded]:
    """Find the units that each gain takes with each number of runs."""
    for basis in asked.bases:
        for gain in basis.gains:
            for count in asked.runs:
                wanted = {"power": asked.power, "share": basis.share} | asked.level
                fewest = units_needed(basis.plan, gain, (count, count), **wanted)
                segments = None if fewest is None else math.ceil(fewest * asked.segments_per_unit)
                yield UnitsNeeded(basis.metric, gain, count, fewest, segments)


def _runs_needed(asked: PlanResult) -> Iterator[RunsNeeded]:
    """Find the runs that each gain takes on each size, if runs are planned for."""
    for basis in asked.bases if asked.plans_runs else ():
        for size in asked.sizes:
            effective = size.units * basis.share
            for gain in basis.gains:
                fewest = runs_needed(basis.plan, gain, power=asked.power, units=effective, **asked.level)
                yield RunsNeeded(basis.metric, gain, size.units, size.segments, fewest)


def _with_samples(asked: PlanResult, samples: Sequence[int | None]) -> Iterator[PredictedSamples]:
    """Predict with each number of samples per item, for the runs that the plan is about in the first place."""
    runs = (asked.usual_runs, asked.usual_runs)
    for basis in asked.bases:
        if basis.sampling is None:
            continue
        for count in samples:
            pilot = basis.sampling.plan(basis.plan, count)
            for size in asked.sizes:
                effective = size.units * basis.share
                error = pilot.spread(runs, units=effective)
                detectable = pilot.detectable(runs, power=asked.power, units=effective, **asked.level)
                yield PredictedSamples(basis.metric, size.units, size.segments, count, error, detectable)


def _findings(result: PlanResult, metric: MetricInfo) -> Iterator[Finding]:
    """Yield what is found with the size at hand, what the first gain takes, and what more samples would bring."""
    digits, basis, here = plan_digits(result, metric), result.basis(metric.key), _here(result, metric)
    size = [whole(here.units, result.noun)]
    size += [f"{whole(here.runs, 'run')} of each"] if result.plans_runs else []
    size += ["the same raters"] if any(note.kind == "raters-held" for note in result.notes) else []
    said = {
        "size": listing(size),
        "power": chance_text(result.power),
        "gain": "difference" if metric.higher_is_better is None else "gain",
        "least": digits.score(here.detectable),
        "nouns": f"{result.noun}s",
    }
    if result.testset is not None:
        said["least"] += f" points in {metric.label}" if digits.percent else f" {metric.label}"
    needed = [row for row in result.units_needed if (row.metric, row.runs) == (metric.key, here.runs)]
    if not needed:
        yield Finding(DETECTABLE(**said))
        return
    wanted, units = gain_text(needed[0].gain, digits), needed[0].units
    said["wanted"] = OBSERVED(gain=wanted) if result.from_observed else wanted
    yield Finding(ENDLESS(**said) if units is None else TAKES(**said, units=whole(rounded_up(units), result.noun)))
    if basis.sampling is not None:
        yield _better_buy(result, basis, basis.sampling, here, digits)


def _here(result: PlanResult, metric: MetricInfo) -> Predicted:
    """Return the size and the runs that the pilot has, if they are among those asked for; else the first."""
    mine = [row for row in result.predicted if (row.metric, row.runs) == (metric.key, result.usual_runs)]
    units = result.basis(metric.key).n_units
    return next((row for row in mine if result.testset is not None and row.units == units), mine[0])


def _better_buy(result: PlanResult, basis: Basis, sampling: Sampling, here: Predicted, digits: Digits) -> Finding:
    """Say what twice the items and twice the samples would bring."""

    def detectable(pilot: Plan, units: int) -> str:
        wanted = {"power": result.power, "units": units * basis.share} | result.level
        return digits.score(pilot.detectable((here.runs, here.runs), **wanted))

    sentence = MORE_ITEMS if sampling.share(basis.plan) < _MOSTLY else MORE_SAMPLES
    return Finding(
        sentence(
            nouns=f"{result.noun}s",
            items=detectable(basis.plan, 2 * here.units),
            samples=detectable(sampling.doubled(basis.plan), here.units),
            least=detectable(sampling.plan(basis.plan, None), here.units),
        )
    )


def _further_notes(result: PlanResult) -> Iterator[Note]:
    """Yield how runs are assumed to vary, and that randomization could not be significant whatever the gain, if so."""
    if result.plans_runs and result.assumptions is not None and result.assumptions.run_sd is not None:
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
    return Digits(4 if spread < 0.2 else 3 if spread < 2.0 else 2)


def gain_text(gain: float, digits: Digits) -> str:
    """Write a gain as scores are written, but as it was given if that is shorter, or needs more decimals."""
    shown = ten_digits(digits.shown(gain))
    for text in (f"{shown:.{min(digits.places, 2)}f}", f"{shown:g}"):
        if float(text) == shown:
            return text
    return digits.score(gain)


def _sections(tables: Sequence[Table]) -> list[Table]:
    """Return tables as sections of one if they have the same columns; gains of metrics may differ."""
    headings = {tuple(column.heading for column in shown.columns[1:]) for shown in tables}
    if len(headings) > 1:
        return list(tables)
    return [stacked(tables)] if tables else []


def _expected(result: PlanResult, metric: MetricInfo, digits: Digits) -> Table:
    """Return the least gain and the power to detect gains: one row per size and number of runs."""
    mine = [row for row in result.predicted if row.metric == metric.key]
    given = {"segments": result.unit != "segment", "runs": result.plans_runs}
    shown = [name for name, several in given.items() if several]
    rows = []
    for row in mine:
        cells = [Cell(whole(row.units, result.noun), value=row.units)]
        cells += [_count(getattr(row, name)) for name in shown]
        cells += [Cell(digits.score(row.detectable), value=row.detectable)]
        cells += [Cell(chance_text(power), value=power) for power in row.powers]
        rows.append(tuple(cells))
    power = chance_text(result.power)
    headings = [*shown, f"detectable, {power}"]
    headings += [f"power for {gain_text(gain, digits)}" for gain in result.basis(metric.key).gains]
    starts = [place for place, (row, after) in enumerate(pairwise(mine), 1) if row.units != after.units]
    return Table(
        (Column(heading_of(metric), "left"), *(Column(name, secondary=name == "segments") for name in headings)),
        tuple(rows),
        f"Power to detect gains, and the least gain detected with a power of {power}",
        (THESE_RUNS(),) if result.plans_runs and 1 in result.runs else (),
        tuple(starts) if len(result.runs) > 1 else (),
    )


def _needed(result: PlanResult, metric: MetricInfo, digits: Digits) -> Table:
    """Return what gains take: a column per gain; a row per number of runs, and, if runs are planned, per size."""
    rows: dict[str, list[Cell]] = {}
    for needed in (row for row in result.units_needed if row.metric == metric.key):
        name = f"{result.noun}s, {whole(needed.runs, 'run')}" if result.plans_runs else f"{result.noun}s"
        rows.setdefault(name, []).append(_count(needed.units))
        if result.unit != "segment" and not result.plans_runs:
            rows.setdefault("segments", []).append(_count(needed.segments))
    for runs in (row for row in result.runs_needed if row.metric == metric.key):
        rows.setdefault(f"runs, {whole(runs.units, result.noun)}", []).append(_count(runs.runs))
    headings = [f"needed for {gain_text(gain, digits)}" for gain in result.basis(metric.key).gains]
    return Table(
        (Column(heading_of(metric), "left"), *map(Column, headings)),
        tuple((Cell(name), *counts) for name, counts in rows.items()),
        f"What it takes to detect gains with a power of {chance_text(result.power)}",
    )


def _count(count: int | None) -> Cell:
    return Cell("none" if count is None else f"{count:,}", value=count)


def _samples(result: PlanResult, metric: MetricInfo, digits: Digits) -> Table:
    """Return the minimum detectable gain: one row per number of samples, one column per size."""
    rows: dict[str, list[Cell]] = {}
    for row in (row for row in result.predicted_samples if row.metric == metric.key):
        name = "any number" if row.samples is None else whole(row.samples, "sample")
        rows.setdefault(name, []).append(Cell(digits.score(row.detectable), value=row.detectable))
    headings = [whole(size.units, result.noun) for size in result.sizes]
    return Table(
        (Column(heading_of(metric), "left"), *map(Column, headings)),
        tuple((Cell(name), *least) for name, least in rows.items()),
        f"The least gain detected with a power of {chance_text(result.power)}, by samples per item",
    )


def _sizes(segments: Sequence[int], documents: Sequence[int], unit: str, per_unit: float) -> tuple[Size, ...]:
    """Return the sizes asked for, in units and in segments."""
    if documents and unit != "document":
        raise InputError(
            "documents cannot be counted, because they are not the unit",
            hint=("give them (", Setting("documents", FILE), "), or count ", Setting("segment_counts")),
        )
    sizes = [Size(count, round(count * per_unit)) for count in documents]
    sizes += [Size(max(2, round(count / per_unit)) if unit != "segment" else count, count) for count in segments]
    for size, given in zip(sizes, (*documents, *segments), strict=True):
        if not 2 <= given <= 10**12 or size.segments < 2:
            raise InputError(f"a test set must have from 2 segments or documents to 10^12; got {given}")
    return tuple(dict.fromkeys(sizes))
