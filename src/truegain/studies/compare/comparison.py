"""One comparison: what does not depend on the test, and what a test adds."""

from __future__ import annotations

import math

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from truegain.experiment import clip_difference, gain
from truegain.inference.claims import Claim
from truegain.inference.effects import effect_of
from truegain.inference.intervals import Interval, IntervalMethod, bootstrap_interval, of_bootstrap, overlap
from truegain.inference.results import Comparison
from truegain.inference.variance import design_effect
from truegain.procedures.base import Key, Pair, TestOutcome, Trial
from truegain.resampling.units import Units
from truegain.statistics import mean_of_runs
from truegain.studies.compare.caveats import caveats_of
from truegain.studies.null_gain import null_words


def frame_of(trial: Trial, key: Key, method: IntervalMethod) -> Comparison:
    """Return the comparison without its p-value: what does not depend on the test."""
    if trial.apart:
        key, trial = (key[0], Pair(0, 1)), trial.alone(key[1])
    experiment = trial.experiment
    m, pair = key
    block = experiment.statistics.blocks[m]
    resampled = experiment.bootstrap(trial.resamples)
    sides = [resampled[m, pair.baseline], resampled[m, pair.system]]
    level = 1.0 - trial.alpha
    delta = trial.delta(key)
    left = experiment.left_out[m] if method == "bca" else None
    segment_differences, slack = trial.segment_gains(key)
    systems = experiment.corpus.systems
    interval = bootstrap_interval(
        delta,
        gain(block.metric, *sides),
        level=level,
        method=of_bootstrap(method),
        factor=experiment.factor(level),
        left_out=None if left is None else gain(block.metric, left[pair.baseline], left[pair.system]),
    )
    return Comparison(
        metric=block.key,
        baseline=systems[pair.baseline].name,
        system=systems[pair.system].name,
        delta=delta,
        **interval.fields,
        p=1.0,
        p_adjusted=1.0,
        adjust="none",
        test="",
        asked="",
        unit="",
        n_units=0,
        seed=experiment.seed,
        alternative="two-sided",
        null="",
        claim=Claim("this output of each"),
        significant=False,
        better=None,
        design_effect=_design_effect(trial, key),
        effect=effect_of(segment_differences, slack=slack) if np.isfinite(segment_differences).all() else None,
        overlap=overlap(sides[0], sides[1], level=level),
        standard_error=experiment.standard_error(m, pair.baseline, pair.system),
    )


def with_finding(trial: Trial, key: Key, frame: Comparison, finding: TestOutcome, asked: str) -> Comparison:
    """Return the comparison with what a test found; ``asked`` is the name it was asked for by."""
    experiment = trial.experiment
    m, pair = key
    limits = experiment.limits(m, pair.baseline, pair.system)
    return replace(
        frame,
        **finding.p_value.fields,
        p_adjusted=finding.p_value.p,
        test=finding.test,
        asked=asked,
        unit=finding.unit,
        n_units=finding.n_units,
        alternative=finding.alternative,
        null=null_words(
            finding.test,
            system=frame.system,
            baseline=frame.baseline,
            unit=finding.unit,
            alternative=finding.alternative,
            null_gain=trial.null_gain,
            training_data=finding.claim.training_data,
            rater=finding.claim.rater_noun,
        ),
        claim=finding.claim,
        notes=finding.notes,
        caveats=caveats_of(trial.alone(pair).experiment if trial.apart else experiment, frame, finding),
        **clip_difference(_interval(frame.interval, finding), limits).fields,
        standard_error=_standard_error(trial, key, frame, finding),
    )


def _standard_error(trial: Trial, key: Key, frame: Comparison, finding: TestOutcome) -> float | None:
    """Return the standard error of the gain over what the claim extends to."""
    if finding.standard_error is not None:
        return finding.standard_error
    if not finding.claim.new_runs or finding.claim.unit is not None:
        return frame.standard_error
    from truegain.procedures.replicas import standard_error_over_runs

    return standard_error_over_runs(trial, key)


def _interval(bootstrap: Interval, finding: TestOutcome) -> Interval:
    """Return the test's own interval, or the bootstrap's; if two claims must hold, what covers both of theirs."""
    own = finding.interval
    if own is None:
        return bootstrap
    if finding.test != "crossed":
        return own
    first = finding.first or bootstrap
    return replace(own, low=min(own.low, first.low), high=max(own.high, first.high))


def _design_effect(trial: Trial, key: Key) -> float | None:
    """Return how much larger the difference's variance is with documents as units; None if they are not known."""
    experiment = trial.experiment
    m, pair = key
    block = experiment.statistics.blocks[m]
    ids = experiment.corpus.documents
    documents = None if ids is None else Units.documents(ids)
    if documents is None or documents.count < 2:
        return None
    columns = [np.r_[block.system_columns(s)] for s in (pair.baseline, pair.system)]
    values = experiment.statistics.values[:, np.concatenate(columns)]
    edge = columns[0].size

    def difference(totals: NDArray[np.float64]) -> NDArray[np.float64]:
        new, old = (
            mean_of_runs(block.run_scores(part), block.samples_of(s))
            for s, part in ((pair.system, totals[edge:]), (pair.baseline, totals[:edge]))
        )
        return np.asarray(new - old)[None]

    effect = float(design_effect(values, documents.sums(values), difference)[0])
    return effect if math.isfinite(effect) else None
