"""Options that no study can use are refused before anything is computed."""

from __future__ import annotations

from truegain.errors import InputError
from truegain.inference.intervals import ALPHAS
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
