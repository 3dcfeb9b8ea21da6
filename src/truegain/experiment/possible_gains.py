"""Gains and losses that systems can have: a margin beyond all of them decides nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from truegain.errors import InputError, Setting
from truegain.experiment.clip_intervals import ANY
from truegain.experiment.observed import Observed
from truegain.metrics.segment_scores import RatioOfScores


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
        what, limits = "gain" if gain > 0.0 else "loss", experiment.limits(m, *range(len(experiment.corpus.systems)))
        shares = False
        if isinstance(metric, RatioOfScores) and getattr(metric, "limits", None) is None:
            within = _within_one(experiment, m)
            limits = limits if within and limits == (0.0, 1.0) else ANY  # no others are sure
            shares = within and limits == ANY
        low, high = (0.0, 1.0) if shares else limits
        why, hint = "", f"it is in points of {metric.label}: give the smallest difference that matters"
        if abs(gain) >= high - low:
            why = f"no {what} can be larger: {metric.label} lies between {low:.4g} and {high:.4g}"
            if shares:  # scores above 1 are possible, but a percentage point is more likely to be meant
                why = f"{metric.label} lies between 0 and 1 on every segment"
                hint = "if it is meant, give scores and gains in a smaller unit"
            if high <= 1.0 and abs(gain) < 100.0:
                hint = f"did you mean {given / 100.0:g}?{' ' + hint.capitalize() if shares else ''}"
        elif baseline is not None:
            score = float(experiment.scores[m, baseline])
            end = limits[(gain > 0.0) == (metric.higher_is_better is not False)]
            if abs(gain) >= abs(end - score):
                name = experiment.corpus.systems[baseline].name
                best = "best" if gain > 0.0 else "worst"
                why = f"no {what} can be larger: {name} has a {metric.label} of {score:.4g}, and the {best} is {end:g}"
        if why:
            raise InputError((Setting(setting), f" is {given:g}, and {why}"), hint=hint)


def _within_one(experiment: Observed, m: int) -> bool:
    """Return whether all scores lie between 0 and 1, and not all of them are zero."""
    scores = experiment.segment_scores[m]
    return bool(scores.min() >= 0.0 and 0.0 < scores.max() <= 1.0)
