"""Gains and losses that systems can have: a margin beyond all of them decides nothing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

from truegain.errors import InputError, Setting
from truegain.experiment.clip_intervals import Limits
from truegain.experiment.observed import Observed
from truegain.metrics.segment_scores import RatioOfScores

__all__ = ["check_gains"]


def check_gains(
    experiment: Observed,
    setting: Literal["margin", "null_gain", "gain"],
    gains: Sequence[float],
    *,
    baseline: int | None = None,
) -> None:
    """Refuse a gain, or a loss if it is negative, that no two systems can exceed.

    Parameters
    ----------
    experiment : Observed
    setting : str
        What was given, as it is named in Python.
    gains : sequence of float
        One for each metric.
    baseline : int, optional
        The system that the other is held against: its own score can rise or fall by so much only.
    """
    for m, gain in enumerate(gains):
        if gain == 0.0:
            continue
        metric, given = experiment.statistics.blocks[m].metric, gain if setting == "null_gain" else abs(gain)
        limits = experiment.limits(m, *range(len(experiment.corpus.systems)))
        low, high = _range(experiment, m, limits)
        why, hint = "", f"it is in points of {metric.label}: give the smallest difference that matters"
        if abs(gain) >= high - low > 0.0:
            why = f"{metric.label} lies between {low:.4g} and {high:.4g}"
            if high <= 1.0 and abs(gain) < 100.0 * (high - low):
                hint = f"did you mean {given / 100.0:g}?"
        elif baseline is not None:
            score = float(experiment.scores[m, baseline])
            end = limits[(gain > 0.0) == (metric.higher_is_better is not False)]
            if abs(gain) >= abs(end - score):
                name = experiment.corpus.systems[baseline].name
                best = "best" if gain > 0.0 else "worst"
                why = f"{name} has a {metric.label} of {score:.4g}, and the {best} is {end:g}"
        if why:
            what = "gain" if gain > 0.0 else "loss"
            raise InputError((Setting(setting), f" is {given:g}, and no {what} can be larger: {why}"), hint=hint)


def _range(experiment: Observed, m: int, limits: Limits) -> Limits:
    """Return the least and the greatest score that there can be; of scores from elsewhere, those there are."""
    if not isinstance(experiment.statistics.blocks[m].metric, RatioOfScores) or limits == (0.0, 1.0):
        return limits
    scores = experiment.segment_scores[m]
    low, high = float(scores.min()), float(scores.max())
    return (low, high) if math.isfinite(high - low) else limits
