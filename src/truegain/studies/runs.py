"""Runs: what other runs of two systems would have said, and how many it takes to show a gain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Annotated, Any, ClassVar, Literal

import msgspec.structs
import numpy as np
from numpy.typing import NDArray

from truegain.cautions import size_note, units_signature
from truegain.corpus import Corpus
from truegain.errors import InputError, Setting, one_of
from truegain.experiment import Experiment, check_count, check_options, middle, variability, with_development
from truegain.inference.intervals import Alpha, quantiles
from truegain.inference.power import plan_of, runs_needed
from truegain.inference.results import MetricInfo, Metrics, Scores, TestName, TestSet, Unit, Units, Variability
from truegain.notes import Finding
from truegain.procedures.base import Pair, Trial
from truegain.procedures.lookup import procedure
from truegain.registry import TESTS
from truegain.report.model import Table
from truegain.resampling.generator import resample_keys, uniforms
from truegain.resampling.streams import Stream
from truegain.resampling.units import Units as ResampledUnits
from truegain.results import Result
from truegain.rows import Count, MetricKey, Number, Proportion, Row, field, record
from truegain.settings.function import takes
from truegain.settings.replicate import ReplicateOptions
from truegain.statistics import SegmentStatistics
from truegain.studies.advice import advice, check_gain, variability_tables
from truegain.studies.given import corpus_of, development_of
from truegain.version import __version__
from truegain.view import Digits, digits_of, stacked, table
from truegain.words import Sentence, describe_testset, label_of, listing, whole

SHOWN = Sentence(
    "With {runs} of each, {share} of draws show the gain of {system} over {baseline} in {metric} ({test})."
)
SHOWN_BOTH_WAYS = Sentence(
    "With {runs} of each, {share} of draws show the gain of {system} over {baseline} in {metric}, and {other} show the "
    "contrary ({test})."
)
NEEDED = Sentence("With {power} power, {runs} runs of each show {gain} {metric} for new runs on new {units}.")
NOT_SHOWN = Sentence(
    "No number of runs shows {gain} {metric} for new runs on new {units} with {power} power: a thousand of each have "
    "{limit}. More {units} would help."
)
DRAWN = Sentence(
    "{draws:,} draws {how} replacement: medians, and the middle 95 %. Shown: p ≤ {alpha:g} in favour of the system "
    "that is better over all runs."
)
POWER = (
    "Power: of the crossed test, for new runs on a new test set. Predicted and found: if both are drawn from these, "
    "which leaves less power."
)
ENDING = Sentence("{tests}, {draws:,} draws, {resamples:,} resamples, seed {seed}")
METHODS = Sentence(
    "Runs of {baseline} and of {system} were drawn {how} replacement, {draws:,} times for each number, and tested by "
    "{tests} ({resamples:,} resamples, seed {seed}; Clark et al. 2011, section 4). The number of runs needed is that "
    "of the crossed test, for new runs on new {units} (truegain {version})."
)
GIVE_RUNS = (
    "give the runs of each: ",
    Setting("systems", {"base": "runs/base.*.txt", "new": "runs/new.*.txt"}),
)

_PAIR = Pair(0, 1)
_REDRAWN = 1 << 32  # draws of runs from here on go with redrawn units
_DRAW_ALONE = 1  # with one run of each, no claim about new runs can be made
_ENDS = (0.025, 0.5, 0.975)
_MANY_RUNS = 1000  # of each system: more add nothing to the power
_COLUMNS = "metric test runs=count delta_low delta_median delta_high p_low p_median p_high shown other_way"

Choice = Literal["high", "median", "low"]
#: What a run is called that was picked by its score.
_PICKED: dict[Choice, str] = {"high": "best", "median": "median", "low": "worst"}
_PICKED_NEUTRAL: dict[Choice, str] = {"high": "highest", "median": "median", "low": "lowest"}


class Spread(Row):
    """The middle 95 % of values, and their median."""

    low: Annotated[float, field("The 2.5th percentile.")]
    median: Annotated[float, field("The median.")]
    high: Annotated[float, field("The 97.5th percentile.")]


class Picked(Row):
    """One run of each system, chosen by its score."""

    metric: MetricKey
    new: Annotated[Choice, field("The run of the system.", show="text")]
    old: Annotated[Choice, field("The run of the baseline.", show="text")]
    delta: Annotated[float, field("The gain between the two.", "Δ", "gain")]
    p: Annotated[Proportion, field("Its p-value.", "p ar", "p")]


class Drawn(Row):
    """Runs drawn at random, and what a test says of them."""

    metric: MetricKey
    test: Annotated[TestName, field("The test that was run.", show="text")]
    count: Annotated[Number, field("The number of runs of each system in a draw.")]
    delta: Annotated[Spread, field("The gain, over draws.", "Δ", "spread gain")]
    p: Annotated[Spread, field("The p-value, over draws.", "p", "spread p")]
    shown: Annotated[Proportion, field("The share of draws in which the gain is significant.", show="percent")]
    other_way: Annotated[
        Proportion, field("The share of draws in which its contrary is significant.", "contrary", "percent")
    ]


class Check(Row):
    """Power with some number of runs, and how a prediction of it fares."""

    runs: Annotated[Number, field("The number of runs of each system.")]
    planned: Annotated[
        Proportion, field("The power to show the gain planned for, with new runs on new units.", "power", "percent")
    ]
    predicted: Annotated[
        Proportion,
        field(
            "The power for the observed gain that theory predicts if runs and units are drawn from these. What runs "
            "differ by on these very units is all their own then, so there is less power.",
            show="percent",
        ),
    ]
    found: Annotated[Proportion, field("The share of draws that were significant.", show="percent")]
    draws: Annotated[Count, field("The number of draws.")]


class Needed(Row):
    """The number of runs of each system that shows a gain."""

    metric: MetricKey
    gain: Annotated[float, field("The gain to show.")]
    power: Annotated[float, field("The power asked for.")]
    runs: Annotated[
        Number | None, field("The number of runs of each; none if no number is enough on a test set of this size.")
    ]
    limit: Annotated[float, field("The power with a thousand runs of each.")]
    observed: Annotated[float, field("The gain of all runs.")]
    checks: Annotated[
        tuple[Check, ...],
        field("With runs drawn from the pool, up to half of it, and units, with replacement, from the test set."),
    ]


class ReplicateResult(Result, tag="replicate", kw_only=True, rename={"scores": "systems"}):
    """Dependence of the conclusion on the runs."""

    title = "How much do runs vary?"
    study: ClassVar[str] = "replicate"

    testset: Annotated[TestSet, field("The test set.")]
    metrics: Metrics
    scores: Scores
    variability: Annotated[tuple[Variability, ...], field("How scores vary over runs and test sets.")]
    picked: Annotated[tuple[Picked, ...], field("Single runs chosen by their scores.")]
    drawn: Annotated[tuple[Drawn, ...], field("Runs drawn at random, for each metric, test and number of runs.")]
    needed: Annotated[tuple[Needed, ...], field("The number of runs that shows a gain, metric by metric.")]
    alpha: Alpha
    repetitions: Annotated[Number, field("The number of draws of runs.")]
    replacement: Annotated[bool, field("Whether runs are drawn with replacement.")]
    resamples: Annotated[Number, field("The number of resamples of each test.")]
    unit: Unit
    n_units: Units

    def to_records(self) -> list[dict[str, Any]]:
        """Return one record for each metric, test and number of runs."""
        return [record(_COLUMNS, one) for one in self.drawn]

    def tables(self, decimals: int | None) -> Iterator[Table]:
        """Yield drawn runs, picked runs, power by the number of runs, and how scores vary."""
        digits = {metric.key: digits_of(self, metric, decimals) for metric in self.metrics}
        if self.drawn:
            yield stacked([_drawn_table(self, metric, digits[metric.key]) for metric in self.metrics])
        yield stacked([_picked_table(self, metric, digits[metric.key]) for metric in self.metrics])
        checked = [one for one in self.needed if one.checks]
        if checked:
            labels = {metric.key: metric.label for metric in self.metrics}
            yield stacked([_power_table(self, one, labels[one.metric]) for one in checked])
        yield from variability_tables(self, decimals)


@takes(ReplicateOptions)
def replicate(options: ReplicateOptions) -> ReplicateResult:
    """See how the conclusion depends on the runs, and how many are needed (Clark et al. 2011, section 4).

    Runs are drawn from a pool of many, again and again, and tested: of two systems with several runs each.
    """
    tests = _tests_of(options)
    corpus, development = with_development(corpus_of(options), development_of(options))
    pool = _pool(corpus)
    experiment = Experiment.of(corpus, options)
    counts = _counts_of(options, min(pool))
    varies = variability(replace(experiment, progress=None), options.resamples, development)
    trial = Trial(replace(experiment, progress=None), (_PAIR,), alpha=options.alpha, resamples=options.resamples)
    drawn = _draw(trial, tests, counts, options)
    # Of more than half of the pool, two draws share so many runs that they vary less than new runs would.
    needed = _needed(trial, [count for count in counts if 2 * count <= min(pool)], options)
    metrics = experiment.metric_infos()
    scores = experiment.system_results(None, 1.0 - options.alpha, "percentile")
    result = ReplicateResult(
        testset=experiment.testset(development),
        metrics=metrics,
        scores=scores,
        variability=varies,
        picked=_picked(trial),
        drawn=drawn,
        needed=needed,
        alpha=options.alpha,
        repetitions=options.repetitions,
        replacement=options.replacement,
        resamples=options.resamples,
        unit=experiment.units.kind,
        n_units=experiment.units.count,
        about=describe_testset(experiment.testset(development), scores),
        notes=(
            size_note(corpus, experiment.units, runs=pool),
            *experiment.notes,
            *advice(varies, {one.metric: one.gain for one in needed}, metrics),
        ),
        ending=ENDING(tests=listing(tests), draws=options.repetitions, resamples=options.resamples, seed=options.seed),
        methods=METHODS(
            baseline=corpus.systems[0].name,
            system=corpus.systems[1].name,
            how=_how(options.replacement),
            draws=options.repetitions,
            tests=listing([label_of(test) for test in tests]),
            resamples=options.resamples,
            seed=options.seed,
            units=units_of(experiment),
            version=__version__,
        ),
        signature=(
            f"tests:{'+'.join(tests)}|{units_signature(experiment.units)}|repetitions:{options.repetitions}"
            f"|replacement:{'yes' if options.replacement else 'no'}|R:{options.resamples}|seed:{options.seed}"
            f"|version:{__version__}"
        ),
    )
    return msgspec.structs.replace(result, findings=tuple(_findings(result, units_of(experiment))))


def _tests_of(options: ReplicateOptions) -> tuple[str, ...]:
    """Return the tests that are asked for, if all options can be."""
    tests = (options.test,) if isinstance(options.test, str) else tuple(dict.fromkeys(options.test))
    check_options(options)
    for name in tests:
        if name not in TESTS:
            raise one_of("test", name, list(TESTS))
    check_count("repetitions", options.repetitions)
    if not 0.0 < options.power < 1.0:
        raise InputError(f"power must be between 0 and 1; got {options.power:g}")
    check_gain(options.gain)
    return tests


def _counts_of(options: ReplicateOptions, smallest: int) -> list[int]:
    """Return the numbers of runs to draw; without replacement, those that the smaller pool has."""
    counts = sorted({count for count in options.counts if count <= smallest or options.replacement})
    if not counts or counts[0] < 1:
        given = ", ".join(map(str, options.counts)) or "none"
        raise InputError(f"counts of runs must be from 1 to {smallest}; got {given}")
    return counts


def _pool(corpus: Corpus) -> tuple[int, int]:
    """Return the numbers of runs of the two systems."""
    if len(corpus.systems) != 2:
        raise InputError(f"a study of runs takes two systems; got {len(corpus.systems)}", hint=GIVE_RUNS)
    first, second = (len(system.runs) for system in corpus.systems)
    if min(first, second) < 2:
        raise InputError(f"a study of runs takes several of each system; got {first} and {second}", hint=GIVE_RUNS)
    return first, second


def _how(replacement: bool) -> str:
    return "with" if replacement else "without"


def _findings(result: ReplicateResult, units: str) -> Iterator[Finding]:
    """Yield, for each metric, what the fewest runs drawn show, and how many runs show the gain."""
    names = list(dict.fromkeys(score.name for score in result.scores))
    for metric in result.metrics:
        drawn = [one for one in result.drawn if one.metric == metric.key]
        needed = next(one for one in result.needed if one.metric == metric.key)
        if drawn:
            first = drawn[0]
            baseline, system = names if needed.observed >= 0.0 else names[::-1]
            sentence = SHOWN if first.other_way == 0.0 else SHOWN_BOTH_WAYS
            text = sentence(
                runs=whole(first.count, "run"),
                share=_share(first.shown),
                other=_share(first.other_way),
                system=system,
                baseline=baseline,
                metric=metric.label,
                test=first.test,
            )
            yield Finding(text)
        sentence = NEEDED if needed.runs is not None else NOT_SHOWN
        text = sentence(
            gain=digits_of(result, metric).gain(needed.gain),
            metric=metric.label,
            units=units,
            power=_share(needed.power),
            runs=needed.runs,
            limit=_share(needed.limit),
        )
        yield Finding(text, "undecided" if needed.runs is None else "plain")


def _share(value: float) -> str:
    return f"{100.0 * value:.0f} %"


def _picked(trial: Trial) -> tuple[Picked, ...]:
    """Pick one run of each with an intention: at best, in the middle, at worst (Clark et al., table 2)."""
    experiment = trial.experiment
    names = [system.name for system in experiment.corpus.systems]
    first = len(experiment.corpus.systems[0].runs)
    found = []
    ways: dict[Choice, Choice] = {"high": "low", "median": "median", "low": "high"}
    for m, block in enumerate(experiment.statistics.blocks):
        scores = experiment.run_scores[m] * (-1.0 if block.metric.higher_is_better is False else 1.0)
        for new_way, old_way in ways.items():
            old = _chosen(scores[:first], old_way)
            new = first + _chosen(scores[first:], new_way)
            single = replace(trial, experiment=experiment.regrouped({names[0]: [old], names[1]: [new]}))
            finding = procedure("ar")(single)[m, _PAIR]
            found.append(Picked(block.key, new_way, old_way, single.delta((m, _PAIR)), finding.p_value.p))
    return tuple(found)


def _chosen(scores: NDArray[np.float64], way: Choice) -> int:
    return {"low": int(scores.argmin()), "median": middle(scores), "high": int(scores.argmax())}[way]


def _draw(trial: Trial, tests: Sequence[str], counts: Sequence[int], options: ReplicateOptions) -> tuple[Drawn, ...]:
    """Draw every number of runs again and again, and test the draws."""
    experiment = trial.experiment
    blocks = experiment.statistics.blocks
    names = [system.name for system in experiment.corpus.systems]
    repetitions = options.repetitions
    found = []
    number = 0
    for count in counts:
        possible = [name for name in tests if count > _DRAW_ALONE or not _about_new_runs(name)]
        p = np.empty((len(possible), len(blocks), repetitions))
        deltas = np.empty((len(blocks), repetitions))
        for repetition in range(repetitions):
            groups = _groups(experiment, count, number, options.replacement)
            number += 1
            drawn = replace(trial, experiment=experiment.regrouped(dict(zip(names, groups, strict=True))))
            for m in range(len(blocks)):
                deltas[m, repetition] = drawn.delta((m, _PAIR))
            for t, name in enumerate(possible):
                for (m, _), finding in procedure(name)(drawn).items():
                    p[t, m, repetition] = finding.p_value.p
            if options.progress is not None:
                options.progress("drawing runs", 1, len(counts) * repetitions)
        for m, block in enumerate(blocks):
            spread = Spread(*quantiles(deltas[m], _ENDS))
            side = deltas[m] if trial.delta((m, _PAIR)) >= 0.0 else -deltas[m]
            for t, name in enumerate(possible):
                shown = float(np.mean((p[t, m] <= trial.alpha) & (side > 0.0)))
                other_way = float(np.mean((p[t, m] <= trial.alpha) & (side < 0.0)))
                of_p = Spread(*quantiles(p[t, m], _ENDS))
                found.append(Drawn(block.key, name, count, spread, of_p, shown, other_way))
    return tuple(found)


def _about_new_runs(name: str) -> bool:
    return name == "crossed" or TESTS[name].unit == "run"


def _groups(experiment: Experiment, count: int, number: int, replacement: bool) -> list[list[int]]:
    """Return runs of both systems, numbered over both."""
    pool = [len(system.runs) for system in experiment.corpus.systems]
    values = uniforms(resample_keys(experiment.seed, Stream.REPLICATED_RUNS, number, 1), max(sum(pool), 2 * count))[0]
    if replacement:
        parts = (values[:count], values[count : 2 * count])
        return [
            (first + (part * size).astype(int)).tolist()
            for part, size, first in zip(parts, pool, (0, pool[0]), strict=True)
        ]
    order = [
        np.argsort(values[: pool[0]], kind="stable"),
        pool[0] + np.argsort(values[pool[0] : sum(pool)], kind="stable"),
    ]
    return [part[:count].tolist() for part in order]


def _redrawn(experiment: Experiment, number: int) -> Experiment:
    """Return the experiment on units drawn with replacement: a test set from a population that this one represents."""
    units = experiment.units
    places = uniforms(resample_keys(experiment.seed, Stream.REPLICATED_UNITS, number, 1), units.count)[0]
    sizes = np.repeat(units.strata, units.strata)
    starts = np.repeat(np.cumsum(units.strata) - units.strata, units.strata)
    chosen = starts + (places * sizes).astype(int)
    members = np.split(np.argsort(units.of_segment, kind="stable"), np.cumsum(units.sizes)[:-1])
    rows = np.concatenate([members[unit] for unit in chosen.tolist()])
    of_segment = np.repeat(np.arange(units.count), units.sizes[chosen])
    return replace(
        experiment,
        corpus=replace(experiment.corpus, segments=int(rows.size), documents=None, domains=None),
        statistics=SegmentStatistics(experiment.statistics.values[rows], experiment.statistics.blocks),
        units=ResampledUnits(units.kind, of_segment, units.count, units.strata),
    )


def _found_power(trial: Trial, count: int, repetitions: int) -> NDArray[np.float64]:
    """Return how often the crossed test is significant on draws of runs and units, metric by metric."""
    experiment = trial.experiment
    names = [system.name for system in experiment.corpus.systems]
    hits = np.zeros(len(experiment.statistics.blocks))
    for number in range(repetitions):
        groups = _groups(experiment, count, _REDRAWN + number, replacement=False)
        drawn = _redrawn(experiment.regrouped(dict(zip(names, groups, strict=True))), number)
        for (m, _), finding in procedure("crossed")(replace(trial, experiment=drawn)).items():
            hits[m] += finding.p_value.p <= trial.alpha
    return hits / repetitions


def _needed(trial: Trial, counts: Sequence[int], options: ReplicateOptions) -> tuple[Needed, ...]:
    """Return how many runs show the gain, and whether draws from the pool bear the prediction out."""
    experiment = trial.experiment
    found = {count: _found_power(trial, count, options.repetitions) for count in counts if count > _DRAW_ALONE}
    needed = []
    for m, block in enumerate(experiment.statistics.blocks):
        old, new = (experiment.runs_of(m, s) for s in (0, 1))
        plan = plan_of(old, new, experiment.effective_units)
        # Where test sets are drawn from this one, it is the population, and what runs differ by on it is all their own.
        drawn = replace(plan, runs=(old.variance, new.variance))
        observed = trial.delta((m, _PAIR))
        target = abs(observed if options.gain is None else options.gain)
        checks = tuple(
            Check(
                count,
                plan.power(target, (count, count), alpha=trial.alpha),
                drawn.power(observed, (count, count), alpha=trial.alpha),
                float(share[m]),
                options.repetitions,
            )
            for count, share in found.items()
        )
        needed.append(
            Needed(
                block.key,
                target,
                options.power,
                runs_needed(plan, target, power=options.power, alpha=trial.alpha),
                plan.power(target, (_MANY_RUNS, _MANY_RUNS), alpha=trial.alpha),
                observed,
                checks,
            )
        )
    return tuple(needed)


def _drawn_table(result: ReplicateResult, metric: MetricInfo, digits: Digits) -> Table:
    """Return, by the number of runs drawn, the gain, and what each test says."""
    both_ways = any(row.other_way > 0.0 for row in result.drawn)
    return table(
        [row for row in result.drawn if row.metric == metric.key],
        f"count test delta p shown {'other_way' if both_ways else ''}",
        digits,
        headings={"count": f"{metric.label}: runs drawn", "delta": gain_heading(result.metrics)},
        caption="Gains and p-values of runs drawn at random",
        notes=(DRAWN(draws=result.repetitions, how=_how(result.replacement), alpha=result.alpha),),
    )


def _picked_table(result: ReplicateResult, metric: MetricInfo, digits: Digits) -> Table:
    """Return the gains of single runs picked by their scores: Clark et al., table 2."""
    baseline, system = dict.fromkeys(score.name for score in result.scores)
    words = _PICKED_NEUTRAL if metric.higher_is_better is None else _PICKED
    return table(
        [
            msgspec.structs.replace(row, new=words[row.new], old=words[row.old])
            for row in result.picked
            if row.metric == metric.key
        ],
        "new old delta p",
        digits,
        headings={
            "new": f"{metric.label}: run of {system}",
            "old": f"of {baseline}",
            "delta": gain_heading(result.metrics),
        },
        caption="Gains of single runs, picked by their scores",
    )


def _power_table(result: ReplicateResult, needed: Needed, label: str) -> Table:
    return table(
        needed.checks,
        "runs planned predicted found",
        Digits(2),
        headings={"runs": f"{label}: runs of each"},
        caption="Power of the crossed test by the number of runs",
        notes=(POWER,),
    )


def units_of(experiment: Experiment) -> str:
    """Return what the test set is drawn from: segments, documents, or what items without texts are called."""
    noun = experiment.units.noun
    return f"{experiment.corpus.item_noun if noun == 'segment' else noun}s"


def gain_heading(metrics: Sequence[MetricInfo]) -> str:
    """Return the heading of gains, which says what their sign means if lower scores are better under a metric."""
    return "Δ (+ is better)" if any(metric.higher_is_better is False for metric in metrics) else "Δ"
