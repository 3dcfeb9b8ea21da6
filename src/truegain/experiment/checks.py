"""Options that no study can use are refused before anything is computed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np

from truegain.errors import InputError, Setting, Text
from truegain.experiment.clip_intervals import ANY
from truegain.experiment.observed import Observed
from truegain.inference.intervals import ALPHAS
from truegain.metrics.segment_scores import RatioOfScores
from truegain.resampling.design import check_seed
from truegain.settings.option import Options

_MOST = 10**12
_CHANCE = 0.5  # alpha at which a one-sided test rejects as soon as the difference has the right sign
_CONFIDENCES = (0.8, 0.9999)


def check_count(what: str, number: int, *, least: int = 1) -> None:
    """Refuse a number of things to do that is below ``least``, or that no array could ever hold."""
    if number < least:
        raise InputError(f"the number of {what} must be {'at least 1' if least else '0 or more'}; got {number}")
    if number > _MOST:
        raise InputError(f"the number of {what} must be at most {_MOST:,}; got {str(number)[:40]}")


def check_alpha(alpha: float, *, tests: bool = True) -> None:
    """Refuse a level that no test has: above all a confidence, 0.95, in place of the error rate, 0.05.

    Without ``tests`` it is the level of intervals alone, which may be those of 50 %.
    """
    if not 0.0 < alpha < 1.0:
        raise InputError(f"alpha must be between 0 and 1; got {alpha:g}")
    limit, what = (
        (_CHANCE, "the error rate of a test") if tests else (_CONFIDENCES[0], "1 minus the level of intervals")
    )
    if alpha >= limit:
        meant = 1.0 - alpha if _CONFIDENCES[0] <= alpha <= _CONFIDENCES[1] else 0.05
        raise InputError(
            f"alpha is {what}, and must be below {limit:g}; got {alpha!r}", hint=f"did you mean {meant:.3g}?"
        )
    if alpha < ALPHAS[0]:
        raise InputError(f"alpha must be at least {ALPHAS[0]:g}; got {alpha!r}")


def check_options(options: Options, *, tests: bool = True) -> None:
    """Refuse what no study can use; ``tests``: whether the study tests, or has intervals only."""
    alpha, resamples = getattr(options, "alpha", 0.05), getattr(options, "resamples", 1)
    seed, jobs = getattr(options, "seed", 0), getattr(options, "jobs", None)
    check_alpha(alpha, tests=tests)
    counted = {"resamples": 1 if resamples == "auto" else resamples, "seed": seed, "jobs": 1 if jobs is None else jobs}
    check_count("resamples", counted["resamples"])
    if counted["jobs"] < 1:
        raise InputError(f"the number of jobs must be at least 1; got {jobs}")
    check_seed(seed)


GainSetting = Literal["margin", "null_gain", "gain"]
Refusal = tuple[str, Text] | None  # the reason, and the way out


def check_gains(
    experiment: Observed, setting: GainSetting, gains: Sequence[float], *, baseline: int | None = None
) -> None:
    """Refuse a gain, or a loss if it is negative, that no two systems can exceed; a margin on the wrong scale, too.

    Parameters
    ----------
    experiment : Observed
    setting : str
    gains : sequence of float
        One for each metric.
    baseline : int, optional
        The system that the other is held against: its own score can rise or fall by so much only.
    """
    for m, gain in enumerate(gains):
        given = gain if setting == "null_gain" else abs(gain)
        if gain == 0.0:
            continue
        refusal = _impossible(experiment, m, gain, given, baseline)
        if refusal is None and (setting == "margin" or (setting == "null_gain" and gain < 0.0)):
            refusal = _on_another_scale(experiment, setting, m, gain, baseline)
        if refusal is not None:
            raise InputError((Setting(setting), f" is {given:g}, and {refusal[0]}"), hint=refusal[1])


def _impossible(experiment: Observed, m: int, gain: float, given: float, baseline: int | None) -> Refusal:
    """Refuse a gain that is as large as the range of the scores, or as what the baseline's score can change by."""
    metric = experiment.statistics.blocks[m].metric
    what, limits = "gain" if gain > 0.0 else "loss", experiment.limits(m, *range(len(experiment.corpus.systems)))
    shares = False
    if isinstance(metric, RatioOfScores) and getattr(metric, "limits", None) is None:
        scores = experiment.segment_scores[m]
        within = scores.min() >= 0.0 and 0.0 < scores.max() <= 1.0
        limits = limits if within and limits == (0.0, 1.0) else ANY  # no others are sure
        shares = within and limits == ANY
    low, high = (0.0, 1.0) if shares else limits
    hint = f"it is in points of {metric.label}: give the smallest difference that matters"
    if abs(gain) >= high - low:
        why = f"no {what} can be larger: {metric.label} lies between {low:.4g} and {high:.4g}"
        if shares:  # scores above 1 are possible, but a percentage point is more likely to be meant
            why = f"{metric.label} lies between 0 and 1 on every segment"
            hint = "if it is meant, give scores and gains in a smaller unit"
        if high <= 1.0 and abs(gain) < 100.0:
            hint = f"did you mean {given / 100.0:g}?{' ' + hint.capitalize() if shares else ''}"
        return why, hint
    if baseline is not None:
        score = float(experiment.scores[m, baseline])
        end = limits[(gain > 0.0) == (metric.higher_is_better is not False)]
        if abs(gain) >= abs(end - score):
            name, best = experiment.corpus.systems[baseline].name, "best" if gain > 0.0 else "worst"
            has = f"{name} has a {metric.label} of {score:.4g}"
            return f"no {what} can be larger: {has}, and the {best} is {end:g}", hint
    return None


def _on_another_scale(experiment: Observed, setting: GainSetting, m: int, gain: float, baseline: int | None) -> Refusal:
    """Refuse a gain of a standard deviation of segment scores or more, or a loss of over half of the baseline's score.

    Scores of few values hardly vary near their ends, so less than half the smallest step between two is not refused.
    Half of a score means something if higher is better and the scale begins at 0.
    """
    block = experiment.statistics.blocks[m]
    scores = experiment.segment_run_scores[m]
    scores = np.where(np.isfinite(scores), scores, np.nan)
    label, spread, half = block.metric.label, float(np.nanstd(scores, axis=-1).max()), math.inf
    from_zero = np.nanmin(scores) >= 0.0 and experiment.limits(m, baseline or 0)[0] in (0.0, -math.inf)
    if baseline is not None and gain < 0.0 and block.metric.higher_is_better is not False and from_zero:
        half = float(experiment.scores[m, baseline]) / 2.0
    steps = np.diff(np.sort(scores, axis=None))  # np.unique loads masked arrays, which takes longer than a comparison
    step = steps[steps > 0.0].min(initial=math.inf)
    if 2.0 * abs(gain) >= step and abs(gain) >= spread > 1e-9 * abs(gain):  # less is rounding
        scale, why = spread, f"{label} varies less than that between segments: its standard deviation is {spread:.3g}"
    elif abs(gain) > half > 0.0:
        name = experiment.corpus.systems[baseline or 0].name
        scale, why = half, f"{name} has a {label} of {2.0 * half:.4g}: a loss of more than half of it would pass"
    else:
        return None
    example = abs(gain) / 10.0 ** math.ceil(math.log10(5.0 * abs(gain) / scale))  # at most a fifth of the scale
    value = float(f"{-example if setting == 'null_gain' else example:.4g}")
    example_of = Setting(setting, {block.key: value} if len(experiment.statistics.blocks) > 1 else value)
    return why, ("give the smallest difference that matters, in points of its scale, for example ", example_of)
