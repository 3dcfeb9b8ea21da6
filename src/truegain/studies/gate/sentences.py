"""What a gate found, in sentences."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from truegain.inference.results import MetricInfo
from truegain.registry import TESTS
from truegain.report.model import listing, p_text, signed
from truegain.studies.null_gain import as_given, beyond_words, doubted_words, sides_words
from truegain.studies.tabulating import decimals_for
from truegain.studies.wording import units_words

if TYPE_CHECKING:
    from truegain.studies.gate.check import GateCheck
    from truegain.studies.gate.result import GateResult

__all__ = ["headline", "methods", "p_words", "reason", "share"]


def headline(result: GateResult) -> str:
    """Whether it passed and why, in one line that begins with PASS or FAIL."""
    return f"{'PASS' if result.passed else 'FAIL'}: {_answer(result)}"


def _answer(result: GateResult) -> str:
    system, baseline = result.system, result.baseline
    every = listing([result.metric(one.metric).label for one in result.checks])
    failed = [one for one in result.checks if not one.passed]
    those = listing([result.metric(one.metric).label for one in failed]) if failed else ""
    margins = {one.min_gain for one in (failed or result.checks)}
    margin = margins.pop() if len(margins) == 1 else None
    info = result.metric(result.checks[0].metric)
    if failed and all(_is_same(result, one) for one in failed):
        return f"{system} and {baseline} are the same ({those})"
    if result.require == "not-worse":
        much = "" if margin == 0.0 else " by more than is allowed" if margin is None else f" by more than {-margin:g}"
        if failed:
            return f"{system} is worse than {baseline}{much} ({those})"
        return f"{system} is not shown to be worse than {baseline}{much} ({every})"
    if result.passed:
        if margin is None:
            return f"{system} is as much better than {baseline} as was asked for ({every})"
        return f"{beyond_words(system, baseline, info, above=True, gain=margin)} ({every})"
    if margin is None:
        return f"{system} is not shown to be as much better than {baseline} as was asked for ({those})"
    if margin < 0.0:
        return f"{system} may be worse than {baseline} by more than {-margin:g} ({those})"
    much = "" if margin == 0.0 else f" by more than {margin:g}"
    return f"{system} is not shown to be better than {baseline}{much} ({those})"


def reason(result: GateResult, check: GateCheck, width: int | None = None) -> str:
    """Why a metric passed or failed, in a sentence or two."""
    metric = result.metric(check.metric)
    decimals = decimals_for(metric, result.scores, width)
    if _is_same(result, check):
        return f"{metric.label}: {_same(result, check)}"
    tell = _of_loss if result.require == "not-worse" else _of_gain
    return f"{metric.label}: {tell(result, check, metric, decimals)}"


def _is_same(result: GateResult, check: GateCheck) -> bool:
    """Whether that the two are the same is all there is to say: of new runs it is not."""
    return check.same and check.passed == (result.require == "not-worse" or check.min_gain < 0.0)


def _same(result: GateResult, check: GateCheck) -> str:
    outcome = "nothing is lost" if check.passed else "there is no gain to show"
    return f"{result.system} and {result.baseline} are the same on every segment, so {outcome}."


def _of_gain(result: GateResult, check: GateCheck, metric: MetricInfo, decimals: int) -> str:
    names = result.system, result.baseline
    sure = f"{share(1.0 - result.alpha)} confidence"
    bound = "no bound" if math.isinf(check.lower) else f"at least {signed(check.lower, decimals)}"
    figures = f"Δ {signed(check.delta, decimals)}, {bound} with {sure}; p {p_words(check.p)}"
    if check.passed:
        shown = beyond_words(*names, metric, above=True, gain=check.min_gain)
        return f"{shown} ({figures}), for {check.claim}."
    doubted = doubted_words(*names, metric, above=True, gain=check.min_gain)
    return f"the test set {doubted} ({figures}). {_takes(check, decimals)}"


def _of_loss(result: GateResult, check: GateCheck, metric: MetricInfo, decimals: int) -> str:
    names = result.system, result.baseline
    level = share(1.0 - result.alpha)
    sure = f"{level} confidence"
    delta = f"Δ {signed(check.delta, decimals)}"
    worse = beyond_words(*names, metric, above=False, gain=check.min_gain)
    if not check.passed:
        bound = f"at most {signed(check.upper, decimals)} with {sure}"
        return f"{worse} ({delta}, {bound}; p {p_words(check.p)}), for {check.claim}. {_takes(check, decimals)}"
    said = f"it is not shown that {worse} ({delta}; p {p_words(check.p)})."
    if math.isinf(check.lower):
        return f"{said} That is no proof that it is not: how large a loss may hide cannot be told from so few."
    if check.lower >= 0.0:
        return f"{said} Nor can it be: Δ is at least {signed(check.lower, decimals)} with {sure}."
    hidden = signed(-check.lower, decimals).lstrip("+")
    if check.lower >= check.min_gain:
        return f"{said} Nor can it be: a loss is at most {hidden} with {sure}."
    return f"{said} That is no proof that it is not: a loss of up to {hidden} may hide ({level} bound)."


def _takes(check: GateCheck, decimals: int) -> str:
    """What would have been needed."""
    if math.isinf(check.needed):
        return "With so few that do not vary, no Δ would do."
    return f"On this test set it takes a Δ above {signed(check.needed, decimals)} to pass."


def methods(result: GateResult) -> str:
    """A sentence or two on the method, to paste into a report."""
    names = listing([metric.label for metric in result.metrics])
    level = share(result.alpha)
    several = ""
    if len(result.checks) > 1 and result.require == "better":
        every = "Both" if len(result.checks) == 2 else f"All {len(result.checks)}"
        several = (
            f" {every} metrics must pass, an intersection–union test (Berger 1982): a system that falls short of one "
            f"of them passes with a probability of at most {level}, without any adjustment."
        )
    elif len(result.checks) > 1:
        several = f" P-values were not adjusted for the {len(result.checks)} metrics, any of which can fail the gate."
    runs = " Scores are means over runs." if any(one.runs > 1 for one in result.scores) else ""
    return (
        f"In terms of {names}, the difference between {result.system} and {result.baseline} was tested with "
        f"{_test_words(result)}, at a level of {level}.{several}{runs} Bounds are one-sided, and follow from the same "
        f"distributions as the p-values (truegain {result.version}, seed {result.seed})."
    )


def _test_words(result: GateResult) -> str:
    one = result.checks[0]
    entry = TESTS[one.test]
    article = "the " if "'s" not in entry.label else ""
    side = sides_words(result.alternative, one.min_gain)
    if len({check.min_gain for check in result.checks}) > 1:
        gains = [f"{as_given(check.min_gain)} ({result.metric(check.metric).label})" for check in result.checks]
        side = f"one-sided, towards gains {'above' if result.require == 'better' else 'below'} {listing(gains)}"
    drawn = f", with {result.resamples:,} resamples" if one.test in ("bootstrap", "stationary-bootstrap") else ""
    if one.test == "crossed":
        drawn = f", and these runs alone with the paired bootstrap, with {result.resamples:,} resamples"
    return f"{article}{entry.label} ({side}; {entry.source}) over {units_words(one.unit, one.n_units)}{drawn}"


def share(value: float) -> str:
    """A share in per cent."""
    return f"{100 * value:.10g} %"


def p_words(p: float) -> str:
    """``= 0.012``, ``< 0.001``."""
    text = p_text(p)
    return text.replace("<", "< ") if text.startswith("<") else f"= {text}"
