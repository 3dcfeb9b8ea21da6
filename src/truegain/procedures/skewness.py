"""Caveats of tests if few units have the losses, or the gains."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from truegain.inference.pvalues import tolerance
from truegain.inference.results import Caveat
from truegain.inference.variance import chance_skewness, cluster_skewness, one_sided_size
from truegain.procedures.base import Key, Trial

_LEVEL = 0.05
_EXCESS = 0.025  # above that level, at which a test is said to reject too often
_CHANCE = 2.33  # standard errors that units without skewness exceed in 1 % of cases


def skewness_caveats(trial: Trial, key: Key, standard_error: float | None = None) -> tuple[Caveat, ...]:
    """Return the caveats of a test over the units of the experiment.

    Parameters
    ----------
    standard_error : float, optional
        Of a test that reads p from Student's t: of the gain, over units and more. By default p is from resamples, drawn
        or swapped: both reject about as often.
    """
    m, pair = key
    experiment, units = trial.experiment, trial.experiment.units
    own = experiment.standard_error(m, *pair)
    if own is None or own <= tolerance(trial.magnitude(key)):
        return ()
    share = 1.0 if standard_error is None else min(own / standard_error, 1.0) ** 3
    sign = -1.0 if trial.metric(key).higher_is_better is False else 1.0
    noun = experiment.corpus.item_noun if units.kind == "block" else experiment.unit_noun
    count = units.count / (units.mean_length or 1.0)
    skewness = sign * experiment.skewness(m, *pair)
    return _caveats(trial, skewness, noun, count, trial.beyond(key), share=share, resampled=standard_error is None)


def mean_skewness_caveats(trial: Trial, key: Key, differences: NDArray[np.float64], slack: float) -> tuple[Caveat, ...]:
    """Return the caveats of a t-test of the mean difference of segments."""
    if np.ptp(differences) <= slack:
        return ()
    beyond = float(differences.mean()) - trial.null_gain
    return _caveats(
        trial,
        cluster_skewness(differences),
        trial.experiment.corpus.item_noun,
        differences.size,
        beyond,
        resampled=False,
    )


def _caveats(
    trial: Trial, skewness: float, noun: str, count: float, beyond: float, *, resampled: bool, share: float = 1.0
) -> tuple[Caveat, ...]:
    """Say so if the skewness is more than chance, and ``share`` of it raises the level much on the side of the gain."""
    if abs(skewness) <= _CHANCE * chance_skewness(count):
        return ()
    side, halves = trial.alternative, 1.0
    if side == "two-sided":
        side, halves = "greater" if beyond > 0.0 else "less", 2.0
    if one_sided_size(share * skewness, _LEVEL / halves, side, resampled=resampled) <= (_LEVEL + _EXCESS) / halves:
        return ()
    level = trial.alpha / halves
    size = one_sided_size(share * skewness, level, side, resampled=resampled)
    null_gain = f"{trial.null_gain:g}".replace("-", "−")
    found = f"{'losses' if side == 'greater' else 'gains'} are concentrated in few {noun}s, so"
    where = f" and Δ {'above' if side == 'greater' else 'below'} it" if halves > 1.0 else ""
    text = (
        f"{found} at a true Δ of {null_gain} this test has p ≤ {trial.alpha:.3g}{where} in about {100 * size:.2g} % of "
        f"cases, not {100 * level:.3g} %"
    )
    return (Caveat("skewness", text, summary=f"{found} these p-values are too small"),)
