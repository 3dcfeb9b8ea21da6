"""Tests whose claim extends to runs that were not made."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from truegain.errors import InputError, Setting
from truegain.inference.claims import Claim
from truegain.inference.distributions import beta_quantile
from truegain.inference.intervals import Interval
from truegain.inference.pvalues import PValue
from truegain.inference.replicas import (
    ENUMERATED,
    SystemRuns,
    crossed_bound,
    crossed_test,
    least_regrouping_p,
    run_permutation_test,
    welch_bound,
    welch_test,
)
from truegain.inference.replicas import Crossed as CrossedTest
from truegain.inference.results import Caveat
from truegain.inference.training_samples import least_swapping_p, matched_test, paired_interval, swapping_test
from truegain.notes import Note
from truegain.procedures.base import Key, Pair, TestOutcome, Trial, check_null_gain, over_units
from truegain.procedures.lookup import findings_by_name, first_claim
from truegain.procedures.skewness import skewness_caveats
from truegain.procedures.training_samples import matched_notes, matched_samples
from truegain.resampling.generator import resample_keys, uniforms
from truegain.resampling.streams import Stream

Floats = NDArray[np.float64]

_FAR = 10.0  # times that the other runs vary, at which one run alone is named
_UNEQUAL = 4.0  # times that one system's runs spread more than the other's, from which on the test is not to be trusted
_FEW_RUNS = 3
_CHANCE = 0.99  # of the larger variance over the smaller; either may be it: chance exceeds this in 2 % of comparisons
_MOST = 20.0  # times that a ratio is written out: an estimate from few runs may be many times off
_MATTERS = 0.2  # of the variance of the difference


@dataclass(frozen=True)
class Crossed:
    """New runs on new segments: see :func:`truegain.inference.replicas.crossed_test`.

    The variance over segments may come out smaller than without regard to runs, so the first claim, about these runs on
    new segments, must hold as well: p is the larger of the two. A system with one run is taken to vary as the other
    does, and the claim says so.
    """

    name: str = "crossed"

    def __call__(self, trial: Trial) -> dict[Key, TestOutcome]:
        """See :class:`truegain.procedures.base.Procedure`."""
        experiment = trial.experiment
        if experiment.units.kind == "block":
            raise InputError(
                "the crossed test needs segments or documents as units; blocks have no jackknife",
                hint=(
                    "use ",
                    Setting("unit", "segment"),
                    " or document, or ",
                    Setting("test", "bootstrap"),
                    ", which holds the runs fixed",
                ),
            )
        alone = tuple(pair for pair in trial.pairs if max(experiment.corpus.systems[s].replicas for s in pair) == 1)
        check_several(replace(trial, pairs=alone), self.name)
        first = _first_claims(trial)
        claim = Claim("new runs", experiment.units.noun, training_data=trial.knows_samples)
        found = {}
        for key in trial.keys:
            m, pair = key
            old, new = (experiment.replicas_of(m, s) for s in (pair.baseline, pair.system))
            delta = trial.delta(key)
            matched = matched_samples(trial, pair)
            outcome = (matched_test if matched else crossed_test)(
                delta,
                old,
                new,
                effective_units=experiment.effective_units,
                alternative=trial.alternative,
                level=1.0 - trial.alpha,
                null_gain=trial.null_gain,
            )
            error = max(outcome.standard_error, experiment.standard_error(m, pair.baseline, pair.system) or 0.0)
            notes = matched_notes(trial, pair)
            p_value = PValue(outcome.p)
            if first[key].p_value.p > outcome.p:
                p_value = first[key].p_value
                if p_value.p > trial.alpha >= outcome.p:
                    noun = experiment.unit_noun
                    said = f"the claim about these runs on new {noun}s must hold as well, and does not: p is its own"
                    text = f"{said}; of runs and {noun}s together it would be {outcome.p:.3f}"
                    notes.append(Note("first-claim", text, summary=said))
            found[key] = TestOutcome(
                test=self.name,
                p_value=p_value,
                unit=experiment.units.noun,
                n_units=experiment.units.count,
                alternative=trial.alternative,
                claim=structs.replace(claim, alike=min(old.count, new.count) == 1),
                direction=trial.beyond(key),
                notes=tuple(notes),
                caveats=(
                    *(() if matched else _spread_caveats(trial, pair, old, new, outcome.selection_variance)),
                    *skewness_caveats(trial, key, error),
                ),
                interval=outcome.interval,
                standard_error=error,
                first=first[key].interval,
                bound=_crossed_bound(trial, delta, outcome, first[key].bound),
            )
        return found


def _crossed_bound(trial: Trial, delta: float, found: CrossedTest, first: float | None) -> float | None:
    """Return the bound that both claims reject."""
    if trial.alternative == "two-sided" or first is None:
        return None
    own = crossed_bound(delta, found, alternative=trial.alternative, alpha=trial.alpha)
    return min(own, first) if trial.alternative == "greater" else max(own, first)


def _first_claims(trial: Trial) -> dict[Key, TestOutcome]:
    names = {key: first_claim(trial, key) for key in trial.keys}
    return findings_by_name(trial, names)


def check_several(trial: Trial, name: str) -> None:
    """Refuse systems with one run: a claim about new runs needs two, to see how much they vary."""
    systems = trial.experiment.corpus.systems
    for pair in trial.pairs:
        for system in (systems[pair.baseline], systems[pair.system]):
            if system.replicas < 2:
                raise InputError(
                    f"{name} claims something about new runs, and {system.name!r} has only one: "
                    "how much its runs vary is unknown",
                    hint=("give two runs or more of each, or use ", *over_units(bounded=trial.bounded)),
                )


def _spread_caveats(
    trial: Trial, pair: Pair, old: SystemRuns, new: SystemRuns, over_segments: float
) -> tuple[Caveat, ...]:
    """Warn if one system's runs vary far more than the other's, more than chance explains, and it matters."""
    if min(old.count, new.count) == 1:
        return ()
    narrow, wide = sorted((old, new), key=lambda one: one.variance)
    ratio = math.sqrt(wide.variance / narrow.variance) if narrow.variance > 0.0 else math.inf
    chance = math.sqrt(_f_quantile(_CHANCE, wide.count - 1, narrow.count - 1))
    share = wide.variance / wide.count / (over_segments + wide.variance / wide.count) if wide.variance > 0.0 else 0.0
    if min(old.count, new.count) > _FEW_RUNS or ratio < max(_UNEQUAL, chance) or share < _MATTERS:
        return ()
    more, less = (pair.system, pair.baseline) if wide is new else (pair.baseline, pair.system)
    wider, narrower = (trial.experiment.corpus.systems[s].name for s in (more, less))
    times = f"about {ratio:.0f}" if ratio <= _MOST else f"more than {_MOST:.0f}"
    what = "training samples" if trial.knows_samples else "runs"
    far = None if trial.knows_samples else _far_run(wide, math.sqrt(narrow.variance))
    alone = (
        "" if far is None else f" ({trial.experiment.corpus.systems[more].runs[far].name} is far from its other runs)"
    )
    text = (
        f"the {what} of {wider} vary {times} times as much as those of {narrower}, as far as {old.count} + {new.count} "
        f"{what} show{alone}; with so few {what} this p-value is too small"
    )
    few = f"the {what} of one system vary far more than the other's; with so few {what} these p-values are too small"
    return (Caveat("runs", text, summary=few),)


def _far_run(runs: SystemRuns, spread: float) -> int | None:
    """Return the run that is far from the others, by what these and the runs of the other system vary."""
    for place, score in enumerate(runs.scores if runs.count > 2 else ()):
        others = np.delete(runs.scores, place)
        if abs(score - others.mean()) > _FAR * max(spread, float(others.std(ddof=1))):
            return place
    return None


def _f_quantile(probability: float, first: int, second: int) -> float:
    """Return the quantile of the ratio of two estimated variances, with these degrees of freedom."""
    share = beta_quantile(probability, first / 2, second / 2)
    return second * share / (first * (1.0 - share))


def _towards_gain(trial: Trial, key: Key) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return scores of runs, or of training samples, with the sign that makes a positive difference a gain."""
    m, pair = key
    sign = -1.0 if trial.metric(key).higher_is_better is False else 1.0
    old, new = (sign * trial.experiment.replica_scores(m, s) for s in (pair.baseline, pair.system))
    return old, new


def standard_error_over_runs(trial: Trial, key: Key) -> float:
    """Return the standard error of the gain over runs, or training samples, on this test set."""
    old, new = _towards_gain(trial, key)
    if matched_samples(trial, key[1]):
        return float((new - old).std(ddof=1)) / math.sqrt(old.size)
    return math.sqrt(sum(float(one.var(ddof=1)) / one.size for one in (old, new)))


def _run_finding(
    trial: Trial,
    key: Key,
    name: str,
    p_value: PValue,
    interval: Interval,
    notes: tuple[Note, ...] = (),
    bound: float | None = None,
) -> TestOutcome:
    _, pair = key
    systems = trial.experiment.corpus.systems
    return TestOutcome(
        test=name,
        p_value=p_value,
        unit="training sample" if trial.knows_samples else "run",
        n_units=sum(systems[s].replicas for s in (pair.baseline, pair.system)),
        alternative=trial.alternative,
        claim=Claim("new runs", training_data=trial.knows_samples),
        direction=trial.beyond(key),
        notes=notes,
        interval=interval,
        bound=bound,
    )


@dataclass(frozen=True)
class RunPermutation:
    """New runs on this test set: all regroupings of the runs, or all swaps within matched training samples.

    The interval is Welch's, of matched samples Student's.
    """

    name: str = "run-permutation"

    def __call__(self, trial: Trial) -> dict[Key, TestOutcome]:
        """See :class:`truegain.procedures.base.Procedure`."""
        check_null_gain(self.name, trial.null_gain)
        check_several(trial, self.name)
        found = {}
        for key in trial.keys:
            regroup = _swapped if matched_samples(trial, key[1]) else _regrouped
            p_value, least, interval = regroup(trial, key, *_towards_gain(trial, key))
            what = "training samples" if trial.knows_samples else "runs"
            counts = " + ".join(
                str(trial.experiment.corpus.systems[s].replicas) for s in (key[1].baseline, key[1].system)
            )
            text = f"with {counts} {what} the smallest possible p of this test is {least:.3g}"
            few = f"with so few {what} this test cannot reach p ≤ {trial.alpha:g}"
            said = Note("few-runs", text, summary=few)
            found[key] = _run_finding(trial, key, self.name, p_value, interval, (said,) if least > trial.alpha else ())
        return found


def _regrouped(trial: Trial, key: Key, old: Floats, new: Floats) -> tuple[PValue, float, Interval]:
    """Return p of all regroupings, the least it can be, and Welch's interval."""
    draws = None
    if math.comb(old.size + new.size, old.size) > ENUMERATED:
        keys = resample_keys(trial.experiment.seed, Stream.REGROUPINGS, 0, trial.resamples)
        draws = np.argsort(uniforms(keys, old.size + new.size), axis=1, kind="stable")[:, : old.size]
    p_value = run_permutation_test(old, new, alternative=trial.alternative, magnitude=trial.magnitude(key), draws=draws)
    least = least_regrouping_p(old.size, new.size, trial.alternative)
    return p_value, least, welch_test(old, new, alternative=trial.alternative, level=1.0 - trial.alpha)[1]


def _swapped(trial: Trial, key: Key, old: Floats, new: Floats) -> tuple[PValue, float, Interval]:
    """Return p of all swaps within matched training samples, the least it can be, and Student's interval."""
    draws = None
    if 2**old.size > ENUMERATED:
        draws = uniforms(resample_keys(trial.experiment.seed, Stream.REGROUPINGS, 0, trial.resamples), old.size) < 0.5
    p_value = swapping_test(old, new, alternative=trial.alternative, magnitude=trial.magnitude(key), draws=draws)
    interval = paired_interval(old, new, 1.0 - trial.alpha, trial.alternative)
    return p_value, least_swapping_p(old.size, trial.alternative), interval


@dataclass(frozen=True)
class Welch:
    """New runs on this test set: Welch's t-test of the run scores."""

    name: str = "welch"

    def __call__(self, trial: Trial) -> dict[Key, TestOutcome]:
        """See :class:`truegain.procedures.base.Procedure`."""
        check_several(trial, self.name)
        found = {}
        for key in trial.keys:
            if matched_samples(trial, key[1]):
                raise InputError(
                    "Welch's t-test takes the training samples of two systems as independent, and these are matched",
                    hint=("use ", Setting("test", "crossed"), " or run-permutation"),
                )
            old, new = _towards_gain(trial, key)
            p, interval = welch_test(
                old, new, alternative=trial.alternative, level=1.0 - trial.alpha, null_gain=trial.null_gain
            )
            bound = None
            if trial.bounded and trial.alternative != "two-sided":
                bound = welch_bound(old, new, alternative=trial.alternative, alpha=trial.alpha)
            found[key] = _run_finding(trial, key, self.name, PValue(p), interval, bound=bound)
        return found


CROSSED = Crossed()
RUN_PERMUTATION = RunPermutation()
WELCH = Welch()
