"""Sentences on a gate."""

from __future__ import annotations

import math

from truegain.inference.margins import MOST_ITEMS
from truegain.inference.results import MetricInfo
from truegain.registry import TESTS
from truegain.report.model import listing, p_words, signed
from truegain.studies.gate.check import GateCheck
from truegain.studies.gate.result import GateResult
from truegain.studies.null_gain import as_given, beyond_words, doubted_words, sides_words
from truegain.studies.shared_view import decimals_for, units_words

_UNRELIABLE = ", but this is not reliable"


def headline(result: GateResult) -> str:
    """Say whether it passed and why, in one line that begins with PASS or FAIL."""
    return f"{'PASS' if result.passed else 'FAIL'}: {outcome(result)}"


def outcome(result: GateResult) -> str:
    """Say why it passed or failed."""
    doubted = any(one.shown and one.caveats for one in result.checks)
    return f"{_answer(result)}{_UNRELIABLE if doubted else ''}"


def _answer(result: GateResult) -> str:
    system, baseline = result.system, result.baseline
    every = listing([result.metric(one.metric).label for one in result.checks])
    failed = [one for one in result.checks if not one.passed]
    those = listing([result.metric(one.metric).label for one in failed]) if failed else ""
    gains = {one.null_gain for one in (failed or result.checks)}
    gain = gains.pop() if len(gains) == 1 else None
    info = result.metric(result.checks[0].metric)
    if failed and all(_is_same(result, one) for one in failed):
        return f"{system} and {baseline} are the same ({those})"
    if result.require == "no-loss-shown":
        return f"{system} is worse than {baseline} ({those})" if failed else f"no loss is shown ({every})"
    if result.passed:
        if gain is not None:
            return f"{beyond_words(system, baseline, info, above=True, gain=gain)} ({every})"
        worse = result.require == "not-worse"
        much = "not worse than {} by more than is allowed" if worse else "as much better than {} as was asked for"
        return f"{system} is {much.format(baseline)} ({every})"
    if result.require == "not-worse" and gain != 0.0:
        much = "is allowed" if gain is None else f"{-gain:g}"
        return f"{system} may be worse than {baseline} by more than {much} ({those})"
    if gain is None:
        return f"{system} is not shown to be as much better than {baseline} as was asked for ({those})"
    much = "" if gain == 0.0 else f" by more than {gain:g}"
    return f"{system} is not shown to be better than {baseline}{much} ({those})"


def reason(result: GateResult, check: GateCheck, decimals: int | None = None) -> str:
    """Say why a metric passed or failed, in a sentence or two."""
    metric = result.metric(check.metric)
    places = decimals_for(metric, result.scores, decimals)
    if _is_same(result, check):
        return f"{metric.label}: {_same(result, check)}"
    tell = _of_loss if result.require == "no-loss-shown" else _of_gain
    return f"{metric.label}: {tell(result, check, metric, places)}"


def _doubt(check: GateCheck) -> str:
    """Say that what is shown is not reliable, and why."""
    return f"{_UNRELIABLE}: {'; '.join(one.text for one in check.caveats)}" if check.caveats else ""


def _is_same(result: GateResult, check: GateCheck) -> bool:
    """Return whether it is enough to say that the two are the same: of new runs and new items it is not."""
    if not check.same or check.passed != (result.require == "no-loss-shown" or check.null_gain < 0.0):
        return False
    return not check.passed or check.lower >= check.delta


def _same(result: GateResult, check: GateCheck) -> str:
    outcome = "nothing is lost" if check.passed else "there is no gain to show"
    said = f"{result.system} and {result.baseline} are the same on every segment, so {outcome}."
    if result.require == "not-worse" and check.passed and check.metric.partition(":")[0] == "scores":
        most = 100.0 * (1.0 - check.alpha ** (1.0 / check.n_units))  # none in so many would be no surprise
        said += f" Scores do not show outputs: if these differ, other scores on {most:.1f} % of {check.unit}s are not"
        said += " excluded."
    return said


def _of_gain(result: GateResult, check: GateCheck, metric: MetricInfo, decimals: int) -> str:
    names = result.system, result.baseline
    sure = f"{confidence(check)} confidence"
    bound = "no bound" if math.isinf(check.lower) else f"at least {signed(check.lower, decimals)}"
    figures = f"Δ {signed(check.delta, decimals)}, {bound} with {sure}; p {p_words(check.p)}"
    if check.passed:
        shown = beyond_words(*names, metric, above=True, gain=check.null_gain)
        return f"{shown} ({figures}), for {check.claim}{_doubt(check)}."
    doubted = doubted_words(*names, metric, above=True, gain=check.null_gain)
    return f"the test set {doubted} ({figures}). {_takes(check, decimals)}"


def _of_loss(result: GateResult, check: GateCheck, metric: MetricInfo, decimals: int) -> str:
    level = confidence(check)
    delta = f"Δ {signed(check.delta, decimals)}"
    if not check.passed:
        worse = beyond_words(result.system, result.baseline, metric, above=False, gain=0.0)
        figures = f"{delta}, at most {signed(check.upper, decimals)} with {level} confidence; p {p_words(check.p)}"
        return f"{worse} ({figures}), for {check.claim}{_doubt(check)}. {_takes(check, decimals)}"
    said = f"no loss of {result.system} against {result.baseline} is shown ({delta}; p {p_words(check.p)})."
    if math.isinf(check.lower):
        return f"{said} This does not prove the absence of a loss: with so few data, how large it may be is unknown."
    if check.lower >= 0.0:
        return f"{said} There is none: Δ is at least {signed(check.lower, decimals)} with {level} confidence."
    hidden = signed(-check.lower, decimals).lstrip("+")
    return f"{said} This does not prove the absence of a loss: it may be up to {hidden} ({level} bound)."


def _takes(check: GateCheck, decimals: int) -> str:
    """Say what would have been needed."""
    if math.isinf(check.needed):
        return "With so few that do not vary, no Δ would do."
    above = "above" if check.alternative == "greater" else "of at least"
    return f"On this test set it takes a Δ {above} {signed(check.needed, decimals)} to pass."


def methods(result: GateResult) -> str:
    """Describe the method in a sentence or two, to paste into a report."""
    names = listing([metric.label for metric in result.metrics])
    level = share(result.alpha)
    several = ""
    if len(result.checks) > 1 and result.require != "no-loss-shown":
        every = "Both" if len(result.checks) == 2 else f"All {len(result.checks)}"
        several = (
            f" {every} metrics must pass, an intersection–union test (Berger 1982): a system that falls short of one "
            f"of them passes with a probability of at most {level}, without any adjustment."
        )
    elif len(result.checks) > 1:
        several = (
            f" Any of the {len(result.checks)} metrics can fail the gate, so each was tested at "
            f"{share(float(f'{result.checks[0].alpha:.3g}'))} (Bonferroni)."
        )
    runs = " Scores are means over runs." if any(one.runs > 1 for one in result.scores) else ""
    several_metrics = len(result.metrics) > 1
    return (
        f"The difference{'s' if several_metrics else ''} in {names} between {result.system} and {result.baseline} "
        f"{'were' if several_metrics else 'was'} tested with {_test_words(result)}, at a level of "
        f"{level}.{several}{runs} Bounds are one-sided, and follow from the same distributions as the p-values "
        f"(truegain {result.version}, seed {result.seed})."
    )


def _test_words(result: GateResult) -> str:
    one = result.checks[0]
    side = sides_words(result.alternative, one.null_gain)
    if len({check.null_gain for check in result.checks}) > 1:
        gains = [f"{as_given(check.null_gain)} ({result.metric(check.metric).label})" for check in result.checks]
        side = f"one-sided, towards gains above {listing(gains)}"
    over = units_words(one.unit, one.n_units)
    labels: dict[str, list[str]] = {}
    for check in result.checks:
        labels.setdefault(check.test, []).append(result.metric(check.metric).label)
    tests = []
    for name, metrics in labels.items():
        entry = TESTS[name]
        whose = f"{listing(metrics)}; " if len(labels) > 1 else ""
        tests.append(f"{entry.named} ({whose}{side}; {entry.source}) over {over}{_how(result, name)}")
    return listing(tests)


def _how(result: GateResult, test: str) -> str:
    """Say what else the p-value of a test rests on."""
    drawn = f"with {result.resamples:,} resamples"
    if test == "tango":
        return f", exact for up to {MOST_ITEMS:,} independent items, and corrected for skewness over clusters"
    if test == "crossed":
        return f", and these runs alone with the paired bootstrap, {drawn}"
    return f", {drawn}" if test in ("bootstrap", "stationary-bootstrap") else ""


def confidence(check: GateCheck) -> str:
    """Return the level of a bound in per cent."""
    return share(1.0 - float(f"{check.alpha:.3g}"))


def share(value: float) -> str:
    """Write a share in per cent."""
    return f"{100 * value:.10g} %"
