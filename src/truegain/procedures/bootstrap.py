"""Tests that draw units with replacement."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from truegain.experiment import gain
from truegain.inference import published
from truegain.inference.claims import Claim
from truegain.inference.intervals import Interval
from truegain.inference.inversion import Inversion, drawn_reach
from truegain.inference.pvalues import PValue, counted, exceeds, tolerance
from truegain.procedures.base import (
    Key,
    Side,
    TestOutcome,
    Trial,
    check_null_gain,
    check_two_sided,
    count_until_sure,
    inversion_of,
    tie_caveats,
    unit_caveats,
)
from truegain.procedures.skewness import skewness_caveats
from truegain.registry import TESTS


@dataclass(frozen=True)
class Bootstrap:
    """The paired bootstrap, shifted by the observed difference; over the units chosen, or over blocks."""

    name: str
    unit: Literal["as chosen", "block"] = "as chosen"

    def __call__(self, trial: Trial) -> dict[Key, TestOutcome]:
        """See :class:`truegain.procedures.base.Procedure`."""
        experiment = trial.experiment
        if self.unit == "block":
            experiment = experiment.in_blocks([(pair.baseline, pair.system) for pair in trial.pairs])
        drawn = replace(trial, experiment=experiment)
        if drawn.apart:
            found = {
                (m, pair): finding
                for pair in trial.pairs
                for (m, _), finding in self._found(drawn.alone(pair), of_their_own=True).items()
            }
            return {key: found[key] for key in trial.keys}
        return self._found(drawn, of_their_own=experiment is not trial.experiment)

    def _found(self, trial: Trial, *, of_their_own: bool) -> dict[Key, TestOutcome]:
        """Test the pairs of a trial; ``of_their_own``: they have blocks that nothing else is said of."""
        experiment = trial.experiment
        nulls: Mapping[Key, NDArray[np.float64]] = {}
        kept = {key: inversion_of(trial) for key in trial.keys}
        if trial.stopping is None:
            nulls = _deviations(trial, 0, trial.resamples)
            p_values = {key: counted(one) for key, one in _exceedances(trial, kept, nulls).items()}
            if trial.null_gain != 0.0:
                nulls = {key: null + trial.null_gain for key, null in nulls.items()}
        else:
            p_values = count_until_sure(
                trial, trial.stopping, lambda *part: _exceedances(trial, kept, _deviations(trial, *part))
            )
        intervals = {key: one.interval() for key, one in kept.items()}
        return {
            key: TestOutcome(
                test="stationary-bootstrap" if experiment.units.kind == "block" else self.name,
                p_value=p_value,
                unit="block" if experiment.units.kind == "block" else experiment.units.noun,
                n_units=experiment.units.count,
                alternative=trial.alternative,
                claim=Claim(trial.held_runs(key[1]), experiment.units.noun),
                direction=trial.beyond(key),
                notes=experiment.unit_notes if of_their_own else (),
                caveats=(*unit_caveats(experiment), *skewness_caveats(trial, key)),
                interval=intervals[key],
                distribution=nulls.get(key),
                freedom=experiment.freedom,
                bound=_bound(trial, intervals[key]),
            )
            for key, p_value in p_values.items()
        }


@dataclass(frozen=True)
class PublishedBootstrap:
    """A published bootstrap of segments, with its own way of counting; ``strict``: what is equal does not count."""

    name: str
    rule: Callable[[float, NDArray[np.float64], float], PValue]
    strict: bool = False

    def __call__(self, trial: Trial) -> dict[Key, TestOutcome]:
        """See :class:`truegain.procedures.base.Procedure`."""
        check_null_gain(self.name, trial.null_gain)
        check_two_sided(self.name, trial.alternative)
        experiment = trial.experiment.on_segments
        trial = replace(trial, experiment=experiment)
        side: Side = "two-sided" if TESTS[self.name].sides == "two-sided" else "observed"
        found = {}
        for key, gains in _gains(trial, experiment.bootstrap(trial.resamples)).items():
            delta, slack = trial.delta(key), tolerance(trial.magnitude(key))
            p_value = self.rule(delta, gains, slack)
            # With the slack the other way round, what is equal counts.
            with_ties = self.rule(delta, gains, -slack) if self.strict else p_value
            found[key] = TestOutcome(
                test=self.name,
                p_value=p_value,
                unit="segment",
                n_units=experiment.units.count,
                alternative=side,
                claim=Claim(trial.held_runs(key[1]), "segment"),
                direction=delta,
                caveats=(*tie_caveats(p_value.p, with_ties.p, trial.alpha), *unit_caveats(experiment)),
            )
        return found


BOOTSTRAP = Bootstrap("bootstrap")
STATIONARY = Bootstrap("stationary-bootstrap", "block")
KOEHN = PublishedBootstrap("koehn2004", published.koehn)
RIEZLER = PublishedBootstrap("riezler2005-bootstrap", published.riezler_bootstrap)
BERG_KIRKPATRICK = PublishedBootstrap("bergkirkpatrick2012", published.berg_kirkpatrick, strict=True)
SACREBLEU = PublishedBootstrap("sacrebleu-bs", published.sacrebleu_bootstrap, strict=True)
MOSES = PublishedBootstrap("moses-bs", published.moses_bootstrap)


def _gains(trial: Trial, resampled: NDArray[np.float64]) -> dict[Key, NDArray[np.float64]]:
    """Return the gains of every pair, resample by resample."""
    return {
        key: gain(trial.metric(key), resampled[key[0], key[1].baseline], resampled[key[0], key[1].system])
        for key in trial.keys
    }


def _deviations(trial: Trial, first: int, count: int) -> dict[Key, NDArray[np.float64]]:
    """Return gains less observed gains, widened for few units as the level asks for: differences under the null."""
    experiment = trial.experiment
    factor = experiment.factor(1.0 - trial.alpha)
    gains = _gains(trial, experiment.bootstrap(count, first=first))
    return {key: (one - trial.delta(key)) * factor for key, one in gains.items()}


def _exceedances(
    trial: Trial, kept: Mapping[Key, Inversion], nulls: Mapping[Key, NDArray[np.float64]]
) -> dict[Key, NDArray[np.bool_]]:
    """Return which resamples are as far out as the observed gains, and take in what they say of others if asked."""
    found = {}
    for key, null in nulls.items():
        magnitude, side = trial.magnitude(key), trial.alternative
        if trial.inverted or trial.bounded:
            kept[key].add(drawn_reach(trial.delta(key), null, alternative=side, slack=tolerance(magnitude)))
        found[key] = exceeds(null, trial.beyond(key), alternative=side, magnitude=magnitude)
    return found


def _bound(trial: Trial, interval: Interval | None) -> float | None:
    """Return the bound of a one-sided test, if it is wanted: the end of its interval."""
    if interval is None or not trial.bounded or trial.alternative == "two-sided":
        return None
    return interval.low if trial.alternative == "greater" else interval.high
