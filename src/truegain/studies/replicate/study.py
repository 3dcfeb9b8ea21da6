"""Variation of runs: what other runs would have said, and how many are needed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from truegain.corpus import Corpus
from truegain.errors import InputError, Setting, one_of
from truegain.experiment import (
    Experiment,
    check_count,
    check_options,
    middle,
    variability,
    with_development,
)
from truegain.inference.intervals import quantiles
from truegain.inference.power import Plan, runs_needed
from truegain.inference.replicas import SystemRuns
from truegain.inference.variance import jackknife
from truegain.procedures.base import Pair, Trial
from truegain.procedures.lookup import procedure
from truegain.registry import TESTS
from truegain.resampling.generator import resample_keys, uniforms
from truegain.resampling.streams import Stream
from truegain.resampling.units import Units
from truegain.settings.function import takes
from truegain.settings.replicate import ReplicateOptions
from truegain.statistics import SegmentStatistics
from truegain.studies.advice import advice, check_gain
from truegain.studies.checks import units_signature
from truegain.studies.given import corpus_of, development_of
from truegain.studies.replicate.result import Check, Drawn, Needed, Picked, ReplicateResult, Spread
from truegain.version import __version__

_PAIR = Pair(0, 1)
_REDRAWN = 1 << 32  # draws of runs from here on go with redrawn units
_DRAW_ALONE = 1  # with one run of each, no claim about new runs can be made
_ENDS = (0.025, 0.5, 0.975)


@takes(ReplicateOptions)
def replicate(options: ReplicateOptions) -> ReplicateResult:
    """See how the conclusion depends on the runs, and how many are needed (Clark et al. 2011, section 4).

    Runs are drawn from a pool of many, again and again, and tested: of two systems with several runs each.
    """
    test, counts, repetitions, replacement = options.test, options.counts, options.repetitions, options.replacement
    gain, power, alpha, resamples = options.gain, options.power, options.alpha, options.resamples
    tests = (test,) if isinstance(test, str) else tuple(dict.fromkeys(test))
    check_options(options)
    for name in tests:
        if name not in TESTS:
            raise one_of("test", name, list(TESTS))
    check_count("repetitions", repetitions)
    if not 0.0 < power < 1.0:
        raise InputError(f"power must be between 0 and 1; got {power:g}")
    check_gain(gain)
    corpus, development = with_development(corpus_of(options), development_of(options))
    progress = options.progress
    pool = _pool(corpus)
    experiment = Experiment.of(corpus, options)
    wanted = sorted({count for count in counts if count <= min(pool) or replacement})
    if not wanted or wanted[0] < 1:
        raise InputError(f"counts of runs must be from 1 to {min(pool)}; got {', '.join(map(str, counts)) or 'none'}")
    quiet = replace(experiment, progress=None)
    varies = variability(experiment, resamples, development)
    trial = Trial(quiet, (_PAIR,), alpha=alpha, resamples=resamples)
    total = len(wanted) * repetitions
    reporter = None if progress is None else lambda done: progress("drawing runs", done, total)
    drawn = _draw(trial, tests, wanted, repetitions, replacement, reporter)
    # Of more than half of the pool, two draws share so many runs that they vary less than new runs would.
    needed = _needed(trial, [count for count in wanted if 2 * count <= min(pool)], repetitions, gain, power)
    metrics = experiment.metric_infos()
    return ReplicateResult(
        testset=experiment.testset(development),
        metrics=metrics,
        scores=experiment.system_results(None, 1.0 - alpha, "percentile"),
        variability=varies,
        picked=_picked(trial),
        drawn=drawn,
        needed=needed,
        alpha=alpha,
        repetitions=repetitions,
        replacement=replacement,
        resamples=resamples,
        unit=experiment.units.kind,
        n_units=experiment.units.count,
        signature=(
            f"tests:{'+'.join(tests)}|{units_signature(experiment.units)}|repetitions:{repetitions}"
            f"|replacement:{'yes' if replacement else 'no'}|R:{resamples}|seed:{options.seed}|version:{__version__}"
        ),
        notes=(*experiment.notes, *advice(varies, {one.metric: one.gain for one in needed}, metrics)),
    )


def _pool(corpus: Corpus) -> tuple[int, int]:
    if len(corpus.systems) != 2:
        raise InputError(
            f"a study of runs takes two systems; got {len(corpus.systems)}",
            hint=(
                "give the runs of each: ",
                Setting("systems", {"base": "runs/base.*.txt", "new": "runs/new.*.txt"}),
            ),
        )
    first, second = (len(system.runs) for system in corpus.systems)
    if min(first, second) < 2:
        raise InputError(
            f"a study of runs takes several of each system; got {first} and {second}",
            hint=(
                "give the runs of each: ",
                Setting("systems", {"base": "runs/base.*.txt", "new": "runs/new.*.txt"}),
            ),
        )
    return first, second


def _picked(trial: Trial) -> tuple[Picked, ...]:
    """Pick one run of each with an intention: at best, in the middle, at worst (Clark et al., table 2)."""
    experiment = trial.experiment
    first = len(experiment.corpus.systems[0].runs)
    found = []
    ways: dict[Literal["high", "median", "low"], Literal["low", "median", "high"]] = {
        "high": "low",
        "median": "median",
        "low": "high",
    }
    for m, block in enumerate(experiment.statistics.blocks):
        scores = experiment.run_scores[m] * (-1.0 if block.metric.higher_is_better is False else 1.0)
        for new_way, old_way in ways.items():
            old = _chosen(scores[:first], old_way)
            new = first + _chosen(scores[first:], new_way)
            names = [system.name for system in experiment.corpus.systems]
            one = experiment.regrouped({names[0]: [old], names[1]: [new]})
            pair = replace(trial, experiment=one)
            finding = procedure("ar")(pair)[m, _PAIR]
            found.append(Picked(block.key, new_way, old_way, pair.delta((m, _PAIR)), finding.p_value.p))
    return tuple(found)


def _chosen(scores: NDArray[np.float64], way: Literal["low", "median", "high"]) -> int:
    return {"low": int(scores.argmin()), "median": middle(scores), "high": int(scores.argmax())}[way]


def _draw(
    trial: Trial,
    tests: Sequence[str],
    counts: Sequence[int],
    repetitions: int,
    replacement: bool,
    progress: Callable[[int], None] | None,
) -> tuple[Drawn, ...]:
    experiment = trial.experiment
    blocks = experiment.statistics.blocks
    names = [system.name for system in experiment.corpus.systems]
    found = []
    number = 0
    for count in counts:
        possible = [name for name in tests if count > _DRAW_ALONE or not _about_new_runs(name)]
        p = np.empty((len(possible), len(blocks), repetitions))
        deltas = np.empty((len(blocks), repetitions))
        for repetition in range(repetitions):
            groups = _groups(experiment, count, number, replacement)
            number += 1
            one = replace(trial, experiment=experiment.regrouped(dict(zip(names, groups, strict=True))))
            for m in range(len(blocks)):
                deltas[m, repetition] = one.delta((m, _PAIR))
            for t, name in enumerate(possible):
                for (m, _), finding in procedure(name)(one).items():
                    p[t, m, repetition] = finding.p_value.p
            if progress is not None:
                progress(1)
        for m, block in enumerate(blocks):
            spread = Spread(*quantiles(deltas[m], _ENDS))
            for t, name in enumerate(possible):
                side = deltas[m] if trial.delta((m, _PAIR)) >= 0.0 else -deltas[m]
                shown = float(np.mean((p[t, m] <= trial.alpha) & (side > 0.0)))
                other_way = float(np.mean((p[t, m] <= trial.alpha) & (side < 0.0)))
                found.append(
                    Drawn(block.key, name, count, spread, Spread(*quantiles(p[t, m], _ENDS)), shown, other_way)
                )
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
        units=Units(units.kind, of_segment, units.count, units.strata),
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


def plan_of(old: SystemRuns, new: SystemRuns, effective_units: float) -> Plan:
    """Return the variances of the difference of two systems, from their runs."""
    over_segments = jackknife(new.left_out.mean(0) - old.left_out.mean(0), new.strata)
    return Plan(
        common=max(over_segments - old.doubly_counted - new.doubly_counted, 0.0),
        runs=(old.run_variance, new.run_variance),
        interactions=(old.interaction, new.interaction),
        units=effective_units,
    )


def _needed(
    trial: Trial, counts: Sequence[int], repetitions: int, wanted: float | None, power: float
) -> tuple[Needed, ...]:
    """Return how many runs show the gain, and whether the pool bears the prediction out."""
    experiment = trial.experiment
    seen = {count: _found_power(trial, count, repetitions) for count in counts if count > _DRAW_ALONE}
    found = []
    for m, block in enumerate(experiment.statistics.blocks):
        old, new = (experiment.runs_of(m, s) for s in (0, 1))
        plan = plan_of(old, new, experiment.effective_units)
        # Where test sets are drawn from this one, it is the population, and what runs differ by on it is all their own.
        drawn = replace(plan, runs=(old.variance, new.variance))
        observed = trial.delta((m, _PAIR))
        target = abs(observed if wanted is None else wanted)
        checks = tuple(
            Check(
                count,
                plan.power(target, (count, count), alpha=trial.alpha),
                drawn.power(observed, (count, count), alpha=trial.alpha),
                float(share[m]),
                repetitions,
            )
            for count, share in seen.items()
        )
        found.append(
            Needed(
                block.key,
                target,
                power,
                runs_needed(plan, target, power=power, alpha=trial.alpha),
                plan.power(target, (1000, 1000), alpha=trial.alpha),
                observed,
                checks,
            )
        )
    return tuple(found)
