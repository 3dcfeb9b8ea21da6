"""Assertions for test suites: a system is better than a baseline, not worse, or not shown to be worse."""

from __future__ import annotations

import warnings

from truegain.report.model import signed
from truegain.settings.function import takes
from truegain.settings.gate import GateOptions, Requirement
from truegain.settings.option import given_in
from truegain.settings.testing import AssertBetterOptions, AssertNotWorseOptions, AssertOptions
from truegain.studies.gate.result import GateResult
from truegain.studies.gate.sentences import outcome
from truegain.studies.gate.study import gate
from truegain.studies.shared_view import decimals_for

__all__ = ["assert_better", "assert_no_loss_shown", "assert_not_worse"]


@takes(AssertNotWorseOptions)
def assert_not_worse(options: AssertNotWorseOptions) -> GateResult:
    """Assert that a system is not worse than a baseline by more than a margin.

    It fails unless a loss above the margin is ruled out; ``alpha`` is how often a system that is worse by just the
    margin passes. It is ``truegain gate --require not-worse``.

    Raises
    ------
    AssertionError
        If a loss above the margin is not ruled out.

    Examples
    --------
    >>> from truegain.testing import assert_not_worse
    >>> lines = [f"the cat number {i} sat on the mat" for i in range(30)]
    >>> old = [line.replace("sat", "sits") for line in lines]
    >>> assert_not_worse(lines, old, old, margin=0.3).passed
    True
    """
    __tracebackhide__ = True
    return _asserted(options, "not-worse", options.margin)


@takes(AssertOptions)
def assert_no_loss_shown(options: AssertOptions) -> GateResult:
    """Assert that no loss is shown: weaker than :func:`assert_not_worse`, and without a margin.

    It fails only if a system is shown to be worse; ``alpha`` is how often a system just as good fails. To pass does not
    prove the absence of a loss: a small test set shows hardly any. It is ``truegain gate --require no-loss-shown``.

    Raises
    ------
    AssertionError
        If a loss is shown.
    """
    __tracebackhide__ = True
    return _asserted(options, "no-loss-shown", None)


@takes(AssertBetterOptions)
def assert_better(options: AssertBetterOptions) -> GateResult:
    """Assert that a system is shown to be better than a baseline, by more than a margin.

    ``alpha`` is how often a system that gains just the margin passes. It is ``truegain gate --require better``.

    Raises
    ------
    AssertionError
        If it is not shown.
    """
    __tracebackhide__ = True
    return _asserted(options, "better", options.margin)


def _asserted(options: AssertOptions, require: Requirement, margin: float | None) -> GateResult:
    """Run a gate of the two systems, and raise if it does not pass."""
    __tracebackhide__ = True
    shared = given_in(GateOptions, vars(options))
    shared |= {"systems": {"baseline": options.baseline, "system": options.system}, "metrics": [options.metric]}
    shared |= {"baseline": "baseline", "system": "system", "require": require, "margin": margin}
    result = gate(**shared)
    if not result.passed:
        raise AssertionError(_message(result))
    for note in result.notes:
        if note.warning:
            warnings.warn(str(note).removeprefix("Warning: "), stacklevel=4)
    return result


def _message(result: GateResult) -> str:
    """Say what was compared, what was found, what it means, and what to do."""
    check = result.checks[0]
    metric = result.metric(check.metric)
    decimals = decimals_for(metric, result.scores, None)
    old, new = (next(one.score for one in result.scores if one.name == name) for name in ("baseline", "system"))
    scores = f"{metric.label} {old:.{decimals}f} → {new:.{decimals}f} ({signed(check.delta, decimals)})"
    return "\n".join(
        [
            outcome(result),
            f"  {scores} on {result.testset.segments:,} segments",
            *(f"  {text}" for text in result.reasons()),
            *(f"  {note}" for note in result.notes if note.warning),
            f"  {_advice(result)}",
        ]
    )


def _advice(result: GateResult) -> str:
    check = result.checks[0]
    if result.require == "no-loss-shown":
        return "Find what changed; if the loss is meant, make these outputs the baseline."
    if check.same:
        return "Are these the outputs of the new system?"
    if check.delta > check.null_gain:
        return "Δ is above what is asked for, but not by enough: take more segments, more runs, or ask for less."
    return "Δ is not even above what is asked for: find what changed, or ask for less."
