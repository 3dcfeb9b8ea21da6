"""Plan of the segments, documents or runs that a gain takes, and of the gain that can be shown with them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from truegain.corpus import Corpus
from truegain.errors import FILE, InputError, Setting, Way
from truegain.executors.processors import available_jobs
from truegain.experiment import Experiment, check_gains, check_options
from truegain.inference.power import Plan, runs_needed, units_needed
from truegain.inference.results import MetricInfo
from truegain.metrics.base import Metric
from truegain.metrics.segment_scores import SegmentScores
from truegain.notes import Note
from truegain.procedures.base import Pair, Trial
from truegain.procedures.raters import held_raters
from truegain.settings.function import takes
from truegain.settings.option import described
from truegain.settings.plan import PlanOptions
from truegain.studies.given import corpus_of
from truegain.studies.plan.result import Assumptions, Basis, PlanResult, Predicted, RunsNeeded, Size, UnitsNeeded
from truegain.studies.plan.sampling import PredictedSamples, Sampling, sampling_of
from truegain.studies.replicate.study import plan_of
from truegain.version import __version__

_PAIR = Pair(0, 1)
_OF_A_PILOT = ("metrics", "documents", "domains", "unit", "strata", "engine", "sample_counts")
_ASSUMED = 1_000  # segments that variances are written down for, where there is no pilot
_SIZES = (500, 1_000, 2_000, 5_000)
_RUNS = (2, 3, 5, 10)
_SAMPLES = (1, 2, 5, 10, 20)
_MEAN = Setting("metrics", ("scores:column=NAME",))
_SCORE = MetricInfo("score", "score", True, "assumed")
_LARGEST = 1e100  # its square is a number yet


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
    _check_power(options.power, options.alpha)
    if options.references is None and options.systems is None:
        if options.document_counts:
            raise TypeError("document_counts need a pilot with documents; design_effect stands for them here")
        _refuse_what_a_pilot_has(options)
        return _from_assumptions(options)
    if not options.sd is options.correlation is options.sd_difference is None or options.design_effect != 1.0:
        raise TypeError("a pilot shows how segments vary: sd, correlation, sd_difference and design_effect go without")
    return _from_pilot(corpus_of(options), options)


def _refuse_what_a_pilot_has(options: PlanOptions) -> None:
    """Refuse parameters that say how outputs are scored and resampled, if there are no outputs."""
    for one in described(PlanOptions):
        if one.name in _OF_A_PILOT and getattr(options, one.name) != one.default:
            raise InputError(
                (Setting(one.name), " does not apply: there are no outputs to score"),
                hint=("give the outputs of two systems, or leave out ", Setting(one.name)),
            )


def _from_pilot(corpus: Corpus, options: PlanOptions) -> PlanResult:
    """Plan from how the difference of two systems varies, and what that means for other sizes."""
    gains, alpha, power, run_sd = _checked_gains(options.gain), options.alpha, options.power, options.run_sd
    if len(corpus.systems) != 2:
        raise InputError(
            f"a pilot has two systems; got {len(corpus.systems)}",
            hint=(
                "give the outputs of both: ",
                Way(
                    "truegain plan --ref ref.txt base.txt new.txt",
                    'truegain.plan("ref.txt", {"base": "base.txt", "new": "new.txt"})',
                ),
            ),
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
    units = experiment.units
    if units.count < 2:
        raise InputError("one segment does not show how segments vary", hint="give a pilot of a hundred or more")
    counts = (len(corpus.systems[0].runs), len(corpus.systems[1].runs))
    piloted = min(counts) > 1
    if piloted and run_sd is not None:
        raise InputError(
            "the pilot's runs show how runs vary", hint=("leave out ", Setting("run_sd"), ", or give one run of each")
        )
    run_sds = _checked_run_sd(run_sd)
    planned_runs = _checked_runs(options.run_counts, known=piloted or run_sds is not None)
    per_unit = corpus.segments / units.count
    sizes = _sizes(options.segment_counts, options.document_counts, units.kind, per_unit) or tuple(
        Size(count, round(count * per_unit)) for count in _around(units.count)
    )
    for one in gains:
        check_gains(experiment, "gain", [one] * len(experiment.statistics.blocks))
    trial = Trial(experiment, (_PAIR,), alpha=alpha, resamples=1)
    bases = []
    for m, block in enumerate(experiment.statistics.blocks):
        found = plan_of(experiment.runs_of(m, 0), experiment.runs_of(m, 1), experiment.effective_units)
        if not piloted:
            assumed = (0.0, 0.0) if run_sds is None else (run_sds[0] ** 2, run_sds[1] ** 2)
            over_units = found.common + sum(found.interactions[s] / counts[s] for s in (0, 1))
            found = Plan(over_units, assumed, (0.0, 0.0), found.units)
        observed = trial.delta((m, _PAIR))
        if found.spread((1, 1)) == 0.0:
            raise InputError(
                f"the difference of the two systems in {block.metric.label} is the same on every {units.noun}: there "
                "is nothing to plan from",
                hint="give outputs of two systems that differ",
            )
        bases.append(
            Basis(
                block.key,
                observed,
                found.spread(counts),
                gains or ((abs(observed),) if observed else ()),
                found.common,
                found.runs,
                found.interactions,
                found.units,
                units.count,
                _sampling(experiment, block.metric),
            )
        )
    samples, sample_notes = _checked_samples(experiment, bases, options.sample_counts)
    asked = PlanResult(
        testset=experiment.testset(),
        assumptions=None if run_sds is None else Assumptions(run_sd=run_sds),
        metrics=experiment.metric_infos(),
        scores=experiment.system_results(None, 1.0 - alpha, "percentile"),
        bases=tuple(bases),
        sizes=sizes,
        runs=planned_runs,
        power=power,
        alpha=alpha,
        one_sided=options.one_sided,
        unit=units.kind,
        segments_per_unit=per_unit,
        from_observed=not gains,
        pilot_runs=counts,
        signature=_signature(units.kind, options),
        notes=(
            *experiment.notes,
            *sample_notes,
            *held_raters(experiment, [one.gains for one in bases], alpha=alpha, one_sided=options.one_sided),
        ),
    )
    return _answered(asked, samples)


def _sampling(experiment: Experiment, metric: Metric) -> Sampling | None:
    """Return what comes from samples of items, if the score is the mean of their means."""
    if not isinstance(metric, SegmentScores) or metric.over is not None or metric.column is None:
        return None
    if experiment.corpus.raters is not None:  # who rates both systems weighs in both
        return None
    old, new = ([run.repeats.get(metric.column) for run in system.runs] for system in experiment.corpus.systems)
    if None in (*old, *new):
        return None
    return sampling_of([one for one in old if one is not None], [one for one in new if one is not None])


def _checked_samples(
    experiment: Experiment, bases: Sequence[Basis], asked: Sequence[int]
) -> tuple[tuple[int, ...], list[Note]]:
    """Return the numbers of samples per item to plan for, and what should be said of metrics without variance parts."""
    if any(not 1 <= one <= 1_000_000 for one in asked):
        raise InputError(f"a number of samples must be from 1 to a million; got {', '.join(map(str, asked))}")
    if experiment.corpus.raters is not None:
        if asked:
            raise InputError(
                f"ratings by the same {experiment.corpus.rater_noun}s are not independent samples, so none is planned",
                hint=("leave out ", Setting("sample_counts")),
            )
        return (), []
    notes = []
    for block, basis in zip(experiment.statistics.blocks, bases, strict=True):
        label, found = block.metric.label, basis.sampling
        if found is not None:
            if found.share(basis.plan) == 1.0:
                text = f"{label}: samples vary within items as much as means of items differ; the variance between "
                notes.append(Note("no-variance-between", f"{text}items is taken for 0"))
            continue
        repeated = any(run.repeats for system in experiment.corpus.systems for run in system.runs)
        text = f"{label} has no variance parts between and within items"
        if asked:
            raise InputError(
                f"{text}, so samples per item cannot be planned for"
                if repeated
                else "the pilot has one score per item, so samples per item cannot be planned for",
                hint=("leave out ", Setting("sample_counts"), ", or take the mean of samples: ", _MEAN)
                if repeated
                else "rows of one id are samples of an item: give several of each item, of both systems",
            )
        if repeated:
            notes.append(Note("no-variance-parts", text))
    return tuple(dict.fromkeys(asked)) or _SAMPLES, notes


def _from_assumptions(options: PlanOptions) -> PlanResult:
    """Plan from what is assumed of the scores of segments; the score of a system is their mean."""
    gains, correlation, design_effect = _checked_gains(options.gain), options.correlation, options.design_effect
    sds, difference = _difference(options.sd, correlation, options.sd_difference)
    if not 0.0 < design_effect <= _LARGEST:
        raise InputError(
            f"the design effect must be above 0; got {design_effect:g}", hint="1: segments are independent"
        )
    run_sds = _checked_run_sd(options.run_sd)
    planned_runs = _checked_runs(options.run_counts, known=run_sds is not None)
    variance = difference**2 * design_effect / _ASSUMED
    over_runs = (0.0, 0.0) if run_sds is None else (run_sds[0] ** 2, run_sds[1] ** 2)
    basis = Basis(_SCORE.key, None, None, gains, variance, over_runs, (0.0, 0.0), _ASSUMED / design_effect, _ASSUMED)
    asked = PlanResult(
        testset=None,
        assumptions=Assumptions(sds, correlation, difference, design_effect, run_sds),
        metrics=(_SCORE,),
        scores=(),
        bases=(basis,),
        sizes=_sizes(options.segment_counts, (), "segment", 1.0) or tuple(Size(count, count) for count in _SIZES),
        runs=planned_runs,
        power=options.power,
        alpha=options.alpha,
        one_sided=options.one_sided,
        unit="segment",
        segments_per_unit=1.0,
        from_observed=False,
        pilot_runs=None,
        signature=_signature("segment", options),
        notes=_below_one(design_effect),
    )
    return _answered(asked)


def _below_one(design_effect: float) -> tuple[Note, ...]:
    """Say what a design effect below 1 means: seldom what was meant."""
    if design_effect >= 1.0:
        return ()
    text = (
        f"A design effect of {design_effect:g} makes variances smaller, as if segments of a document made up for each "
        "other; segments that are alike have one above 1"
    )
    return (Note("design-effect", text),)


def _signature(unit: str, options: PlanOptions) -> str:
    sides = "one" if options.one_sided else "two"
    return f"plan:t|unit:{unit}|power:{options.power:g}|alpha:{options.alpha:g}|sides:{sides}|version:{__version__}"


def _answered(asked: PlanResult, samples: Sequence[int] = ()) -> PlanResult:
    """Return the plan with everything that follows from the variances."""
    predicted, units, runs = [], [], []
    power, alpha, one_sided = asked.power, asked.alpha, asked.one_sided
    for basis in asked.bases:
        plan = basis.plan
        for size in asked.sizes:
            effective = size.units * basis.share
            for count in asked.runs:
                both = (count, count)
                powers = [plan.power(g, both, units=effective, alpha=alpha, one_sided=one_sided) for g in basis.gains]
                predicted.append(
                    Predicted(
                        basis.metric,
                        size.units,
                        size.segments,
                        count,
                        plan.spread(both, units=effective),
                        plan.detectable(both, power=power, units=effective, alpha=alpha, one_sided=one_sided),
                        tuple(powers),
                    )
                )
            for gain in basis.gains if asked.plans_runs else ():
                fewest = runs_needed(plan, gain, power=power, units=effective, alpha=alpha, one_sided=one_sided)
                runs.append(RunsNeeded(basis.metric, gain, size.units, size.segments, fewest))
        for gain in basis.gains:
            for count in asked.runs:
                fewest = units_needed(
                    plan, gain, (count, count), power=power, alpha=alpha, one_sided=one_sided, share=basis.share
                )
                segments = None if fewest is None else math.ceil(fewest * asked.segments_per_unit)
                units.append(UnitsNeeded(basis.metric, gain, count, fewest, segments))
    return replace(
        asked,
        predicted=tuple(predicted),
        units_needed=tuple(units),
        runs_needed=tuple(runs),
        predicted_samples=tuple(_with_samples(asked, (*samples, None))),
    )


def _with_samples(asked: PlanResult, samples: Sequence[int | None]) -> Iterator[PredictedSamples]:
    """Predict with each number of samples per item, for the runs that the plan is about in the first place."""
    for basis in asked.bases:
        for count in samples if basis.sampling is not None else ():
            assert basis.sampling is not None
            plan = basis.sampling.plan(basis.plan, count)
            for size in asked.sizes:
                effective, runs = size.units * basis.share, (asked.usual_runs, asked.usual_runs)
                yield PredictedSamples(
                    basis.metric,
                    size.units,
                    size.segments,
                    count,
                    plan.spread(runs, units=effective),
                    plan.detectable(
                        runs, power=asked.power, units=effective, alpha=asked.alpha, one_sided=asked.one_sided
                    ),
                )


def _check_power(power: float, alpha: float) -> None:
    if not 0.0 < power < 1.0:
        raise InputError(f"power must be between 0 and 1; got {power:g}", hint="0.8 is usual")
    if power <= alpha:
        raise InputError(
            f"power must be above alpha, {alpha:g}: a test finds that often what is not there; got {power:g}"
        )


def _checked_gains(gain: float | Sequence[float] | None) -> tuple[float, ...]:
    gains = () if gain is None else (gain,) if isinstance(gain, int | float) else tuple(gain)
    for one in gains:
        if not 1e-100 < one < 1e100:
            raise InputError(f"the gain to plan for must be a number above 0; got {one:g}")
    return tuple(dict.fromkeys(float(one) for one in gains))


def _checked_runs(runs: Sequence[int], *, known: bool) -> tuple[int, ...]:
    """Return the numbers of runs to plan for; only one run if it is not known how they vary."""
    if any(not 1 <= one <= 1_000_000 for one in runs):
        raise InputError(f"a number of runs must be from 1 to a million; got {', '.join(map(str, runs))}")
    if not known and any(one > 1 for one in runs):
        raise InputError(
            "it is not known how scores vary over runs, so runs cannot be planned for",
            hint=("give several runs of both systems, or say by how much they vary: ", Setting("run_sd", 0.3)),
        )
    return tuple(dict.fromkeys(runs)) or (_RUNS if known else (1,))


def _checked_run_sd(given: float | tuple[float, float] | None) -> tuple[float, float] | None:
    if given is None:
        return None
    return _two(given, "the standard deviation over runs", zero=True)


def _most(number: float) -> str:
    """Say what the other limit is, if that is passed."""
    return f" and at most {_LARGEST:g}" if number > _LARGEST else ""


def _two(given: float | tuple[float, float], what: str, *, zero: bool = False) -> tuple[float, float]:
    """Return a number for both systems, or one for either."""
    numbers = (given, given) if isinstance(given, int | float) else tuple(given)
    if len(numbers) != 2:
        raise InputError(f"{what} is one number, or two: the baseline's and the system's; got {len(numbers)}")
    for one in numbers:
        if not (0.0 < one <= _LARGEST or (zero and one == 0.0)):
            raise InputError(f"{what} must be {'0 or more' if zero else 'above 0'}{_most(one)}; got {one:g}")
    return float(numbers[0]), float(numbers[1])


def _difference(
    sd: float | tuple[float, float] | None, correlation: float | None, sd_difference: float | None
) -> tuple[tuple[float, float] | None, float]:
    """Return the deviations of either system, if they are given, and that of the difference."""
    if sd_difference is not None:
        if sd is not None or correlation is not None:
            raise InputError(
                ("the deviation of the difference follows from ", Setting("sd"), " and ", Setting("correlation")),
                hint="give one or the other",
            )
        if not 0.0 < sd_difference <= _LARGEST:
            raise InputError(
                f"the standard deviation of the difference must be above 0{_most(sd_difference)}; got {sd_difference:g}"
            )
        return None, float(sd_difference)
    if sd is None or correlation is None:
        raise InputError(
            "it is not known by how much the difference of two systems varies from segment to segment",
            hint=(
                "give ",
                Setting("sd"),
                " and ",
                Setting("correlation"),
                " of segment scores, or ",
                Setting("sd_difference"),
                ", or outputs of two systems",
            ),
        )
    first, second = _two(sd, "the standard deviation of segment scores")
    if not -1.0 <= correlation <= 1.0:
        raise InputError(f"a correlation must be from -1 to 1; got {correlation:g}")
    variance = first**2 + second**2 - 2.0 * correlation * first * second
    if variance <= 1e-12 * (first**2 + second**2):
        raise InputError(
            "with this correlation the difference does not vary at all, and every gain would be found",
            hint="give a correlation below 1",
        )
    return (first, second), math.sqrt(variance)


def _around(count: int) -> tuple[int, ...]:
    """Return half, one, two and four times as many."""
    return tuple(dict.fromkeys(max(2, one) for one in (round(count / 2), count, 2 * count, 4 * count)))


def _sizes(segments: Sequence[int], documents: Sequence[int], unit: str, per_unit: float) -> tuple[Size, ...]:
    """Return the sizes asked for, in units and in segments."""
    if documents and unit != "document":
        raise InputError(
            "documents cannot be counted, because they are not the unit",
            hint=("give them (", Setting("documents", FILE), "), or count ", Setting("segment_counts")),
        )
    found = [Size(count, round(count * per_unit)) for count in documents]
    found += [Size(max(2, round(count / per_unit)) if unit != "segment" else count, count) for count in segments]
    for size, given in zip(found, (*documents, *segments), strict=True):
        if not 2 <= given <= 10**12 or size.segments < 2:
            raise InputError(f"a test set must have from 2 segments or documents to 10^12; got {given}")
    return tuple(dict.fromkeys(found))
