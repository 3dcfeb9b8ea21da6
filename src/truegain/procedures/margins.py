"""Tests of a gain at a margin, as gates make them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from truegain.errors import InputError, Setting
from truegain.experiment import Experiment
from truegain.experiment.outcomes import equal_units, range_of
from truegain.inference.claims import Claim
from truegain.inference.intervals import Interval
from truegain.inference.margins import MOST_ITEMS, STRENGTH, ExactPairs, MarginTest, SkewedGain
from truegain.inference.proportions import PairedShares
from truegain.inference.pvalues import PValue, tolerance
from truegain.notes import Note
from truegain.procedures.base import Key, Pair, TestOutcome, Trial


@dataclass(frozen=True)
class SkewT:
    """Student's t of the gain, corrected for skewness; within a known range, for losses that no unit shows as well."""

    name: str = "skew-t"

    def __call__(self, trial: Trial) -> dict[Key, TestOutcome]:
        """See :class:`truegain.procedures.base.Procedure`."""
        return {key: self._outcome(trial, key) for key in trial.keys}

    def _outcome(self, trial: Trial, key: Key) -> TestOutcome:
        alone, place = (trial.alone(key[1]), Pair(0, 1)) if trial.apart else (trial, key[1])
        test = gain_at_margin(alone, (key[0], place))
        p, interval = margin_results(test, trial)
        units = alone.experiment.units
        return TestOutcome(
            test=self.name,
            p_value=PValue(p),
            unit="block" if units.kind == "block" else units.noun,
            n_units=units.count,
            alternative=trial.alternative,
            claim=Claim(trial.held_runs(key[1]), units.noun),
            direction=trial.beyond(key),
            notes=unseen_notes(test, trial, units.noun),
            interval=interval,
            bound=one_sided_bound(trial, interval),
        )


def margin_results(test: MarginTest, trial: Trial) -> tuple[float, Interval | None]:
    """Return p and, if it is wanted, the interval of the gains that the test does not reject."""
    gain, side = trial.null_gain, trial.alternative
    if side == "two-sided":
        p = min(1.0, 2.0 * min(test.p(gain), test.mirrored().p(-gain)))
    else:
        p = test.p(gain) if side == "greater" else test.mirrored().p(-gain)
    if not trial.inverted and not trial.bounded:
        return p, None
    alpha = trial.alpha / 2.0 if side == "two-sided" else trial.alpha
    low = -math.inf if side == "less" else test.bound(alpha, gain)
    high = math.inf if side == "greater" else -test.mirrored().bound(alpha, -gain)
    return p, Interval(low, high, 1.0 - trial.alpha, "test")


def one_sided_bound(trial: Trial, interval: Interval | None) -> float | None:
    """Return the bound of a one-sided test, if it is wanted: the end of its interval."""
    if interval is None or not trial.bounded or trial.alternative == "two-sided":
        return None
    return interval.low if trial.alternative == "greater" else interval.high


def gain_at_margin(trial: Trial, key: Key) -> SkewedGain:
    """Return the test of a gain in scores of any kind; within their range, if it is known."""
    m, pair = key
    experiment, metric = trial.experiment, trial.metric(key)
    error = experiment.standard_error(m, *pair)
    if error is None:
        raise InputError(
            f"skew-t needs the standard error of the gain, and that in {metric.label} has none here",
            hint=("use ", Setting("test", "bootstrap")),
        )
    slack = tolerance(trial.magnitude(key))
    items = experiment.item_scores[m]
    ends = None if items is None else range_of(metric, [items[s] for s in pair])
    known = ends is not None and not _same_outputs(experiment, pair)
    return SkewedGain(
        trial.delta(key),
        error if error > slack else 0.0,
        STRENGTH * _skewness(trial, key) if error > slack else 0.0,
        equal_units(experiment),
        experiment.freedom,
        ends[1] - ends[0] if ends is not None and known else None,
        slack=slack,
    )


def pairs_at_margin(trial: Trial, key: Key, pairs: PairedShares) -> MarginTest:
    """Return the test of wins and losses: exact if items are independent and not too many."""
    experiment, items = trial.experiment, round(pairs.worth.items)
    if _same_outputs(experiment, key[1]):
        return gain_at_margin(trial, key)
    if not math.isinf(pairs.worth.freedom):
        skewness, units = _skewness(trial, key), equal_units(experiment)
        return SkewedGain(pairs.observed, 0.0, skewness, units, pairs.worth.freedom, pairs.size, pairs)
    if items > MOST_ITEMS:
        return SkewedGain(pairs.observed, 0.0, 0.0, pairs.worth.items, math.inf, None, pairs)
    return ExactPairs(round(pairs.wins * items), round(pairs.losses * items), items, pairs.size)


def _skewness(trial: Trial, key: Key) -> float:
    m, pair = key
    return trial.experiment.skewness(m, *pair) * (-1.0 if trial.metric(key).higher_is_better is False else 1.0)


def _same_outputs(experiment: Experiment, pair: Pair) -> bool:
    """Return whether the texts of two systems are the same, run by run: nothing can be lost then."""
    old, new = ([run.outputs for run in experiment.corpus.systems[s].runs] for s in pair)
    return None not in old and old == new


def unseen_notes(test: MarginTest, trial: Trial, noun: str) -> tuple[Note, ...]:
    """Say so if it is only losses that no unit shows which keep p above alpha."""
    if not isinstance(test, SkewedGain) or trial.alternative == "two-sided":
        return ()
    looking, gain = (test, trial.null_gain) if trial.alternative == "greater" else (test.mirrored(), -trial.null_gain)
    unseen = looking.unseen_p(gain)
    if unseen <= trial.alpha or replace(looking, largest=None).p(gain) > trial.alpha:
        return ()
    what = "losses" if trial.alternative == "greater" else "gains"
    text = (
        f"with so few {noun}s, {what} of whole {noun}s that none of them shows are not excluded: p is their probability"
    )
    return (Note("unseen", text),)


SKEW_T = SkewT()
