"""Tests of a gain at a margin, as gates make them."""

from __future__ import annotations

import math
from dataclasses import dataclass

from truegain.errors import InputError, Setting
from truegain.experiment.outcomes import equal_units, range_of
from truegain.inference.claims import Claim
from truegain.inference.intervals import Interval
from truegain.inference.margins import MOST_ITEMS, STRENGTH, ExactPairs, SkewedGain
from truegain.inference.proportions import PairedShares
from truegain.inference.pvalues import PValue, tolerance
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
        key = key[0], place
        return score_outcome(self.name, alone, key, margin_results(gain_at_margin(alone, key), trial))


def score_outcome(test: str, trial: Trial, key: Key, results: tuple[float, Interval | None]) -> TestOutcome:
    """Return the outcome of a test that draws nothing: its p, and the interval and the bound if they are wanted."""
    p, interval = results
    units = trial.experiment.units
    one_sided = trial.bounded and trial.alternative != "two-sided"
    bound = None
    if one_sided and interval is not None:
        bound = interval.low if trial.alternative == "greater" else interval.high
    return TestOutcome(
        test=test,
        p_value=PValue(p),
        unit="block" if units.kind == "block" else units.noun,
        n_units=units.count,
        alternative=trial.alternative,
        claim=Claim(trial.held_runs(key[1]), units.noun),
        direction=trial.beyond(key),
        interval=interval,
        bound=bound,
    )


def margin_results(test: ExactPairs | SkewedGain, trial: Trial) -> tuple[float, Interval | None]:
    """Return p and, if it is wanted, the interval of the gains that the test does not reject."""
    gain, side, mirrored = trial.null_gain, trial.alternative, test.mirrored()
    above = 1.0 if side == "less" else test.p(gain)
    below = 1.0 if side == "greater" else mirrored.p(-gain)
    p = min(above, below) if side != "two-sided" else min(1.0, 2.0 * min(above, below))
    if not trial.inverted and not trial.bounded:
        return p, None
    alpha = trial.alpha / 2.0 if side == "two-sided" else trial.alpha
    low = -math.inf if side == "less" else test.bound(alpha, gain)
    high = math.inf if side == "greater" else -mirrored.bound(alpha, -gain)
    return p, Interval(low, high, 1.0 - trial.alpha, "test")


def gain_at_margin(trial: Trial, key: Key, pairs: PairedShares | None = None) -> ExactPairs | SkewedGain:
    """Return the test of a gain: of wins and losses, exact if there are not too many items, or of any scores."""
    m, pair = key
    experiment, metric = trial.experiment, trial.metric(key)
    old, new = ([run.outputs for run in experiment.corpus.systems[s].runs] for s in pair)
    same_texts = None not in old and old == new  # of which nothing can be lost
    if pairs is not None and math.isinf(pairs.worth.freedom) and not same_texts:
        count = round(pairs.worth.items)
        if count <= MOST_ITEMS:
            return ExactPairs(round(pairs.wins * count), round(pairs.losses * count), count, pairs.size)
        return SkewedGain(pairs.observed, 0.0, 0.0, count, math.inf, pairs=pairs)
    error = experiment.standard_error(m, *pair)
    if error is None:
        raise InputError(
            f"skew-t needs the standard error of the gain, and that in {metric.label} has none here",
            hint=("use ", Setting("test", "bootstrap")),
        )
    slack, ends = tolerance(trial.magnitude(key)), None
    constant = error <= slack and (pairs is None or same_texts)
    items = [own for s in pair if (own := experiment.item_scores[m][s]) is not None]
    if not same_texts and len(items) == len(pair):
        ends = range_of(metric, items)
    strength = (-1.0 if metric.higher_is_better is False else 1.0) * (STRENGTH if pairs is None else 1.0)
    return SkewedGain(
        trial.delta(key),
        0.0 if constant else error,
        0.0 if constant else strength * experiment.skewness(m, *pair),
        equal_units(experiment),
        experiment.freedom,
        None if ends is None else ends[1] - ends[0],
        None if same_texts else pairs,
        slack if constant else 0.0,
    )


SKEW_T = SkewT()
