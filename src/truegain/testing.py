"""Assertions for test suites: a system is better than a baseline, not worse, or not shown to be worse."""

from __future__ import annotations

import warnings

from truegain.settings.function import takes
from truegain.settings.gate import GateOptions, Requirement
from truegain.settings.option import given_in
from truegain.settings.testing import AssertBetterOptions, AssertNotWorseOptions, AssertOptions
from truegain.studies.gate import GateResult, gate
from truegain.view import digits_of
from truegain.words import Sentence, p_words

__all__ = ["assert_better", "assert_no_loss_shown", "assert_not_worse"]

FIGURES = Sentence("{metric} {old} → {new} on {items:,} segments: Δ {delta}, between {lower} and {upper} (p {p})")
FIND_THE_LOSS = Sentence("Find what changed; if the loss is meant, make these outputs the baseline.")
SAME_OUTPUTS = Sentence("Are these the outputs of the new system?")
TOO_LITTLE_DATA = Sentence(
    "Δ is above what is required, but not by enough: take more segments or runs, or require less."
)
TOO_LITTLE_GAIN = Sentence("Δ is not even above what is required: find what changed, or require less.")


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
    """Say what was found, on what, and what to do."""
    check = result.checks[0]
    metric = result.metric(check.metric)
    digits = digits_of(result, metric)
    old, new = (digits.score(result.score(check.metric, name)) for name in (result.baseline, result.system))
    figures = FIGURES(
        metric=metric.label,
        old=old,
        new=new,
        items=result.testset.segments,
        delta=digits.gain(check.delta),
        lower=digits.gain(check.lower),
        upper=digits.gain(check.upper),
        p=p_words(check.p),
    )
    notes = [f"{note}." for note in result.notes if note.warning or note.kind == "reach"]
    findings = [finding.text for finding in result.findings]
    return "\n  ".join([*findings, figures, *notes, _advice(result)])


def _advice(result: GateResult) -> str:
    check = result.checks[0]
    if result.require == "no-loss-shown":
        return FIND_THE_LOSS
    if check.same:
        return SAME_OUTPUTS
    return TOO_LITTLE_DATA if check.delta > check.null_gain else TOO_LITTLE_GAIN
